//! A whole report in Markdown, for pull requests and READMEs.

use std::fmt::Write;

use super::escape::cell;
use super::{comparison, table};
use crate::document::{ReportDocument, ReportedRun};
use crate::grades::{CATEGORY, Grades};
use crate::number::{count, estimate, interval, seconds};
use crate::rate::Rate;
use crate::render::bar::bar;
use crate::render::chart::Distribution;
use crate::render::html::NoLinks;
use crate::render::spark::sparkline;
use crate::render::tables;
use crate::summary::Summary;
use crate::tiers::Tiers;
use crate::unscored::advice;

/// How wide a bar for the value 1 is.
const BAR: usize = 10;

/// How many values of a tag and how many measures are listed.
const MOST_ROWS: usize = 20;

/// The report: all runs in a table, then how they compare, then each of them.
pub fn page(document: &ReportDocument) -> String {
    let mut text = String::from("# toolgauge report\n\n");
    runs(&mut text, document);
    if let Some(contest) = &document.contest {
        // The text form is a table already; as code it keeps its columns.
        let _ = writeln!(text, "## All together\n\n```text\n{}```\n", fenced(&contest.to_string()));
    }
    for found in &document.comparisons {
        let (a, b) = (cell(&found.a.subject.name), cell(&found.b.subject.name));
        let _ = writeln!(text, "## {b} against {a}\n");
        comparison(&mut text, found);
    }
    for run in &document.runs {
        one_run(&mut text, run);
    }
    text
}

/// Text that cannot end the fence around it.
fn fenced(text: &str) -> String {
    text.replace("```", "'''")
}

fn runs(text: &mut String, document: &ReportDocument) {
    text.push_str("| suite | subject | trials | score | | unscored | p50 | tokens |\n");
    text.push_str("| --- | --- | ---: | --- | --- | ---: | ---: | ---: |\n");
    for run in &document.runs {
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
    text.push('\n');
    let points = document.trend();
    if points.len() > 2 {
        let line = sparkline(points.iter().map(|point| point.score.mean), 1.0);
        let _ = writeln!(text, "Score over time, oldest first: {line}\n");
    }
}

fn subject(summary: &Summary) -> String {
    match &summary.variant {
        Some(variant) => format!("{} · {variant}", summary.subject.name),
        None => summary.subject.name.clone(),
    }
}

fn trials(summary: &Summary) -> String {
    if summary.trials == summary.planned {
        return count(summary.trials as u64);
    }
    format!("{} of {}", count(summary.trials as u64), count(summary.planned as u64))
}

fn score_cell(score: &Rate) -> String {
    format!("**{:.3}** {}", score.mean, interval(score.low, score.high))
}

fn one_run(text: &mut String, run: &ReportedRun) {
    let summary = &run.summary;
    let _ = writeln!(text, "## {} · {}\n", cell(&summary.suite.name), cell(&subject(summary)));
    if let Some(score) = &summary.score {
        let _ = write!(text, "Score {} ({})", estimate(score), cell(&summary.scorer));
        if let Some((floor, policy)) = summary.floor_policy() {
            let _ = write!(text, "; a subject that {} scores {floor:.3}", cell(policy));
        }
        if let Some(best) = summary.floors.as_ref().and_then(|floors| floors.with_calls.as_ref()) {
            let _ = write!(text, ", and one that {} {:.3}", cell(&best.policy), best.score);
        }
        text.push_str(".\n\n");
    }
    if let Some(damage) = summary.damage.describe(summary.trials) {
        let _ = writeln!(text, "**Damaged:** {}.\n", cell(&damage));
    }
    if let Some(found) = &summary.grades {
        grades(text, found);
    }
    if let Some(found) = &summary.tiers {
        tiers(text, found);
    }
    rates(text, "dimension", &summary.dimensions);
    rates(text, "scorer", &summary.scorers);
    table::write(text, &tables::losses(summary, &NoLinks), usize::MAX);
    if let Some(opinion) = &summary.second_opinion {
        let (different, compared) = (opinion.different(), opinion.compared);
        let _ = write!(text, "A judge differs from the rules in {different} of {compared} trials");
        for (who, trials) in opinion.lists().into_iter().filter(|(_, trials)| !trials.is_empty()) {
            let names: Vec<String> = trials.iter().map(|trial| cell(&trial.to_string())).collect();
            let _ = write!(text, "; right {who}: {}", names.join(", "));
        }
        text.push_str(".\n\n");
    }
    if !summary.unscored.is_empty() {
        let reasons = summary.unscored.iter().map(|(reason, n)| format!("{n} {}", cell(reason)));
        let reasons: Vec<String> = reasons.collect();
        let _ = writeln!(text, "Unscored: {}.\n", reasons.join(", "));
        for advice in summary.unscored.keys().filter_map(|reason| advice(reason)) {
            let _ = writeln!(text, "({advice}.)\n");
        }
    }
    times(text, run);
    for (tag, values) in &summary.tags {
        // Grades have a table by category of their own.
        if tag == CATEGORY && summary.grades.is_some() {
            continue;
        }
        let _ = writeln!(text, "<details><summary>by {}</summary>\n", cell(tag));
        rates(text, "value", values);
        text.push_str("</details>\n\n");
    }
}

fn grades(text: &mut String, grades: &Grades) {
    let _ = writeln!(text, "Grade {}.\n", cell(&grades.line()));
    table::write(text, &tables::categories(grades), usize::MAX);
    let lost = tables::questions(grades, &NoLinks);
    if !lost.rows.is_empty() {
        let all = lost.rows.len();
        let _ = writeln!(text, "<details><summary>questions that do not pass: {all}</summary>\n");
        table::write(text, &lost, MOST_ROWS);
        text.push_str("</details>\n\n");
    }
}

fn tiers(text: &mut String, tiers: &Tiers) {
    table::write(text, &tables::figures(tiers), usize::MAX);
    let kinds = tables::disagreements(tiers);
    for kind in &kinds {
        let _ = writeln!(text, "- {}", kind.line(cell));
    }
    text.push_str(if kinds.is_empty() { "" } else { "\n" });
    table::write(text, &tables::failure_patterns(tiers), usize::MAX);
}

fn rates<'a>(
    text: &mut String,
    heading: &str,
    rates: impl IntoIterator<Item = (&'a String, &'a Rate)>,
) {
    table::write(text, &tables::rates(heading, rates, |_| None), MOST_ROWS);
}

fn times(text: &mut String, run: &ReportedRun) {
    let Some(total) = run.summary.latency.total else { return };
    let curve = run.times.as_ref().map(Distribution::sparkline).unwrap_or_default();
    let _ = writeln!(
        text,
        "Latency {curve} p50 {}, p90 {}, p95 {}, p99 {}.\n",
        seconds(total.p50),
        seconds(total.p90),
        seconds(total.p95),
        seconds(total.p99)
    );
}
