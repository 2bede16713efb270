//! Where the rows of tables lead, which only the page around a fragment knows.

use toolgauge_core::{CaseId, Cause};

/// Where rows lead. What is `None` is plain text.
///
/// An address is put into an attribute as it is: it must come from the page itself, with
/// whatever a suite or a model wrote percent-encoded into it.
pub trait Links {
    /// The trials that lost points by this cause.
    fn cause(&self, cause: Cause) -> Option<String> {
        let _ = cause;
        None
    }

    /// The trials of one value of a tag.
    fn slice(&self, tag: &str, value: &str) -> Option<String> {
        let _ = (tag, value);
        None
    }

    /// The trials that are not right in one dimension.
    fn dimension(&self, name: &str) -> Option<String> {
        let _ = name;
        None
    }

    /// The trials that are unscored for this reason.
    fn unscored(&self, reason: &str) -> Option<String> {
        let _ = reason;
        None
    }

    /// A run of a comparison, by its letter.
    fn run(&self, letter: &str) -> Option<String> {
        let _ = letter;
        None
    }

    /// Two runs of a comparison alone, by their letters.
    fn pair(&self, a: &str, b: &str) -> Option<String> {
        let _ = (a, b);
        None
    }

    /// A case.
    fn case(&self, case: &CaseId) -> Option<String> {
        let _ = case;
        None
    }
}

/// Nothing leads anywhere.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoLinks;

impl Links for NoLinks {}
