//! The names of chatbots: what they begin with, and how they may be shown.

use toolgauge_core::public_address;
use toolgauge_suite::{ChatbotSpec, ChatbotWay, public_command};

/// What names a chatbot: an address, or a file that describes it.
pub(crate) const CHATBOT: &str = "chatbot:";

/// What names a chatbot by the line that starts it.
pub(crate) const COMMAND: &str = "command:";

/// What names an agent of a running Home Assistant: `home-assistant:URL#AGENT`.
pub(crate) const HOME_ASSISTANT: &str = "home-assistant:";

/// The address and the agent in the name of a subject that is an agent of Home Assistant.
pub(crate) fn home_agent(model: &str) -> Option<(&str, Option<&str>)> {
    let place = model.strip_prefix(HOME_ASSISTANT)?;
    Some(match place.split_once('#') {
        Some((url, agent)) => (url, Some(agent).filter(|agent| !agent.is_empty())),
        None => (place, None),
    })
}

/// The name of a model with the agent that is to be asked, if the model is a Home Assistant that
/// names none.
pub fn with_agent(model: &str, agent: Option<&str>) -> String {
    match (home_agent(model), agent) {
        (Some((url, None)), Some(agent)) => format!("{HOME_ASSISTANT}{url}#{agent}"),
        _ => model.to_owned(),
    }
}

/// The name of a model as it may be kept and shown: an address loses login and query, a command
/// its arguments.
pub fn public_name(model: &str) -> String {
    if let Some(line) = model.strip_prefix(COMMAND) {
        let way = ChatbotSpec::started_by(line).map(|spec| spec.way);
        // A line that cannot be read may hold a key anywhere, so nothing of it is shown.
        let Some(ChatbotWay::Command { line: words, .. }) = way else { return COMMAND.to_owned() };
        let public = public_command(&words);
        // A line that hides nothing stays as it was written.
        let is_whole = public.len() == words.len();
        return if is_whole { model.to_owned() } else { format!("{COMMAND}{}", public.join(" ")) };
    }
    if let Some((url, agent)) = home_agent(model) {
        return with_agent(&format!("{HOME_ASSISTANT}{}", public_address(url)), agent);
    }
    match model.strip_prefix(CHATBOT).filter(|place| is_address(place)) {
        Some(address) => format!("{CHATBOT}{}", public_address(address)),
        None => model.to_owned(),
    }
}

/// Whether a place is an address rather than a file. One of another kind is none either, and is
/// refused without being shown whole.
pub(crate) fn is_address(place: &str) -> bool {
    place.contains("://")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_agent_is_put_into_the_names_of_homes_alone() {
        for (model, name) in [
            ("home-assistant:http://h", "home-assistant:http://h#conversation.a"),
            ("home-assistant:http://h#conversation.b", "home-assistant:http://h#conversation.b"),
            ("qwen", "qwen"),
        ] {
            assert_eq!(with_agent(model, Some("conversation.a")), name);
            assert_eq!(with_agent(model, None), model);
        }
    }

    #[test]
    fn a_log_keeps_no_credentials_of_an_address() {
        for (model, name) in [
            ("chatbot:https://me:hunter2@host/chat?key=abc", "chatbot:https://host/chat"),
            ("chatbot:HTTP://me:hunter2@host", "chatbot:HTTP://host"),
            ("chatbot:http://host/chat/", "chatbot:http://host/chat/"),
            ("chatbot:bot.yaml", "chatbot:bot.yaml"),
            (
                "home-assistant:http://me:hunter2@host:8123?auth=abc#conversation.qwen",
                "home-assistant:http://host:8123#conversation.qwen",
            ),
            ("home-assistant:http://host:8123", "home-assistant:http://host:8123"),
            ("gpt-4@x?", "gpt-4@x?"),
            ("command:bot --key hunter2", "command:bot"),
            ("command:'my bot'", "command:'my bot'"),
            ("command:bot 'hunter2", "command:"),
        ] {
            assert_eq!(public_name(model), name, "{model}");
        }
    }
}
