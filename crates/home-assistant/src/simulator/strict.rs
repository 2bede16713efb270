//! Arguments of the tools that are no intents: every one is checked, and the first that is wrong
//! is named.

use serde_json::{Map, Value};

use super::reply::CallFailure;
use super::slots::is_blank;
use crate::profile::Profile;
use crate::python;

/// What a tool takes under a name.
pub(super) struct Parameter<'a> {
    name: &'static str,
    takes: ParameterTakes<'a>,
    required: bool,
}

pub(super) enum ParameterTakes<'a> {
    /// Text; numbers and booleans are turned into text.
    Text,
    /// One text or several.
    TextOrTexts,
    /// One of these.
    Choice(&'a [String]),
}

impl<'a> Parameter<'a> {
    pub(super) fn required(name: &'static str, takes: ParameterTakes<'a>) -> Self {
        Self { name, takes, required: true }
    }

    pub(super) fn optional(name: &'static str, takes: ParameterTakes<'a>) -> Self {
        Self { name, takes, required: false }
    }
}

/// The arguments that passed, as texts.
#[derive(Debug, Default)]
pub(super) struct TextArguments {
    texts: Vec<(&'static str, Vec<String>)>,
}

impl TextArguments {
    /// The first text under a name.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.all(name)?.first().map(String::as_str)
    }

    /// All texts under a name.
    pub(super) fn all(&self, name: &str) -> Option<&[String]> {
        self.texts.iter().find(|(known, _)| *known == name).map(|(_, texts)| texts.as_slice())
    }
}

/// What is wrong with one value: the words, and where in the value.
struct Wrong {
    words: String,
    at: Option<usize>,
}

