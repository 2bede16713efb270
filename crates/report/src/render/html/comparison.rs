//! Two runs compared: the difference, what may be said of it, and where it comes from.

use maud::{Markup, html};

use super::figure_table::{captioned, figure_table};
use super::links::Links;
use super::table::{Cell, Table};
use super::text::{badge, linked, name, part};
use crate::compare::{
    Caution, Comparison, Difference, DifferenceVerdict, Flip, Flips, LossChange, SideFacts,
    described, p_value, signed,
};
use crate::number::{count, counted, estimate};
use crate::render::chart;
use crate::render::tables;
use crate::render::tone::Tone;

/// Everything a comparison says: the verdict, the cases that changed, then the figures. The page
/// gives the chart a name of its own.
pub fn comparison(comparison: &Comparison, links: &dyn Links, chart_name: &str) -> Markup {
    html! {
        (comparison_verdict(comparison, links))
        (part("Cases that changed", &flips(comparison, links)))
        (comparison_figures(comparison, chart_name))
    }
}

/// Which runs are compared, what may be said of them, and how many cases changed.
pub fn comparison_verdict(comparison: &Comparison, links: &dyn Links) -> Markup {
    html! {
        (sides(comparison, links))
        (verdict(comparison))
        (cautions(&comparison.cautions))
        (flip_counts(&comparison.flips))
    }
}

/// The differences in every dimension, slice and amount.
pub fn comparison_figures(comparison: &Comparison, chart_name: &str) -> Markup {
    let chart = chart::differences(comparison);
    // What never happened on either side is not worth a line.
    let happened = |(_, found): &(&String, &Difference)| found.a.mean > 0.0 || found.b.mean > 0.0;
    html! {
        @if let Some(chart) = chart { (chart.figure(chart_name)) }
        (part("Dimensions", &difference_table("dimension", &comparison.dimensions)))
        (part("Further scorers", &difference_table("scorer", &comparison.scorers)))
        (part("Measures", &difference_table("measure", comparison.measures.iter().filter(happened))))
        @for (tag, values) in &comparison.slices {
            (part(&format!("By {tag}"), &difference_table("value", values)))
        }
        (part("Where points were lost", &loss_changes(&comparison.losses)))
        (part("Time and tokens", &amount_changes(comparison)))
    }
}

fn sides(comparison: &Comparison, links: &dyn Links) -> Markup {
    let side = |letter: &str, side: &SideFacts| {
        html! { li { b { (letter) } " " (linked(links.run(letter), &name(&described(side)))) } }
    };
    html! { ul.sides { (side("A", &comparison.a)) (side("B", &comparison.b)) } }
}

/// What else differs between two runs; nothing if nothing does.
pub fn cautions(cautions: &[Caution]) -> Markup {
    html! {
        @if !cautions.is_empty() {
            ul.cautions {
                @for caution in cautions {
                    li { (badge(Tone::Caution, "caution")) " " (name(&caution.message)) }
                }
            }
        }
    }
}

/// The verdict as a badge of a word or two.
pub fn verdict_badge(verdict: &DifferenceVerdict) -> Markup {
    badge(verdict.tone(), verdict.word())
}

fn verdict(comparison: &Comparison) -> Markup {
    html! {
        p.verdict {
            (verdict_badge(&comparison.verdict))
            @if let Some(more) = comparison.verdict_detail() { " " (name(&more)) }
        }
        @if let Some(score) = &comparison.score { (score_facts(comparison, score)) }
    }
}

fn score_facts(comparison: &Comparison, score: &Difference) -> Markup {
    let difference = [
        format!("{} {}", signed(score.difference).trim(), interval(score)),
        p_value(score.p_value),
        score.test.words().to_owned(),
    ];
    let mut facts = vec![
        ("A", estimate(&score.a)),
        ("B", estimate(&score.b)),
        ("B − A", difference.join(", ")),
    ];
    if let Some(right) = &comparison.right {
        let change = format!("{} {}", signed(right.difference).trim(), interval(right));
        let means = format!("{:.3} in A, {:.3} in B", right.a.mean, right.b.mean);
        facts.push(("all right", format!("{means}: {change}")));
    }
    if let Some(probability) = score.probability_better {
        facts.push(("Bayes", format!("B is better with probability {probability:.3}")));
    }
    facts.push(("compared", compared(comparison)));
    let facts = facts.into_iter().map(|(fact, value)| [Cell::of(fact), Cell::of(value)]);
    Table::facts("The score on both sides").rows(facts)
}

fn compared(comparison: &Comparison) -> String {
    let shared = &comparison.shared;
    let words = shared.words();
    if shared.left_out_a + shared.left_out_b == 0 {
        return words;
    }
    let (a, b) = (shared.left_out_a, shared.left_out_b);
    format!("{words}; left out: {a} of A, {b} of B")
}

fn interval(difference: &Difference) -> String {
    let shown = |value: f64| signed(value).trim().to_owned();
    let found = difference.interval();
    found.map_or_else(String::new, |found| format!("[{}, {}]", shown(found.low), shown(found.high)))
}

/// A table of differences with bars on one scale; nothing if there are none.
pub fn difference_table<'a>(
    heading: &str,
    differences: impl IntoIterator<Item = (&'a String, &'a Difference)>,
) -> Markup {
    figure_table(&tables::differences(heading, differences))
}

/// Where points were lost before and after; nothing if none were.
pub fn loss_changes(losses: &[LossChange]) -> Markup {
    figure_table(&tables::loss_changes(losses))
}

/// Time, tokens and cost on both sides; nothing if none is known on both.
pub fn amount_changes(comparison: &Comparison) -> Markup {
    figure_table(&tables::amount_changes(comparison))
}

/// How many cases flipped, and how many did not. None of a kind is nothing to point at.
fn flip_counts(flips: &Flips) -> Markup {
    let counted = |tone: Tone, words: &str, cases: usize| {
        let tone = if cases == 0 { Tone::Plain } else { tone };
        html! { span { (badge(tone, words)) " " (count(cases as u64)) } " " }
    };
    html! {
        p.flip-counts {
            (counted(Tone::Good, "fixed", flips.fixed))
            (counted(Tone::Bad, "broken", flips.broken))
            (counted(Tone::Plain, "still pass", flips.still_pass))
            (counted(Tone::Plain, "still fail", flips.still_fail))
            @if flips.wavering > 0 { (counted(Tone::Caution, "waver", flips.wavering)) }
        }
    }
}

/// The cases that flipped, the broken ones first; nothing if none did.
pub fn flips(comparison: &Comparison, links: &dyn Links) -> Markup {
    let flips = &comparison.flips;
    html! {
        (flip_table((Tone::Bad, "broken"), flips.broken, &flips.broken_cases, links))
        (flip_table((Tone::Good, "fixed"), flips.fixed, &flips.fixed_cases, links))
    }
}

fn flip_table(
    (tone, kind): (Tone, &'static str),
    all: usize,
    cases: &[Flip],
    links: &dyn Links,
) -> Markup {
    let caption = html! { (badge(tone, kind)) " " (counted(all, "case")) };
    html! {
        (captioned(&tables::flips(kind, cases, links), Some(caption)))
        @if !cases.is_empty() && all > cases.len() { p.left-out { "and " (all - cases.len()) " more" } }
    }
}
