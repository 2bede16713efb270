//! Chatbots over real sockets and as real commands, well and badly behaved.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use toolgauge_core::{Briefing, Reply, Request, Subject};
use toolgauge_core::{FailureKind, Message, Oddity, TrialFailure, TrialId};
use toolgauge_model::{
    AnswerForm, AnswerPlaces, Connection, Endpoint, HttpChatbot, HttpChatbotSettings, RetryPolicy,
    Secret, Template,
};
use toolgauge_testkit::{Response, Server};

fn good() -> Value {
    json!({
        "answer": "It is 1,450 a month.",
        "tools_used": [{"name": "query_database", "arguments": {"sql": "select 1"}, "result": "1450"}],
        "sources": ["leases/4.md"],
        "error": null,
    })
}

fn settings(url: &str) -> HttpChatbotSettings {
    let mut connection = Connection::to(Endpoint::page(url).unwrap());
    connection.timeout = Duration::from_secs(20);
    connection.retry = RetryPolicy::never();
    HttpChatbotSettings::new(connection, url)
}

async fn put(subject: &dyn Subject, conversation: &[Message]) -> Result<Reply, TrialFailure> {
    let briefing = Arc::new(Briefing { system: None, tools: Arc::new([]) });
    let trial = TrialId { case: "case".into(), trial: 1 };
    subject.answer(Request { briefing: &briefing, conversation, trial: &trial, seed: None }).await
}

async fn asked(
    responses: Vec<Response>,
    change: impl FnOnce(&mut HttpChatbotSettings),
) -> (Result<Reply, TrialFailure>, Server) {
    let server = Server::answering(responses).await;
    let mut settings = settings(&format!("{}/chat", server.url()));
    change(&mut settings);
    let subject = HttpChatbot::new(settings).unwrap();
    (put(&subject, &[Message::user("what is the rent?")]).await, server)
}

#[tokio::test]
async fn a_good_answer_comes_through_with_what_stood_behind_it() {
    let (reply, server) = asked(vec![Response::json(200, &good())], |_| ()).await;
    let reply = reply.unwrap();
    assert_eq!(reply.message.content, "It is 1,450 a month.");
    assert!(reply.message.calls.is_empty(), "its calls are already carried out");
    let [Message::Assistant(called), Message::Tool(answer)] = reply.behind.as_slice() else {
        panic!("{:?}", reply.behind)
    };
    assert_eq!(called.calls[0].name, "query_database");
    assert_eq!((answer.call_id.as_str(), answer.content.as_str()), ("call_1", "1450"));
    assert_eq!(reply.background.sources, ["leases/4.md"]);
    assert_eq!((reply.failure, reply.turn.attempts), (None, 1));
    let request = &server.received()[0];
    assert_eq!((request.method.as_str(), request.path.as_str()), ("POST", "/chat"));
    assert_eq!(request.header("content-type"), Some("application/json"));
    assert_eq!(request.json()["question"], "what is the rent?");
    assert!(request.json()["session"].as_str().unwrap().len() > 8);
}

#[tokio::test]
async fn failures_are_told_apart_by_kind() {
    let page = "<html><title>Bad Gateway</title></html>";
    for (response, kind, words) in [
        (Response::hang_up(), FailureKind::Connection, "broke before"),
        (Response::json(500, &json!({"error": "oops"})), FailureKind::Server, "500: oops"),
        (Response::new(502, "text/html", page), FailureKind::Unavailable, "Bad Gateway"),
        (Response::new(200, "text/html", page), FailureKind::UnreadableAnswer, "HTML page"),
        (Response::new(200, "text/plain", "hello"), FailureKind::UnreadableAnswer, "hello"),
        (Response::new(200, "application/json", "{oops}"), FailureKind::UnreadableAnswer, "broken"),
        (Response::new(200, "application/json", "{\"answer\": \"x"), FailureKind::Truncated, "cut"),
        (Response::json(200, &good()).cut_after(150), FailureKind::Truncated, "cut off"),
        (Response::new(200, "application/json", ""), FailureKind::UnreadableAnswer, "nothing"),
        (Response::json(200, &json!({"reply": 1})), FailureKind::UnreadableAnswer, "`/reply`"),
        (Response::json(200, &json!([1])), FailureKind::UnreadableAnswer, "no text at `/answer`"),
        (Response::json(401, &json!({"detail": "who?"})), FailureKind::Unauthorized, "who?"),
        (Response::json(404, &json!({})), FailureKind::Refused, "404"),
    ] {
        let shown = format!("{response:?}");
        let failure = asked(vec![response], |_| ()).await.0.unwrap_err();
        assert_eq!(failure.kind, kind, "{shown}: {}", failure.message);
        assert!(failure.message.contains(words), "{shown}: {}", failure.message);
    }
}

