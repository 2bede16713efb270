//! Spans of a trace, put together to what a subject said and called.
//!
//! The same call stands in several places: in what a model gave out, in the span of the tool, and
//! in the span of a framework around the request. It is taken once: from the models where they say
//! what they gave out, else from the tools.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;

use toolgauge_core::{
    AssistantMessage, Case, Message, RecordedVerdict, Tags, Tool, ToolCall, ToolMessage,
    Transcript, Turn,
};

use crate::ImportedTrial;

/// The mark of a case whose calls were recorded without their arguments.
pub const NAMES_ALONE: &str = "calls_without_arguments";

/// One span.
#[derive(Clone, Debug, Default)]
pub(crate) struct Span {
    pub(crate) trace: String,
    pub(crate) id: String,
    pub(crate) parent: Option<String>,
    /// When it began, in whatever unit: only the order counts.
    pub(crate) start: i128,
    pub(crate) role: SpanRole,
    /// The name of the case, where an attribute tells it.
    pub(crate) case: Option<String>,
    /// What the trace is a part of: a session or a conversation.
    pub(crate) group: Option<String>,
}

/// What a span says of the subject.
#[derive(Clone, Debug, Default)]
pub(crate) enum SpanRole {
    /// A request to a model.
    Model(Box<ModelSpan>),
    /// A tool that was carried out.
    Tool(Box<ToolSpan>),
    /// The work of an agent as a whole.
    Agent,
    /// Documents that were found.
    Retriever(Vec<String>),
    #[default]
    Other,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct ModelSpan {
    pub(crate) model: String,
    pub(crate) input: Vec<Message>,
    pub(crate) output: Vec<Message>,
    pub(crate) tools: Vec<Tool>,
    pub(crate) turn: Turn,
}

#[derive(Clone, Debug)]
pub(crate) struct ToolSpan {
    pub(crate) call: ToolCall,
    /// Whether the arguments of the call were not recorded, as content is only where somebody
    /// asked for it.
    pub(crate) is_bare: bool,
    pub(crate) answer: Option<String>,
    pub(crate) failed: bool,
}

/// The trials in spans, each with the name of its model, in the order in which traces come.
pub(crate) fn trials(
    spans: Vec<Span>,
    recorded: &HashMap<String, Vec<RecordedVerdict>>,
) -> Vec<(String, ImportedTrial)> {
    let mut traces: indexmap::IndexMap<String, Vec<Span>> = indexmap::IndexMap::new();
    for span in spans {
        traces.entry(span.trace.clone()).or_default().push(span);
    }
    let mut found = Vec::new();
    for (trace, spans) in traces {
        let parts = by_agent(spans);
        let several = parts.len() > 1;
        for (place, spans) in parts.into_iter().enumerate() {
            let id = if several { format!("{trace}#{}", place + 1) } else { trace.clone() };
            let Some((model, mut trial)) = trial(&id, spans) else { continue };
            if let Some(verdicts) = recorded.get(&trace) {
                trial.transcript.background.recorded.clone_from(verdicts);
            }
            found.push((model, trial));
        }
    }
    found
}

/// The spans below each agent, where a trace has several that are not each other's; else all.
fn by_agent(spans: Vec<Span>) -> Vec<Vec<Span>> {
    let agents = highest_agents(&spans);
    let mut distinct: Vec<&String> = agents.iter().flatten().collect();
    distinct.sort_unstable();
    distinct.dedup();
    if distinct.len() < 2 {
        return vec![spans];
    }
    let mut parts: indexmap::IndexMap<String, Vec<Span>> = indexmap::IndexMap::new();
    for (agent, span) in agents.iter().zip(spans.iter()) {
        if let Some(agent) = agent {
            parts.entry(agent.clone()).or_default().push(span.clone());
        }
    }
    parts.into_values().collect()
}

/// The highest agent above each span, itself included.
fn highest_agents(spans: &[Span]) -> Vec<Option<String>> {
    let places: HashMap<&str, usize> =
        spans.iter().enumerate().map(|(place, span)| (span.id.as_str(), place)).collect();
    // `None` is not known yet, `Some(None)` that there is none above.
    let mut known: Vec<Option<Option<usize>>> = vec![None; spans.len()];
    for first in 0..spans.len() {
        let (mut way, mut at) = (Vec::new(), Some(first));
        let mut highest = None;
        while let Some(place) = at {
            if let Some(found) = known[place] {
                highest = found;
                break;
            }
            // Known from now on, so that spans which are their own ancestors end the way.
            known[place] = Some(None);
            way.push(place);
            at = spans[place].parent.as_deref().and_then(|parent| places.get(parent).copied());
        }
        // Back down: each span has the agent of the one above it, or is the first itself.
        for place in way.into_iter().rev() {
            let own = matches!(spans[place].role, SpanRole::Agent).then_some(place);
            highest = highest.or(own);
            known[place] = Some(highest);
        }
    }
    let id = |place: usize| spans[place].id.clone();
    known.into_iter().map(|highest| highest.flatten().map(id)).collect()
}

/// What the spans of one trial come to; `None` if neither a model nor a tool is among them.
fn trial(id: &str, mut spans: Vec<Span>) -> Option<(String, ImportedTrial)> {
    spans.sort_by_key(|span| span.start);
    let outer = outer_models(&spans);
    let models: Vec<&ModelSpan> = spans
        .iter()
        .filter(|span| !outer.contains(span.id.as_str()))
        .filter_map(|span| match &span.role {
            SpanRole::Model(model) => Some(model.as_ref()),
            _ => None,
        })
        .collect();
    let tools: Vec<&ToolSpan> = spans
        .iter()
        .filter_map(|span| match &span.role {
            SpanRole::Tool(tool) => Some(tool.as_ref()),
            _ => None,
        })
        .collect();
    if models.is_empty() && tools.is_empty() {
        return None;
    }
    let asked = models.iter().find(|model| !model.input.is_empty());
    let mut case = Case {
        input: asked.map(|it| question(&it.input)).unwrap_or_default(),
        ..Case::new(id, "")
    };
    if let Some(named) = spans.iter().find_map(|span| span.case.clone()) {
        case.id = named.as_str().into();
    }
    case.group = spans.iter().find_map(|span| span.group.clone());
    case.tags = Tags::new();
    let offered = models.iter().find(|model| !model.tools.is_empty());
    case.tools = offered.map(|model| model.tools.clone().into());
    let says = models.iter().any(|model| !model.output.is_empty());
    if !says && tools.iter().any(|tool| tool.is_bare) {
        case.metadata.insert(NAMES_ALONE.into(), true.into());
    }
    let mut transcript = Transcript {
        messages: conversation(&models, &tools),
        turns: models.iter().map(|model| model.turn.clone()).collect(),
        ..Transcript::default()
    };
    for span in &spans {
        if let SpanRole::Retriever(found) = &span.role {
            transcript.background.add_sources(found.iter().cloned());
        }
    }
    let model = models.iter().map(|model| model.model.clone()).find(|name| !name.is_empty());
    let trial = ImportedTrial { case: Arc::new(case), number: 0, transcript };
    Some((model.unwrap_or_default(), trial))
}

/// What was asked: everything before the subject's first answer.
fn question(input: &[Message]) -> Vec<Message> {
    let is_answer = |message: &Message| matches!(message, Message::Assistant(_));
    let end = input.iter().position(is_answer).unwrap_or(input.len());
    input[..end].to_vec()
}

/// Requests that a framework notes around the request itself.
fn outer_models(spans: &[Span]) -> HashSet<&str> {
    let by_id: HashMap<&str, &Span> = spans.iter().map(|span| (span.id.as_str(), span)).collect();
    let (mut outer, mut seen) = (HashSet::new(), HashSet::new());
    for span in spans.iter().filter(|span| matches!(span.role, SpanRole::Model(_))) {
        let mut above = span.parent.as_deref();
        while let Some(parent) = above.and_then(|id| by_id.get(id)) {
            // What is above it was seen with it; this also ends the way round a circle.
            if !seen.insert(parent.id.as_str()) {
                break;
            }
            if matches!(parent.role, SpanRole::Model(_)) {
                outer.insert(parent.id.as_str());
            }
            above = parent.parent.as_deref();
        }
    }
    outer
}

/// What was said and called, in order.
fn conversation(models: &[&ModelSpan], tools: &[&ToolSpan]) -> Vec<Message> {
    let mut messages = Vec::new();
    let mut left = PendingTools::of(tools);
    let says = |model: &&&ModelSpan| !model.output.is_empty();
    if models.iter().filter(says).count() == 0 {
        for tool in tools {
            let calls = vec![tool.call.clone()];
            messages.push(Message::Assistant(AssistantMessage { calls, ..Default::default() }));
            messages.extend(answer(tool, tool.call.id.as_deref().unwrap_or_default()));
        }
        return messages;
    }
    for model in models {
        for message in &model.output {
            let Message::Assistant(said) = message else { continue };
            messages.push(message.clone());
            for call in &said.calls {
                let Some(tool) = left.take(call) else { continue };
                messages.extend(answer(tool, call.id.as_deref().unwrap_or_default()));
            }
        }
    }
    messages
}

/// Tools that belong to no call yet, found without looking at all of them.
struct PendingTools<'a> {
    tools: Vec<Option<&'a ToolSpan>>,
    by_id: HashMap<&'a str, VecDeque<usize>>,
    by_name: HashMap<&'a str, VecDeque<usize>>,
}

