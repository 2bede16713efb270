//! Answers recorded from real llama.cpp servers, replayed over a real socket.

use std::path::PathBuf;
use std::sync::Arc;

use serde_json::{Value, json};
use toolgauge_core::{Reply, Subject};
use toolgauge_core::{Timings, TrialFailure};
use toolgauge_model::{Anthropic, AnthropicSettings};
use toolgauge_testkit::{Response, Server};

use crate::support::{ask, briefing, settings};

struct Recording {
    name: String,
    status: u16,
    content_type: String,
    tools: Vec<String>,
    body: String,
}

fn recordings() -> Vec<Recording> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/llama");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> =
        files.filter(|path| path.extension().is_some_and(|e| e == "json")).collect();
    files.sort();
    files.iter().map(|path| read(path)).collect()
}

fn read(path: &std::path::Path) -> Recording {
    let json: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let text = |key: &str| json[key].as_str().unwrap().to_owned();
    Recording {
        name: path.file_stem().unwrap().to_string_lossy().into_owned(),
        status: u16::try_from(json["status"].as_u64().unwrap()).unwrap(),
        content_type: text("content_type"),
        tools: serde_json::from_value(json["tools"].clone()).unwrap(),
        body: text("body"),
    }
}

impl Recording {
    fn is_stream(&self) -> bool {
        self.content_type == "text/event-stream"
    }

    fn response(&self) -> Response {
        Response::new(self.status, &self.content_type, &self.body)
    }

    async fn replayed(&self, response: Response) -> Result<Reply, TrialFailure> {
        let server = Server::answering(vec![response]).await;
        let briefing = Arc::new(briefing(&self.tools));
        if self.name.ends_with("anthropic") {
            let settings = AnthropicSettings::new(settings(server.url(), false).connection, "m");
            return ask(&Anthropic::new(settings).unwrap(), &briefing).await;
        }
        let subject = toolgauge_model::OpenAi::new(settings(server.url(), self.is_stream()));
        ask(&subject.unwrap() as &dyn Subject, &briefing).await
    }
}

/// What of a result is the same every time, with long texts cut.
fn stable(result: Result<Reply, TrialFailure>) -> Value {
    let mut value = match result {
        Ok(mut reply) => {
            reply.turn.timings = Timings::default();
            json!({"message": reply.message, "turn": reply.turn})
        }
        Err(failure) => json!({"failure": failure}),
    };
    cut(&mut value);
    value
}

fn cut(value: &mut Value) {
    match value {
        Value::String(text) if text.chars().count() > 300 => {
            let start: String = text.chars().take(200).collect();
            *text = format!("{start}… ({} characters)", text.chars().count());
        }
        Value::Array(items) => items.iter_mut().for_each(cut),
        Value::Object(fields) => fields.values_mut().for_each(cut),
        _ => {}
    }
}

#[tokio::test]
async fn every_recorded_answer_reads_as_it_did() {
    let mut all = serde_json::Map::new();
    for recording in recordings() {
        let result = recording.replayed(recording.response()).await;
        all.insert(recording.name, stable(result));
    }
    assert!(all.len() >= 30);
    insta::assert_json_snapshot!(all);
}

#[tokio::test]
async fn recorded_streams_read_the_same_in_pieces_of_any_size() {
    for recording in recordings().iter().filter(|recording| recording.is_stream()) {
        let whole = stable(recording.replayed(recording.response()).await);
        // A long stream in single bytes is thousands of writes and shows nothing new.
        let smallest = recording.body.len() / 5000 + 1;
        for size in [1, 2, 3, 7, 64, 1000].into_iter().filter(|size| *size >= smallest) {
            let pieces = Response::stream(recording.body.as_bytes().chunks(size));
            let replayed = recording.replayed(pieces).await;
            assert_eq!(stable(replayed), whole, "{} in pieces of {size}", recording.name);
        }
    }
}

#[tokio::test]
async fn a_recorded_stream_cut_anywhere_fails_or_is_complete() {
    let all = recordings();
    let recording = all.iter().find(|r| r.name == "fc-qwen1.5b-d-stream-text").unwrap();
    let whole = recording.replayed(recording.response()).await.unwrap();
    let finish = recording.body.find("\"finish_reason\":\"stop\"").unwrap();
    for at in (0..recording.body.len()).step_by(97) {
        let cut = Response::stream([&recording.body[..at]]);
        match recording.replayed(cut).await {
            Ok(reply) => {
                assert!(at > finish, "cut at {at}");
                assert_eq!(reply.message, whole.message);
            }
            Err(failure) => assert!(at < finish + 500, "cut at {at}: {failure:?}"),
        }
    }
}
