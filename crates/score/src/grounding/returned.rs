//! What tools returned, ready to look for claims in.

use std::collections::{BTreeSet, HashSet};
use std::sync::LazyLock;

use indexmap::IndexMap;
use regex::Regex;
use serde_json::{Map, Value};

use super::claim::{Claim, ClaimKind};
use crate::reading::{Item, ItemContent, MeasureUnit, NumberWithUnit, TextReader};

/// A label with more values than these says nothing about one of them.
const FEW: usize = 3;

/// Values that a label has, and the words of the label.
#[derive(Debug, Default)]
struct Labelled {
    words: Vec<String>,
    values: Vec<ItemContent>,
    written: Vec<String>,
}

/// Everything an answer may rest on.
#[derive(Debug, Default)]
pub(super) struct Returned {
    /// Each text as it is, and as it reads.
    texts: Vec<(String, Vec<Item>)>,
    /// Every number and date, each once.
    values: Vec<ItemContent>,
    /// Every word that was said anywhere.
    words: BTreeSet<String>,
    /// Numbers that follow from tables: how many rows, sums and means of columns.
    derived: Vec<f64>,
    /// What was returned under a label.
    labelled: IndexMap<String, Labelled>,
}

impl Returned {
    /// Reads texts, each with whether a tool returned it.
    pub(super) fn new(sources: Vec<(&str, bool)>, reader: &TextReader) -> Self {
        let mut returned = Self::default();
        let mut seen = HashSet::new();
        for (text, by_tool) in sources {
            let items = reader.read(text);
            for item in &items {
                if let ItemContent::Word(word) = &item.content {
                    // Names of columns and files are made of words too.
                    let parts = word.split('_').filter(|part| !part.is_empty());
                    returned.words.extend(parts.map(str::to_owned));
                    returned.words.insert(word.clone());
                } else if seen.insert(format!("{:?}", item.content)) {
                    returned.values.push(item.content.clone());
                }
            }
            returned.texts.push((text.to_owned(), items));
            // What the person said supports a claim, but has no labels or tables to contradict one.
            if by_tool {
                returned.take_structure(text, reader);
            }
        }
        returned
    }

    /// How many values are held against a claim that is found nowhere, at most: what it costs.
    pub(super) fn cost(&self, claim: &Claim<'_>) -> usize {
        let values = self.values.len() + self.derived.len();
        match &claim.kind {
            ClaimKind::Value(_) => values,
            // A name is looked up word by word; the values in it are not.
            ClaimKind::Name if claim.text.contains(|c: char| c.is_ascii_digit()) => values,
            ClaimKind::Name => 1,
            ClaimKind::Quote => self.texts.iter().map(|(_, items)| items.len()).sum(),
        }
    }

    /// Whether a claim is found, or follows from what is.
    pub(super) fn supports(&self, claim: &Claim<'_>, reader: &TextReader) -> bool {
        match &claim.kind {
            ClaimKind::Value(ItemContent::Number(number)) => self.has_number(number),
            ClaimKind::Value(content) => self.values.iter().any(|value| content.is_met_by(value)),
            ClaimKind::Name => self.has_words(claim.text, reader),
            ClaimKind::Quote => {
                self.texts.iter().any(|(text, items)| reader.is_said(items, text, claim.text))
                    || self.has_words(claim.text, reader)
                        // One or two words in quotes are a name more often than a quotation.
                        && claim.text.split_whitespace().count() <= 2
            }
        }
    }

    /// Whether every word of a name was said, in whatever order.
    fn has_words(&self, name: &str, reader: &TextReader) -> bool {
        let items = reader.read(name);
        !items.is_empty()
            && items.iter().all(|item| match &item.content {
                ItemContent::Word(word) => {
                    self.words.contains(word) || matches!(word.as_str(), "of" | "and" | "for")
                }
                content => self.values.iter().any(|value| content.is_met_by(value)),
            })
    }

    fn has_number(&self, claimed: &NumberWithUnit) -> bool {
        self.values.iter().any(|value| match value {
            ItemContent::Number(said) => agrees(claimed, said),
            ItemContent::Date(date) => claimed.is_year(date.year),
            _ => false,
        }) || self.derived.iter().any(|value| agrees(claimed, &NumberWithUnit::plain(*value)))
    }

    /// What was returned under the label of a claim, if it is something else: the label, and the
    /// values it has.
    pub(super) fn contradiction(&self, claim: &Claim<'_>) -> Option<(String, Vec<String>)> {
        let ClaimKind::Value(content) = &claim.kind else { return None };
        let fits = |labelled: &Labelled| {
            let is_kind = |value: &ItemContent| {
                std::mem::discriminant(value) == std::mem::discriminant(content)
            };
            !labelled.words.is_empty()
                && labelled.values.len() <= FEW
                // A number under a label of dates is no contradiction; something else is meant.
                && labelled.values.iter().all(is_kind)
                && labelled.words.iter().all(|word| claim.around.contains(word))
        };
        // The label with the most words is the most particular.
        let best = self
            .labelled
            .iter()
            .filter(|(_, labelled)| fits(labelled))
            .max_by_key(|(_, labelled)| labelled.words.len())?;
        Some((best.0.clone(), best.1.written.clone()))
    }

