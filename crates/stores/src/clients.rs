//! The stores that were asked so far, and what is asked of them.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::future::Future;
use std::io;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, mpsc};
use std::time::Duration;

use bytes::Bytes;
use object_store::path::Path;
use object_store::{GetOptions, GetRange, ObjectMeta, ObjectStore, ObjectStoreExt as _};
use tokio::runtime::{Builder, Runtime};
use tokio::task::JoinHandle;

use crate::address::Address;
use crate::credentials::Environment;
use crate::failure::{explain, no_bucket};

/// How long an answer may take.
const ANSWER: Duration = Duration::from_secs(30);
/// How long it may take to send something: four parts at once, over a line of two megabits.
const UPLOAD: Duration = Duration::from_mins(3);

/// A bucket and its clients.
#[derive(Debug)]
pub(crate) struct Bucket {
    pub(crate) name: String,
    pub(crate) store: Arc<dyn ObjectStore>,
    /// The same, with more time for an answer: whoever sends much over a slow line waits for it.
    pub(crate) uploads: Arc<dyn ObjectStore>,
}

/// The clients of all stores. Requests are made on a runtime of their own, so that whoever asks may
/// wait for the answer on any thread.
#[derive(Clone, Debug)]
pub struct StoreClients(Arc<State>);

#[derive(Debug)]
struct State {
    /// Begun with the first request: most commands make none, and threads take time to start.
    runtime: OnceLock<io::Result<Runtime>>,
    environment: Environment,
    buckets: Mutex<BTreeMap<String, Arc<Bucket>>>,
    /// How large the objects of the last listing were. Only a guess: whoever reads an object hears
    /// its size with it.
    sizes: Mutex<BTreeMap<String, u64>>,
}

impl Drop for State {
    fn drop(&mut self) {
        // The last owner may be a task of another runtime, where waiting for threads is an error.
        if let Some(Ok(runtime)) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

impl StoreClients {
    /// Clients by the environment of this process.
    pub fn of_environment() -> Self {
        let text = |(name, value): (OsString, OsString)| {
            Some((name.into_string().ok()?, value.into_string().ok()?))
        };
        Self::with_variables(std::env::vars_os().filter_map(text))
    }

    /// Clients by these variables. None is made before its bucket is named.
    pub fn with_variables(variables: impl IntoIterator<Item = (String, String)>) -> Self {
        // The libraries agree on one provider of cryptography in a process; the first one counts.
        let _ = rustls::crypto::ring::default_provider().install_default();
        Self(Arc::new(State {
            runtime: OnceLock::new(),
            environment: Environment::new(variables),
            buckets: Mutex::default(),
            sizes: Mutex::default(),
        }))
    }

    /// Starts a request.
    pub(crate) fn start<T: Send + 'static>(
        &self,
        request: impl Future<Output = T> + Send + 'static,
    ) -> io::Result<JoinHandle<T>> {
        let begin = || {
            let mut builder = Builder::new_multi_thread();
            builder.worker_threads(2).thread_name("stores").enable_all().build()
        };
        match self.0.runtime.get_or_init(begin) {
            Ok(runtime) => Ok(runtime.spawn(request)),
            Err(error) => Err(io::Error::new(error.kind(), error.to_string())),
        }
    }

    /// Waits for a request.
    pub(crate) fn wait<T: Send + 'static>(
        &self,
        request: impl Future<Output = T> + Send + 'static,
    ) -> io::Result<T> {
        let (sender, receiver) = mpsc::sync_channel(1);
        self.start(async move { sender.send(request.await) })?;
        receiver.recv().map_err(|_| io::ErrorKind::ConnectionAborted.into())
    }

    /// Waits for a request, and says in our words why it failed.
    pub(crate) fn ask<T: Send + 'static>(
        &self,
        bucket: &Bucket,
        request: impl Future<Output = object_store::Result<T>> + Send + 'static,
    ) -> io::Result<T> {
        self.wait(request)?.map_err(|error| explain(&error, &bucket.name))
    }

    /// The bucket that an address is in.
    pub(crate) fn bucket(&self, address: &Address) -> io::Result<Arc<Bucket>> {
        let mut buckets = lock(&self.0.buckets);
        if let Some(known) = buckets.get(&address.root()) {
            return Ok(known.clone());
        }
        let client = |patience| self.0.environment.client(address, patience);
        let (store, uploads) = (client(ANSWER)?, client(UPLOAD)?);
        let bucket = Arc::new(Bucket { name: address.bucket.clone(), store, uploads });
        buckets.insert(address.root(), bucket.clone());
        Ok(bucket)
    }

    /// The bucket and the key of an object.
    pub(crate) fn locate(&self, address: &str) -> io::Result<(Arc<Bucket>, Path)> {
        let address = Address::read(address)?;
        if address.key.as_ref().is_empty() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "it names a bucket alone"));
        }
        Ok((self.bucket(&address)?, address.key))
    }

    /// A part of an object, and how large the object is. The error is `Unsupported` if the store
    /// knows no ranges.
    pub(crate) fn read_range(
        &self,
        bucket: &Arc<Bucket>,
        key: &Path,
        range: Range<u64>,
    ) -> io::Result<(Bytes, u64)> {
        let (store, key) = (bucket.store.clone(), key.clone());
        let read = self.wait(async move {
            let range = Some(GetRange::Bounded(range));
            let got = store.get_opts(&key, GetOptions { range, ..GetOptions::default() }).await?;
            let size = got.meta.size;
            Ok((got.bytes().await?, size))
        })?;
        read.map_err(|error: object_store::Error| {
            // Some servers answer a range with 200, which the protocol forbids: what came may be a
            // part or the whole.
            if error.to_string().contains("non-partial response") {
                return io::Error::new(io::ErrorKind::Unsupported, "the store knows no ranges");
            }
            explain(&error, &bucket.name)
        })
    }

    /// All of an object.
    pub(crate) fn read_whole(&self, bucket: &Arc<Bucket>, key: &Path) -> io::Result<Bytes> {
        let (store, key) = (bucket.store.clone(), key.clone());
        self.ask(bucket, async move { store.get(&key).await?.bytes().await })
    }

    /// What a store says of an object without sending it.
    pub(crate) fn head(&self, bucket: &Arc<Bucket>, key: &Path) -> io::Result<ObjectMeta> {
        let (store, asked) = (bucket.store.clone(), key.clone());
        let found = self.ask(bucket, async move { store.head(&asked).await });
        match found {
            // The answer to a HEAD has no text, so that it does not say what is missing.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let (store, asked) = (bucket.store.clone(), key.clone());
                let listed =
                    self.ask(bucket, async move { store.list_with_delimiter(Some(&asked)).await });
                match listed {
                    Err(listing) if listing.kind() == io::ErrorKind::NotFound => {
                        Err(no_bucket(&bucket.name))
                    }
                    _ => Err(error),
                }
            }
            found => found,
        }
    }

    /// Takes note of how large objects were when they were listed.
    pub(crate) fn note_sizes(&self, listed: impl Iterator<Item = (String, u64)>) {
        *lock(&self.0.sizes) = listed.collect();
    }

    /// How large an object was when it was listed. It is asked once: soon it may be another size.
    pub(crate) fn listed_size(&self, address: &str) -> Option<u64> {
        lock(&self.0.sizes).remove(address)
    }
}

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}
