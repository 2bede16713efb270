//! Numeric arguments: durations by their units, other numbers by what stands beside them.

use serde_json::Value;

use super::super::quantity::{Quantity, QuantityUnit, TimeUnit, level};
use super::super::schema::{Bounds, ParameterKind, ToolParameter};
use super::{Filler, Use};

/// Words for what is usually given in percent.
const PERCENT_STEMS: &[&str] = &[
    "percent",
    "percentag",
    "bright",
    "brightness",
    "volum",
    "level",
    "posit",
    "speed",
    "humid",
    "opac",
    "progress",
    "discount",
];

const TEMPERATURE_STEMS: &[&str] = &["temperatur", "degre", "celsius", "fahrenheit", "angl"];

const CHANGE_STEMS: &[&str] = &["step", "chang", "delta", "relat", "adjust", "offset"];

impl Filler<'_> {
    /// Puts each duration where its unit belongs: `ten minutes` into `minutes`; into another
    /// unit, converted, where there is no such parameter.
    pub(super) fn fill_durations(
        &mut self,
        parameters: &[ToolParameter],
        values: &mut [Option<Value>],
    ) {
        for quantity in &self.part.quantities {
            let QuantityUnit::Time(unit) = quantity.unit else { continue };
            if quantity.words.clone().any(|at| self.is_spoken_for(at)) {
                continue;
            }
            let placed = place_exactly(quantity.value, unit, parameters, values)
                || place_converted(quantity.value * unit.seconds(), parameters, values);
            if placed {
                self.use_words(quantity.words.clone(), Use::Value);
            }
        }
    }

    /// Gives the remaining numbers to the parameters they fit best.
    pub(super) fn fill_numbers(
        &mut self,
        parameters: &[ToolParameter],
        values: &mut [Option<Value>],
    ) {
        let numeric = parameters.iter().filter(|p| counts(&p.kind)).count();
        // The surest pair first, since each one takes a number and a parameter from the others.
        while let Some((at, quantity, value)) = self.best_number(parameters, values, numeric) {
            values[at] = Some(value);
            self.use_words(quantity.words.clone(), Use::Value);
        }
        for (parameter, value) in parameters.iter().zip(values.iter_mut()) {
            if value.is_none() && parameter.required && parameter.mentions(PERCENT_STEMS) {
                *value = self.level(&parameter.kind);
            }
        }
        self.fill_number_lists(parameters, values);
    }

    fn best_number(
        &self,
        parameters: &[ToolParameter],
        values: &[Option<Value>],
        numeric: usize,
    ) -> Option<(usize, &Quantity, Value)> {
        let mut best = None;
        let mut highest = 0;
        for quantity in &self.part.quantities {
            if quantity.words.clone().any(|at| self.is_spoken_for(at)) {
                continue;
            }
            for (at, parameter) in parameters.iter().enumerate() {
                let affinity = self.affinity(parameter, quantity, numeric);
                if values[at].is_some() || affinity <= highest {
                    continue;
                }
                let signed = self.signed(parameter, quantity);
                if let Some(value) = number_value(&parameter.kind, signed) {
                    highest = affinity;
                    best = Some((at, quantity, value));
                }
            }
        }
        best
    }

    /// How well a number fits a parameter, from 0 (not at all) to 4.
    fn affinity(&self, parameter: &ToolParameter, quantity: &Quantity, numeric: usize) -> u8 {
        if !counts(&parameter.kind) {
            return 0;
        }
        let fallback = if parameter.required { 2 } else { u8::from(numeric == 1) };
        match quantity.unit {
            QuantityUnit::Percent if parameter.mentions(PERCENT_STEMS) => 4,
            QuantityUnit::Degrees if parameter.mentions(TEMPERATURE_STEMS) => 4,
            QuantityUnit::None if self.stands_beside(parameter, quantity) => 4,
            QuantityUnit::Percent | QuantityUnit::None => fallback,
            QuantityUnit::Degrees | QuantityUnit::Clock | QuantityUnit::Time(_) => 0,
        }
    }

    /// Whether a word of the parameter's name stands near the number: `3 tickets`,
    /// `brightness to 40`.
    fn stands_beside(&self, parameter: &ToolParameter, quantity: &Quantity) -> bool {
        let near = quantity.words.start.saturating_sub(3)..quantity.words.end + 1;
        let words = &self.part.words;
        near.filter(|at| *at < words.len() && !words[*at].stop)
            .any(|at| parameter.stems.contains(&words[at].stem))
    }

    /// A number that goes down where the parameter is a change.
    fn signed(&self, parameter: &ToolParameter, quantity: &Quantity) -> f64 {
        let down = |at: usize| {
            matches!(
                self.part.words[at].text.as_str(),
                "down" | "lower" | "decrease" | "reduce" | "quieter" | "less"
            )
        };
        let changes = allows_negative(&parameter.kind) && parameter.mentions(CHANGE_STEMS);
        if changes && (0..self.part.words.len()).any(down) {
            return -quantity.value.abs();
        }
        quantity.value
    }

    fn level(&mut self, kind: &ParameterKind) -> Option<Value> {
        let words = &self.part.words;
        let (at, value) = (0..words.len())
            .filter(|&at| !self.is_spoken_for(at))
            .find_map(|at| level(&words[at].text).map(|value| (at, value)))?;
        let value = number_value(kind, value)?;
        self.use_words([at], Use::Value);
        Some(value)
    }

    fn fill_number_lists(&mut self, parameters: &[ToolParameter], values: &mut [Option<Value>]) {
        for (parameter, value) in parameters.iter().zip(values) {
            let ParameterKind::List(items) = &parameter.kind else { continue };
            if value.is_some() || !counts(items) {
                continue;
            }
            let mut said = Vec::new();
            for quantity in &self.part.quantities {
                let open = !quantity.words.clone().any(|at| self.is_spoken_for(at));
                if let Some(number) = number_value(items, quantity.value).filter(|_| open) {
                    said.push(number);
                    self.use_words(quantity.words.clone(), Use::Value);
                }
            }
            *value = (!said.is_empty()).then_some(Value::Array(said));
        }
    }
}

