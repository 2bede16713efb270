//! What a run took, and what was odd about it: time, tokens, repetition, unscored trials.

use maud::{Markup, html};

use super::links::Links;
use super::text::{linked, name};
use crate::number::{count, counted, seconds};
use crate::summary::{Percentiles, Summary};
use crate::unscored::advice;

/// Percentiles of the parts of a trial's time; nothing if no time is known.
pub fn latency(summary: &Summary) -> Markup {
    let times = &summary.latency;
    let parts = [
        ("whole trial", times.total),
        ("first token", times.first_token),
        ("waiting in line", times.queued),
    ];
    let parts: Vec<(&str, Percentiles)> =
        parts.into_iter().filter_map(|(name, found)| Some((name, found?))).collect();
    html! {
        @if !parts.is_empty() {
            div.scroll tabindex="0" role="group" aria-label={ "Percentiles of times" } {
                table {
                    caption.unseen { "Percentiles of times" }
                    thead {
                        tr {
                            th scope="col" { "time" }
                            @for head in ["p50", "p90", "p95", "p99"] {
                                th.number scope="col" { (head) }
                            }
                        }
                    }
                    tbody {
                        @for (part, found) in parts {
                            tr {
                                th scope="row" { (part) }
                                @for value in [found.p50, found.p90, found.p95, found.p99] {
                                    td.number { (seconds(value)) }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Tokens, speed, cost and retries; nothing if none is known.
pub fn tokens(summary: &Summary) -> Markup {
    let usage = summary.usage;
    let mut rows: Vec<(&str, String)> = Vec::new();
    let counts = [
        ("read", usage.input),
        ("of those from a cache", usage.cached.filter(|cached| *cached > 0)),
        ("written", usage.output),
        ("of those reasoning", usage.reasoning.filter(|reasoning| *reasoning > 0)),
    ];
    rows.extend(counts.into_iter().filter_map(|(name, found)| Some((name, count(found?)))));
    let speeds =
        [("read a second", summary.speed.prompt), ("written a second", summary.speed.generated)];
    rows.extend(
        speeds.into_iter().filter_map(|(name, found)| Some((name, format!("{:.1}", found?)))),
    );
    if summary.retries > 0 {
        rows.push(("tries beyond the first", count(summary.retries)));
    }
    facts("Tokens", &rows)
}

/// What repeated trials promise; nothing when each case was run once.
pub fn reliability(summary: &Summary) -> Markup {
    let flipped = summary.flipped;
    html! {
        @if !summary.reliability.is_empty() {
            div.scroll tabindex="0" role="group" aria-label={ "What k trials of a case promise" } {
                table {
                    caption.unseen { "What k trials of a case promise" }
                    thead {
                        tr {
                            th.number scope="col" { "trials k" }
                            th.number scope="col" { abbr title="all k trials are right" { "pass^k" } }
                            th.number scope="col" {
                                abbr title="at least one of k trials is right" { "pass@k" }
                            }
                        }
                    }
                    tbody {
                        @for point in &summary.reliability {
                            tr {
                                th.number scope="row" { (point.k) }
                                td.number { (format!("{:.3}", point.all)) }
                                td.number { (format!("{:.3}", point.any)) }
                            }
                        }
                    }
                }
            }
            p { (flipped.flipped) " of " (counted(flipped.cases, "case")) " flip between trials." }
        }
    }
}

/// Why trials could not be scored; nothing if all could.
pub fn unscored(summary: &Summary, links: &dyn Links) -> Markup {
    html! {
        @if !summary.unscored.is_empty() {
            div.scroll tabindex="0" role="group" aria-label={ "Unscored trials by reason" } {
                table.sortable {
                    caption.unseen { "Unscored trials by reason" }
                    thead {
                        tr { th scope="col" { "unscored" } th.number scope="col" { "trials" } }
                    }
                    tbody {
                        @for (reason, trials) in &summary.unscored {
                            tr {
                                th scope="row" { (linked(links.unscored(reason), &name(reason))) }
                                td.number data-sort=(trials) { (count(*trials as u64)) }
                            }
                        }
                    }
                }
            }
            @for advice in summary.unscored.keys().filter_map(|reason| advice(reason)) {
                p { (advice) "." }
            }
        }
    }
}

/// What was odd about the answers; nothing if nothing was.
pub fn oddities(summary: &Summary) -> Markup {
    let rows: Vec<(&str, String)> = summary
        .oddities
        .iter()
        .map(|(oddity, trials)| (oddity.as_str(), count(*trials as u64)))
        .collect();
    facts("Oddities", &rows)
}

fn facts(caption: &str, rows: &[(&str, String)]) -> Markup {
    html! {
        @if !rows.is_empty() {
            div.scroll tabindex="0" role="group" aria-label={ (caption) } {
                table.facts {
                    caption.unseen { (caption) }
                    tbody {
                        @for (fact, value) in rows {
                            tr { th scope="row" { (name(fact)) } td.number { (value) } }
                        }
                    }
                }
            }
        }
    }
}
