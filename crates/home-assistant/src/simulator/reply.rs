//! Answers in the shapes of each profile.

use serde::Serialize;
use serde_json::Value;

use crate::catalogue::SlotError;
use crate::inventory::Entity;
use crate::profile::Profile;
use toolgauge_world::ToolReply;

/// What a call comes to.
pub(super) type CallOutcome = Result<CallAnswer, CallFailure>;

/// What a call that went well says.
#[derive(Debug)]
pub(super) enum CallAnswer {
    /// An intent's response.
    Intent(IntentAnswer),
    /// What a reading tool found.
    Read(Read),
}

/// An intent's response.
#[derive(Debug, Default)]
pub(super) struct IntentAnswer {
    pub(super) kind: ResponseType,
    pub(super) speech: Option<String>,
    pub(super) speech_slots: Option<Value>,
    pub(super) success: Vec<Target>,
    pub(super) failed: Vec<Target>,
}

/// Whether an intent did something or told something.
#[derive(Clone, Copy, Debug, Default, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum ResponseType {
    #[default]
    ActionDone,
    QueryAnswer,
}

/// Something a call was aimed at.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Target {
    pub(super) name: String,
    #[serde(rename = "type")]
    pub(super) kind: TargetKind,
    pub(super) id: String,
}

/// What kind of thing a target is.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum TargetKind {
    Area,
    Floor,
    Entity,
}

/// What a reading tool found. Since 2026.10 each tool has a shape of its own; before, all of
/// them had `success` and `result`.
#[derive(Debug)]
pub(super) struct Read {
    pub(super) current: Value,
    pub(super) earlier: Value,
}

impl CallAnswer {
    /// An action that names no targets.
    pub(super) fn done() -> Self {
        Self::Intent(IntentAnswer::default())
    }

    /// Something found, under a name of its own since 2026.10.
    pub(super) fn found(name: &str, value: Value) -> Self {
        let earlier = earlier(&value);
        let current = serde_json::Map::from_iter([(name.to_owned(), value)]);
        Self::Read(Read { current: Value::Object(current), earlier })
    }

    /// Something found, as it is.
    pub(super) fn plain(value: Value) -> Self {
        Self::Read(Read { earlier: earlier(&value), current: value })
    }
}

fn earlier(value: &Value) -> Value {
    serde_json::json!({"success": true, "result": value})
}

/// Why a call came to nothing.
#[derive(Debug)]
pub(super) enum CallFailure {
    /// An exception with its class and text.
    Raised {
        /// The class.
        error: &'static str,
        text: String,
    },
    /// A reading tool that found nothing says so itself.
    NotFound(String),
    /// An exception that Home Assistant does not catch: it ends the turn, and the model gets
    /// neither an answer nor another turn.
    Uncaught {
        /// The class.
        error: &'static str,
        text: String,
    },
}

impl CallFailure {
    pub(super) fn raised(error: &'static str, text: impl Into<String>) -> Self {
        Self::Raised { error, text: text.into() }
    }

    /// An entity that was named lacks what an action needs.
    pub(super) fn unsupported(entity: &Entity, action: &str) -> Self {
        let (id, domain) = (&entity.id, entity.domain());
        let text = format!("Entity {id} does not support action {domain}.{action}");
        Self::raised("ServiceNotSupported", text)
    }

    pub(super) fn uncaught(error: &'static str, text: impl Into<String>) -> Self {
        Self::Uncaught { error, text: text.into() }
    }

    /// A match failed on a set that holds other things than texts, and naming it fails too.
    pub(super) fn unlistable() -> Self {
        Self::uncaught("TypeError", "sequence item 0: expected str instance")
    }

    pub(super) fn tool_not_found(name: &str) -> Self {
        Self::raised("HomeAssistantError", format!("Tool \"{name}\" not found"))
    }

    /// The failure of a handler that reports what a service raised.
    pub(super) fn while_doing(self, what: &str) -> Self {
        match self {
            Self::Raised { text, .. } => Self::handle(format!("{what}: {text}")),
            other => other,
        }
    }

    pub(super) fn handle(text: impl Into<String>) -> Self {
        Self::raised("IntentHandleError", text)
    }

