//! The tables, and the rows that a trial has in each.

use toolgauge_log::{AnswerRecord, MessageRecord, TrialRecord};

use crate::column::{Column, Source};
use crate::columns;
use crate::facts::{LogFacts, TrialFacts};
use crate::row::{Item, MadeCall, Row};

/// A table by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TableName {
    /// A row for each log.
    Runs,
    /// A row for each trial.
    Trials,
    /// A row for each call.
    Calls,
    /// A row for each lost point.
    Losses,
    /// A row for each request that was answered.
    Turns,
    /// A row for each trial, in the schema of Inspect Scout.
    Transcripts,
}

impl TableName {
    /// All tables.
    pub const ALL: [Self; 6] =
        [Self::Runs, Self::Trials, Self::Calls, Self::Losses, Self::Turns, Self::Transcripts];

    /// The name on the command line, of the folder and in SQL.
    pub fn name(self) -> &'static str {
        match self {
            Self::Runs => "runs",
            Self::Trials => "trials",
            Self::Calls => "calls",
            Self::Losses => "losses",
            Self::Turns => "turns",
            Self::Transcripts => "transcripts",
        }
    }

    /// What a row is.
    pub fn about(self) -> &'static str {
        match self {
            Self::Runs => "one row per log",
            Self::Trials => "one row per trial",
            Self::Calls => "one row per call that was made",
            Self::Losses => "one row per lost point, of every scorer",
            Self::Turns => "one row per request that was answered",
            Self::Transcripts => "one row per trial, in the schema of Inspect Scout",
        }
    }

    /// The columns, in their order.
    pub fn columns(self) -> &'static [Column] {
        match self {
            Self::Runs => columns::RUNS,
            Self::Trials => columns::TRIALS,
            Self::Calls => columns::CALLS,
            Self::Losses => columns::LOSSES,
            Self::Turns => columns::TURNS,
            Self::Transcripts => columns::TRANSCRIPTS,
        }
    }

    /// The columns by which its files are put into folders.
    pub fn partitions(self) -> &'static [&'static str] {
        match self {
            // Scout has a column `date` of its own, and looks into one folder.
            Self::Transcripts => &[],
            _ => &["suite", "date"],
        }
    }

    /// The columns that its files hold: all but those that the folders name.
    pub fn file_columns(self) -> impl Iterator<Item = &'static Column> {
        let named = self.partitions();
        self.columns().iter().filter(move |column| !named.contains(&column.name))
    }

    /// What must be read of a log for all columns and rows.
    pub fn source(self) -> Source {
        let columns = self.columns().iter().map(|column| column.source);
        columns.max().unwrap_or(Source::Head).max(self.rows_from())
    }

    /// What must be read of a log to know its rows, whatever columns are wanted.
    pub fn rows_from(self) -> Source {
        match self {
            Self::Runs => Source::Head,
            Self::Trials | Self::Losses | Self::Transcripts => Source::Summaries,
            Self::Calls | Self::Turns => Source::Samples,
        }
    }

    /// Hands over the rows of a trial. Tables whose rows are in samples have none of a summary.
    pub fn rows_of<'a>(
        self,
        log: &'a LogFacts,
        trial: &'a TrialFacts<'a>,
        mut take: impl FnMut(Row<'a>),
    ) {
        let row = Row::of_trial(log, trial);
        match (self, trial.sample) {
            (Self::Trials | Self::Transcripts, _) => take(row),
            (Self::Losses, _) => {
                for (scorer, outcome) in trial.outcomes.iter() {
                    let losses = outcome.score().map_or(&[][..], |score| &score.losses);
                    for loss in losses {
                        take(row.about(Item::Loss { scorer, loss }));
                    }
                }
            }
            (Self::Calls, Some(sample)) => {
                each_call(sample, |call| take(row.about(Item::Call(call))));
            }
            (Self::Turns, Some(sample)) => {
                for (place, turn) in sample.turns.iter().enumerate() {
                    take(row.about(Item::Turn { place, turn }));
                }
            }
            (Self::Runs, _) | (Self::Calls | Self::Turns, None) => {}
        }
    }
}

/// Hands over the calls of a trial, each with its answer.
fn each_call<'a>(trial: &'a TrialRecord<'a>, mut take: impl FnMut(MadeCall<'a>)) {
    let messages = &trial.messages;
    let times = &trial.tool_times;
    let (mut place, mut turn) = (0, 0);
    for (at, message) in messages.iter().enumerate() {
        let MessageRecord::Assistant(message) = message else { continue };
        turn += 1;
        let answers = messages[at + 1..].iter().map_while(|message| match message {
            MessageRecord::Tool(answer) => Some(answer),
            _ => None,
        });
        for (nth, call) in message.calls.iter().enumerate() {
            let named = |answer: &&AnswerRecord<'_>| call.id.as_ref() == Some(&answer.call_id);
            // Calls without an identifier are answered in their order.
            let answer = answers.clone().find(named).or_else(|| answers.clone().nth(nth));
            let answer = answer.filter(|answer| answer.name == call.name);
            let time = times.get(place).filter(|time| time.tool == call.name);
            let seconds = time.map(|time| time.time.as_secs_f64());
            take(MadeCall { place, turn, call, answer, seconds });
            place += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Words that need quotes in SQL; Scout's schema has one of them.
    const RESERVED: [&str; 10] =
        ["case", "group", "order", "table", "select", "from", "where", "user", "end", "limit"];

    #[test]
    fn columns_have_names_of_their_own_that_need_no_quotes() {
        for table in TableName::ALL {
            let names: BTreeSet<&str> = table.columns().iter().map(|column| column.name).collect();
            assert_eq!(names.len(), table.columns().len(), "{}", table.name());
            let reserved = RESERVED.iter().filter(|word| names.contains(*word));
            let allowed = usize::from(table == TableName::Transcripts);
            assert_eq!(reserved.count(), allowed, "{}", table.name());
        }
    }

    #[test]
    fn folders_are_named_by_what_the_head_of_a_log_says() {
        for table in TableName::ALL {
            for part in table.partitions() {
                let named = table.columns().iter().find(|column| column.name == *part);
                assert_eq!(named.map(|column| column.source), Some(Source::Head), "{part}");
            }
        }
    }

    #[test]
    fn summaries_are_enough_for_runs_and_trials() {
        assert_eq!(TableName::Runs.source(), Source::Head);
        assert_eq!(TableName::Trials.source(), Source::Summaries);
        assert_eq!(TableName::Calls.source(), Source::Samples);
    }
}
