//! One question and what came of it: what was asked, what was said, which tools were used, and
//! what was expected against what was there.

use std::fmt::{self, Display};

use toolgauge_core::{
    Arguments, ExpectedAnswer, Keyword, Outcome, Score, StateChange, ToolCall, Trial, Verdict,
};

use crate::grades::Grade;
use crate::harmless;
use crate::render::html::{shown, sign};
use crate::standing::{GRADED_SCORER, Thresholds};

/// One question and its answer, for people to read.
#[derive(Clone, Copy, Debug)]
pub struct QuestionAndAnswer<'a> {
    /// The trial.
    pub trial: &'a Trial,
    /// From where on it passes.
    pub thresholds: Thresholds,
}

/// How many characters of a text are shown.
const SHOWN: usize = 1200;

/// How many calls are listed, and how much of their arguments is shown.
const MOST_CALLS: usize = 20;
const ARGUMENTS: usize = 400;

/// How many changes of the world are listed, and how much of a value is shown.
const MOST_CHANGES: usize = 40;
const VALUE: usize = 80;

impl Display for QuestionAndAnswer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let trial = self.trial;
        // The first scorer decides; others stand beside it.
        let (scorer, outcome) = trial.outcomes.first().unzip();
        let scorer = scorer.map_or("", String::as_str);
        write!(f, "{}", harmless::line(&trial.id().to_string()))?;
        match outcome {
            Some(Outcome::Scored(score)) => {
                let thresholds = Thresholds::of_scorer(scorer, self.thresholds);
                let standing = thresholds.standing(Some(score.value)).name();
                write!(f, ": {:.3} (", score.value)?;
                if scorer == GRADED_SCORER {
                    write!(f, "{}, ", Grade::of(score.value).letter())?;
                }
                writeln!(f, "{standing})")?;
            }
            Some(Outcome::Unscored(reason)) => {
                writeln!(f, ": unscored, {}", harmless::line(&reason.to_string()))?;
            }
            None => writeln!(f, ": not scored")?,
        }
        for (tag, value) in &trial.case.tags {
            writeln!(f, "  {}: {}", harmless::line(tag), harmless::line(value))?;
        }
        text(f, "question", trial.case.sentence())?;
        match trial.transcript.final_text() {
            "" => writeln!(f, "  response: (none)")?,
            said => text(f, "response", said)?,
        }
        if let Some(failure) = &trial.transcript.failure {
            writeln!(
                f,
                "  failure: {}: {}",
                failure.kind.name(),
                harmless::line(&failure.message)
            )?;
        }
        self.tools(f)?;
        world(f, &trial.transcript.background.changes)?;
        if let Some(answer) = trial.case.expectation.answer.as_deref() {
            expected(f, answer)?;
        }
        match outcome {
            Some(Outcome::Scored(score)) => lost(f, score),
            _ => Ok(()),
        }
    }
}

impl QuestionAndAnswer<'_> {
    fn tools(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut used: Vec<&str> = Vec::new();
        for call in self.trial.transcript.calls() {
            if !used.contains(&call.name.as_str()) {
                used.push(&call.name);
            }
        }
        let answer = self.trial.case.expectation.answer.as_deref();
        let wanted = answer.and_then(|answer| answer.tools.as_deref());
        let list = |names: &[&str]| match names {
            [] => "none".to_owned(),
            names => harmless::line(&names.join(", ")).into_owned(),
        };
        write!(f, "  tools: {}", list(&used))?;
        if let Some(wanted) = wanted {
            let wanted: Vec<&str> = wanted.iter().map(String::as_str).collect();
            write!(f, " (expected: {})", list(&wanted))?;
        }
        writeln!(f)?;
        self.calls(f)?;
        let sources = &self.trial.transcript.background.sources;
        if !sources.is_empty() {
            writeln!(f, "  sources: {}", harmless::line(&sources.join(", ")))?;
        }
        Ok(())
    }
}

impl QuestionAndAnswer<'_> {
    /// Every call with its arguments, as far as the subject tells them.
    fn calls(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let calls: Vec<&ToolCall> = self.trial.transcript.calls().collect();
        for call in calls.iter().take(MOST_CALLS) {
            let arguments = match &call.arguments {
                Arguments::Object(object) if object.is_empty() => continue,
                Arguments::Object(object) => serde_json::to_string(object).unwrap_or_default(),
                Arguments::Malformed { raw, why } => format!("{raw} ({why})"),
            };
            let name = harmless::line(&call.name);
            writeln!(f, "    {name} {}", harmless::line_within(&arguments, ARGUMENTS))?;
        }
        match calls.len().saturating_sub(MOST_CALLS) {
            0 => Ok(()),
            more => writeln!(f, "    and {more} more"),
        }
    }
}

/// What became of the world: each property before and after, and what it should have been.
fn world(f: &mut fmt::Formatter<'_>, changes: &[StateChange]) -> fmt::Result {
    if changes.is_empty() {
        return Ok(());
    }
    writeln!(f, "  end state:")?;
    for change in changes.iter().take(MOST_CHANGES) {
        let place = match change.property.as_str() {
            "" => change.thing.clone(),
            property => format!("{} {property}", change.thing),
        };
        let [before, after] = [&change.before, &change.after].map(|value| shown(value, VALUE));
        write!(f, "    {} {}: {before} → {after}", sign(change), harmless::line(&place))?;
        match (&change.expected, change.verdict()) {
            (Some(expected), Verdict::Incorrect) => {
                writeln!(f, " ({}; expected {})", change.words(), shown(expected, VALUE))?;
            }
            _ => writeln!(f, " ({})", change.words())?,
        }
    }
    match changes.len().saturating_sub(MOST_CHANGES) {
        0 => Ok(()),
        more => writeln!(f, "    and {more} more"),
    }
}

fn expected(f: &mut fmt::Formatter<'_>, answer: &ExpectedAnswer) -> fmt::Result {
    let words = |keyword: &Keyword| match keyword {
        Keyword::Text(text) => text.clone(),
        Keyword::AnyOf(texts) => texts.join(" or "),
        Keyword::Not(text) => format!("not {text}"),
        Keyword::Regex(pattern) => format!("/{pattern}/"),
    };
    if !answer.keywords.is_empty() {
        let words: Vec<String> = answer.keywords.iter().map(words).collect();
        writeln!(f, "  keywords: {}", harmless::line(&words.join(", ")))?;
    }
    if !answer.documents.is_empty() {
        let names: Vec<&str> = answer.documents.keys().map(String::as_str).collect();
        writeln!(f, "  documents: {}", harmless::line(&names.join(", ")))?;
    }
    match &answer.reference {
        Some(reference) => text(f, "reference", reference),
        None => Ok(()),
    }
}

fn lost(f: &mut fmt::Formatter<'_>, score: &Score) -> fmt::Result {
    for line in score.explanation.lines().filter(|_| !score.losses.is_empty()) {
        writeln!(f, "  - {}", harmless::line(line))?;
    }
    Ok(())
}

/// A text of several lines, each set in.
fn text(f: &mut fmt::Formatter<'_>, name: &str, text: &str) -> fmt::Result {
    let end = text.char_indices().nth(SHOWN).map_or(text.len(), |(end, _)| end);
    let more = if end < text.len() { " …" } else { "" };
    let mut lines = text[..end].trim().lines();
    writeln!(f, "  {name}: {}", harmless::line_within(lines.next().unwrap_or_default(), SHOWN))?;
    for line in lines {
        writeln!(f, "    {}", harmless::line_within(line, SHOWN))?;
    }
    if more.is_empty() { Ok(()) } else { writeln!(f, "   {more}") }
}
