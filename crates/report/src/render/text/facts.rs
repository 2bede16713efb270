//! Lines of a label and some words. Whoever prints them wraps what does not fit.

use std::fmt::{self, Formatter};

use super::cut::cut;
use super::style::{is_colored, paint, style};
use crate::render::tone::Tone;

/// How wide labels are, the space before and after them included.
const LABEL: usize = 13;

/// Writes words beside a label.
pub(super) fn fact(f: &mut Formatter<'_>, label: &str, words: &str) -> fmt::Result {
    writeln!(f, "{}", format!("  {label:10} {words}").trim_end())
}

/// The same, led by a word with a meaning.
pub(super) fn verdict_fact(
    f: &mut Formatter<'_>,
    label: &str,
    (verdict, tone): (&str, Tone),
    words: &str,
) -> fmt::Result {
    let verdict = paint(is_colored(f), style(tone), verdict);
    fact(f, label, &format!("{verdict}{words}"))
}

/// Writes words beside a label in one line, cut where they are too long.
pub(super) fn cut_fact(f: &mut Formatter<'_>, label: &str, words: &str) -> fmt::Result {
    let room = f.width().map_or(usize::MAX, |width| width.saturating_sub(LABEL).max(20));
    fact(f, label, &cut(words, room))
}
