//! The servers during one trial.

use std::sync::Arc;

use serde_json::{Map, Value, json};
use toolgauge_core::{Arguments, Oddity, ToolCall};
use toolgauge_world::{ToolReply, WorldState};

use crate::bench::{Bench, Benches, Fault};
use crate::nearest::nearest;
use crate::offer::OfferedTool;
use crate::recording::{RecordedCall, RecordedState};
use crate::shared::{Answering, PreparedSetup, Shared};
use crate::snapshot::{self, Snapshot, canonical_arguments, next_key, state_key};

/// A trial: where it stands among the states that are known, and the bench it has, if it needs one.
pub(crate) struct McpTrial {
    shared: Arc<Shared>,
    setup: usize,
    /// Where it stands; nothing before the first call to running servers.
    state: Option<Arc<RecordedState>>,
    bench: Option<TakenBench>,
    /// The calls so far, which a bench that is taken late has to catch up with.
    made: Vec<(OfferedTool, Map<String, Value>)>,
    /// Whether calls that were made in this run need not be made again.
    is_rehearsal: bool,
    broken: Option<String>,
}

/// A bench, and what it was like at the beginning.
struct TakenBench {
    bench: Box<dyn Bench>,
    start: Snapshot,
}

impl McpTrial {
    pub(crate) fn new(
        shared: Arc<Shared>,
        setup: Result<usize, String>,
        is_rehearsal: bool,
    ) -> Self {
        let (at, mut broken) = match setup {
            Ok(at) => (at, None),
            Err(why) => (0, Some(why)),
        };
        let mut trial = Self {
            shared,
            setup: at,
            state: None,
            bench: None,
            made: Vec::new(),
            is_rehearsal,
            broken: None,
        };
        match (&trial.shared.answering, trial.shared.start(at)) {
            // A trial of running servers takes its bench with the first call.
            (Answering::Servers(_), _) if !is_rehearsal => {}
            (_, Ok(start)) => trial.state = Some(start),
            (Answering::Servers(_), Err(_)) => {
                if broken.is_none()
                    && let Err(Fault(why)) = trial.take_bench()
                {
                    broken = Some(why);
                }
            }
            (Answering::Recording { .. }, Err(why)) => drop(broken.get_or_insert(why)),
        }
        trial.broken = broken;
        trial
    }

    fn answer(&mut self, tool: &OfferedTool, arguments: &Map<String, Value>) -> ToolReply {
        let text = canonical_arguments(arguments);
        let recorded = self.recorded(tool, arguments, &text);
        let (call, oddity) = match recorded {
            Some(found) => found,
            None => match &self.shared.answering {
                Answering::Servers(_) => match self.ask(tool, arguments, &text) {
                    Ok(call) => (call, None),
                    Err(Fault(why)) => return self.break_down(why),
                },
                Answering::Recording { .. } => {
                    let why = format!(
                        "a call was not recorded in this state: {} {}",
                        tool.full,
                        short(&text)
                    );
                    return self.break_down(why);
                }
            },
        };
        if let Some(to) = &call.to {
            self.state = self.shared.recorded(|recording| recording.state(to));
        }
        if matches!(self.shared.answering, Answering::Servers(_)) {
            self.made.push((tool.clone(), arguments.clone()));
        }
        let reply = ToolReply { failed: call.failed, ..ToolReply::done(call.reply.clone()) };
        ToolReply { oddity, ..reply }
    }

    /// What was recorded of a call, where a recording may answer.
    fn recorded(
        &self,
        tool: &OfferedTool,
        arguments: &Map<String, Value>,
        text: &str,
    ) -> Option<(Arc<RecordedCall>, Option<Oddity>)> {
        let state = self.state.as_ref()?;
        let is_nearest = match &self.shared.answering {
            Answering::Servers(_) if self.bench.is_some() || !self.is_rehearsal => return None,
            Answering::Servers(_) => false,
            Answering::Recording { nearest } => *nearest,
        };
        self.shared.recorded(|recording| {
            if let Some(call) = recording.call(&state.state, &tool.full, text) {
                return Some((Arc::clone(call), None));
            }
            let calls = recording.calls_of(&tool.full);
            let near = is_nearest.then(|| nearest(calls, &state.state, arguments)).flatten();
            near.map(|call| (Arc::clone(call), Some(Oddity::NearestReply)))
        })
    }

    /// Has the servers carry out a call, and records it.
    fn ask(
        &mut self,
        tool: &OfferedTool,
        arguments: &Map<String, Value>,
        text: &str,
    ) -> Result<Arc<RecordedCall>, Fault> {
        if self.bench.is_none() {
            self.take_bench()?;
            for (tool, arguments) in std::mem::take(&mut self.made) {
                let text = canonical_arguments(&arguments);
                self.carry_out(&tool, &arguments, &text)?;
                self.made.push((tool, arguments));
            }
        }
        self.carry_out(tool, arguments, text)
    }

