//! Several runs on the same cases: ranks, every pair, and who cannot be told apart.

use maud::{Markup, html};

use super::bar::{difference_bar, rate_bar};
use super::text::{Tone, badge, name};
use crate::compare::{Contender, ContestReport, bare_p, described, signed};
use crate::number::{counted, interval};
use crate::rate::Rate;

/// Everything a comparison of several runs says.
pub fn contest(contest: &ContestReport) -> Markup {
    let groups: Vec<String> = contest.groups.iter().map(|group| group.join(" ")).collect();
    html! {
        @for (letter, cautions) in &contest.cautions {
            ul.cautions {
                @for caution in cautions {
                    li {
                        (badge(Tone::Caution, "caution")) " A and " (letter) ": "
                        (name(&caution.message.replace("in B", &format!("in {letter}"))))
                    }
                }
            }
        }
        p { "Compared over " (counted(contest.cases, "case")) " that all of them have." }
        (ranks(contest))
        p { "Cannot be told apart: " (groups.join(" | ")) "." }
        (duels(contest))
    }
}

fn ranks(contest: &ContestReport) -> Markup {
    html! {
        div.scroll tabindex="0" role="group" aria-label={ "Runs by rank" } {
            table.sortable {
                caption.unseen { "Runs by rank" }
                thead {
                    tr {
                        th.number scope="col" { "rank" }
                        th scope="col" { "run" }
                        th.number scope="col" { "score" }
                        th scope="col" { "95 % interval" }
                        th scope="col" { "ranks" }
                        th.number scope="col" { "best" }
                        th.bar-column scope="col" { span.unseen { "as a bar" } }
                    }
                }
                tbody { @for contender in &contest.contenders { (rank_row(contender)) } }
            }
        }
    }
}

fn rank_row(contender: &Contender) -> Markup {
    let Contender { score: mean, low, high, best_rank, worst_rank, .. } = *contender;
    let rate = Rate { mean, low, high, trials: 0, cases: 0 };
    html! {
        tr {
            td.number { (contender.rank) }
            th scope="row" { b { (contender.letter) } " " (name(&described(&contender.run))) }
            td.number { (format!("{mean:.3}")) }
            td.interval { (interval(low, high)) }
            td {
                @if best_rank == worst_rank { (best_rank) } @else { (best_rank) "–" (worst_rank) }
            }
            td.number { (format!("{:.0} %", contender.probability_best * 100.0)) }
            td.bar-column { (rate_bar(&rate)) }
        }
    }
}

fn duels(contest: &ContestReport) -> Markup {
    let ends = contest.duels.iter().flat_map(|duel| [duel.low.abs(), duel.high.abs()]);
    let scale = ends.fold(0.05, f64::max);
    html! {
        div.scroll tabindex="0" role="group" aria-label={ "Every pair of runs" } {
            table.sortable {
                caption.unseen { "Every pair of runs" }
                thead {
                    tr {
                        th scope="col" { "pair" }
                        th.number scope="col" { "difference" }
                        th scope="col" { "95 % interval" }
                        th.number scope="col" { "p" }
                        th scope="col" { "told apart" }
                        th.bar-column scope="col" { span.unseen { "as a bar around zero" } }
                    }
                }
                tbody {
                    @for duel in &contest.duels {
                        tr {
                            th scope="row" { (duel.b) " − " (duel.a) }
                            td.number data-sort=(format!("{:.6}", duel.difference)) {
                                (signed(duel.difference).trim())
                            }
                            td.interval {
                                "[" (signed(duel.low).trim()) ", " (signed(duel.high).trim()) "]"
                            }
                            td.number { (bare_p(duel.adjusted_p_value)) }
                            td { (if duel.told_apart { "yes" } else { "no" }) }
                            td.bar-column {
                                (difference_bar(duel.difference, Some(duel.low), Some(duel.high), scale))
                            }
                        }
                    }
                }
            }
        }
    }
}
