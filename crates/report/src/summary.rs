//! The numbers of one run: how well, where the points went, how fast, at what cost.

use indexmap::IndexMap;
use serde::Serialize;
use toolgauge_core::{
    Cause, Fix, Floors, PromptReads, Run, ServerFacts, SubjectIdentity, SuiteIdentity, Tool, Usage,
};
use toolgauge_log::Damage;

use crate::confusions::ToolConfusion;
use crate::failures::FailureCount;
use crate::grades::Grades;
use crate::judged::NOTHING_EXPECTED;
use crate::rate::Rate;
use crate::recorded_check::RecordedCheck;
use crate::recorded_figure::RecordedFigure;
use crate::repeats::RepeatCount;
use crate::second_opinion::SecondOpinion;
use crate::standing::GRADED_SCORER;
use crate::tiers::Tiers;
use crate::times::{Latencies, Speed};
use crate::violations::KeywordViolations;

/// The numbers of one run.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// The suite that was run, as the log names it.
    pub suite: SuiteIdentity,
    /// What was measured.
    pub subject: SubjectIdentity,
    /// What the server behind it says of itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub server: Option<ServerFacts>,
    /// What was found before the first trial that may have spoiled the run.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// The variant, if one was applied.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variant: Option<String>,
    /// The scorer whose judgement counts.
    pub scorer: String,
    /// The faults of the classic scorer that were put right, by `--fix`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fixes: Vec<Fix>,
    /// How many trials the run should have.
    pub planned: usize,
    /// How many trials its log holds.
    pub trials: usize,
    /// How many of them could not be scored, by reason.
    pub unscored: IndexMap<String, usize>,
    /// What trials failed by, scored or not, the most frequent first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub failures: Vec<FailureCount>,
    /// Trials whose last answer was cut off by a limit on tokens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cut_off: Option<CutOff>,
    /// Samples of the log that cannot be read; they are no trials, and count nowhere.
    #[serde(skip_serializing_if = "Damage::is_none")]
    pub damage: Damage,
    /// The mean score over all scored trials.
    pub score: Option<Rate>,
    /// The share of trials without any lost point.
    pub right: Option<Rate>,
    /// The share of trials that were right in time, where the suite says what that is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub in_time: Option<InTime>,
    /// What the best constant policy that never calls a tool would score.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub floor: Option<f64>,
    /// The best constant policies, by name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub floors: Option<Floors>,
    /// What the answers are worth as a school would say it, where questions have answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grades: Option<Grades>,
    /// Where a judge and the rules disagree, where a judge was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub second_opinion: Option<SecondOpinion>,
    /// What another tool recorded beside what its rule gives, by scorer.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    pub recorded: IndexMap<String, RecordedCheck>,
    /// The figures in the head of another program's log, computed again.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub recorded_figures: Vec<RecordedFigure>,
    /// Whether some score lies beyond 0 to 1, so that nobody can say which trials are right.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub open_scale: bool,
    /// The share of correct verdicts among those that apply, by dimension.
    pub dimensions: IndexMap<String, Rate>,
    /// Further scorers' means, by name.
    pub scorers: IndexMap<String, Rate>,
    /// The means of numbers beside the score, such as precision and recall.
    pub measures: IndexMap<String, Rate>,
    /// The mean score by tag and value.
    pub tags: IndexMap<String, IndexMap<String, Rate>>,
    /// The same by tier, with failure patterns and what is at stake.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tiers: Option<Tiers>,
    /// Where the points went, the costliest cause first.
    pub losses: Vec<LossCount>,
    /// Which tools were called in the place of which, the most frequent first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub confusions: Vec<ToolConfusion>,
    /// How often arguments broke the schemas of tools, by keyword, the most frequent first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub violations: Vec<KeywordViolations>,
    /// What repeated trials promise; empty when each case was run once.
    pub reliability: Vec<Reliability>,
    /// How many cases were right in some trials and wrong in others.
    pub flipped: Flipped,
    /// How long trials took.
    pub latency: Latencies,
    /// Tokens of all trials together.
    pub usage: Usage,
    /// About how many of them are of tools.
    #[serde(skip_serializing_if = "ToolTokens::is_none")]
    pub tool_tokens: ToolTokens,
    /// How many prompt tokens the server read, where it is llama.cpp. Of a run of several variants
    /// all of them together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt_reads: Option<PromptReads>,
    /// Tokens a second as the server reports them, median over trials.
    pub speed: Speed,
    /// What it cost, where a price is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
    /// Tries beyond the first of each turn.
    pub retries: u64,
    /// Why they were made.
    #[serde(skip_serializing_if = "RepeatCount::is_none")]
    pub repeats: RepeatCount,
    /// What was odd about the answers, and in how many trials.
    pub oddities: IndexMap<String, usize>,
}

