//! The offered tools, indexed so that a request finds the ones that sound like it (BM25F).

use std::collections::HashMap;

use indexmap::IndexMap;
use toolgauge_core::Tool;

use super::indexed_tool::IndexedTool;
use super::inquiry::Inquiry;
use super::schema::{EnumValue, ParameterKind};
use super::thesaurus::synonyms;
use super::words::{content_stems, identifier_words, is_stop, stem};

/// How much a word counts by where it stands in a tool. A tool's name is chosen with care; its
/// parameters are shared by many tools.
const NAME_WEIGHT: f32 = 3.0;
const DESCRIPTION_WEIGHT: f32 = 1.0;
const PARAMETER_WEIGHT: f32 = 0.5;
const CHOICE_WEIGHT: f32 = 0.4;

/// BM25's saturation and length normalisation, at their usual values.
const K1: f32 = 1.2;
const B: f32 = 0.75;

/// What a synonym counts compared to the word itself.
const SYNONYM_WEIGHT: f32 = 0.5;

/// The tools of one briefing.
#[derive(Debug)]
pub(super) struct ToolIndex {
    /// The tools, in the order they were offered.
    pub(super) tools: Vec<IndexedTool>,
    /// How questions are answered, where every tool only looks something up.
    pub(super) inquiry: Option<Inquiry>,
    postings: IndexMap<String, Posting>,
    unknown: f32,
}

#[derive(Debug, Default)]
struct Posting {
    rarity: f32,
    hits: Vec<ToolHit>,
}

/// How strongly a word speaks for a tool.
#[derive(Clone, Copy, Debug)]
struct ToolHit {
    tool: usize,
    weight: f32,
    in_name: bool,
}

/// What a word says about each tool.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct WordEvidence {
    /// How strongly it speaks for the tool.
    pub(super) weight: f32,
    /// Whether it stands in the tool's name.
    pub(super) in_name: bool,
}

impl ToolIndex {
    /// Indexes tools.
    pub(super) fn new(tools: &[Tool]) -> Self {
        let indexed: Vec<IndexedTool> = tools.iter().map(IndexedTool::new).collect();
        let shared = shared_prefix_words(tools);
        let fields: Vec<Vec<IndexField>> =
            tools.iter().zip(&indexed).map(|(tool, it)| fields(tool, it, &shared)).collect();
        let average = average_length(&fields);
        let mut postings: IndexMap<String, Posting> = IndexMap::new();
        for (tool, fields) in fields.iter().enumerate() {
            for (stem, frequency, in_name) in frequencies(fields, average) {
                let hits = &mut postings.entry(stem).or_default().hits;
                hits.push(ToolHit { tool, weight: frequency, in_name });
            }
        }
        weigh(&mut postings, tools.len());
        let unknown = rarity(0, tools.len());
        let inquiry = Inquiry::of(tools, &indexed);
        Self { tools: indexed, inquiry, postings, unknown }
    }

    /// How rare a word is among the tools; one that no tool has is the rarest.
    pub(super) fn rarity(&self, stem: &str) -> f32 {
        self.postings.get(stem).map_or(self.unknown, |posting| posting.rarity)
    }

    /// What a word, or a synonym of it, says about each tool; `evidence` has a place for each.
    pub(super) fn consult(&self, stem: &str, evidence: &mut [WordEvidence]) {
        evidence.fill(WordEvidence::default());
        self.note(stem, 1.0, evidence);
        for other in synonyms(stem) {
            self.note(other, SYNONYM_WEIGHT, evidence);
        }
    }

    fn note(&self, stem: &str, share: f32, evidence: &mut [WordEvidence]) {
        let Some(posting) = self.postings.get(stem) else { return };
        for hit in &posting.hits {
            let known = &mut evidence[hit.tool];
            if share * hit.weight > known.weight {
                *known = WordEvidence { weight: share * hit.weight, in_name: hit.in_name };
            }
        }
    }
}

struct IndexField {
    weight: f32,
    stems: Vec<String>,
    is_name: bool,
}

/// Words that begin the names of at least half of the tools (`Hass…`) tell none of them apart.
fn shared_prefix_words(tools: &[Tool]) -> Vec<String> {
    let mut counts: HashMap<String, usize> = HashMap::new();
    for tool in tools {
        for word in identifier_words(&tool.name).into_iter().take(3) {
            *counts.entry(word).or_default() += 1;
        }
    }
    let mut shared: Vec<String> =
        counts.into_iter().filter(|(_, n)| *n >= 3 && *n * 2 >= tools.len()).map(|c| c.0).collect();
    shared.sort();
    shared
}

