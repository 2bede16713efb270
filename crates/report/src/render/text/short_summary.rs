//! The few lines that a run ends with, never wider than the terminal.

use std::fmt::{self, Display};

use unicode_width::UnicodeWidthStr;

use super::cut::{cut, cut_apart, cut_middle, cut_near_figure};
use super::facts::{cut_fact, fact, verdict_fact};
use super::layout::{MeasuredColumn, widths};
use super::style::{FAINT, is_colored, paint, style};
use crate::compare::{Flip, change_figures};
use crate::failed_case::FailedCase;
use crate::gate::GateResult;
use crate::grades::Grade;
use crate::harmless::{line, line_within};
use crate::number::{counted, estimate};
use crate::render::tone::Tone;
use crate::short_summary::{ChangeSince, ShortSummary};
use crate::standing::GRADED_SCORER;
use crate::summary::Summary;

/// How wide the column of standings is.
const STANDING: usize = 8;

/// How many causes of lost points are named.
const CAUSES: usize = 3;

/// How many flipped cases are named.
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
    /// What came of it in words, then score, floor and gates, and what makes them doubtful.
    fn verdict(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f)?;
        let summary = self.summary;
        let (gates, tone) = match GateResult::verdict(self.gates) {
            None => (String::new(), Tone::Plain),
            Some(_) if summary.trials < summary.planned => {
                ("unfinished: ".to_owned(), Tone::Caution)
            }
            Some(words) => {
                (format!("{words}: "), gate_tone(self.gates.iter().all(|gate| gate.passed)))
            }
        };
        verdict_fact(f, "verdict", (&gates, tone), &self.counts.words("case"))?;
        match &summary.score {
            Some(score) => fact(f, "score", &format!("{}{}", estimate(score), self.grade()))?,
            None => fact(f, "score", "none: no trial could be scored")?,
        }
        if let Some(words) = floor(summary) {
            cut_fact(f, "floor", &words)?;
        }
        for gate in self.gates {
            let found = format!(": {}: {}", line(&gate.gate), self.found_by(gate));
            verdict_fact(f, "gate", (gate.word(), gate_tone(gate.passed)), &found)?;
        }
        for (name, words) in summary.doubts() {
            fact(f, name, &words)?;
        }
        Ok(())
    }

    /// What a gate found. The score, which is shown above, is not repeated.
    fn found_by(&self, gate: &GateResult) -> String {
        let message = line_within(&gate.message, 240);
        if gate.undecided {
            return message.into_owned();
        }
        let score = gate.found.zip(self.summary.score);
        let is_score = score.is_some_and(|(found, score)| (found - score.mean).abs() < 1e-9);
        let Some((_, decided)) = message.split_once("; ").filter(|_| is_score) else {
            return message.into_owned();
        };
        let Some((decided, remark)) = decided.split_once(" (") else { return decided.to_owned() };
        // Of the remarks, what a failed gate would need tells people what to do.
        let needed = remark.find("it takes").filter(|_| !gate.passed);
        let needed = needed.map(|start| format!(" ({}", &remark[start..])).unwrap_or_default();
        format!("{decided}{needed}")
    }

    fn grade(&self) -> String {
        let grade = self.summary.grades.as_ref().and_then(|grades| grades.overall.grade);
        let Some(letter) = grade.map(Grade::letter) else { return String::new() };
        match self.summary.other_scorer_than_grades() {
            Some(scorer) => format!(" ({}), grade {letter} ({GRADED_SCORER})", line(scorer)),
            None => format!(", grade {letter}"),
        }
    }

    /// The worst cases, a line each: what was asked, what was expected and what came instead.
    fn failed_cases(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.failed.is_empty() {
            return Ok(());
        }
        let (shown, all) = (self.failed.len(), self.counts.partial + self.counts.fail);
        let case = if shown < all { format!("worst {shown} of {all}") } else { "case".to_owned() };
        let heading = [case, "asked".into(), "expected".into(), "came instead".into()];
        let row = |case: &FailedCase| {
            let FailedCase { result, expected, got } = case;
            let texts = [result.case.as_str(), &result.sentence, expected, got];
            texts.map(|text| line(text).into_owned())
        };
        let rows: Vec<[String; 4]> = self.failed.iter().map(row).collect();
        let all = || std::iter::once(&heading).chain(&rows);
        let measured = [0, 1, 2, 3].map(|at| MeasuredColumn {
            wanted: all().map(|row| row[at].width()).max().unwrap_or(0),
            bends: true,
        });
        let space = f.width().map(|width| width.saturating_sub(STANDING + 2));
        let widths = widths(&measured, space);
        writeln!(f)?;
        let short = ["case", "asked", "expected", "instead"];
        let fits = |at: usize| heading[at].width() <= widths[at];
        let heading = [0, 1, 2, 3].map(|at| if fits(at) { &*heading[at] } else { short[at] });
        write_line(f, ("", Tone::Plain), &heading, &widths)?;
        let rows = cut_rows(&rows, &widths);
        for (FailedCase { result, .. }, row) in self.failed.iter().zip(&rows) {
            let row = row.each_ref().map(String::as_str);
            write_line(f, (result.standing.name(), result.standing.tone()), &row, &widths)?;
        }
        Ok(())
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

/// The lines of the table of cases, cut rather than wrapped. Names and expected values often differ
/// at their ends, and lose their middle; where a figure was expected, the one that came is seen.
fn cut_rows(rows: &[[String; 4]], widths: &[usize]) -> Vec<[String; 4]> {
    let column = |at: usize| rows.iter().map(|row| row[at].as_str()).collect::<Vec<_>>();
    let cases = cut_apart(&column(0), widths[0], cut_middle);
    let asked = cut_apart(&column(1), widths[1], cut);
    let names = cases.into_iter().zip(asked);
    let cut_row = |([_, question, expected, got], (case, asked)): (&[String; 4], _)| {
        // A call begins with its tool, which matters more than any figure.
        let is_answer = got.starts_with('“');
        let is_figure = is_answer && expected.contains(|c: char| c.is_ascii_digit());
        let got =
            if is_figure { cut_near_figure(got, question, widths[3]) } else { cut(got, widths[3]) };
        [case, asked, cut_middle(expected, widths[2]), got]
    };
    rows.iter().zip(names).map(cut_row).collect()
}

/// A line of the table of cases.
fn write_line(
    f: &mut fmt::Formatter<'_>,
    (standing, tone): (&str, Tone),
    texts: &[&str; 4],
    widths: &[usize],
) -> fmt::Result {
    // Colours have no width on the screen, and neither format nor pad counts wide letters.
    let pad = |text: &str, width: usize| " ".repeat(width.saturating_sub(text.width()));
    let mut words = String::new();
    for (text, width) in texts.iter().zip(widths) {
        words = words + text + &pad(text, *width) + "  ";
    }
    let style = if standing.is_empty() { FAINT } else { style(tone) };
    let words = if standing.is_empty() {
        paint(is_colored(f), style, words.trim_end())
    } else {
        words.trim_end().to_owned()
    };
    let painted = paint(is_colored(f), style, standing);
    writeln!(f, "  {painted}{}{words}", pad(standing, STANDING))
}

fn gate_tone(passed: bool) -> Tone {
    if passed { Tone::Good } else { Tone::Bad }
}

/// The floor, and whether the score is above it.
fn floor(summary: &Summary) -> Option<String> {
    let (floor, policy) = summary.floor_policy()?;
    let word = summary.floor_verdict()?;
    Some(format!("{floor:.3}, {word}: a subject that {}", line_within(policy, 200)))
}

impl ChangeSince {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let comparison = &self.comparison;
        let Some(score) = &comparison.score else { return Ok(()) };
        let (word, tone) = (comparison.verdict.change(), comparison.verdict.tone());
        let flips = &comparison.flips;
        let rest = format!(": {}", change_figures(score, flips));
        verdict_fact(f, "change", (word, tone), &rest)?;
        let mut since = format!("since {}", line(&self.run));
        if !flips.broken_cases.is_empty() {
            since = since + "; " + &named(flips.broken, &flips.broken_cases);
        }
        cut_fact(f, "", &since)?;
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
