//! Arguments from known values: names of the prompt, enumerations, colours, yes or no.

use serde_json::Value;

use super::super::names::MentionedName;
use super::super::part::RequestPart;
use super::super::schema::{EnumValue, ParameterKind, ToolParameter};
use super::super::thesaurus::synonyms;
use super::{Filler, Use, takes_text, text_value};

const NAME: &str = "name";
const AREA: &str = "area";

const COLOURS: &[&str] = &[
    "amber",
    "aqua",
    "beige",
    "black",
    "blue",
    "brown",
    "crimson",
    "cyan",
    "gold",
    "gray",
    "green",
    "grey",
    "indigo",
    "lavender",
    "magenta",
    "maroon",
    "orange",
    "pink",
    "purple",
    "red",
    "silver",
    "teal",
    "turquoise",
    "violet",
    "white",
    "yellow",
];

impl<'a> Filler<'a> {
    /// Fills parameters from the names the prompt tells about: the name first, because its
    /// words are then spoken for; then what else the request mentions; then what the named
    /// thing's record says about its kind.
    pub(super) fn fill_mentions(
        &mut self,
        parameters: &[ToolParameter],
        values: &mut [Option<Value>],
    ) {
        let named = parameters.iter().position(|parameter| answers_to(parameter, NAME));
        let mut record = None;
        if let Some(at) = named
            && let Some(mention) = self.named_mention(parameters)
            && self.take_mention(&parameters[at], mention, &mut values[at])
        {
            record = Some(mention.record);
        }
        for (parameter, value) in parameters.iter().zip(values.iter_mut()) {
            if value.is_none()
                && !answers_to(parameter, NAME)
                && let Some(mention) = self.other_mention(parameter)
            {
                self.take_mention(parameter, mention, value);
            }
        }
        if let Some(record) = record {
            self.fill_siblings(record, parameters, values);
        }
    }

