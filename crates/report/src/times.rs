//! How long trials took, and how fast tokens came.

use std::time::Duration;

use indexmap::IndexMap;
use serde::Serialize;
use toolgauge_log::TrialSummary;
use toolgauge_stats::percentile_of_sorted;

/// How long trials took, in seconds, the parts told apart.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Latencies {
    /// From sending a request to the end of its answer, all turns together.
    pub total: Option<Percentiles>,
    /// To the first token, where answers were streamed.
    pub first_token: Option<Percentiles>,
    /// What people wait for, where some of it is known beyond the total.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub waits: Option<PersonWaits>,
    /// Waiting for a free place or between attempts.
    pub queued: Option<Percentiles>,
    /// In the subject itself, without the tools it called meanwhile. This, the tools and the rest are
    /// those of the same trials: all whose tools' time is known, and without calls nothing is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub own: Option<Percentiles>,
    /// In each tool, all its calls of a trial together; 0 in a trial that did not call it.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    pub tools: IndexMap<String, Percentiles>,
    /// Neither waiting, nor in the subject, nor in a tool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rest: Option<Percentiles>,
}

/// What a person waits for after a command, with the prompt in the server's cache and without.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct PersonWaits {
    /// To the first word that is said, where answers were streamed.
    pub first_word: Option<Percentiles>,
    /// To the end of the last call.
    pub last_act: Option<Percentiles>,
    /// To the first word, if the server had to read the whole prompt before.
    pub cold_first_word: Option<Percentiles>,
    /// To the end of the last call, if the server had to read the whole prompt before.
    pub cold_last_act: Option<Percentiles>,
    /// To the end of the answer, if the server had to read the whole prompt before.
    pub cold_total: Option<Percentiles>,
}

/// Percentiles of a time, in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Percentiles {
    /// The median.
    pub p50: f64,
    /// Nine in ten are faster.
    pub p90: f64,
    /// Nineteen in twenty are faster.
    pub p95: f64,
    /// Ninety-nine in a hundred are faster.
    pub p99: f64,
}

/// Tokens a second, as the server reports them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Speed {
    /// While reading the prompt.
    pub prompt: Option<f64>,
    /// While writing the answer.
    pub generated: Option<f64>,
}

/// The times of trials as they come in.
#[derive(Clone, Debug, Default)]
pub(crate) struct TrialDurations {
    first_token: Vec<f64>,
    warm: WaitDurations,
    cold: WaitDurations,
    queued: Vec<f64>,
    own: Vec<f64>,
    tools: IndexMap<String, Vec<f64>>,
    rest: Vec<f64>,
    prompt_speed: Vec<f64>,
    generated_speed: Vec<f64>,
}

/// What people waited for, in seconds.
#[derive(Clone, Debug, Default)]
struct WaitDurations {
    first_word: Vec<f64>,
    last_act: Vec<f64>,
    total: Vec<f64>,
}

impl WaitDurations {
    /// Takes one trial into account, with so much time before everything else.
    fn add(&mut self, trial: &TrialSummary, before: Duration) {
        let times = &trial.timings;
        let waited =
            |time: Option<Duration>| time.map(|time| before.saturating_add(time).as_secs_f64());
        self.first_word.extend(waited(times.first_word));
        self.last_act.extend(waited(times.last_act));
        self.total.extend(waited(trial.latency()));
    }
}

impl TrialDurations {
    /// Takes the times of one trial into account.
    pub(crate) fn add(&mut self, trial: &TrialSummary) {
        if trial.turns > 0 {
            self.queued.push(trial.timings.queued.as_secs_f64());
        }
        self.first_token
            .extend(trial.timings.first_token.map(|first: Duration| first.as_secs_f64()));
        self.warm.add(trial, Duration::ZERO);
        if let Some(cold) = trial.timings.cold_prompt {
            self.cold.add(trial, cold);
        }
        self.add_tools(trial);
        if let Some(server) = trial.server {
            self.prompt_speed.extend(server.prompt_per_second);
            self.generated_speed.extend(server.generated_per_second);
        }
    }

    fn add_tools(&mut self, trial: &TrialSummary) {
        let Some(latency) = trial.latency() else { return };
        // Where calls were made and no time is known, the tools' share of the time is not either.
        if trial.tool_times.is_empty() && trial.calls > 0 {
            return;
        }
        let within = trial.tool_times.iter().filter(|tool| tool.within_turn);
        let within = within.fold(Duration::ZERO, |sum, tool| sum.saturating_add(tool.time));
        self.own.push(latency.saturating_sub(within).as_secs_f64());
        let mut known = trial.timings.total.saturating_add(trial.timings.queued);
        for tool in &trial.tool_times {
            known = known.saturating_add(tool.on_top());
            self.tools.entry(tool.tool.clone()).or_default().push(tool.time.as_secs_f64());
        }
        // A clock that was set back during the trial makes it end before its start.
        let all = Duration::try_from(trial.ended.duration_since(trial.started));
        let rest = all.unwrap_or_default().saturating_sub(known);
        self.rest.push(rest.as_secs_f64());
    }

