//! The events of a sample: what Inspect's transcript view and its data frames are made of.

use jiff::{SignedDuration, Timestamp};
use serde::Serialize;
use serde_json::{Map, Value};
use toolgauge_core::{
    Arguments, AssistantMessage, Message, Oddity, Timings, ToolCall, ToolMessage, Trial, Turn,
};

use super::message::{Joined, OutputMessage, ToolCallError};
use super::record::BodyForm;
use super::score::{BareScore, finite};
use super::wording::{Iso, stop_reason};

/// Writes `value` as JSON.
pub(crate) fn value<T: Serialize + ?Sized>(out: &mut Vec<u8>, value: &T) {
    serde_json::to_writer(out, value).expect("plain data, written to memory");
}

/// Writes one more field of an object that has fields already.
pub(crate) fn field<T: Serialize + ?Sized>(out: &mut Vec<u8>, key: &str, content: &T) {
    out.extend_from_slice(b",\"");
    out.extend_from_slice(key.as_bytes());
    out.extend_from_slice(b"\":");
    value(out, content);
}

/// The parts of a sample that the viewer's outline shows.
#[derive(Clone, Copy, Debug)]
pub(crate) enum SpanKind {
    /// What the subject did.
    Generate = 1,
    /// What the scorers said.
    Scorers = 2,
}

/// Writes the events of one sample, each with a name and a time of its own.
pub(crate) struct Events<'a> {
    pub(crate) sample: &'a str,
    pub(crate) model: &'a str,
    pub(crate) trial: &'a Trial,
    /// The letter in the names of these events.
    letter: char,
    /// How many were written.
    count: usize,
    /// How long after the trial's start the next one happens.
    elapsed: SignedDuration,
}

impl<'a> Events<'a> {
    pub(crate) fn new(trial: &'a Trial, sample: &'a str, model: &'a str) -> Self {
        Self { sample, model, trial, letter: 'e', count: 0, elapsed: SignedDuration::ZERO }
    }

    /// The events of the scorers, which follow others. They have names of their own, so that
    /// they do not depend on how many came before.
    pub(crate) fn of_scorers(trial: &'a Trial, sample: &'a str, model: &'a str) -> Self {
        let elapsed = trial.ended.duration_since(trial.started);
        Self { letter: 'j', elapsed, ..Self::new(trial, sample, model) }
    }

    fn begin(&mut self, out: &mut Vec<u8>, kind: &str) {
        // The scorers' events follow others in the same list, so even their first one needs a
        // comma.
        if self.count > 0 || self.letter != 'e' {
            out.push(b',');
        }
        self.count += 1;
        out.extend_from_slice(b"{\"event\":");
        value(out, kind);
        field(out, "uuid", &Joined(self.sample, self.letter, self.count));
        field(out, "timestamp", &Iso(self.now()));
        field(out, "working_start", &self.elapsed.as_secs_f64());
    }

    fn now(&self) -> Timestamp {
        self.trial.started.saturating_add(self.elapsed).unwrap_or(self.trial.started)
    }

    pub(crate) fn sample_init(&mut self, out: &mut Vec<u8>, input: &impl Serialize, target: &str) {
        self.begin(out, "sample_init");
        out.extend_from_slice(b",\"sample\":{\"id\":");
        value(out, &self.trial.case.id);
        field(out, "input", input);
        field(out, "target", target);
        // Older versions ask for a state, and their viewers for what it holds at the start.
        out.extend_from_slice(
            b"},\"state\":{\"messages\":[],\"tools\":[],\"store\":{},\"output\":{\"model\":",
        );
        value(out, self.model);
        out.extend_from_slice(
            b",\"choices\":[],\"completion\":\"\"},\"completed\":false,\"metadata\":{}}}",
        );
    }

    pub(crate) fn span_begin(&mut self, out: &mut Vec<u8>, span: SpanKind) {
        self.begin(out, "span_begin");
        self.within(out, span);
        field(out, "id", &self.span_id(span));
        let (name, kind) = match span {
            SpanKind::Generate => ("generate", "solver"),
            SpanKind::Scorers => ("scorers", "scorers"),
        };
        field(out, "name", name);
        field(out, "type", kind);
        out.push(b'}');
    }

    pub(crate) fn span_end(&mut self, out: &mut Vec<u8>, span: SpanKind) {
        self.begin(out, "span_end");
        self.within(out, span);
        field(out, "id", &self.span_id(span));
        out.push(b'}');
    }

    fn within(&self, out: &mut Vec<u8>, span: SpanKind) {
        field(out, "span_id", &self.span_id(span));
    }

