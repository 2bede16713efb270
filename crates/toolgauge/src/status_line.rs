//! Where people are told what happens while it happens: a line on a terminal that is drawn over
//! again and again, and whatever is said above it.

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use console::Term;
use toolgauge_report::harmless;

/// How much is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Display {
    /// A moving bar.
    Bar,
    /// A plain line from time to time.
    Lines,
    /// Nothing.
    Nothing,
}

/// Where progress is shown, one run after the other. Whoever has something to say meanwhile says it
/// here, for the bar not to be torn.
#[derive(Clone)]
pub(crate) struct StatusLine {
    display: Display,
    drawn: Arc<Mutex<TerminalLine>>,
}

/// The line that is there.
struct TerminalLine {
    /// Written in one go, so that no half of a line is ever seen.
    terminal: Term,
    line: String,
}

impl StatusLine {
    /// A status line on standard error.
    pub(crate) fn new(display: Display) -> Self {
        let drawn = TerminalLine { terminal: Term::buffered_stderr(), line: String::new() };
        Self { display, drawn: Arc::new(Mutex::new(drawn)) }
    }

    /// How much is shown.
    pub(crate) fn display(&self) -> Display {
        self.display
    }

    /// Draws a line over the one that is there. It must be shorter than the terminal is wide.
    pub(crate) fn draw(&self, line: &str) {
        let mut drawn = self.lock();
        line.clone_into(&mut drawn.line);
        let _ = drawn.put(None);
    }

    /// Tells a person something, above the line if there is one.
    pub(crate) fn tell(&self, text: &str) {
        match self.display {
            // Nobody is left to be told when the terminal itself is gone.
            Display::Bar => drop(self.lock().put(Some(&harmless::block(text)))),
            Display::Lines => print_line(text),
            Display::Nothing => {}
        }
    }

    /// Takes the line away and leaves nothing behind.
    pub(crate) fn clear(&self) {
        let mut drawn = self.lock();
        if !drawn.line.is_empty() {
            drawn.line.clear();
            let _ = drawn.put(None);
        }
    }

    fn lock(&self) -> MutexGuard<'_, TerminalLine> {
        self.drawn.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl TerminalLine {
    /// Draws the line anew, with this text above it.
    ///
    /// The cursor stays where the line ends and not at the edge of the terminal, so that the `^C`
    /// a terminal writes there is drawn over with the rest.
    fn put(&self, above: Option<&str>) -> io::Result<()> {
        self.terminal.clear_line()?;
        if let Some(text) = above {
            self.terminal.write_line(text)?;
        }
        self.terminal.write_str(&self.line)?;
        self.terminal.flush()
    }
}

/// Writes a line where there is no bar.
#[expect(
    clippy::print_stderr,
    reason = "the status line is the second place that writes to people"
)]
pub(crate) fn print_line(text: &str) {
    eprintln!("{}", harmless::block(text));
}
