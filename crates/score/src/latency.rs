//! The latency scorer: was the answer there in time, and where did the time go?

use std::time::Duration;

use indexmap::IndexMap;
use serde_json::json;
use toolgauge_core::{
    Case, Cause, Dimension, FailedAttempt, FailureKind, Loss, Measure, Outcome, Score, Transcript,
    Turn, UnscoredReason, Verdict,
};

use crate::tool_call::unscored;

/// Judges whether an answer was there within the seconds its case allows: 1 if so, 0 if not.
///
/// What counts is the time of the subject and of the tools, tries included that came to nothing;
/// waiting for a free place is the doing of whoever runs the suite, and is measured apart. Where a
/// case allows no time in particular, there is nothing to judge. An answer that did not come in
/// the time of the trial is late; of an unknown time nobody can say whether it was short enough.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LatencyScorer;

impl LatencyScorer {
    /// Judges the times of a transcript by the budget of its case.
    pub fn score(&self, case: &Case, transcript: &Transcript) -> Outcome {
        let budget = case.expectation.answer.as_deref().and_then(|answer| answer.seconds);
        let Some(budget) = budget else {
            let reason = unscored(transcript).unwrap_or(UnscoredReason::NothingExpected);
            return Outcome::Unscored(reason);
        };
        if let Some(failure) = &transcript.failure
            && failure.kind == FailureKind::Timeout
        {
            return Outcome::Scored(timed_out(budget, &failure.message));
        }
        if let Some(reason) = unscored(transcript) {
            return Outcome::Unscored(reason);
        }
        let is_unknown = |turn: &Turn| turn.timings.total.is_zero();
        let spent = Spent::of(transcript);
        // Where the time of some turns is known, it may be too long already.
        let may_be_late = transcript.turns.is_empty() || transcript.turns.iter().any(is_unknown);
        if may_be_late && spent.seconds() <= budget {
            return Outcome::Unscored(UnscoredReason::NoValue);
        }
        let seconds = spent.seconds();
        let in_time = seconds <= budget;
        let mut score = Score { value: f64::from(in_time), ..Score::default() };
        score.explanation = format!("{seconds:.2} s of {budget} s");
        if !in_time {
            let mut loss = Loss::new(Cause::TooSlow, 1.0);
            loss.tool = spent.slowest_tool();
            loss.expected = Some(json!(budget));
            loss.actual = Some(json!(seconds));
            score.losses.push(loss);
        }
        score.dimensions.insert(Dimension::named("in_time"), Verdict::of(in_time));
        score.measures = spent.measures();
        Outcome::Scored(score)
    }
}

/// The score of an answer that did not come in time. How long it would have taken is not known.
fn timed_out(budget: f64, message: &str) -> Score {
    let mut loss = Loss::new(Cause::TooSlow, 1.0);
    loss.expected = Some(json!(budget));
    let mut score = Score { losses: vec![loss], ..Score::default() };
    score.explanation = format!("no answer in time: {message}");
    score.dimensions.insert(Dimension::named("in_time"), Verdict::Incorrect);
    score
}

/// Where the time of a trial went.
struct Spent<'a> {
    /// In the subject itself.
    model: Duration,
    queued: Duration,
    /// In tries that came to nothing. They are a part of `queued` too.
    failed: Duration,
    /// Until the answer was there.
    all: Duration,
    tools: IndexMap<&'a str, Duration>,
}

impl<'a> Spent<'a> {
    fn of(transcript: &'a Transcript) -> Self {
        let add = |sum: Duration, time: Duration| sum.saturating_add(time);
        let mut tools: IndexMap<&str, Duration> = IndexMap::new();
        let (mut within, mut on_top) = (Duration::ZERO, Duration::ZERO);
        for call in &transcript.background.tool_times {
            let sum = tools.entry(call.tool.as_str()).or_default();
            *sum = add(*sum, call.time);
            // Some tools run within the time of a turn, others after it. Only the latter lengthen
            // the trial.
            on_top = add(on_top, call.on_top());
            within = add(within, call.time.saturating_sub(call.on_top()));
        }
        let turns = &transcript.turns;
        let waited = turns.iter().map(|turn| turn.timings.total).fold(Duration::ZERO, add);
        let failed = turns.iter().map(|turn| FailedAttempt::time_of(&turn.repeated));
        let failed = failed.fold(Duration::ZERO, add);
        Self {
            model: waited.saturating_sub(within),
            queued: turns.iter().map(|turn| turn.timings.queued).fold(Duration::ZERO, add),
            failed,
            all: add(add(waited, on_top), failed),
            tools,
        }
    }

    fn tools(&self) -> Duration {
        self.tools.values().fold(Duration::ZERO, |sum, time| sum.saturating_add(*time))
    }

    fn seconds(&self) -> f64 {
        self.all.as_secs_f64()
    }

    /// The tool that took longest, if it took longer than the subject itself.
    fn slowest_tool(&self) -> Option<String> {
        let slowest = self.tools.iter().max_by_key(|(_, time)| **time)?;
        (*slowest.1 > self.model).then(|| (*slowest.0).to_owned())
    }

