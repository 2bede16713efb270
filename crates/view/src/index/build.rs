//! Puts trials into columns, one after another.

use indexmap::{IndexMap, IndexSet};
use toolgauge_core::{Cause, Outcome, Verdict};
use toolgauge_log::TrialSummary;
use toolgauge_report::Thresholds;

use super::column::TrialColumn;
use super::texts::row;
use super::{DimensionColumn, FailurePattern, TagColumn, TrialIndex, TrialRow, bit};

/// The most tags, dimensions and values of a tag that get a column or a place in one: what a
/// hostile log has beyond that cannot be filtered by.
const MOST_TAGS: usize = 64;
const MOST_VALUES: usize = 100_000;
const MOST_PATTERNS: usize = 5_000;
/// No value.
const NONE: u32 = u32::MAX;

/// Puts trials into columns.
#[derive(Debug)]
pub(crate) struct IndexBuilder {
    index: TrialIndex,
    /// What graded questions are held to.
    graded: Thresholds,
    tags: IndexMap<String, TagColumn>,
    dimensions: IndexMap<String, DimensionColumn>,
    patterns: IndexMap<(Cause, String), FailurePattern>,
}

impl IndexBuilder {
    /// For trials in whatever order they come, behind those that an index has already.
    pub(crate) fn behind(mut index: TrialIndex, graded: Thresholds) -> Self {
        let tags = std::mem::take(&mut index.tags).into_iter();
        let dimensions = std::mem::take(&mut index.dimensions).into_iter();
        let patterns = std::mem::take(&mut index.patterns).into_iter();
        Self {
            index,
            graded,
            tags: tags.map(|column| (column.name.clone(), column)).collect(),
            dimensions: dimensions.map(|column| (column.name.clone(), column)).collect(),
            patterns: patterns
                .map(|pattern| ((pattern.cause, pattern.place.clone()), pattern))
                .collect(),
        }
    }

    /// Adds one trial, whose case has this place in the plan.
    pub(crate) fn add(&mut self, trial: &TrialSummary, place: Option<usize>) {
        let at = self.index.len();
        let value = trial.outcome().and_then(Outcome::value);
        let index = &mut self.index;
        let case = trial.id.case.as_str();
        index.cases.push(case);
        index.sentences.push(&trial.sentence);
        let (name, sentence) = (case.to_lowercase(), trial.sentence.to_lowercase());
        index.folded.push_parts(&[&name, "\n", &sentence]);
        index.trials.push(trial.id.trial);
        let scorer = trial.outcomes.keys().next().map_or("", String::as_str);
        index.marks.push(Thresholds::of_scorer(scorer, self.graded).standing(value));
        index.values.push(narrow(value.unwrap_or(0.0)));
        let total = trial.latency().map_or(-1.0, |total| total.as_secs_f64());
        index.latencies.push(narrow(total));
        let usage = trial.usage;
        let tokens = usage.input.unwrap_or(0).saturating_add(usage.output.unwrap_or(0));
        index.tokens.push(u32::try_from(tokens).unwrap_or(u32::MAX));
        index.calls.push(u16::try_from(trial.calls).unwrap_or(u16::MAX));
        index.places.push(place.map_or(NONE, row));
        let causes = self.add_losses(row(at), trial);
        self.index.causes.push(causes);
        self.add_tags(at, trial);
        self.add_dimensions(at, trial);
    }

    /// Notes the losses of the judgement that counts.
    fn add_losses(&mut self, at: TrialRow, trial: &TrialSummary) -> u64 {
        let Some(scorer) = trial.outcomes.keys().next() else { return 0 };
        let mut bits = 0;
        let mut seen = Vec::new();
        for loss in trial.losses_by(scorer) {
            bits |= bit(loss.cause);
            let key = (loss.cause, place(loss));
            let known = self.patterns.get_index_of(&key);
            let Some(number) = known.or_else(|| self.new_pattern(key, at)) else { continue };
            let pattern = &mut self.patterns[number];
            pattern.points += loss.points;
            let number = u16::try_from(number).expect("patterns are limited");
            if !seen.contains(&number) {
                seen.push(number);
                pattern.trials += 1;
                self.index.shown.push((at, number));
            }
        }
        bits
    }

