//! From the description of a chatbot to a subject that asks it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::Value;
use toolgauge_model::{
    AnswerForm, AnswerPlaces, CommandChatbot, CommandInput, CommandSettings, Connection, Endpoint,
    HttpChatbot, HttpChatbotSettings, Secret, Template,
};
use toolgauge_suite::{AnswerSpec, ChatbotSpec, ChatbotWay, public_command};

use super::connection::connection_to;
use super::host::{Host, Server};
use crate::chatbot_name::{CHATBOT, COMMAND, is_address};
use crate::error::EngineError;
use crate::keys;
use crate::settings::Settings;

/// The chatbot that a model's name stands for, if it stands for one.
pub fn described(model: &str) -> Result<Option<ChatbotSpec>, EngineError> {
    if let Some(line) = model.strip_prefix(COMMAND) {
        let spec = ChatbotSpec::started_by(line);
        return spec.map(Some).ok_or_else(|| {
            let program = line.split_whitespace().next().unwrap_or_default().to_owned();
            EngineError::BadCommand { program }
        });
    }
    let Some(place) = model.strip_prefix(CHATBOT) else { return Ok(None) };
    if is_address(place) {
        return Ok(Some(ChatbotSpec::at(place)));
    }
    ChatbotSpec::read(Path::new(place))
        .map(Some)
        .map_err(|problems| EngineError::BadChatbot { problems })
}

/// Builds the subject a description stands for.
pub(super) fn build(spec: ChatbotSpec, settings: &Settings) -> Result<Host, EngineError> {
    let name = spec.name;
    let answer = spec.answer.map(form);
    match spec.way {
        ChatbotWay::Http { method, url, headers, body } => {
            let mut connection = connection_to(Endpoint::page(&url)?, settings, None);
            (connection.headers, connection.secrets) = resolved_headers(headers)?;
            connection.secrets.extend(keys::in_value(body.as_ref()));
            let usual = HttpChatbotSettings::new(connection, url);
            let method = method.unwrap_or(usual.method);
            // The usual body is left out where HTTP gives it no meaning; one that was written is
            // sent.
            let bodiless = matches!(&*method, "GET" | "HEAD");
            let body = body.map(Template::new).or(usual.body.filter(|_| !bodiless));
            let answer = answer.unwrap_or(usual.answer);
            let settings = HttpChatbotSettings { name, method, body, answer, ..usual };
            Ok(Server::Chatbot(Arc::new(HttpChatbot::new(settings)?)).into())
        }
        ChatbotWay::Command { line, input } => {
            let name = name.unwrap_or_else(|| command_name(&line));
            let settings = command(line, input, answer, settings)?;
            let settings = CommandSettings { name: Some(name), ..settings };
            Ok(Host::without_server(CommandChatbot::new(settings)))
        }
    }
}

fn command(
    line: Vec<String>,
    input: Option<Value>,
    answer: Option<AnswerForm>,
    settings: &Settings,
) -> Result<CommandSettings, EngineError> {
    let mut secrets = keys::in_environment();
    secrets.extend(keys::in_arguments(&line));
    secrets.extend(keys::in_value(input.as_ref()));
    let mut words = line.into_iter();
    let program = words.next().unwrap_or_default();
    if !is_there(&program) {
        return Err(EngineError::NoSuchProgram { program });
    }
    // The limits of a server are those of a command; there is nothing else to connect to.
    let Connection { timeout, largest_answer, retry, limits, keep_wire, .. } =
        connection_to(Endpoint::page("http://localhost")?, settings, None);
    let usual = CommandSettings::new(program, words.collect());
    let input = input.map(|input| CommandInput::Json(Template::new(input)));
    Ok(CommandSettings {
        input: input.unwrap_or(CommandInput::Question),
        answer: answer.unwrap_or(usual.answer),
        timeout,
        largest_answer,
        retry,
        limits,
        keep_wire,
        secrets,
        ..usual
    })
}

/// What a command is called that has no name: its program without the folder, and its script.
fn command_name(line: &[String]) -> String {
    let mut words = public_command(line);
    if let Some(program) = words.first_mut() {
        let file = Path::new(&*program).file_name().map(|name| name.to_string_lossy().into_owned());
        *program = file.unwrap_or_default();
    }
    words.join(" ")
}

/// Whether a program can be started by this name.
fn is_there(program: &str) -> bool {
    if program.contains(std::path::MAIN_SEPARATOR) || cfg!(windows) {
        return cfg!(windows) || Path::new(program).is_file();
    }
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let mut folders = std::env::split_paths(&folders);
    folders.any(|folder: PathBuf| folder.join(program).is_file())
}

fn form(answer: AnswerSpec) -> AnswerForm {
    match answer {
        AnswerSpec::Text => AnswerForm::Text,
        AnswerSpec::Json { text, tools, sources, error, session } => {
            AnswerForm::Json(AnswerPlaces { text, tools, sources, error, session })
        }
    }
}

/// Headers as they are sent, and what variables of the environment put into them.
type ResolvedHeaders = (Vec<(String, Secret)>, Vec<Secret>);

/// The headers with the variables of the environment in them.
fn resolved_headers(
    headers: impl IntoIterator<Item = (String, String)>,
) -> Result<ResolvedHeaders, EngineError> {
    let mut secrets = Vec::new();
    let mut resolve =
        |(name, value): (String, String)| Ok((name, Secret::new(resolved(&value, &mut secrets)?)));
    let headers = headers.into_iter().map(&mut resolve).collect::<Result<_, EngineError>>()?;
    Ok((headers, secrets))
}

/// A text with `${NAME}` replaced by the variable of that name, whose value is a secret.
fn resolved(text: &str, secrets: &mut Vec<Secret>) -> Result<String, EngineError> {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("${") {
        // Without a closing bracket it is text.
        let Some((name, after)) = after.split_once('}') else { break };
        let value = std::env::var(name)
            .map_err(|_| EngineError::NoSuchVariable { name: name.to_owned() })?;
        out.push_str(before);
        out.push_str(&value);
        secrets.extend(Secret::unless_empty(value));
        rest = after;
    }
    out.push_str(rest);
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_chatbot_is_named_without_its_secrets() {
        for model in ["command:bot --key 'hunter2", "chatbot:ftp://me:hunter2@h/x"] {
            let built = described(model)
                .and_then(|spec| build(spec.unwrap(), &Settings::resolve(&[]).unwrap()).map(drop));
            let message = built.unwrap_err().to_string();
            assert!(!message.contains("hunter2"), "{message}");
        }
    }

    #[test]
    fn variables_are_put_into_headers_and_missing_ones_are_named() {
        let path = std::env::var("PATH").unwrap();
        let mut secrets = Vec::new();
        let mut resolved = |text: &str| resolved(text, &mut secrets);
        assert_eq!(resolved("a ${PATH} b").unwrap(), format!("a {path} b"));
        assert_eq!(resolved("costs $5 {x} ${").unwrap(), "costs $5 {x} ${");
        let missing = resolved("Bearer ${TOOLGAUGE_NO_SUCH}").unwrap_err().to_string();
        assert!(missing.contains("`TOOLGAUGE_NO_SUCH`"), "{missing}");
    }

    #[test]
    fn only_names_of_chatbots_describe_one() {
        assert!(described("baseline").unwrap().is_none());
        assert!(described("chatbot:http://127.0.0.1:1/chat").unwrap().is_some());
        assert!(described("command:'x").is_err());
    }
}
