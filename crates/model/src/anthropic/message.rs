//! A whole Anthropic-style message, read block by block.

use serde_json::Value;
use toolgauge_core::{Arguments, CallOrigin, ToolCall, Usage};

use crate::arguments;
use crate::draft::{Finish, ReplyDraft};
use crate::loose::{Loose, to_map};
use crate::oddities::Oddities;
use crate::openai::{identifier, server_timings};

/// Reads a whole message.
pub(super) fn read(json: &Loose<'_>, oddities: Oddities) -> ReplyDraft {
    let mut draft = ReplyDraft {
        model: json.get("model").some_text().map(str::to_owned),
        finish: json.get("stop_reason").text().map_or(Finish::Unsaid, Finish::named),
        usage: usage(json.get("usage")),
        server: server_timings(json.get("timings")),
        oddities,
        ..ReplyDraft::default()
    };
    // Some compatible servers send a plain text where the protocol has a list of blocks.
    if let Some(text) = json.get("content").text() {
        text.clone_into(&mut draft.content);
    }
    for block in json.get("content").items() {
        match block.get("type").text() {
            Some("tool_use") => draft.calls.push(call(block, &mut draft.oddities)),
            Some("thinking") => {
                draft.reasoning.push_str(block.get("thinking").text().unwrap_or_default());
            }
            _ => draft.content.push_str(block.get("text").text().unwrap_or_default()),
        }
    }
    draft
}

/// The blocks of thinking that are signed, as they came.
pub(super) fn thinking(json: &Loose<'_>) -> Vec<Value> {
    let signed =
        json.get("content").items().iter().filter(|block| match block.get("type").text() {
            Some("thinking") => block.get("signature").some_text().is_some(),
            Some("redacted_thinking") => true,
            _ => false,
        });
    signed.map(Loose::to_value).collect()
}

fn call(block: &Loose<'_>, oddities: &mut Oddities) -> ToolCall {
    let arguments = match block.get("input") {
        Loose::Object(fields) => Arguments::Object(to_map(fields)),
        other => arguments::read(other, oddities),
    };
    ToolCall {
        id: identifier(block.get("id")),
        name: block.get("name").text().unwrap_or_default().to_owned(),
        arguments,
        origin: CallOrigin::Structured,
    }
}

/// Token counts. The protocol counts the cached part of a prompt apart from the rest of it; a
/// prompt's tokens are all of them.
fn usage(usage: &Loose<'_>) -> Usage {
    let cached = usage.get("cache_read_input_tokens").count();
    let stored = usage.get("cache_creation_input_tokens").count();
    let fresh = usage.get("input_tokens").count();
    Usage {
        // What a server counts may be anything, so that a sum must not overflow.
        input: fresh.map(|fresh| {
            fresh.saturating_add(cached.unwrap_or(0)).saturating_add(stored.unwrap_or(0))
        }),
        output: usage.get("output_tokens").count(),
        cached,
        reasoning: None,
    }
}
