//! Writes a trial as the sample Inspect expects.
//!
//! A sample has four parts: what toolgauge needs to read the trial back, what the scorers said of
//! it, everything else that happened, and the scorers' events. The second and the fourth change
//! when a log is judged again; the others are then copied as they are. Most of a sample is in the
//! third, which is packed; the others are left plain as long as they are short, because they are
//! what is read and written most.
//! What is the same in every sample is packed once for the run: see [`crate::archive`].

use std::ops::Range;

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use toolgauge_core::{AssistantMessage, Message, Outcome, Run, Tags, Tool, Trial, UnscoredReason};

use super::event::{Events, ModelUsage, Output, SpanKind, answered, assistants, field, value};
use super::lenient::OWN_RECORD;
use super::message::ChatMessage;
use super::record::{MessagesPlace, SampleExtras, unscored};
use super::score::{ScoredAnswer, Scores};
use super::spec::{GenerateConfig, ToolInfo};
use super::store::{Moment, Things};
use super::target::{answer, target};
use super::wording::{Iso, model_name, sample_uuid};
use crate::archive::{Member, MemberBuilder, MemberPart, Segment};

/// Up to so many turns, each model event repeats what was said before it. With more, the
/// messages are pooled, which versions before 0.3.186 show as events without input.
const INLINE_TURNS: usize = 3;

/// What makes JSON of a sample's first part.
pub(crate) const HEAD_END: &[u8] = b"}}}";

/// What makes JSON of a sample's first two parts.
pub(crate) const FIRST_PARTS_END: &[u8] = b"}";

/// Writes samples of one run.
#[derive(Debug)]
pub(crate) struct SampleWriter {
    shared: SampleContext,
    page: MemberBuilder,
}

/// What is the same for every sample.
#[derive(Debug)]
struct SampleContext {
    run: Run,
    /// Inspect's name of the subject.
    model: String,
    /// The system prompt as a message.
    system: Option<Segment>,
    /// The tools and settings of a model event, up to the bracket that opens its input.
    offer: Segment,
}

/// The parts of a sample that judging again leaves as they are, packed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unchanged<'a> {
    pub(crate) head: (&'a [u8], MemberPart),
    pub(crate) story: (&'a [u8], MemberPart),
}

/// What is made of a trial once, for all the places it stands in.
#[derive(Debug)]
pub(crate) struct Particulars {
    pub(crate) uuid: String,
    pub(crate) target: String,
    pub(crate) answer: String,
    /// Why there is no score, if that is an error.
    pub(crate) error: Option<String>,
}

impl Particulars {
    pub(crate) fn of(run: &Run, trial: &Trial) -> Self {
        Self::named(sample_uuid(run, trial), trial)
    }

    /// The same for a sample that has its name already.
    pub(crate) fn named(uuid: String, trial: &Trial) -> Self {
        Self {
            uuid,
            target: target(&trial.case.expectation),
            answer: answer(trial),
            error: error(trial),
        }
    }
}

struct SampleText<'a> {
    trial: &'a Trial,
    shared: &'a SampleContext,
    own: &'a Particulars,
}

impl SampleWriter {
    pub(crate) fn new(run: &Run) -> Self {
        Self { shared: SampleContext::of(run), page: MemberBuilder::new() }
    }

    pub(crate) fn run(&self) -> &Run {
        &self.shared.run
    }

    /// Inspect's name of the subject.
    pub(crate) fn model(&self) -> &str {
        &self.shared.model
    }

    /// Whether the messages begin with a system prompt.
    pub(crate) fn has_system(&self) -> bool {
        self.shared.system.is_some()
    }

    /// Packs a trial.
    pub(crate) fn write(&mut self, trial: &Trial, own: &Particulars) -> &Member {
        let sheet = SampleText { trial, shared: &self.shared, own };
        let page = &mut self.page;
        page.clear();
        sheet.head(page.text());
        page.cut_plain();
        sheet.judgement(page.text());
        page.cut_plain();
        sheet.story(page);
        page.cut();
        sheet.verdicts(page.text());
        page.cut_plain();
        page.finish()
    }

