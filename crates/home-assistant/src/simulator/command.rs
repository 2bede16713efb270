//! Whether a command that is put off is one that Home Assistant would understand.
//!
//! Home Assistant tries a delayed command on its own sentences when the timer is started, and
//! refuses what they do not know. Its matcher is fuzzy: of words that are about a home nearly
//! everything passes. What is told apart here is what models write in place of a sentence: calls
//! of tools, services, and other languages than the home's.

use super::color;
use crate::inventory::{Inventory, casefold};

/// Words that begin a sentence, or change what it says.
const COMMANDS: &[&str] = &[
    "activate",
    "add",
    "announce",
    "broadcast",
    "cancel",
    "change",
    "clean",
    "close",
    "deactivate",
    "disable",
    "dock",
    "enable",
    "hello",
    "lock",
    "lower",
    "mow",
    "mute",
    "nevermind",
    "next",
    "open",
    "pause",
    "play",
    "previous",
    "put",
    "raise",
    "remind",
    "resume",
    "return",
    "run",
    "set",
    "shut",
    "skip",
    "start",
    "stop",
    "tell",
    "unlock",
    "unmute",
    "unpause",
    "vacuum",
    "volume",
    "what",
    "how",
];

/// Words that turn a thing into a command: `lights off`, `turn the heating up`.
const SWITCHES: &[&str] = &["on", "off", "of", "up", "down"];

/// Words that are a command only with a number or a colour behind them.
const SETTINGS: &[&str] = &["dim", "make", "speed", "brightness"];

/// Whether Home Assistant is likely to understand a command in a home.
pub(super) fn is_understood(command: &str, inventory: &Inventory) -> bool {
    let folded = casefold(command);
    let words: Vec<&str> = folded
        .split_whitespace()
        .map(|word| word.trim_matches(['.', ',', '!', '?']))
        .filter(|word| !word.is_empty())
        .collect();
    let has = |known: &[&str]| words.iter().any(|word| known.contains(word));
    let is_exposed = |at: &usize| inventory.entities()[*at].exposed;
    let named = words.join(" ");
    if inventory.index.entities_named(&named).iter().any(is_exposed) || has(COMMANDS) {
        return true;
    }
    let has_number = words.iter().any(|word| word.contains(|c: char| c.is_ascii_digit()));
    let sets =
        has(SETTINGS) && (has_number || words.iter().any(|word| color::named(word).is_some()));
    sets || (has(SWITCHES) && words.len() > 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of 147 commands that were tried in Home Assistant 2026.10.4, these.
    #[test]
    fn commands_are_told_from_calls_and_other_languages() {
        let home = "entities: [{entity_id: media_player.tv, name: Television, aliases: [TV]}]";
        let home = Inventory::from_text("home.yaml", home).unwrap();
        for understood in [
            "turn off the telly",
            "TV off",
            "tv",
            "lights off",
            "turn the heating up",
            "Turn off Lamp.",
            "could you turn off the lamp",
            "I want the light off",
            "dim the lights to 30 percent",
            "make the lamp blue",
            "set temperature to 21",
            "add milk to the shopping list",
            "fan speed 50",
            "stop",
            "everything off",
        ] {
            assert!(is_understood(understood, &home), "{understood}");
        }
        for refused in [
            "HassTurnOff TV",
            "intent__HassTurnOff(name=Television)",
            "turn_off tv",
            r#"{"tool": "HassTurnOff", "args": {"name": "TV"}}"#,
            "turn_off(lamp)",
            "schalte das Licht aus",
            "apaga la luz",
            "make coffee",
            "feed the cat",
            "off",
            "dim the lights",
            "beep",
            "asdf qwer",
            "?",
            "turn",
        ] {
            assert!(!is_understood(refused, &home), "{refused}");
        }
    }
}
