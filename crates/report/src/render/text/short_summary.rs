//! The few lines that a run ends with, never wider than the terminal.

use std::fmt::{self, Display};

use unicode_width::UnicodeWidthStr;

use super::facts::{cut_fact, fact, verdict_fact};
use super::style::{FAINT, is_colored, paint, style};
use super::table::{cut, cut_middle};
use crate::compare::{DifferenceVerdict, Flip, interval, signed};
use crate::failed_case::FailedCase;
use crate::harmless::{line, line_within};
use crate::number::{counted, estimate};
use crate::render::tone::Tone;
use crate::short_summary::{ChangeSince, ShortSummary};
use crate::summary::Summary;
use crate::unscored::{self, oddity_advice};

/// How wide the column of standings is.
const STANDING: usize = 9;

/// How many causes of lost points are named.
const CAUSES: usize = 3;

/// How many ways to fail, and how many flipped cases, are named.
const NAMED: usize = 2;

impl Display for ShortSummary<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.summary.heading(f)?;
        self.verdict(f)?;
        if let Some(change) = &self.change {
            change.fmt(f)?;
        }
        self.failed_cases(f)?;
        self.lost(f)?;
        writeln!(f)?;
        fact(f, "next", &self.next)
    }
}

impl ShortSummary<'_> {
    /// Score, floor and gates, and what makes them doubtful.
    fn verdict(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f)?;
        let summary = self.summary;
        match &summary.score {
            Some(score) => fact(f, "score", &format!("{}{}", estimate(score), self.standings()))?,
            None => fact(f, "score", "none: no trial could be scored")?,
        }
        if let Some(words) = floor(summary) {
            cut_fact(f, "floor", &words)?;
        }
        for gate in self.gates {
            let (word, tone) =
                if gate.passed { ("passed", Tone::Good) } else { ("failed", Tone::Bad) };
            let found = line_within(&gate.message, 200);
            verdict_fact(f, "gate", (word, tone), &format!(": {}: {found}", line(&gate.gate)))?;
        }
        for warning in &summary.warnings {
            fact(f, "warning", &line_within(warning, 400))?;
        }
        self.doubts(f)
    }

    fn standings(&self) -> String {
        let grade = self.summary.grades.as_ref().and_then(|grades| grades.overall.grade);
        let grade = grade.map(|grade| format!(", grade {}", grade.letter())).unwrap_or_default();
        let counts = &self.counts;
        let all = [
            (counts.pass, "pass"),
            (counts.partial, "partial"),
            (counts.fail, "fail"),
            (counts.unscored, "unscored"),
        ];
        // Passing cases are counted even if there are none; of the rest only what there is.
        let shown = all.iter().filter(|(count, word)| *count > 0 || *word == "pass");
        let shown: Vec<String> = shown.map(|(count, word)| format!("{count} {word}")).collect();
        format!("{grade}: {}", shown.join(", "))
    }

    /// Trials that say nothing, or less than they should.
    fn doubts(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let summary = self.summary;
        let count: usize = summary.unscored.values().sum();
        if count > 0 {
            let reasons =
                summary.unscored.iter().map(|(reason, count)| format!("{count} {reason}"));
            let reasons: Vec<String> = reasons.collect();
            fact(f, "unscored", &format!("{}: {}", counted(count, "trial"), reasons.join(", ")))?;
        }
        for advice in summary.unscored.keys().filter_map(|reason| unscored::advice(reason)) {
            fact(f, "", advice)?;
        }
        for failure in summary.failures.iter().take(NAMED) {
            let (trials, kind) = (counted(failure.trials, "trial"), failure.kind.name());
            let words = format!("{trials}: {kind}: {}", failure.message);
            fact(f, "failed", &line_within(&words, 240))?;
        }
        // An odd form of answers with a known remedy may explain the whole score.
        for (name, count) in &summary.oddities {
            if let Some(advice) = oddity_advice(name) {
                fact(f, "oddities", &format!("{count} {name}: {advice}"))?;
            }
        }
        if let Some(cut_off) = summary.cut_off {
            fact(f, "cut off", &cut_off.words())?;
        }
        if let Some(damage) = summary.damage.describe(summary.trials) {
            fact(f, "damaged", &line_within(&damage, 400))?;
        }
        Ok(())
    }

    /// The worst cases: what was asked in one line, what was expected and came instead below.
    fn failed_cases(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.failed.is_empty() {
            return Ok(());
        }
        writeln!(f)?;
        let width = f.width().unwrap_or(usize::MAX);
        for FailedCase { result, expected, got } in &self.failed {
            let standing =
                paint(is_colored(f), style(result.standing.tone()), result.standing.name());
            // `partial` is the longest word; colours do not count as letters.
            let pad = " ".repeat(STANDING - result.standing.name().len());
            let asked = format!("{}  “{}”", result.case, result.sentence);
            writeln!(
                f,
                "  {standing}{pad}{}",
                cut(&line(&asked), width.saturating_sub(STANDING + 2))
            )?;
            if let Some(words) = outcome(expected, got, width.saturating_sub(STANDING + 2)) {
                writeln!(f, "  {:STANDING$}{words}", "")?;
            }
        }
        let more = self.counts.partial + self.counts.fail - self.failed.len();
        if more == 0 {
            return Ok(());
        }
        let word = if more == 1 { "does" } else { "do" };
        let words = format!("  {:STANDING$}and {more} more that {word} not pass", "");
        writeln!(f, "{}", paint(is_colored(f), FAINT, &words))
    }

    /// What cost the most points.
    fn lost(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let losses = &self.summary.losses;
        let all: f64 = losses.iter().map(|loss| loss.points).sum();
        if all <= 0.0 {
            return Ok(());
        }
        writeln!(f)?;
        for (number, loss) in losses.iter().take(CAUSES).enumerate() {
            let label = if number == 0 { "lost by" } else { "" };
            let (share, times) = (loss.points / all * 100.0, counted(loss.count, "time"));
            fact(f, label, &format!("{share:3.0} %  {}, {times}", loss.cause.words()))?;
        }
        Ok(())
    }
}

