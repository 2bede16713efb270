//! A server that reads prompts as llama.cpp does: slot by slot, each keeping what it read last.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Value, json};

use crate::llama::{MODEL, MODELS, PROPS};
use crate::{Received, Response};

/// How many bytes are a token here. What a real tokenizer makes of them changes no proportion.
const BYTES_PER_TOKEN: usize = 4;

/// The cache of a llama.cpp server, and what was read in spite of it.
#[derive(Clone, Debug)]
pub struct LlamaCache {
    state: Arc<Mutex<CacheState>>,
}

#[derive(Debug, Default)]
struct CacheState {
    slots: Vec<String>,
    anew: usize,
    prompts: BTreeSet<String>,
    reads: Vec<PromptRead>,
}

/// What one request made the server read.
#[derive(Clone, Copy, Debug)]
pub struct PromptRead {
    /// The tokens of the request.
    pub tokens: usize,
    /// Those that the slot had at hand.
    pub cached: usize,
    /// Whether the request asked for one token only, as those do that read a prompt in advance.
    pub in_advance: bool,
    /// The slot it was read in.
    pub slot: usize,
}

impl LlamaCache {
    /// An empty cache of so many slots.
    pub fn new(slots: usize) -> Self {
        let state = CacheState { slots: vec![String::new(); slots], ..CacheState::default() };
        Self { state: Arc::new(Mutex::new(state)) }
    }

    /// Answers as llama.cpp does: each trial calls `llm__GetDateTime` once and then says something.
    pub fn respond(&self, request: &Received) -> Response {
        let mut props: Value = serde_json::from_str(PROPS).unwrap_or_default();
        props["total_slots"] = self.with(|state| state.slots.len()).into();
        match request.path.as_str() {
            "/v1/models" => Response::new(200, "application/json", MODELS),
            "/props" => Response::json(200, &props),
            _ => Response::json(200, &self.complete(&request.json())),
        }
    }

    /// The server is started anew: nothing is at hand any more.
    pub fn restart(&self) {
        self.with(|state| state.slots.iter_mut().for_each(String::clear));
    }

    /// Tokens that no slot had at hand when they were asked for.
    pub fn anew(&self) -> usize {
        self.with(|state| state.anew)
    }

    /// The least that any order of the same requests could have read: what each begins with and no
    /// other does, once.
    pub fn least(&self) -> usize {
        self.with(|state| {
            let before = std::iter::once("").chain(state.prompts.iter().map(String::as_str));
            let pairs = before.zip(&state.prompts);
            let new = pairs.map(|(before, prompt)| prompt.len() - common_prefix(before, prompt));
            new.sum::<usize>() / BYTES_PER_TOKEN
        })
    }

    /// What each request made it read, in order.
    pub fn reads(&self) -> Vec<PromptRead> {
        self.with(|state| state.reads.clone())
    }

    fn complete(&self, body: &Value) -> Value {
        let prompt = prompt(body);
        let read = self.with(|state| state.read(body, prompt));
        let is_answered = body["messages"].as_array().is_some_and(|messages| {
            messages.iter().any(|message| message["role"] == "tool") || read.in_advance
        });
        let function = json!({"name": "llm__GetDateTime", "arguments": "{}"});
        let call = json!({"id": "c1", "type": "function", "function": function});
        let (message, reason) = if is_answered {
            (json!({"role": "assistant", "content": "I would rather not say."}), "stop")
        } else {
            (json!({"role": "assistant", "content": null, "tool_calls": [call]}), "tool_calls")
        };
        json!({"object": "chat.completion", "model": MODEL,
            "choices": [{"index": 0, "message": message, "finish_reason": reason}],
            "usage": {"prompt_tokens": read.tokens, "completion_tokens": 8,
                "prompt_tokens_details": {"cached_tokens": read.cached}},
            "timings": {"cache_n": read.cached, "prompt_n": read.tokens - read.cached}})
    }

    fn with<T>(&self, work: impl FnOnce(&mut CacheState) -> T) -> T {
        work(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl CacheState {
    fn read(&mut self, body: &Value, prompt: String) -> PromptRead {
        let likeness = |slot: &usize| common_prefix(&self.slots[*slot], &prompt);
        let alike = || (0..self.slots.len()).max_by_key(likeness).unwrap_or(0);
        let asked_for = body["id_slot"].as_u64().and_then(|slot| usize::try_from(slot).ok());
        let slot = asked_for.unwrap_or_else(alike);
        let cached = common_prefix(&self.slots[slot], &prompt) / BYTES_PER_TOKEN;
        let tokens = prompt.len() / BYTES_PER_TOKEN;
        self.anew += tokens - cached;
        let in_advance = body["max_tokens"] == 1;
        let read = PromptRead { tokens, cached, in_advance, slot };
        self.reads.push(read);
        self.prompts.insert(prompt.clone());
        self.slots[slot] = prompt;
        read
    }
}

/// What a chat template makes of a request: the system prompt, the tools, the conversation.
fn prompt(body: &Value) -> String {
    let mut messages = body["messages"].as_array().cloned().unwrap_or_default();
    let system = if messages.first().is_some_and(|first| first["role"] == "system") {
        messages.remove(0)
    } else {
        Value::Null
    };
    let mut text = format!("{}{}", system["content"], body["tools"]);
    for message in messages {
        // Writing to a string cannot fail.
        let _ = write!(text, "<{}>{}", message["role"], message["content"]);
    }
    text
}

fn common_prefix(a: &str, b: &str) -> usize {
    a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count()
}
