//! How a chatbot is described in a file: where it is, what it is sent, and where in its answer
//! everything stands.

use std::path::Path;

use indexmap::IndexMap;
use serde::Serialize;
use serde_json::Value;
use toolgauge_core::{REDACTED, is_plain_header, public_address, redact_values};

use crate::fields::{FieldNames, ObjectFields, kind};
use crate::locate::locate;
use crate::nearest::suggest;
use crate::problem::{Problems, Severity, SuiteProblem};
use crate::source::{SuiteFiles, SuiteSource};
use crate::suite_reader::SuiteReader;
use crate::trail::{Origin, SuiteFindings, Trail};

/// A chatbot as a file describes it. Secrets are only named in it, unless somebody wrote one
/// into it; see [`ChatbotSpec::without_secrets`].
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ChatbotSpec {
    /// The name it goes by.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// How it is asked.
    pub way: ChatbotWay,
    /// What comes back; `None` leaves it to the way.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<AnswerSpec>,
}

/// How a chatbot is asked.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ChatbotWay {
    /// Over HTTP.
    Http {
        /// The method; `POST` when not given.
        method: Option<String>,
        /// The address.
        url: String,
        /// Headers; `${NAME}` in a value stands for a variable of the environment.
        headers: IndexMap<String, String>,
        /// What is sent.
        body: Option<Value>,
    },
    /// By starting a program.
    Command {
        /// The program and its arguments.
        line: Vec<String>,
        /// What it reads; the question alone when not given.
        input: Option<Value>,
    },
}

/// What a chatbot answers with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum AnswerSpec {
    /// Plain text.
    Text,
    /// JSON, with everything at these pointers.
    Json {
        /// Where the text of the answer stands.
        text: String,
        /// The tools that were used.
        #[serde(skip_serializing_if = "Option::is_none")]
        tools: Option<String>,
        /// The documents the answer was taken from.
        #[serde(skip_serializing_if = "Option::is_none")]
        sources: Option<String>,
        /// What went wrong.
        #[serde(skip_serializing_if = "Option::is_none")]
        error: Option<String>,
        /// The session the chatbot opened.
        #[serde(skip_serializing_if = "Option::is_none")]
        session: Option<String>,
    },
}

pub(crate) static CHATBOT: FieldNames = FieldNames {
    noun: "a chatbot",
    fields: &["name", "http", "command", "input", "answer"],
    synonyms: &[("response", "answer"), ("output", "answer"), ("cmd", "command")],
};

pub(crate) static HTTP: FieldNames = FieldNames {
    noun: "an HTTP chatbot",
    fields: &["method", "url", "headers", "body"],
    synonyms: &[("endpoint", "url"), ("address", "url"), ("payload", "body"), ("json", "body")],
};

pub(crate) static ANSWER: FieldNames = FieldNames {
    noun: "an answer",
    fields: &["text", "tools", "sources", "error", "session"],
    synonyms: &[
        ("answer", "text"),
        ("content", "text"),
        ("message", "text"),
        ("tools_used", "tools"),
        ("documents", "sources"),
        ("errors", "error"),
        ("session_id", "session"),
    ],
};

/// Words such as `Bearer` are shorter than this.
const LONGEST_LOGIN_WORD: usize = 10;

/// What a text that is sent can have put into it.
const PLACES: [&str; 3] = ["question", "session", "history"];

impl ChatbotSpec {
    /// Reads a description. What is wrong with it is told all at once.
    pub fn read(path: &Path) -> Result<Self, Problems> {
        let files = SuiteFiles::find(&SuiteSource::Path(path.to_owned()));
        let files = files.map_err(|(file, error)| unreadable(file, &error))?;
        let main = files.main.clone();
        let reader = SuiteReader::new(files);
        let trail = Origin::document(0).trail();
        let document = reader.document(&main, &trail);
        let spec = document.and_then(|(_, value)| read_chatbot(value, &trail, &reader.findings));
        let (files, names, findings) = reader.clear();
        let problems = locate(findings, &files, &names);
        match spec {
            Some(spec) if !problems.has_errors() => Ok(spec),
            _ => Err(problems),
        }
    }

    /// A chatbot of the reference form at this address.
    pub fn at(url: impl Into<String>) -> Self {
        let (method, headers, body) = (None, IndexMap::new(), None);
        let way = ChatbotWay::Http { method, url: url.into(), headers, body };
        Self { name: None, way, answer: None }
    }

