//! Reads a trial back from a sample toolgauge wrote, and no more of the sample than it takes.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};
use toolgauge_core::{Case, CaseId, Message, Outcome, Tags, Transcript, Trial};

use super::lenient::{LentText, OWN_RECORD, Tagged};
use super::message::ChatMessageRecord;
use super::pool::{Bodies, Pool};
use super::record::{
    BodyForm, MessagesPlace, SampleExtrasRecord, ShownBackground, insert_unscored, unread,
};
use super::score::OwnScores;
use crate::{MessageRecord, OutcomeRecord, TrialRecord};

/// What came of reading the beginning of a sample.
#[derive(Debug)]
pub(crate) enum OwnSample<'a> {
    /// What a trial is made of, and how much of the text it took.
    Trial(Box<OwnParts<'a>>, usize),
    /// The text ended before all was there.
    Short,
    /// The sample is not one of toolgauge's.
    Foreign,
}

/// What of a trial is wanted. Requests and responses stand at the end of a sample, and are most of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum WantedParts {
    /// All of it.
    #[default]
    All,
    /// All but the bodies of requests and responses.
    WithoutBodies,
    /// Neither bodies nor scores.
    Unjudged,
}

/// Reads a trial from a sample, or from as much of its beginning as was unpacked.
pub(crate) fn read_trial(text: &str, wanted: WantedParts) -> serde_json::Result<OwnSample<'_>> {
    let mut parts = SampleParts { wanted, ..SampleParts::default() };
    let mut json = serde_json::Deserializer::from_str(text);
    // Once everything needed was found, reading stops with an error on purpose. Samples are one
    // line each, so that the error's column is how far it came.
    let taken = match (&mut parts).deserialize(&mut json) {
        Err(error) if parts.complete() => error.column(),
        Err(error) if error.is_eof() => return Ok(OwnSample::Short),
        Err(error) => return Err(error),
        Ok(()) => text.len(),
    };
    let own = parts.assemble();
    Ok(own.map_or(OwnSample::Foreign, |own| OwnSample::Trial(Box::new(own), taken)))
}

/// Reads a trial from the first parts of a sample and the bracket that closes them; `None` where
/// they do not hold all that is wanted.
pub(crate) fn read_first_parts(text: &str, wanted: WantedParts) -> Option<OwnParts<'_>> {
    let mut parts = SampleParts { wanted, ..SampleParts::default() };
    // Whatever is wrong behind what is wanted does not matter, and if something is missing, all of
    // the sample is read.
    let _ = (&mut parts).deserialize(&mut serde_json::Deserializer::from_str(text));
    if parts.complete() { parts.assemble() } else { None }
}

/// Reads what there is to judge in a sample: the trial without its scores and bodies, and the
/// name Inspect knows the sample by. `None` if the sample is not one of toolgauge's, or lacks
/// something.
pub(crate) fn read_unjudged(text: &str) -> serde_json::Result<Option<(Trial, String)>> {
    let mut parts = SampleParts { wanted: WantedParts::Unjudged, ..SampleParts::default() };
    let mut json = serde_json::Deserializer::from_str(text);
    match (&mut parts).deserialize(&mut json) {
        Err(error) if !parts.complete() => return Err(error),
        _ if !parts.complete() => return Ok(None),
        _ => {}
    }
    let uuid = parts.uuid.take();
    let trial = parts.assemble().map(OwnParts::into_trial).transpose()?;
    Ok(trial.zip(uuid))
}

/// The parts of a sample, as far as they were read.
#[derive(Debug, Default)]
struct SampleParts<'a> {
    wanted: WantedParts,
    id: Option<Cow<'a, str>>,
    uuid: Option<String>,
    epoch: Option<u32>,
    input: Option<Vec<ChatMessageRecord<'a>>>,
    metadata: Option<Tagged<'a, SampleExtrasRecord<'a>>>,
    scores: Option<OwnScores<'a>>,
    /// The messages of the output: one, or none.
    output: Option<Vec<ChatMessageRecord<'a>>>,
    messages: Option<Vec<ChatMessageRecord<'a>>>,
    bodies: Option<Vec<Bodies>>,
    pool: Pool,
}

/// What one of toolgauge's samples holds, of which a trial can be made.
#[derive(Debug)]
pub(crate) struct OwnParts<'a> {
    case: Cow<'a, str>,
    number: u32,
    input: Vec<ChatMessageRecord<'a>>,
    messages: Vec<ChatMessageRecord<'a>>,
    tags: Vec<(Cow<'a, str>, Cow<'a, str>)>,
    own: SampleExtrasRecord<'a>,
    scores: OwnScores<'a>,
    bodies: Vec<Bodies>,
    pool: Pool,
}

