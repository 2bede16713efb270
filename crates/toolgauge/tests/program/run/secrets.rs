//! Keys never leave memory.

use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::Output;

use crate::run::{Server, only_log, run, suite, text, toolgauge};

const KEY: &str = "sk-very-secret-0123456789";

/// Fails when a word of these is in the output, or in any member of the log.
fn assert_kept(folder: &Path, output: &Output, secrets: &[&str]) {
    let said = text(&output.stdout) + &text(&output.stderr);
    let log = fs::File::open(only_log(folder)).unwrap();
    let mut archive = zip::ZipArchive::new(log).unwrap();
    for secret in secrets {
        assert!(!said.contains(secret), "`{secret}` is in {said}");
        for index in 0..archive.len() {
            let mut member = String::new();
            archive.by_index(index).unwrap().read_to_string(&mut member).unwrap();
            assert!(!member.contains(secret), "`{secret}` is in member {index}: {member}");
        }
    }
}

#[test]
fn a_key_and_a_password_reach_neither_the_log_nor_the_terminal() {
    let folder = suite(3);
    let server = Server::start(folder.path(), &["--faults", "flaky"]);
    let base_url = server.base_url.replace("http://", "http://me:hunter2-password@");
    let arguments = ["run", ".", "-m", "any", "--base-url", &base_url, "--retries", "1"];
    let mut command = toolgauge(folder.path(), &arguments);
    let output = command.env("OPENAI_API_KEY", KEY).output().unwrap();
    assert_kept(folder.path(), &output, &[KEY, "hunter2"]);
}

#[test]
fn the_address_of_a_chatbot_is_kept_without_login_and_query() {
    let folder = suite(1);
    let server = Server::start(folder.path(), &["--chatbot", "."]);
    let url = server.base_url.replace("/v1", "/chat?key=hunter23");
    let url = url.replace("http://", "http://me:hunter22@");
    let bot = format!(
        "http:\n  url: '{url}'\n  body: {{question: '{{{{ question }}}}', token: hunter24}}\n"
    );
    fs::write(folder.path().join("bot.yaml"), bot).unwrap();
    let model = format!("chatbot:{url}");
    for model in [&*model, "chatbot:bot.yaml"] {
        let _ = fs::remove_dir_all(folder.path().join("logs"));
        // The chatbot answers the only question with an error of its own, which stops a run.
        let output = run(folder.path(), &["run", ".", "-m", model, "--same-failures", "0"]);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        assert_kept(folder.path(), &output, &["hunter2", "me@", "?key"]);
    }
}

#[test]
#[cfg(unix)]
fn a_command_is_kept_without_its_arguments_and_resumed_with_them() {
    let folder = suite(2);
    let log_of = |model: &str| run(folder.path(), &["run", ".", "-m", model]);
    fs::write(folder.path().join("bot.sh"), "test \"$2\" = hunter22 && echo right\n").unwrap();
    let model = "command:sh bot.sh --key hunter22";
    let output = log_of(model);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_kept(folder.path(), &output, &["hunter2", "--key"]);
    let head = toolgauge_log::Log::open(&only_log(folder.path())).unwrap().run().clone();
    assert_eq!(head.subject.name, "sh bot.sh");
    let resume = |arguments: &[&str]| {
        let output = run(folder.path(), &[&["run", "--resume", "last"], arguments].concat());
        (output.status.code(), text(&output.stderr))
    };
    let (status, said) = resume(&[]);
    assert_eq!(status, Some(2));
    assert!(said.contains("`command:sh bot.sh`") && said.contains("`--model`"), "{said}");
    let (status, said) = resume(&["-m", "command:other --key hunter22"]);
    assert_eq!(status, Some(2));
    assert!(said.contains("it is a log of `command:sh bot.sh`"), "{said}");
    let (status, said) = resume(&["-m", model]);
    assert_eq!(status, Some(0), "{said}");
}

#[test]
fn a_key_in_the_place_of_a_variable_is_refused_and_not_repeated() {
    let folder = suite(1);
    for flag in ["--key-variable", "--judge-key-variable"] {
        let arguments = ["run", ".", "-m", "baseline", "--judge", "any", flag, KEY];
        let output = run(folder.path(), &arguments);
        assert_eq!(output.status.code(), Some(2));
        let said = text(&output.stderr);
        assert!(said.contains("not the name of a variable") && !said.contains(KEY), "{said}");
    }
}

#[test]
fn the_settings_are_printed_without_secrets() {
    let folder = tempfile::tempdir().unwrap();
    let settings = "[run]\nmodel = ['chatbot:http://me:hunter22@h/c?key=x', 'command:bot hunter23']\n\
                    [server]\nbase_url = 'http://me:hunter24@h:1/v1?key=hunter25'\n\
                    llama_flags = ['--api-key', 'hunter26']\n";
    fs::write(folder.path().join("toolgauge.toml"), settings).unwrap();
    let said = text(&run(folder.path(), &["config"]).stdout);
    assert!(said.contains("\"http://h:1/v1\"") && !said.contains("hunter2"), "{said}");
}

#[test]
fn an_empty_key_is_none_and_leaves_the_login_of_the_address() {
    let folder = suite(1);
    let (port, heard) = listener();
    let base_url = format!("http://me:hunter22@127.0.0.1:{port}/v1");
    let arguments = ["run", ".", "-m", "any", "--base-url", &base_url, "--retries", "0"];
    let mut command = toolgauge(folder.path(), &arguments);
    let _ = command.env("OPENAI_API_KEY", " ").output().unwrap();
    let heard = heard.recv().unwrap().to_lowercase();
    assert!(heard.contains("authorization: basic "), "{heard}");
}

#[test]
#[cfg(unix)]
fn files_outside_the_folder_of_a_suite_are_warned_of() {
    let above = tempfile::tempdir().unwrap();
    let folder = above.path().join("suite");
    fs::create_dir(&folder).unwrap();
    fs::write(above.path().join("outside.txt"), "Be brief.").unwrap();
    std::os::unix::fs::symlink("../outside.txt", folder.join("link.txt")).unwrap();
    fs::write(folder.join("inside.txt"), "Be brief.").unwrap();
    let absolute = above.path().join("outside.txt").display().to_string();
    for (file, is_outside) in
        [("../outside.txt", true), (&*absolute, true), ("link.txt", true), ("inside.txt", false)]
    {
        let suite = format!(
            "name: s\nsystem: {{file: {file}}}\ntools: [{{name: a, description: d}}]\n\
             cases: [{{id: c, say: hi, expect: {{calls: [{{tool: a}}]}}}}]\n"
        );
        fs::write(folder.join("suite.yaml"), suite).unwrap();
        for arguments in [&["check", "."][..], &["run", ".", "-m", "baseline"]] {
            let output = run(&folder, arguments);
            let said = text(&output.stdout) + &text(&output.stderr);
            let warns = said.contains("outside.txt`") && said.contains("outside");
            assert_eq!(warns, is_outside, "{file}: {said}");
            assert_eq!(output.status.code(), Some(0), "{file}: {said}");
        }
    }
}

/// A server that hears one request and hangs up.
fn listener() -> (u16, std::sync::mpsc::Receiver<String>) {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let (tell, heard) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut head = vec![0; 4096];
        let length = stream.read(&mut head).unwrap();
        tell.send(String::from_utf8_lossy(&head[..length]).into_owned()).unwrap();
    });
    (port, heard)
}
