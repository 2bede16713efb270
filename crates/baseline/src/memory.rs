//! What was made of something shared, kept as long as there is room.

use std::sync::{Arc, Mutex, PoisonError};

/// How many things are kept. A suite has one briefing, or one for each home or database.
const ROOM: usize = 64;

/// Keeps what was made of shared values, found again by the identity of the `Arc`.
///
/// The key is held as well, so that its address cannot come to mean something else.
#[derive(Debug)]
pub(super) struct Memory<K: ?Sized, V> {
    kept: Mutex<Vec<(Arc<K>, Arc<V>)>>,
}

impl<K: ?Sized, V> Default for Memory<K, V> {
    fn default() -> Self {
        Self { kept: Mutex::new(Vec::new()) }
    }
}

impl<K: ?Sized, V> Memory<K, V> {
    /// What was made of a value; made now if it is new.
    pub(super) fn recall(&self, key: &Arc<K>, make: impl FnOnce(&K) -> V) -> Arc<V> {
        if let Some(found) = self.find(key) {
            return found;
        }
        // Made outside the lock: another thread may do the same work, but none waits for it.
        let made = Arc::new(make(key));
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= ROOM {
            kept.remove(0);
        }
        kept.push((Arc::clone(key), Arc::clone(&made)));
        made
    }

    fn find(&self, key: &Arc<K>) -> Option<Arc<V>> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.iter().find(|(known, _)| Arc::ptr_eq(known, key)).map(|(_, value)| Arc::clone(value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shared_value_is_worked_on_once() {
        let memory: Memory<str, usize> = Memory::default();
        let key: Arc<str> = "abc".into();
        assert_eq!(*memory.recall(&key, str::len), 3);
        assert_eq!(*memory.recall(&key, |_| unreachable!("it is known")), 3);
    }

    #[test]
    fn the_oldest_makes_room_for_the_newest() {
        let memory: Memory<str, usize> = Memory::default();
        for n in 0..=ROOM {
            memory.recall(&Arc::from(n.to_string()), str::len);
        }
        assert_eq!(memory.kept.lock().unwrap().len(), ROOM);
    }
}