    fn span_id(&self, span: SpanKind) -> Joined<'a> {
        Joined(self.sample, 's', span as usize)
    }

    /// Writes the event of one turn up to where the tools and the input follow.
    pub(crate) fn model(
        &mut self,
        out: &mut Vec<u8>,
        message: Option<&AssistantMessage>,
        turn: Option<&Turn>,
    ) {
        self.begin(out, "model");
        self.within(out, SpanKind::Generate);
        field(out, "model", self.model);
        let output = Output::of(self.model, message, turn);
        field(out, "output", &output);
        // Only a turn without a message failed. With one, the failure belongs to a later turn.
        if let (None, Some(failure)) = (message, &self.trial.transcript.failure) {
            field(out, "error", &failure.message);
        }
        let Some(turn) = turn else { return };
        if turn.attempts > 1 {
            field(out, "retries", &(turn.attempts - 1));
        }
        if turn.request.is_some() || turn.response.is_some() {
            let call = WireCall {
                request: ObjectBody(turn.request.as_ref()),
                response: ObjectBody(turn.response.as_ref()),
                time: turn.timings.total.as_secs_f64(),
            };
            field(out, "call", &call);
        }
        // Only turns move the clock: when a tool was called is not recorded.
        self.pass(turn.timings.queued + turn.timings.total);
        field(out, "completed", &Iso(self.now()));
        field(out, "working_time", &turn.timings.total.as_secs_f64());
    }

    fn pass(&mut self, time: std::time::Duration) {
        let time = SignedDuration::try_from(time).unwrap_or(SignedDuration::MAX);
        self.elapsed = self.elapsed.saturating_add(time);
    }

    pub(crate) fn tool(
        &mut self,
        out: &mut Vec<u8>,
        call: Option<&ToolCall>,
        message: &ToolMessage,
    ) {
        self.begin(out, "tool");
        self.within(out, SpanKind::Generate);
        field(out, "type", "function");
        field(out, "id", &message.call_id);
        field(out, "function", &message.name);
        match call.map(|call| &call.arguments) {
            Some(Arguments::Object(object)) => field(out, "arguments", object),
            _ => field(out, "arguments", &Map::new()),
        }
        field(out, "result", &message.content);
        if message.failed {
            field(out, "error", &ToolCallError::of(message));
        }
        field(out, "completed", &Iso(self.now()));
        out.extend_from_slice(b",\"events\":[]}");
    }

    /// A change to the store: within a span, or before there is one.
    pub(crate) fn store(
        &mut self,
        out: &mut Vec<u8>,
        span: Option<SpanKind>,
        changes: &[impl Serialize],
    ) {
        self.begin(out, "store");
        if let Some(span) = span {
            self.within(out, span);
        }
        field(out, "changes", changes);
        out.push(b'}');
    }

    /// What a viewer of the transcript should know about a turn and finds nowhere else.
    pub(crate) fn info(&mut self, out: &mut Vec<u8>, turn: &Turn) {
        if turn.timings.first_token.is_none() && turn.oddities.is_empty() {
            return;
        }
        self.begin(out, "info");
        self.within(out, SpanKind::Generate);
        field(out, "source", "toolgauge");
        field(out, "data", &TurnInfo { timings: turn.timings, oddities: &turn.oddities });
        out.push(b'}');
    }

    pub(crate) fn scores(&mut self, out: &mut Vec<u8>, target: &str, answer: &str) {
        for (scorer, score) in finite(&self.trial.outcomes) {
            self.begin(out, "score");
            self.within(out, SpanKind::Scorers);
            let explanation = &score.explanation;
            field(out, "score", &BareScore { value: score.value, answer, explanation });
            field(out, "target", target);
            field(out, "scorer", scorer);
            out.extend_from_slice(b",\"intermediate\":false}");
        }
    }
}

/// What an info event says about a turn.
#[derive(Serialize)]
struct TurnInfo<'a> {
    timings: Timings,
    oddities: &'a [Oddity],
}

/// What a turn brought, as Inspect's `ModelOutput`.
#[derive(Serialize)]
pub(crate) struct Output<'a> {
    model: &'a str,
    choices: Vec<OutputChoice<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    usage: Option<ModelUsage>,
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<f64>,
}

#[derive(Serialize)]
struct OutputChoice<'a> {
    message: OutputMessage<'a>,
    stop_reason: &'static str,
}

impl<'a> Output<'a> {
    pub(crate) fn of(
        model: &'a str,
        message: Option<&'a AssistantMessage>,
        turn: Option<&'a Turn>,
    ) -> Self {
        let stop_reason = stop_reason(turn.map(|turn| turn.stop).unwrap_or_default());
        let choice =
            |message| OutputChoice { message: OutputMessage { message, model }, stop_reason };
        Self {
            // A server may answer with another model than the one that was asked for.
            model: turn.and_then(|turn| turn.model.as_deref()).unwrap_or(model),
            choices: message.map(choice).into_iter().collect(),
            usage: turn.map(|turn| turn.usage.into()),
            time: turn.map(|turn| turn.timings.total.as_secs_f64()),
        }
    }
}

/// Tokens, as Inspect counts them.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(crate) struct ModelUsage {
    input_tokens: u64,
    output_tokens: u64,
    total_tokens: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    input_tokens_cache_read: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reasoning_tokens: Option<u64>,
}

impl From<toolgauge_core::Usage> for ModelUsage {
    fn from(usage: toolgauge_core::Usage) -> Self {
        let (input, output) = (usage.input.unwrap_or(0), usage.output.unwrap_or(0));
        Self {
            input_tokens: input,
            output_tokens: output,
            total_tokens: input.saturating_add(output),
            input_tokens_cache_read: usage.cached,
            reasoning_tokens: usage.reasoning,
        }
    }
}

#[derive(Serialize)]
struct WireCall<'a> {
    request: ObjectBody<'a>,
    response: ObjectBody<'a>,
    time: f64,
}

/// A body as Inspect takes it: always an object.
struct ObjectBody<'a>(Option<&'a Value>);

impl Serialize for ObjectBody<'_> {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match (BodyForm::of(self.0), self.0) {
            (BodyForm::Whole, Some(body)) => body.serialize(to),
            (BodyForm::Wrapped, Some(body)) => to.collect_map([("body", body)]),
            _ => Map::new().serialize(to),
        }
    }
}

/// The call that a tool's message answers.
pub(crate) fn answered<'a>(
    said: &'a AssistantMessage,
    message: &ToolMessage,
) -> Option<&'a ToolCall> {
    said.calls.iter().find(|call| call.id.as_deref() == Some(&message.call_id))
}

/// The messages of a trial that came from the subject.
pub(crate) fn assistants(trial: &Trial) -> impl Iterator<Item = &AssistantMessage> {
    trial.transcript.messages.iter().filter_map(|message| match message {
        Message::Assistant(message) => Some(message),
        _ => None,
    })
}