fn fields(tool: &Tool, indexed: &IndexedTool, shared: &[String]) -> Vec<IndexField> {
    let name = identifier_words(&tool.name);
    let own = |word: &&String| !shared.contains(*word) && !is_stop(word);
    let mut parameters = Vec::new();
    let mut choices = Vec::new();
    for parameter in &indexed.parameters {
        parameters.extend(parameter.stems.iter().cloned());
        parameters.extend(parameter.hints.iter().cloned());
        collect_choices(&parameter.kind, &mut choices);
    }
    let field = |weight, stems, is_name| IndexField { weight, stems, is_name };
    vec![
        field(NAME_WEIGHT, name.iter().filter(own).map(|w| stem(w).into_owned()).collect(), true),
        field(DESCRIPTION_WEIGHT, content_stems(&tool.description), false),
        field(PARAMETER_WEIGHT, parameters, false),
        field(CHOICE_WEIGHT, choices, false),
    ]
}

fn collect_choices(kind: &ParameterKind, into: &mut Vec<String>) {
    match kind {
        ParameterKind::Choice(choices) => {
            into.extend(choices.iter().flat_map(|EnumValue { stems, .. }| stems.iter().cloned()));
        }
        ParameterKind::List(items) => collect_choices(items, into),
        ParameterKind::Either(kinds) => kinds.iter().for_each(|kind| collect_choices(kind, into)),
        _ => {}
    }
}

#[expect(clippy::cast_precision_loss, reason = "lengths of descriptions are small numbers")]
fn length(fields: &[IndexField]) -> f32 {
    fields.iter().map(|field| field.weight * field.stems.len() as f32).sum()
}

#[expect(clippy::cast_precision_loss, reason = "numbers of tools are small numbers")]
fn average_length(fields: &[Vec<IndexField>]) -> f32 {
    let total: f32 = fields.iter().map(|fields| length(fields)).sum();
    (total / fields.len().max(1) as f32).max(1.0)
}

/// Each word of a tool with its saturated frequency, in order of first appearance.
fn frequencies(fields: &[IndexField], average: f32) -> Vec<(String, f32, bool)> {
    let mut counts: Vec<(String, f32, bool)> = Vec::new();
    let mut places: HashMap<&str, usize> = HashMap::new();
    for field in fields {
        for stem in &field.stems {
            let place = *places.entry(stem).or_insert_with(|| {
                counts.push((stem.clone(), 0.0, field.is_name));
                counts.len() - 1
            });
            counts[place].1 += field.weight;
        }
    }
    let norm = K1 * (1.0 - B + B * length(fields) / average);
    for (_, count, _) in &mut counts {
        *count = *count * (K1 + 1.0) / (*count + norm);
    }
    counts
}

fn weigh(postings: &mut IndexMap<String, Posting>, tools: usize) {
    for posting in postings.values_mut() {
        posting.rarity = rarity(posting.hits.len(), tools);
        for hit in &mut posting.hits {
            hit.weight *= posting.rarity;
        }
    }
}

/// BM25's inverse document frequency, in the form that is never negative.
#[expect(clippy::cast_precision_loss, reason = "numbers of tools are small numbers")]
fn rarity(having: usize, of: usize) -> f32 {
    let (having, of) = (having as f32, of as f32);
    (1.0 + (of - having + 0.5) / (having + 0.5)).ln()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn tool(name: &str, description: &str) -> Tool {
        Tool { name: name.into(), description: description.into(), parameters: json!({}) }
    }

    fn best(tools: &[Tool], word: &str) -> String {
        let index = ToolIndex::new(tools);
        let mut evidence = vec![WordEvidence::default(); tools.len()];
        index.consult(&stem(word), &mut evidence);
        let top =
            (0..tools.len()).max_by(|a, b| evidence[*a].weight.total_cmp(&evidence[*b].weight));
        index.tools[top.unwrap()].name.clone()
    }

    #[test]
    fn a_word_of_the_name_outweighs_one_of_the_description() {
        let tools = [
            tool("send_mail", "Sends a letter, not an invoice"),
            tool("pay_invoice", "Pays what is due"),
            tool("nap", "Sleeps"),
        ];
        assert_eq!(best(&tools, "invoices"), "pay_invoice");
        assert_eq!(best(&tools, "letter"), "send_mail");
        assert_eq!(best(&tools, "email"), "send_mail");
    }

    #[test]
    fn a_prefix_that_all_names_share_is_ignored() {
        let tools = [tool("HassNap", "Naps"), tool("HassEat", "Eats"), tool("HassRun", "Runs")];
        assert!(!ToolIndex::new(&tools).postings.contains_key("hass"));
    }
}
