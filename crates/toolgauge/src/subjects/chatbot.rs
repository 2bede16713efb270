//! From the description of a chatbot to a subject that asks it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::Value;
use toolgauge_model::{
    AnswerForm, AnswerPlaces, CommandChatbot, CommandInput, CommandSettings, Connection, Endpoint,
    HttpChatbot, HttpChatbotSettings, Secret, Template,
};
use toolgauge_suite::{AnswerSpec, ChatbotSpec, ChatbotWay};

use super::connection::connection_to;
use super::host::{Host, Server};
use crate::failure::Failure;
use crate::settings::Settings;

/// What names a chatbot: an address, or a file that describes it.
const CHATBOT: &str = "chatbot:";

/// What names a chatbot by the line that starts it.
const COMMAND: &str = "command:";

/// The chatbot that a model's name stands for, if it stands for one.
pub(crate) fn described(model: &str) -> Result<Option<ChatbotSpec>, Failure> {
    if let Some(line) = model.strip_prefix(COMMAND) {
        let spec = ChatbotSpec::started_by(line);
        return spec.map(Some).ok_or_else(|| Failure::BadCommand { line: line.to_owned() });
    }
    let Some(place) = model.strip_prefix(CHATBOT) else { return Ok(None) };
    if is_address(place) {
        return Ok(Some(ChatbotSpec::at(place)));
    }
    ChatbotSpec::read(Path::new(place))
        .map(Some)
        .map_err(|problems| Failure::BadChatbot { problems })
}

/// The name of a model as a log may keep it: an address loses what may be a secret.
pub(crate) fn name_for_log(model: &str) -> String {
    let address = model.strip_prefix(CHATBOT).filter(|place| is_address(place));
    match address {
        Some(address) if address.contains(['@', '?']) => {
            let shown = Endpoint::page(address).map(|endpoint| endpoint.to_string());
            format!("{CHATBOT}{}", shown.unwrap_or_default())
        }
        _ => model.to_owned(),
    }
}

fn is_address(place: &str) -> bool {
    place.starts_with("http://") || place.starts_with("https://")
}

/// Builds the subject a description stands for.
pub(super) fn build(spec: ChatbotSpec, settings: &Settings) -> Result<Host, Failure> {
    let name = spec.name;
    let answer = spec.answer.map(form);
    match spec.way {
        ChatbotWay::Http { method, url, headers, body } => {
            let mut connection = connection_to(Endpoint::page(&url)?, settings, None);
            connection.headers = secrets(headers)?;
            let usual = HttpChatbotSettings::new(connection, url);
            let method = method.unwrap_or(usual.method);
            let bodiless = matches!(&*method, "GET" | "HEAD");
            let body = body.map(Template::new).or(usual.body.filter(|_| !bodiless));
            let answer = answer.unwrap_or(usual.answer);
            let settings = HttpChatbotSettings { name, method, body, answer, ..usual };
            let subject = Arc::new(HttpChatbot::new(settings)?);
            let server = Some(Server::Chatbot(Arc::clone(&subject)));
            Ok(Host { subject, server })
        }
        ChatbotWay::Command { line, input } => Ok(Host::without_server(CommandChatbot::new(
            command(line, input, name, answer, settings)?,
        ))),
    }
}

fn command(
    line: Vec<String>,
    input: Option<Value>,
    name: Option<String>,
    answer: Option<AnswerForm>,
    settings: &Settings,
) -> Result<CommandSettings, Failure> {
    let mut words = line.into_iter();
    let program = words.next().unwrap_or_default();
    if !is_there(&program) {
        return Err(Failure::NoSuchProgram { program });
    }
    // The limits of a server are those of a command; there is nothing else to connect to.
    let Connection { timeout, largest_answer, retry, limits, keep_wire, .. } =
        connection_to(Endpoint::page("http://localhost")?, settings, None);
    let usual = CommandSettings::new(program, words.collect());
    let input = input.map(|input| CommandInput::Json(Template::new(input)));
    Ok(CommandSettings {
        name,
        input: input.unwrap_or(CommandInput::Question),
        answer: answer.unwrap_or(usual.answer),
        timeout,
        largest_answer,
        retry,
        limits,
        keep_wire,
        ..usual
    })
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

/// The headers with the variables of the environment in them.
fn secrets(
    headers: impl IntoIterator<Item = (String, String)>,
) -> Result<Vec<(String, Secret)>, Failure> {
    headers.into_iter().map(|(name, value)| Ok((name, Secret::new(resolved(&value)?)))).collect()
}

/// A text with `${NAME}` replaced by the variable of that name.
fn resolved(text: &str) -> Result<String, Failure> {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("${") {
        let Some((name, after)) = after.split_once('}') else { break };
        let value =
            std::env::var(name).map_err(|_| Failure::NoSuchVariable { name: name.to_owned() })?;
        out.push_str(before);
        out.push_str(&value);
        rest = after;
    }
    out.push_str(rest);
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_keeps_no_credentials_of_an_address() {
        let name = name_for_log("chatbot:https://me:hunter2@host/chat?key=abc");
        assert_eq!(name, "chatbot:https://host/chat");
        assert_eq!(name_for_log("chatbot:http://host/chat/"), "chatbot:http://host/chat/");
        assert_eq!(name_for_log("gpt-4@x?"), "gpt-4@x?");
    }

    #[test]
    fn variables_are_put_into_headers_and_missing_ones_are_named() {
        let path = std::env::var("PATH").unwrap();
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
