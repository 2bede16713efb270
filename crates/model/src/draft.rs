//! A reply in the making: what every wire format is read into before it becomes a [`Reply`].

use std::collections::HashSet;
use std::time::Duration;

use serde_json::Value;
use toolgauge_core::{
    Arguments, AssistantMessage, CallOrigin, FailureKind, Malformation, Oddity, ServerTimings,
    StopReason, Tool, ToolCall, Turn, Usage,
};

use crate::error_report::ErrorReport;
use crate::failure::AttemptFailure;
use crate::oddities::Oddities;
use crate::text_calls;
use toolgauge_core::Reply;

/// How many calls an answer may hold. No model means as many, and a trial of each costs memory
/// and time in every step behind this one.
pub(crate) const MOST_CALLS: usize = 10_000;

/// How much of a call's name and id is kept, in bytes. Both are repeated in every later request, in
/// answers of the world, in losses and in the log, so that a name of megabytes would fill gigabytes.
const LONGEST_NAME: usize = 1 << 10;

/// What the server said about why it stopped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Finish {
    /// Nothing.
    #[default]
    Unsaid,
    /// A reason.
    Said(StopReason),
    /// A reason that nobody knows.
    Unheard,
}

impl Finish {
    /// Reads a reason as the servers of all protocols name it.
    pub(crate) fn named(name: &str) -> Self {
        Self::Said(match name {
            "" => return Self::Unsaid,
            "stop" | "eos" | "eos_token" | "end_turn" | "stop_sequence" | "pause_turn" => {
                StopReason::Stop
            }
            "tool_calls" | "tool_call" | "function_call" | "tool_use" => StopReason::ToolCalls,
            "length" | "max_tokens" | "limit" => StopReason::MaxTokens,
            "model_length" | "model_context_window_exceeded" => StopReason::ContextFull,
            "content_filter" | "refusal" | "safety" => StopReason::ContentFilter,
            _ => return Self::Unheard,
        })
    }
}

/// A reply in the making.
#[derive(Debug, Default)]
pub(crate) struct ReplyDraft {
    pub(crate) model: Option<String>,
    pub(crate) content: String,
    pub(crate) reasoning: String,
    pub(crate) calls: Vec<ToolCall>,
    pub(crate) finish: Finish,
    pub(crate) usage: Usage,
    pub(crate) server: Option<ServerTimings>,
    pub(crate) oddities: Oddities,
    pub(crate) response: Option<Value>,
}

impl ReplyDraft {
    /// The reply: thinking taken out of the text, identifiers and finish reason checked, and
    /// calls looked for in the text when none stood where calls belong. An answer with more than
    /// [`MOST_CALLS`] is refused.
    pub(crate) fn into_reply(mut self, tools: &[Tool]) -> Result<Reply, AttemptFailure> {
        check_number(self.calls.len())?;
        // Before calls are looked for in the text: a call that was only thought about was not made.
        take_thinking(&mut self.content, &mut self.reasoning);
        self.check_ids();
        // Before calls are looked for in the text: a finish reason speaks of those that came as
        // calls.
        let stop = self.stop();
        find_calls(&self.content, &mut self.calls, tools, &mut self.oddities);
        check_number(self.calls.len())?;
        self.calls.iter_mut().for_each(shorten);
        let reasoning = Some(self.reasoning).filter(|text| !text.is_empty());
        let message = AssistantMessage { content: self.content, reasoning, calls: self.calls };
        let turn = Turn {
            model: self.model,
            server: self.server,
            usage: self.usage,
            stop,
            attempts: 1,
            oddities: self.oddities.into_list(),
            response: self.response,
            ..Turn::default()
        };
        Ok(Reply::new(message, turn))
    }

    fn check_ids(&mut self) {
        let mut seen = HashSet::with_capacity(self.calls.len());
        for call in &self.calls {
            match call.id.as_deref() {
                None => self.oddities.note(Oddity::MissingCallId),
                Some(id) => self.oddities.note_if(!seen.insert(id), Oddity::DuplicateCallId),
            }
        }
    }

    fn stop(&mut self) -> StopReason {
        match self.finish {
            Finish::Unsaid => StopReason::Unknown,
            Finish::Unheard => {
                self.oddities.note(Oddity::UnknownFinishReason);
                StopReason::Unknown
            }
            Finish::Said(stop) => {
                let contradicts = match stop {
                    StopReason::Stop => !self.calls.is_empty(),
                    StopReason::ToolCalls => self.calls.is_empty(),
                    _ => false,
                };
                self.oddities.note_if(contradicts, Oddity::FinishReasonContradicts);
                stop
            }
        }
    }
}

/// Takes thinking out of a text and puts it where thoughts belong.
pub(crate) fn take_thinking(content: &mut String, reasoning: &mut String) {
    let Some((thinking, rest)) = split_thinking(content) else { return };
    if !reasoning.is_empty() && !thinking.is_empty() {
        reasoning.push('\n');
    }
    reasoning.push_str(thinking);
    *content = rest.to_owned();
}

/// Looks for calls in a text when none stood where calls belong.
pub(crate) fn find_calls(
    content: &str,
    calls: &mut Vec<ToolCall>,
    tools: &[Tool],
    oddities: &mut Oddities,
) {
    if calls.is_empty() && !tools.is_empty() {
        *calls = text_calls::calls(content, tools);
        oddities.note_if(!calls.is_empty(), Oddity::CallsInText);
    }
}

