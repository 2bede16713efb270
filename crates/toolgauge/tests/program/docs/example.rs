//! The examples of a page: files to write, commands to type, and what these print.
//!
//! A page marks what a reader need not see by comments of HTML, each on lines of its own:
//!
//! * `<!-- file: bikes.yaml -->` before a block: the block is the content of that file.
//! * `<!-- setup: … -->`: commands that are run here and not shown.
//! * `<!-- not run: … -->` before a block: why its commands cannot be run here.
//!
//! Blocks in `console` hold commands behind `$ ` and what they print. Blocks in `sh` hold commands
//! only. A command goes on in the next line behind `\` and `|`.

use super::pages::Page;

/// What a page shows or hides, in the order of the page.
enum Piece {
    Comment(String),
    Block { language: String, first_line: usize, lines: Vec<String> },
}

/// One thing to do for somebody who follows a page.
#[derive(Debug)]
pub(super) enum Step {
    Write { file: String, text: String },
    Run(Typed),
}

impl Step {
    pub(super) fn typed(&self) -> Option<&Typed> {
        match self {
            Self::Run(typed) => Some(typed),
            Self::Write { .. } => None,
        }
    }
}

#[derive(Debug)]
pub(super) struct Typed {
    pub(super) command: String,
    /// What the page shows, and where: in a block in `console`.
    pub(super) shown: Option<Shown>,
    /// The line of the page that holds the command, from 1.
    pub(super) line: usize,
}

#[derive(Debug)]
pub(super) struct Shown {
    pub(super) lines: Vec<String>,
    /// The index of the first shown line in the page.
    pub(super) first_line: usize,
}

pub(super) struct Examples {
    pub(super) steps: Vec<Step>,
    /// Why blocks of commands are not run.
    pub(super) not_run: Vec<String>,
}

impl Examples {
    pub(super) fn of(page: &Page) -> Self {
        let mut examples = Self { steps: Vec::new(), not_run: Vec::new() };
        let mut comment = None;
        for piece in pieces(&page.text) {
            match piece {
                Piece::Comment(text) => match text.split_once("setup:") {
                    Some(("", setup)) => examples.run_all(&[setup.trim()], 0),
                    _ => comment = Some(text),
                },
                Piece::Block { language, first_line, lines } => {
                    let comment = comment.take().unwrap_or_default();
                    examples.add(&comment, &language, first_line, &lines);
                }
            }
        }
        examples
    }

    fn add(&mut self, comment: &str, language: &str, first_line: usize, lines: &[String]) {
        let mark = |name: &str| comment.strip_prefix(name).map(|rest| rest.trim().to_owned());
        if let Some(reason) = mark("not run:") {
            assert!(reason.len() > 10, "line {first_line}: no reason why this is not run");
            self.not_run.push(reason);
        } else if let Some(file) = mark("file:") {
            self.steps.push(Step::Write { file, text: format!("{}\n", lines.join("\n")) });
        } else if language == "console" {
            self.add_session(first_line, lines);
        } else if language == "sh" {
            let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
            self.run_all(&lines, first_line);
        }
    }

    /// Commands without what they print.
    fn run_all(&mut self, lines: &[&str], first_line: usize) {
        let mut index = 0;
        while index < lines.len() {
            let (command, next) = whole_command(lines, index);
            if !command.trim().is_empty() && !command.trim_start().starts_with('#') {
                self.steps.push(Step::Run(Typed {
                    command,
                    shown: None,
                    line: first_line + index + 1,
                }));
            }
            index = next;
        }
    }

    /// Commands, each followed by what it prints.
    fn add_session(&mut self, first_line: usize, lines: &[String]) {
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let mut index = 0;
        while index < lines.len() {
            let line = first_line + index + 1;
            assert!(lines[index].starts_with("$ "), "line {line}: no command: {}", lines[index]);
            let (command, next) = whole_command(&lines, index);
            let end = (next..lines.len()).find(|n| lines[*n].starts_with("$ "));
            let end = end.unwrap_or(lines.len());
            let printed = lines[next..end].iter().map(|&line| line.to_owned()).collect();
            self.steps.push(Step::Run(Typed {
                command: command["$ ".len()..].to_owned(),
                shown: Some(Shown { lines: printed, first_line: first_line + next }),
                line,
            }));
            index = end;
        }
    }
}

/// The command that begins in a line, and the index behind it.
fn whole_command(lines: &[&str], start: usize) -> (String, usize) {
    let mut end = start + 1;
    while end < lines.len() && lines[end - 1].ends_with(['\\', '|']) {
        end += 1;
    }
    (lines[start..end].join("\n"), end)
}

fn pieces(text: &str) -> Vec<Piece> {
    let lines: Vec<&str> = text.lines().collect();
    let mut pieces = Vec::new();
    let mut index = 0;
    while index < lines.len() {
        let line = lines[index].trim_start();
        let indent = lines[index].len() - line.len();
        if let Some(comment) = line.strip_prefix("<!--") {
            let mut comment = comment.to_owned();
            while !comment.contains("-->") && index + 1 < lines.len() {
                index += 1;
                comment = format!("{comment}\n{}", lines[index]);
            }
            pieces.push(Piece::Comment(comment.replace("-->", "").trim().to_owned()));
        } else if let Some(language) = line.strip_prefix("```") {
            let first_line = index + 1;
            let end = (first_line..lines.len()).find(|n| lines[*n].trim() == "```");
            index = end.unwrap_or_else(|| panic!("line {first_line}: this block does not end"));
            // A block within a list is as far to the right as its fence.
            let unindented = |line: &&str| line.get(indent..).unwrap_or_default().to_owned();
            let lines = lines[first_line..index].iter().map(unindented).collect();
            pieces.push(Piece::Block { language: language.to_owned(), first_line, lines });
        }
        index += 1;
    }
    pieces
}
