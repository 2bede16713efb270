//! Scorers by name, for whoever holds cases and transcripts.

use std::sync::LazyLock;

use toolgauge_core::{
    AcceptedWay, Alternative, Case, Cause, Expectation, ExpectedCall, Fix, Loss, Outcome, Quality,
    Score, Tool, ToolCall, Transcript, UnscoredReason,
};

use crate::call_loss::at_made;
use crate::made_calls::MadeCalls;
use crate::tool_call::unscored;
use crate::{
    CallComparison, CallPairing, ChatbotScorer, EndStateScorer, Evidence, GroundingScorer,
    JudgeScorer, KeywordScorer, LatencyScorer, PartialScorer, PeerScorer, RetrievalScorer,
    ToolCallScorer, WireScorer, explanation,
};

/// A scorer: a case and a transcript in, an outcome out.
#[derive(Clone, Debug, PartialEq)]
pub enum Scorer {
    /// Right or wrong, in six dimensions.
    ToolCalls(ToolCallScorer),
    /// Partial credit.
    Partial(PartialScorer),
    /// What the calls led to.
    EndState(EndStateScorer),
    /// Whether the replies can be used as they came.
    Wire(WireScorer),
    /// Tools, keywords and errors in one weighted number.
    Chatbot(ChatbotScorer),
    /// Keywords, understood.
    Keywords(KeywordScorer),
    /// Whether the right documents were found.
    Retrieval(RetrievalScorer),
    /// Whether the answer rests on what tools returned.
    Grounding(GroundingScorer),
    /// Whether the answer was there in time.
    Latency(LatencyScorer),
    /// What judges said.
    Judge(JudgeScorer),
    /// The rule of another tool.
    Peer(PeerScorer),
}

impl Default for Scorer {
    fn default() -> Self {
        Self::ToolCalls(ToolCallScorer::default())
    }
}

impl Scorer {
    /// All scorers with their default settings, the default one first.
    fn all() -> impl Iterator<Item = Self> {
        let own = [
            Self::ToolCalls(ToolCallScorer::default()),
            Self::ToolCalls(ToolCallScorer::classic()),
            Self::Partial(PartialScorer::assignment()),
            Self::Partial(PartialScorer::tau()),
            Self::EndState(EndStateScorer),
            Self::Wire(WireScorer),
            Self::Chatbot(ChatbotScorer::default()),
            Self::Keywords(KeywordScorer),
            Self::Retrieval(RetrievalScorer::default()),
            Self::Grounding(GroundingScorer),
            Self::Latency(LatencyScorer),
            Self::Judge(JudgeScorer),
        ];
        own.into_iter().chain(PeerScorer::all().map(Self::Peer))
    }

    /// The names of all scorers, the default one first.
    pub fn names() -> &'static [&'static str] {
        static NAMES: LazyLock<Vec<&str>> =
            LazyLock::new(|| Scorer::all().map(|scorer| scorer.name()).collect());
        &NAMES
    }

    /// The scorer of that name with its default settings.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::all().find(|scorer| scorer.name() == name)
    }

    /// The name that suites and logs call it by.
    pub fn name(&self) -> &'static str {
        match self {
            Self::ToolCalls(scorer) => match scorer.comparison {
                CallComparison::ByRules => "tool_calls",
                CallComparison::Classic => "tool_calls_classic",
            },
            Self::Partial(scorer) => match scorer.pairing {
                CallPairing::Assignment => "partial",
                CallPairing::Tau => "tau",
            },
            Self::EndState(_) => "end_state",
            Self::Wire(_) => "wire",
            Self::Chatbot(_) => "chatbot",
            Self::Keywords(_) => "keywords",
            Self::Retrieval(_) => "retrieval",
            Self::Grounding(_) => "grounding",
            Self::Latency(_) => "latency",
            Self::Judge(_) => "judge",
            Self::Peer(scorer) => scorer.name(),
        }
    }

    /// The same scorer with faults of the classic one put right; other scorers never had them.
    #[must_use]
    pub fn fixed(self, fixes: &[Fix]) -> Self {
        match self {
            Self::ToolCalls(scorer) => Self::ToolCalls(scorer.fixed(fixes)),
            other => other,
        }
    }

    /// The same scorer with an option that its users set; the error says what can be set.
    pub fn with_option(self, name: &str, value: &str) -> Result<Self, String> {
        match self {
            Self::Peer(scorer) => scorer.with_option(name, value).map(Self::Peer),
            other => Err(format!("`{}` has no option `{name}`", other.name())),
        }
    }

    /// Judges a transcript alone by what its case demands. With no tools given, none is held to
    /// be undeclared.
    pub fn score(&self, case: &Case, tools: &[Tool], transcript: &Transcript) -> Outcome {
        self.judge(&Evidence::new(case, tools, transcript))
    }

    /// Judges all there is to judge by.
    pub fn judge(&self, evidence: &Evidence<'_>) -> Outcome {
        let Evidence { case, tools, transcript, .. } = *evidence;
        match self {
            Self::ToolCalls(scorer) => scorer.score(case, tools, transcript),
            Self::Partial(scorer) => partial(scorer, &case.expectation, transcript),
            Self::EndState(scorer) => scorer.score(evidence),
            Self::Wire(scorer) => scorer.score(evidence),
            Self::Chatbot(scorer) => scorer.judge(evidence),
            Self::Keywords(scorer) => scorer.score(case, transcript),
            Self::Retrieval(scorer) => scorer.score(case, transcript),
            Self::Grounding(scorer) => scorer.score(evidence),
            Self::Latency(scorer) => scorer.score(case, transcript),
            Self::Judge(scorer) => scorer.score(transcript),
            Self::Peer(scorer) => scorer.score(evidence),
        }
    }

    /// Whether the scorer holds what is said against all that the world has written down.
    pub fn reads_books(&self) -> bool {
        matches!(self, Self::Chatbot(_))
    }

    /// Whether the scorer judges what calls led to, which takes playing them.
    pub fn needs_states(&self) -> bool {
        matches!(self, Self::EndState(_))
    }
}

