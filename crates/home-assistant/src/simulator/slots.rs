//! The arguments of an intent: coerced, checked, and picked apart into what an intent needs.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::color;
use super::matching::Preferences;
use crate::catalogue::{PREFERRED_AREA, PREFERRED_FLOOR, SlotError, SlotRules, SlotTakes};
use crate::python;

/// The slots of a call that passed.
#[derive(Debug)]
pub(super) struct Slots<'a> {
    values: Vec<(&'a str, SlotValue<'a>)>,
    /// Whether a set of texts also holds other things, which no error message can list.
    pub(super) unlistable: bool,
}

#[derive(Debug)]
enum SlotValue<'a> {
    Text(Cow<'a, str>),
    Texts(Vec<Cow<'a, str>>),
    Whole(i64),
    Number(f64),
    Color([u8; 3]),
    Step(VolumeStep),
    /// What nothing has checked, and a handler breaks on.
    Broken,
}

/// By how much to change a volume.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum VolumeStep {
    Up,
    Down,
    By(f64),
}

impl<'a> Slots<'a> {
    /// Reads and checks arguments. Those the intent does not know are ignored.
    pub(super) fn read(
        rules: &'a SlotRules,
        arguments: &'a Map<String, Value>,
        drop_blank: bool,
    ) -> Result<Self, SlotError> {
        let mut values = Vec::with_capacity(rules.rules.len());
        let mut fault = None;
        let mut unlistable = false;
        for rule in &rules.rules {
            let given = arguments.get(&rule.name).filter(|value| !(drop_blank && is_blank(value)));
            unlistable |= matches!(rule.takes, SlotTakes::PythonSet)
                && given.and_then(Value::as_array).is_some_and(|l| !l.iter().all(Value::is_string));
            match given.map(|value| slot_value(&rule.takes, value)) {
                None => fault = fault.or(rule.if_missing),
                Some(Ok(None)) => {}
                Some(Ok(Some(value))) => values.push((rule.name.as_str(), value)),
                // Home Assistant collects what is invalid, but any other exception ends the check.
                Some(Err(SlotError::Unexpected)) => fault = Some(SlotError::Unexpected),
                Some(Err(SlotError::Invalid)) => fault = fault.or(Some(SlotError::Invalid)),
            }
        }
        let slots = Self { values, unlistable };
        let lacks = !rules.any_of.is_empty() && !rules.any_of.iter().any(|name| slots.has(name));
        match fault {
            Some(fault) => Err(fault),
            None if lacks => Err(SlotError::Invalid),
            None => Ok(slots),
        }
    }