impl Summary {
    /// The floor, and what a subject does that scores so much without skill. Logs made before
    /// policies were searched know only that it never calls a tool.
    pub fn floor_policy(&self) -> Option<(f64, &str)> {
        let policy = self.floors.as_ref().map(|floors| floors.without_calls.policy.as_str());
        Some((self.floor?, policy.unwrap_or("never calls a tool")))
    }

    /// The scorer of the score, where grades stand beside it that are another scorer's.
    pub(crate) fn other_scorer_than_grades(&self) -> Option<&str> {
        (self.grades.is_some() && self.scorer != GRADED_SCORER).then_some(&self.scorer)
    }

    /// Whether the score is above the floor, in words.
    pub(crate) fn floor_verdict(&self) -> Option<&'static str> {
        let (floor, score) = (self.floor?, self.score?);
        Some(match () {
            () if score.low > floor => "beaten",
            () if score.mean > floor => "not clearly beaten",
            () => "not beaten",
        })
    }

    /// Whether some trials are unscored because they failed, so that another try may score them.
    pub fn has_failed_trials(&self) -> bool {
        self.failed_trials() > 0
    }

    /// How many trials failed: no answer came that could be judged.
    pub(crate) fn failed_trials(&self) -> usize {
        let failed = self.unscored.iter().filter(|(reason, _)| *reason != NOTHING_EXPECTED);
        failed.map(|(_, count)| count).sum()
    }
}

/// Trials that were right in time: a voice assistant that is right too late was not heard.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct InTime {
    /// How long a trial may take, all turns together.
    pub budget_seconds: f64,
    /// The share of trials without any lost point that took no longer.
    pub rate: Rate,
}

/// Trials whose last answer was cut off by a limit on tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct CutOff {
    /// How many.
    pub trials: usize,
    /// The limit, where the run or its suite set it; else it was the server's own.
    pub max_tokens: Option<u64>,
}

impl CutOff {
    /// What happened and what to do, in words.
    pub fn words(self) -> String {
        let trials = crate::number::counted(self.trials, "trial");
        match self.max_tokens {
            Some(limit) => format!("{trials} reached max_tokens ({limit}); raise --max-tokens"),
            None => format!("{trials} reached the server's limit on tokens; set --max-tokens"),
        }
    }
}

/// About how many tokens tools take, at four bytes a token: no server counts them apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ToolTokens {
    /// Their definitions, in each request; unknown where cases have different tools.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub definitions: Option<u64>,
    /// The results of their calls, of all trials together.
    pub results: u64,
}

impl ToolTokens {
    pub(crate) fn of(run: &Run, results: u64) -> Self {
        let definitions = (!run.tools.is_empty()).then(|| Tool::definition_tokens(&run.tools));
        Self { definitions, results }
    }

    /// Whether nothing is known.
    pub(crate) fn is_none(&self) -> bool {
        *self == Self::default()
    }

    /// In words.
    pub(crate) fn words(self) -> Option<String> {
        let definitions = self.definitions.map(|it| format!("~{it} of definitions a request"));
        let results = (self.results > 0).then(|| format!("~{} of results in all", self.results));
        let parts: Vec<String> = definitions.into_iter().chain(results).collect();
        (!parts.is_empty()).then(|| parts.join(", "))
    }
}

/// How often points were lost for one cause.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LossCount {
    /// What the points were lost for.
    pub cause: Cause,
    /// How often.
    pub count: usize,
    /// How many points it cost over all trials.
    pub points: f64,
}

/// What `k` trials of a case promise.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Reliability {
    /// How many trials.
    pub k: u64,
    /// How many cases were tried often enough; the same for every `k`.
    pub cases: usize,
    /// pass^k: the chance that all of them are right.
    pub all: f64,
    /// The ends of its 95 % interval over cases.
    pub all_interval: [f64; 2],
    /// pass@k: the chance that at least one of them is.
    pub any: f64,
    /// The ends of its 95 % interval over cases.
    pub any_interval: [f64; 2],
}

/// Cases that were right in some trials and wrong in others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Flipped {
    /// How many did.
    pub flipped: usize,
    /// How many could have: cases with several trials.
    pub cases: usize,
}

/// What a million tokens cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TokenPrice {
    /// Tokens of the prompt.
    pub input: f64,
    /// Tokens of the prompt that came from a cache.
    pub cached: f64,
    /// Tokens written.
    pub output: f64,
}

impl TokenPrice {
    /// What so many tokens cost; nothing where the server does not count them.
    #[expect(clippy::cast_precision_loss, reason = "token counts stay far below 2^52")]
    pub fn of(self, usage: Usage) -> Option<f64> {
        let (input, output) = (usage.input?, usage.output?);
        let cached = usage.cached.unwrap_or(0).min(input);
        let parts = (input - cached) as f64 * self.input
            + cached as f64 * self.cached
            + output as f64 * self.output;
        Some(parts / 1e6)
    }
}
