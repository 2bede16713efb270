//! A sample's line in the list of summaries, out and in.

use std::borrow::Cow;

use serde::Deserialize;
use toolgauge_core::{CaseId, Outcome, Run, Tags, TrialId};

use super::event::{ModelUsage, field, value};
use super::lenient::{OWN_RECORD, Tagged, Text};
use super::record::{SummaryExtras, insert_unscored};
use super::sample::{Metadata, OneEntry, Particulars};
use super::score::{OwnScores, ScoredAnswer, Scores};
use super::target::shortened_line;
use super::wording::{Iso, dimension_score};
use crate::TrialSummary;

/// What a summary says beside what toolgauge's own record holds.
pub(crate) struct Beside<'a> {
    pub(crate) run: &'a Run,
    pub(crate) model: &'a str,
    pub(crate) particulars: &'a Particulars,
    pub(crate) messages: usize,
}

/// Appends the summary as JSON.
pub(crate) fn write_summary(out: &mut Vec<u8>, summary: &TrialSummary, beside: &Beside<'_>) {
    out.extend_from_slice(b"{\"id\":");
    value(out, &summary.id.case);
    field(out, "epoch", &summary.id.trial);
    field(out, "input", &summary.sentence);
    field(out, "target", &shortened_line(&beside.particulars.target));
    let extras = SummaryExtras::of(summary);
    field(out, "metadata", &Metadata { tags: &summary.tags, extras: &extras });
    let answer = shortened_line(&beside.particulars.answer);
    let answer = ScoredAnswer::WithFirst(&answer);
    let scores = Scores { run: beside.run, outcomes: &summary.outcomes, answer };
    field(out, "scores", &scores);
    field(out, "model_usage", &OneEntry(beside.model, ModelUsage::from(summary.usage)));
    field(out, "started_at", &Iso(summary.started));
    field(out, "completed_at", &Iso(summary.ended));
    let total = summary.ended.duration_since(summary.started);
    field(out, "total_time", &total.as_secs_f64());
    field(out, "working_time", &summary.timings.total.as_secs_f64());
    field(out, "uuid", &beside.particulars.uuid);
    if let Some(error) = &beside.particulars.error {
        field(out, "error", error);
    }
    field(out, "retries", &summary.attempts.saturating_sub(summary.turns));
    field(out, "message_count", &beside.messages);
    out.extend_from_slice(b",\"completed\":true,\"role_usage\":{}}");
}

/// A summary toolgauge wrote, as read.
#[derive(Debug, Deserialize)]
pub(crate) struct SummaryRecord<'a> {
    id: Text,
    epoch: u32,
    #[serde(default)]
    input: Text,
    #[serde(default, borrow)]
    metadata: Tagged<'a, SummaryExtras>,
    #[serde(default, borrow)]
    scores: Option<OwnScores<'a>>,
}

impl SummaryRecord<'_> {
    /// The id of the sample and its epoch, which together name the trial.
    pub(crate) fn trial(&self) -> (&str, u32) {
        (&self.id.0, self.epoch)
    }

    /// The summary; `None` where toolgauge's record is missing.
    pub(crate) fn into_summary(self) -> Option<TrialSummary> {
        let own = self.metadata.own?;
        let tags = self.metadata.tags.into_iter();
        let mut tags: Tags = tags.map(|(name, tag)| (name.into(), tag.into())).collect();
        if let Some(tag) = own.tag {
            tags.insert(OWN_RECORD.into(), tag);
        }
        let mut outcomes = self.scores.unwrap_or_default().into_outcomes();
        insert_unscored(&mut outcomes, own.unscored, Outcome::Unscored);
        Some(TrialSummary {
            id: TrialId { case: CaseId::new(self.id.0), trial: self.epoch },
            sentence: self.input.0,
            tags,
            group: own.group,
            gold: own.gold,
            started: own.started,
            ended: own.ended,
            outcomes,
            failure: own.failure,
            timings: own.timings,
            server: own.server,
            usage: own.usage.into(),
            stop: own.stop,
            turns: own.turns,
            attempts: own.attempts,
            repeated: own.repeated,
            calls: own.calls,
            oddities: own.oddities,
            tool_times: own.tool_times,
            result_tokens: own.result_tokens,
            violations: own.violations,
        })
    }
}

/// The scores of a summary that are numbers, by the name they have in the log: those of the
/// scorers, then those of the dimensions that were judged.
pub(crate) fn values<'a>(run: &Run, summary: &'a TrialSummary) -> Vec<(Cow<'a, str>, bool, f64)> {
    let mut values = Vec::with_capacity(8);
    for (scorer, score) in super::score::finite(&summary.outcomes) {
        values.push((Cow::Borrowed(scorer), false, score.value));
    }
    for (scorer, score) in super::score::finite(&summary.outcomes) {
        for (dimension, verdict) in &score.dimensions {
            let worth = match verdict {
                toolgauge_core::Verdict::Correct => 1.0,
                toolgauge_core::Verdict::Incorrect => 0.0,
                toolgauge_core::Verdict::NotApplicable => continue,
            };
            values.push((dimension_score(run, scorer, dimension), true, worth));
        }
    }
    values
}
