//! Two runs compared: the difference, what may be said of it, and where it comes from.

use maud::{Markup, html};

use super::bar::difference_bar;
use super::links::Links;
use super::text::{Tone, badge, linked, name};
use crate::compare::{
    Caution, Comparison, Difference, Flip, LossChange, SideFacts, Verdict, amount_word, bare_p,
    described, p_value, shown_amount, signed, signed_amount, signed_to,
};
use crate::harmless;
use crate::number::{count, counted, estimate};

/// Everything a comparison says, from the verdict to the flipped cases.
pub fn comparison(comparison: &Comparison, links: &dyn Links) -> Markup {
    html! {
        (sides(comparison))
        (cautions(&comparison.cautions))
        (verdict(comparison))
        (difference_table("dimension", &comparison.dimensions))
        (difference_table("scorer", &comparison.scorers))
        (difference_table("measure", &comparison.measures))
        @for (tag, values) in &comparison.slices {
            section.slice { h3 { (name(tag)) } (difference_table("value", values)) }
        }
        (loss_changes(&comparison.losses))
        (amount_changes(comparison))
        (flips(comparison, links))
    }
}

fn sides(comparison: &Comparison) -> Markup {
    let side = |letter: &str, side: &SideFacts| {
        html! { li { b { (letter) } " " (name(&described(side))) } }
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
pub fn verdict_badge(verdict: &Verdict) -> Markup {
    let (tone, words) = match verdict {
        Verdict::Better => (Tone::Good, "better"),
        Verdict::Worse => (Tone::Bad, "worse"),
        Verdict::Equivalent { .. } => (Tone::Good, "equivalent"),
        Verdict::NoDifferenceShown => (Tone::Plain, "no difference shown"),
        Verdict::Inconclusive { .. } => (Tone::Caution, "inconclusive"),
    };
    badge(tone, words)
}

fn verdict(comparison: &Comparison) -> Markup {
    let shared = &comparison.shared;
    html! {
        p.verdict { (verdict_badge(&comparison.verdict)) " " (name(&comparison.verdict_words())) }
        @if let Some(score) = &comparison.score {
            div.scroll tabindex="0" role="group" aria-label={ "The score on both sides" } {
                table.facts {
                    caption.unseen { "The score on both sides" }
                    tbody {
                        tr { th scope="row" { "A" } td { (estimate(&score.a)) } }
                        tr { th scope="row" { "B" } td { (estimate(&score.b)) } }
                        tr {
                            th scope="row" { "B − A" }
                            td {
                                (signed(score.difference).trim()) " "
                                (interval(score)) ", " (p_value(score.p_value)) ", "
                                (score.test.words())
                            }
                        }
                        @if let Some(right) = &comparison.right {
                            tr {
                                th scope="row" { "all right" }
                                td {
                                    (format!("{:.3} → {:.3}: ", right.a.mean, right.b.mean))
                                    (signed(right.difference).trim()) " " (interval(right))
                                }
                            }
                        }
                        @if let Some(probability) = score.probability_better {
                            tr {
                                th scope="row" { "Bayes" }
                                td { "B is better with probability " (format!("{probability:.3}")) }
                            }
                        }
                        tr {
                            th scope="row" { "compared" }
                            td {
                                (counted(shared.trials, "trial")) " of "
                                (counted(shared.cases, "shared case"))
                                @if shared.left_out_a + shared.left_out_b > 0 {
                                    "; left out: " (shared.left_out_a) " of A, "
                                    (shared.left_out_b) " of B"
                                }
                            }
                        }
                    }
                }
            }
        }
    }
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
    let differences: Vec<_> = differences.into_iter().collect();
    let ends = differences.iter().flat_map(|(_, found)| {
        [Some(found.difference), found.low, found.high].into_iter().flatten().map(f64::abs)
    });
    let scale = ends.fold(0.05, f64::max);
    html! {
        @if !differences.is_empty() {
            div.scroll tabindex="0" role="group" aria-label={ "Differences by " (harmless::line(heading)) } {
                table.sortable {
                    caption.unseen { "Differences by " (name(heading)) }
                    thead {
                        tr {
                            th scope="col" { (name(heading)) }
                            @for head in ["trials", "A", "B", "B − A"] {
                                th.number scope="col" { (head) }
                            }
                            th scope="col" { "95 % interval" }
                            th.number scope="col" { "p" }
                            th scope="col" { "shown" }
                            th.bar-column scope="col" { span.unseen { "as a bar around zero" } }
                        }
                    }
                    tbody {
                        @for (key, difference) in differences {
                            (difference_row(key, difference, scale))
                        }
                    }
                }
            }
        }
    }
}

fn difference_row(key: &str, found: &Difference, scale: f64) -> Markup {
    html! {
        tr {
            th scope="row" { (name(key)) }
            td.number data-sort=(found.pairs) { (count(found.pairs)) }
            td.number { (format!("{:.3}", found.a.mean)) }
            td.number { (format!("{:.3}", found.b.mean)) }
            td.number data-sort=(format!("{:.6}", found.difference)) {
                (signed(found.difference).trim())
            }
            td.interval { (interval(found)) }
            td.number data-sort=(format!("{:.6}", found.deciding_p_value())) {
                (bare_p(found.deciding_p_value()))
            }
            td {
                @match (found.is_shown(), found.difference > 0.0) {
                    (false, _) => "–",
                    (true, true) => (badge(Tone::Good, "better")),
                    (true, false) => (badge(Tone::Bad, "worse")),
                }
            }
            td.bar-column { (difference_bar(found.difference, found.low, found.high, scale)) }
        }
    }
}

/// Where points were lost before and after; nothing if none were.
pub fn loss_changes(losses: &[LossChange]) -> Markup {
    html! {
        @if !losses.is_empty() {
            div.scroll tabindex="0" role="group" aria-label={ "Lost points by cause on both sides" } {
                table.sortable {
                    caption.unseen { "Lost points by cause on both sides" }
                    thead {
                        tr {
                            th scope="col" { "lost by" }
                            @for head in ["times A", "times B", "points A", "points B", "change"] {
                                th.number scope="col" { (head) }
                            }
                        }
                    }
                    tbody {
                        @for loss in losses {
                            tr {
                                th scope="row" { (loss.cause.words()) }
                                td.number { (count(loss.count_a as u64)) }
                                td.number { (count(loss.count_b as u64)) }
                                td.number { (format!("{:.2}", loss.points_a)) }
                                td.number { (format!("{:.2}", loss.points_b)) }
                                td.number data-sort=(format!("{:.6}", loss.points_b - loss.points_a)) {
                                    (signed_to(2, loss.points_b - loss.points_a).trim())
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Time, tokens and cost on both sides; nothing if none is known on both.
pub fn amount_changes(comparison: &Comparison) -> Markup {
    html! {
        @if !comparison.amounts.is_empty() {
            div.scroll tabindex="0" role="group" aria-label={ "Time, tokens and cost on both sides" } {
                table {
                    caption.unseen { "Time, tokens and cost on both sides" }
                    thead {
                        tr {
                            th scope="col" { "amount" }
                            @for head in ["median A", "median B", "mean A", "mean B", "change", "p"] {
                                th.number scope="col" { (head) }
                            }
                            th scope="col" { "shown" }
                        }
                    }
                    tbody {
                        @for amount in &comparison.amounts {
                            tr {
                                th scope="row" { (amount.name) }
                                @for value in [amount.a.median, amount.b.median, amount.a.mean, amount.b.mean] {
                                    td.number { (shown_amount(amount.unit, value)) }
                                }
                                td.number { (signed_amount(amount.unit, amount.difference)) }
                                td.number { (bare_p(amount.adjusted_p_value)) }
                                td { (if amount.is_shown() { amount_word(amount) } else { "–" }) }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// The cases that flipped, the broken ones first.
pub fn flips(comparison: &Comparison, links: &dyn Links) -> Markup {
    let flips = &comparison.flips;
    html! {
        p.flip-counts {
            (badge(Tone::Good, "fixed")) " " (flips.fixed) " "
            (badge(Tone::Bad, "broken")) " " (flips.broken) " "
            (badge(Tone::Plain, "still pass")) " " (flips.still_pass) " "
            (badge(Tone::Plain, "still fail")) " " (flips.still_fail)
            @if flips.wavering > 0 { " " (badge(Tone::Caution, "waver")) " " (flips.wavering) }
        }
        (flip_table("broken", flips.broken, &flips.broken_cases, links))
        (flip_table("fixed", flips.fixed, &flips.fixed_cases, links))
    }
}

fn flip_table(kind: &str, all: usize, cases: &[Flip], links: &dyn Links) -> Markup {
    html! {
        @if !cases.is_empty() {
            div.scroll tabindex="0" role="group" aria-label={ "Cases that were " (kind) } {
                table.sortable {
                    caption.unseen { "Cases that were " (kind) }
                    thead {
                        tr {
                            th scope="col" { (kind) }
                            th.number scope="col" { "passed A" }
                            th.number scope="col" { "passed B" }
                            th scope="col" { "why it failed" }
                        }
                    }
                    tbody {
                        @for flip in cases {
                            tr {
                                th scope="row" {
                                    (linked(links.case(&flip.case), &name(flip.case.as_str())))
                                }
                                td.number { (flip.passed_a) "/" (flip.trials) }
                                td.number { (flip.passed_b) "/" (flip.trials) }
                                td { (name(&flip.reason)) }
                            }
                        }
                    }
                }
            }
            @if all > cases.len() { p.left-out { "and " (all - cases.len()) " more" } }
        }
    }
}
