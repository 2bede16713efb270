//! Goes through a results file, part by part.

use std::io::Read;

use super::batch::Batch;
use super::error::{TauError, describe, describe_character};
use super::window::Window;
use crate::python_json::{ScanStop, Scanner};

/// Reads a results file in one pass, with bounded memory.
pub struct TauReader<R> {
    window: Window<R>,
    expect: Expect,
    tasks: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expect {
    /// The list, perhaps behind a byte order mark.
    Beginning,
    List,
    FirstTask,
    Task,
    CommaOrEnd,
    Nothing,
}

/// What can be done with the bytes at hand.
enum ReadStep {
    Text(usize),
    Task(usize),
    More(&'static str),
}

const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();
const WANT_LIST: &str = "a JSON list of tasks";
const WANT_TASK: &str = "a task, which is an object";
const WANT_NEXT_TASK: &str = "`,` or `]` after the task";

impl<R: Read> TauReader<R> {
    /// A reader of the file that `source` gives.
    pub fn new(source: R) -> Self {
        Self { window: Window::new(source), expect: Expect::Beginning, tasks: 0 }
    }

    /// Puts the next parts of the file into `batch`, in the place of what it held: as many as
    /// are at hand, and at least one. Gives `false` at the end of the file, which is checked.
    pub fn read(&mut self, batch: &mut Batch) -> Result<bool, TauError> {
        batch.clear();
        loop {
            match self.step(batch)? {
                ReadStep::Text(length) => {
                    let start = self.window.used();
                    self.window.take(length);
                    batch.push_text(start..start + length);
                }
                ReadStep::Task(length) => {
                    let start = self.window.used();
                    self.window.take(length);
                    batch.push_task(self.tasks, start..start + length);
                    self.tasks += 1;
                }
                ReadStep::More(wanted) => {
                    if !batch.is_empty() {
                        batch.bytes = self.window.hand_over(std::mem::take(&mut batch.bytes));
                        return Ok(true);
                    }
                    if !self.window.more()? {
                        return self.end(wanted).map(|()| false);
                    }
                }
            }
        }
    }

    fn end(&self, wanted: &'static str) -> Result<(), TauError> {
        match self.expect {
            Expect::Nothing => Ok(()),
            Expect::Beginning | Expect::List => Err(TauError::Empty),
            _ => Err(TauError::Truncated {
                place: self.window.place(self.window.rest().len()),
                wanted,
            }),
        }
    }

    fn step(&mut self, batch: &mut Batch) -> Result<ReadStep, TauError> {
        let rest = self.window.rest();
        let mut at = 0;
        if self.expect == Expect::Beginning {
            if rest.len() < BYTE_ORDER_MARK.len() && BYTE_ORDER_MARK.starts_with(rest) {
                return Ok(ReadStep::More(WANT_LIST));
            }
            at = if rest.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
            self.expect = Expect::List;
        }
        while let Some(byte) = rest.get(at) {
            self.expect = match (byte, self.expect) {
                (b' ' | b'\t' | b'\n' | b'\r', expect) => expect,
                (b'[', Expect::List) => Expect::FirstTask,
                (b',', Expect::CommaOrEnd) => Expect::Task,
                (b']', Expect::FirstTask | Expect::CommaOrEnd) => Expect::Nothing,
                (b'{', Expect::FirstTask | Expect::Task) if at == 0 => return self.task(batch),
                (b'{', Expect::FirstTask | Expect::Task) => break,
                _ => return Err(self.misfit(at)),
            };
            at += 1;
        }
        if at > 0 { Ok(ReadStep::Text(at)) } else { Ok(ReadStep::More(self.wanted())) }
    }

    fn task(&mut self, batch: &mut Batch) -> Result<ReadStep, TauError> {
        let mut scanner = Scanner::new(self.window.rest());
        match batch.next_skim().task(&mut scanner) {
            Ok(length) => {
                self.expect = Expect::CommaOrEnd;
                Ok(ReadStep::Task(length))
            }
            Err(stop) if stop.ended => Ok(ReadStep::More(stop.wanted)),
            Err(stop) => Err(self.syntax(stop)),
        }
    }

    fn wanted(&self) -> &'static str {
        match self.expect {
            Expect::Beginning | Expect::List | Expect::Nothing => WANT_LIST,
            Expect::FirstTask | Expect::Task => WANT_TASK,
            Expect::CommaOrEnd => WANT_NEXT_TASK,
        }
    }

    /// What is wrong at `at`, where neither white space nor anything expected stands.
    fn misfit(&self, at: usize) -> TauError {
        let place = self.window.place(at);
        let text = String::from_utf8_lossy(&self.window.rest()[at..]);
        let begins_a_value = text.starts_with(['{', '[', '"', '-'])
            || text.starts_with(|first: char| first.is_ascii_digit())
            || ["true", "false", "null", "NaN", "Infinity"]
                .iter()
                .any(|word| text.starts_with(word));
        let found = describe(&text);
        match self.expect {
            Expect::Nothing => TauError::Trailing { place, found },
            Expect::Beginning | Expect::List if begins_a_value => {
                TauError::NotAList { place, found }
            }
            Expect::FirstTask | Expect::Task if begins_a_value => {
                TauError::NotAnObject { place, index: self.tasks, found }
            }
            _ => TauError::Syntax { place, wanted: self.wanted(), found },
        }
    }

    fn syntax(&self, stop: ScanStop) -> TauError {
        let text = String::from_utf8_lossy(&self.window.rest()[stop.at..]);
        let found = text.chars().next().map_or_else(String::new, describe_character);
        TauError::Syntax { place: self.window.place(stop.at), wanted: stop.wanted, found }
    }
}