/// Puts a duration into the parameter of its own unit, the plainest name first (`minutes`
/// before `start_minutes`). What a whole number cannot hold goes into the next smaller unit.
fn place_exactly(
    value: f64,
    unit: TimeUnit,
    parameters: &[ToolParameter],
    values: &mut [Option<Value>],
) -> bool {
    let Some(at) = plainest(parameters, values, |p| unit_of(p) == Some(unit)) else {
        return false;
    };
    if let Some(whole) = number_value(&parameters[at].kind, value) {
        values[at] = Some(whole);
        return true;
    }
    let rest = (value - value.floor()) * unit.seconds();
    let Some(whole) = number_value(&parameters[at].kind, value.floor()) else { return false };
    // Put in first, so that the smaller unit cannot go into the same parameter.
    let before = values[at].replace(whole);
    let smaller = TimeUnit::ALL.into_iter().find(|smaller| *smaller < unit);
    let placed = smaller.is_some_and(|smaller| {
        place_exactly(rest / smaller.seconds(), smaller, parameters, values)
    });
    if !placed {
        values[at] = before;
    } else if value < 1.0 {
        values[at] = None;
    }
    placed
}

fn place_converted(
    seconds: f64,
    parameters: &[ToolParameter],
    values: &mut [Option<Value>],
) -> bool {
    for unit in TimeUnit::ALL.into_iter().rev() {
        let in_unit = |p: &ToolParameter| {
            unit_of(p) == Some(unit) || (is_duration(p) && described_unit(p) == unit)
        };
        let Some(at) = plainest(parameters, values, in_unit) else { continue };
        if let Some(value) = number_value(&parameters[at].kind, seconds / unit.seconds()) {
            values[at] = Some(value);
            return true;
        }
    }
    false
}

fn plainest(
    parameters: &[ToolParameter],
    values: &[Option<Value>],
    fits: impl Fn(&ToolParameter) -> bool,
) -> Option<usize> {
    (0..parameters.len())
        .filter(|&at| values[at].is_none() && counts(&parameters[at].kind) && fits(&parameters[at]))
        .min_by_key(|&at| parameters[at].stems.len())
}

fn unit_of(parameter: &ToolParameter) -> Option<TimeUnit> {
    parameter.stems.iter().find_map(|stem| TimeUnit::of(stem))
}

fn is_duration(parameter: &ToolParameter) -> bool {
    parameter.is_named(&["durat", "delay", "timeout", "time", "length", "period", "transit"])
}

/// The unit a duration's description names; seconds where it names none.
fn described_unit(parameter: &ToolParameter) -> TimeUnit {
    parameter.hints.iter().find_map(|stem| TimeUnit::of(stem)).unwrap_or(TimeUnit::Second)
}

fn counts(kind: &ParameterKind) -> bool {
    match kind {
        ParameterKind::Integer(_) | ParameterKind::Number(_) => true,
        ParameterKind::Either(kinds) => kinds.iter().any(counts),
        _ => false,
    }
}

fn allows_negative(kind: &ParameterKind) -> bool {
    match kind {
        ParameterKind::Integer(Bounds { least, .. })
        | ParameterKind::Number(Bounds { least, .. }) => *least < 0.0,
        ParameterKind::Either(kinds) => kinds.iter().any(allows_negative),
        _ => false,
    }
}

/// A number as a value of this kind, where the kind allows it.
fn number_value(kind: &ParameterKind, value: f64) -> Option<Value> {
    match kind {
        ParameterKind::Integer(bounds) if bounds.allow(value) => whole(value),
        ParameterKind::Number(bounds) if bounds.allow(value) => {
            whole(value).or_else(|| serde_json::Number::from_f64(value).map(Value::Number))
        }
        ParameterKind::Either(kinds) => kinds.iter().find_map(|kind| number_value(kind, value)),
        _ => None,
    }
}

#[expect(clippy::cast_possible_truncation, reason = "only whole numbers far below 2^53 get here")]
fn whole(value: f64) -> Option<Value> {
    (value.fract() == 0.0 && value.abs() < 9e15).then(|| Value::from(value as i64))
}