    fn carry_out(
        &mut self,
        tool: &OfferedTool,
        arguments: &Map<String, Value>,
        text: &str,
    ) -> Result<Arc<RecordedCall>, Fault> {
        let gone = || Fault("the servers are gone".to_owned());
        let taken = self.bench.as_mut().ok_or_else(gone)?;
        let answer = taken.bench.call(&tool.server, &tool.tool, arguments)?;
        let state = self.state.clone().ok_or_else(gone)?;
        let PreparedSetup { setup, made_of } = &self.shared.setups[self.setup];
        let (key, end) = if self.shared.has_state {
            let end = snapshot::end(&taken.start, &taken.bench.look()?);
            (state_key(&setup.name, made_of, &end), end)
        } else if tool.is_read_only {
            (state.state.to_string(), Value::Null)
        } else {
            (next_key(&state.state, &tool.full, text), Value::Null)
        };
        let reached = RecordedState {
            state: key.into(),
            setup: setup.name.clone(),
            end: end.into(),
            ..RecordedState::default()
        };
        let call = Arc::new(RecordedCall {
            state: Arc::clone(&state.state),
            tool: tool.full.clone(),
            arguments: arguments.clone(),
            reply: answer.content,
            failed: answer.failed,
            to: (reached.state != state.state).then(|| Arc::clone(&reached.state)),
        });
        self.state = Some(self.shared.record(|recording| {
            recording.add_call(Arc::clone(&call));
            recording.add_state(reached)
        }));
        self.shared.note();
        Ok(call)
    }

    /// Takes a bench for the rest of the trial, and stands at its beginning.
    fn take_bench(&mut self) -> Result<(), Fault> {
        let Answering::Servers(benches) = &self.shared.answering else {
            return Err(Fault("there are no servers".to_owned()));
        };
        let PreparedSetup { setup, made_of } = &self.shared.setups[self.setup];
        let mut bench = Benches::take(benches.as_ref(), &setup.name)?;
        let start = if self.shared.has_state { bench.look()? } else { Snapshot::new() };
        let end = if self.shared.has_state { snapshot::end(&start, &start) } else { Value::Null };
        let state = RecordedState {
            state: state_key(&setup.name, made_of, &end).into(),
            setup: setup.name.clone(),
            made_of: Some(made_of.clone()),
            end: end.into(),
            ..RecordedState::default()
        };
        self.state = Some(self.shared.record(|recording| recording.add_state(state)));
        self.shared.note();
        self.bench = Some(TakenBench { bench, start });
        Ok(())
    }

    fn break_down(&mut self, why: String) -> ToolReply {
        // A bench on which something broke is not used again.
        self.bench = None;
        let reply = ToolReply::failed(json!({ "error": why }).to_string());
        self.broken = Some(why);
        reply
    }
}

impl WorldState for McpTrial {
    fn call(&mut self, call: &ToolCall) -> ToolReply {
        if let Some(why) = &self.broken {
            return ToolReply::failed(json!({ "error": why }).to_string());
        }
        let shared = Arc::clone(&self.shared);
        // What a client refuses never reaches a server.
        let Some(tool) = shared.offer.called(&call.name) else {
            let why = format!("unknown tool `{}`", call.name);
            return ToolReply::failed(json!({ "error": why }).to_string());
        };
        match &call.arguments {
            Arguments::Object(arguments) => self.answer(tool, arguments),
            Arguments::Malformed { why, .. } => {
                ToolReply::failed(json!({ "error": why.to_string() }).to_string())
            }
        }
    }

    fn may_take_long(&self) -> bool {
        matches!(self.shared.answering, Answering::Servers(_))
    }

    fn broken(&self) -> Option<String> {
        self.broken.clone()
    }

    fn state_changes(&self) -> Option<Arc<Value>> {
        let state = self.state.as_ref().filter(|_| self.shared.has_state)?;
        let start = self.shared.start(self.setup).ok()?;
        let changes = || Arc::new(snapshot::changes(&start.end, &state.end));
        // The nearest call may have led into a state of another setup.
        if state.setup != start.setup {
            return Some(changes());
        }
        Some(Arc::clone(state.changes.get_or_init(changes)))
    }

    fn end_state(&self) -> Option<Arc<Value>> {
        if !self.shared.has_state {
            return None;
        }
        Some(self.state.as_ref().map(|state| state.end.clone()).unwrap_or_default())
    }
}

/// Arguments, cut where they would fill a screen.
fn short(text: &str) -> String {
    const MOST: usize = 300;
    if text.chars().count() <= MOST {
        return text.to_owned();
    }
    text.chars().take(MOST).chain("…".chars()).collect()
}
