//! What a log's list of summaries says about a trial, without the trial itself being opened.

use std::time::Duration;

use indexmap::IndexMap;
use jiff::Timestamp;
use toolgauge_core::{
    Case, Cause, FailedAttempt, Loss, Message, Oddity, Outcome, SchemaViolation, Score,
    ServerTimings, StopReason, Tags, Timings, ToolTime, Transcript, Trial, TrialFailure, TrialId,
    Usage, estimated_tokens,
};

/// A trial without its transcript: enough to summarise and to compare runs.
#[derive(Clone, Debug, PartialEq)]
pub struct TrialSummary {
    /// Which trial it is.
    pub id: TrialId,
    /// The first part of the sentence that was put to the subject.
    pub sentence: String,
    /// What the case is about.
    pub tags: Tags,
    /// The group of cases it belongs to.
    pub group: Option<String>,
    /// A short hash of what the case expects and what was set up for it, so that two runs can
    /// tell whether they were held to the same. Logs of other programs have none.
    pub gold: Option<String>,
    /// When it began.
    pub started: Timestamp,
    /// When it ended.
    pub ended: Timestamp,
    /// The judgements by scorer. Losses lack what was expected and what was there, but for the
    /// tool that was called in the place of another; explanations are left out.
    pub outcomes: IndexMap<String, Outcome>,
    /// Why the trial ended early, if it did.
    pub failure: Option<TrialFailure>,
    /// How long its turns took together; the time to the first token is that of the first turn,
    /// and so is that of a cold prompt.
    pub timings: Timings,
    /// What the server said about its speed in the first turn.
    pub server: Option<ServerTimings>,
    /// The tokens of all turns.
    pub usage: Usage,
    /// Why the subject stopped in the last turn.
    pub stop: StopReason,
    /// How many turns it had.
    pub turns: u32,
    /// How many HTTP tries they took.
    pub attempts: u32,
    /// Those that came to nothing, of all turns, where that is known.
    pub repeated: Vec<FailedAttempt>,
    /// How many calls were made.
    pub calls: u32,
    /// What was odd about the answers, each kind once.
    pub oddities: Vec<Oddity>,
    /// How long each tool took, all its calls together, where that is known.
    pub tool_times: Vec<ToolTime>,
    /// About how many tokens the results of tools have; 0 in logs that do not say.
    pub result_tokens: u64,
    /// How arguments break the schemas of tools, where that is known.
    pub violations: Vec<SchemaViolation>,
}

impl TrialSummary {
    /// The judgement that counts: that of the first scorer.
    pub fn outcome(&self) -> Option<&Outcome> {
        self.outcomes.values().next()
    }

    /// Where points were lost by the judgement of a scorer. One that only says pass or fail
    /// leaves it to the next that names losses to say why; of a trial that lost nothing, what
    /// others found is no loss.
    pub fn losses_by(&self, scorer: &str) -> &[Loss] {
        let own = self.outcomes.get(scorer).and_then(Outcome::score);
        let is_told = |score: &&Score| !score.losses.is_empty() || score.value >= 1.0;
        if let Some(own) = own.filter(is_told) {
            return &own.losses;
        }
        let all = self.outcomes.values().filter_map(Outcome::score);
        all.map(|score| &score.losses[..]).find(|losses| !losses.is_empty()).unwrap_or_default()
    }

    /// How long its turns took, where that is known: transcripts and logs of other programs without
    /// times have zeros, which are no measurement.
    pub fn latency(&self) -> Option<Duration> {
        Some(self.timings.total).filter(|total| self.turns > 0 && !total.is_zero())
    }

    /// How long a person waited for the answer, where that is known: the tries that came to nothing
    /// are time as well.
    pub fn wait(&self) -> Option<Duration> {
        Some(self.latency()?.saturating_add(FailedAttempt::time_of(&self.repeated)))
    }

    /// The summary of a trial.
    pub fn of(trial: &Trial) -> Self {
        Self::with(trial, trial.outcomes.iter().map(|(name, o)| (name.clone(), lean(o))).collect())
    }

    /// The summary of a trial that is needed no more but for its outcomes.
    pub(crate) fn taking(trial: &mut Trial) -> Self {
        let mut outcomes = std::mem::take(&mut trial.outcomes);
        outcomes.values_mut().for_each(slim);
        Self::with(trial, outcomes)
    }

