//! Runs in Markdown, for a comment in a pull request: the decision first, the figures folded away.

use std::fmt::Write;

use super::comparison::comparison;
use super::decision::decision;
use super::escape::cell;
use super::figures::figures;
use super::run_words::{score_cell, subject};
use crate::document::{ReportDocument, ReportedRun};
use crate::number::{count, counted, seconds};
use crate::render::bar::bar;
use crate::render::spark::sparkline;
use crate::summary::Summary;

/// How wide a bar for the value 1 is.
const BAR: usize = 10;

/// How many runs are listed.
const MOST_RUNS: usize = 20;

/// How long a page may get in bytes: a comment on GitHub holds 65,536 characters.
const LONGEST: usize = 60_000;

/// The page: what was decided about each run, then how they compare, then their figures.
pub fn page(document: &ReportDocument) -> String {
    let mut page = BoundedPage::default();
    page.add(|text| overview(text, document));
    for run in &document.runs {
        page.add(|text| decision(text, run));
    }
    // Figures come after all decisions, so that they are what is left out of a long page.
    if let Some(contest) = &document.contest {
        page.add(|text| {
            // The text form is a table already; as code it keeps its columns.
            let table = contest.to_string().replace("```", "'''");
            let _ = writeln!(text, "### All together\n\n```text\n{table}```\n");
        });
    }
    for found in &document.comparisons {
        page.add(|text| comparison(text, found));
    }
    for run in &document.runs {
        page.add(|text| figures(text, run));
    }
    page.finish()
}

/// A page that leaves out parts rather than grow beyond what a comment holds.
#[derive(Default)]
struct BoundedPage {
    text: String,
    left_out: usize,
}

impl BoundedPage {
    fn add(&mut self, part: impl FnOnce(&mut String)) {
        let end = self.text.len();
        part(&mut self.text);
        if self.text.len() > LONGEST {
            self.text.truncate(end);
            self.left_out += 1;
        }
    }

    fn finish(mut self) -> String {
        if self.left_out > 0 {
            let parts = counted(self.left_out, "part");
            let _ = writeln!(
                self.text,
                "{parts} left out, so that this fits a comment; an HTML report has everything."
            );
        }
        self.text
    }
}

/// All runs in a table, where there are several.
fn overview(text: &mut String, document: &ReportDocument) {
    if document.runs.len() < 2 {
        return;
    }
    text.push_str("### toolgauge\n\n");
    text.push_str("| suite | subject | trials | score | | unscored | p50 | tokens |\n");
    text.push_str("| --- | --- | ---: | --- | --- | ---: | ---: | ---: |\n");
    for run in document.runs.iter().take(MOST_RUNS) {
        overview_row(text, run);
    }
    if document.runs.len() > MOST_RUNS {
        let _ = writeln!(text, "\nand {} more", document.runs.len() - MOST_RUNS);
    }
    text.push('\n');
    let points = document.trend();
    if points.len() > 2 {
        let line = sparkline(points.iter().map(|point| point.score.mean), 1.0);
        let _ = writeln!(text, "Score over time, oldest first: {line}\n");
    }
}

fn overview_row(text: &mut String, run: &ReportedRun) {
    let summary = &run.summary;
    // A chatbot does not say how many tokens it took; that is not none.
    let tokens = summary.usage.total();
    let tokens = if tokens == 0 { String::new() } else { count(tokens) };
    let _ = writeln!(
        text,
        "| {} | {} | {} | {} | {} | {} | {} | {} |",
        cell(&summary.suite.name),
        cell(&subject(summary)),
        trials(summary),
        summary.score.map_or_else(|| "none".to_owned(), |score| score_cell(&score)),
        summary.score.map(|score| bar(BAR, score.mean)).unwrap_or_default(),
        summary.unscored.values().sum::<usize>(),
        summary.latency.total.map(|total| seconds(total.p50)).unwrap_or_default(),
        tokens,
    );
}

fn trials(summary: &Summary) -> String {
    if summary.trials == summary.planned {
        return count(summary.trials as u64);
    }
    format!("{} of {}", count(summary.trials as u64), count(summary.planned as u64))
}