    /// How long trials took, the parts told apart.
    pub(crate) fn latencies(&self) -> Latencies {
        // All parts are those of the same trials, or they would not be parts of one time.
        let tool = |(tool, times): (&String, &Vec<f64>)| {
            let mut times = times.clone();
            times.resize(self.own.len(), 0.0);
            Some((tool.clone(), percentiles(&times)?))
        };
        let is_split = !self.tools.is_empty();
        let part = |times: &[f64]| percentiles(times).filter(|_| is_split);
        let mut tools: IndexMap<String, Percentiles> = self.tools.iter().filter_map(tool).collect();
        tools.sort_keys();
        Latencies {
            total: self.total(),
            first_token: percentiles(&self.first_token),
            waits: self.waits(),
            // Below a millisecond nobody waited: so long takes passing through the queue.
            queued: percentiles(&self.queued).filter(|queued| queued.p99 >= 0.001),
            own: part(&self.own),
            tools,
            rest: part(&self.rest),
        }
    }

    /// What people waited for. The last act alone is left out: without a first word or a prompt
    /// to read it says little more than the total.
    fn waits(&self) -> Option<PersonWaits> {
        let waits = PersonWaits {
            first_word: percentiles(&self.warm.first_word),
            last_act: percentiles(&self.warm.last_act),
            cold_first_word: percentiles(&self.cold.first_word),
            cold_last_act: percentiles(&self.cold.last_act),
            cold_total: percentiles(&self.cold.total),
        };
        Some(waits).filter(|waits| waits.first_word.is_some() || waits.cold_total.is_some())
    }

    /// How long trials took, all parts together.
    pub(crate) fn total(&self) -> Option<Percentiles> {
        percentiles(&self.warm.total)
    }

    /// Tokens a second, median over trials.
    pub(crate) fn speed(&self) -> Speed {
        Speed {
            prompt: percentiles(&self.prompt_speed).map(|speed| speed.p50),
            generated: percentiles(&self.generated_speed).map(|speed| speed.p50),
        }
    }
}

/// The percentiles of times in any order; `None` if there are none.
pub(crate) fn percentiles(times: &[f64]) -> Option<Percentiles> {
    let mut sorted = times.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let at = |share| percentile_of_sorted(&sorted, share);
    Some(Percentiles { p50: at(0.50)?, p90: at(0.90)?, p95: at(0.95)?, p99: at(0.99)? })
}

#[cfg(test)]
mod tests {
    use jiff::{SignedDuration, Timestamp};
    use toolgauge_core::{CaseId, StopReason, Tags, Timings, ToolTime, TrialId, Usage};

    use super::*;

    /// A trial of so many seconds whose tools took theirs within it.
    fn trial(seconds: u64, tools: &[(&str, u64)], calls: u32) -> TrialSummary {
        let tool = |(tool, seconds): &(&str, u64)| ToolTime {
            tool: (*tool).to_owned(),
            time: Duration::from_secs(*seconds),
            within_turn: true,
        };
        TrialSummary {
            id: TrialId { case: CaseId::new("c"), trial: 1 },
            sentence: String::new(),
            tags: Tags::default(),
            group: None,
            gold: None,
            started: Timestamp::UNIX_EPOCH,
            ended: Timestamp::UNIX_EPOCH + SignedDuration::from_secs(seconds.cast_signed()),
            outcomes: IndexMap::new(),
            failure: None,
            timings: Timings { total: Duration::from_secs(seconds), ..Timings::default() },
            server: None,
            usage: Usage::default(),
            stop: StopReason::Stop,
            turns: 1,
            attempts: 1,
            repeated: Vec::new(),
            calls,
            oddities: Vec::new(),
            tool_times: tools.iter().map(tool).collect(),
            result_tokens: 0,
            violations: Vec::new(),
        }
    }

    fn latencies(trials: &[TrialSummary]) -> Latencies {
        let mut durations = TrialDurations::default();
        for trial in trials {
            durations.add(trial);
        }
        durations.latencies()
    }

    #[expect(clippy::float_cmp, reason = "whole seconds")]
    #[test]
    fn all_parts_of_the_time_are_those_of_the_same_trials() {
        // The first two call another tool each, and the third none.
        let found = latencies(&[
            trial(5, &[("search", 4)], 1),
            trial(3, &[("ask", 2)], 1),
            trial(1, &[], 0),
        ]);
        assert_eq!(found.total.unwrap().p50, 3.0);
        assert_eq!(found.own.unwrap().p50, 1.0);
        // In most trials neither tool was called.
        assert_eq!([found.tools["search"].p50, found.tools["ask"].p50], [0.0, 0.0]);
        assert!(found.tools["search"].p99 > 3.9);
    }

    #[test]
    fn a_trial_whose_tools_took_nobody_knows_how_long_is_no_part_of_the_split() {
        let known = trial(5, &[("search", 4)], 1);
        let unknown = trial(60, &[], 2);
        let own = latencies(&[known.clone(), unknown.clone()]).own;
        assert_eq!(own, latencies(&[known]).own);
        assert_eq!(latencies(&[unknown, trial(1, &[], 0)]).own, None, "there is nothing to split");
    }
}