/// Checks arguments; fails with the first thing that is wrong, in the order they were sent, and
/// with what is missing only when nothing is wrong.
pub(super) fn check(
    profile: Profile,
    parameters: &[Parameter<'_>],
    arguments: &Map<String, Value>,
) -> Result<TextArguments, CallFailure> {
    let mut texts = TextArguments::default();
    for (name, value) in arguments {
        let Some(parameter) = parameters.iter().find(|parameter| parameter.name == name) else {
            return Err(unknown(profile, name, parameters));
        };
        match parameter.takes.read(value, profile) {
            Ok(read) => texts.texts.push((parameter.name, read)),
            Err(wrong) => return Err(invalid(profile, name, &wrong.words, wrong.at)),
        }
    }
    let missing =
        |parameter: &&Parameter<'_>| parameter.required && !arguments.contains_key(parameter.name);
    match parameters.iter().find(missing) {
        None => Ok(texts),
        Some(parameter) => {
            let words = "required key not provided";
            Err(CallFailure::raised(
                "MultipleInvalid",
                placed(profile, words, parameter.name, None),
            ))
        }
    }
}

/// Checks arguments of a tool that leaves out those that are null or blank.
pub(super) fn check_filled(
    profile: Profile,
    parameters: &[Parameter<'_>],
    arguments: &Map<String, Value>,
) -> Result<TextArguments, CallFailure> {
    let filled = arguments.iter().filter(|(_, value)| !is_blank(value));
    let filled = filled.map(|(name, value)| (name.clone(), value.clone())).collect();
    check(profile, parameters, &filled)
}

impl ParameterTakes<'_> {
    fn read(&self, value: &Value, profile: Profile) -> Result<Vec<String>, Wrong> {
        match (self, value) {
            (Self::TextOrTexts, Value::Array(values)) => values
                .iter()
                .enumerate()
                .map(|(at, value)| text(value).map_err(|words| Wrong { words, at: Some(at) }))
                .collect(),
            (Self::Text | Self::TextOrTexts, value) => {
                text(value).map(|text| vec![text]).map_err(|words| Wrong { words, at: None })
            }
            (Self::Choice(choices), value) => match value.as_str() {
                Some(text) if choices.iter().any(|choice| choice == text) => {
                    Ok(vec![text.to_owned()])
                }
                given => Err(Wrong { words: not_a_choice(profile, choices, given), at: None }),
            },
        }
    }
}

fn text(value: &Value) -> Result<String, String> {
    match value {
        Value::Null => Err("string value is None".to_owned()),
        Value::Array(_) | Value::Object(_) => Err("value should be a string".to_owned()),
        other => Ok(python::str(other)),
    }
}

fn not_a_choice(profile: Profile, choices: &[String], given: Option<&str>) -> String {
    let mut sorted: Vec<&str> = choices.iter().map(String::as_str).collect();
    sorted.sort_unstable();
    let hint = match given {
        Some(given) if profile.is_current() => {
            did_you_mean(given, choices.iter().map(String::as_str))
        }
        _ => String::new(),
    };
    format!("value must be one of {}{hint}", python::list(sorted))
}

fn unknown(profile: Profile, name: &str, parameters: &[Parameter<'_>]) -> CallFailure {
    let words = if profile.is_current() {
        let hint = did_you_mean(name, parameters.iter().map(|parameter| parameter.name));
        format!("not a valid option{hint}")
    } else {
        "extra keys not allowed".to_owned()
    };
    CallFailure::raised("MultipleInvalid", placed(profile, &words, name, None))
}

/// A value that does not pass, or what stands at a place of a list.
pub(super) fn invalid(profile: Profile, name: &str, words: &str, at: Option<usize>) -> CallFailure {
    let before = if profile.is_current() { "" } else { " for dictionary value" };
    let text = placed(profile, &format!("{words}{before}"), name, at);
    CallFailure::raised("MultipleInvalid", text)
}

/// What is wrong, and where: `at 'domain[0]'` since 2026.10, `@ data['domain'][0]` before.
fn placed(profile: Profile, words: &str, name: &str, at: Option<usize>) -> String {
    let position = at.map(|at| format!("[{at}]")).unwrap_or_default();
    if !profile.is_current() {
        return format!("{words} @ data[{}]{position}", python::quote(name));
    }
    let bare = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let bare = bare && !name.is_empty() && !name.starts_with(|c: char| c.is_ascii_digit());
    if bare {
        format!("{words} at '{name}{position}'")
    } else {
        format!("{words} at '[{}]{position}'", python::quote(name))
    }
}

/// How near a name must be to be suggested, from 0 to 1.
const NEAR: f64 = 0.7;

/// The suggestion behind a wrong name: up to three near ones, as Python's `difflib` ranks them.
fn did_you_mean<'a>(given: &str, known: impl Iterator<Item = &'a str>) -> String {
    let mut near: Vec<(f64, &str)> = known
        .map(|known| (similarity(known, given), known))
        .filter(|near| near.0 >= NEAR)
        .collect();
    near.sort_by(|left, right| right.0.total_cmp(&left.0).then(right.1.cmp(left.1)));
    near.truncate(3);
    let quoted: Vec<String> = near.into_iter().map(|(_, known)| python::quote(known)).collect();
    match quoted.split_last() {
        None => String::new(),
        Some((last, [])) => format!(", did you mean {last}?"),
        Some((last, others)) => format!(", did you mean {} or {last}?", others.join(", ")),
    }
}

/// Twice the characters in common blocks over all characters, after Ratcliff and Obershelp.
#[expect(clippy::cast_precision_loss, reason = "names are short")]
fn similarity(left: &str, right: &str) -> f64 {
    let (left, right): (Vec<char>, Vec<char>) = (left.chars().collect(), right.chars().collect());
    if left.is_empty() && right.is_empty() {
        return 1.0;
    }
    2.0 * in_common(&left, &right) as f64 / (left.len() + right.len()) as f64
}

fn in_common(left: &[char], right: &[char]) -> usize {
    let mut best = (0, 0, 0);
    for start in 0..left.len() {
        for other in 0..right.len() {
            let pairs = left[start..].iter().zip(&right[other..]);
            let length = pairs.take_while(|(one, two)| one == two).count();
            if length > best.2 {
                best = (start, other, length);
            }
        }
    }
    let (start, other, length) = best;
    if length == 0 {
        return 0;
    }
    length
        + in_common(&left[..start], &right[..other])
        + in_common(&left[start + length..], &right[other + length..])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Expected: `difflib.get_close_matches` of Python 3.11 with a cutoff of 0.7.
    #[test]
    fn near_names_are_suggested_as_difflib_does() {
        let known = ["name", "domain", "area"];
        assert_eq!(did_you_mean("nam", known.into_iter()), ", did you mean 'name'?");
        assert_eq!(did_you_mean("foo", known.into_iter()), "");
        assert_eq!(did_you_mean("domains", known.into_iter()), ", did you mean 'domain'?");
        assert_eq!(did_you_mean("Holidays", ["Bin days", "Work"].into_iter()), "");
        let players = ["player_name", "player_area", "player_floor"];
        assert_eq!(
            did_you_mean("player_", players.into_iter()),
            ", did you mean 'player_name', 'player_area' or 'player_floor'?"
        );
    }
}