impl<'a> PendingTools<'a> {
    fn of(tools: &[&'a ToolSpan]) -> Self {
        let (mut by_id, mut by_name) = (HashMap::new(), HashMap::new());
        for (place, tool) in tools.iter().enumerate() {
            if let Some(id) = &tool.call.id {
                by_id.entry(id.as_str()).or_insert_with(VecDeque::new).push_back(place);
            }
            by_name.entry(tool.call.name.as_str()).or_insert_with(VecDeque::new).push_back(place);
        }
        Self { tools: tools.iter().copied().map(Some).collect(), by_id, by_name }
    }

    /// The tool of a call: by its identifier, else the first of its name.
    fn take(&mut self, call: &ToolCall) -> Option<&'a ToolSpan> {
        let same = call.id.as_deref().and_then(|id| self.by_id.get_mut(id));
        let same = same.and_then(|places| next_of(&mut self.tools, places));
        same.or_else(|| next_of(&mut self.tools, self.by_name.get_mut(call.name.as_str())?))
    }
}

/// The first tool of a queue that was not taken by way of the other queue.
fn next_of<'a>(
    tools: &mut [Option<&'a ToolSpan>],
    places: &mut VecDeque<usize>,
) -> Option<&'a ToolSpan> {
    std::iter::from_fn(|| places.pop_front()).find_map(|place| tools[place].take())
}

fn answer(tool: &ToolSpan, call_id: &str) -> Option<Message> {
    tool.answer.as_ref().map(|content| {
        Message::Tool(ToolMessage {
            call_id: call_id.to_owned(),
            name: tool.call.name.clone(),
            content: content.clone(),
            failed: tool.failed,
        })
    })
}
