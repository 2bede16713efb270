//! Places of an answer that no reply had: a pointer that leads nowhere says nothing, and whatever
//! it should have led to counts as missing.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use serde_json::Value;

use crate::quote::quote;

/// How many names are told of those that replies have.
const MOST_NAMES: usize = 8;

/// A place that was looked at in an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// What is looked for there: `tools`.
    name: &'static str,
    pointer: String,
    /// Whether it is in every good answer: somebody named it. Errors are not.
    is_expected: bool,
    /// What stands where it should be; `None` where it is.
    beside: Option<BTreeSet<String>>,
}

impl Place {
    /// Looks at a place.
    pub(super) fn of(name: &'static str, pointer: &str, is_expected: bool, answer: &Value) -> Self {
        let beside = answer.pointer(pointer).is_none().then(|| beside(pointer, answer));
        Self { name, pointer: pointer.to_owned(), is_expected, beside }
    }

    /// Whether it may be the pointer that is wrong.
    fn is_doubtful(&self) -> bool {
        // What nobody named may well be left out, unless it seems to have another name.
        let word = self.name.strip_suffix('s').unwrap_or(self.name);
        let seems = |name: &String| name.to_lowercase().contains(word);
        self.beside.as_ref().is_some_and(|names| self.is_expected || names.iter().any(seems))
    }
}

/// The names in the innermost object on the way to a pointer.
fn beside(pointer: &str, answer: &Value) -> BTreeSet<String> {
    let mut parent = pointer;
    let (parent, object) = loop {
        parent = parent.rsplit_once('/').map_or("", |(parent, _)| parent);
        match answer.pointer(parent) {
            Some(Value::Object(object)) => break (parent, object),
            _ if parent.is_empty() => return BTreeSet::new(),
            _ => {}
        }
    };
    let name =
        |key: &String| quote(&format!("{parent}/{}", key.replace('~', "~0").replace('/', "~1")));
    object.keys().take(MOST_NAMES).map(name).collect()
}

/// The places of all replies of a chatbot.
#[derive(Debug, Default)]
pub(super) struct SeenPlaces(Mutex<Seen>);

#[derive(Debug, Default)]
struct Seen {
    replies: usize,
    places: Vec<Place>,
}

impl SeenPlaces {
    /// Takes note of the places of one reply, which are the same ones in each.
    pub(super) fn note(&self, places: Vec<Place>) {
        if places.is_empty() {
            return;
        }
        let mut seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        seen.replies += 1;
        if seen.places.is_empty() {
            seen.places = places;
            return;
        }
        for (seen, place) in seen.places.iter_mut().zip(places) {
            match (&mut seen.beside, place.beside) {
                // Replies may have other names each time.
                (Some(names), Some(_)) if names.len() >= MOST_NAMES => {}
                (Some(names), Some(more)) => names.extend(more),
                (names, _) => *names = None,
            }
        }
    }

    /// What is said of places that no reply had.
    pub(super) fn doubts(&self) -> Vec<String> {
        let seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let told = |place: &Place| {
            let names = place.beside.iter().flatten().take(MOST_NAMES);
            let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
            let replies = match seen.replies {
                1 => "not in the only reply; it has".to_owned(),
                many => format!("in none of the {many} replies; they have"),
            };
            let names = if names.is_empty() { "no names".to_owned() } else { names.join(", ") };
            format!("`{}` ({}) was {replies} {names}", place.pointer, place.name)
        };
        seen.places.iter().filter(|place| place.is_doubtful()).map(told).collect()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn doubts(pointer: &str, is_expected: bool, answers: &[Value]) -> Vec<String> {
        let seen = SeenPlaces::default();
        for answer in answers {
            seen.note(vec![Place::of("tools", pointer, is_expected, answer)]);
        }
        seen.doubts()
    }

    #[test]
    fn a_place_is_doubted_that_no_reply_has() {
        let (one, other) = (json!({"a": {"b": 1}}), json!({"a": {"x": null, "c/d": 2}}));
        let words = "`/a/x/y` (tools) was in none of the 2 replies; \
                     they have `/a/b`, `/a/c~1d`, `/a/x`";
        assert_eq!(doubts("/a/x/y", true, &[one.clone(), other.clone()]), [words]);
        assert_eq!(doubts("/a/x", true, &[one, other]), [""; 0]);
    }

    #[test]
    fn what_nobody_named_is_doubted_where_it_seems_to_have_another_name() {
        assert_eq!(doubts("/tools_used", false, &[json!({"answer": ""})]), [""; 0]);
        let words = "`/tools_used` (tools) was not in the only reply; \
                     it has `/answer`, `/toolCalls`";
        assert_eq!(
            doubts("/tools_used", false, &[json!({"answer": "", "toolCalls": []})]),
            [words]
        );
    }
}