    /// A chatbot that is started by this line, read as a shell would; `None` when its quotes do
    /// not close or it is empty.
    pub fn started_by(line: &str) -> Option<Self> {
        let line = shlex::split(line).filter(|line| !line.is_empty())?;
        Some(Self { name: None, way: ChatbotWay::Command { line, input: None }, answer: None })
    }

    /// The description as a log may keep it: the address without login and query, of the values
    /// of headers only those that name their secret, of a command what [`public_command`] leaves,
    /// and nothing of what is sent that is named like a secret or looks like one.
    #[must_use]
    pub fn without_secrets(&self) -> Self {
        let mut clean = self.clone();
        let sent = match &mut clean.way {
            ChatbotWay::Http { url, headers, body, .. } => {
                *url = public_address(url);
                for (name, value) in headers {
                    if !is_plain_header(name) && !only_names_secrets(value) {
                        REDACTED.clone_into(value);
                    }
                }
                body
            }
            ChatbotWay::Command { line, input } => {
                *line = public_command(line);
                input
            }
        };
        if let Some(sent) = sent {
            redact_values(sent);
        }
        clean
    }
}

/// What may be kept and shown of a command: the program, and the script that it runs. Anything
/// behind them may be a key.
pub fn public_command(line: &[String]) -> Vec<String> {
    let script = line.get(1).filter(|word| Path::new(word).is_file());
    line.first().into_iter().chain(script).cloned().collect()
}

/// Whether a value is nothing but names of variables, and the word for the kind of login.
fn only_names_secrets(value: &str) -> bool {
    let mut literal = String::new();
    let mut rest = value;
    while let Some((before, after)) = rest.split_once("${") {
        let Some((_, after)) = after.split_once('}') else { break };
        literal.push_str(before);
        rest = after;
    }
    literal.push_str(rest);
    let is_word = literal.chars().all(|c| c.is_alphabetic() || c.is_whitespace());
    value.contains("${") && is_word && literal.trim().len() < LONGEST_LOGIN_WORD
}

fn unreadable(file: String, error: &std::io::Error) -> Problems {
    let message = match error.kind() {
        std::io::ErrorKind::NotFound => "there is no such description of a chatbot".to_owned(),
        _ => format!("the description of the chatbot cannot be read: {error}"),
    };
    let hint =
        Some("give a YAML file, or an address such as http://127.0.0.1:8090/chat".to_owned());
    let severity = Severity::Error;
    Problems::from_iter([SuiteProblem { severity, file, line: None, column: None, message, hint }])
}

fn read_chatbot(value: Value, trail: &Trail<'_>, findings: &SuiteFindings) -> Option<ChatbotSpec> {
    let mut fields = ObjectFields::open(value, &CHATBOT, trail, findings)?;
    let name = fields.text("name");
    let answer = fields.take("answer");
    let answer = answer.map(|value| read_answer(value, &trail.key("answer"), findings));
    let way = match (fields.has("http"), fields.has("command")) {
        (true, false) => {
            if fields.has("input") {
                let hint = "an HTTP chatbot is sent the `body` under `http`".to_owned();
                findings.error_with(&trail.key("input"), "`input` belongs to `command`", hint);
            }
            read_http(fields.take("http")?, &trail.key("http"), findings)
        }
        (false, true) => read_command(&mut fields),
        (true, true) => {
            findings.error(trail, "a chatbot has either `http` or `command`, not both");
            None
        }
        (false, false) => {
            fields.missing("http", "say how it is asked: `http` or `command`");
            None
        }
    };
    // An answer that was written and is wrong fails the description; one that is not given does
    // not.
    let answer = match answer {
        Some(answer) => Some(answer?),
        None => None,
    };
    Some(ChatbotSpec { name, way: way?, answer })
}

fn read_http(value: Value, trail: &Trail<'_>, findings: &SuiteFindings) -> Option<ChatbotWay> {
    let mut fields = ObjectFields::open(value, &HTTP, trail, findings)?;
    let method = fields.text("method").map(|method| method.to_uppercase());
    let url = fields.required_text("url", "such as http://127.0.0.1:8090/chat");
    let headers = read_headers(&mut fields);
    let body = fields.take("body");
    if let Some(url) = &url {
        let is_http = url.starts_with("http://") || url.starts_with("https://");
        if !is_http {
            let shown = public_address(url);
            findings.error(&trail.key("url"), format!("`{shown}` is not an http or https URL"));
        }
        check_places(&Value::from(url.as_str()), &trail.key("url"), findings);
    }
    if let Some(body) = &body {
        check_places(body, &trail.key("body"), findings);
    }
    let sent = [body.as_ref(), url.clone().map(Value::from).as_ref()].map(|v| v.is_some_and(asks));
    // Without a body of its own a POST sends the reference form, which holds the question.
    let leaves_it_out = body.is_some() || method.as_deref() == Some("GET");
    if leaves_it_out && sent == [false, false] {
        nowhere(&trail.key(if body.is_some() { "body" } else { "url" }), findings);
    }
    Some(ChatbotWay::Http { method, url: url?, headers: headers?, body })
}

