//! A llama.cpp server of our own, played by this very test program.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::json;
use toolgauge_model::{LlamaError, LlamaServer, LlamaSettings, OpenAi, PreflightWarning};
use toolgauge_testkit::{Response, Server};

use crate::support::{ask, briefing, settings};

/// A folder with a model that is none and a `llama-server` that runs `script`.
struct Fake {
    folder: tempfile::TempDir,
}

impl Fake {
    fn new(script: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("model.gguf"), "GGUF").unwrap();
        let program = folder.path().join("llama-server");
        std::fs::write(&program, format!("#!/bin/sh\n{script}\n")).unwrap();
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        std::fs::set_permissions(&program, mode).unwrap();
        Self { folder }
    }

    /// One that becomes this test program, in the role of the server.
    fn serving() -> Self {
        let own = std::env::current_exe().unwrap();
        Self::new(&format!(
            "echo loading the model >&2\nFAKE_LLAMA=\"$*\" exec '{}' --exact llama::the_fake_server --nocapture",
            own.display(),
        ))
    }

    fn settings(&self) -> LlamaSettings {
        LlamaSettings {
            program: Some(self.folder.path().join("llama-server")),
            start_timeout: Duration::from_secs(30),
            flags: vec!["--ctx-size".into(), "512".into()],
            ..LlamaSettings::new(self.folder.path().join("model.gguf"))
        }
    }
}

/// The role of the server; no test unless it is asked to be one.
#[tokio::test]
async fn the_fake_server() {
    let Ok(flags) = std::env::var("FAKE_LLAMA") else { return };
    let words: Vec<&str> = flags.split(' ').collect();
    let after = |flag: &str| words.iter().position(|word| *word == flag).map(|at| words[at + 1]);
    let port = after("--port").unwrap().parse().unwrap();
    let started = Instant::now();
    let flags = flags.clone();
    let _server = Server::start_at(port, move |request| match request.path.as_str() {
        "/health" if started.elapsed() < Duration::from_millis(300) => {
            Response::json(503, &json!({"error": {"message": "Loading model", "code": 503}}))
        }
        "/health" => Response::json(200, &json!({"status": "ok"})),
        "/v1/models" => {
            Response::json(200, &json!({"data": [{"id": "x", "owned_by": "llamacpp"}]}))
        }
        "/props" => Response::json(
            200,
            &json!({
                "total_slots": 2,
                "default_generation_settings": {"n_ctx": 512},
                "chat_template_caps": {"supports_tools": false},
            }),
        ),
        _ => {
            let said = format!("{flags} {}", request.json()["max_tokens"]);
            Response::json(200, &json!({"choices": [{"message": {"content": said}}]}))
        }
    })
    .await;
    tokio::time::sleep(Duration::from_mins(1)).await;
}

async fn is_up(endpoint: &str) -> bool {
    tokio::net::TcpStream::connect(endpoint.trim_start_matches("http://")).await.is_ok()
}

