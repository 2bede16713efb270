//! What servers, chatbots, judges and clients send.

use toolgauge_model::Script;
use toolgauge_model::fuzzing::{
    Sent, check_events, check_loose_json, check_redaction, check_text_calls, read_anthropic,
    read_arguments, read_chatbot, read_openai, read_server,
};
use toolgauge_runner::{Rubric, check_judge_words};
use toolgauge_serve::read_request;

use crate::{parts, text};

const SECRET: &str = "sk-Zq8/tools\"0123";

/// An answer: its first byte says how it came, the rest is its body.
fn sent(input: &[u8]) -> Sent<'_> {
    let (how, body) = input.split_first().unwrap_or((&0, &[]));
    let status = [200, 200, 200, 200, 400, 404, 429, 503][usize::from(how >> 5)];
    Sent { status, streamed: how & 1 == 1, cut: how & 2 == 2, body }
}

pub(crate) fn openai(input: &[u8]) {
    let _ = read_openai(sent(input));
}

pub(crate) fn anthropic(input: &[u8]) {
    let _ = read_anthropic(sent(input));
}

/// The first byte says where the stream is cut.
pub(crate) fn events(input: &[u8]) {
    let (at, body) = input.split_first().unwrap_or((&0, &[]));
    check_events(body, usize::from(*at));
}

pub(crate) fn loose_json(input: &[u8]) {
    check_loose_json(text(input));
}

pub(crate) fn text_calls(input: &[u8]) {
    check_text_calls(text(input));
    read_arguments(text(input));
}

pub(crate) fn chatbot_answer(input: &[u8]) {
    if let Ok(answer) = serde_json::from_slice(input) {
        let _ = read_chatbot(&answer);
    }
}

pub(crate) fn server_facts(input: &[u8]) {
    read_server(text(input));
}

pub(crate) fn redactor(input: &[u8]) {
    check_redaction(SECRET, input);
}

pub(crate) fn script(input: &[u8]) {
    let _ = Script::parse(text(input));
}

/// What a judge wrote, and before it a rubric, or nothing for the usual one.
pub(crate) fn judge(input: &[u8]) {
    let [rubric, words] = parts(input);
    let rubric = Rubric::parse(text(rubric)).unwrap_or_default();
    check_judge_words(text(words), &rubric);
}

pub(crate) fn serve_request(input: &[u8]) {
    read_request(input);
}
