//! What was read in texts, kept for the next time: every trial of a case has the same request and
//! the same reference, and often the same tool results and words.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::thread::LocalKey;

/// Of how many bytes of text a thread keeps what was read. What was read takes some twenty times
/// the room.
const MOST_KEPT: usize = 256 << 10;

/// The longest text of which anything is kept; longer ones seldom come twice.
const LONGEST: usize = 8 << 10;

/// What was read in texts, by text.
#[derive(Debug)]
pub(crate) struct ReadTexts<T: ?Sized> {
    read: HashMap<Box<str>, Rc<T>>,
    bytes: usize,
}

impl<T: ?Sized> Default for ReadTexts<T> {
    fn default() -> Self {
        Self { read: HashMap::new(), bytes: 0 }
    }
}

impl<T: ?Sized> ReadTexts<T> {
    fn keep(&mut self, text: &str, read: &Rc<T>) {
        if text.len() > LONGEST {
            return;
        }
        // To begin anew is simpler than to find out what was not asked for in a long time, and what
        // is needed is soon there again.
        if self.bytes + text.len() > MOST_KEPT {
            *self = Self::default();
        }
        self.bytes += text.len();
        self.read.insert(text.into(), Rc::clone(read));
    }
}

/// What this thread read in a text before; read now if it is new.
pub(crate) fn recall<T: ?Sized>(
    kept: &'static LocalKey<RefCell<ReadTexts<T>>>,
    text: &str,
    read: impl FnOnce(&str) -> Rc<T>,
) -> Rc<T> {
    if let Some(known) = kept.with_borrow(|kept| kept.read.get(text).cloned()) {
        return known;
    }
    // Nothing is borrowed meanwhile: to read one text may mean to read another.
    let read = read(text);
    kept.with_borrow_mut(|kept| kept.keep(text, &read));
    read
}

#[cfg(test)]
mod tests {
    use super::*;

    thread_local! {
        static LENGTHS: RefCell<ReadTexts<usize>> = RefCell::default();
    }

    fn length(text: &str) -> usize {
        *recall(&LENGTHS, text, |text| Rc::new(text.len()))
    }

    #[test]
    fn a_text_is_read_once() {
        assert_eq!(length("abc"), 3);
        assert_eq!(*recall(&LENGTHS, "abc", |_| unreachable!("it is known")), 3);
    }

    #[test]
    fn what_is_kept_stays_within_its_room() {
        for n in 0..2 * MOST_KEPT / 1000 {
            assert_eq!(length(&format!("{n:01000}")), 1000);
            assert!(LENGTHS.with_borrow(|kept| kept.bytes) <= MOST_KEPT);
        }
        let long = "a".repeat(LONGEST + 1);
        assert_eq!(length(&long), long.len());
        assert!(!LENGTHS.with_borrow(|kept| kept.read.contains_key(long.as_str())));
    }
}