    /// The name that is meant. Part of a name in the plural (`the kitchen lights`) means a group
    /// rather than the one thing that has such a name, if the tool can take a group; and part of a
    /// name does not mean a thing in another area than the one that was said.
    fn named_mention(&self, parameters: &[ToolParameter]) -> Option<&'a MentionedName<'a>> {
        let part = self.part;
        let takes_area = parameters.iter().any(|parameter| answers_to(parameter, AREA));
        let area = part.mentions.iter().find(|other| other.whole && other.key == AREA);
        let is_meant = |mention: &&MentionedName<'_>| {
            let Some(area) = area.filter(|_| !mention.whole) else { return true };
            let elsewhere = self.names.field(mention.record, AREA) != Some(area.text);
            !(elsewhere || takes_area && is_plural(mention, part))
        };
        part.mentions.iter().filter(|mention| mention.key == NAME).find(is_meant)
    }

    fn other_mention(&self, parameter: &ToolParameter) -> Option<&'a MentionedName<'a>> {
        self.part.mentions.iter().find(|mention| {
            mention.whole
                && answers_to(parameter, mention.key)
                && mention.words.iter().any(|&at| !self.is_spoken_for(at))
        })
    }

    fn take_mention(
        &mut self,
        parameter: &ToolParameter,
        mention: &MentionedName<'_>,
        value: &mut Option<Value>,
    ) -> bool {
        *value = text_value(&parameter.kind, mention.text);
        if value.is_some() {
            self.use_words(mention.words.iter().copied(), Use::Value);
        }
        value.is_some()
    }

    /// Lists and enumerations classify a thing, and its record may say how; plain texts (an
    /// area, a floor) would only narrow down what its name already says.
    fn fill_siblings(
        &self,
        record: usize,
        parameters: &[ToolParameter],
        values: &mut [Option<Value>],
    ) {
        for (parameter, value) in parameters.iter().zip(values) {
            let classifies =
                matches!(parameter.kind, ParameterKind::List(_) | ParameterKind::Choice(_));
            let Some(key) = parameter.stems.last().filter(|_| classifies && value.is_none()) else {
                continue;
            };
            let said = self.names.field(record, key);
            *value = said.and_then(|said| text_value(&parameter.kind, said));
        }
    }

    /// Fills enumerations with the value that was said; of several, the longest.
    pub(super) fn fill_choices(
        &mut self,
        parameters: &[ToolParameter],
        values: &mut [Option<Value>],
    ) {
        for (parameter, value) in parameters.iter().zip(values) {
            if value.is_none() {
                *value = self.choice(&parameter.kind, parameter.required);
            }
            if value.is_none() && parameter.required {
                *value = only_choice(&parameter.kind);
            }
            if value.is_none() && parameter.is_named(&["color", "colour"]) {
                *value = self.colour(&parameter.kind);
            }
        }
    }

    fn choice(&mut self, kind: &ParameterKind, loosely: bool) -> Option<Value> {
        match kind {
            ParameterKind::Choice(choices) => {
                let (choice, words) = self.best_choice(choices, loosely)?;
                let value = choice.value.clone();
                self.use_words(words, Use::Value);
                Some(value)
            }
            ParameterKind::List(items) => {
                let mut said = Vec::new();
                while let Some(item) = self.choice(items, loosely) {
                    said.push(item);
                }
                (!said.is_empty()).then_some(Value::Array(said))
            }
            // A number says more than one of a few words beside it.
            ParameterKind::Either(kinds)
                if !self.part.quantities.is_empty() && kinds.iter().any(counts) =>
            {
                None
            }
            ParameterKind::Either(kinds) => {
                kinds.iter().find_map(|kind| self.choice(kind, loosely))
            }
            _ => None,
        }
    }

    fn best_choice<'c>(
        &self,
        choices: &'c [EnumValue],
        loosely: bool,
    ) -> Option<(&'c EnumValue, Vec<usize>)> {
        let mut best: Option<(&EnumValue, Vec<usize>)> = None;
        for choice in choices {
            let Some(words) = self.words_of(choice, loosely) else { continue };
            if best.as_ref().is_none_or(|(_, longest)| words.len() > longest.len()) {
                best = Some((choice, words));
            }
        }
        best
    }

    /// The words that say a choice: all of its own or, loosely, a synonym of its only one.
    fn words_of(&self, choice: &EnumValue, loosely: bool) -> Option<Vec<usize>> {
        let open = |at: &usize| !self.is_spoken_for(*at) && !self.part.words[*at].stop;
        let say = |stem: &str| {
            (0..self.part.words.len()).filter(open).find(|&at| self.part.words[at].stem == stem)
        };
        let exact: Option<Vec<usize>> = choice.stems.iter().map(|stem| say(stem)).collect();
        match (exact, choice.stems.as_slice()) {
            (Some(words), _) if !words.is_empty() => Some(words),
            (None, [only]) if loosely => {
                synonyms(only).iter().find_map(|stem| say(stem)).map(|at| vec![at])
            }
            _ => None,
        }
    }

    fn colour(&mut self, kind: &ParameterKind) -> Option<Value> {
        let is_colour = |at: &usize| {
            !self.is_spoken_for(*at)
                && COLOURS.binary_search(&self.part.words[*at].text.as_str()).is_ok()
        };
        let at = (0..self.part.words.len()).find(is_colour)?;
        let value = text_value(kind, &self.part.words[at].text)?;
        self.use_words([at], Use::Value);
        Some(value)
    }

    /// Fills yes and no from words that name the parameter, or from `on` and `off`.
    pub(super) fn fill_booleans(
        &mut self,
        parameters: &[ToolParameter],
        values: &mut [Option<Value>],
    ) {
        for (parameter, value) in parameters.iter().zip(values) {
            if value.is_some() || !matches!(parameter.kind, ParameterKind::Boolean) {
                continue;
            }
            *value = self.said_flag(parameter).or_else(|| self.said_switch(parameter)).or(
                // What nobody asked for is off, where the tool wants to know.
                parameter.required.then_some(Value::Bool(false)),
            );
        }
    }

    fn said_flag(&mut self, parameter: &ToolParameter) -> Option<Value> {
        const EMPTY: &[&str] = &["is", "has", "with", "includ", "enabl", "use", "should", "allow"];
        let own: Vec<&String> =
            parameter.stems.iter().filter(|stem| !EMPTY.contains(&stem.as_str())).collect();
        let names = |at: &usize| own.contains(&&self.part.words[*at].stem);
        let at = (0..self.part.words.len()).find(names)?;
        let denies = |at: usize| {
            matches!(
                self.part.words[at].text.as_str(),
                "no" | "not" | "without" | "don't" | "disable" | "exclude" | "except" | "off"
            )
        };
        let denied = (at.saturating_sub(3)..at).any(denies);
        self.use_words([at], Use::Value);
        Some(Value::Bool(!denied))
    }

    fn said_switch(&self, parameter: &ToolParameter) -> Option<Value> {
        if !parameter.is_named(&["on", "enabl", "activ", "power", "state", "open", "lock"]) {
            return None;
        }
        let switch = |word: &str| match word {
            "on" | "enable" | "activate" | "open" | "lock" | "yes" => Some(true),
            "off" | "disable" | "deactivate" | "close" | "unlock" | "no" => Some(false),
            _ => None,
        };
        self.part.words.iter().find_map(|word| switch(&word.text)).map(Value::Bool)
    }
}

/// Whether the last word that mentions a name is a plural, and the name itself is not.
fn is_plural(mention: &MentionedName<'_>, part: &RequestPart<'_>) -> bool {
    mention.words.last().is_some_and(|&at| {
        let said = &part.words[at].text;
        said.ends_with('s') && !mention.text.to_lowercase().ends_with(said.as_str())
    })
}

/// Whether a parameter is where names with this key belong.
pub(super) fn answers_to(parameter: &ToolParameter, key: &str) -> bool {
    let takes = takes_text(&parameter.kind) || has_choices(&parameter.kind);
    let mut stems = parameter.stems.iter().map(String::as_str).rev();
    let mut last = stems.next();
    if last == Some("id") {
        last = stems.next();
    }
    let Some(last) = last.filter(|_| takes) else { return false };
    last == key
        || match key {
            NAME => matches!(last, "devic" | "entiti" | "target" | "applianc"),
            AREA => matches!(last, "room" | "locat" | "place"),
            "room" => last == AREA,
            _ => false,
        }
}

fn has_choices(kind: &ParameterKind) -> bool {
    match kind {
        ParameterKind::Choice(_) => true,
        ParameterKind::List(items) => has_choices(items),
        _ => false,
    }
}

fn counts(kind: &ParameterKind) -> bool {
    matches!(kind, ParameterKind::Integer(_) | ParameterKind::Number(_))
}

fn only_choice(kind: &ParameterKind) -> Option<Value> {
    match kind {
        ParameterKind::Choice(choices) => match choices.as_slice() {
            [only] => Some(only.value.clone()),
            _ => None,
        },
        ParameterKind::List(items) => only_choice(items).map(|only| Value::Array(vec![only])),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::COLOURS;

    #[test]
    fn the_colours_are_sorted_for_binary_search() {
        assert!(COLOURS.is_sorted());
    }
}
