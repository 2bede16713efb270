//! Scorers for conversations that Python holds.

use pyo3::prelude::*;
use serde_json::{Map, Value, json};
use toolgauge_core::{Case, CaseId, Expectation, Tags, Tool};
use toolgauge_model::recognize;
use toolgauge_score::Scorer as CoreScorer;
use toolgauge_suite::{expectation_from_value, tool_from_value};

use crate::errors::{self, MessageError, ToolgaugeError, hinted};
use crate::messages::Conversation;
use crate::outcome::Outcome;
use crate::plain_value::from_python;

/// Scorers that need more than a conversation: a world to play calls in, the votes of judges, times, or
/// what another tool recorded of a trial.
const NEEDS_MORE: [&str; 6] = ["end_state", "latency", "judge", "tau2", "tau_bench", "ha_datasets"];

/// What OpenAI, Anthropic and MCP call the schema of a tool's arguments.
const SCHEMAS: [&str; 3] = ["parameters", "input_schema", "inputSchema"];

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
        check_own_terms(scorer.name(), &expectation)?;
        Ok(Self { scorer, expectation, tools })
    }

    /// The name of the scorer.
    #[getter]
    fn name(&self) -> &'static str {
        self.scorer.name()
    }

    /// Scores one conversation.
    fn score(&self, messages: &Bound<'_, PyAny>) -> PyResult<Outcome> {
        let mut conversation = read_conversation(messages)?;
        // Another tool's rule judges what that tool read.
        if !matches!(self.scorer, CoreScorer::Peer(_)) {
            recognize(&mut conversation.transcript, &self.tools);
        }
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
            "`toolgauge.run` has a suite judged by it, `toolgauge score` a log",
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

/// Refuses the rule of another tool that judges by what the tool's own files say, if nothing of it is
/// given: no conversation would ever get a value.
fn check_own_terms(scorer: &str, expectation: &Expectation) -> PyResult<()> {
    let (needed, form) = match scorer {
        "bfcl" | "bfcl_v1" => (
            "category",
            "{\"category\": \"simple_python\", \"functions\": […], \"ground_truth\": […]}",
        ),
        "agentevals" => ("reference", "{\"reference\": [messages]}"),
        _ => return Ok(()),
    };
    if expectation.more.get(scorer).is_some_and(|own| own.get(needed).is_some()) {
        return Ok(());
    }
    Err(errors::ExpectationError::new_err(hinted(
        format!("the scorer `{scorer}` judges by what the files of its tool say, and not by calls"),
        format!("expect={{\"more\": {{\"{scorer}\": {form}}}}}"),
    )))
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

/// Tools as they were sent to a model, or as in a suite; a name alone is a tool of which nothing else is
/// known.
pub(crate) fn read_tools(given: Value) -> PyResult<Vec<Tool>> {
    let Value::Array(tools) = given else {
        let hint = "pass the list that was sent to the model, or the names of the tools";
        return Err(errors::ExpectationError::new_err(hinted("`tools` is not a list", hint)));
    };
    let read = |(place, tool): (usize, Value)| {
        let tool = plain_tool(tool)?;
        let read = tool_from_value(tool, &format!("tools[{place}]"));
        Some(read.map_err(|problems| errors::expectation(&problems)))
    };
    tools.into_iter().enumerate().filter_map(read).collect()
}

/// A tool without what only its provider understands, such as `cache_control`. `None` for one that the
/// provider carries out itself: no call names it.
fn plain_tool(tool: Value) -> Option<Value> {
    let mut tool = match tool {
        Value::String(name) => return Some(json!({"name": name})),
        Value::Object(tool) => tool,
        other => return Some(other),
    };
    let kind = tool.remove("type");
    let kind = kind.as_ref().and_then(Value::as_str);
    // OpenAI's chat completions put a tool into a field that is named after its type.
    if let Some(Value::Object(inner)) = kind.and_then(|kind| tool.remove(kind)) {
        tool = inner;
    }
    if kind.is_some() && !tool.contains_key("name") && kind != Some("function") {
        return None;
    }
    // Where a function has no schema, a misspelt field may be it, and is told.
    let is_known = |key: &str| ["name", "description"].contains(&key) || SCHEMAS.contains(&key);
    let has_schema = SCHEMAS.iter().any(|key| tool.contains_key(*key));
    if has_schema || kind.is_some_and(|kind| kind != "function") {
        tool.retain(|key, value| is_known(key) && !value.is_null());
    }
    Some(Value::Object(tool))
}