fn read_headers(fields: &mut ObjectFields<'_>) -> Option<IndexMap<String, String>> {
    let Some(headers) = fields.object("headers") else { return Some(IndexMap::new()) };
    let mut read = IndexMap::new();
    for (name, value) in headers {
        match value {
            Value::String(value) => drop(read.insert(name, value)),
            other => {
                let message = format!("`{name}` is {}, but should be a string", kind(&other));
                let under = fields.trail.key("headers");
                fields.findings.error_with(&under.key(&name), message, None);
                return None;
            }
        }
    }
    Some(read)
}

fn read_command(fields: &mut ObjectFields<'_>) -> Option<ChatbotWay> {
    let (trail, findings) = (fields.trail, fields.findings);
    let line = match fields.take("command")? {
        Value::String(text) => shlex::split(&text),
        Value::Array(words) => words.iter().map(crate::fields::word).collect(),
        _ => None,
    };
    let line = line.filter(|line| !line.is_empty());
    if line.is_none() {
        let hint = "such as `python bot.py`, or a list: [python, bot.py]".to_owned();
        findings.error_with(&trail.key("command"), "this is not a command", hint);
    }
    let input = fields.take("input").filter(|input| *input != "question");
    if let Some(input) = &input {
        let under = trail.key("input");
        check_places(input, &under, findings);
        if !asks(input) {
            nowhere(&under, findings);
        }
    }
    Some(ChatbotWay::Command { line: line?, input })
}

fn read_answer(value: Value, trail: &Trail<'_>, findings: &SuiteFindings) -> Option<AnswerSpec> {
    if value == "text" {
        return Some(AnswerSpec::Text);
    }
    let mut fields = ObjectFields::open(value, &ANSWER, trail, findings)?;
    if !fields.has("text") {
        fields.missing("text", "the JSON pointer to the text of the answer, such as `/answer`");
    }
    let [text, tools, sources, error, session] =
        ["text", "tools", "sources", "error", "session"].map(|key| pointer(&mut fields, key));
    Some(AnswerSpec::Json { text: text?, tools, sources, error, session })
}

fn pointer(fields: &mut ObjectFields<'_>, key: &str) -> Option<String> {
    let pointer = fields.text(key)?;
    if !pointer.is_empty() && !pointer.starts_with('/') {
        let hint = format!("it begins with a slash: `/{}`", pointer.replace('.', "/"));
        let message = format!("`{pointer}` is not a JSON pointer");
        fields.findings.error_with(&fields.trail.key(key), message, hint);
        return None;
    }
    Some(pointer)
}

fn nowhere(trail: &Trail<'_>, findings: &SuiteFindings) {
    let hint = "put `{{ question }}` where the question belongs".to_owned();
    findings.error_with(trail, "the question is nowhere in what is sent", hint);
}

/// Whether the question goes along, by itself or as the end of the history.
fn asks(value: &Value) -> bool {
    let mut found = false;
    each_place(value, &mut |name| found |= name == "question");
    found
}

fn check_places(value: &Value, trail: &Trail<'_>, findings: &SuiteFindings) {
    each_place(value, &mut |name| {
        if !PLACES.contains(&name) {
            let message = format!("there is nothing to put in the place of `{{{{ {name} }}}}`");
            findings.error_with(trail, message, suggest(name, "places", &PLACES));
        }
    });
}

fn each_place(value: &Value, tell: &mut impl FnMut(&str)) {
    match value {
        Value::String(text) => {
            for piece in text.split("{{").skip(1) {
                if let Some((name, _)) = piece.split_once("}}") {
                    tell(name.trim());
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| each_place(item, tell)),
        Value::Object(object) => object.values().for_each(|item| each_place(item, tell)),
        _ => {}
    }
}

#[cfg(test)]
mod tests;
