//! A flaky server: every trial comes out scored, or unscored with its true reason.

use std::collections::BTreeMap;
use std::process::Output;
use std::time::{Duration, Instant};

use serde_json::json;
use toolgauge_core::{FailureKind, Outcome, Trial, UnscoredReason};
use toolgauge_testkit::{self as testkit, Response, wait_until};

use crate::run::{Server, finished, only_log, result, results, run, suite, text, trials};

/// How many cases; the full size of the promise when asked for, less for a quick look.
fn size() -> usize {
    std::env::var("TOOLGAUGE_FAULT_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(400)
}

/// Every fault there is: the first ten fail a fifth of all requests, the last two only make an
/// answer odd or late.
const EVERY_FAULT: &str = "seed: 7
faults:
- {kind: rate_limited, rate: 0.02, retry_after: 1s}
- {kind: error, rate: 0.02, status: 500}
- {kind: error, rate: 0.02, status: 503}
- {kind: reset, rate: 0.02}
- {kind: reset_mid_body, rate: 0.02}
- {kind: truncated, rate: 0.02}
- {kind: malformed_json, rate: 0.02}
- {kind: html_page, rate: 0.02}
- {kind: hang, rate: 0.02, lasting: 30s}
- {kind: stall, rate: 0.02, lasting: 30s}
- {kind: wrong_content_type, rate: 0.02}
- {kind: slow_stream, rate: 0.02, over: 500ms}
";

#[test]
fn with_a_fifth_of_requests_failing_the_run_is_complete_and_answers_score_the_same() {
    let folder = suite(size());
    std::fs::write(folder.path().join("plan.yaml"), EVERY_FAULT).unwrap();
    let sound = Server::start(folder.path(), &[]);
    let base = ["run", ".", "-m", "any", "-c", "32", "--base-url"];
    let output = run(folder.path(), &[&base[..], &[&sound.base_url]].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    let wanted = results(&only_log(folder.path()));

    let flaky = Server::start(folder.path(), &["--faults", "plan.yaml"]);
    let more = ["--log-dir", "flaky", "--attempt-timeout", "1", "--retries", "2"];
    let output = run(folder.path(), &[&base[..], &[&flaky.base_url], &more[..]].concat());
    let log = std::fs::read_dir(folder.path().join("flaky")).unwrap().next().unwrap().unwrap();
    let found = trials(&log.path());
    assert_eq!(found.len(), size(), "no trial is lost: {}", text(&output.stderr));
    let mut unscored = 0;
    for (id, trial) in &found {
        match trial.outcome() {
            Some(Outcome::Scored(_)) => {
                let (found, wanted) = (result(trial), &wanted[id]);
                assert_eq!(found["outcomes"], wanted["outcomes"], "{id}");
            }
            Some(Outcome::Unscored(UnscoredReason::Failed(failure))) => {
                unscored += 1;
                assert_eq!(Some(failure), trial.transcript.failure.as_ref());
                assert!(failure.kind.is_infrastructure(), "{failure:?}");
            }
            other => panic!("{id}: {other:?}"),
        }
    }
    let retried = found.values().flat_map(|trial| &trial.transcript.turns);
    let retried = retried.filter(|turn| turn.attempts > 1).count();
    assert!(retried * 100 > size() * 10, "{retried} turns were tried again");
    let status = if unscored > 0 { 3 } else { 0 };
    assert_eq!(output.status.code(), Some(status), "{unscored} unscored");
}

#[test]
fn without_retries_every_kind_of_fault_leaves_its_reason() {
    let folder = suite(150);
    let flaky = Server::start(folder.path(), &["--faults", "flaky", "--seed", "11"]);
    let arguments = ["run", ".", "-m", "any", "-c", "32", "--retries", "0", "--base-url"];
    let more = [flaky.base_url.as_str(), "--attempt-timeout", "1"];
    let output = run(folder.path(), &[&arguments[..], &more[..]].concat());
    assert_eq!(output.status.code(), Some(3), "{}", text(&output.stderr));
    let found = trials(&only_log(folder.path()));
    let kinds: std::collections::BTreeSet<&str> = found
        .values()
        .filter_map(|t| t.transcript.failure.as_ref())
        .map(|f| f.kind.name())
        .collect();
    assert_eq!(found.len(), 150);
    assert!(kinds.len() >= 4, "{kinds:?}");
    // What has no score is not passed over by those who look at the log later.
    let log = only_log(folder.path());
    let log = log.to_str().unwrap();
    for command in [&["summary", log][..], &["score", log]] {
        let output = run(folder.path(), command);
        assert_eq!(output.status.code(), Some(3), "{command:?}: {}", text(&output.stderr));
    }
    let gate = run(folder.path(), &["summary", log, "--gate", "errors<=0"]);
    assert_eq!(gate.status.code(), Some(1));
    assert!(text(&gate.stderr).contains("`errors<=0`: fail"), "{}", text(&gate.stderr));
}

#[test]
fn a_server_that_goes_away_stops_the_run_with_a_way_to_go_on() {
    let folder = suite(200);
    let mut server = Server::start(folder.path(), &["--latency", "20ms"]);
    let arguments = ["run", ".", "-m", "any", "--retries", "0", "--patience", "1", "--base-url"];
    let mut command = crate::run::toolgauge(folder.path(), &arguments);
    command.arg(&server.base_url).stdout(std::process::Stdio::piped());
    let child = command.stderr(std::process::Stdio::piped()).spawn().unwrap();
    wait_until(|| finished(folder.path()) > 5);
    server.child.kill().unwrap();
    let output = child.wait_with_output().unwrap();
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(said.contains("the server is gone") && said.contains("--resume"), "{said}");
    let log = only_log(folder.path());
    let finished = trials(&log).len();
    assert!((1..200).contains(&finished), "{finished}");
    let server = Server::start(folder.path(), &[]);
    let log = log.display().to_string();
    let arguments = ["run", "--resume", &log, "--base-url", &server.base_url, "-c", "8"];
    let output = run(folder.path(), &arguments);
    assert_eq!(trials(&only_log(folder.path())).len(), 200, "{}", text(&output.stderr));
}

/// Runs three cases against a server that answers every chat so; gives what was said, the trials
/// and how many chats there were.
fn against(response: Response, more: &[&str]) -> (Output, BTreeMap<String, Trial>, usize) {
    let folder = suite(3);
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let server = runtime.block_on(testkit::Server::start(move |request| match &*request.method {
        "POST" => response.clone(),
        _ => Response::json(200, &json!({"data": []})),
    }));
    let arguments = ["run", ".", "-m", "any", "-c", "3", "--same-failures", "0", "--base-url"];
    let output = run(folder.path(), &[&arguments[..], &[server.url()], more].concat());
    let asked = server.received().iter().filter(|request| request.method == "POST").count();
    let log = only_log(folder.path());
    let head = toolgauge_log::Log::open(&log).unwrap();
    let settings = &head.run().settings["settings"]["limits"];
    assert_eq!(settings["idle_timeout"], if more.contains(&"--stream") { 0.3 } else { 60.0 });
    (output, trials(&log), asked)
}

#[test]
fn a_stream_that_falls_silent_does_not_hold_a_run_up() {
    let token = "data: {\"choices\":[{\"delta\":{\"content\":\"one\"}}]}\n\n";
    let silent = Response::open_stream([token]).then_hanging(Duration::from_mins(5));
    let more = ["--stream", "--idle-timeout", "0.3", "--retries", "1"];
    let start = Instant::now();
    let (output, found, asked) = against(silent, &more);
    assert!(start.elapsed() < Duration::from_secs(30), "{:?}", start.elapsed());
    assert_eq!((output.status.code(), asked), (Some(3), 6), "{}", text(&output.stderr));
    for trial in found.values() {
        let failure = trial.transcript.failure.as_ref().unwrap();
        assert_eq!(failure.kind, FailureKind::Timeout);
        assert!(failure.message.contains("nothing more came for 300ms"), "{failure:?}");
    }
    let said = text(&output.stdout);
    assert!(
        said.contains("unscored   3 trials: 3 timeout") && said.contains("--idle-timeout"),
        "{said}"
    );
}

#[test]
fn streams_that_stop_half_way_are_tried_again_long_before_the_attempt_is_late() {
    let folder = suite(40);
    let plan = "faults:\n- {kind: stall, rate: 0.3, lasting: 5m}\n";
    std::fs::write(folder.path().join("plan.yaml"), plan).unwrap();
    let server = Server::start(folder.path(), &["--faults", "plan.yaml"]);
    let arguments = ["run", ".", "-m", "any", "-c", "8", "--base-url", &server.base_url];
    let more = ["--stream", "--idle-timeout", "0.3", "--retries", "9"];
    let start = Instant::now();
    let output = run(folder.path(), &[&arguments[..], &more[..]].concat());
    assert!(start.elapsed() < Duration::from_mins(1), "{:?}", start.elapsed());
    assert!(output.status.success(), "{}", text(&output.stderr));
    let found = trials(&only_log(folder.path()));
    let turns = found.values().flat_map(|trial| &trial.transcript.turns);
    assert!(turns.filter(|turn| turn.attempts > 1).count() >= 4, "some streams stopped");
}

#[test]
fn prompts_that_do_not_fit_are_told_apart_and_not_sent_again() {
    let words = "This model's maximum context length is 512 tokens. However, you requested 900 \
                 tokens (800 in the messages, 100 in the completion).";
    let body = json!({"object": "error", "message": words, "type": "BadRequestError", "code": 400});
    let (output, found, asked) = against(Response::json(400, &body), &[]);
    assert_eq!((output.status.code(), asked), (Some(3), 3), "{}", text(&output.stderr));
    for trial in found.values() {
        let failure = trial.transcript.failure.as_ref().unwrap();
        assert_eq!(failure.kind, FailureKind::ContextOverflow);
        assert!(failure.message.contains("512 tokens"), "{failure:?}");
    }
    let said = text(&output.stdout);
    assert!(said.contains("unscored   3 trials: 3 context_overflow"), "{said}");
    assert!(said.contains("load the model with more context"), "{said}");
}