    fn new_pattern(&mut self, key: (Cause, String), at: TrialRow) -> Option<usize> {
        if self.patterns.len() >= MOST_PATTERNS {
            return None;
        }
        let (cause, place) = (key.0, key.1.clone());
        let pattern = FailurePattern { cause, place, trials: 0, points: 0.0, example: at };
        Some(self.patterns.insert_full(key, pattern).0)
    }

    fn add_tags(&mut self, at: usize, trial: &TrialSummary) {
        for (name, value) in &trial.tags {
            if !self.tags.contains_key(name) {
                if self.tags.len() >= MOST_TAGS {
                    continue;
                }
                let column = TagColumn {
                    name: name.clone(),
                    values: IndexSet::new(),
                    of: TrialColumn::default(),
                };
                self.tags.insert(name.clone(), column);
            }
            let column = &mut self.tags[name];
            column.of.fill_up(at, NONE);
            let place = match column.values.get_index_of(value) {
                Some(place) => row(place),
                None if column.values.len() >= MOST_VALUES => NONE,
                None => row(column.values.insert_full(value.clone()).0),
            };
            column.of.push(place);
        }
    }

    /// Notes the verdicts of every scorer. Where two judge the same, one that is wrong can be
    /// looked for.
    fn add_dimensions(&mut self, at: usize, trial: &TrialSummary) {
        let mut verdicts: IndexMap<&str, Verdict> = IndexMap::new();
        let scores = trial.outcomes.values().filter_map(Outcome::score);
        for (dimension, verdict) in scores.flat_map(|score| &score.dimensions) {
            let known = verdicts.entry(dimension.as_str()).or_insert(*verdict);
            if *verdict == Verdict::Incorrect || *known == Verdict::NotApplicable {
                *known = *verdict;
            }
        }
        for (name, verdict) in verdicts {
            if !self.dimensions.contains_key(name) {
                if self.dimensions.len() >= MOST_TAGS {
                    continue;
                }
                let column = DimensionColumn { name: name.to_owned(), of: TrialColumn::default() };
                self.dimensions.insert(name.to_owned(), column);
            }
            let column = &mut self.dimensions[name];
            column.of.fill_up(at, None);
            column.of.push(Some(verdict));
        }
    }

    /// The index, once all trials are in.
    pub(crate) fn finish(self) -> TrialIndex {
        let mut index = self.index;
        let count = index.len();
        // Those that an index had already are in order: a stable sort only puts the new ones in.
        let mut order = std::mem::take(&mut index.order);
        order.extend(row(order.len())..row(count));
        order.sort_by(|a, b| {
            let key = |at: &TrialRow| {
                let at = *at as usize;
                let place = index.places[at];
                (place, if place == NONE { index.cases.get(at) } else { "" }, index.trials[at])
            };
            key(a).cmp(&key(b))
        });
        index.order = order;
        index.tags = self.tags.into_values().collect();
        index.dimensions = self.dimensions.into_values().collect();
        index.tags.iter_mut().for_each(|column| column.of.fill_up(count, NONE));
        index.dimensions.iter_mut().for_each(|column| column.of.fill_up(count, None));
        index.patterns = self.patterns.into_values().collect();
        index
    }
}

/// Where a loss happened: the tool, and the argument without its place in a list.
fn place(loss: &toolgauge_core::Loss) -> String {
    let path = loss.path.without_positions();
    match (&loss.tool, path.is_empty()) {
        (Some(tool), true) => tool.clone(),
        (Some(tool), false) => format!("{tool}.{path}"),
        (None, _) => path,
    }
}

#[expect(clippy::cast_possible_truncation, reason = "shown with three digits")]
fn narrow(value: f64) -> f32 {
    value as f32
}