    /// Takes labels and tables out of what a tool returned.
    fn take_structure(&mut self, text: &str, reader: &TextReader) {
        match serde_json::from_str::<Value>(text) {
            Ok(value) => self.take_value(&value, reader, 0),
            Err(_) => self.take_lines(text, reader),
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "no list in memory has 2^53 items")]
    fn take_value(&mut self, value: &Value, reader: &TextReader, depth: usize) {
        // Nobody nests deeper, and every level takes stack.
        if depth > 32 {
            return;
        }
        match value {
            Value::Array(items) => {
                self.derived.push(items.len() as f64);
                self.take_columns(items);
                for item in items {
                    self.take_value(item, reader, depth + 1);
                }
            }
            Value::Object(object) => {
                self.label_columns(object, reader);
                for (key, value) in object {
                    match value {
                        Value::Array(_) | Value::Object(_) => {
                            self.take_value(value, reader, depth + 1);
                        }
                        Value::String(text) => {
                            self.label(key, text, reader);
                            self.take_lines(text, reader);
                        }
                        Value::Number(number) => self.label(key, &number.to_string(), reader),
                        _ => {}
                    }
                }
            }
            Value::String(text) => self.take_lines(text, reader),
            _ => {}
        }
    }

    /// Takes the cells of a table as values under the names of their columns:
    /// `{"columns": ["rent"], "rows": [[1450]]}`.
    fn label_columns(&mut self, table: &Map<String, Value>, reader: &TextReader) {
        let (Some(Value::Array(columns)), Some(Value::Array(rows))) =
            (table.get("columns"), table.get("rows"))
        else {
            return;
        };
        for row in rows.iter().take(FEW + 1).filter_map(Value::as_array) {
            for (column, cell) in columns.iter().zip(row) {
                let written = match cell {
                    // Days are texts in a table; other texts tell no figure.
                    Value::String(text) if text.starts_with(|c: char| c.is_ascii_digit()) => {
                        text.clone()
                    }
                    Value::Number(number) => number.to_string(),
                    _ => continue,
                };
                self.label(column.as_str().unwrap_or_default(), &written, reader);
            }
        }
    }

    /// Sums and means of the columns of a table.
    #[expect(clippy::cast_precision_loss, reason = "no list in memory has 2^53 items")]
    fn take_columns(&mut self, rows: &[Value]) {
        let mut columns: IndexMap<String, Vec<f64>> = IndexMap::new();
        for row in rows {
            let cells: Vec<(String, &Value)> = match row {
                Value::Object(row) => row.iter().map(|(key, cell)| (key.clone(), cell)).collect(),
                Value::Array(row) => (0..).map(|at: usize| at.to_string()).zip(row).collect(),
                cell => vec![(String::new(), cell)],
            };
            for (key, cell) in cells {
                if let Some(number) = cell.as_f64() {
                    columns.entry(key).or_default().push(number);
                }
            }
        }
        for values in columns.values().filter(|values| values.len() > 1) {
            let sum: f64 = values.iter().sum();
            self.derived.extend([sum, sum / values.len() as f64]);
        }
    }

    /// Lines such as `Rent: $900`.
    fn take_lines(&mut self, text: &str, reader: &TextReader) {
        static LINE: LazyLock<Regex> = LazyLock::new(|| {
            Regex::new(
                r"(?m)^[\s*_>|-]*(\p{L}[\p{L}\p{N} _-]{1,40}?)[\s*_]*[:=|][\s*_]*(\S.{0,80})$",
            )
            .expect("the expression is valid")
        });
        for found in LINE.captures_iter(text) {
            self.label(&found[1], &found[2], reader);
        }
    }

    /// Remembers a value under its label, if it is a number or a date.
    fn label(&mut self, label: &str, written: &str, reader: &TextReader) {
        let spaced = label.replace(['_', '-'], " ");
        let items = reader.read(written);
        let [Item { content: content @ (ItemContent::Number(_) | ItemContent::Date(_)), .. }, ..] =
            items.as_slice()
        else {
            return;
        };
        let labelled = self.labelled.entry(spaced.to_lowercase()).or_insert_with(|| {
            let words = reader.read(&spaced).into_iter().filter_map(|item| match item.content {
                ItemContent::Word(word) => Some(word),
                _ => None,
            });
            Labelled { words: words.collect(), ..Labelled::default() }
        });
        // Further values change nothing: a label with more than a few is not looked at.
        if labelled.values.len() <= FEW && !labelled.values.contains(content) {
            labelled.values.push(content.clone());
            labelled.written.push(written.trim().to_owned());
        }
    }
}

/// Whether a number that was claimed is one that was returned: the same, the same rounded, or
/// the share that per cents are written for.
pub(super) fn agrees(claimed: &NumberWithUnit, said: &NumberWithUnit) -> bool {
    // Tables give bare numbers, to which an answer adds the unit.
    let plain = NumberWithUnit { unit: None, ..*claimed };
    if claimed.is_met_by(said) || plain.is_met_by(said) && is_compatible(claimed, said) {
        return true;
    }
    if claimed.has_other_digits(said) {
        return false;
    }
    let is_share = claimed.unit == Some(MeasureUnit::PERCENT) && said.unit.is_none();
    let scaled = if is_share { said.value * 100.0 } else { said.value };
    // Few digits are near many numbers; only what is told with some precision can be rounded.
    let digits = (claimed.value.abs() / claimed.step).log10();
    let near = (scaled - claimed.value).abs() <= claimed.step * 0.5 * (1.0 + 1e-9);
    near && is_compatible(claimed, said) && (digits >= 2.0 || claimed.step < 1.0 || is_share)
}

/// Whether two numbers may count the same thing. Tables seldom say what they count.
fn is_compatible(a: &NumberWithUnit, b: &NumberWithUnit) -> bool {
    match (a.unit, b.unit) {
        (Some(a), Some(b)) => a.is_alike(b),
        _ => true,
    }
}
