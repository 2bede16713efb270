//! Labelled replies: how often scorers are wrong about words that people have judged.

mod table;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Map, json};
use toolgauge_core::{
    Arguments, AssistantMessage, CallOrigin, Case, ExpectedCall, Message, Pattern, ToolCall,
    ToolMessage, Transcript,
};
use toolgauge_runner::end_states;
use toolgauge_score::{Evidence, Scorer, rehearsals};
use toolgauge_suite::Suite;
use toolgauge_world::World;

use crate::failure::Failure;
use crate::{suites, worlds};

pub(crate) use self::table::ErrorRates;

/// One reply with the verdict of a person.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct LabelledReply {
    id: String,
    suite: String,
    case: String,
    #[serde(default)]
    tier: Option<String>,
    reply: String,
    right: bool,
    calls: CallsMade,
    split: Split,
}

/// What was called before the reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum CallsMade {
    /// The calls of the first accepted answer.
    Expected,
    /// None.
    None,
}

/// Which half of the labelled replies one belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Split {
    /// Rules may be changed by looking at these.
    Dev,
    /// Nobody who changes rules looks at these.
    Unseen,
}

/// A labelled reply and the verdict of a scorer.
#[derive(Clone, Debug)]
pub(crate) struct JudgedReply {
    pub(crate) reply: LabelledReply,
    pub(crate) scorer: &'static str,
    /// What sort of reply the case expects.
    pub(crate) kind: String,
    pub(crate) passes: bool,
    pub(crate) explanation: String,
}

impl JudgedReply {
    /// Whether scorer and person disagree.
    fn is_wrong(&self) -> bool {
        self.passes != self.reply.right
    }

    /// A misjudged reply for people. Replies that are kept unseen are never shown.
    pub(crate) fn describe(&self) -> Option<String> {
        if !self.is_wrong() || self.reply.split == Split::Unseen {
            return None;
        }
        let LabelledReply { id, reply, .. } = &self.reply;
        let verdict = if self.passes { "wrong, but passes" } else { "right, but fails" };
        let why = self.explanation.lines().next().unwrap_or_default();
        let reply = reply.replace('\n', " ");
        Some(format!("{verdict}: {id} ({}): {reply}\n    {why}\n", self.kind))
    }
}

/// Reads every file of labelled replies in a folder.
pub(crate) fn read(folder: &Path) -> Result<Vec<LabelledReply>, Failure> {
    let unreadable = |path: &Path, why: String| Failure::BadReplies { path: path.to_owned(), why };
    let entries = fs::read_dir(folder).map_err(|error| unreadable(folder, error.to_string()))?;
    let mut paths: Vec<_> = entries.filter_map(Result::ok).map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "jsonl"));
    paths.sort();
    let mut replies = Vec::new();
    for path in paths {
        let text =
            fs::read_to_string(&path).map_err(|error| unreadable(&path, error.to_string()))?;
        for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let reply = serde_json::from_str(line)
                .map_err(|error| unreadable(&path, format!("line {}: {error}", number + 1)))?;
            replies.push(reply);
        }
    }
    Ok(replies)
}

/// Judges every reply by the first scorer of its suite. Replies to cases that a suite no longer
/// has are left out.
pub(crate) fn judge(replies: Vec<LabelledReply>) -> Result<Vec<JudgedReply>, Failure> {
    let mut loaded: BTreeMap<String, (Suite, Arc<dyn World>)> = BTreeMap::new();
    let mut judged = Vec::with_capacity(replies.len());
    for reply in replies {
        if !loaded.contains_key(&reply.suite) {
            let suite = suites::load_unchecked(&reply.suite)?;
            let world = worlds::build(&suite, None)?;
            loaded.insert(reply.suite.clone(), (suite, world));
        }
        let (suite, world) = &loaded[&reply.suite];
        let id = match &reply.tier {
            Some(tier) => format!("{tier}/{}", reply.case),
            None => reply.case.clone(),
        };
        let Some(case) = suite.cases.iter().find(|case| case.id.as_str() == id) else { continue };
        let scorer = suite.scorers.first().and_then(|name| Scorer::by_name(name));
        judged.extend(judge_one(reply, case, world.as_ref(), &scorer.unwrap_or_default()));
    }
    Ok(judged)
}