#[tokio::test]
async fn nobody_there_and_nobody_answering_are_told_apart() {
    let subject = HttpChatbot::new(settings("http://127.0.0.1:1/chat")).unwrap();
    let failure = put(&subject, &[Message::user("x")]).await.unwrap_err();
    assert_eq!(failure.kind, FailureKind::Unavailable);
    let unreachable = subject.preflight().await.unwrap_err().to_string();
    assert!(unreachable.contains("nothing answers at `http://127.0.0.1:1/chat`"), "{unreachable}");
    let late = |settings: &mut HttpChatbotSettings| {
        settings.connection.timeout = Duration::from_millis(100);
    };
    let silence = vec![Response::silence(Duration::from_secs(30))];
    let failure = asked(silence, late).await.0.unwrap_err();
    assert_eq!(failure.kind, FailureKind::Timeout);
}

#[tokio::test]
async fn an_error_it_reports_is_its_own_and_its_tools_are_kept() {
    let mut answer = good();
    answer["answer"] = Value::Null;
    answer["error"] = json!("the database is locked");
    let (reply, server) = asked(vec![Response::json(200, &answer)], |settings| {
        settings.connection.retry = RetryPolicy::default();
    })
    .await;
    let reply = reply.unwrap();
    let failure = reply.failure.unwrap();
    assert_eq!(failure.kind, FailureKind::Reported);
    assert_eq!(failure.message, "the database is locked");
    assert_eq!(reply.behind.len(), 2);
    assert_eq!(server.received().len(), 1, "what it reports is an answer and not asked for again");
    let null = asked(vec![Response::json(200, &json!({"answer": null}))], |_| ()).await.0.unwrap();
    assert_eq!(null.failure.unwrap().kind, FailureKind::Reported);
}

#[tokio::test]
async fn what_passes_is_tried_again() {
    let busy = Response::with_headers(429, &[("retry-after-ms", "1")], "");
    let (reply, _) = asked(vec![busy, Response::json(200, &good())], |settings| {
        settings.connection.retry =
            RetryPolicy { first_pause: Duration::from_millis(1), ..RetryPolicy::default() };
    })
    .await;
    assert_eq!(reply.unwrap().turn.attempts, 2);
}

#[tokio::test]
async fn earlier_messages_go_first_in_the_same_session() {
    let server = Server::start(|request| {
        let question = request.json()["q"].as_str().unwrap_or_default().to_owned();
        Response::json(200, &json!({"text": format!("re: {question}"), "id": "opened-by-server"}))
    })
    .await;
    let subject = HttpChatbot::new(HttpChatbotSettings {
        body: Some(Template::new(json!({"q": "{{ question }}", "id": "{{ session }}"}))),
        answer: AnswerForm::Json(AnswerPlaces {
            text: "/text".into(),
            session: Some("/id".into()),
            ..AnswerPlaces::reference()
        }),
        ..settings(server.url())
    })
    .unwrap();
    let conversation = [Message::user("who?"), Message::user("since when?"), Message::user("why?")];
    let reply = put(&subject, &conversation).await.unwrap();
    assert_eq!(reply.message.content, "re: why?");
    let sent: Vec<Value> =
        server.received().iter().map(toolgauge_testkit::Received::json).collect();
    assert_eq!(
        sent.iter().map(|body| &body["q"]).collect::<Vec<_>>(),
        ["who?", "since when?", "why?"]
    );
    assert_ne!(sent[0]["id"], "opened-by-server");
    assert_eq!(sent[1]["id"], "opened-by-server");
    let first = sent[0]["id"].clone();
    put(&subject, &conversation[..1]).await.unwrap();
    assert_ne!(server.received()[3].json()["id"], first, "each conversation has its own session");
}

