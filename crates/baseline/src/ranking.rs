//! Which tool a part of a request means, and how sure that is.

use super::fill::{Filled, Use, fill};
use super::index::{ToolIndex, WordEvidence};
use super::names::Names;
use super::part::RequestPart;

/// How many of the best-sounding tools are tried out.
const TRIED: usize = 6;

/// Words of names and what a named thing's record says count less than the rest: they say what
/// is meant, not what to do with it.
const NAME_SHARE: f32 = 0.3;
const RECORD_SHARE: f32 = 0.35;

/// A question goes to a tool that looks something up, an order to one that acts.
const WRONG_MOOD: f32 = 0.35;
const ASKED_TO_READ: f32 = 0.6;

/// How much of what was said must be understood for a call to be made.
const LEAST_UNDERSTOOD: f32 = 0.5;

/// The same for a call without arguments to a tool that could have some.
const LEAST_UNDERSTOOD_BARE: f32 = 0.8;

/// How well a word in a free text counts as understood: one that was marked as such, and one
/// that was merely left over.
const TEXT_UNDERSTOOD: f32 = 0.8;
const LEFTOVER_UNDERSTOOD: f32 = 0.4;

/// How far a tool that is sure may fall behind one that sounds better but is not.
const SURE_SHARE: f32 = 0.4;

/// A tool chosen for a part, with its arguments.
#[derive(Debug)]
pub(super) struct Ranked {
    /// Which of the index's tools it is.
    pub(super) tool: usize,
    /// Its arguments and what became of the words.
    pub(super) filled: Filled,
    /// How well it fits.
    score: f32,
    /// Which share of what was said is understood.
    understood: f32,
    /// Whether a word that is no name speaks for the tool.
    called_for: bool,
    /// Whether such a word stands in the tool's name or is the verb of the order.
    pub(super) named: bool,
    /// Whether the tool has no parameters.
    takes_nothing: bool,
}

impl Ranked {
    /// Whether it is sure enough to be called.
    fn is_sure(&self, part: &RequestPart<'_>) -> bool {
        let Filled { arguments, uses, missing, required } = &self.filled;
        let guessed = uses.contains(&Use::Leftover);
        let meant = self.called_for || (part.asks && !arguments.is_empty() && !guessed);
        let least = if self.takes_nothing || !arguments.is_empty() {
            LEAST_UNDERSTOOD
        } else {
            LEAST_UNDERSTOOD_BARE
        };
        meant && (*required == 0 || missing < required) && self.understood >= least
    }
}

/// What the words of a part say about each tool.
struct ToolScores {
    scores: Vec<f32>,
    evidence: Vec<Vec<WordEvidence>>,
}

/// The tool that fits a part best and is sure enough to be called.
pub(super) fn best_tool(
    index: &ToolIndex,
    part: &RequestPart<'_>,
    names: &Names,
) -> Option<Ranked> {
    let by_tool = score_tools(index, part, names);
    let mut order: Vec<usize> = (0..index.tools.len()).collect();
    order.sort_by(|&a, &b| by_tool.scores[b].total_cmp(&by_tool.scores[a]).then(a.cmp(&b)));
    let mut highest = 0.0_f32;
    let mut best: Option<Ranked> = None;
    for tool in order.into_iter().take(TRIED).filter(|&tool| by_tool.scores[tool] > 0.0) {
        let ranked = try_tool(index, part, names, &by_tool, tool);
        highest = highest.max(ranked.score);
        // A tool that sounds better but is not sure gives way to one that is.
        let better = best.as_ref().is_none_or(|best| ranked.score > best.score);
        if better && ranked.is_sure(part) {
            best = Some(ranked);
        }
    }
    // But not to one that hardly fits: then the request is not understood.
    best.filter(|best| best.score >= SURE_SHARE * highest)
}

/// The given tool for a part that has no verb of its own: `and the bedroom fan`.
pub(super) fn carried_tool(
    index: &ToolIndex,
    part: &RequestPart<'_>,
    names: &Names,
    tool: usize,
) -> Ranked {
    let by_tool = score_tools(index, part, names);
    try_tool(index, part, names, &by_tool, tool)
}