    fn with(trial: &Trial, outcomes: IndexMap<String, Outcome>) -> Self {
        let transcript = &trial.transcript;
        let mut oddities: Vec<Oddity> =
            transcript.turns.iter().flat_map(|turn| turn.oddities.iter().copied()).collect();
        // Sorted, so that the same trial always gives the same summary.
        oddities.sort_unstable();
        oddities.dedup();
        Self {
            id: trial.id(),
            sentence: shortened(trial.case.sentence()).to_owned(),
            tags: trial.case.tags.clone(),
            group: trial.case.group.clone(),
            gold: gold(&trial.case),
            started: trial.started,
            ended: trial.ended,
            outcomes,
            failure: transcript.failure.clone(),
            timings: Timings {
                queued: sum(trial, |timings| timings.queued),
                first_token: transcript.turns.first().and_then(|turn| turn.timings.first_token),
                total: sum(trial, |timings| timings.total),
                first_word: transcript.first_word(),
                last_act: transcript.last_act(),
                cold_prompt: transcript.turns.first().and_then(|turn| turn.timings.cold_prompt),
            },
            server: transcript.turns.first().and_then(|turn| turn.server),
            usage: transcript.usage(),
            stop: transcript.turns.last().map(|turn| turn.stop).unwrap_or_default(),
            turns: count(transcript.turns.len()),
            attempts: transcript.turns.iter().map(|turn| turn.attempts).sum(),
            repeated: transcript.turns.iter().flat_map(|turn| turn.repeated.clone()).collect(),
            calls: count(transcript.calls().count()),
            oddities,
            tool_times: tool_times(transcript),
            result_tokens: result_tokens(transcript),
            violations: transcript.background.violations.clone(),
        }
    }
}

/// The hash of what a case expects. A checksum is enough: it notices changes and guards nothing.
fn gold(case: &Case) -> Option<String> {
    // The setting is part of it: the same calls in another home are another task.
    let setup = Case::SETTING.map(|key| case.metadata.get(key));
    let text = serde_json::to_vec(&(&case.expectation, setup)).ok()?;
    Some(format!("{:08x}", crc32fast::hash(&text)))
}

/// The time of each tool, all its calls together.
fn tool_times(transcript: &Transcript) -> Vec<ToolTime> {
    let mut times: Vec<ToolTime> = Vec::new();
    for call in &transcript.background.tool_times {
        match times.iter_mut().find(|time| time.tool == call.tool) {
            Some(time) => time.time = time.time.saturating_add(call.time),
            None => times.push(call.clone()),
        }
    }
    times
}

/// About how many tokens the results of tools have.
fn result_tokens(transcript: &Transcript) -> u64 {
    let results = transcript.messages.iter().map(|message| match message {
        Message::Tool(result) => estimated_tokens(result.content.len()),
        _ => 0,
    });
    results.fold(0, u64::saturating_add)
}

/// The part of a sentence that a list shows.
pub(crate) fn shortened(text: &str) -> &str {
    const LENGTH: usize = 200;
    text.char_indices().nth(LENGTH).map_or(text, |(end, _)| &text[..end])
}

/// How many messages a conversation has, the calls' answers included.
pub(crate) fn message_count(trial: &Trial, system: bool) -> usize {
    let said: &[Message] = &trial.transcript.messages;
    usize::from(system) + trial.case.input.len() + said.len()
}

/// An outcome without what a list of summaries does without, which is most of it.
fn lean(outcome: &Outcome) -> Outcome {
    let Outcome::Scored(score) = outcome else { return outcome.clone() };
    let lean = |loss: &Loss| Loss {
        cause: loss.cause,
        points: loss.points,
        tool: loss.tool.clone(),
        expected_call: loss.expected_call,
        made_call: loss.made_call,
        path: loss.path.clone(),
        expected: None,
        actual: loss.actual.as_ref().filter(|_| is_counted(loss)).cloned(),
    };
    Outcome::Scored(Score {
        value: score.value,
        dimensions: score.dimensions.clone(),
        measures: score.measures.clone(),
        losses: score.losses.iter().map(lean).collect(),
        quality: score.quality,
        way: score.way,
        pairing: score.pairing.clone(),
        explanation: String::new(),
    })
}

/// Which tool was called in the place of another is counted over a run.
fn is_counted(loss: &Loss) -> bool {
    loss.cause == Cause::WrongTool
}

/// Takes out what a list of summaries does without.
fn slim(outcome: &mut Outcome) {
    if let Outcome::Scored(score) = outcome {
        score.explanation = String::new();
        for loss in &mut score.losses {
            loss.expected = None;
            if !is_counted(loss) {
                loss.actual = None;
            }
        }
    }
}

fn sum(trial: &Trial, part: impl Fn(&Timings) -> Duration) -> Duration {
    let parts = trial.transcript.turns.iter().map(|turn| part(&turn.timings));
    parts.fold(Duration::ZERO, Duration::saturating_add)
}

fn count(items: usize) -> u32 {
    u32::try_from(items).unwrap_or(u32::MAX)
}