impl<'a> SampleParts<'a> {
    /// Whether a trial can be made of what was read.
    fn complete(&self) -> bool {
        let Some(own) = self.metadata.as_ref().and_then(|metadata| metadata.own.as_ref()) else {
            return false;
        };
        let said = match own.said {
            MessagesPlace::Output => self.output.is_some(),
            MessagesPlace::Messages => self.messages.is_some(),
        };
        let kept = || {
            own.turns
                .iter()
                .any(|turn| turn.request != BodyForm::No || turn.response != BodyForm::No)
        };
        // What bodies refer to may stand anywhere in the sample.
        self.id.is_some()
            && self.epoch.is_some()
            && self.input.is_some()
            && said
            && match self.wanted {
                WantedParts::All => self.scores.is_some() && !kept(),
                WantedParts::WithoutBodies => self.scores.is_some(),
                WantedParts::Unjudged => self.uuid.is_some(),
            }
    }

    /// What was read, if the sample is one of toolgauge's.
    fn assemble(self) -> Option<OwnParts<'a>> {
        let Tagged { mut tags, own } = self.metadata?;
        let mut own = own?;
        let input = self.input?;
        let messages = if own.said == MessagesPlace::Output {
            self.output.unwrap_or_default()
        } else {
            // Inspect's list begins with the prompt and the input, which are known from elsewhere.
            let before = usize::from(own.system) + input.len();
            self.messages.unwrap_or_default().into_iter().skip(before).collect()
        };
        if let Some(tag) = own.tag.take() {
            tags.push((OWN_RECORD.into(), tag.0));
        }
        if self.wanted == WantedParts::Unjudged {
            own.unscored.clear();
        }
        Some(OwnParts {
            case: self.id?,
            number: self.epoch?,
            input,
            messages,
            tags,
            own,
            scores: self.scores.unwrap_or_default(),
            bodies: self.bodies.unwrap_or_default(),
            pool: self.pool,
        })
    }
}

impl<'a> OwnParts<'a> {
    /// The trial.
    pub(crate) fn into_trial(self) -> serde_json::Result<Trial> {
        let own = self.own;
        let mut outcomes = self.scores.into_outcomes();
        insert_unscored(&mut outcomes, own.unscored, Outcome::Unscored);
        // The model events stand in the order of the turns, so they are matched by place.
        let mut bodies = self.bodies.into_iter();
        let turns = own.turns.into_iter().map(|turn| {
            let (request, response) = self.pool.restore(bodies.next().unwrap_or_default());
            turn.into_turn(request, response)
        });
        let transcript = Transcript {
            messages: into_messages(self.messages),
            turns: turns.collect(),
            failure: own.failure,
            background: unread(own.background)?,
        };
        let tags = self.tags.into_iter();
        let case = Case {
            id: CaseId::new(self.case),
            input: into_messages(self.input),
            expectation: unread(own.expectation)?,
            tools: unread(own.tools)?,
            tags: tags.map(|(name, tag)| (name.into(), tag.into())).collect::<Tags>(),
            group: own.group.map(|group| group.0.into_owned()),
            metadata: unread::<Map<String, Value>>(own.case)?.into(),
        };
        Ok(Trial {
            case: Arc::new(case),
            number: self.number,
            started: own.started,
            ended: own.ended,
            transcript,
            outcomes,
        })
    }

    /// As much of the trial as tables show.
    pub(crate) fn into_record(self) -> serde_json::Result<TrialRecord<'a>> {
        let own = self.own;
        let mut outcomes = self.scores.into_records();
        insert_unscored(&mut outcomes, own.unscored, |reason| {
            OutcomeRecord::Unscored(Cow::Owned(reason))
        });
        Ok(TrialRecord {
            case: self.case,
            number: self.number,
            input: self.input.into_iter().map(ChatMessageRecord::into_record).collect(),
            tags: self.tags.into_iter().collect(),
            group: own.group.map(|group| group.0),
            started: own.started,
            ended: own.ended,
            messages: self.messages.into_iter().map(ChatMessageRecord::into_record).collect(),
            turns: own.turns,
            failure: own.failure,
            tool_times: unread::<ShownBackground>(own.background)?.tool_times,
            outcomes,
        })
    }
}

