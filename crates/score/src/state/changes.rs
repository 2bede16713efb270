//! What calls made of a world, beside what they should have made of it.

use indexmap::IndexSet;
use serde_json::Value;
use toolgauge_core::StateChange;

use super::difference::{losses, same};
use crate::end_states::{EndStates, Played};

impl EndStates {
    /// Every property that the calls changed or should have changed, those that they changed
    /// first. What should have been is told by the first accepted way that leads to the same end,
    /// else by the first.
    pub fn changes(&self) -> Vec<StateChange> {
        let expected = self.way().map(|way| &*way.changes);
        let made = properties(&self.actual.changes);
        let wanted = expected.map(properties).unwrap_or_default();
        let all: IndexSet<(&str, &str)> = made.into_iter().chain(wanted).collect();
        all.into_iter().map(|place| change(place, &self.actual.changes, expected)).collect()
    }

    fn way(&self) -> Option<&Played> {
        let leads_there =
            |way: &&Played| losses(&self.untouched, &way.end, &self.actual.end).is_empty();
        self.expected.iter().find(leads_there).or(self.expected.first())
    }
}

/// The things and properties that were changed; a thing that is one value has no property.
fn properties(changes: &Value) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    for (thing, changed) in changes.as_object().into_iter().flatten() {
        match changed {
            Value::Object(properties) => {
                found.extend(properties.keys().map(|property| (thing.as_str(), property.as_str())));
            }
            _ => found.push((thing.as_str(), "")),
        }
    }
    found
}

/// The values of a property before and after, if it was changed.
fn values<'v>(changes: &'v Value, (thing, property): (&str, &str)) -> Option<[&'v Value; 2]> {
    let changed = match changes.get(thing)? {
        Value::Object(properties) => properties.get(property)?,
        whole => whole,
    };
    let [before, after] = changed.as_array()?.as_slice() else { return None };
    Some([before, after])
}

fn change(place: (&str, &str), actual: &Value, expected: Option<&Value>) -> StateChange {
    let made = values(actual, place);
    let wanted = expected.and_then(|expected| values(expected, place));
    let before = made.or(wanted).map_or(&Value::Null, |[before, _]| before);
    let after = made.map_or(before, |[_, after]| after);
    let should = wanted.map_or(before, |[_, should]| should);
    // What the scorer holds to be the same is shown as the same.
    let should = if same(Some(should), Some(after)) { after } else { should };
    StateChange {
        thing: place.0.to_owned(),
        property: place.1.to_owned(),
        before: before.clone(),
        after: after.clone(),
        expected: expected.map(|_| should.clone()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn played(changes: Value) -> Played {
        let (end, changes) = (json!({ "things": changes }).into(), changes.into());
        Played { end, changes, ..Played::default() }
    }

    fn told(expected: &[Value], actual: Value) -> Vec<(String, &'static str)> {
        let expected = expected.iter().cloned().map(played).collect();
        let untouched = json!({"things": {}}).into();
        let states =
            EndStates { untouched, expected, actual: played(actual), ..EndStates::default() };
        let changes = states.changes().into_iter();
        changes.map(|it| (format!("{}.{}", it.thing, it.property), it.words())).collect()
    }

    #[test]
    fn what_changed_comes_first_and_what_should_have_follows() {
        let expected = json!({
            "fan": {"state": ["off", "on"], "speed": [0, 50]}, "lamp": {"state": ["off", "on"]},
        });
        let actual = json!({
            "door": {"state": ["locked", "unlocked"]},
            "fan": {"state": ["off", "ON"], "speed": [0, 70]},
        });
        let words = [
            ("door.state", "should not have changed"),
            ("fan.state", "as expected"),
            ("fan.speed", "changed to something else"),
            ("lamp.state", "not changed"),
        ];
        assert_eq!(told(&[expected], actual), words.map(|(at, words)| (at.to_owned(), words)));
    }

    #[test]
    fn the_way_that_leads_to_the_same_end_tells_what_should_be() {
        let (one, other) = (json!({"a": {"state": [0, 1]}}), json!({"b": {"state": [0, 1]}}));
        let told = told(&[one, other.clone()], other);
        assert_eq!(told, [("b.state".to_owned(), "as expected")]);
    }

    #[test]
    fn a_case_that_accepts_no_way_says_nothing_of_the_end() {
        let told = told(&[], json!({"timers": [[], [{"seconds": 60}]]}));
        assert_eq!(told, [("timers.".to_owned(), "changed")]);
    }
}