#[tokio::test]
async fn a_chatbot_that_takes_the_history_is_asked_once() {
    let (_, server) = asked(vec![Response::json(200, &good())], |settings| {
        settings.body = Some(Template::new(json!({"all": "{{ history }}", "q": "{{ question }}"})));
    })
    .await;
    assert_eq!(server.received()[0].json(), json!({"all": [], "q": "what is the rent?"}));
}

#[tokio::test]
async fn method_address_headers_and_text_are_as_described() {
    let odd = Response::new(200, "text/html", "  plain words\n");
    let (reply, server) = asked(vec![odd], |settings| {
        settings.method = "GET".into();
        settings.url = format!("{}?q={{{{ question }}}}", settings.url);
        settings.body = None;
        settings.answer = AnswerForm::Text;
        settings.connection.headers = vec![("x-token".into(), Secret::new("hunter22"))];
    })
    .await;
    assert_eq!(reply.unwrap().message.content, "  plain words");
    let request = &server.received()[0];
    assert_eq!(request.method, "GET");
    assert_eq!(request.path, "/chat?q=what%20is%20the%20rent%3F");
    assert_eq!(request.header("x-token"), Some("hunter22"));
    assert!(request.body.is_empty());
}

#[tokio::test]
async fn an_object_without_the_text_at_its_place_may_be_plain_text() {
    for (body, words) in [
        (r#"{"answer": "It is 4."}"#, "It is 4."),
        (r#"{"rent": 1450}"#, r#"{"rent": 1450}"#),
        ("[1, 2]", "[1, 2]"),
        ("It is 4.", "It is 4."),
    ] {
        let response = Response::new(200, "text/plain", body);
        let either = AnswerForm::Either(AnswerPlaces::reference());
        let (reply, _) = asked(vec![response], |settings| settings.answer = either).await;
        assert_eq!(reply.unwrap().message.content, words);
    }
}

#[tokio::test]
async fn a_token_that_is_echoed_is_not_repeated() {
    for response in [
        Response::json(500, &json!({"error": "bad token hunter22"})),
        Response::json(200, &json!({"error": "bad token hunter22"})),
    ] {
        let (reply, _) = asked(vec![response], |settings| {
            settings.connection.headers = vec![("x-token".into(), Secret::new("hunter22"))];
        })
        .await;
        let failure = reply.map_or_else(|failure| failure, |reply| reply.failure.unwrap());
        assert!(failure.message.contains("[redacted]"), "{}", failure.message);
    }
}

#[tokio::test]
async fn a_wrong_label_is_noted_and_the_wire_is_kept_on_request() {
    let response = Response::new(200, "text/plain", good().to_string());
    let (reply, _) = asked(vec![response], |settings| settings.connection.keep_wire = true).await;
    let turn = reply.unwrap().turn;
    assert_eq!(turn.oddities, [Oddity::WrongContentType]);
    assert_eq!(turn.request.unwrap()["question"], "what is the rent?");
    assert_eq!(turn.response.unwrap(), good());
}

#[cfg(unix)]
mod commands {
    use toolgauge_model::{CommandChatbot, CommandInput, CommandSettings};

    use super::*;

    async fn run(
        script: &str,
        change: impl FnOnce(&mut CommandSettings),
    ) -> Result<Reply, TrialFailure> {
        let mut settings = CommandSettings::new("sh", vec!["-c".into(), script.into()]);
        settings.retry = RetryPolicy::never();
        change(&mut settings);
        let subject = CommandChatbot::new(settings);
        put(&subject, &[Message::user("who pays?"), Message::user("how much?")]).await
    }

    #[tokio::test]
    async fn a_command_reads_the_question_and_writes_text() {
        let reply = run("read q; echo \"you asked: $q\"", |_| ()).await.unwrap();
        assert_eq!(reply.message.content, "you asked: how much?");
        let session = run("test -n \"$TOOLGAUGE_SESSION\" && echo yes", |_| ()).await.unwrap();
        assert_eq!(session.message.content, "yes");
    }

    #[tokio::test]
    async fn a_command_may_speak_json_both_ways() {
        let template = json!({"q": "{{ question }}", "before": "{{ history }}"});
        let script = r#"read line; printf '{"answer": "x", "tools_used": ["look"], "sources": [%s]}' "$line""#;
        let reply = run(script, |settings| {
            settings.input = CommandInput::Json(Template::new(template));
            settings.keep_wire = true;
        });
        let reply = reply.await.unwrap();
        let sent = reply.turn.request.unwrap();
        assert_eq!(sent["before"], json!([{"role": "user", "content": "who pays?"}]));
        assert_eq!((sent["q"].as_str(), reply.behind.len()), (Some("how much?"), 1));
    }

    #[tokio::test]
    async fn what_a_command_leaves_behind_is_stopped() {
        let script = "sleep 600 >/dev/null 2>&1 & echo $!";
        let mut settings = CommandSettings::new("sh", vec!["-c".into(), script.into()]);
        settings.retry = RetryPolicy::never();
        // It is kept until the end: what is left behind goes with the command, not with the run.
        let subject = CommandChatbot::new(settings);
        let reply = put(&subject, &[Message::user("who pays?")]).await.unwrap();
        let stat = format!("/proc/{}/stat", reply.message.content.trim());
        // Gone, or dead and not yet buried by whoever is its parent now.
        let gone = || std::fs::read_to_string(&stat).map_or(true, |text| text.contains(") Z "));
        for _ in 0..600 {
            if gone() {
                drop(subject);
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("it outlived its parent");
    }

    #[tokio::test]
    async fn an_answer_counts_although_something_left_behind_holds_the_pipes() {
        let a_minute = |settings: &mut CommandSettings| settings.timeout = Duration::from_mins(1);
        let reply = run("read q; sleep 600 & echo 42", a_minute).await.unwrap();
        assert_eq!(reply.message.content, "42");
        // It left the group, so nobody stops it before the end of the run.
        let reply = run("read q; setsid sleep 30 & printf '%70000s' 42", a_minute).await.unwrap();
        assert_eq!(reply.message.content.trim(), "42");
    }

    #[tokio::test]
    async fn commands_fail_in_their_own_ways() {
        let failure = run("echo 'Traceback' >&2; echo 'KeyError: rent' >&2; exit 3", |_| ()).await;
        let failure = failure.unwrap_err();
        assert_eq!(failure.kind, FailureKind::Server);
        assert!(
            failure.message.ends_with("exit status: 3): KeyError: rent"),
            "{}",
            failure.message
        );
        let late = run("sleep 30", |s| s.timeout = Duration::from_millis(100)).await;
        assert_eq!(late.unwrap_err().kind, FailureKind::Timeout);
        let endless = run("yes", |s| s.largest_answer = 1000).await;
        assert_eq!(endless.unwrap_err().kind, FailureKind::TooLarge);
        let missing = run("", |s| s.program = "no-such-program-anywhere".into()).await.unwrap_err();
        assert_eq!(missing.kind, FailureKind::Connection);
        assert!(missing.message.contains("`no-such-program-anywhere`"), "{}", missing.message);
        let json = AnswerForm::Json(AnswerPlaces::reference());
        let text = run("echo hello", |s| s.answer = json).await.unwrap_err();
        assert_eq!(text.kind, FailureKind::UnreadableAnswer);
    }

    #[tokio::test]
    async fn a_question_that_nobody_reads_does_no_harm() {
        let reply = run("exec 0<&-; echo done", |_| ()).await.unwrap();
        assert_eq!(reply.message.content, "done");
    }
}