    /// Packs a trial that was judged again, out of what has not changed and what has.
    pub(crate) fn rewrite(
        &mut self,
        trial: &Trial,
        own: &Particulars,
        unchanged: Unchanged<'_>,
    ) -> &Member {
        let sheet = SampleText { trial, shared: &self.shared, own };
        let page = &mut self.page;
        page.clear();
        page.adopt(unchanged.head.0, unchanged.head.1);
        sheet.judgement(page.text());
        page.cut_plain();
        page.adopt(unchanged.story.0, unchanged.story.1);
        sheet.verdicts(page.text());
        page.cut_plain();
        page.finish()
    }
}

impl SampleContext {
    fn of(run: &Run) -> Self {
        let system = run.system_prompt.as_ref().map(|prompt| {
            let mut text = b"{\"id\":\"system\",\"role\":\"system\",\"content\":".to_vec();
            value(&mut text, prompt);
            text.push(b'}');
            Segment::new(text)
        });
        let mut offer = Vec::new();
        write_offer(&mut offer, run, &run.tools);
        let offer = Segment::new(offer);
        Self { run: run.clone(), model: model_name(&run.subject), system, offer }
    }
}

/// The tools and settings of a model event, up to the bracket that opens its input.
fn write_offer(out: &mut Vec<u8>, run: &Run, tools: &[Tool]) {
    let tools: Vec<_> = tools.iter().map(ToolInfo::of).collect();
    field(out, "tools", &tools);
    field(out, "tool_choice", "auto");
    field(out, "config", &GenerateConfig::of(run));
    out.extend_from_slice(b",\"input\":[");
}