fn judge_one(
    reply: LabelledReply,
    case: &Case,
    world: &dyn World,
    scorer: &Scorer,
) -> Option<JudgedReply> {
    let transcript = transcript(&reply, case, world);
    let states = scorer.needs_states().then(|| end_states(world, case, &transcript)).flatten();
    let tools = world.tools(case);
    let evidence = Evidence::new(case, &tools, &transcript).with_states(states.as_ref());
    let outcome = scorer.judge(&evidence);
    let score = outcome.score()?;
    let kind = case.expectation.response.map_or_else(
        || case.tags.get("kind").cloned().unwrap_or_default(),
        |kind| kind.name().to_owned(),
    );
    Some(JudgedReply {
        scorer: scorer.name(),
        kind,
        passes: score.value >= 1.0,
        explanation: score.explanation.clone(),
        reply,
    })
}

/// A trial in which the right calls were made, or none, and the reply said.
fn transcript(reply: &LabelledReply, case: &Case, world: &dyn World) -> Transcript {
    let calls = match reply.calls {
        CallsMade::None => Vec::new(),
        CallsMade::Expected => expected_calls(case),
    };
    let calls: Vec<ToolCall> = calls
        .into_iter()
        .enumerate()
        .map(|(at, call)| ToolCall {
            id: Some(format!("call_{at}")),
            origin: CallOrigin::Structured,
            ..call
        })
        .collect();
    let mut messages = Vec::new();
    if !calls.is_empty() {
        let mut state = world.enter(case);
        let answers: Vec<Message> = calls.iter().map(|call| answer(call, state.as_mut())).collect();
        messages
            .push(Message::Assistant(AssistantMessage { calls, ..AssistantMessage::default() }));
        messages.extend(answers);
    }
    let content = reply.reply.clone();
    messages.push(Message::Assistant(AssistantMessage { content, ..AssistantMessage::default() }));
    Transcript { messages, ..Transcript::default() }
}

fn answer(call: &ToolCall, state: &mut dyn toolgauge_world::WorldState) -> Message {
    let reply = state.call(call);
    Message::Tool(ToolMessage {
        call_id: call.id.clone().unwrap_or_default(),
        name: call.name.clone(),
        content: reply.content,
        failed: reply.failed,
    })
}

/// The calls of the first accepted answer. A question that names its tools alone is answered by
/// what proves it.
fn expected_calls(case: &Case) -> Vec<ToolCall> {
    if let Some(calls) = rehearsals(case, &Transcript::default()).into_iter().next() {
        return with_texts(calls, case);
    }
    let Some(answer) = case.expectation.answer.as_deref() else { return Vec::new() };
    let object = |value: serde_json::Value| value.as_object().cloned().unwrap_or_default();
    let mut calls = Vec::new();
    for proof in &answer.proof {
        if let Some(sql) = &proof.sql {
            calls.push(ToolCall::new("query_database", object(json!({ "sql": sql }))));
        }
        if let Some(passage) = &proof.passage {
            let query = object(json!({ "query": passage }));
            calls.push(ToolCall::new("search_document_content", query));
        }
    }
    for tool in answer.tools.iter().flatten() {
        if !calls.iter().any(|call| call.name == *tool) {
            // A search needs words, and a query needs a statement.
            let arguments = match tool.as_str() {
                "search_document_content" => object(json!({ "query": case.sentence() })),
                "query_database" => object(json!({ "sql": "SELECT 1" })),
                _ => Map::new(),
            };
            calls.push(ToolCall::new(tool.clone(), arguments));
        }
    }
    calls
}

/// The calls, with the words of the request where an expression says what a text must look like.
fn with_texts(calls: Vec<ToolCall>, case: &Case) -> Vec<ToolCall> {
    let expected = case.expectation.calls.iter().flatten();
    let filled = |(mut call, expected): (ToolCall, &ExpectedCall)| {
        for (name, pattern) in &expected.arguments {
            if let (Pattern::Regex(_), Arguments::Object(given)) = (pattern, &mut call.arguments) {
                given.entry(name.clone()).or_insert_with(|| json!(case.sentence()));
            }
        }
        call
    };
    calls.into_iter().zip(expected).map(filled).collect()
}
