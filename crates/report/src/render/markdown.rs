//! A comparison and its gates as a Markdown comment for a pull request, and whole reports.

mod page;

use std::fmt::Write;

use crate::compare::{Comparison, Difference, Flip, described, p_value, signed};
use crate::gate::GateResult;
use crate::harmless;

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
    text.push_str("\n| | A | B | B − A | 95 % interval | p |\n");
    text.push_str("| --- | ---: | ---: | ---: | --- | ---: |\n");
    if let Some(score) = &comparison.score {
        row(text, "**score**", score);
    }
    if let Some(right) = &comparison.right {
        row(text, "all right", right);
    }
    for (name, difference) in &comparison.dimensions {
        row(text, &cell(name), difference);
    }
    text.push('\n');
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
        text.push_str("| | A | B | B − A | 95 % interval | p |\n");
        text.push_str("| --- | ---: | ---: | ---: | --- | ---: |\n");
        for (value, difference) in values {
            row(text, &cell(value), difference);
        }
        text.push_str("\n</details>\n\n");
    }
}

fn row(text: &mut String, name: &str, difference: &Difference) {
    let interval = difference.interval().map_or_else(String::new, |interval| {
        format!("[{}, {}]", signed(interval.low).trim(), signed(interval.high).trim())
    });
    let p = p_value(difference.deciding_p_value());
    let p = p.trim_start_matches("p = ").trim_start_matches("p ");
    let _ = writeln!(
        text,
        "| {name} | {:.3} | {:.3} | {} | {interval} | {p} |",
        difference.a.mean,
        difference.b.mean,
        signed(difference.difference).trim(),
    );
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

/// Text as code, in which Markdown reads nothing but bars and backticks.
fn code(text: &str) -> String {
    format!("`{}`", harmless::line(text).replace('`', "'").replace('|', "\\|"))
}

/// Text that can stand in a cell: on one line, and with nothing that Markdown or HTML would act on.
fn cell(text: &str) -> String {
    let text = text.replace(['\n', '\r', '\t'], " ");
    let text = harmless::line(&text);
    // What could be a link or an image loses its brackets; an interval keeps them.
    let link = text.contains("](") || text.contains("][") || text.contains("]:");
    let mut cell = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => cell.push_str("&amp;"),
            '\\' => cell.push_str("\\\\"),
            '[' if link => cell.push_str("\\["),
            '<' => cell.push_str("&lt;"),
            '>' => cell.push_str("&gt;"),
            '|' => cell.push_str("\\|"),
            '`' => cell.push('\''),
            '@' => cell.push_str("&#64;"),
            _ => cell.push(character),
        }
    }
    cell
}