/// What was expected and what came instead, in one line that shows the beginning of both.
fn outcome(expected: &str, got: &str, room: usize) -> Option<String> {
    let words = match (expected, got) {
        ("", "") => return None,
        ("", got) => format!("got {got}"),
        (expected, "") => format!("expected {expected}"),
        (expected, got) => {
            let room = room.saturating_sub("expected , got ".len());
            // Each has half of the line, and what the other does not need. An expected value stands
            // at the end, behind the name of what has it.
            let spare = (room / 2).saturating_sub(got.width());
            format!("expected {}, got {got}", cut_middle(expected, (room / 2 + spare).max(8)))
        }
    };
    Some(cut(&words, room))
}

/// The floor, and whether the score is above it.
fn floor(summary: &Summary) -> Option<String> {
    let ((floor, policy), score) = (summary.floor_policy()?, summary.score?);
    let word = match () {
        () if score.low > floor => "beaten",
        () if score.mean > floor => "not clearly beaten",
        () => "not beaten",
    };
    Some(format!("{floor:.3}, {word}: a subject that {}", line_within(policy, 200)))
}

impl ChangeSince {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let comparison = &self.comparison;
        let Some(score) = &comparison.score else { return Ok(()) };
        let (word, tone) = match comparison.verdict {
            DifferenceVerdict::Better => ("better", Tone::Good),
            DifferenceVerdict::Worse => ("worse", Tone::Bad),
            DifferenceVerdict::Equivalent { .. } => ("equivalent", Tone::Good),
            DifferenceVerdict::NoDifferenceShown => ("no difference shown", Tone::Plain),
            DifferenceVerdict::Inconclusive { .. } => ("too few cases to tell", Tone::Caution),
        };
        let ends = interval(score.low, score.high, |value| signed(value).trim().to_owned());
        let change = format!("{} {ends}", signed(score.difference).trim());
        let flips = &comparison.flips;
        let (fixed, broken) = (flips.fixed, flips.broken);
        let rest = format!(": {}; {fixed} fixed, {broken} broken", change.trim_end());
        verdict_fact(f, "change", (word, tone), &rest)?;
        cut_fact(f, "", &format!("since {}", line(&self.run)))?;
        if !flips.broken_cases.is_empty() {
            cut_fact(f, "", &named(broken, &flips.broken_cases))?;
        }
        // Other cases are counted above, and another number of trials is no cause of a change.
        let about = comparison.cautions.iter().map(|caution| caution.about);
        let about: Vec<&str> = about.filter(|about| DIFFERENCES.contains(about)).collect();
        if about.is_empty() {
            return Ok(());
        }
        fact(f, "", &format!("but not the same: {}", about.join(", ")))
    }
}

/// What may have changed a score beside the subject.
const DIFFERENCES: [&str; 6] = ["suite", "golds", "prompt", "tools", "scorers", "server"];

/// The first broken cases.
fn named(all: usize, cases: &[Flip]) -> String {
    let names = cases.iter().take(NAMED).map(|flip| line(flip.case.as_str()).into_owned());
    let names = names.collect::<Vec<_>>().join(", ");
    match all.saturating_sub(NAMED) {
        0 => format!("broken: {names}"),
        more => format!("broken: {names} and {more} more"),
    }
}