/// Cuts what names a call where no tool's name is as long.
fn shorten(call: &mut ToolCall) {
    for text in [Some(&mut call.name), call.id.as_mut()].into_iter().flatten() {
        if text.len() > LONGEST_NAME {
            text.truncate(text.floor_char_boundary(LONGEST_NAME));
            // What was cut never equals a name that was not.
            text.push('…');
        }
    }
}

/// Refuses more calls than anybody means.
pub(crate) fn check_number(calls: usize) -> Result<(), AttemptFailure> {
    if calls <= MOST_CALLS {
        return Ok(());
    }
    let message = format!("the answer holds more than {MOST_CALLS} calls");
    Err(AttemptFailure::lasting(FailureKind::TooLarge, message))
}

/// What an error amounts to: almost always a failure, once in a while the model's own doing.
///
/// When the model writes something its own server cannot read, that is a malformed call of
/// nobody knows which tool. It says something about the model, so it is scored.
pub(crate) fn draft_of_error(
    report: &ErrorReport,
    status: u16,
    retry_after: Option<Duration>,
) -> Result<ReplyDraft, AttemptFailure> {
    if !report.is_unreadable_output() {
        return Err(AttemptFailure::reported(report, status, retry_after));
    }
    let why = Malformation::NotJson("the server could not read the model's output".into());
    let call = ToolCall {
        id: None,
        name: String::new(),
        arguments: Arguments::malformed(report.message.clone(), why),
        origin: CallOrigin::Structured,
    };
    Ok(ReplyDraft { calls: vec![call], ..ReplyDraft::default() })
}

const OPENING: &str = "<think>";
const CLOSING: &str = "</think>";

/// Tells the thinking at the start of a text from the rest, where a server left it in.
///
/// The opening tag may be missing, because some chat templates write it into the prompt; the
/// closing one may be, because the answer was cut off while the model was still thinking.
fn split_thinking(content: &str) -> Option<(&str, &str)> {
    let start = content.trim_start();
    let inner = start.strip_prefix(OPENING);
    match (inner, start.find(CLOSING)) {
        (Some(inner), None) => Some((inner.trim(), "")),
        (None, None) => None,
        // Text before the opening tag was said, so that the thinking is not at the start.
        (None, Some(end)) if start[..end].contains(OPENING) => None,
        (_, Some(end)) => {
            let thinking = start[..end].strip_prefix(OPENING).unwrap_or(&start[..end]);
            Some((thinking.trim(), start[end + CLOSING.len()..].trim_start()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(id: Option<&str>) -> ToolCall {
        ToolCall { id: id.map(Into::into), ..ToolCall::new("f", serde_json::Map::new()) }
    }

    #[test]
    fn a_name_of_megabytes_is_kept_by_its_beginning() {
        let name = "é".repeat(1 << 20);
        let long =
            ToolCall { id: Some(name.clone()), ..ToolCall::new(&name, serde_json::Map::new()) };
        let draft = ReplyDraft { calls: vec![long, call(Some("1"))], ..ReplyDraft::default() };
        let calls = draft.into_reply(&[]).unwrap().message.calls;
        assert_eq!(calls[0].name, format!("{}…", "é".repeat(512)));
        assert_eq!(calls[0].id.as_ref().unwrap(), &calls[0].name);
        assert_eq!((calls[1].name.as_str(), calls[1].id.as_deref()), ("f", Some("1")));
    }

    #[test]
    fn thinking_is_told_from_the_text() {
        for (content, expected) in [
            ("<think>a</think>b", Some(("a", "b"))),
            ("\n<think>\na\n</think>\n\nb", Some(("a", "b"))),
            ("a</think>b", Some(("a", "b"))),
            ("<think>cut o", Some(("cut o", ""))),
            ("<think></think>b", Some(("", "b"))),
            ("b", None),
            ("say <think>a</think>", None),
        ] {
            assert_eq!(split_thinking(content), expected, "{content}");
        }
    }

    #[test]
    fn identifiers_that_are_missing_or_double_are_noted() {
        let draft = ReplyDraft {
            calls: vec![call(Some("a")), call(None), call(Some("a"))],
            ..ReplyDraft::default()
        };
        let reply = draft.into_reply(&[]).unwrap();
        assert_eq!(reply.turn.oddities, [Oddity::MissingCallId, Oddity::DuplicateCallId]);
    }

    #[test]
    fn a_finish_reason_that_contradicts_the_message_is_noted() {
        let oddities = |finish: &str, calls: usize| {
            let calls = vec![call(Some("a")); calls];
            let draft =
                ReplyDraft { finish: Finish::named(finish), calls, ..ReplyDraft::default() };
            draft.into_reply(&[]).unwrap().turn.oddities
        };
        assert_eq!(oddities("stop", 1), [Oddity::FinishReasonContradicts]);
        assert_eq!(oddities("tool_calls", 0), [Oddity::FinishReasonContradicts]);
        assert_eq!(oddities("whatever", 0), [Oddity::UnknownFinishReason]);
        assert_eq!(oddities("length", 1), []);
        assert_eq!(oddities("", 1), []);
    }
}
