//! Where a judge and the rules disagree about the words of an answer.

use maud::{Markup, html};

use super::links::Links;
use super::text::{linked, name};
use crate::number::counted;
use crate::summary::Summary;

/// The trials that a judge and the rules judge differently; nothing if no judge was asked.
pub fn second_opinion(summary: &Summary, links: &dyn Links) -> Markup {
    let Some(opinion) = &summary.second_opinion else { return html! {} };
    html! {
        p {
            "A judge and the rules differ about the words of " (opinion.different()) " of "
            (counted(opinion.compared, "trial")) "."
        }
        @for (who, trials) in opinion.lists() {
            @if !trials.is_empty() {
                p { "Right " (who) ":" }
                ul {
                    @for trial in trials {
                        li { (linked(links.case(&trial.case), &html! { (name(&trial.to_string())) })) }
                    }
                }
            }
        }
    }
}
