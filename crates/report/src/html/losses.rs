//! Where the points went.

use maud::{Markup, html};

use super::bar::share_bar;
use super::links::Links;
use super::text::linked;
use crate::number::count;
use crate::summary::Summary;

/// The causes of lost points, the costliest first; nothing if no point was lost.
pub fn losses(summary: &Summary, links: &dyn Links) -> Markup {
    let all: f64 = summary.losses.iter().map(|loss| loss.points).sum();
    let share = |points: f64| if all > 0.0 { points / all } else { 0.0 };
    html! {
        @if !summary.losses.is_empty() {
            div.scroll tabindex="0" role="group" aria-label={ "Lost points by cause" } {
                table.sortable {
                    caption.unseen { "Lost points by cause" }
                    thead {
                        tr {
                            th scope="col" { "lost by" }
                            th.number scope="col" { "times" }
                            th.number scope="col" { "points" }
                            th.number scope="col" { "share" }
                            th.bar-column scope="col" { span.unseen { "as a bar" } }
                        }
                    }
                    tbody {
                        @for loss in &summary.losses {
                            tr {
                                th scope="row" {
                                    (linked(links.cause(loss.cause), &html! { (loss.cause.words()) }))
                                }
                                td.number data-sort=(loss.count) { (count(loss.count as u64)) }
                                td.number data-sort=(format!("{:.6}", loss.points)) {
                                    (format!("{:.2}", loss.points))
                                }
                                td.number { (format!("{:.0} %", share(loss.points) * 100.0)) }
                                td.bar-column { (share_bar(share(loss.points))) }
                            }
                        }
                    }
                }
            }
        }
    }
}