impl SampleText<'_> {
    /// Everything toolgauge reads back but the scores. Ends inside of toolgauge's own record,
    /// which [`HEAD_END`] would close.
    fn head(&self, out: &mut Vec<u8>) {
        let (trial, shared) = (self.trial, self.shared);
        out.extend_from_slice(b"{\"id\":");
        value(out, &trial.case.id);
        field(out, "epoch", &trial.number);
        field(out, "uuid", &self.own.uuid);
        field(out, "input", &self.input());
        let (last, turn) = (assistants(trial).last(), trial.transcript.turns.last());
        field(out, "output", &Output::of(&shared.model, last, turn));
        let extras = SampleExtras::of(trial, messages_place(trial), shared.system.is_some());
        field(out, "metadata", &Metadata { tags: &trial.case.tags, extras: &extras });
        // The two closing brackets, of toolgauge's record and of the metadata, are taken off: the
        // judgement that follows adds to the record and closes both.
        out.truncate(out.len() - 2);
    }

    /// What the scorers said, which begins with the end of toolgauge's own record.
    fn judgement(&self, out: &mut Vec<u8>) {
        let (trial, shared) = (self.trial, self.shared);
        let unscored = unscored(&trial.outcomes);
        if !unscored.is_empty() {
            field(out, "unscored", &unscored);
        }
        out.extend_from_slice(b"}}");
        let answer = ScoredAnswer::WithAll(&self.own.answer);
        field(out, "scores", &Scores { run: &shared.run, outcomes: &trial.outcomes, answer });
        if let Some(message) = &self.own.error {
            field(out, "error", &EvalError::new(message));
        }
    }

    /// Everything else that happened, up to where the scorers' events follow.
    fn story(&self, page: &mut MemberBuilder) {
        self.frame(page.text());
        page.text().extend_from_slice(b",\"messages\":[");
        let written = self.messages(page);
        page.text().push(b']');
        // Repeating the conversation in each event makes a sample grow with the square of its
        // turns.
        let pooled = assistants(self.trial).count() > INLINE_TURNS;
        if pooled {
            page.text().extend_from_slice(b",\"events_data\":{\"calls\":[],\"messages\":[");
            self.repeat(page, &written);
            page.text().extend_from_slice(b"]}");
        }
        page.text().extend_from_slice(b",\"events\":[");
        self.events(page, (!pooled).then_some(&written[..]));
    }

    /// The scorers' events, and the end of the sample.
    fn verdicts(&self, out: &mut Vec<u8>) {
        let mut events = Events::of_scorers(self.trial, &self.own.uuid, &self.shared.model);
        events.scores(out, &self.own.target, &self.own.answer);
        events.span_end(out, SpanKind::Scorers);
        out.extend_from_slice(b"]}");
    }

    /// What only Inspect asks for.
    fn frame(&self, out: &mut Vec<u8>) {
        let (trial, shared) = (self.trial, self.shared);
        field(out, "target", &self.own.target);
        let usage: ModelUsage = trial.transcript.usage().into();
        field(out, "model_usage", &OneEntry(&shared.model, usage));
        let times = TrialTimes::of(trial);
        field(out, "started_at", &Iso(trial.started));
        field(out, "completed_at", &Iso(trial.ended));
        field(out, "total_time", &times.total);
        field(out, "working_time", &times.working);
        match Things::of(&trial.transcript.background.changes) {
            Some(things) => field(out, "store", &things.store(Moment::After)),
            None => out.extend_from_slice(b",\"store\":{}"),
        }
        out.extend_from_slice(b",\"attachments\":{},\"role_usage\":{},\"error_retries\":[]");
    }

    fn input(&self) -> Input<'_> {
        Input { trial: self.trial, uuid: &self.own.uuid, model: &self.shared.model }
    }

    /// The items of the list of all messages: system prompt, input and transcript. Tells where
    /// those of the last two stand in the text.
    fn messages(&self, page: &mut MemberBuilder) -> Vec<Range<usize>> {
        let trial = self.trial;
        let messages = trial.case.input.iter().chain(&trial.transcript.messages);
        let mut written =
            Vec::with_capacity(trial.case.input.len() + trial.transcript.messages.len());
        let mut gap = self.prompt(page);
        for (place, message) in messages.enumerate() {
            page.text().extend_from_slice(std::mem::replace(&mut gap, b","));
            let start = page.text().len();
            let id = (self.own.uuid.as_str(), place);
            value(page.text(), &ChatMessage { message, id, model: &self.shared.model });
            written.push(start..page.text().len());
        }
        written
    }

    /// The items of a list of messages that stand in the text already.
    fn repeat(&self, page: &mut MemberBuilder, written: &[Range<usize>]) {
        let mut gap = self.prompt(page);
        for place in written {
            page.text().extend_from_slice(std::mem::replace(&mut gap, b","));
            page.text().extend_from_within(place.clone());
        }
    }

    /// The system prompt, if there is one, and what stands between it and the next message.
    fn prompt(&self, page: &mut MemberBuilder) -> &'static [u8] {
        let Some(system) = &self.shared.system else { return b"" };
        // The prompt is the same text in every sample, packed once for the run.
        page.same(system);
        b","
    }

    /// What happened, event by event. An event repeats messages that are `written`; without, it
    /// refers to the pool.
    fn events(&self, page: &mut MemberBuilder, written: Option<&[Range<usize>]>) {
        let trial = self.trial;
        let mut events = Events::new(trial, &self.own.uuid, &self.shared.model);
        events.sample_init(page.text(), &self.input(), &self.own.target);
        let things = Things::of(&trial.transcript.background.changes);
        if let Some(things) = &things {
            events.store(page.text(), None, &things.arrival());
        }
        events.span_begin(page.text(), SpanKind::Generate);
        // Turns are counted along with the assistant's messages: each message is the result of one
        // turn.
        let mut speaking: Option<&AssistantMessage> = None;
        let mut turns = trial.transcript.turns.iter();
        for (place, message) in trial.transcript.messages.iter().enumerate() {
            match message {
                Message::Assistant(message) => {
                    speaking = Some(message);
                    let turn = turns.next();
                    events.model(page.text(), Some(message), turn);
                    self.model_input(page, place, written);
                    if let Some(turn) = turn {
                        events.info(page.text(), turn);
                    }
                }
                Message::Tool(message) => {
                    let call = speaking.and_then(|said| answered(said, message));
                    events.tool(page.text(), call, message);
                }
                Message::System { .. } | Message::User { .. } => {}
            }
        }
        // A turn that brought no message, and the turn that a failed trial never got: data
        // frames are made of model events, and a sample without one breaks them.
        let everything = trial.transcript.messages.len();
        let mut rest = turns.map(Some).collect::<Vec<_>>();
        if speaking.is_none() && rest.is_empty() {
            rest.push(None);
        }
        for turn in rest {
            events.model(page.text(), None, turn);
            self.model_input(page, everything, written);
        }
        let changes = things.as_ref().map(Things::changes).unwrap_or_default();
        if !changes.is_empty() {
            events.store(page.text(), Some(SpanKind::Generate), &changes);
        }
        events.span_end(page.text(), SpanKind::Generate);
        events.span_begin(page.text(), SpanKind::Scorers);
    }

    /// The end of a model event: tools, settings, and what was said before.
    fn model_input(&self, page: &mut MemberBuilder, said: usize, written: Option<&[Range<usize>]>) {
        match &self.trial.case.tools {
            Some(tools) => write_offer(page.text(), &self.shared.run, tools),
            // What all cases are offered is packed once for the run.
            None => page.same(&self.shared.offer),
        }
        let end = self.trial.case.input.len() + said;
        if let Some(written) = written {
            self.repeat(page, &written[..end]);
            page.text().extend_from_slice(b"]}");
        } else {
            let system = usize::from(self.shared.system.is_some());
            page.text().push(b']');
            // A range of the pool: everything from its first message up to this turn.
            field(page.text(), "input_refs", &[[0, system + end]]);
            page.text().push(b'}');
        }
    }
}