fn score_tools(index: &ToolIndex, part: &RequestPart<'_>, names: &Names) -> ToolScores {
    let count = index.tools.len();
    let belongs = part.belongs_to_value();
    let mut scores = vec![0.0; count];
    let mut evidence = vec![vec![WordEvidence::default(); count]; part.words.len()];
    for (at, word) in part.words.iter().enumerate().filter(|(_, word)| !word.stop) {
        index.consult(&word.stem, &mut evidence[at]);
        let share = if belongs[at] { NAME_SHARE } else { 1.0 };
        add(&mut scores, &evidence[at], share);
    }
    add_record(index, part, names, &mut scores);
    for (score, tool) in scores.iter_mut().zip(&index.tools) {
        if part.asks && tool.reads {
            *score += ASKED_TO_READ * index.rarity("");
        } else if part.asks != tool.reads {
            *score *= WRONG_MOOD;
        }
    }
    ToolScores { scores, evidence }
}

fn add(scores: &mut [f32], evidence: &[WordEvidence], share: f32) {
    for (score, evidence) in scores.iter_mut().zip(evidence) {
        *score += share * evidence.weight;
    }
}

/// What the record of the surest name says (`domain: fan`) speaks for tools of that kind.
fn add_record(index: &ToolIndex, part: &RequestPart<'_>, names: &Names, scores: &mut [f32]) {
    let Some(mention) = part.mentions.iter().find(|mention| mention.key == "name") else { return };
    let Some(kind) = names.field(mention.record, "domain") else { return };
    let mut evidence = vec![WordEvidence::default(); scores.len()];
    for stem in super::words::identifier_stems(kind) {
        index.consult(&stem, &mut evidence);
        add(scores, &evidence, RECORD_SHARE);
    }
}

fn try_tool(
    index: &ToolIndex,
    part: &RequestPart<'_>,
    names: &Names,
    by_tool: &ToolScores,
    tool: usize,
) -> Ranked {
    let evidence: Vec<WordEvidence> = by_tool.evidence.iter().map(|of| of[tool]).collect();
    let named: Vec<bool> = evidence.iter().map(|evidence| evidence.in_name).collect();
    let filled = fill(&index.tools[tool], part, names, &named);
    let understood = understood(index, part, &evidence, &filled);
    let belongs = part.belongs_to_value();
    let speaks = |at: usize| !belongs[at] && !matches!(filled.uses[at], Use::Text | Use::Leftover);
    let called_for = (0..evidence.len()).any(|at| speaks(at) && evidence[at].weight > 0.0);
    let in_name = (0..evidence.len()).any(|at| speaks(at) && evidence[at].in_name);
    let by_verb = part.verb().is_some_and(|at| evidence[at].weight > 0.0);
    let score = by_tool.scores[tool] * completeness(&filled) * (0.3 + 0.7 * understood);
    let takes_nothing = index.tools[tool].parameters.is_empty();
    Ranked { tool, filled, score, understood, called_for, named: in_name || by_verb, takes_nothing }
}

/// What is missing tells against a tool; what it can take tells a little for it.
#[expect(clippy::cast_precision_loss, reason = "tools have few parameters")]
fn completeness(filled: &Filled) -> f32 {
    let lacks = filled.missing as f32 / filled.required.max(1) as f32;
    (1.0 - 0.65 * lacks) * (1.0 + 0.1 * filled.arguments.len() as f32)
}

/// The share of what was said, weighed by rarity, that the tool or its arguments account for.
fn understood(
    index: &ToolIndex,
    part: &RequestPart<'_>,
    evidence: &[WordEvidence],
    filled: &Filled,
) -> f32 {
    let (mut said, mut grasped) = (0.0, 0.0);
    for (at, word) in part.words.iter().enumerate().filter(|(_, word)| !word.stop) {
        let weight = index.rarity(&word.stem);
        said += weight;
        grasped += weight
            * match filled.uses[at] {
                Use::Value => 1.0,
                Use::Text => TEXT_UNDERSTOOD,
                Use::Leftover => LEFTOVER_UNDERSTOOD,
                Use::Open | Use::Tool if evidence[at].weight > 0.0 => 1.0,
                Use::Open | Use::Tool => 0.0,
            };
    }
    if said == 0.0 { 0.0 } else { grasped / said }
}
