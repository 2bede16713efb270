//! Suites for programs that ask models themselves: what to tell them, what their calls do, and how
//! what they said is judged.

use std::sync::{Arc, Mutex};

use indexmap::IndexMap;
use pyo3::prelude::*;
use serde_json::{Map, Value, json};
use toolgauge_core::{Briefing, Case, FailureKind, ToolCall, Transcript, TrialFailure};
use toolgauge_engine::cell::Cell;
use toolgauge_engine::invocation::Invocation;
use toolgauge_engine::{Settings, subjects, suites, worlds};
use toolgauge_model::recognize;
use toolgauge_runner::{end_states, proved};
use toolgauge_score::{Evidence, Scorer};
use toolgauge_suite::{Selection, SolverSpec};
use toolgauge_world::{World, WorldState};

use crate::errors::{ToolgaugeError, engine_failure, failure, hinted};
use crate::messages::read_all;
use crate::outcome::Outcome;
use crate::plain_value::{from_python, to_python};

/// A suite with its world, made ready.
#[pyclass(frozen, module = "toolgauge")]
pub(crate) struct Suite {
    cell: Cell,
    world: Arc<dyn World>,
    briefings: Vec<Arc<Briefing>>,
    scorers: Vec<Scorer>,
    places: IndexMap<String, usize>,
}

#[pymethods]
impl Suite {
    /// A shipped suite by its name, or one of your own by its path.
    #[new]
    fn new(py: Python<'_>, name: &str) -> PyResult<Self> {
        py.detach(|| Self::load(name))
    }

    #[getter]
    fn name(&self) -> &str {
        &self.cell.suite.name
    }

    #[getter]
    fn version(&self) -> Option<&str> {
        self.cell.suite.version.as_deref()
    }

    /// The scorers; the first one's judgement counts.
    #[getter]
    fn scorers(&self) -> Vec<&'static str> {
        self.scorers.iter().map(Scorer::name).collect()
    }

    /// The ids of the cases, in the order of the suite.
    #[getter]
    fn cases(&self) -> Vec<&str> {
        self.places.keys().map(String::as_str).collect()
    }

    /// How many turns a case may take: 1 if calls are only captured.
    #[getter]
    fn max_turns(&self) -> u32 {
        match self.cell.suite.solver {
            SolverSpec::Capture => 1,
            SolverSpec::Loop(limits) => limits.max_turns,
        }
    }

    /// Whether calls are carried out and answered.
    #[getter]
    fn carries_out_calls(&self) -> bool {
        matches!(self.cell.suite.solver, SolverSpec::Loop(_))
    }

    /// How answers are sampled, as far as the suite says.
    #[getter]
    fn sampling<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &json!(self.cell.sampling(None)))
    }

    /// One case: what to tell the model, which tools to offer, and what is expected.
    fn case<'py>(&self, py: Python<'py>, id: &str) -> PyResult<Bound<'py, PyAny>> {
        let (case, briefing) = self.find(id)?;
        let input: Vec<Value> = case.input.iter().map(|message| message.to_openai()).collect();
        let described = json!({
            "id": id,
            "system": briefing.system.as_deref(),
            "input": input,
            "sentence": case.sentence(),
            "tools": briefing.tools.as_ref(),
            "expectation": case.expectation,
            "tags": case.tags,
            "group": case.group,
        });
        to_python(py, &described)
    }

    /// The world as a case finds it, to carry out calls in.
    fn enter(&self, id: &str) -> PyResult<WorldSession> {
        let (case, _) = self.find(id)?;
        Ok(WorldSession { state: Mutex::new(self.world.enter(case)) })
    }

    /// What the scorers say of what was said after a case's input. `limit` is why the program ended
    /// the conversation before the model was done, if it did.
    #[pyo3(signature = (id, messages, *, limit=None))]
    fn judge(
        &self,
        py: Python<'_>,
        id: &str,
        messages: &Bound<'_, PyAny>,
        limit: Option<String>,
    ) -> PyResult<Vec<Outcome>> {
        let (case, briefing) = self.find(id)?;
        let failure =
            limit.map(|message| TrialFailure { kind: FailureKind::LimitReached, message });
        let messages = read_all(from_python(messages)?)?;
        let mut transcript = Transcript { messages, failure, ..Transcript::default() };
        recognize(&mut transcript, &briefing.tools);
        Ok(py.detach(|| {
            transcript.background.proved = proved(self.world.as_ref(), case);
            self.judged(case, briefing, &transcript)
        }))
    }

    fn __repr__(&self) -> String {
        format!("Suite({:?}, {} cases)", self.cell.suite.name, self.places.len())
    }
}

impl Suite {
    fn load(name: &str) -> PyResult<Self> {
        let suite = Arc::new(suites::load(name).map_err(engine_failure)?);
        let cases = Selection::default().select(&suite);
        let cases = cases.map_err(|error| engine_failure(error.into()))?;
        let settings = Settings::from_layers(&[]).map_err(engine_failure)?;
        let invocation = Invocation::new(name, subjects::BASELINE, settings);
        let cell = Cell { suite, cases, invocation, variants: vec![None], key: None };
        let world = worlds::build(&cell.suite, None).map_err(engine_failure)?;
        let briefings = cell.briefings(None, world.as_ref()).map_err(engine_failure)?;
        let scorers = cell.scorers().map_err(engine_failure)?;
        let ids = cell.cases.iter().enumerate();
        let places = ids.map(|(place, case)| (case.id.as_str().to_owned(), place)).collect();
        Ok(Self { cell, world, briefings, scorers, places })
    }

    fn find(&self, id: &str) -> PyResult<(&Case, &Briefing)> {
        let place = self.places.get(id).copied().ok_or_else(|| {
            let message = format!("the suite `{}` has no case `{id}`", self.cell.suite.name);
            ToolgaugeError::new_err(hinted(message, "`suite.cases` lists them"))
        })?;
        Ok((&self.cell.cases[place], &self.briefings[place]))
    }

    fn judged(&self, case: &Case, briefing: &Briefing, transcript: &Transcript) -> Vec<Outcome> {
        // Played once for all scorers, as in a run.
        let states =
            self.world.has_state().then(|| end_states(self.world.as_ref(), case, transcript));
        let states = states.flatten();
        let evidence =
            Evidence::new(case, &briefing.tools, transcript).with_states(states.as_ref());
        let judge = |scorer: &Scorer| Outcome::new(scorer.name(), scorer.judge(&evidence));
        self.scorers.iter().map(judge).collect()
    }
}

/// A world during one trial.
#[pyclass(frozen, module = "toolgauge")]
pub(crate) struct WorldSession {
    state: Mutex<Box<dyn WorldState>>,
}

#[pymethods]
impl WorldSession {
    /// Carries out one call. Gives the answer, whether the tool failed, and whether the trial is over
    /// because the world broke on it.
    fn call(
        &self,
        py: Python<'_>,
        name: &str,
        arguments: &Bound<'_, PyAny>,
    ) -> PyResult<(String, bool, bool)> {
        let call = json!({"name": name, "arguments": from_python(arguments)?});
        let call = ToolCall::from_openai(&call).unwrap_or_else(|| ToolCall::new(name, Map::new()));
        let reply = py.detach(|| {
            let mut state = self.state.lock().map_err(|_| failure("the world broke earlier"))?;
            Ok::<_, PyErr>(state.call(&call))
        })?;
        Ok((reply.content, reply.failed, reply.ends_turn))
    }
}

/// The names of the shipped suites.
#[pyfunction]
pub(crate) fn suite_names() -> Vec<String> {
    suites::shipped()
}
