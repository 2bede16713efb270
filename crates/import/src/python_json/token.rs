//! Strings, keys and words of JSON, as they are written.

use std::borrow::Cow;

use super::text::{decode, decode_plain};

/// A string as it is written, with its quotes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Quoted<'a> {
    pub(super) bytes: &'a [u8],
    /// Whether it holds an escape.
    pub(super) escaped: bool,
}

impl<'a> Quoted<'a> {
    /// What stands between the quotes, if it stands for itself.
    #[inline]
    fn plain(self) -> Option<&'a [u8]> {
        (!self.escaped).then(|| &self.bytes[1..self.bytes.len() - 1])
    }

    /// The text it stands for.
    pub(super) fn text(self) -> Cow<'a, str> {
        match self.plain() {
            Some(bytes) => decode_plain(bytes),
            None => decode(self.bytes),
        }
    }
}

/// A value that holds no others, as it is written.
pub(super) enum Scalar<'a> {
    Text(Quoted<'a>),
    /// A number or a word such as `true`.
    Word(&'a [u8]),
}

/// A key of an object, as it is written.
#[derive(Clone, Copy, Debug)]
pub struct ObjectKey<'a> {
    pub(super) quoted: Quoted<'a>,
    /// Where its opening quote stands.
    pub start: usize,
}

impl<'a> ObjectKey<'a> {
    /// The bytes of the key, so that it can be matched against those looked for.
    #[inline]
    pub fn bytes(&self) -> Cow<'a, [u8]> {
        match self.quoted.plain() {
            Some(bytes) => Cow::Borrowed(bytes),
            None => Cow::Owned(self.text().into_owned().into_bytes()),
        }
    }

    /// The key itself.
    pub fn text(&self) -> Cow<'a, str> {
        self.quoted.text()
    }
}
