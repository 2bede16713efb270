//! Chatbots as subjects: over HTTP against `serve --chatbot`, and as commands.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;
use toolgauge_core::{FailureKind, Message};
use toolgauge_log::Log;
use toolgauge_testkit::long_or;

use crate::run::{Server, only_log, results, run, suite, text, trials};

/// The suite of numbers, with a script that calls and then answers.
fn talking_suite(cases: usize) -> TempDir {
    let folder = suite(cases);
    let line = |n: usize| {
        let said = if n.is_multiple_of(3) { n + 1 } else { n };
        let turns = json!([
            {"calls": [{"name": "say", "arguments": {"n": said}}]},
            {"text": format!("I said {said}.")},
        ]);
        json!({"request": format!("say the number {n}"), "turns": turns}).to_string() + "\n"
    };
    let script: String = (0..cases).map(line).collect();
    fs::write(folder.path().join("script.ndjson"), script).unwrap();
    folder
}

fn serve(folder: &Path, arguments: &[&str]) -> (Server, String) {
    let server = Server::start(folder, &[&["--chatbot", "."], arguments].concat());
    let url = server.base_url.replace("/v1", "/chat");
    (server, url)
}

#[test]
fn a_chatbot_is_measured_by_what_it_did_and_said() {
    let folder = talking_suite(9);
    let (_server, url) = serve(folder.path(), &[]);
    let model = format!("chatbot:{url}");
    let output = run(folder.path(), &["run", ".", "-m", &model, "-c", "3"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let log = only_log(folder.path());
    let held = trials(&log);
    let scores: Vec<f64> = held.values().map(|t| t.outcome().unwrap().value().unwrap()).collect();
    let right = scores.iter().filter(|score| **score >= 1.0).count();
    assert_eq!(right, 6, "every third number is wrong");
    let trial = &held["n-4#1"].transcript;
    let [Message::Assistant(called), Message::Tool(answer), Message::Assistant(said)] =
        trial.messages.as_slice()
    else {
        panic!("{:?}", trial.messages)
    };
    assert_eq!((called.calls[0].name.as_str(), answer.name.as_str()), ("say", "say"));
    assert_eq!(said.content, "I said 4.");
    assert_eq!(trial.turns.len(), 1);
    assert_eq!(trial.background.tool_times.len(), 1, "the chatbot says how long its tools took");
    let run_head = Log::open(&log).unwrap().run().clone();
    assert_eq!(run_head.subject.provider, "chatbot");
    assert_eq!(run_head.subject.base_url.as_deref(), Some(&*url));
    assert_eq!(run_head.settings["chatbot"]["way"]["http"]["url"], url);

    let again = run(folder.path(), &["run", "--resume", "last"]);
    assert_eq!(again.status.code(), Some(0), "{}", text(&again.stderr));
    assert_eq!(trials(&log).len(), 9, "nothing is run twice");

    let replayed = format!("replay:{}", log.display());
    let output = run(folder.path(), &["run", ".", "-m", &replayed, "--log-dir", "again/logs"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(results(&only_log(&folder.path().join("again"))), results(&log));
}

#[test]
fn a_chatbot_with_faults_comes_to_the_same_at_any_concurrency() {
    let cases = long_or(8, 6);
    let folder = talking_suite(cases);
    let plan = "seed: 3\nfaults:\n- {kind: error, rate: 0.2, status: 503}\n- {kind: html_page, rate: \
                0.1}\n- {kind: truncated, rate: 0.1}\n- {kind: malformed_json, rate: 0.1}\n";
    fs::write(folder.path().join("plan.yaml"), plan).unwrap();
    let mut seen = Vec::new();
    for concurrency in ["1", "6"] {
        let (_server, url) = serve(folder.path(), &["--faults", "plan.yaml"]);
        let model = format!("chatbot:{url}");
        let logs = format!("c{concurrency}/logs");
        let arguments = ["run", ".", "-m", &model, "-c", concurrency, "--log-dir", &logs];
        let output = run(folder.path(), &arguments);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        let log = only_log(&folder.path().join(format!("c{concurrency}")));
        // A person who looks at the end of the run alone learns of the faults as well.
        let said = text(&output.stdout);
        assert!(said.contains(" requests were repeated: "), "{said}");
        assert!(said.contains("× HTTP 503"), "{said}");
        let again = run(folder.path(), &["summary", log.to_str().unwrap(), "--format", "json"]);
        let printed: Value = serde_json::from_slice(&again.stdout).unwrap();
        let repeats = printed.pointer("/0/summary/repeats").or(printed.pointer("/0/repeats"));
        let repeats = repeats.unwrap_or_else(|| panic!("{printed:#}"));
        let reasons = repeats["reasons"].as_object().unwrap();
        let sum: u64 = reasons.values().map(|count| count.as_u64().unwrap()).sum();
        assert_eq!(Some(sum), repeats["all"].as_u64(), "{repeats}");
        seen.push(results(&log));
    }
    assert_eq!(seen[0], seen[1]);
    assert_eq!(seen[0].len(), cases);
}

#[test]
fn an_error_the_chatbot_reports_is_scored_and_one_of_the_server_is_not() {
    let folder = talking_suite(2);
    let script = "{\"request\": \"say the number 0\", \"fail\": \"server\", \"message\": \"no luck\"}\n\
                  {\"request\": \"say the number 1\", \"text\": \"one\"}\n";
    fs::write(folder.path().join("script.ndjson"), script).unwrap();
    let (_server, url) = serve(folder.path(), &[]);
    let output = run(folder.path(), &["run", ".", "-m", &format!("chatbot:{url}")]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let held = trials(&only_log(folder.path()));
    let failure = held["n-0#1"].transcript.failure.clone().unwrap();
    assert_eq!((failure.kind, failure.message.as_str()), (FailureKind::Reported, "no luck"));
    assert_eq!(held["n-0#1"].outcome().unwrap().value(), Some(0.0));
    let gone = run(folder.path(), &["run", ".", "-m", "chatbot:http://127.0.0.1:1/chat"]);
    assert_eq!(gone.status.code(), Some(2));
    assert!(text(&gone.stderr).contains("nothing answers at"), "{}", text(&gone.stderr));
}

#[test]
#[cfg(unix)]
fn a_command_is_measured_like_any_chatbot() {
    let folder = talking_suite(3);
    let bot = "read say the number n; printf '{\"answer\": \"%s\", \"tools_used\": [{\"name\": \
               \"say\", \"arguments\": {\"n\": %s}}]}' \"$n\" \"$n\"\n";
    fs::write(folder.path().join("bot.sh"), bot).unwrap();
    let output = run(folder.path(), &["run", ".", "-m", "command:sh bot.sh", "-c", "2"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let held = trials(&only_log(folder.path()));
    assert!(held.values().all(|trial| trial.outcome().unwrap().value() == Some(1.0)), "{held:?}");
    let missing = run(folder.path(), &["run", ".", "-m", "command:no-such-bot -x"]);
    assert_eq!(missing.status.code(), Some(2));
    insta::assert_snapshot!(text(&missing.stderr));
}

#[test]
#[cfg(unix)]
fn a_command_that_crashes_fails_its_trial_with_its_last_words_and_no_other() {
    let folder = talking_suite(3);
    let bot = "read say the number n\n\
               if [ $n = 1 ]; then echo half an ans; echo out of memory >&2; exit 3; fi\n\
               if [ $n = 2 ]; then kill -9 $$; fi\n\
               printf '{\"answer\": \"%s\", \"tools_used\": [{\"name\": \"say\", \"arguments\": \
               {\"n\": %s}}]}' $n $n\n";
    fs::write(folder.path().join("bot.sh"), bot).unwrap();
    let arguments = ["run", ".", "-m", "command:sh bot.sh", "--retries", "0"];
    let output = run(folder.path(), &arguments);
    let held = trials(&only_log(folder.path()));
    let failed = |id: &str| held[id].transcript.failure.clone().unwrap();
    assert_eq!(held["n-0#1"].transcript.failure, None);
    assert_eq!(held["n-0#1"].outcome().unwrap().value(), Some(1.0));
    for (id, words) in [("n-1#1", "(exit status: 3): out of memory"), ("n-2#1", "SIGKILL")] {
        let failure = failed(id);
        assert_eq!(failure.kind, FailureKind::Server);
        assert!(failure.message.contains(words), "{failure:?}");
        assert_eq!(held[id].transcript.final_text(), "", "what it said before is no answer");
    }
    let told = text(&output.stdout);
    assert!(told.contains("the command failed (exit status: 3)"), "{told}");
}

#[test]
fn a_described_chatbot_keeps_its_secrets() {
    let folder = talking_suite(1);
    let (_server, url) = serve(folder.path(), &[]);
    let bot = format!(
        "name: my bot\nhttp:\n  url: {url}\n  headers: {{x-key: 'Bearer ${{BOT_KEY}}', x-other: \
         hunter23}}\nanswer: {{text: /answer, tools: /tools_used}}\n"
    );
    fs::write(folder.path().join("bot.yaml"), bot).unwrap();
    let arguments = ["run", ".", "-m", "chatbot:bot.yaml"];
    let without = run(folder.path(), &arguments);
    assert_eq!(without.status.code(), Some(2));
    insta::assert_snapshot!(text(&without.stderr));
    let mut command = crate::run::toolgauge(folder.path(), &arguments);
    let output = command.env("BOT_KEY", "hunter22").output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let log = only_log(folder.path());
    let head = Log::open(&log).unwrap().run().clone();
    assert_eq!(head.subject.name, "my bot");
    let written = serde_json::to_string(&head.settings).unwrap();
    assert!(written.contains("${BOT_KEY}"), "{written}");
    assert!(!written.contains("hunter2"), "{written}");
}

#[test]
fn a_description_with_mistakes_is_told_with_its_lines() {
    let folder = talking_suite(1);
    let bot = "http:\n  adress: http://127.0.0.1:1/\nanswer:\n  text: answer\n";
    fs::write(folder.path().join("bot.yaml"), bot).unwrap();
    let output = run(folder.path(), &["run", ".", "-m", "chatbot:bot.yaml"]);
    assert_eq!(output.status.code(), Some(2));
    insta::assert_snapshot!(text(&output.stderr));
}

#[test]
fn sessions_are_kept_apart_and_odd_requests_are_refused() {
    let folder = talking_suite(2);
    let (_server, url) = serve(folder.path(), &[]);
    let ask = |body: &Value| -> (u16, Value) {
        use std::io::{Read, Write};
        let address = url.trim_start_matches("http://").trim_end_matches("/chat");
        let mut stream = std::net::TcpStream::connect(address).unwrap();
        let body = body.to_string();
        let length = body.len();
        let head = "POST /chat HTTP/1.1\r\nhost: x\r\nconnection: close\r\n";
        write!(stream, "{head}content-length: {length}\r\n\r\n{body}").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let status = answer.split(' ').nth(1).unwrap().parse().unwrap();
        (status, serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap())
    };
    let (status, answer) = ask(&json!({"question": "say the number 1", "session": "a"}));
    assert_eq!(status, 200);
    assert_eq!(answer["answer"], "I said 1.");
    assert_eq!(answer["tools_used"][0]["arguments"], json!({"n": 1}));
    assert_eq!((&answer["error"], &answer["session"]), (&Value::Null, &json!("a")));
    let (_, unknown) = ask(&json!({"question": "something else"}));
    assert_eq!(unknown["answer"], Value::Null);
    assert!(unknown["error"].as_str().unwrap().contains("no answer"), "{unknown}");
    assert_eq!(ask(&json!({"q": 1})).0, 400);
}
