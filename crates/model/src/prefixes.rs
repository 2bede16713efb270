//! The parts of requests that never change, written once for each briefing.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use toolgauge_core::Briefing;

/// How many briefings are remembered. A run has one, or one for each tier of a suite; a suite
/// that briefs each case on its own must not fill the memory.
const REMEMBERED: usize = 64;

/// A briefing and what was written for it.
type CachedPrefix = (Arc<Briefing>, Arc<[u8]>);

/// What was written for which briefing.
#[derive(Debug, Default)]
pub(crate) struct Prefixes {
    /// The latest used first. A briefing is known by its address, which is nobody else's as long
    /// as it is kept here.
    entries: Mutex<VecDeque<CachedPrefix>>,
    written: AtomicU64,
}

impl Prefixes {
    /// The prefix for a briefing, written now if this is the first time.
    pub(crate) fn of(
        &self,
        briefing: &Arc<Briefing>,
        write: impl FnOnce(&Briefing) -> Vec<u8>,
    ) -> Arc<[u8]> {
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        // By address: comparing prompts of many kilobytes would cost what the cache saves.
        let known = entries.iter().position(|(known, _)| Arc::ptr_eq(known, briefing));
        if let Some(entry) = known.and_then(|at| entries.remove(at)) {
            let prefix = entry.1.clone();
            entries.push_front(entry);
            return prefix;
        }
        self.written.fetch_add(1, Ordering::Relaxed);
        let prefix: Arc<[u8]> = write(briefing).into();
        entries.push_front((briefing.clone(), prefix.clone()));
        entries.truncate(REMEMBERED);
        prefix
    }

    /// How many prefixes were written.
    pub(crate) fn written(&self) -> u64 {
        self.written.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn briefing(system: &str) -> Arc<Briefing> {
        Arc::new(Briefing { system: Some(system.into()), tools: Arc::new([]) })
    }

    fn write(briefing: &Briefing) -> Vec<u8> {
        briefing.system.as_deref().unwrap_or_default().into()
    }

    #[test]
    fn each_briefing_is_written_once() {
        let prefixes = Prefixes::default();
        let (first, second) = (briefing("a"), briefing("b"));
        for _ in 0..100 {
            assert_eq!(&*prefixes.of(&first, write), b"a");
            assert_eq!(&*prefixes.of(&second, write), b"b");
        }
        assert_eq!(prefixes.written(), 2);
    }

    #[test]
    fn no_more_than_a_few_briefings_are_kept() {
        let prefixes = Prefixes::default();
        for number in 0..1000 {
            let text = number.to_string();
            assert_eq!(&*prefixes.of(&briefing(&text), write), text.as_bytes());
        }
        assert_eq!(prefixes.entries.lock().unwrap().len(), REMEMBERED);
    }
}
