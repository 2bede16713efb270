//! Sets of expressions, whatever the letters are written like.

use regex::{RegexSet, RegexSetBuilder};

/// A set that fits where any of these expressions does, in capitals or not.
pub(super) fn any_of<S: AsRef<str>>(expressions: impl IntoIterator<Item = S>) -> RegexSet {
    let set = RegexSetBuilder::new(expressions).case_insensitive(true).build();
    set.expect("the expressions are valid")
}
