//! What a reviewer decides by: verdict, gates, what changed, and the cases that do not pass.

use std::fmt::Write;

use super::escape::{cell, code};
use super::run_words::{score_cell, subject};
use crate::compare::{Flip, change_figures};
use crate::document::ReportedRun;
use crate::gate::GateResult;
use crate::short_summary::ChangeSince;

/// How many fixed cases are named.
const MOST_FIXED: usize = 10;

/// The decision about a run.
pub(super) fn decision(text: &mut String, run: &ReportedRun) {
    let summary = &run.summary;
    let _ = writeln!(text, "### {} · {}\n", cell(&summary.suite.name), cell(&subject(summary)));
    verdict(text, run);
    gates(text, &run.gates);
    doubts(text, run);
    if let Some(change) = &run.change {
        changed(text, change);
    }
    failing(text, run);
}

fn verdict(text: &mut String, run: &ReportedRun) {
    let gates = GateResult::verdict(&run.gates).map_or_else(String::new, |words| {
        format!("{} {words}: ", mark(run.gates.iter().all(|gate| gate.passed)))
    });
    let _ = write!(text, "**{gates}{}**\n\nScore ", run.counts().words("case"));
    match &run.summary.score {
        Some(score) => {
            text.push_str(&score_cell(score));
            if let Some(scorer) = run.summary.other_scorer_than_grades() {
                let _ = write!(text, " ({})", cell(scorer));
            }
        }
        None => text.push_str("none: no trial could be scored"),
    }
    if let Some((floor, word)) = run.summary.floor.zip(run.summary.floor_verdict()) {
        let _ = write!(text, "; floor {floor:.3}, {word}");
    }
    text.push_str(".\n\n");
}

fn mark(passed: bool) -> &'static str {
    if passed { "✅" } else { "❌" }
}

fn gates(text: &mut String, gates: &[GateResult]) {
    if gates.is_empty() {
        return;
    }
    text.push_str("| gate | | found |\n| --- | --- | --- |\n");
    for gate in gates {
        let (mark, word) = (mark(gate.passed), gate.word());
        let _ =
            writeln!(text, "| {} | {mark} {word} | {} |", code(&gate.gate), cell(&gate.message));
    }
    text.push('\n');
}

fn changed(text: &mut String, ChangeSince { run, comparison }: &ChangeSince) {
    let word = comparison.verdict.change();
    let figures = comparison.score.as_ref().map(|score| change_figures(score, &comparison.flips));
    let figures = figures.map(|figures| format!(": {figures}")).unwrap_or_default();
    let _ = writeln!(text, "Since {}: **{word}**{figures}.\n", cell(run));
    for caution in &comparison.cautions {
        let _ = writeln!(text, "- ⚠️ {}", cell(&caution.message));
    }
    text.push_str(if comparison.cautions.is_empty() { "" } else { "\n" });
    fixed(text, comparison.flips.fixed, &comparison.flips.fixed_cases);
}

fn fixed(text: &mut String, all: usize, cases: &[Flip]) {
    if cases.is_empty() {
        return;
    }
    let names: Vec<String> =
        cases.iter().take(MOST_FIXED).map(|flip| code(flip.case.as_str())).collect();
    let more = match all - names.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let _ = writeln!(text, "Fixed: {}{more}.\n", names.join(", "));
}

/// The cases that do not pass. What others wrote is shown as code, in which neither Markdown nor
/// a name behind an `@` means anything.
fn failing(text: &mut String, run: &ReportedRun) {
    if run.failing.is_empty() {
        return;
    }
    text.push_str(
        "| | case | asked | expected | came instead |\n| --- | --- | --- | --- | --- |\n",
    );
    for case in &run.failing {
        let result = &case.result;
        let broken = if run.is_broken(&result.case) { ", **broken**" } else { "" };
        let _ = writeln!(
            text,
            "| {}{broken} | {} | {} | {} | {} |",
            result.standing.name(),
            code(result.case.as_str()),
            code(&result.sentence),
            code(&case.expected),
            code(&case.got),
        );
    }
    let counts = run.counts();
    let more = (counts.partial + counts.fail).saturating_sub(run.failing.len());
    if more > 0 {
        let _ = writeln!(text, "\nand {more} more");
    }
    text.push('\n');
}

/// What makes the figures doubtful: warnings before the run, trials that say nothing, and more.
fn doubts(text: &mut String, run: &ReportedRun) {
    let doubts = run.summary.doubts();
    for (name, words) in &doubts {
        let _ = match *name {
            "" => writeln!(text, "  {}", cell(words)),
            name => writeln!(text, "- ⚠️ {name}: {}", cell(words)),
        };
    }
    text.push_str(if doubts.is_empty() { "" } else { "\n" });
}
