//! A comparison and its gates as a Markdown comment for a pull request, and whole reports.

mod escape;
mod page;
mod table;

use std::fmt::Write;

use self::escape::{cell, code};
use crate::compare::{Comparison, Flip, described};
use crate::gate::GateResult;
use crate::leaderboard::Leaderboard;
use crate::render::tables;

pub use page::page;

/// The comment: the verdict first, the rest folded away.
pub fn comment(comparisons: &[Comparison], gates: &[GateResult]) -> String {
    let mut text = String::from("### toolgauge\n\n");
    gate_table(&mut text, gates);
    for found in comparisons {
        comparison(&mut text, found);
    }
    text
}

impl Leaderboard {
    /// The leaderboard as a table of Markdown.
    pub fn markdown(&self) -> String {
        let mut text = String::new();
        table::write(&mut text, &tables::leaderboard(self), usize::MAX);
        let _ = writeln!(text, "{}", tables::LEGEND);
        for warning in tables::warnings(self) {
            let _ = writeln!(text, "\n{}", cell(&warning));
        }
        text
    }
}

/// One comparison: the verdict first, the rest folded away.
fn comparison(text: &mut String, comparison: &Comparison) {
    verdict(text, comparison);
    details(text, comparison);
}

fn gate_table(text: &mut String, gates: &[GateResult]) {
    if gates.is_empty() {
        return;
    }
    let failed = gates.iter().filter(|gate| !gate.passed).count();
    let _ = match failed {
        0 => writeln!(text, "✅ all {} gates passed\n", gates.len()),
        _ => writeln!(text, "❌ {failed} of {} gates failed\n", gates.len()),
    };
    let one_run = gates.iter().all(|gate| gate.run == gates[0].run);
    text.push_str(if one_run {
        "| gate | | found |\n| --- | --- | --- |\n"
    } else {
        "| gate | run | | found |\n| --- | --- | --- | --- |\n"
    });
    for gate in gates {
        let mark = if gate.passed { "✅ passed" } else { "❌ failed" };
        let (written, found) = (code(&gate.gate), cell(&gate.message));
        let run = if one_run { String::new() } else { format!(" {} |", code(&gate.run)) };
        let _ = writeln!(text, "| {written} |{run} {mark} | {found} |");
    }
    text.push('\n');
}

fn verdict(text: &mut String, comparison: &Comparison) {
    let _ = writeln!(text, "**{}**\n", comparison.verdict_words());
    let _ = writeln!(text, "- A: {}", cell(&described(&comparison.a)));
    let _ = writeln!(text, "- B: {}", cell(&described(&comparison.b)));
    for caution in &comparison.cautions {
        let _ = writeln!(text, "- ⚠️ {}", cell(&caution.message));
    }
    text.push('\n');
    let names =
        [("score".to_owned(), &comparison.score), ("all right".to_owned(), &comparison.right)];
    let scores = names.iter().filter_map(|(name, found)| Some((name, found.as_ref()?)));
    let mut table = tables::differences("", scores.chain(&comparison.dimensions));
    if let Some(score) = table.rows.first_mut().filter(|_| comparison.score.is_some()) {
        score[0].strong = true;
    }
    table::write(text, &table, usize::MAX);
}

fn details(text: &mut String, comparison: &Comparison) {
    let flips = &comparison.flips;
    let _ = writeln!(
        text,
        "{} fixed, {} broken, {} still pass, {} still fail\n",
        flips.fixed, flips.broken, flips.still_pass, flips.still_fail
    );
    flip_list(text, "broken", flips.broken, &flips.broken_cases);
    flip_list(text, "fixed", flips.fixed, &flips.fixed_cases);
    for (tag, values) in &comparison.slices {
        let _ = writeln!(text, "<details><summary>by {}</summary>\n", cell(tag));
        table::write(text, &tables::differences("", values), usize::MAX);
        text.push_str("</details>\n\n");
    }
}

fn flip_list(text: &mut String, kind: &str, all: usize, flips: &[Flip]) {
    if flips.is_empty() {
        return;
    }
    let _ = writeln!(text, "<details><summary>{all} {kind}</summary>\n");
    for flip in flips {
        let _ = writeln!(text, "- {}: {}", code(flip.case.as_str()), cell(&flip.reason));
    }
    if all > flips.len() {
        let _ = writeln!(text, "- and {} more", all - flips.len());
    }
    text.push_str("\n</details>\n\n");
}
