//! A set-up that is wrong is an error with status 2, never a score.

use std::fs;
use std::path::Path;
use std::process::Output;

use serde_json::{Value, json};
use tempfile::TempDir;
use toolgauge_log::Log;
use toolgauge_testkit::{Received, Response, Server, llama};

use crate::run::{only_log, run, text};

/// Seven questions with keywords, which the three-part score of chatbots judges.
fn questions() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let row = |n: usize| {
        let question = format!("What is item {n}?");
        let row = json!({"id": format!("q-{n}"), "question": question,
            "expected_tools": ["search"], "expected_keywords": [format!("item {n}")]});
        row.to_string() + "\n"
    };
    fs::write(folder.path().join("golden.jsonl"), (0..7).map(row).collect::<String>()).unwrap();
    folder
}

/// A server that answers every POST so; to anything else it has nothing to say.
fn server(answer: impl Fn(&Received) -> Response + Send + Sync + 'static) -> (Server, impl Sized) {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let server = runtime.block_on(Server::start(move |request| match &*request.method {
        "POST" => answer(request),
        _ => Response::json(404, &json!({"detail": "Not Found"})),
    }));
    (server, runtime)
}

fn ask(folder: &Path, server: &Server, more: &[&str]) -> Output {
    let model = format!("chatbot:{}/chat", server.url());
    run(folder, &[&["run", "golden.jsonl", "-m", &model, "--retries", "0"], more].concat())
}

/// Runs the questions at several concurrencies; each time it ends with status 2, no score and
/// no log. Gives what was said.
fn refused(answer: &Response) -> String {
    let mut said = String::new();
    for concurrency in ["1", "4", "32"] {
        let folder = questions();
        let answer = answer.clone();
        let (server, _runtime) = server(move |_| answer.clone());
        let output = ask(folder.path(), &server, &["-c", concurrency]);
        said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert_eq!(text(&output.stdout), "", "no score is printed");
        let logs = fs::read_dir(folder.path().join("logs")).unwrap().count();
        assert_eq!(logs, 0, "a run that measured nothing leaves no log");
    }
    said
}

#[test]
fn a_chatbot_that_is_not_at_the_address_is_an_error() {
    let said = refused(&Response::json(404, &json!({"detail": "Not Found"})));
    assert!(said.contains("trials failed in the same way"), "{said}");
    assert!(said.contains("HTTP status 404") && said.contains("URL"), "{said}");
}

#[test]
fn a_text_at_another_place_is_an_error_that_names_both_places() {
    let said = refused(&Response::json(200, &json!({"reply": "item 1", "tools_used": []})));
    assert!(said.contains("no text at `/answer`; it has text at `/reply`"), "{said}");
}

#[test]
fn answers_that_are_all_empty_or_null_are_an_error() {
    for empty in [json!(""), json!("  \n"), Value::Null] {
        let said = refused(&Response::json(200, &json!({"answer": empty, "tools_used": []})));
        assert!(said.contains("the answer is"), "{said}");
    }
}

#[test]
fn the_same_error_reported_to_every_question_is_an_error() {
    let report = json!({"answer": null, "error": "no database at `/data/x.db`"});
    let said = refused(&Response::json(200, &report));
    assert!(said.contains("no database at `/data/x.db`"), "{said}");
}

#[test]
fn a_text_further_down_is_named_where_it_is() {
    let said = refused(&Response::json(200, &json!({"data": {"text": "item 1"}, "ok": true})));
    assert!(said.contains("it has text at `/data/text`"), "{said}");
    assert!(said.contains("`answer: {text: /data/reply}`"), "{said}");
}

