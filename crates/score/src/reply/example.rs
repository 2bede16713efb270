//! A right answer in the fewest words, so that a suite can be checked against its own facts.

use std::sync::Arc;

use toolgauge_core::{Candidates, ExpectedFact, Members, WorldThing, english};

use super::words::date;

/// What a subject might say that knows these facts.
pub fn example_answer(facts: &[ExpectedFact], things: &[Arc<WorldThing>]) -> String {
    let mut facts: Vec<&ExpectedFact> = facts.iter().collect();
    // What is said at the head of an answer comes first.
    facts.sort_by_key(|fact| !matches!(fact, ExpectedFact::Truth { .. }));
    let said: Vec<String> = facts.into_iter().map(|fact| sentence(fact, things)).collect();
    said.join(" ").trim().to_owned()
}

fn sentence(fact: &ExpectedFact, things: &[Arc<WorldThing>]) -> String {
    match fact {
        ExpectedFact::Truth { truth: true, .. } => "Yes, that is so.".into(),
        ExpectedFact::Truth { truth: false, .. } => "No, that is not so.".into(),
        ExpectedFact::Number { number, unit, about, .. } => {
            let label = about.first().map_or("It", String::as_str);
            let unit = unit.as_deref().unwrap_or_default();
            format!("{label} is {number} {unit}.").replace(" .", ".")
        }
        ExpectedFact::Date { date: text, about, .. } => {
            let label = about.first().map_or("It", String::as_str);
            format!("{label} is {}.", written(text))
        }
        ExpectedFact::Time { time, .. } => format!("It is {time}."),
        ExpectedFact::One { one, .. } => format!("{}.", one.first().map_or("", String::as_str)),
        ExpectedFact::Set { set, of } => names(set, of, things),
        ExpectedFact::Phrase { phrase, .. } => {
            phrase.first().map(|words| format!("{words}.")).unwrap_or_default()
        }
        ExpectedFact::Refusal { about } => {
            format!("Sorry, I cannot do that: {}.", about.first().map_or("", String::as_str))
        }
        ExpectedFact::Unknown { about } => {
            format!("That is not recorded: {}.", about.first().map_or("", String::as_str))
        }
        ExpectedFact::Question { about } => {
            format!("Which {} do you mean?", about.first().map_or("one", String::as_str))
        }
        ExpectedFact::SmallTalk => "You are welcome.".into(),
        ExpectedFact::AnyOf(ways) => {
            ways.first().map(|way| sentence(way, things)).unwrap_or_default()
        }
    }
}

/// A date in words.
fn written(text: &str) -> String {
    let Some(date) = date(text) else { return text.to_owned() };
    let month = date.month.and_then(|month| english::MONTHS.get(month as usize - 1));
    let year = date.year.unwrap_or_default();
    match (month, date.day) {
        (Some(month), Some(day)) => format!("{day} {month} {year}"),
        (Some(month), None) => format!("{month} {year}"),
        _ => year.to_string(),
    }
}

fn names(set: &Members, of: &Candidates, things: &[Arc<WorldThing>]) -> String {
    let names: Vec<String> = match set {
        Members::Listed(listed) => {
            listed.iter().filter_map(|names| names.first().cloned()).collect()
        }
        Members::Picked(properties) => {
            let is_candidate = |thing: &&WorldThing| match of {
                Candidates::Picked(kind) => thing.has(kind),
                _ => true,
            };
            let picked = things
                .iter()
                .map(|thing| &**thing)
                .filter(is_candidate)
                .filter(|thing| thing.has(properties));
            picked.filter_map(|thing| thing.names.first().cloned()).collect()
        }
    };
    if names.is_empty() { "None of them, no.".into() } else { format!("{}.", names.join(" and ")) }
}