impl<'de> DeserializeSeed<'de> for &mut SampleParts<'de> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for &mut SampleParts<'de> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a sample")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<SampleKey>()? {
            // What follows is mostly the events, several times as long as everything read so far.
            // Asked only when something follows, since making an error of it takes its time.
            if self.complete() {
                return Err(A::Error::custom("enough was read"));
            }
            match key {
                SampleKey::Id => self.id = Some(map.next_value::<LentText<'_>>()?.0),
                SampleKey::Uuid if self.wanted == WantedParts::Unjudged => {
                    self.uuid = Some(map.next_value()?);
                }
                SampleKey::Epoch => self.epoch = Some(map.next_value()?),
                SampleKey::Input => self.input = Some(map.next_value::<InputRecord<'_>>()?.0),
                SampleKey::Metadata => self.metadata = Some(map.next_value()?),
                SampleKey::Scores if self.wanted != WantedParts::Unjudged => {
                    self.scores = Some(map.next_value::<Option<_>>()?.unwrap_or_default());
                }
                SampleKey::Output => {
                    let output = map.next_value::<OutputRecord<'_>>()?;
                    let first = output.choices.into_iter().take(1);
                    self.output = Some(first.map(|choice| choice.message.by_subject()).collect());
                }
                SampleKey::Messages => {
                    self.messages = Some(map.next_value::<InputRecord<'_>>()?.0);
                }
                SampleKey::Events if self.wanted == WantedParts::All => {
                    self.bodies = Some(map.next_value::<EventBodies>()?.0);
                }
                SampleKey::EventsData => {
                    self.pool.data = map.next_value::<Option<_>>()?.unwrap_or_default();
                }
                SampleKey::Attachments => self.pool.attachments = map.next_value()?,
                SampleKey::Uuid | SampleKey::Scores | SampleKey::Events | SampleKey::Other => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(())
    }
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum SampleKey {
    Id,
    Uuid,
    Epoch,
    Input,
    Metadata,
    Scores,
    Output,
    Messages,
    Events,
    EventsData,
    Attachments,
    #[serde(other)]
    Other,
}

#[derive(Debug, Deserialize)]
struct OutputRecord<'a> {
    #[serde(default, borrow)]
    choices: Vec<ChoiceRecord<'a>>,
}

#[derive(Debug, Deserialize)]
struct ChoiceRecord<'a> {
    #[serde(borrow)]
    message: ChatMessageRecord<'a>,
}

/// A text, which is what a person says, or a list of messages.
#[derive(Debug, Default)]
pub(crate) struct InputRecord<'a>(Vec<ChatMessageRecord<'a>>);

impl<'a> InputRecord<'a> {
    pub(crate) fn into_messages(self) -> Vec<Message> {
        into_messages(self.0)
    }

    pub(crate) fn into_records(self) -> Vec<MessageRecord<'a>> {
        self.0.into_iter().map(ChatMessageRecord::into_record).collect()
    }
}

fn into_messages(records: Vec<ChatMessageRecord<'_>>) -> Vec<Message> {
    records.into_iter().map(|record| record.into_message(|text| text)).collect()
}

impl<'de: 'a, 'a> Deserialize<'de> for InputRecord<'a> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct TextOrMessages;
        impl<'de> Visitor<'de> for TextOrMessages {
            type Value = InputRecord<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text or a list of messages")
            }

            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<InputRecord<'de>, E> {
                Ok(InputRecord(vec![ChatMessageRecord::user(text.into())]))
            }

            fn visit_str<E>(self, text: &str) -> Result<InputRecord<'de>, E> {
                Ok(InputRecord(vec![ChatMessageRecord::user(text.to_owned().into())]))
            }

            fn visit_seq<A: SeqAccess<'de>>(
                self,
                mut items: A,
            ) -> Result<InputRecord<'de>, A::Error> {
                let mut messages = Vec::new();
                while let Some(record) = items.next_element()? {
                    messages.push(record);
                }
                Ok(InputRecord(messages))
            }
        }
        from.deserialize_any(TextOrMessages)
    }
}

/// The bodies that the model events hold, in order.
#[derive(Debug)]
struct EventBodies(Vec<Bodies>);

impl<'de> Deserialize<'de> for EventBodies {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct EventRecord<'a> {
            #[serde(borrow)]
            event: Cow<'a, str>,
            #[serde(default)]
            call: Option<Bodies>,
        }

        struct Events;
        impl<'de> Visitor<'de> for Events {
            type Value = EventBodies;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of events")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut events: A) -> Result<EventBodies, A::Error> {
                let mut calls = Vec::new();
                while let Some(event) = events.next_element::<EventRecord<'_>>()? {
                    if event.event == "model" {
                        calls.push(event.call.unwrap_or_default());
                    }
                }
                Ok(EventBodies(calls))
            }
        }
        from.deserialize_seq(Events)
    }
}
