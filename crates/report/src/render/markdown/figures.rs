//! The figures of a run, folded away under the decision.

use std::fmt::Write;

use super::escape::cell;
use super::run_words::subject;
use super::table;
use crate::document::ReportedRun;
use crate::grades::{CATEGORY, Grades};
use crate::number::{counted, seconds};
use crate::rate::Rate;
use crate::render::chart::Distribution;
use crate::render::html::NoLinks;
use crate::render::tables;
use crate::standing::GRADED_SCORER;
use crate::summary::Summary;
use crate::tiers::Tiers;

/// How many values of a tag and how many measures are listed.
const MOST_ROWS: usize = 20;

/// All that is known beside the decision.
pub(super) fn figures(text: &mut String, run: &ReportedRun) {
    let summary = &run.summary;
    let name = cell(&subject(summary));
    let _ = writeln!(text, "<details><summary>Figures of {name}</summary>\n");
    floors(text, summary);
    if let Some(found) = &summary.grades {
        grades(text, found, summary.other_scorer_than_grades().is_some());
    }
    if let Some(found) = &summary.tiers {
        tiers(text, found);
    }
    rates(text, "dimension", &summary.dimensions);
    rates(text, "scorer", &summary.scorers);
    table::write(text, &tables::losses(summary, &NoLinks), usize::MAX);
    table::write(text, &tables::confusions(summary), usize::MAX);
    table::write(text, &tables::violations(summary), usize::MAX);
    if let Some(words) = summary.tool_tokens.words() {
        let _ = writeln!(text, "Tokens of tools, estimated: {words}.\n");
    }
    if let Some(opinion) = &summary.second_opinion {
        let (different, compared) = (opinion.different(), counted(opinion.compared, "trial"));
        let _ = write!(text, "A judge differs from the rules in {different} of {compared}");
        for (who, trials) in opinion.lists().into_iter().filter(|(_, trials)| !trials.is_empty()) {
            let names: Vec<String> = trials.iter().map(|trial| cell(&trial.to_string())).collect();
            let _ = write!(text, "; right {who}: {}", names.join(", "));
        }
        text.push_str(".\n\n");
    }
    times(text, run);
    for (tag, values) in &summary.tags {
        // Grades have a table by category of their own.
        if tag == CATEGORY && summary.grades.is_some() {
            continue;
        }
        rates(text, tag, values);
    }
    text.push_str("</details>\n\n");
}

/// What a subject without skill would score.
fn floors(text: &mut String, summary: &Summary) {
    let Some((floor, policy)) = summary.floor_policy() else { return };
    let _ = write!(text, "Scored by {}. ", cell(&summary.scorer));
    let _ = write!(text, "A subject that {} scores {floor:.3}", cell(policy));
    if let Some(best) = summary.floors.as_ref().and_then(|floors| floors.with_calls.as_ref()) {
        let _ = write!(text, ", and one that {} {:.3}", cell(&best.policy), best.score);
    }
    text.push_str(".\n\n");
}

fn grades(text: &mut String, grades: &Grades, names_scorer: bool) {
    let by = if names_scorer { format!(" by {GRADED_SCORER}") } else { String::new() };
    let _ = writeln!(text, "Grade{by} {}.\n", cell(&grades.line()));
    table::write(text, &tables::categories(grades), usize::MAX);
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