#[test]
fn a_place_that_no_reply_has_is_a_warning_that_tells_what_they_have() {
    let folder = questions();
    let (server, _runtime) = server(|request| right(item(request)));
    let bot = "bot.yaml";
    let http = format!("http: {{url: \"{}/chat\"}}\n", server.url());
    let places = "answer: {text: /answer, tools: /tools, sources: /refs/0, error: /error}\n";
    fs::write(folder.path().join(bot), http + places).unwrap();
    let output = run(folder.path(), &["run", "golden.jsonl", "-m", "chatbot:bot.yaml"]);
    let said = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{said}{}", text(&output.stderr));
    let has = "was in none of the 7 replies; they have `/answer`, `/tools_used`";
    let warnings = [format!("`/tools` (tools) {has}"), format!("`/refs/0` (sources) {has}")];
    assert_eq!(Log::open(&only_log(folder.path())).unwrap().run().warnings, warnings);
    let summary = text(&run(folder.path(), &["summary", "last"]).stdout);
    run(folder.path(), &["report", "last", "-o", "r.md"]);
    let report = fs::read_to_string(folder.path().join("r.md")).unwrap();
    for warning in &warnings {
        assert!(summary.contains(warning), "{summary}");
    }
    assert_eq!(said.matches("was in none of the 7 replies").count(), 2, "{said}");
    assert_eq!(report.matches("in none of the 7 replies").count(), 2, "{report}");
}

#[test]
fn places_of_the_reference_form_may_be_left_out_but_not_under_another_name() {
    for (answer, warnings) in [
        (json!({"answer": "That is item 1.", "id": 3}), vec![]),
        (
            json!({"answer": "That is item 1.", "tools": ["search"]}),
            vec![
                "`/tools_used` (tools) was in none of the 7 replies; they have `/answer`, `/tools`",
            ],
        ),
    ] {
        let folder = questions();
        let (server, _runtime) = server(move |_| Response::json(200, &answer));
        let output = ask(folder.path(), &server, &[]);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        assert_eq!(Log::open(&only_log(folder.path())).unwrap().run().warnings, warnings);
    }
}

#[test]
fn failures_of_one_kind_in_several_words_are_all_named() {
    let folder = questions();
    let (server, _runtime) = server(|request| {
        let status = if request.number % 2 == 0 { 404 } else { 400 };
        Response::json(status, &json!({"detail": "no"}))
    });
    let output = ask(folder.path(), &server, &["-c", "1"]);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("the first 5 trials failed, so the run was stopped"), "{said}");
    for words in ["2 × HTTP status 404: no", "3 × HTTP status 400: no"] {
        assert!(said.contains(words), "{said}");
    }
}

#[test]
fn an_answer_of_another_shape_is_not_asked_for_again() {
    let folder = questions();
    let (server, _runtime) = server(|_| Response::json(200, &json!({"reply": "item 1"})));
    let arguments = ["run", "golden.jsonl", "-m", "any", "-c", "1", "--base-url", server.url()];
    let output = run(folder.path(), &arguments);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("the answer holds no choice") && !said.contains("attempts"), "{said}");
    let posts = server.received().iter().filter(|request| request.method == "POST").count();
    assert_eq!(posts, 5, "one for each of the first trials");
}

