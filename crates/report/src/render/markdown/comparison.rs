//! Two runs compared, folded away under its verdict.

use std::fmt::Write;

use super::escape::{cell, code};
use super::table;
use crate::compare::{Comparison, Flip, described};
use crate::render::tables;

/// The figures of a comparison.
pub(super) fn comparison(text: &mut String, comparison: &Comparison) {
    let (a, b) = (cell(&comparison.a.named()), cell(&comparison.b.named()));
    let verdict = comparison.verdict_words();
    let _ = writeln!(text, "<details><summary>{b} against {a}: {verdict}</summary>\n");
    let _ = writeln!(text, "- A: {}", cell(&described(&comparison.a)));
    let _ = writeln!(text, "- B: {}\n", cell(&described(&comparison.b)));
    differences(text, comparison);
    let flips = &comparison.flips;
    let _ = writeln!(
        text,
        "{} fixed, {} broken, {} still pass, {} still fail\n",
        flips.fixed, flips.broken, flips.still_pass, flips.still_fail
    );
    flip_list(text, "Broken", flips.broken, &flips.broken_cases);
    flip_list(text, "Fixed", flips.fixed, &flips.fixed_cases);
    for (tag, values) in &comparison.slices {
        table::write(text, &tables::differences(tag, values), usize::MAX);
    }
    text.push_str("</details>\n\n");
}

fn differences(text: &mut String, comparison: &Comparison) {
    let names =
        [("score".to_owned(), &comparison.score), ("all right".to_owned(), &comparison.right)];
    let scores = names.iter().filter_map(|(name, found)| Some((name, found.as_ref()?)));
    let mut table = tables::differences("", scores.chain(&comparison.dimensions));
    if let Some(score) = table.rows.first_mut().filter(|_| comparison.score.is_some()) {
        score[0].strong = true;
    }
    table::write(text, &table, usize::MAX);
}

fn flip_list(text: &mut String, kind: &str, all: usize, flips: &[Flip]) {
    if flips.is_empty() {
        return;
    }
    let _ = writeln!(text, "{kind}:\n");
    for flip in flips {
        let _ = writeln!(text, "- {}: {}", code(flip.case.as_str()), cell(&flip.reason));
    }
    if all > flips.len() {
        let _ = writeln!(text, "- and {} more", all - flips.len());
    }
    text.push('\n');
}
