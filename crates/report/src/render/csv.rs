//! Trials as rows of a table that any spreadsheet or data frame reads.

use std::io::{self, Write};
use std::time::Duration;

use indexmap::IndexSet;
use toolgauge_core::{Loss, Outcome, Score, Verdict};
use toolgauge_log::TrialSummary;

use crate::harmless;
use crate::summary::Summary;

/// How many columns each kind of name may make; a log with more has names for values.
const MOST_COLUMNS: usize = 64;

/// How many characters a cell holds.
const LONGEST_CELL: usize = 2_000;

/// The columns that differ from suite to suite, known once every trial was seen.
#[derive(Clone, Debug, Default)]
pub struct Columns {
    tags: IndexSet<String>,
    scorers: IndexSet<String>,
    dimensions: IndexSet<String>,
    measures: IndexSet<String>,
    /// Whether there were more names than columns.
    pub cut_off: bool,
}

impl Columns {
    /// Makes room for what this trial has.
    pub fn add(&mut self, trial: &TrialSummary) {
        for tag in trial.tags.keys() {
            self.cut_off |= !note(&mut self.tags, tag);
        }
        // The first scorer's value is the score.
        for scorer in trial.outcomes.keys().skip(1) {
            self.cut_off |= !note(&mut self.scorers, scorer);
        }
        for score in trial.outcomes.values().filter_map(Outcome::score) {
            for dimension in score.dimensions.keys() {
                self.cut_off |= !note(&mut self.dimensions, dimension.as_str());
            }
            for measure in score.measures.keys() {
                self.cut_off |= !note(&mut self.measures, measure);
            }
        }
    }

    /// The same columns in an order that does not depend on which trial ended first.
    #[must_use]
    pub fn sorted(mut self) -> Self {
        self.tags.sort_unstable();
        self.scorers.sort_unstable();
        self.dimensions.sort_unstable();
        self.measures.sort_unstable();
        self
    }
}

fn note(names: &mut IndexSet<String>, name: &str) -> bool {
    if names.contains(name) {
        return true;
    }
    names.len() < MOST_COLUMNS && names.insert(name.to_owned())
}

const FIRST: [&str; 9] =
    ["log", "suite", "subject", "variant", "case", "trial", "sentence", "score", "unscored"];
const LAST: [&str; 12] = [
    "losses",
    "latency_s",
    "first_token_s",
    "queued_s",
    "input_tokens",
    "output_tokens",
    "cached_tokens",
    "reasoning_tokens",
    "turns",
    "calls",
    "attempts",
    "started",
];

/// Writes one row a trial.
#[derive(Debug)]
pub struct TrialTable<W: Write> {
    writer: csv::Writer<W>,
    columns: Columns,
}

impl<W: Write> TrialTable<W> {
    /// A table with these columns; its head is written at once.
    pub fn new(writer: W, columns: Columns) -> io::Result<Self> {
        let mut writer = csv::Writer::from_writer(writer);
        let named = |kind: &str, names: &IndexSet<String>| -> Vec<String> {
            names.iter().map(|name| cell(&format!("{kind}:{name}"))).collect()
        };
        let mut head: Vec<String> = FIRST.map(str::to_owned).into();
        head.extend(named("tag", &columns.tags));
        head.extend(named("scorer", &columns.scorers));
        head.extend(named("dimension", &columns.dimensions));
        head.extend(named("measure", &columns.measures));
        head.extend(LAST.map(str::to_owned));
        writer.write_record(&head)?;
        Ok(Self { writer, columns })
    }

    /// Adds the row of one trial of a run.
    pub fn add(&mut self, log: &str, run: &Summary, trial: &TrialSummary) -> io::Result<()> {
        let mut row: Vec<String> = Vec::with_capacity(32);
        row.extend([log, &run.suite.name, &run.subject.name].map(cell));
        row.push(cell(run.variant.as_deref().unwrap_or_default()));
        row.push(cell(trial.id.case.as_str()));
        row.push(trial.id.trial.to_string());
        row.push(cell(&trial.sentence));
        row.push(optional(trial.outcome().and_then(Outcome::value)));
        row.push(cell(&unscored(trial)));
        for tag in &self.columns.tags {
            row.push(trial.tags.get(tag).map(|value| cell(value)).unwrap_or_default());
        }
        for scorer in &self.columns.scorers {
            row.push(optional(trial.outcomes.get(scorer).and_then(Outcome::value)));
        }
        let scores = || trial.outcomes.values().filter_map(Outcome::score);
        for dimension in &self.columns.dimensions {
            let verdict = scores().find_map(|score| verdict(score, dimension));
            row.push(verdict.map(|verdict| verdict.letter().to_string()).unwrap_or_default());
        }
        for measure in &self.columns.measures {
            row.push(optional(scores().find_map(|score| score.measures.get(measure).copied())));
        }
        let losses = trial.outcome().and_then(Outcome::score).map(|score| score.losses.as_slice());
        row.push(cell(&losses_in_words(losses.unwrap_or_default())));
        row.extend(amounts(trial));
        Ok(self.writer.write_record(&row)?)
    }

