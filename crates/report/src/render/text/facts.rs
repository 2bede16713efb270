//! Lines of a label and some words, wrapped or cut to the width of the terminal.

use std::fmt::{self, Formatter};

use anstyle::Style;

use super::style::{is_colored, paint, style};
use super::table::{cut, wrap};
use crate::render::tone::Tone;

/// How wide labels are, the space before and after them included.
const LABEL: usize = 13;

/// Writes words beside a label, wrapped at spaces below themselves.
pub(super) fn fact(f: &mut Formatter<'_>, label: &str, words: &str) -> fmt::Result {
    verdict_fact(f, label, ("", Tone::Plain), words)
}

/// The same, led by a word with a meaning.
pub(super) fn verdict_fact(
    f: &mut Formatter<'_>,
    label: &str,
    (verdict, tone): (&str, Tone),
    words: &str,
) -> fmt::Result {
    let whole = format!("{verdict}{words}");
    let lines = wrap(&[(whole, Style::new())], room(f));
    for (number, line) in lines.iter().enumerate() {
        let label = if number == 0 { label } else { "" };
        let mut text: String = line.iter().map(|(text, _)| text.as_str()).collect();
        // Coloured after wrapping: the codes of a colour have no width on the screen.
        if number == 0 && text.starts_with(verdict) {
            let rest = text.split_off(verdict.len());
            text = paint(is_colored(f), style(tone), verdict) + &rest;
        }
        writeln!(f, "{}", format!("  {label:10} {text}").trim_end())?;
    }
    Ok(())
}

/// Writes words beside a label in one line, cut where they are too long.
pub(super) fn cut_fact(f: &mut Formatter<'_>, label: &str, words: &str) -> fmt::Result {
    fact(f, label, &cut(words, room(f)))
}

/// What is left for words.
fn room(f: &Formatter<'_>) -> usize {
    f.width().map_or(usize::MAX, |width| width.saturating_sub(LABEL).max(20))
}
