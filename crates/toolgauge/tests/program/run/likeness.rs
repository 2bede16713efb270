//! Keywords compared by what they mean, through the binary and a server of embeddings on loopback.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;
use toolgauge_testkit::{Received, Response, Server};

use super::{only_log, run, text, trials};

const SUITE: &str = "
name: policies
scorers: [keywords, chatbot]
more: {keywords: {likeness: 0.8}}
cases:
  - {id: cover, say: Is the house insured?, expect: {answer: {keywords: [insured, {not: flood}]}}}
  - {id: price, say: What does it cost?, expect: {answer: {keywords: ['1,450', yearly]}}}
";

fn suite() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("policies.yaml"), SUITE).unwrap();
    let script = [
        json!({"id": "cover", "text": "Good news. A policy covers it."}),
        json!({"id": "price", "text": "It is $1,540, each month."}),
    ];
    let script = script.map(|line| line.to_string()).join("\n");
    fs::write(folder.path().join("script.ndjson"), script).unwrap();
    folder
}

/// A server that knows three meanings: to be covered, a span of time, and anything else.
fn embeddings(request: &Received) -> Response {
    if request.header("authorization").is_some() {
        return Response::json(401, &json!({"error": {"message": "a key of another server"}}));
    }
    let input = request.json()["input"].as_array().unwrap().clone();
    let vector = |(index, text): (usize, &Value)| {
        let text = text.as_str().unwrap();
        let vector = match text {
            "insured" => [1.0, 0.0, 0.0],
            text if text.starts_with("A policy") => [0.9, 0.0, 0.435_889_9],
            "yearly" => [0.0, 1.0, 0.0],
            text if text.contains("month") => [0.0, 0.7, 0.714_142_8],
            _ => [0.0, 0.0, 1.0],
        };
        json!({"object": "embedding", "index": index, "embedding": vector})
    };
    let data: Vec<Value> = input.iter().enumerate().map(vector).collect();
    // Servers may answer in any order.
    let data: Vec<&Value> = data.iter().rev().collect();
    Response::json(200, &json!({"object": "list", "data": data, "model": "tiny"}))
}

fn keywords(log: &Path, case: &str) -> (f64, String) {
    let trials = trials(log);
    let trial = trials.iter().find(|(name, _)| name.starts_with(case)).unwrap().1;
    let score = trial.outcomes["keywords"].score().unwrap();
    (score.value, score.explanation.clone())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_keyword_that_is_not_said_counts_by_what_is_near_to_it() {
    let folder = suite();
    let server = Server::start(embeddings).await;
    let arguments = ["run", "policies.yaml", "-m", "script:script.ndjson", "--embeddings"];
    let arguments = [&arguments[..], &[server.url()]].concat();
    let output = run(folder.path(), &arguments);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let log = only_log(folder.path());
    let (cover, why) = keywords(&log, "cover");
    assert!((cover - 0.95).abs() < 1e-6, "0.9 for the likeness, 1 for what is not said: {cover}");
    assert!(why.contains("0.9") && why.contains("A policy covers it"), "{why}");
    let (price, why) = keywords(&log, "price");
    assert!(price.abs() < 1e-6, "below the threshold, and figures are never alike: {price}");
    assert!(why.contains("0.7"), "the likeness is told: {why}");
    let sent: Vec<String> =
        server.received().iter().map(|request| request.json()["input"].to_string()).collect();
    assert!(!sent.concat().contains("1,450\""), "a figure is not compared: {sent:?}");

    // Judging again needs no server: what was measured is in the log.
    drop(server);
    let output = run(folder.path(), &["score", log.to_str().unwrap(), "--output", "again"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let again = fs::read_dir(folder.path().join("again")).unwrap().next().unwrap().unwrap().path();
    assert!((keywords(&again, "cover").0 - 0.95).abs() < 1e-6);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_suite_that_compares_by_likeness_is_not_run_without_a_server_that_can() {
    let folder = suite();
    let arguments = ["run", "policies.yaml", "-m", "script:script.ndjson"];
    let output = run(folder.path(), &arguments);
    assert_eq!(output.status.code(), Some(2));
    let told = text(&output.stderr);
    assert!(told.contains("takes a server of embeddings"), "{told}");
    assert!(told.contains("--embeddings URL"), "{told}");
    let server = Server::start(|_| {
        let message = "This server does not support embeddings. Start it with `--embeddings`";
        Response::json(501, &json!({"error": {"message": message}}))
    })
    .await;
    let output = run(folder.path(), &[&arguments[..], &["--embeddings", server.url()]].concat());
    assert_eq!(output.status.code(), Some(2));
    let told = text(&output.stderr);
    assert!(told.contains("status 501") && told.contains("--pooling mean"), "{told}");
    assert!(!folder.path().join("logs").exists(), "no log is left");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_could_not_be_compared_is_unscored() {
    let folder = suite();
    let server = Server::start(|request: &Received| {
        // The first question of a run is whether anybody is there.
        if request.json()["input"] == json!(["likeness"]) {
            return embeddings(request);
        }
        Response::json(400, &json!({"error": {"message": "input is too large"}}))
    })
    .await;
    let arguments = ["run", "policies.yaml", "-m", "script:script.ndjson", "--embeddings"];
    let output = run(folder.path(), &[&arguments[..], &[server.url()]].concat());
    assert_eq!(output.status.code(), Some(3), "{}", text(&output.stdout));
    for trial in trials(&only_log(folder.path())).values() {
        let why = format!("{:?}", trial.outcomes["keywords"]);
        assert!(why.contains("input is too large"), "{why}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn another_number_or_month_in_words_is_no_better_for_being_near() {
    let folder = tempfile::tempdir().unwrap();
    let suite = "
name: words
scorers: [keywords]
more: {keywords: {likeness: 0.8}}
cases:
  - {id: number, say: How many bedrooms are there?, expect: {answer: {keywords: [three]}}}
  - {id: month, say: When does it end?, expect: {answer: {keywords: [in May]}}}
  - {id: day, say: When do they come?, expect: {answer: {keywords: [Monday]}}}
  - {id: word, say: Is it insured?, expect: {answer: {keywords: [insured]}}}
";
    fs::write(folder.path().join("words.yaml"), suite).unwrap();
    let said = [
        ("number", "There are four."),
        ("month", "It ends in June."),
        ("day", "They come on Tuesday."),
        ("word", "A policy covers it."),
    ];
    let script = said.map(|(id, text)| json!({"id": id, "text": text}).to_string()).join("\n");
    fs::write(folder.path().join("script.ndjson"), script).unwrap();
    // To this server all words are alike.
    let server = Server::start(|request: &Received| {
        let count = request.json()["input"].as_array().unwrap().len();
        let vector =
            |index| json!({"object": "embedding", "index": index, "embedding": [1.0, 0.1]});
        let data: Vec<Value> = (0..count).map(vector).collect();
        Response::json(200, &json!({"object": "list", "data": data, "model": "tiny"}))
    })
    .await;
    let arguments = ["run", "words.yaml", "-m", "script:script.ndjson", "--embeddings"];
    let output = run(folder.path(), &[&arguments[..], &[server.url()]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let log = only_log(folder.path());
    for case in ["number", "month", "day"] {
        let (value, why) = keywords(&log, case);
        assert!(value.abs() < 1e-9, "{case}: {value}, {why}");
    }
    assert!((keywords(&log, "word").0 - 1.0).abs() < 1e-6);
}
