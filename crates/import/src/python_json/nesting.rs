//! Which containers are open.

/// Which kind of container each open level is: a stack of bits, so that even a text nested a
/// hundred thousand deep costs a few kilobytes.
#[derive(Default)]
pub(super) struct Nesting {
    bits: u64,
    depth: usize,
    full: Vec<u64>,
}

impl Nesting {
    #[inline]
    pub(super) fn push(&mut self, object: bool) {
        if self.depth > 0 && self.depth.is_multiple_of(64) {
            self.full.push(self.bits);
        }
        self.bits = self.bits << 1 | u64::from(object);
        self.depth += 1;
    }

    /// Whether the innermost container is an object; `None` when all are closed.
    #[inline]
    pub(super) fn top(&self) -> Option<bool> {
        (self.depth > 0).then_some(self.bits & 1 == 1)
    }

    #[inline]
    pub(super) fn pop(&mut self) {
        self.bits >>= 1;
        self.depth -= 1;
        if self.depth > 0 && self.depth.is_multiple_of(64) {
            self.bits = self.full.pop().expect("a word was put away for every 64 levels");
        }
    }
}
