//! Colours of text on terminals. What a colour means is said in words too.

use std::fmt::Formatter;

use anstyle::{AnsiColor, Style};

use crate::render::tone::Tone;

/// The first line of a report, and headings of tables at the margin.
pub(super) const HEADING: Style = Style::new().bold();
/// What is behind the rest.
pub(super) const FAINT: Style = Style::new().dimmed();
/// A curve in a line of text.
pub(super) const CURVE: Style = AnsiColor::Cyan.on_default();

const GOOD: Style = AnsiColor::Green.on_default();
const FAIR: Style = AnsiColor::Yellow.on_default();
const BAD: Style = AnsiColor::Red.on_default();

/// The colour of a tone.
pub(super) fn style(tone: Tone) -> Style {
    match tone {
        Tone::Good => GOOD,
        Tone::Bad => BAD,
        Tone::Caution => FAIR,
        Tone::Plain => Style::new(),
    }
}

/// The colour of a bar by how full it is.
pub(super) fn bar_style(share: f64) -> Style {
    match share {
        share if share >= 0.8 => GOOD,
        share if share >= 0.5 => FAIR,
        _ => BAD,
    }
}

/// Whether a report is written in colour: as in `{summary:#}`.
pub(super) fn is_colored(f: &Formatter<'_>) -> bool {
    f.alternate()
}

/// Text in a style, if it is to be in colour.
pub(super) fn paint(colored: bool, style: Style, text: &str) -> String {
    if colored && style != Style::new() {
        format!("{style}{text}{style:#}")
    } else {
        text.to_owned()
    }
}

/// A line of caution.
pub(super) fn caution(colored: bool, message: &str) -> String {
    paint(colored, FAIR, &format!("  ! {message}"))
}