/// Where a reader will find what the subject said.
fn messages_place(trial: &Trial) -> MessagesPlace {
    match trial.transcript.messages.as_slice() {
        [Message::Assistant(_)] => MessagesPlace::Output,
        _ => MessagesPlace::Messages,
    }
}

/// Why the trial has no score, in Inspect's place for it: failures that are scored are not
/// errors of the sample.
fn error(trial: &Trial) -> Option<String> {
    if trial.outcome().is_some_and(|outcome| outcome.value().is_some()) {
        return None;
    }
    // Without an outcome, as in a trial that nobody judged, the failure itself is the reason.
    match (trial.outcome(), &trial.transcript.failure) {
        (Some(Outcome::Unscored(reason @ UnscoredReason::Failed(_))), _) => {
            Some(reason.to_string())
        }
        (_, Some(failure)) => Some(UnscoredReason::Failed(failure.clone()).to_string()),
        _ => None,
    }
}

/// An error as Inspect asks for it: three texts, two of which make sense in Python only.
#[derive(Serialize)]
pub(crate) struct EvalError<'a> {
    message: &'a str,
    traceback: &'static str,
    traceback_ansi: &'static str,
}

impl<'a> EvalError<'a> {
    pub(crate) fn new(message: &'a str) -> Self {
        Self { message, traceback: "", traceback_ansi: "" }
    }
}

/// How long a trial took, in seconds.
pub(crate) struct TrialTimes {
    pub(crate) total: f64,
    pub(crate) working: f64,
}

impl TrialTimes {
    pub(crate) fn of(trial: &Trial) -> Self {
        let turns = trial.transcript.turns.iter();
        Self {
            total: trial.ended.duration_since(trial.started).as_secs_f64(),
            working: turns.map(|turn| turn.timings.total.as_secs_f64()).sum(),
        }
    }
}

/// The input of a case: its sentence, or the conversation if it is more than that.
struct Input<'a> {
    trial: &'a Trial,
    uuid: &'a str,
    model: &'a str,
}

impl Serialize for Input<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self.trial.case.input.as_slice() {
            [Message::User { content }] => to.serialize_str(content),
            messages => to.collect_seq(messages.iter().enumerate().map(|(place, message)| {
                ChatMessage { message, id: (self.uuid, place), model: self.model }
            })),
        }
    }
}

/// A sample's metadata: the tags as they are, so that data frames have a column for each, and
/// toolgauge's own record.
pub(crate) struct Metadata<'a, T> {
    pub(crate) tags: &'a Tags,
    pub(crate) extras: &'a T,
}

impl<T: Serialize> Serialize for Metadata<'_, T> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(None)?;
        // A tag of this name would be written twice under one key. It is kept inside toolgauge's
        // record.
        for (name, value) in self.tags.iter().filter(|(name, _)| *name != OWN_RECORD) {
            map.serialize_entry(name, value)?;
        }
        map.serialize_entry(OWN_RECORD, self.extras)?;
        map.end()
    }
}

/// An object of one entry.
pub(crate) struct OneEntry<'a, T>(pub(crate) &'a str, pub(crate) T);

impl<T: Serialize> Serialize for OneEntry<'_, T> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map([(self.0, &self.1)])
    }
}
