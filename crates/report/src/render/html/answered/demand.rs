//! Everything a question demands of its answer, each with what was there and whether it was met.

use std::collections::HashSet;

use indexmap::IndexMap;
use maud::{Markup, html};
use serde_json::Value;
use toolgauge_core::{
    Cause, Dimension, ExpectedAnswer, Keyword, Loss, Measure, Message, Outcome, Score, Trial,
    Verdict as DimensionVerdict,
};

use super::super::icon::Icon;
use super::super::text::{marked, name};
use super::{MOST_ROWS, losses};
use crate::json_text::in_a_line;
use crate::number::{counted, seconds};
use crate::render::tone::Tone;

/// How many bytes of a value are shown, and how many words or claims are named in one place.
const MOST_OF_VALUE: usize = 400;
const MOST_NAMED: usize = 12;

/// How many demands of a kind are looked at, as a log may hold any number: one more than are
/// listed, which shows that there are more.
const MOST_OF_A_KIND: usize = MOST_ROWS + 1;

/// Something that was demanded, or that was there without being asked for.
pub(super) struct DemandRow {
    /// What the answer has to do.
    pub(super) what: &'static str,
    pub(super) expected: Markup,
    pub(super) found: Markup,
    pub(super) verdict: DemandVerdict,
}

/// Whether a demand was met, in a sign and in words.
pub(super) struct DemandVerdict {
    pub(super) tone: Tone,
    words: &'static str,
}

impl DemandVerdict {
    fn of(tone: Tone, words: &'static str) -> Self {
        Self { tone, words }
    }

    pub(super) fn mark(&self) -> Markup {
        let icon = match self.tone {
            Tone::Good => Icon::Tick,
            Tone::Bad => Icon::Cross,
            Tone::Caution | Tone::Plain => Icon::Dash,
        };
        marked(self.tone, icon, self.words)
    }
}

/// Every demand, in the order a person would ask: words, tools, documents, time, and claims that
/// nobody demanded.
pub(super) fn demands(answer: &ExpectedAnswer, trial: &Trial) -> Vec<DemandRow> {
    let words = answer.keywords.iter().take(MOST_OF_A_KIND);
    let mut demands: Vec<DemandRow> = words.map(|word| keyword(word, trial)).collect();
    if let Some(tools) = &answer.tools {
        demands.extend(used_tools(tools, trial));
    }
    demands.extend(documents(answer, trial));
    demands.extend(answer.seconds.map(|budget| in_time(budget, trial)));
    demands.extend(claims(trial));
    demands
}

fn keyword(keyword: &Keyword, trial: &Trial) -> DemandRow {
    let (what, met, unmet) = match keyword {
        Keyword::Text(_) | Keyword::AnyOf(_) => ("says", "said", "missing"),
        Keyword::Not(_) => ("does not say", "not said", "said"),
        Keyword::Regex(_) => ("fits the expression", "fits", "missing"),
    };
    let nothing = trial.transcript.final_text().trim().is_empty();
    let unmet = if nothing { "no answer" } else { unmet };
    let scores = trial.outcomes.iter().filter_map(|(name, outcome)| Some((name, outcome.score()?)));
    let written = serde_json::to_value(keyword).unwrap_or_default();
    let is_unmet =
        |score: &Score| score.losses.iter().any(|loss| is_about(loss, keyword, &written));
    // Every scorer that looks for keywords says how many it found.
    let mut judged = scores
        .filter(|(_, score)| score.measure(Measure::KeywordShare).is_some())
        .map(|(scorer, score)| (scorer, !is_unmet(score)));
    let Some((_, first)) = judged.next() else {
        return DemandRow {
            what,
            expected: keyword_words(keyword),
            found: html! {},
            verdict: DemandVerdict::of(Tone::Plain, "not judged"),
        };
    };
    let others = judged.filter(|(_, other)| *other != first).map(|(scorer, _)| scorer);
    let otherwise = if first { unmet } else { met };
    let found = html! {
        @for scorer in others { (otherwise) " by the scorer " code { (name(scorer)) } }
        @if let Some((similarity, said)) = nearest(keyword, trial).filter(|_| !first) {
            "likeness " (format!("{similarity:.2}")) ": " (name(said))
        }
    };
    let verdict = if first {
        DemandVerdict::of(Tone::Good, met)
    } else {
        DemandVerdict::of(Tone::Bad, unmet)
    };
    DemandRow { what, expected: keyword_words(keyword), found, verdict }
}

