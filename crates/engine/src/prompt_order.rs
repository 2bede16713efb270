//! The order of trials that lets a llama.cpp server read each prompt as seldom as possible.
//!
//! A slot keeps only what it read last. Trials that begin alike therefore follow each other, and
//! variants come one after the other unless each can have slots of its own.

use std::cmp::Ordering;
use std::num::NonZeroUsize;
use std::sync::Arc;

use toolgauge_core::Briefing;
use toolgauge_runner::{Job, Plan};

/// Puts the trials of a plan in that order, for a server of so many slots.
///
/// A run that is interrupted has then seen some variants and tiers and not others, which costs
/// less than reading thousands of tokens before every trial.
pub(crate) fn arrange(plan: &mut Plan, slots: usize, at_once: NonZeroUsize) {
    // With fewer slots two variants that take turns would push each other's prompt out.
    let in_turns = slots >= plan.arms.len().saturating_mul(at_once.get());
    let arm = |job: &Job| if in_turns { 0 } else { job.arm };
    // The sort is stable: trials of one prompt keep their order, all cases once before any twice.
    plan.jobs.sort_by(|a, b| arm(a).cmp(&arm(b)).then_with(|| compare(&a.briefing, &b.briefing)));
}

/// Puts prompts that begin alike beside each other: by their words, and by their tools where the
/// words are the same. In that order the parts that neighbours share are as long as they can be.
pub(crate) fn compare(a: &Arc<Briefing>, b: &Arc<Briefing>) -> Ordering {
    // Most prompts of a run are the same one, and long.
    if Arc::ptr_eq(a, b) {
        return Ordering::Equal;
    }
    let tools = || a.tools.iter().map(|tool| &tool.name).cmp(b.tools.iter().map(|tool| &tool.name));
    a.system.cmp(&b.system).then_with(tools)
}
