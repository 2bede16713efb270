//! How much one prompt may take: what it writes, the values it makes on the way, and time.
//!
//! The engine counts instructions, and one instruction may double a text or walk through a value
//! that holds itself a thousand times over. So each value is measured when it is made.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use minijinja::value::{Value, ValueKind};
use minijinja::{Error, ErrorKind};

/// How large a prompt may be, in bytes, and any value on the way to it, written out.
pub(super) const LARGEST: usize = 4 << 20;
/// How much all values may come to that are made for one prompt, in bytes.
const MOST: usize = 128 << 20;
/// How long a prompt may take. An ordinary one takes milliseconds.
const LONGEST: Duration = Duration::from_secs(5);
/// How deep values may be nested. Deeper ones could exhaust the stack when they are dropped.
const DEEPEST: usize = 64;

/// What a value takes beside its text, in bytes.
pub(super) const ITEM: usize = 24;
/// What indentation may add for each level, in bytes; `tojson` refuses more.
const INDENT: usize = 16;

/// What is left for one prompt.
#[derive(Debug)]
pub(super) struct Budget {
    left: AtomicUsize,
    until: Instant,
}

impl Budget {
    pub(super) fn new() -> Self {
        Self { left: AtomicUsize::new(MOST), until: Instant::now() + LONGEST }
    }

    /// Takes so many bytes for what `what` is about to make.
    pub(super) fn take(&self, size: usize, what: &str) -> Result<(), Error> {
        if Instant::now() > self.until {
            return Err(Error::from(ErrorKind::OutOfFuel));
        }
        if size > LARGEST {
            return Err(refuse(&format!("{what} would make too large a value")));
        }
        let taken = self
            .left
            .try_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(size));
        taken.map(drop).map_err(|_| refuse("its values are too large together"))
    }

    /// Takes what a value has that was just made.
    pub(super) fn take_value(&self, value: &Value) -> Result<(), Error> {
        let size = size(value).ok_or_else(|| refuse("a value is too large"))?;
        self.take(size, "the template")
    }
}

/// How large a value is, written out; `None` if it is larger than any may be. What occurs twice
/// in it counts twice, because that is how it is written, compared and converted.
pub(super) fn size(value: &Value) -> Option<usize> {
    let mut left = LARGEST;
    measure(value, 0, &mut left)?;
    Some(LARGEST - left)
}

fn measure(value: &Value, depth: usize, left: &mut usize) -> Option<()> {
    let text = value.as_bytes().map_or(0, <[u8]>::len);
    *left = left.checked_sub(text + ITEM + INDENT * depth)?;
    let kind = value.kind();
    if !matches!(kind, ValueKind::Seq | ValueKind::Iterable | ValueKind::Map) {
        return Some(());
    }
    // A namespace inside another value may come to hold itself, and walking it would never end.
    if depth > DEEPEST || depth > 0 && is_mutable(value) {
        return None;
    }
    let Ok(items) = value.try_iter() else { return Some(()) };
    for item in items {
        measure(&item, depth + 1, left)?;
        if kind == ValueKind::Map
            && let Ok(value) = value.get_item(&item)
        {
            measure(&value, depth + 1, left)?;
        }
    }
    Some(())
}

/// Whether a value may become another one after it was measured. Inside of others such a value
/// could make them arbitrarily large, or contain itself.
fn is_mutable(value: &Value) -> bool {
    let name = value.as_object().map_or("", |object| object.type_name());
    name.ends_with("::Namespace") || name.ends_with("::Loop")
}

/// Refuses to put something that may change into a namespace.
pub(super) fn check_attribute(value: &Value) -> Result<(), Error> {
    if is_mutable(value) {
        return Err(refuse("a namespace cannot be put into a namespace"));
    }
    Ok(())
}

fn refuse(why: &str) -> Error {
    Error::new(ErrorKind::InvalidOperation, why.to_owned())
}
