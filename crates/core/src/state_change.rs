//! What became of one property of the world in a trial.

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use crate::Verdict;

/// One property of the world that a trial changed, or should have changed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StateChange {
    /// The thing it belongs to, by its id.
    pub thing: String,
    /// Its name, such as `state`; empty for a thing that is one value, such as a list of timers.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub property: String,
    /// Its value when the trial began; null where it had none.
    #[serde(default)]
    pub before: Value,
    /// Its value when the trial ended.
    #[serde(default)]
    pub after: Value,
    /// The value it should have ended with: the very one of `after` where a scorer would hold
    /// the two to be the same. `None` where the case does not say how the world should end.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub expected: Option<Value>,
}

impl StateChange {
    /// Whether it ended as it should; not applicable where the case does not say.
    pub fn verdict(&self) -> Verdict {
        self.expected
            .as_ref()
            .map_or(Verdict::NotApplicable, |expected| Verdict::of(*expected == self.after))
    }

    /// Whether the trial changed it at all.
    pub fn happened(&self) -> bool {
        self.before != self.after
    }

    /// What to say of it, in a few words.
    pub fn words(&self) -> &'static str {
        match (self.verdict(), self.happened()) {
            (Verdict::NotApplicable, _) => "changed",
            (Verdict::Correct, _) => "as expected",
            (Verdict::Incorrect, false) => "not changed",
            (Verdict::Incorrect, true) if self.expected.as_ref() == Some(&self.before) => {
                "should not have changed"
            }
            (Verdict::Incorrect, true) => "changed to something else",
        }
    }
}

/// A value that is there, if only as null.
fn present<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(from).map(Some)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn change(before: Value, after: Value, expected: Option<Value>) -> StateChange {
        let (thing, property) = ("light.lamp".into(), "state".into());
        StateChange { thing, property, before, after, expected }
    }

    #[test]
    fn a_null_that_is_expected_is_not_the_same_as_no_expectation() {
        let gone = change(json!(128), json!(null), Some(json!(null)));
        let unsaid = change(json!(128), json!(null), None);
        for change in [&gone, &unsaid] {
            let read: StateChange =
                serde_json::from_str(&serde_json::to_string(change).unwrap()).unwrap();
            assert_eq!(&read, change);
        }
        assert_eq!((gone.verdict(), gone.words()), (Verdict::Correct, "as expected"));
        assert_eq!((unsaid.verdict(), unsaid.words()), (Verdict::NotApplicable, "changed"));
    }

    #[test]
    fn each_way_to_end_otherwise_has_its_words() {
        let words = |before: &str, after: &str, expected: &str| {
            change(json!(before), json!(after), Some(json!(expected))).words()
        };
        assert_eq!(words("off", "off", "on"), "not changed");
        assert_eq!(words("off", "on", "off"), "should not have changed");
        assert_eq!(words("20", "21", "22"), "changed to something else");
        assert_eq!(words("off", "on", "on"), "as expected");
    }
}
