//! The only place that prints: stdout is data, stderr is for people.

use std::fmt::Display;
use std::io::{self, IsTerminal, Write};

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use serde::Serialize;

use crate::failure::Failure;

const ERROR: Style = AnsiColor::Red.on_default().bold();
const WARNING: Style = AnsiColor::Yellow.on_default().bold();
const HINT: Style = AnsiColor::Cyan.on_default();

/// Writes results to stdout and everything meant for people to stderr.
pub(crate) struct Printer {
    stdout: AutoStream<io::Stdout>,
    stderr: AutoStream<io::Stderr>,
    quiet: bool,
}

impl Printer {
    /// A printer for this process. `quiet` keeps notes to people back, but never errors.
    pub(crate) fn new(quiet: bool, color: ColorChoice) -> Self {
        Self {
            stdout: AutoStream::new(io::stdout(), color),
            stderr: AutoStream::new(io::stderr(), color),
            quiet,
        }
    }

    /// Writes a result as it is.
    pub(crate) fn print(&mut self, text: &str) -> Result<(), Failure> {
        self.stdout.write_all(text.as_bytes())?;
        Ok(self.stdout.flush()?)
    }

    /// Where a result goes that is written piece by piece.
    pub(crate) fn out(&mut self) -> &mut impl Write {
        &mut self.stdout
    }

    /// Writes a result for programs.
    pub(crate) fn print_json(&mut self, result: &impl Serialize) -> Result<(), Failure> {
        let text = serde_json::to_string_pretty(result).expect("results are plain data");
        self.print(&(text + "\n"))
    }

    /// Tells a person something that is not a result.
    pub(crate) fn note(&mut self, text: impl Display) {
        if !self.quiet {
            self.tell(&text.to_string());
        }
    }

    /// Tells a person about something odd that did not stop the work.
    pub(crate) fn warning(&mut self, text: impl Display) {
        self.tell(&format!("{WARNING}warning{WARNING:#}: {text}"));
    }

    /// Tells a person why the work could not be done, and what to try next.
    pub(crate) fn failure(&mut self, failure: &Failure) {
        self.tell(&format!("{ERROR}error{ERROR:#}: {failure}"));
        if let Some(hint) = failure.hint() {
            self.tell(&format!("  {HINT}hint{HINT:#}: {hint}"));
        }
    }

    /// Whether only results and errors are wanted.
    pub(crate) fn is_quiet(&self) -> bool {
        self.quiet
    }

    /// Whether moving displays such as progress bars make sense.
    pub(crate) fn is_interactive(&self) -> bool {
        !self.quiet && io::stderr().is_terminal()
    }

    fn tell(&mut self, text: &str) {
        // Nobody is left to be told when stderr itself is gone.
        let _ = writeln!(self.stderr, "{text}");
    }
}