async fn goes_down(endpoint: &str) -> bool {
    for _ in 0..200 {
        if !is_up(endpoint).await {
            return true;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    false
}

#[tokio::test]
async fn a_server_is_started_asked_and_stopped() {
    let fake = Fake::serving();
    let mut server = LlamaServer::start(&fake.settings()).await.unwrap();
    assert!(server.is_running());
    assert!(server.output().contains("loading the model"));
    let facts = server.facts().clone();
    assert_eq!((facts.facts.slots, facts.facts.context_tokens), (Some(2), Some(512)));
    assert_eq!(facts.warnings("x"), [PreflightWarning::TemplateWithoutTools]);
    let endpoint = server.endpoint().to_string();
    let subject = OpenAi::new(settings(&endpoint, false)).unwrap();
    let briefing = Arc::new(briefing(&["turn_on"]));
    subject.warm(&briefing, 2).await.unwrap();
    let said = ask(&subject, &briefing).await.unwrap().message.content;
    assert!(said.contains("--host 127.0.0.1 --port"), "{said}");
    assert!(said.contains("model.gguf --jinja --ctx-size 512 null"), "{said}");
    server.stop().await;
    assert!(!is_up(&endpoint).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dropped_server_is_stopped() {
    let fake = Fake::serving();
    let server = LlamaServer::start(&fake.settings()).await.unwrap();
    let endpoint = server.endpoint().to_string();
    assert!(is_up(&endpoint).await);
    drop(server);
    assert!(goes_down(&endpoint).await);
}

#[tokio::test]
async fn a_server_that_ends_is_quoted() {
    let fake = Fake::new("echo 'error: unknown model architecture' >&2; exit 3");
    let error = LlamaServer::start(&fake.settings()).await.unwrap_err();
    let LlamaError::Ended { status, output, .. } = &error else { panic!("{error:?}") };
    assert!(status.contains('3'), "{status}");
    assert_eq!(output, "error: unknown model architecture");
}

#[tokio::test]
async fn a_server_that_is_never_ready_is_stopped_even_if_it_will_not() {
    let fake = Fake::new(
        "echo $$ > \"$(dirname \"$0\")/pid\"; trap '' TERM; echo thinking >&2; sleep 100 & wait; sleep 100",
    );
    let mut settings = fake.settings();
    settings.start_timeout = Duration::from_secs(2);
    let error = LlamaServer::start(&settings).await.unwrap_err();
    assert!(
        matches!(&error, LlamaError::NotReady { output, .. } if output == "thinking"),
        "{error:?}"
    );
    let pid = std::fs::read_to_string(fake.folder.path().join("pid")).unwrap();
    assert!(!is_alive(pid.trim()), "process {pid} lives on");
}

/// Whether a process is there and not just waiting to be reaped.
fn is_alive(pid: &str) -> bool {
    let stat = std::fs::read_to_string(Path::new("/proc").join(pid).join("stat"));
    stat.is_ok_and(|stat| !stat.contains(") Z "))
}

#[tokio::test]
async fn what_is_not_there_is_named() {
    let fake = Fake::serving();
    let mut settings = fake.settings();
    settings.program = Some(PathBuf::from("/nowhere/llama-server"));
    let error = LlamaServer::start(&settings).await.unwrap_err();
    assert_eq!(error.to_string(), "the program `/nowhere/llama-server` was not found");
    assert!(error.hint().is_some());
    settings.model = PathBuf::from("/nowhere/model.gguf");
    let error = LlamaServer::start(&settings).await.unwrap_err();
    assert_eq!(error.to_string(), "there is no model at `/nowhere/model.gguf`");
}

/// The role of a program that starts a server and is killed before it can stop it.
#[tokio::test]
async fn the_doomed_parent() {
    let Ok(folder) = std::env::var("DOOMED_PARENT") else { return };
    let folder = PathBuf::from(folder);
    let settings = LlamaSettings {
        program: Some(folder.join("llama-server")),
        ..LlamaSettings::new(folder.join("model.gguf"))
    };
    let server = LlamaServer::start(&settings).await.unwrap();
    std::fs::write(folder.join("endpoint"), server.endpoint().to_string()).unwrap();
    tokio::time::sleep(Duration::from_mins(1)).await;
}

#[tokio::test]
async fn a_server_does_not_outlive_a_killed_parent() {
    let fake = Fake::serving();
    let mut parent = tokio::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "llama::the_doomed_parent", "--nocapture"])
        .env("DOOMED_PARENT", fake.folder.path())
        .stdout(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let note = fake.folder.path().join("endpoint");
    let endpoint = loop {
        match std::fs::read_to_string(&note) {
            Ok(endpoint) if !endpoint.is_empty() => break endpoint,
            _ => tokio::time::sleep(Duration::from_millis(50)).await,
        }
    };
    assert!(is_up(&endpoint).await);
    parent.kill().await.unwrap();
    assert!(goes_down(&endpoint).await);
}
