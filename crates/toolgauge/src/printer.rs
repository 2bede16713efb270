//! The only place that prints: stdout is data, stderr is for people.
//!
//! Whatever is printed goes through [`harmless`](toolgauge_report::harmless) here, so that nothing
//! a model or a suite wrote acts on the terminal, whoever forgot to think of it. What is made
//! harmless twice stays the same.

use std::fmt::Display;
use std::io::{self, IsTerminal, Write};

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use serde::Serialize;
use toolgauge_report::{fitted, harmless};

use crate::failure::Failure;

const ERROR: Style = AnsiColor::Red.on_default().bold();
const WARNING: Style = AnsiColor::Yellow.on_default().bold();
const HINT: Style = AnsiColor::Cyan.on_default();

/// How many columns a terminal has if nobody made it wider.
const USUAL_WIDTH: usize = 80;

/// Writes results to stdout and everything meant for people to stderr.
pub(crate) struct Printer {
    stdout: AutoStream<io::Stdout>,
    stderr: AutoStream<io::Stderr>,
    quiet: bool,
    /// How wide the lines of the last drawing are that may be drawn over.
    drawn: Vec<usize>,
}

impl Printer {
    /// A printer for this process. `quiet` keeps notes to people back, but never errors.
    pub(crate) fn new(quiet: bool, color: ColorChoice) -> Self {
        Self {
            stdout: AutoStream::new(io::stdout(), color),
            stderr: AutoStream::new(io::stderr(), color),
            quiet,
            drawn: Vec::new(),
        }
    }

    /// Writes a result as it is, but for what would act on a terminal. That is written as JSON
    /// and TOML have it, so that it means the same where the result is one of them.
    pub(crate) fn print(&mut self, text: &str) -> Result<(), Failure> {
        self.stdout.write_all(harmless::json(text).as_bytes())?;
        Ok(self.stdout.flush()?)
    }

    /// Writes a result for people: as wide as the terminal, and in colour where it has any.
    pub(crate) fn print_report(&mut self, report: &impl Display) -> Result<(), Failure> {
        let text = painted(report, terminal().map(|(width, _)| width));
        self.stdout.write_all(text.as_bytes())?;
        Ok(self.stdout.flush()?)
    }

    /// The same, and as wide as a usual terminal where it goes into a file or a build's log.
    pub(crate) fn print_fitted(&mut self, report: &impl Display) -> Result<(), Failure> {
        let width = terminal().map_or(USUAL_WIDTH, |(width, _)| width);
        self.stdout.write_all(painted(report, Some(width)).as_bytes())?;
        Ok(self.stdout.flush()?)
    }

    /// Writes text for people, in lines that fit the terminal.
    pub(crate) fn print_text(&mut self, text: &str) -> Result<(), Failure> {
        let text = harmless::block(text);
        match terminal() {
            Some((width, _)) => self.stdout.write_all(fitted(&text, width).as_bytes())?,
            None => self.stdout.write_all(text.as_bytes())?,
        }
        Ok(self.stdout.flush()?)
    }

    /// Draws a report over the one drawn before, as much of it as the terminal has place for. Its
    /// last line is the footer.
    pub(crate) fn redraw(&mut self, report: &impl Display, footer: &str) -> Result<(), Failure> {
        let (width, height) = terminal().unwrap_or((80, 24));
        let (text, footer) = (painted(report, Some(width)), painted(&footer, None));
        let lines = text.lines().take(height.saturating_sub(2)).chain([footer.as_str()]);
        // A line that wrapped would take two, and the next drawing would begin too low.
        let lines: Vec<_> = lines.map(|line| console::truncate_str(line, width, "…")).collect();
        self.clear();
        self.drawn = lines.iter().map(|line| console::measure_text_width(line)).collect();
        writeln!(self.stdout, "{}", lines.join("\n"))?;
        Ok(self.stdout.flush()?)
    }

    /// Takes away what was drawn last, and whatever was typed below it.
    pub(crate) fn clear(&mut self) {
        if self.drawn.is_empty() {
            return;
        }
        // A terminal that has become narrower has wrapped what was there.
        let width = terminal().map_or(80, |(width, _)| width.max(1));
        let rows: usize = self.drawn.iter().map(|line| line.div_ceil(width).max(1)).sum();
        // Straight to the terminal: without colour, moving about would be taken out too.
        let _ = write!(io::stdout(), "\x1b[{rows}F\x1b[J");
        // Before anything is said on stderr, which may be the same terminal.
        let _ = io::stdout().flush();
        self.drawn.clear();
    }

    /// Leaves what was drawn last, and takes away what was typed below it.
    pub(crate) fn leave(&mut self) {
        if !self.drawn.is_empty() {
            let _ = write!(io::stdout(), "\r\x1b[J");
            let _ = io::stdout().flush();
            self.drawn.clear();
        }
    }

    /// Whether a drawing can be drawn over.
    pub(crate) fn redraws() -> bool {
        io::stdout().is_terminal() && !is_dumb()
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
            self.tell(&harmless::block(&text.to_string()));
        }
    }

    /// Tells a person about something odd that did not stop the work.
    pub(crate) fn warning(&mut self, text: impl Display) {
        let text = text.to_string();
        self.tell(&format!("{WARNING}warning{WARNING:#}: {}", harmless::block(&text)));
    }

    /// Tells a person why the work could not be done, and what to try next.
    pub(crate) fn failure(&mut self, failure: &Failure) {
        let text = failure.to_string();
        self.tell(&format!("{ERROR}error{ERROR:#}: {}", harmless::block(&text)));
        if let Some(hint) = failure.hint() {
            self.tell(&format!("  {HINT}hint{HINT:#}: {}", harmless::block(&hint)));
        }
    }

    /// Whether only results and errors are wanted.
    pub(crate) fn is_quiet(&self) -> bool {
        self.quiet
    }

    /// Whether moving displays such as progress bars make sense.
    pub(crate) fn is_interactive(&self) -> bool {
        !self.quiet && io::stderr().is_terminal() && !is_dumb()
    }

    fn tell(&mut self, text: &str) {
        // Nobody is left to be told when stderr itself is gone.
        let _ = writeln!(self.stderr, "{text}");
    }
}

/// Whether the terminal can do nothing but print.
fn is_dumb() -> bool {
    std::env::var_os("TERM").is_some_and(|term| term == "dumb")
}

/// A report of at most such a width, harmless, and in colour.
fn painted(report: &impl Display, width: Option<usize>) -> String {
    match width {
        Some(width) => fitted(&harmless::colored_block(&format!("{report:#width$}")), width),
        None => harmless::colored_block(&format!("{report:#}")),
    }
}

/// How wide and how high the terminal is that stdout goes to, if it goes to one.
fn terminal() -> Option<(usize, usize)> {
    let (width, height) = terminal_size::terminal_size_of(io::stdout())?;
    Some((usize::from(width.0), usize::from(height.0)))
}
