//! The headline figures of a run as cards.

use maud::{Markup, html};

use super::bar::rate_bar;
use super::grades::grade_tone;
use super::text::{badge, name};
use crate::grades::{Grades, Marks};
use crate::number::{count, counted, interval, seconds};
use crate::rate::Rate;
use crate::render::tone::Tone;
use crate::summary::Summary;

/// One figure with what it means.
#[derive(Clone, Debug)]
pub struct Card {
    /// What it is.
    pub title: String,
    /// The figure.
    pub value: String,
    /// A line below it.
    pub note: String,
    /// The rate behind it, drawn as a bar.
    pub rate: Option<Rate>,
    /// Whether it deserves attention.
    pub tone: Tone,
}

impl Card {
    /// A card of words alone.
    pub fn new(
        title: impl Into<String>,
        value: impl Into<String>,
        note: impl Into<String>,
    ) -> Self {
        let (title, value, note) = (title.into(), value.into(), note.into());
        Self { title, value, note, rate: None, tone: Tone::Plain }
    }

    /// A card of a rate with its interval.
    pub fn rate(title: impl Into<String>, rate: &Rate) -> Self {
        // An interval stays in one line.
        let interval = interval(rate.low, rate.high).replace(' ', "\u{a0}");
        let note = format!("95\u{a0}% interval {interval}");
        Self { rate: Some(*rate), ..Self::new(title, format!("{:.3}", rate.mean), note) }
    }

    /// The same card, with a tone.
    #[must_use]
    pub fn toned(mut self, tone: Tone) -> Self {
        self.tone = tone;
        self
    }
}

/// Cards side by side.
pub fn cards(cards: &[Card]) -> Markup {
    html! {
        dl.cards {
            @for card in cards {
                div class={ "card " (card.tone.class()) } {
                    dt { (name(&card.title)) }
                    dd.figure { (name(&card.value)) }
                    @if let Some(rate) = &card.rate { dd { (rate_bar(rate)) } }
                    @if !card.note.is_empty() { dd.note { (name(&card.note)) } }
                }
            }
        }
    }
}

/// The headline figures of a run.
pub fn score_cards(summary: &Summary) -> Markup {
    let mut found = vec![score(summary)];
    found.extend(summary.grades.as_ref().and_then(grade));
    if let (Some(right), Some(score)) = (&summary.right, &summary.score)
        && right != score
    {
        found.push(Card::rate("All right", right));
    }
    if let Some((floor, policy)) = summary.floor_policy() {
        found.push(Card::new("Floor", format!("{floor:.3}"), format!("a subject that {policy}")));
    }
    if let Some(best) = summary.floors.as_ref().and_then(|floors| floors.with_calls.as_ref()) {
        let note = format!("a subject that {}", best.policy);
        found.push(Card::new("Right calls, empty words", format!("{:.3}", best.score), note));
    }
    found.push(trials(summary));
    if !summary.unscored.is_empty() {
        let total: usize = summary.unscored.values().sum();
        let note = "not counted as wrong; the reasons are below";
        found.push(Card::new("Unscored", count(total as u64), note).toned(Tone::Caution));
    }
    if let Some(total) = summary.latency.total {
        let note = format!("median; p95 {}", seconds(total.p95));
        found.push(Card::new("Latency", seconds(total.p50), note));
    }
    if let Some(cost) = summary.cost {
        found.push(Card::new("Cost", format!("{cost:.4}"), "all trials together"));
    }
    cards(&found)
}

fn score(summary: &Summary) -> Card {
    match &summary.score {
        Some(score) => {
            let mut card = Card::rate("Score", score);
            if !summary.scorer.is_empty() {
                card.note = format!("{} · {}", card.note, summary.scorer);
            }
            card
        }
        None => Card::new("Score", "none", "no trial could be scored").toned(Tone::Caution),
    }
}

fn grade(grades: &Grades) -> Option<Card> {
    let Marks { grade, passed, partial, failed, .. } = &grades.overall;
    let note = format!("{passed} pass, {partial} partial, {failed} fail");
    let card = Card::new("Grade", grade.as_ref()?.letter().to_string(), note);
    Some(card.toned(grade_tone((*grade)?)))
}

fn trials(summary: &Summary) -> Card {
    let cases = summary.score.map(|score| format!("of {}", counted(score.cases, "scored case")));
    let shown = count(summary.trials as u64);
    if summary.trials == summary.planned {
        return Card::new("Trials", shown, cases.unwrap_or_default());
    }
    let note = format!("of {} planned: unfinished", count(summary.planned as u64));
    Card::new("Trials", shown, note).toned(Tone::Caution)
}

/// A run's name: suite, subject, variant.
pub fn title(summary: &Summary) -> Markup {
    html! {
        span.suite { (name(&summary.suite.name)) }
        @if let Some(version) = &summary.suite.version { " " span.version { "version " (name(version)) } }
        " · " span.subject { (name(&summary.subject.name)) }
        @if let Some(variant) = &summary.variant { " · " span.variant { (name(variant)) } }
        @if summary.trials != summary.planned { " " (badge(Tone::Caution, "unfinished")) }
    }
}
