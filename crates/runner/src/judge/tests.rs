//! Judges behind a real socket: votes, memory, malformed judgements, both orders.

use std::collections::HashMap;
use std::sync::Mutex;

use serde_json::{Value, json};
use toolgauge_core::{AssistantMessage, FailureKind, TrialFailure};
use toolgauge_model::{Connection, Endpoint, OpenAi, OpenAiSettings, RetryPolicy};
use toolgauge_testkit::{Received, Response, Server};

use super::*;

/// A server whose model says this to each request.
async fn saying(words: impl Fn(&Received) -> String + Send + Sync + 'static) -> Server {
    Server::start(move |request| {
        let message = json!({"role": "assistant", "content": words(request)});
        let choice = json!({"index": 0, "finish_reason": "stop", "message": message});
        Response::json(200, &json!({"choices": [choice]}))
    })
    .await
}

fn judge(server: &Server, votes: u32) -> Judge {
    let mut connection = Connection::to(Endpoint::parse(server.url()).unwrap());
    connection.retry = RetryPolicy::never();
    let settings =
        OpenAiSettings { temperature: Some(0.0), ..OpenAiSettings::new(connection, "umpire") };
    Judge::new(Arc::new(OpenAi::new(settings).unwrap()), Rubric::default(), votes)
}

fn answered(text: &str) -> Transcript {
    Transcript::of(AssistantMessage { content: text.into(), ..AssistantMessage::default() })
}

fn marks(mark: u32) -> String {
    let criteria =
        json!({"accuracy": mark, "completeness": mark, "clarity": mark, "relevance": mark});
    json!({"reasoning": format!("worth {mark}"), "criteria": criteria}).to_string()
}

fn case() -> Case {
    Case::new("rent", "How high is the rent?")
}

#[derive(Default)]
struct Memory(Mutex<HashMap<String, String>>);

impl Verdicts for Arc<Memory> {
    fn recall(&self, key: &str) -> Option<String> {
        self.0.lock().unwrap().get(key).cloned()
    }

    fn keep(&self, key: &str, words: &str) {
        self.0.lock().unwrap().insert(key.to_owned(), words.to_owned());
    }
}

#[tokio::test]
async fn each_vote_is_kept_with_its_reasons() {
    let server = saying(|request| marks(if request.json()["seed"] == 1 { 80 } else { 60 })).await;
    let mut transcript = answered("It is 1,450.");
    judge(&server, 2).judge(&case(), &mut transcript).await;
    let votes = &transcript.background.judgements;
    let values: Vec<f64> = votes.iter().filter_map(|vote| vote.value).collect();
    assert_eq!(values, [0.8, 0.6]);
    assert_eq!((votes[0].judge.as_str(), votes[0].reasoning.as_str()), ("umpire", "worth 80"));
    assert!((votes[0].criteria["accuracy"] - 0.8).abs() < 1e-12);
    let sent = server.received()[0].json();
    assert_eq!(sent["temperature"], 0.0);
    assert!(sent["messages"][1]["content"].as_str().unwrap().contains("It is 1,450."));
    assert_eq!(sent.get("tools"), None);
}

#[tokio::test]
async fn judging_again_replaces_the_votes_and_costs_nothing() {
    let server = saying(|_| marks(70)).await;
    let memory = Arc::new(Memory::default());
    let judge = judge(&server, 3).remembering(Arc::clone(&memory));
    let mut transcript = answered("It is 1,450.");
    transcript.background.judgements =
        vec![Judgement { judge: "another".into(), ..Judgement::default() }];
    judge.judge(&case(), &mut transcript).await;
    assert_eq!(server.received().len(), 3);
    judge.judge(&case(), &mut transcript).await;
    assert_eq!(server.received().len(), 3, "what was judged is not asked again");
    assert_eq!(transcript.background.judgements.len(), 4, "another judge's vote stays");
    judge.judge(&case(), &mut answered("It is 1,460.")).await;
    assert_eq!(server.received().len(), 6, "another answer is judged anew");
}

#[tokio::test]
async fn a_malformed_judgement_is_asked_for_again_and_then_left_open() {
    let server = saying(|request| match request.number {
        0 => "I like it.".to_owned(),
        1 => "{\"score\": 900}".to_owned(),
        2 => marks(50),
        _ => "no".to_owned(),
    })
    .await;
    let memory = Arc::new(Memory::default());
    let judge = judge(&server, 2).remembering(Arc::clone(&memory));
    let mut transcript = answered("x");
    judge.judge(&case(), &mut transcript).await;
    let [good, bad] = transcript.background.judgements.as_slice() else { panic!() };
    assert_eq!((good.value, bad.value), (Some(0.5), None));
    assert_eq!(bad.reasoning, "no judgement that can be read: there is no JSON object in it");
    assert_eq!(server.received().len(), 6);
    let told = server.received()[1].json()["messages"][1]["content"].as_str().unwrap().to_owned();
    assert!(told.contains("could not be read (there is no JSON object in it)"), "{told}");
    assert_eq!(memory.0.lock().unwrap().len(), 1, "only what can be read is kept");
}

#[tokio::test]
async fn what_broke_is_not_judged_and_a_broken_judge_leaves_it_open() {
    let server = Server::answering(vec![Response::json(500, &json!({"error": "down"}))]).await;
    let judge = judge(&server, 1);
    let failure = TrialFailure { kind: FailureKind::Timeout, message: "late".into() };
    let mut broken = Transcript { failure: Some(failure), ..Transcript::default() };
    judge.judge(&case(), &mut broken).await;
    assert_eq!((server.received().len(), broken.background.judgements.len()), (0, 0));
    let mut transcript = answered("x");
    judge.judge(&case(), &mut transcript).await;
    let vote = &transcript.background.judgements[0];
    assert_eq!(vote.value, None);
    assert!(vote.reasoning.starts_with("server: HTTP status 500"), "{}", vote.reasoning);
}

/// What a request shows under a title.
fn block(request: &Received, title: &str) -> String {
    let sent: Value = request.json();
    let text = sent["messages"][1]["content"].as_str().unwrap().to_owned();
    let start = text.find(&format!("<<<{title} ")).unwrap();
    text[start..].lines().nth(1).unwrap().to_owned()
}

#[tokio::test]
async fn two_answers_are_judged_in_both_orders() {
    let fair = saying(|request| {
        let better = if block(request, "FIRST ANSWER") == "right" { "first" } else { "second" };
        json!({"reasoning": "seen", "better": better}).to_string()
    })
    .await;
    let (right, wrong) = (answered("right"), answered("wrong"));
    let trace = judge(&fair, 1).compare(&case(), &right, &wrong).await;
    assert_eq!(trace.agreed(), Some(Preference::First));
    let trace = judge(&fair, 1).compare(&case(), &wrong, &right).await;
    assert_eq!(trace.agreed(), Some(Preference::Second));
    assert_eq!(trace.reasoning, ["seen", "seen"]);
    assert_eq!(fair.received().len(), 4);

    let biased = saying(|_| "{\"better\": \"first\"}".to_owned()).await;
    let trace = judge(&biased, 1).compare(&case(), &right, &wrong).await;
    assert_eq!((trace.agreed(), trace.is_judged()), (None, true));

    let mute = saying(|_| String::new()).await;
    let trace = judge(&mute, 1).compare(&case(), &right, &wrong).await;
    assert!(!trace.is_judged());
    let same = judge(&mute, 1).compare(&case(), &right, &right).await;
    assert_eq!(same.agreed(), Some(Preference::Neither), "equal answers need no judge");
}
