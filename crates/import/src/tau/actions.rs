//! The calls a task expects, `info.task.actions`.

use std::collections::HashMap;
use std::sync::Arc;

use indexmap::IndexMap;
use serde_json::{Map, Value};
use toolgauge_core::json::STAND_IN;
use toolgauge_core::{ExpectedCall, Pattern};

use crate::python_json::{parse, write};

/// How many tasks are remembered; benchmarks have a few hundred.
const MOST_TASKS: usize = 1024;
/// Larger actions are not worth the memory they would take.
const MOST_BYTES: usize = 16 * 1024;

/// What the actions of a task say.
#[derive(Clone, Debug)]
pub(super) enum Actions {
    /// They are no list, or nested too deep.
    Unusable,
    /// A list of calls.
    Calls {
        expected: Arc<[ExpectedCall]>,
        /// Whether one of them is not as it should be.
        strange: bool,
    },
}

/// The actions of tasks that were read before.
///
/// All trials of a task expect the same, so that most actions in a file are repetitions. What is
/// remembered is bounded; a task whose actions are written otherwise than before is read anew.
#[derive(Debug, Default)]
pub struct KnownActions {
    by_task: HashMap<String, (Box<[u8]>, Actions)>,
}

impl KnownActions {
    /// What the written actions of a task say.
    pub(super) fn read(&mut self, task: Option<&str>, written: &[u8]) -> Actions {
        let Some(task) = task.filter(|_| written.len() <= MOST_BYTES) else {
            return Actions::read(written);
        };
        match self.by_task.get(task) {
            Some((before, actions)) if **before == *written => return actions.clone(),
            Some(_) => {}
            None if self.by_task.len() < MOST_TASKS => {}
            None => return Actions::read(written),
        }
        let actions = Actions::read(written);
        self.by_task.insert(task.to_owned(), (written.into(), actions.clone()));
        actions
    }
}

impl Actions {
    /// Reads actions. Null is an empty list, as it is to the programs that read these files in
    /// Python.
    fn read(written: &[u8]) -> Self {
        let actions = match parse(written) {
            Ok(Value::Null) => Vec::new(),
            Ok(Value::Array(actions)) => actions,
            _ => return Self::Unusable,
        };
        let (expected, good): (Vec<_>, Vec<_>) = actions.into_iter().map(expected_call).unzip();
        Self::Calls { expected: expected.into(), strange: good.contains(&false) }
    }
}

/// An expected call, and whether it is as it should be. What no call can be equal to is kept
/// as something no call is equal to: it costs its points and stops nothing.
pub(crate) fn expected_call(action: Value) -> (ExpectedCall, bool) {
    let Value::Object(mut action) = action else {
        return (ExpectedCall { name: odd_name(&action), arguments: IndexMap::new() }, false);
    };
    let (name, name_good) = match action.remove("name") {
        Some(Value::String(name)) => (name, true),
        Some(other) => (odd_name(&other), false),
        None => (String::new(), false),
    };
    let (arguments, arguments_good) = match action.remove("kwargs") {
        None => (IndexMap::new(), true),
        Some(Value::Object(kwargs)) => (plain_members(kwargs), true),
        Some(other) => (IndexMap::from([(STAND_IN.to_string(), Pattern::Scalar(other))]), false),
    };
    (ExpectedCall { name, arguments }, name_good && arguments_good)
}

/// The name of a call whose name is not a string: equal to another such name, and to no string.
pub(super) fn odd_name(name: &Value) -> String {
    let mut text = String::from(STAND_IN);
    write(name, &mut text);
    text
}

fn plain_members(members: Map<String, Value>) -> IndexMap<String, Pattern> {
    members.into_iter().map(|(key, value)| (key, plain(value))).collect()
}

/// The same as [`Pattern::plain`], without a copy.
fn plain(value: Value) -> Pattern {
    match value {
        Value::Object(members) => Pattern::Object(plain_members(members)),
        Value::Array(items) => Pattern::List(items.into_iter().map(plain).collect()),
        scalar => Pattern::Scalar(scalar),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(actions: &Actions) -> Vec<&str> {
        match actions {
            Actions::Unusable => vec!["unusable"],
            Actions::Calls { expected, .. } => {
                expected.iter().map(|call| call.name.as_str()).collect()
            }
        }
    }

    #[test]
    fn what_is_remembered_is_not_taken_for_something_else() {
        let mut known = KnownActions::default();
        let (one, two) = (br#"[{"name": "a"}]"#, br#"[{"name": "b"}]"#);
        for _ in 0..2 {
            assert_eq!(names(&known.read(Some("1"), one)), ["a"]);
            assert_eq!(names(&known.read(Some("2"), two)), ["b"]);
            assert_eq!(names(&known.read(Some("1"), two)), ["b"]);
            assert_eq!(names(&known.read(None, one)), ["a"]);
            assert_eq!(names(&known.read(Some("1"), b"{}")), ["unusable"]);
        }
    }

    #[test]
    fn what_is_remembered_is_bounded() {
        let mut known = KnownActions::default();
        for task in 0..2 * MOST_TASKS {
            let written = format!(r#"[{{"name": "{task}"}}]"#);
            let actions = known.read(Some(&task.to_string()), written.as_bytes());
            assert_eq!(names(&actions), [task.to_string()]);
        }
        let long = format!("[{}]", " ".repeat(MOST_BYTES));
        known.read(Some("0"), long.as_bytes());
        assert_eq!(known.by_task.len(), MOST_TASKS);
        assert!(known.by_task.values().all(|(written, _)| written.len() <= MOST_BYTES));
    }
}
