//! What logs ask of stores, answered by the clients.

use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::SystemTime;

use bytes::Bytes;
use object_store::path::Path;
use object_store::{ObjectStoreExt as _, PutMode};
use toolgauge_log::{ObjectStores, ReadAt, StoredLog};

use crate::address::Address;
use crate::clients::{Bucket, StoreClients};
use crate::object::{StoredObject, TAIL};

/// How often a log that is being replaced is looked at before it counts as unreadable.
const LOOKS: usize = 4;

impl StoreClients {
    /// The size of an object and its last bytes. An object may be replaced between two requests, so
    /// that a size is believed only once it came with the bytes.
    fn look(&self, bucket: &Arc<Bucket>, key: &Path, address: &str) -> io::Result<(u64, Bytes)> {
        let guess = self.listed_size(address);
        let mut size = match guess {
            Some(size) => size,
            None => self.head(bucket, key)?.size,
        };
        let mut guessed = guess.is_some();
        for _ in 0..LOOKS {
            if size == 0 {
                return Ok((0, Bytes::new()));
            }
            match self.read_range(bucket, key, size.saturating_sub(TAIL)..size) {
                Ok((tail, now)) if now == size => return Ok((size, tail)),
                Ok((_, now)) => size = now,
                Err(error) if error.kind() == io::ErrorKind::Unsupported => {
                    return Ok((size, Bytes::new()));
                }
                // What was listed may have been replaced by something shorter.
                Err(_) if guessed => size = self.head(bucket, key)?.size,
                Err(error) => return Err(error),
            }
            guessed = false;
        }
        Err(io::Error::new(io::ErrorKind::ResourceBusy, "it is being replaced all the time"))
    }
}

impl ObjectStores for StoreClients {
    fn open(&self, address: &str) -> io::Result<Box<dyn ReadAt>> {
        let (bucket, key) = self.locate(address)?;
        let (size, tail) = self.look(&bucket, &key, address)?;
        let clients = self.clone();
        let (read, whole) = (Mutex::default(), OnceLock::new());
        Ok(Box::new(StoredObject { clients, bucket, key, size, tail, read, whole }))
    }

    fn list(&self, folder: &str) -> io::Result<Vec<StoredLog>> {
        let address = Address::read(folder)?;
        let bucket = self.bucket(&address)?;
        let (store, prefix) = (bucket.store.clone(), address.key.clone());
        let listed =
            self.ask(&bucket, async move { store.list_with_delimiter(Some(&prefix)).await });
        let found = listed?.objects.into_iter().map(|object| StoredLog {
            path: PathBuf::from(format!("{}/{}", address.root(), object.location)),
            bytes: object.size,
            modified: SystemTime::from(object.last_modified),
        });
        let found: Vec<StoredLog> = found.collect();
        self.note_sizes(found.iter().map(|log| (log.path.display().to_string(), log.bytes)));
        Ok(found)
    }

    fn upload(&self, file: &dyn ReadAt, length: u64, address: &str) -> io::Result<()> {
        self.send(file, length, address)
    }

    fn create(&self, address: &str, content: &[u8]) -> io::Result<()> {
        self.put_as(address, content.to_vec().into(), PutMode::Create)
    }

    fn put(&self, address: &str, content: &[u8]) -> io::Result<()> {
        self.put_as(address, content.to_vec().into(), PutMode::Overwrite)
    }

    fn get(&self, address: &str) -> io::Result<Vec<u8>> {
        let (bucket, key) = self.locate(address)?;
        Ok(self.read_whole(&bucket, &key)?.to_vec())
    }

    fn remove(&self, address: &str) -> io::Result<()> {
        let (bucket, key) = self.locate(address)?;
        let store = bucket.store.clone();
        self.ask(&bucket, async move { store.delete(&key).await })
    }
}
