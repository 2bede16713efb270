//! Fills a tool's arguments from a part of a request.
//!
//! What can be read precisely comes first (names, choices, numbers, yes or no), because it says
//! which words are spoken for; free text takes what is left.

mod choice;
mod number;
mod reference;
mod text;

use serde_json::{Map, Value};

use super::indexed_tool::IndexedTool;
use super::names::Names;
use super::part::RequestPart;
use super::schema::{ParameterKind, ToolParameter};

/// What became of a word of the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    /// Nothing yet.
    Open,
    /// It is part of the tool's name.
    Tool,
    /// It is a value, or part of one.
    Value,
    /// It went into a text that a cue or quotes marked.
    Text,
    /// It went into a text for want of anything better.
    Leftover,
}

/// A call in the making.
#[derive(Debug)]
pub(super) struct Filled {
    /// The arguments that could be filled.
    pub(super) arguments: Map<String, Value>,
    /// What became of each word.
    pub(super) uses: Vec<Use>,
    /// How many required parameters are still empty.
    pub(super) missing: usize,
    /// How many parameters are required.
    pub(super) required: usize,
}

/// Fills a tool's parameters from a part; `named` says which words are in the tool's name.
pub(super) fn fill(
    tool: &IndexedTool,
    part: &RequestPart<'_>,
    names: &Names,
    named: &[bool],
) -> Filled {
    let uses = named.iter().map(|&is| if is { Use::Tool } else { Use::Open }).collect();
    let mut filler = Filler { part, names, uses };
    if let Some(verb) = part.verb() {
        // The verb of an order is what to do, and never part of a value.
        filler.uses[verb] = Use::Tool;
    }
    let mut values = filler.values(&tool.parameters);
    let required = tool.parameters.iter().filter(|parameter| parameter.required).count();
    let mut arguments = Map::new();
    let mut missing = 0;
    for (parameter, value) in tool.parameters.iter().zip(&mut values) {
        match value.take() {
            Some(value) => drop(arguments.insert(parameter.name.clone(), value)),
            None => missing += usize::from(parameter.required),
        }
    }
    Filled { arguments, uses: filler.uses, missing, required }
}

struct Filler<'a> {
    part: &'a RequestPart<'a>,
    names: &'a Names,
    uses: Vec<Use>,
}

impl Filler<'_> {
    /// A value for each parameter that can be filled, in the order of the parameters.
    fn values(&mut self, parameters: &[ToolParameter]) -> Vec<Option<Value>> {
        let mut values = vec![None; parameters.len()];
        self.fill_mentions(parameters, &mut values);
        self.fill_choices(parameters, &mut values);
        self.fill_durations(parameters, &mut values);
        self.fill_numbers(parameters, &mut values);
        self.fill_booleans(parameters, &mut values);
        self.fill_references(parameters, &mut values);
        self.fill_objects(parameters, &mut values);
        self.fill_texts(parameters, &mut values);
        values
    }

    /// Objects are filled like tools are; one that lacks something it must have is left out.
    fn fill_objects(&mut self, parameters: &[ToolParameter], values: &mut [Option<Value>]) {
        for (parameter, value) in parameters.iter().zip(values) {
            let ParameterKind::Object(inner) = &parameter.kind else { continue };
            if inner.is_empty() || value.is_some() {
                continue;
            }
            // Words that a dropped object has taken must be free again for what comes after it.
            let before = self.uses.clone();
            let filled = self.values(inner);
            let complete = inner.iter().zip(&filled).all(|(p, v)| v.is_some() || !p.required);
            if !complete || filled.iter().all(Option::is_none) {
                self.uses = before;
                continue;
            }
            let pairs = inner.iter().zip(filled);
            let object = pairs.filter_map(|(p, v)| v.map(|v| (p.name.clone(), v))).collect();
            *value = Some(Value::Object(object));
        }
    }

    fn use_words(&mut self, words: impl IntoIterator<Item = usize>, as_what: Use) {
        for at in words {
            self.uses[at] = as_what;
        }
    }

    fn is_spoken_for(&self, at: usize) -> bool {
        matches!(self.uses[at], Use::Value | Use::Text | Use::Leftover)
    }
}

/// A text as a value of this kind, where the kind allows it.
fn text_value(kind: &ParameterKind, text: &str) -> Option<Value> {
    match kind {
        ParameterKind::Text => Some(Value::from(text)),
        ParameterKind::List(items) => text_value(items, text).map(|item| Value::Array(vec![item])),
        ParameterKind::Either(kinds) => kinds.iter().find_map(|kind| text_value(kind, text)),
        ParameterKind::Choice(choices) => {
            let stems = super::words::identifier_stems(text);
            choices.iter().find(|choice| choice.stems == stems).map(|choice| choice.value.clone())
        }
        _ => None,
    }
}

/// Whether a kind takes any text.
fn takes_text(kind: &ParameterKind) -> bool {
    match kind {
        ParameterKind::Text => true,
        ParameterKind::List(items) => takes_text(items),
        ParameterKind::Either(kinds) => kinds.iter().any(takes_text),
        _ => false,
    }
}