    /// The handler itself broke, as far as Home Assistant is concerned.
    pub(super) fn unexpected(intent: &str) -> Self {
        Self::raised("IntentUnexpectedError", format!("Error handling {intent}"))
    }

    pub(super) fn slots(fault: SlotError, intent: &str) -> Self {
        match fault {
            SlotError::Unexpected => Self::unexpected(intent),
            SlotError::Invalid => {
                let text = format!("Received invalid slot info for {intent}");
                Self::raised("InvalidSlotInfo", text)
            }
        }
    }
}

#[derive(Serialize)]
struct Envelope<'a> {
    data: MessageBody<'a>,
    error: bool,
}

/// What a tool message holds, written in one go without building a tree first.
enum MessageBody<'a> {
    Intent(IntentBody<'a>),
    Value(&'a Value),
    Error(ErrorBody<'a>),
}

impl Serialize for MessageBody<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Intent(body) => body.serialize(serializer),
            Self::Value(value) => value.serialize(serializer),
            Self::Error(body) => body.serialize(serializer),
        }
    }
}

#[derive(Serialize)]
struct IntentBody<'a> {
    speech: IntentSpeech<'a>,
    response_type: ResponseType,
    #[serde(skip_serializing_if = "Option::is_none")]
    speech_slots: Option<&'a Value>,
    data: Targets<'a>,
}

#[derive(Serialize)]
struct Targets<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    #[serde(rename = "targets")]
    none: Option<[u8; 0]>,
    success: &'a [Target],
    failed: &'a [Target],
}

#[derive(Serialize)]
struct IntentSpeech<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    plain: Option<PlainSpeech<'a>>,
}

#[derive(Serialize)]
struct PlainSpeech<'a> {
    speech: &'a str,
    extra_data: (),
}

#[derive(Serialize)]
struct ErrorBody<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    success: Option<bool>,
    error: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    error_text: Option<&'a str>,
}

/// The message a model gets to see.
pub(super) fn render(outcome: Result<CallAnswer, CallFailure>, profile: Profile) -> ToolReply {
    match outcome {
        Ok(CallAnswer::Intent(answer)) => {
            write(MessageBody::Intent(intent_body(&answer, profile)), profile)
        }
        Ok(CallAnswer::Read(read)) => {
            let value = if profile.is_current() { &read.current } else { &read.earlier };
            write(MessageBody::Value(value), profile)
        }
        Err(failure) => render_failure(&failure, profile),
    }
}

fn intent_body(answer: &IntentAnswer, profile: Profile) -> IntentBody<'_> {
    let plain = answer.speech.as_deref().map(|speech| PlainSpeech { speech, extra_data: () });
    IntentBody {
        speech: IntentSpeech { plain },
        response_type: answer.kind,
        speech_slots: answer.speech_slots.as_ref(),
        data: Targets {
            none: (!profile.is_current()).then_some([]),
            success: &answer.success,
            failed: &answer.failed,
        },
    }
}

fn render_failure(failure: &CallFailure, profile: Profile) -> ToolReply {
    match failure {
        CallFailure::Raised { error, text } => {
            let error_text = Some(text.as_str());
            write(MessageBody::Error(ErrorBody { success: None, error, error_text }), profile)
        }
        CallFailure::NotFound(error) => {
            let success = (!profile.is_current()).then_some(false);
            write(MessageBody::Error(ErrorBody { success, error, error_text: None }), profile)
        }
        CallFailure::Uncaught { error, text } => {
            let error_text = Some(text.as_str());
            let body = MessageBody::Error(ErrorBody { success: None, error, error_text });
            ToolReply { ends_turn: true, ..write(body, profile) }
        }
    }
}

fn write(body: MessageBody<'_>, profile: Profile) -> ToolReply {
    let failed = matches!(body, MessageBody::Error(_));
    let content = if profile.is_current() {
        serde_json::to_string(&Envelope { data: body, error: failed })
    } else {
        serde_json::to_string(&body)
    };
    let content = content.expect("an answer is plain JSON");
    ToolReply { failed, ..ToolReply::done(content) }
}