    fn get(&self, name: &str) -> Option<&SlotValue<'a>> {
        self.values.iter().find(|(slot, _)| *slot == name).map(|(_, value)| value)
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    pub(super) fn text(&self, name: &str) -> Option<&str> {
        match self.get(name)? {
            SlotValue::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Text that says something: Python takes an empty one for absent.
    pub(super) fn filled(&self, name: &str) -> Option<&str> {
        self.text(name).filter(|text| !text.is_empty())
    }

    pub(super) fn texts(&self, name: &str) -> Option<Vec<&str>> {
        match self.get(name)? {
            SlotValue::Texts(texts) => Some(texts.iter().map(AsRef::as_ref).collect()),
            _ => None,
        }
    }

    pub(super) fn whole(&self, name: &str) -> Option<i64> {
        match self.get(name)? {
            SlotValue::Whole(number) => Some(*number),
            _ => None,
        }
    }

    pub(super) fn number(&self, name: &str) -> Option<f64> {
        match self.get(name)? {
            SlotValue::Number(number) => Some(*number),
            _ => None,
        }
    }

    pub(super) fn color(&self) -> Option<[u8; 3]> {
        match self.get("color")? {
            SlotValue::Color(color) => Some(*color),
            _ => None,
        }
    }

    /// Whether the handler breaks on this slot.
    pub(super) fn is_broken(&self, name: &str) -> bool {
        matches!(self.get(name), Some(SlotValue::Broken))
    }

    /// Where the intent is told the one who speaks is.
    pub(super) fn preferences(&self) -> Preferences {
        let id = |name: &str| self.filled(name).map(str::to_owned);
        Preferences { area: id(PREFERRED_AREA), floor: id(PREFERRED_FLOOR) }
    }

    pub(super) fn volume_step(&self) -> Option<VolumeStep> {
        match self.get("volume_step")? {
            SlotValue::Step(step) => Some(*step),
            _ => None,
        }
    }
}

/// The value of a slot, if it is what the slot takes.
fn slot_value<'a>(takes: &SlotTakes, value: &'a Value) -> Result<Option<SlotValue<'a>>, SlotError> {
    let read = match takes {
        SlotTakes::Text { blank } => SlotValue::Text(text(value, *blank)?),
        SlotTakes::TextAlone => {
            SlotValue::Text(Cow::Borrowed(value.as_str().ok_or(SlotError::Invalid)?))
        }
        SlotTakes::Texts { choices } => SlotValue::Texts(texts(value, choices.as_deref())?),
        SlotTakes::Choice(choices) => {
            let choice = value.as_str().filter(|text| choices.iter().any(|one| one == text));
            SlotValue::Text(Cow::Borrowed(choice.ok_or(SlotError::Invalid)?))
        }
        SlotTakes::Whole { least, most } => {
            let number = python::int(value).filter(|number| (least..=most).contains(&number));
            SlotValue::Whole(number.ok_or(SlotError::Invalid)?)
        }
        SlotTakes::Number => SlotValue::Number(python::float(value).ok_or(SlotError::Invalid)?),
        SlotTakes::Color => {
            // Home Assistant asks any value for its letters, and breaks on what has none.
            let name = value.as_str().ok_or(SlotError::Unexpected)?;
            SlotValue::Color(color::named(name).ok_or(SlotError::Invalid)?)
        }
        SlotTakes::VolumeStep => SlotValue::Step(volume_step(value).ok_or(SlotError::Invalid)?),
        SlotTakes::Anything => return Ok(None),
        SlotTakes::PythonSet => python_set(value).map_or(SlotValue::Broken, SlotValue::Texts),
        SlotTakes::Strippable => match value {
            Value::String(text) => SlotValue::Text(Cow::Borrowed(text)),
            _ => SlotValue::Broken,
        },
        SlotTakes::PythonInt => python::int(value).map_or(SlotValue::Broken, SlotValue::Whole),
    };
    Ok(Some(read))
}

/// Whether an argument says nothing: models often fill in every parameter with an empty text.
pub(super) fn is_blank(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.trim().is_empty(),
        _ => false,
    }
}

fn text(value: &Value, blank: bool) -> Result<Cow<'_, str>, SlotError> {
    let text = match value {
        Value::String(text) => Cow::Borrowed(text.as_str()),
        Value::Null | Value::Array(_) | Value::Object(_) => return Err(SlotError::Invalid),
        other => Cow::Owned(python::str(other)),
    };
    if blank || !text.trim().is_empty() { Ok(text) } else { Err(SlotError::Invalid) }
}

fn texts<'a>(value: &'a Value, choices: Option<&[String]>) -> Result<Vec<Cow<'a, str>>, SlotError> {
    let one = |value: &'a Value| match choices {
        // A choice is compared as it is; only free text is turned into text first.
        Some(choices) => {
            let choice = value.as_str().filter(|text| choices.iter().any(|choice| choice == text));
            choice.map(Cow::Borrowed).ok_or(SlotError::Invalid)
        }
        None => text(value, true),
    };
    match value {
        Value::Array(values) => values.iter().map(one).collect(),
        Value::Null => Ok(vec![]),
        single => Ok(vec![one(single)?]),
    }
}

/// The texts in what Python's `set()` makes of a value: a text falls apart into its letters.
/// `None` where it fails: on what cannot be walked through, and on lists and mappings within.
fn python_set(value: &Value) -> Option<Vec<Cow<'_, str>>> {
    match value {
        Value::String(text) => Some(text.chars().map(|c| Cow::Owned(c.to_string())).collect()),
        Value::Object(entries) => Some(entries.keys().map(|key| key.as_str().into()).collect()),
        Value::Array(items) if !items.iter().any(|item| item.is_array() || item.is_object()) => {
            // What is no text matches nothing, and no message can list it.
            Some(items.iter().map(|item| python::str(item).into()).collect())
        }
        _ => None,
    }
}

#[expect(clippy::cast_precision_loss, reason = "the step is at most 100")]
fn volume_step(value: &Value) -> Option<VolumeStep> {
    match value.as_str() {
        Some("up") => Some(VolumeStep::Up),
        Some("down") => Some(VolumeStep::Down),
        _ => {
            let percent = python::int(value).filter(|percent| (-100..=100).contains(percent))?;
            Some(VolumeStep::By(percent as f64 / 100.0))
        }
    }
}