    /// Ends the table.
    pub fn finish(mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

fn verdict(score: &Score, dimension: &str) -> Option<Verdict> {
    score.dimensions.iter().find(|(known, _)| known.as_str() == dimension).map(|found| *found.1)
}

fn unscored(trial: &TrialSummary) -> String {
    match trial.outcome() {
        Some(Outcome::Scored(_)) => String::new(),
        Some(Outcome::Unscored(reason)) => reason.to_string(),
        None => "not scored".to_owned(),
    }
}

/// Losses as `cause:points` with the tool and the argument, or the thing in the world; costly ones and others alike.
fn losses_in_words(losses: &[Loss]) -> String {
    let word = |loss: &Loss| {
        let mut word = format!("{}:{}", loss.cause.name(), (loss.points * 1e6).round() / 1e6);
        let path = loss.path.to_string();
        match (&loss.tool, path.is_empty()) {
            (Some(tool), true) => word = format!("{word}@{tool}"),
            (Some(tool), false) => word = format!("{word}@{tool}.{path}"),
            (None, false) => word = format!("{word}@{path}"),
            (None, true) => {}
        }
        word
    };
    // A trial with thousands of losses says no more by its hundredth.
    let words: Vec<String> = losses.iter().take(100).map(word).collect();
    words.join("; ")
}

fn amounts(trial: &TrialSummary) -> [String; 11] {
    let count = |value: Option<u64>| value.map(|value| value.to_string()).unwrap_or_default();
    let time = |time: Option<Duration>| {
        time.map(|time| format!("{:.6}", time.as_secs_f64())).unwrap_or_default()
    };
    let (timings, usage) = (&trial.timings, &trial.usage);
    [
        time(trial.latency()),
        time(timings.first_token),
        time((trial.turns > 0).then_some(timings.queued)),
        count(usage.input),
        count(usage.output),
        count(usage.cached),
        count(usage.reasoning),
        trial.turns.to_string(),
        trial.calls.to_string(),
        trial.attempts.to_string(),
        trial.started.to_string(),
    ]
}

fn optional(value: Option<f64>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

/// What a spreadsheet may take for the beginning of a formula: the signs, and the full-width and
/// small forms that some read as the same.
const FORMULA_SIGNS: [char; 12] = [
    '=', '+', '-', '@', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}', '\u{fe66}', '\u{fe62}',
    '\u{fe63}', '\u{fe6b}',
];

/// Text as a cell: harmless, and nothing that a spreadsheet takes for a formula.
pub fn cell(text: &str) -> String {
    let line = harmless::line_within(text, LONGEST_CELL);
    // A tab or a line break before a sign, which some spreadsheets pass over, is an escape by now.
    if line.starts_with(FORMULA_SIGNS) { format!("'{line}") } else { line.into_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_cell_is_a_formula() {
        assert_eq!(cell("=HYPERLINK(\"http://x\")"), "'=HYPERLINK(\"http://x\")");
        assert_eq!(cell("@SUM(1)"), "'@SUM(1)");
        assert_eq!(cell("＝1+1"), "'＝1+1");
        assert_eq!(cell("kitchen"), "kitchen");
        assert_eq!(cell("a\nb\u{1b}"), "a\\nb\\x1b");
    }

    #[test]
    fn a_log_with_a_million_names_does_not_make_a_million_columns() {
        let mut names = IndexSet::new();
        let noted = (0..1000).filter(|name| note(&mut names, &name.to_string())).count();
        assert_eq!((noted, names.len()), (MOST_COLUMNS, MOST_COLUMNS));
    }

    #[test]
    fn formulas_are_text_in_every_width() {
        for sign in FORMULA_SIGNS {
            assert_eq!(cell(&format!("{sign}1+1")), format!("'{sign}1+1"));
        }
        assert_eq!(cell("1=1"), "1=1");
    }
}
