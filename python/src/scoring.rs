//! Scorers for conversations that Python holds.

use pyo3::prelude::*;
use serde_json::{Map, Value, json};
use toolgauge_core::{Case, CaseId, Expectation, Tags, Tool};
use toolgauge_score::Scorer as CoreScorer;
use toolgauge_suite::{expectation_from_value, tool_from_value};

use crate::errors::{self, MessageError, ToolgaugeError, hinted};
use crate::messages::Conversation;
use crate::outcome::Outcome;
use crate::plain_value::from_python;

/// Scorers that need more than a conversation: a world to play calls in, or the votes of judges.
const NEEDS_MORE: [&str; 2] = ["end_state", "judge"];

/// What is expected, read once and held against many conversations.
#[pyclass(frozen, module = "toolgauge")]
pub(crate) struct Scorer {
    scorer: CoreScorer,
    expectation: Expectation,
    tools: Vec<Tool>,
}

#[pymethods]
impl Scorer {
    #[new]
    #[pyo3(signature = (expect, tools=None, *, scorer=None))]
    fn new(
        expect: &Bound<'_, PyAny>,
        tools: Option<&Bound<'_, PyAny>>,
        scorer: Option<&str>,
    ) -> PyResult<Self> {
        let expectation = read_expectation(from_python(expect)?)?;
        let tools = tools.map(from_python).transpose()?.map_or(Ok(Vec::new()), read_tools)?;
        // As in a suite: who says what an answer must be like wants it judged.
        let usual = if expectation.answer.is_some() { "chatbot" } else { "tool_calls" };
        let scorer = find_scorer(scorer.unwrap_or(usual))?;
        Ok(Self { scorer, expectation, tools })
    }

    /// The name of the scorer.
    #[getter]
    fn name(&self) -> &'static str {
        self.scorer.name()
    }

    /// Scores one conversation.
    fn score(&self, messages: &Bound<'_, PyAny>) -> PyResult<Outcome> {
        let conversation = read_conversation(messages)?;
        let case = Case {
            id: CaseId::new("conversation"),
            input: conversation.input,
            expectation: self.expectation.clone(),
            tools: None,
            tags: Tags::new(),
            group: None,
            metadata: Map::new().into(),
        };
        let outcome = self.scorer.score(&case, &self.tools, &conversation.transcript);
        Ok(Outcome::new(self.scorer.name(), outcome))
    }

    fn __repr__(&self) -> String {
        format!("Scorer(scorer={:?}, tools={})", self.scorer.name(), self.tools.len())
    }
}

/// Scores one conversation.
#[pyfunction]
#[pyo3(signature = (messages, expect, tools=None, *, scorer=None))]
pub(crate) fn score(
    messages: &Bound<'_, PyAny>,
    expect: &Bound<'_, PyAny>,
    tools: Option<&Bound<'_, PyAny>>,
    scorer: Option<&str>,
) -> PyResult<Outcome> {
    Scorer::new(expect, tools, scorer)?.score(messages)
}

/// The scorers that judge a conversation alone, the usual one first.
#[pyfunction]
pub(crate) fn scorer_names() -> Vec<&'static str> {
    CoreScorer::names().iter().copied().filter(|name| !NEEDS_MORE.contains(name)).collect()
}

/// The conversation in a Python value.
pub(crate) fn read_conversation(messages: &Bound<'_, PyAny>) -> PyResult<Conversation> {
    Conversation::try_from(from_python(messages)?).map_err(MessageError::new_err)
}

fn find_scorer(name: &str) -> PyResult<CoreScorer> {
    if NEEDS_MORE.contains(&name) {
        return Err(ToolgaugeError::new_err(hinted(
            format!("the scorer `{name}` needs more than a conversation"),
            "run a suite with `toolgauge.run`",
        )));
    }
    CoreScorer::by_name(name).ok_or_else(|| {
        let known = scorer_names().join(", ");
        ToolgaugeError::new_err(hinted(
            format!("there is no scorer `{name}`"),
            format!("there are: {known}"),
        ))
    })
}

/// An expectation as in a suite. A name alone or a list is short for the calls.
pub(crate) fn read_expectation(given: Value) -> PyResult<Expectation> {
    let given = match given {
        Value::String(name) => json!({"call": name}),
        list @ Value::Array(_) => json!({"calls": list}),
        other => other,
    };
    expectation_from_value(given).map_err(|problems| errors::expectation(&problems))
}

/// Tools as in a suite; a name alone is a tool of which nothing else is known.
pub(crate) fn read_tools(given: Value) -> PyResult<Vec<Tool>> {
    let Value::Array(tools) = given else {
        let hint = "pass the list that was sent to the model, or the names of the tools";
        return Err(errors::ExpectationError::new_err(hinted("`tools` is not a list", hint)));
    };
    let read = |(place, tool): (usize, Value)| {
        let tool = match tool {
            Value::String(name) => json!({"name": name}),
            other => other,
        };
        tool_from_value(tool, &format!("tools[{place}]"))
            .map_err(|problems| errors::expectation(&problems))
    };
    tools.into_iter().enumerate().map(read).collect()
}