/// Partial credit for the calls of a transcript, with the explanation.
fn partial(scorer: &PartialScorer, expectation: &Expectation, transcript: &Transcript) -> Outcome {
    // A failure says nothing about the subject, except where the rule is τ-bench's and the trial
    // too: there it counts as wrong.
    let is_theirs =
        scorer.pairing == CallPairing::Tau && transcript.recorded(PeerScorer::TAU_BENCH).is_some();
    if let Some(reason) = unscored(transcript) {
        return if is_theirs { broken_trial() } else { Outcome::Unscored(reason) };
    }
    let made = MadeCalls::of(transcript, false);
    let mut best: Option<Score> = None;
    for (name, calls, quality) in ways(scorer.pairing, expectation) {
        let mut score = scorer.score_calls(calls, &expectation.rules, &made.counted);
        score.quality = (score.value >= 1.0).then_some(quality);
        score.way = name;
        // Strictly greater, so that of equal ways the one written first is told.
        if best.as_ref().is_none_or(|best| score.value > best.value) {
            best = Some(score);
        }
    }
    let Some(mut score) = best else {
        let nothing = Outcome::Unscored(UnscoredReason::NothingExpected);
        return if is_theirs { broken_trial() } else { nothing };
    };
    made.number_among_all(&mut score.losses, &mut score.pairing);
    // Reported, and not counted as calls.
    let reported = |(at, call): &(usize, &ToolCall)| {
        at_made(Cause::CallInText, call, 0.0).at_calls(None, Some(*at))
    };
    score.losses.extend(made.in_text.iter().map(reported));
    score.explanation = if score.losses.is_empty() {
        String::from("correct")
    } else {
        explanation::of(&score.losses)
    };
    Outcome::Scored(score)
}

/// No points for a trial of which nothing can be judged.
fn broken_trial() -> Outcome {
    let losses = vec![Loss::new(Cause::BrokenTrial, 1.0)];
    Outcome::Scored(Score { explanation: explanation::of(&losses), losses, ..Score::default() })
}

/// The calls a transcript may be held against. Tau-bench knows no alternatives.
fn ways<'a>(
    pairing: CallPairing,
    expectation: &'a Expectation,
) -> impl Iterator<Item = (Option<AcceptedWay>, &'a [ExpectedCall], Quality)> {
    let written = expectation.told_way(AcceptedWay::AsWritten);
    let own = expectation.calls.as_deref().map(|calls| (written, calls, Quality::Optimal));
    let alternatives = match pairing {
        CallPairing::Tau => &[],
        CallPairing::Assignment => expectation.alternatives.as_slice(),
    };
    let other = |(place, way): (usize, &'a Alternative)| {
        (Some(AcceptedWay::Alternative(place)), way.calls.as_slice(), way.quality)
    };
    own.into_iter().chain(alternatives.iter().enumerate().map(other))
}