    fn measures(&self) -> IndexMap<String, f64> {
        let parts = [
            (Measure::Seconds.name(), self.seconds()),
            ("model_seconds", self.model.as_secs_f64()),
            ("tool_seconds", self.tools().as_secs_f64()),
            ("queued_seconds", self.queued.saturating_sub(self.failed).as_secs_f64()),
            ("failed_seconds", self.failed.as_secs_f64()),
        ];
        let each = self.tools.iter();
        let each = each.map(|(tool, time)| (format!("{tool}_seconds"), time.as_secs_f64()));
        parts.map(|(name, value)| (name.to_owned(), value)).into_iter().chain(each).collect()
    }
}

#[cfg(test)]
mod tests {
    use toolgauge_core::{ExpectedAnswer, Timings, ToolTime, TrialFailure};

    use super::*;

    fn transcript() -> Transcript {
        let turn = |seconds| Turn {
            timings: Timings {
                total: Duration::from_millis(seconds),
                queued: Duration::from_secs(9),
                ..Timings::default()
            },
            ..Turn::default()
        };
        let mut transcript =
            Transcript { turns: vec![turn(500), turn(700)], ..Transcript::default() };
        let tool = |tool: &str, time| ToolTime {
            tool: tool.to_owned(),
            time: Duration::from_millis(time),
            within_turn: false,
        };
        transcript.background.tool_times = vec![tool("a", 100), tool("b", 1500), tool("a", 200)];
        transcript
    }

    fn judged(seconds: Option<f64>) -> Outcome {
        judge(seconds, &transcript())
    }

    fn judge(seconds: Option<f64>, transcript: &Transcript) -> Outcome {
        let mut case = Case::new("c", "q");
        let answer = ExpectedAnswer { seconds, ..ExpectedAnswer::default() };
        case.expectation.answer = Some(Box::new(answer));
        LatencyScorer.score(&case, transcript)
    }

    #[test]
    fn time_is_split_and_held_against_the_budget() {
        let Outcome::Scored(score) = judged(Some(3.0)) else { panic!("scored") };
        let near = |name: &str, seconds: f64| (score.measures[name] - seconds).abs() < 1e-9;
        assert!((score.value - 1.0).abs() < 1e-12);
        assert!(near("seconds", 3.0) && near("model_seconds", 1.2) && near("tool_seconds", 1.8));
        assert!(near("a_seconds", 0.3) && near("b_seconds", 1.5) && near("queued_seconds", 18.0));
        let Outcome::Scored(score) = judged(Some(2.9)) else { panic!("scored") };
        assert!(score.value.abs() < 1e-12);
        assert_eq!(score.losses[0].cause, Cause::TooSlow);
        assert_eq!(score.losses[0].tool.as_deref(), Some("b"));
    }

    #[test]
    fn tools_that_a_chatbot_calls_by_itself_are_not_counted_twice() {
        let mut transcript = transcript();
        transcript.background.tool_times.truncate(1);
        transcript.background.tool_times[0].within_turn = true;
        let spent = Spent::of(&transcript);
        assert_eq!(
            (spent.all, spent.model),
            (Duration::from_millis(1200), Duration::from_millis(1100))
        );
        assert_eq!(spent.tools(), Duration::from_millis(100));
    }

    #[test]
    fn an_unknown_time_is_not_in_time() {
        let mut unknown = transcript();
        unknown.turns[1].timings = Timings::default();
        assert_eq!(judge(Some(9.0), &unknown), Outcome::Unscored(UnscoredReason::NoValue));
        assert_eq!(judge(Some(1.0), &unknown).value(), Some(0.0), "late without it");
        let none = Transcript::default();
        assert_eq!(judge(Some(9.0), &none), Outcome::Unscored(UnscoredReason::NoValue));
    }

    #[test]
    fn what_timed_out_is_late_and_other_failures_say_nothing() {
        let failed = |kind| {
            let failure = Some(TrialFailure { kind, message: "no answer".into() });
            judge(Some(9.0), &Transcript { failure, ..Transcript::default() })
        };
        let late = failed(FailureKind::Timeout);
        assert_eq!(late.value(), Some(0.0));
        assert_eq!(late.score().unwrap().losses[0].cause, Cause::TooSlow);
        assert!(matches!(
            failed(FailureKind::Connection),
            Outcome::Unscored(UnscoredReason::Failed(_))
        ));
    }

    #[test]
    fn tries_that_came_to_nothing_take_time() {
        let mut repeated = transcript();
        let time = Duration::from_secs(2);
        repeated.turns[0].repeated = vec![FailedAttempt { reason: "HTTP 500".into(), time }];
        assert_eq!(judge(Some(4.9), &repeated).value(), Some(0.0));
        let Outcome::Scored(score) = judge(Some(5.0), &repeated) else { panic!("scored") };
        assert!((score.value - 1.0).abs() < 1e-12);
        assert!((score.measures["failed_seconds"] - 2.0).abs() < 1e-9);
        assert!((score.measures["queued_seconds"] - 16.0).abs() < 1e-9);
    }

    #[test]
    fn without_a_budget_there_is_nothing_to_judge() {
        assert_eq!(judged(None), Outcome::Unscored(UnscoredReason::NothingExpected));
    }
}
