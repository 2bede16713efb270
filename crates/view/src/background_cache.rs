//! Things that take long to make: made once in the background, kept while they are asked for.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use indexmap::IndexMap;
use tokio::sync::watch;

use crate::library::{LoadProgress, PATIENCE};

/// How many finished things are kept.
const MOST: usize = 8;

/// What came of asking for a thing.
#[derive(Clone, Debug)]
pub(crate) enum CacheAnswer<T> {
    /// Here it is.
    Ready(Arc<T>),
    /// It is being made.
    Making(Arc<LoadProgress>),
    /// It cannot be made.
    Failed(String),
}

/// Makes things, each once.
#[derive(Debug)]
pub(crate) struct BackgroundCache<T> {
    things: Mutex<IndexMap<String, CacheAnswer<T>>>,
    changed: watch::Sender<u64>,
}

impl<T> Default for BackgroundCache<T> {
    fn default() -> Self {
        Self { things: Mutex::default(), changed: watch::Sender::new(0) }
    }
}

impl<T: Send + Sync + 'static> BackgroundCache<T> {
    /// The thing of this name, which `make` makes if it is not there. Waits a moment for it.
    pub(crate) async fn get(
        self: &Arc<Self>,
        name: &str,
        make: impl FnOnce(&LoadProgress) -> Result<T, String> + Send + 'static,
    ) -> CacheAnswer<T> {
        let mut changed = self.changed.subscribe();
        let deadline = tokio::time::Instant::now() + PATIENCE;
        self.start(name, make);
        loop {
            let found = self.lock().get(name).map(CacheAnswer::again);
            let found = found.unwrap_or_else(|| CacheAnswer::Failed("it was dropped".to_owned()));
            if !matches!(found, CacheAnswer::Making(_))
                || tokio::time::timeout_at(deadline, changed.changed()).await.is_err()
            {
                return found;
            }
        }
    }

    fn start(
        self: &Arc<Self>,
        name: &str,
        make: impl FnOnce(&LoadProgress) -> Result<T, String> + Send + 'static,
    ) {
        let mut things = self.lock();
        if things.contains_key(name) {
            return;
        }
        let progress = Arc::new(LoadProgress::new());
        things.insert(name.to_owned(), CacheAnswer::Making(progress.clone()));
        let (workshop, name) = (self.clone(), name.to_owned());
        thread::spawn(move || {
            let made = match catch_unwind(AssertUnwindSafe(|| make(&progress))) {
                Ok(Ok(thing)) => CacheAnswer::Ready(Arc::new(thing)),
                Ok(Err(why)) => CacheAnswer::Failed(why),
                Err(_) => CacheAnswer::Failed("making it failed; that is a defect".to_owned()),
            };
            let mut things = workshop.lock();
            things.insert(name, made);
            while things.len() > MOST {
                things.shift_remove_index(0);
            }
            drop(things);
            workshop.changed.send_modify(|count| *count += 1);
        });
    }

    fn lock(&self) -> MutexGuard<'_, IndexMap<String, CacheAnswer<T>>> {
        self.things.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> CacheAnswer<T> {
    /// The same once more.
    fn again(&self) -> Self {
        match self {
            Self::Ready(thing) => Self::Ready(thing.clone()),
            Self::Making(progress) => Self::Making(progress.clone()),
            Self::Failed(why) => Self::Failed(why.clone()),
        }
    }
}