/// What is nearest to a keyword by its meaning, where that was measured.
fn nearest<'t>(keyword: &Keyword, trial: &'t Trial) -> Option<(f64, &'t str)> {
    let phrases = match keyword {
        Keyword::Text(text) => std::slice::from_ref(text),
        Keyword::AnyOf(texts) => texts,
        Keyword::Not(_) | Keyword::Regex(_) => &[],
    };
    let likeness = trial.transcript.background.likeness.iter();
    let own = likeness.filter(|likeness| phrases.contains(&likeness.keyword));
    let measured = own.filter_map(|likeness| Some((likeness.similarity?, likeness.said.as_str())));
    measured.max_by(|a, b| a.0.total_cmp(&b.0))
}

fn keyword_words(keyword: &Keyword) -> Markup {
    html! {
        @match keyword {
            Keyword::Text(text) | Keyword::Not(text) | Keyword::Regex(text) => code { (name(text)) },
            Keyword::AnyOf(texts) => {
                @for (place, text) in texts.iter().take(MOST_NAMED).enumerate() {
                    @if place > 0 { " or " }
                    code { (name(text)) }
                }
                (more_than_named(texts.len()))
            }
        }
    }
}

/// How many more there are than are named.
fn more_than_named(all: usize) -> Markup {
    html! { @if all > MOST_NAMED { " and " (all - MOST_NAMED) " more" } }
}

/// Whether a loss says that this keyword, which a suite writes so, was not met.
fn is_about(loss: &Loss, keyword: &Keyword, written: &Value) -> bool {
    match (loss.cause, keyword) {
        (Cause::ForbiddenKeyword, Keyword::Not(text)) => is_text(loss.actual.as_ref(), text),
        (Cause::MissingKeyword, Keyword::Text(text)) => is_text(loss.expected.as_ref(), text),
        (Cause::MissingKeyword, Keyword::AnyOf(_) | Keyword::Regex(_)) => {
            loss.expected.as_ref() == Some(written)
        }
        _ => false,
    }
}

fn is_text(value: Option<&Value>, text: &str) -> bool {
    value.and_then(Value::as_str) == Some(text)
}

/// The tools that were asked for, and those that were used besides.
fn used_tools(tools: &[String], trial: &Trial) -> Vec<DemandRow> {
    let wanted: HashSet<&str> = tools.iter().map(String::as_str).collect();
    let mut used: IndexMap<&str, usize> = IndexMap::new();
    for call in trial.transcript.calls().filter(|call| call.origin.is_structured()) {
        *used.entry(&call.name).or_default() += 1;
    }
    let cost = losses(trial);
    let lost = |cause: Cause, tool: &str| {
        cost.iter().any(|loss| loss.cause == cause && loss.tool.as_deref() == Some(tool))
    };
    let times = |tool: &str| used.get(tool).copied().unwrap_or(0);
    let asked = tools.iter().take(MOST_OF_A_KIND).map(|tool| DemandRow {
        what: "uses",
        expected: html! { code { (name(tool)) } },
        found: how_often(tool, times(tool), trial),
        verdict: match (times(tool), lost(Cause::MissingCall, tool)) {
            (0, _) | (_, true) => DemandVerdict::of(Tone::Bad, "not used"),
            _ => DemandVerdict::of(Tone::Good, "used"),
        },
    });
    let besides = used.keys().filter(|tool| !wanted.contains(*tool)).take(MOST_OF_A_KIND);
    let besides = besides.map(|tool| DemandRow {
        what: "uses",
        expected: html! {},
        found: html! { code { (name(tool)) } ", " (how_often(tool, times(tool), trial)) },
        verdict: if lost(Cause::ExtraCall, tool) {
            DemandVerdict::of(Tone::Bad, "not expected")
        } else {
            DemandVerdict::of(Tone::Plain, "not asked for")
        },
    });
    asked.chain(besides).collect()
}

fn how_often(tool: &str, times: usize, trial: &Trial) -> Markup {
    let failed = trial.transcript.messages.iter().filter(|message| match message {
        Message::Tool(answer) => answer.failed && answer.name == tool,
        _ => false,
    });
    let failed = failed.count();
    html! {
        @if times > 0 { (counted(times, "call")) }
        @if failed > 0 { ", " (failed) " failed" }
    }
}