#[test]
fn calls_before_an_empty_answer_are_not_shown_as_the_answer() {
    let folder = questions();
    let (server, _runtime) = server(|request| match item(request) {
        2 => Response::json(200, &json!({"answer": "", "tools_used": ["search"]})),
        item => right(item),
    });
    let output = ask(folder.path(), &server, &["--scorer", "keywords", "--markdown", "m.md"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let comment = fs::read_to_string(folder.path().join("m.md")).unwrap();
    assert!(comment.contains("no answer") && !comment.contains("search {}"), "{comment}");
}

#[test]
fn tools_that_took_longer_than_the_answer_are_a_warning() {
    let folder = questions();
    let (server, _runtime) = server(|request| {
        let used = json!([{"name": "search", "seconds": 500}]);
        let answer = format!("That is item {}.", item(request));
        Response::json(200, &json!({"answer": answer, "tools_used": used}))
    });
    let output = ask(folder.path(), &server, &[]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let warnings = Log::open(&only_log(folder.path())).unwrap().run().warnings.clone();
    let words = "in 7 replies the tools took longer than the whole answer (500.000 s of ";
    assert!(matches!(&warnings[..], [only] if only.starts_with(words)), "{warnings:?}");
}

#[test]
fn the_same_error_with_another_identifier_each_time_is_an_error() {
    let folder = questions();
    let (server, _runtime) = server(|request| {
        let number = request.number;
        let id = format!("{number:08x}-a09b-4ebb-889b-{number:012x}");
        let error = format!("request {id} failed at 12:00:{number:02}.5 (attempt {number})");
        Response::json(200, &json!({"answer": "", "error": error}))
    });
    let output = ask(folder.path(), &server, &[]);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("the chatbot itself gives this error"), "{said}");
    assert_eq!(text(&output.stdout), "");
}

#[test]
fn a_model_that_says_nothing_at_all_is_an_error() {
    for (stop, why) in [("stop", "the answer is empty"), ("content_filter", "a content filter")] {
        let folder = questions();
        let (server, _runtime) = server(move |_| {
            let message = json!({"role": "assistant", "content": ""});
            let choice = json!({"index": 0, "message": message, "finish_reason": stop});
            Response::json(200, &json!({"object": "chat.completion", "choices": [choice]}))
        });
        let arguments = ["run", "golden.jsonl", "-m", "any", "--retries", "0", "--base-url"];
        let output = run(folder.path(), &[&arguments[..], &[server.url()]].concat());
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(why) && said.contains("chat template"), "{said}");
    }
}

/// The number of the item that is asked for.
fn item(request: &Received) -> usize {
    let question = request.json()["question"].as_str().unwrap_or_default().to_owned();
    question.trim_end_matches('?').rsplit(' ').next().unwrap().parse().unwrap()
}

fn right(item: usize) -> Response {
    let answer = format!("That is item {item}.");
    Response::json(200, &json!({"answer": answer, "tools_used": ["search"]}))
}

#[test]
fn empty_answers_and_error_texts_in_the_midst_are_named_and_count_as_errors() {
    let folder = questions();
    let (server, _runtime) = server(|request| match item(request) {
        2 | 3 => Response::json(200, &json!({"answer": "", "tools_used": []})),
        5 => Response::json(200, &json!({"answer": "Error: internal server error 17"})),
        item => right(item),
    });
    for scorer in ["chatbot", "keywords"] {
        let output = ask(folder.path(), &server, &["--scorer", scorer, "--gate", "errors<=2"]);
        let said = text(&output.stdout);
        assert_eq!(output.status.code(), Some(1), "{said}{}", text(&output.stderr));
        for line in [
            "  gate       fail: errors<=2: 3 errors in 7 trials: 2 empty answer, 1 error as",
            "  errors     2 trials: reported: empty answer",
            "             1 trial: reported: error as the answer",
        ] {
            assert!(said.contains(line), "{said}");
        }
    }
}

#[test]
fn errors_that_differ_only_by_an_identifier_are_one_line() {
    let folder = questions();
    let (server, _runtime) = server(|request| match item(request) {
        item @ 2..=5 => {
            let words = format!("request {:032x} failed", request.number * 7919 + item);
            Response::json(500, &json!({"error": words}))
        }
        item => right(item),
    });
    let said = text(&ask(folder.path(), &server, &[]).stdout);
    let line = "errors     4 trials: server: HTTP status 500: request … failed\n";
    assert!(said.contains(line), "{said}");
}

#[test]
fn wrong_answers_that_become_server_errors_open_no_gate() {
    let folder = questions();
    let (server, _runtime) = server(|request| match item(request) {
        4.. => Response::json(500, &json!({"error": "boom"})),
        item => right(item),
    });
    let gate = ["--fail-under", "0.8"];
    let reports = ["--scorer", "keywords", "--junit", "j.xml", "--markdown", "m.md"];
    let output = ask(folder.path(), &server, &[&gate[..], &reports].concat());
    let said = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{said}{}", text(&output.stderr));
    let words = "not decided: fail-under 0.8: 3 trials failed (3 server), and at";
    assert!(said.contains(words), "{said}");
    assert!(said.contains("  verdict    its gate is not decided: 4 of 7 cases pass"), "{said}");
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    let (tests, comment) = (read("j.xml"), read("m.md"));
    assert!(tests.contains("tests=\"8\" skipped=\"0\" failures=\"1\" errors=\"3\""), "{tests}");
    assert!(tests.contains("type=\"not decided\""), "{tests}");
    assert!(comment.contains("| `fail-under 0.8` | ❌ not decided | 3 trials failed"), "{comment}");
    assert!(comment.contains("- ⚠️ errors: 3 trials: server: HTTP status 500: boom"), "{comment}");
    for command in [&["summary", "last"][..], &["report", "last", "-o", "r.md"]] {
        let output = run(folder.path(), &[command, &gate].concat());
        assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
        assert!(text(&output.stderr).contains("not decided: 3 trials failed (3 server)"));
    }
}

#[test]
fn a_figure_of_a_chatbot_that_says_it_used_no_tools_is_unsupported() {
    let folder = questions();
    let (server, _runtime) =
        server(|_| Response::json(200, &json!({"answer": "It has 4711 parts.", "tools_used": []})));
    let output = ask(folder.path(), &server, &["--scorer", "grounding"]);
    let said = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{said}{}", text(&output.stderr));
    assert!(said.contains("  lost by    100 %  unsupported claim, 7 times"), "{said}");
    let again = run(folder.path(), &["score", "last", "--scorer", "grounding"]);
    assert_eq!(again.status.code(), Some(0), "{}", text(&again.stderr));
    assert!(text(&again.stdout).contains("unsupported claim      7"), "{}", text(&again.stdout));
}

#[test]
fn a_percentage_for_a_score_is_explained() {
    let folder = questions();
    let refused = |score: &str| {
        let output =
            run(folder.path(), &["run", "golden.jsonl", "-m", "baseline", "--fail-under", score]);
        assert_eq!(output.status.code(), Some(2));
        text(&output.stderr)
    };
    let said = refused("80");
    assert!(said.contains("`--fail-under 80` asks for a score of 80"), "{said}");
    assert!(said.contains("hint: for 80 % write `0.80`"), "{said}");
    let said = refused("prices=80");
    assert!(said.contains("`--fail-under prices=80`") && said.contains("`0.80`"), "{said}");
}

#[test]
fn questions_that_are_answered_with_an_error_in_the_midst_are_scored_and_named() {
    let folder = questions();
    let (server, _runtime) = server(|request| {
        let question = request.json()["question"].as_str().unwrap_or_default().to_owned();
        if question.contains("item 3") || question.contains("item 5") {
            Response::json(500, &json!({"detail": "no such table: items"}))
        } else {
            Response::json(200, &json!({"answer": question, "tools_used": ["search"]}))
        }
    });
    let output = ask(folder.path(), &server, &["-c", "3"]);
    let said = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{said}");
    let line = "errors     2 trials: server: HTTP status 500: no such table: items";
    assert!(said.contains(line), "{said}");
    let log = only_log(folder.path());
    let shown = run(folder.path(), &["summary", log.to_str().unwrap(), "--format", "json"]);
    let summary: Value = serde_json::from_slice(&shown.stdout).unwrap();
    let failures = summary.pointer("/0/summary/failures").or(summary.pointer("/failures"));
    assert_eq!(failures.unwrap()[0]["trials"], 2, "{summary}");
}

#[test]
fn questions_that_are_all_meant_to_fail_can_be_scored() {
    let folder = questions();
    let report = json!({"answer": null, "error": "not allowed"});
    let (server, _runtime) = server(move |_| Response::json(200, &report));
    let output = ask(folder.path(), &server, &["--same-failures", "0"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
}

#[test]
fn a_run_of_one_or_two_trials_that_all_fail_alike_is_an_error_too() {
    let empty = json!({"answer": "", "tools_used": ["search"]});
    let error = json!({"answer": "Error: boom", "tools_used": []});
    for answer in [empty, error, json!({"answer": null, "error": "not allowed"})] {
        for (limit, words) in [("1", "the only trial failed"), ("2", "both trials failed")] {
            let folder = questions();
            let answer = answer.clone();
            let (server, _runtime) = server(move |_| Response::json(200, &answer));
            let output = ask(folder.path(), &server, &["--limit", limit]);
            let said = text(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{said}");
            assert!(said.contains(words) && said.contains("--same-failures 0"), "{said}");
            assert_eq!(text(&output.stdout), "", "no score is printed");
        }
    }
}

#[test]
fn two_errors_of_the_chatbot_are_scored_where_further_trials_follow() {
    let folder = questions();
    let (server, _runtime) = server(|request| match item(request) {
        0 | 1 => Response::json(200, &json!({"answer": "", "tools_used": []})),
        item => right(item),
    });
    let output = ask(folder.path(), &server, &["--same-failures", "1"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    // The other shards have the rest of the questions.
    let (empty, _runtime) = self::server(|_| Response::json(200, &json!({"answer": ""})));
    let output = ask(folder.path(), &empty, &["--shard", "1/4", "--log-dir", "shards"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
}

#[test]
fn a_model_server_that_refuses_tools_is_an_error() {
    let folder = crate::run::suite(9);
    let words = "tools param requires --jinja flag";
    let (server, _runtime) =
        server(move |_| Response::json(500, &json!({"error": {"code": 500, "message": words}})));
    let arguments = ["run", ".", "-m", "any", "-c", "4", "--retries", "0", "--base-url"];
    let output = run(folder.path(), &[&arguments[..], &[server.url()]].concat());
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains(words) && said.contains("hint: "), "{said}");
}

/// A llama.cpp server, as a real one answers, with these properties.
fn llama_server(props: Value) -> (Server, impl Sized) {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let server = runtime.block_on(Server::start(move |request| llama::respond(request, &props)));
    (server, runtime)
}

fn props() -> Value {
    serde_json::from_str(llama::PROPS).unwrap()
}

/// Runs a suite of numbers against a server with `--base-url`.
fn measure(folder: &Path, url: &str, more: &[&str]) -> Output {
    run(folder, &[&["run", ".", "--base-url", url, "--retries", "0"], more].concat())
}

#[test]
fn without_a_model_the_only_one_of_the_server_is_measured_and_the_log_says_what_it_is() {
    let folder = crate::run::suite(3);
    let (server, _runtime) = llama_server(props());
    let output = measure(folder.path(), server.url(), &["--full"]);
    let said = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{said}{}", text(&output.stderr));
    let head = Log::open(&only_log(folder.path())).unwrap().run().clone();
    assert_eq!(head.subject.name, llama::MODEL, "not the baseline");
    let facts = head.server.unwrap();
    assert_eq!(facts.software.as_deref(), Some("llama.cpp"));
    assert_eq!(facts.build.as_deref(), Some("b1-0c1e570"));
    assert_eq!(facts.model_file.as_deref(), Some("qwen2.5-coder-1.5b-instruct-q4_k_m.gguf"));
    assert_eq!(facts.quantisation.as_deref(), Some("Q4_K - Medium"));
    assert_eq!((facts.context_tokens, facts.parameters), (Some(8192), Some(1_777_088_000)));
    let template = facts.chat_template.unwrap();
    assert!(said.contains("server     llama.cpp b1-0c1e570 · qwen2.5"), "{said}");
    assert!(said.contains(&format!("template {template}")), "{said}");
}

#[test]
fn without_a_model_a_server_of_several_or_of_unknown_ones_is_not_measured() {
    for (models, words) in [
        (json!({"data": [{"id": "small"}, {"id": "large"}]}), "small, large"),
        (json!({"data": []}), "-m NAME"),
    ] {
        let folder = crate::run::suite(3);
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let server = runtime.block_on(Server::start(move |_| Response::json(200, &models)));
        let output = measure(folder.path(), server.url(), &[]);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains("no model is named") && said.contains(words), "{said}");
        assert!(!folder.path().join("logs").exists(), "nothing is run");
    }
}

#[test]
fn a_model_that_the_server_does_not_have_is_an_error_unless_any_will_do() {
    let folder = crate::run::suite(3);
    let (server, _runtime) = llama_server(props());
    let output = measure(folder.path(), server.url(), &["-m", "qwen-typo"]);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("has no model `qwen-typo`") && said.contains(llama::MODEL), "{said}");
    assert!(server.received().iter().all(|request| request.method == "GET"), "nothing is asked");
    for alias in ["Qwen2.5-Coder-1.5B", "Qwen/qwen2.5-coder-1.5b", "qwen2.5-coder-1.5b:latest"] {
        let more = ["-m", alias, "--log-dir", "aliases"];
        let output = measure(folder.path(), server.url(), &more);
        assert_eq!(output.status.code(), Some(0), "{alias}: {}", text(&output.stderr));
    }
    let output = measure(folder.path(), server.url(), &["-m", "qwen-typo", "--any-model"]);
    let said = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{said}");
    let warning = "the server does not list `qwen-typo`";
    assert!(said.contains(&format!("warning    {warning}")), "{said}");
    let head = Log::open(&only_log(folder.path())).unwrap().run().clone();
    assert!(head.warnings[0].contains(warning), "{:?}", head.warnings);
}

#[test]
fn replies_in_the_name_of_another_model_are_an_error_unless_any_will_do() {
    let folder = crate::run::suite(9);
    let (server, _runtime) = server(|_| Response::json(200, &llama::completion("other", "stop")));
    let output = measure(folder.path(), server.url(), &["-m", "mine", "-c", "3"]);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("`other` answered in place of `mine`"), "{said}");
    assert!(said.contains("--any-model"), "{said}");
    let output = measure(folder.path(), server.url(), &["-m", "mine", "--any-model"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
}

/// Asks a server that lists these models for one and gets replies in the name of another.
fn renamed(folder: &Path, listed: Value, asked: &str, replied: &'static str) -> Output {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let server = runtime.block_on(Server::start(move |request| match &*request.method {
        "POST" => Response::json(200, &llama::completion(replied, "stop")),
        _ => Response::json(200, &json!({"data": listed})),
    }));
    measure(folder, server.url(), &["-m", asked])
}

#[test]
fn a_name_that_the_server_contradicts_is_an_error_that_tells_both_names() {
    for (listed, asked, replied) in [
        (json!([{"id": "alpha-7b"}]), "alpha-7b", "gamma"),
        (json!([{"id": "llama-3"}, {"id": "llama-3-70b"}]), "llama-3", "llama-3-70b"),
        (json!([{"id": "*"}]), "alpha-7b", "gamma"),
    ] {
        let folder = crate::run::suite(9);
        let output = renamed(folder.path(), listed, asked, replied);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(&format!("`{replied}` answered in place of `{asked}`")), "{said}");
        assert!(said.contains("--any-model"), "{said}");
    }
}

#[test]
fn a_further_name_of_the_same_model_may_answer() {
    let aliases = json!([{"id": "small", "aliases": ["small", "mine"], "owned_by": "llamacpp"}]);
    let vllm = |id: &str| json!({"id": id, "owned_by": "vllm", "root": "Qwen/Qwen3-8B"});
    for (listed, asked, replied) in [
        (aliases, "mine", "small"),
        (json!([vllm("first"), vllm("second")]), "second", "first"),
        (json!([{"id": "gpt-4o"}]), "gpt-4o", "gpt-4o-2024-08-06"),
        (json!([{"id": "openai/gpt-4o"}]), "openai/gpt-4o", "gpt-4o"),
        (json!([{"id": "qwen3:latest"}]), "qwen3", "qwen3:latest"),
    ] {
        let folder = crate::run::suite(3);
        let output = renamed(folder.path(), listed, asked, replied);
        assert_eq!(output.status.code(), Some(0), "{replied}: {}", text(&output.stderr));
    }
}

#[test]
fn a_longer_form_of_the_name_stays_with_the_run_as_a_warning() {
    let folder = crate::run::suite(9);
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let server = runtime.block_on(Server::start(|request| match &*request.method {
        "POST" => Response::json(200, &llama::completion("mine:8b", "stop")),
        _ => Response::json(200, &json!({"data": [{"id": "mine"}]})),
    }));
    let output = measure(folder.path(), server.url(), &["-m", "mine"]);
    let warning = "`mine` was asked for, and `mine:8b` answered";
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert_eq!(said.matches(warning).count(), 1, "{said}");
    let log = only_log(folder.path());
    assert_eq!(Log::open(&log).unwrap().run().warnings, [warning]);
    let log = log.display().to_string();
    let shown = text(&run(folder.path(), &["summary", &log]).stdout);
    assert!(shown.contains(&format!("warning    {warning}")), "{shown}");
    let again = run(folder.path(), &["run", "--resume", &log]);
    assert_eq!(again.status.code(), Some(0), "{}", text(&again.stderr));
    assert_eq!(Log::open(Path::new(&log)).unwrap().run().warnings, [warning]);
}

#[test]
fn a_template_without_tools_stays_with_the_run_and_two_templates_do_not_compare_silently() {
    let folder = crate::run::suite(3);
    let mut other = props();
    other["chat_template"] = json!("{{ messages }}");
    other["chat_template_caps"]["supports_tools"] = json!(false);
    let mut logs = Vec::new();
    for (props, logs_of) in [(props(), "with"), (other, "without")] {
        let (server, _runtime) = llama_server(props);
        let output = measure(folder.path(), server.url(), &["--log-dir", logs_of]);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        let entry = fs::read_dir(folder.path().join(logs_of)).unwrap().next().unwrap().unwrap();
        logs.push(entry.path().display().to_string());
    }
    let shown = text(&run(folder.path(), &["summary", &logs[1]]).stdout);
    assert!(
        shown.contains("warning    the model's chat template has no place for tools"),
        "{shown}"
    );
    let compared = text(&run(folder.path(), &["compare", &logs[0], &logs[1]]).stdout);
    assert!(compared.contains("  ! different servers: chat template "), "{compared}");
    assert!(compared.contains("  ! B: the model's chat template has no place"), "{compared}");
}

/// A llama.cpp server of several models, as its router answers: it tells of a model under its name.
fn llama_router(name: &'static str, props: Value) -> (Server, impl Sized) {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let entry = |id: &str| {
        json!({"id": id, "object": "model", "owned_by": "llamacpp",
        "status": {"value": "unloaded"}})
    };
    let list = json!({"object": "list", "data": [entry("qwen-large"), entry(name)]});
    let of_itself = json!({"role": "router", "model_path": "none", "chat_template_caps": {},
        "default_generation_settings": {"n_ctx": 0}});
    let server = runtime.block_on(Server::start(move |request| match request.path.as_str() {
        "/v1/models" => Response::json(200, &list),
        "/props" => Response::json(200, &of_itself),
        path if path == format!("/props?model={name}") => Response::json(200, &props),
        path if path.starts_with("/props") => Response::json(404, &json!({"model_path": "no"})),
        _ => Response::json(200, &llama::completion(name, "stop")),
    }));
    (server, runtime)
}

#[test]
fn a_server_of_several_models_tells_of_the_one_that_is_measured() {
    let folder = crate::run::suite(3);
    let mut other = props();
    other["model_path"] = json!("/m/other.gguf");
    other["default_generation_settings"]["n_ctx"] = json!(512);
    other["chat_template"] = json!("{{ messages }}");
    other["chat_template_caps"]["supports_tools"] = json!(false);
    let mut logs = Vec::new();
    for (props, logs_of) in [(props(), "a"), (other, "b")] {
        let (server, _runtime) = llama_router("qwen-small", props);
        let model = ["-m", "Qwen-Small", "--full", "--log-dir", logs_of];
        let output = measure(folder.path(), server.url(), &model);
        let said = text(&output.stdout);
        assert_eq!(output.status.code(), Some(0), "{said}{}", text(&output.stderr));
        assert!(said.contains("server     llama.cpp b1-0c1e570 · "), "{said}");
        let entry = fs::read_dir(folder.path().join(logs_of)).unwrap().next().unwrap().unwrap();
        logs.push(entry.path().display().to_string());
    }
    let head = Log::open(Path::new(&logs[1])).unwrap().run().clone();
    let facts = head.server.unwrap();
    assert_eq!(facts.model.as_deref(), Some("qwen-small"));
    assert_eq!(
        (facts.model_file.as_deref(), facts.context_tokens),
        (Some("other.gguf"), Some(512))
    );
    assert!(head.warnings[0].contains("no place for tools"), "{:?}", head.warnings);
    let compared = text(&run(folder.path(), &["compare", &logs[0], &logs[1]]).stdout);
    for fact in ["chat template ", "context 8192 and 512", "model file qwen2.5"] {
        assert!(compared.contains(fact), "{compared}");
    }
    assert!(compared.contains("  ! different servers: "), "{compared}");
}

#[test]
fn what_is_not_known_of_the_model_that_is_measured_is_not_said() {
    let folder = crate::run::suite(3);
    let (server, _runtime) = llama_router("qwen-small", props());
    let output = measure(folder.path(), server.url(), &["-m", "qwen-large", "--any-model"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let facts = Log::open(&only_log(folder.path())).unwrap().run().server.clone().unwrap();
    let known: Vec<_> = facts.named().into_iter().map(|(name, _)| name).collect();
    assert_eq!(known, ["software", "model"], "{facts:?}");
}

#[test]
fn answers_that_reach_the_limit_on_tokens_are_counted_with_the_flag_to_raise() {
    let folder = crate::run::suite(3);
    let (server, _runtime) = server(|request| {
        let asked = request.json()["messages"].to_string();
        let finish = if asked.contains("number 1") { "length" } else { "stop" };
        Response::json(200, &llama::completion("m", finish))
    });
    let output = measure(folder.path(), server.url(), &["-m", "m", "--max-tokens", "96"]);
    let said = text(&output.stdout);
    let line = "cut off    1 trial reached max_tokens (96); raise --max-tokens";
    assert!(said.contains(line), "{said}");
}

#[test]
fn calls_written_as_text_come_with_a_hint_to_the_template() {
    let folder = crate::run::suite(3);
    let (server, _runtime) = server(|_| {
        let mut answer = llama::completion("m", "stop");
        let call = "<tool_call>\n{\"name\": \"say\", \"arguments\": {\"n\": 1}}\n</tool_call>";
        answer["choices"][0]["message"]["content"] = json!(call);
        Response::json(200, &answer)
    });
    let output = measure(folder.path(), server.url(), &["-m", "m"]);
    let said = text(&output.stdout);
    assert!(said.contains("calls_in_text") && said.contains("--jinja"), "{said}");
}
