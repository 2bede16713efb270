//! Descriptions of chatbots, right and wrong, and the schema they are held against.

use std::fs;

use serde_json::json;

use super::*;
use crate::document::{FileFormat, parse};
use crate::schema::CHATBOT_SCHEMA;

fn read(text: &str) -> Result<ChatbotSpec, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bot.yaml");
    fs::write(&path, text).unwrap();
    ChatbotSpec::read(&path).map_err(|problems| {
        let shown = format!("{}/", folder.path().display());
        problems.to_string().replace(&shown, "")
    })
}

const WHOLE: &str = r#"
name: landlord
http:
  method: put
  url: https://bot.example/v2/ask
  headers: {authorization: "Bearer ${BOT_KEY}", x-plain: hunter22, accept: application/json}
  body: {messages: [{role: user, content: "{{ question }}"}], thread: "{{ session }}"}
answer: {text: /data/reply, tools: /data/steps, sources: /data/refs, error: /fault, session: /thread}
"#;

const COMMAND: &str =
    "command: python3 'my bot.py' --quiet\ninput: {q: \"{{question}}\"}\nanswer: text\n";

#[test]
fn a_whole_description_is_read() {
    let spec = read(WHOLE).unwrap();
    let ChatbotWay::Http { method, url, headers, body } = &spec.way else { panic!("{spec:?}") };
    assert_eq!(method.as_deref(), Some("PUT"));
    assert_eq!((url.as_str(), headers.len()), ("https://bot.example/v2/ask", 3));
    assert_eq!(body.as_ref().unwrap()["thread"], "{{ session }}");
    let Some(AnswerSpec::Json { text, session, .. }) = &spec.answer else { panic!("{spec:?}") };
    assert_eq!((text.as_str(), session.as_deref()), ("/data/reply", Some("/thread")));
}

#[test]
fn a_command_is_read_as_a_shell_would() {
    let spec = read(COMMAND).unwrap();
    let input = Some(json!({"q": "{{question}}"}));
    let line = ["python3", "my bot.py", "--quiet"].map(str::to_owned).to_vec();
    assert_eq!(spec.way, ChatbotWay::Command { line, input });
    assert_eq!(spec.answer, Some(AnswerSpec::Text));
    assert_eq!(ChatbotSpec::started_by("python3 'my bot.py"), None);
    assert_eq!(ChatbotSpec::started_by(" "), None);
}

#[test]
fn a_log_sees_only_the_names_of_secrets() {
    let written = serde_json::to_string(&read(WHOLE).unwrap().without_secrets()).unwrap();
    assert!(!written.contains("hunter22"), "{written}");
    assert!(written.contains("${BOT_KEY}") && written.contains("application/json"), "{written}");
}

#[test]
fn a_log_sees_no_secret_that_was_written_into_a_description() {
    let http = "http:\n  url: 'https://me:hunter22@h/ask?key=hunter23&q={{ question }}'\n  headers: \
                {a: 'hunter24 ${BOT_KEY}', b: '${BOT_KEY}hunter25'}\n  body: {api_key: hunter26, \
                deep: [{x: sk-hunter27}], text: '{{ question }}'}\n";
    let spec = read(http).unwrap().without_secrets();
    let written = serde_json::to_string(&spec).unwrap();
    assert!(!written.contains("hunter2"), "{written}");
    let ChatbotWay::Http { url, .. } = &spec.way else { panic!("{spec:?}") };
    assert_eq!(url, "https://h/ask");
    let command = "command: bot --key hunter22\ninput: {q: '{{ question }}', token: hunter23}\n";
    let spec = read(command).unwrap().without_secrets();
    let input = Some(json!({"q": "{{ question }}", "token": "[redacted]"}));
    assert_eq!(spec.way, ChatbotWay::Command { line: vec!["bot".to_owned()], input });
}

#[test]
fn of_a_command_the_program_and_its_script_are_shown() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("bot.py").display().to_string();
    fs::write(&script, "").unwrap();
    let line = ["python3", &script, "--key", "hunter22"].map(str::to_owned);
    assert_eq!(public_command(&line), line[..2]);
    assert_eq!(public_command(&["bot".to_owned(), "hunter22".to_owned()]), ["bot"]);
}

#[test]
fn every_mistake_is_told_with_its_place_and_what_was_meant() {
    let text = "http:\n  endpoint: http://x/\n  body: {q: \"{{ qestion }}\"}\nanswer:\n  \
                text: answer.text\n  tool: /t\nnmae: x\n";
    insta::assert_snapshot!(read(text).unwrap_err());
    insta::assert_snapshot!(read("http: {url: 'ftp://x'}\ninput: x\n").unwrap_err());
    insta::assert_snapshot!(read("answer: {tools: /t}\n").unwrap_err());
    insta::assert_snapshot!(read("command: 'a \"b'\nhttp: {url: 'http://x'}\n").unwrap_err());
    insta::assert_snapshot!(read("command: 'a \"b'\ninput: hello\n").unwrap_err());
    insta::assert_snapshot!(read("http: {url: 'http://x/?q=1', method: get}\n").unwrap_err());
    insta::assert_snapshot!(read("http: {url: 'http://x', headers: {a: 1}}\n").unwrap_err());
    insta::assert_snapshot!(read("").unwrap_err());
}

#[test]
fn a_file_that_is_not_there_is_named() {
    let problems = ChatbotSpec::read(Path::new("nowhere/bot.yaml")).unwrap_err();
    assert!(problems.to_string().contains("nowhere/bot.yaml"), "{problems}");
}

#[test]
fn the_schema_names_the_fields_that_are_read_and_takes_what_is_read() {
    let schema: Value = serde_json::from_str(CHATBOT_SCHEMA).unwrap();
    let fields = |definition: &Value| -> Vec<String> {
        let mut names: Vec<String> =
            definition["properties"].as_object().unwrap().keys().cloned().collect();
        names.sort();
        names
    };
    let known = |shape: &FieldNames| -> Vec<String> {
        let mut names: Vec<String> = shape.fields.iter().map(|&name| name.to_owned()).collect();
        names.sort();
        names
    };
    assert_eq!(fields(&schema), known(&CHATBOT));
    assert_eq!(fields(&schema["$defs"]["http"]), known(&HTTP));
    assert_eq!(fields(&schema["$defs"]["places"]), known(&ANSWER));
    let validator = jsonschema::validator_for(&schema).unwrap();
    for text in [WHOLE, COMMAND] {
        let value = parse(text, FileFormat::Yaml).unwrap();
        assert!(validator.is_valid(&value), "{:?}", validator.iter_errors(&value).next());
    }
    for text in ["http: {endpoint: x}", "answer: {text: answer}", "command: 3"] {
        assert!(!validator.is_valid(&parse(text, FileFormat::Yaml).unwrap()), "{text}");
    }
}