/// The documents that were asked for, and those that were found besides.
fn documents(answer: &ExpectedAnswer, trial: &Trial) -> Vec<DemandRow> {
    let found = &trial.transcript.background.sources;
    let is_judged = judged(trial, "found").is_some();
    let cost = losses(trial);
    let asked = answer.documents.iter().take(MOST_OF_A_KIND).map(|(document, grade)| {
        let place =
            found.iter().position(|source| ExpectedAnswer::is_same_document(document, source));
        let missed = cost.iter().any(|loss| {
            loss.cause == Cause::MissedDocument && is_text(loss.expected.as_ref(), document)
        });
        DemandRow {
            what: "finds",
            expected: html! {
                code { (name(document)) }
                @if (grade - 1.0).abs() > f64::EPSILON { " relevance " (grade) }
            },
            found: html! { @if let Some(place) = place { "in place " (place + 1) } },
            verdict: match (place, is_judged) {
                (None, _) => DemandVerdict::of(Tone::Bad, "missed"),
                (Some(_), _) if missed => DemandVerdict::of(Tone::Bad, "too late"),
                (Some(_), true) => DemandVerdict::of(Tone::Good, "found"),
                (Some(_), false) => DemandVerdict::of(Tone::Plain, "not judged"),
            },
        }
    });
    let besides = cost.iter().filter(|loss| loss.cause == Cause::IrrelevantDocument);
    let besides = besides.filter_map(|loss| loss.actual.as_ref()?.as_str()).take(MOST_OF_A_KIND);
    let besides = besides.map(|document| DemandRow {
        what: "finds",
        expected: html! {},
        found: html! { code { (name(document)) } },
        verdict: DemandVerdict::of(Tone::Bad, "not relevant"),
    });
    asked.chain(besides).collect()
}

fn in_time(budget: f64, trial: &Trial) -> DemandRow {
    let score = judged(trial, "in_time");
    let spent = score.and_then(|(score, _)| score.measure(Measure::Seconds));
    DemandRow {
        what: "is there within",
        expected: html! { (seconds(budget)) },
        found: html! { @if let Some(spent) = spent { (seconds(spent)) } },
        verdict: match score.map(|(_, verdict)| verdict) {
            Some(DimensionVerdict::Correct) => DemandVerdict::of(Tone::Good, "in time"),
            Some(DimensionVerdict::Incorrect) => DemandVerdict::of(Tone::Bad, "too slow"),
            Some(DimensionVerdict::NotApplicable) | None => {
                DemandVerdict::of(Tone::Plain, "not judged")
            }
        },
    }
}

/// What a scorer said of a dimension, with the score it belongs to.
fn judged<'a>(trial: &'a Trial, dimension: &'static str) -> Option<(&'a Score, DimensionVerdict)> {
    let dimension = Dimension::named(dimension);
    let mut scores = trial.outcomes.values().filter_map(Outcome::score);
    scores.find_map(|score| Some((score, *score.dimensions.get(&dimension)?)))
}

/// What the answer claims and nothing supports: what contradicts something each on its own, the
/// rest together, as one answer may have hundreds of them.
fn claims(trial: &Trial) -> Vec<DemandRow> {
    let losses = losses(trial);
    let claims = |cause: Cause| {
        let of_cause = losses.iter().filter(move |loss| loss.cause == cause);
        of_cause.filter_map(|loss| Some((loss.actual.as_ref()?.as_str()?, loss.expected.as_ref())))
    };
    let contradicted = claims(Cause::ContradictedValue).map(|(claim, returned)| DemandRow {
        what: "claims",
        expected: html! {
            @if let Some(returned) = returned { code dir="auto" { (in_a_line(returned, MOST_OF_VALUE)) } }
        },
        found: html! { (name(claim)) },
        verdict: DemandVerdict::of(Tone::Bad, "contradicted"),
    });
    let mut demands: Vec<DemandRow> = contradicted.take(MOST_NAMED).collect();
    let unsupported: Vec<&str> = claims(Cause::UnsupportedClaim).map(|(claim, _)| claim).collect();
    if !unsupported.is_empty() {
        demands.push(DemandRow {
            what: "claims",
            expected: html! {},
            found: html! {
                @for (place, claim) in unsupported.iter().take(MOST_NAMED).enumerate() {
                    @if place > 0 { ", " }
                    (name(claim))
                }
                (more_than_named(unsupported.len()))
            },
            verdict: DemandVerdict::of(Tone::Bad, "unsupported"),
        });
    }
    demands
}
