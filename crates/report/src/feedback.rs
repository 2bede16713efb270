//! What people think of a suite's answers, and whether the scores agree with them.

use std::collections::{HashMap, HashSet};

use indexmap::IndexMap;
use serde::Serialize;
use toolgauge_core::{Feedback, Thumb};
use toolgauge_core::{Outcome, RunId, Trial, TrialId};
use toolgauge_log::TrialSummary;
use toolgauge_stats::{
    Agreement, Cluster, ClusteredMean, Confidence, Range, correlation, mean_interval,
};

use crate::themes::{Comment, Theme, themes};

/// From this score on, an answer counts as right when thumbs are held against it.
const RIGHT: f64 = 0.7;

/// What people think, in numbers.
#[derive(Clone, Debug, Serialize)]
pub struct FeedbackStats {
    /// How much feedback there is.
    pub entries: usize,
    /// How many trials the runs have that feedback is about.
    pub trials: usize,
    /// How many of those somebody said something about.
    pub trials_with_feedback: usize,
    /// How many entries say what the answer should have been.
    pub corrections: usize,
    /// The share of thumbs that point up.
    pub satisfaction: Option<Satisfaction>,
    /// The same by the value of a tag.
    pub by_tag: IndexMap<String, Satisfaction>,
    /// Whether scores go with thumbs; absent below three trials that have both.
    pub correlation: Option<ScoreCorrelation>,
    /// Whether an answer that passes gets a thumb up.
    pub agreement: Option<ScoreAgreement>,
    /// How many entries have a comment.
    pub comments: usize,
    /// What the comments have in common.
    pub themes: Vec<Theme>,
}

/// The share of thumbs that point up, with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Satisfaction {
    /// Thumbs up.
    pub up: u64,
    /// Thumbs down.
    pub down: u64,
    /// The share that points up.
    pub share: f64,
    /// The lower end of its interval.
    pub low: f64,
    /// The upper end of its interval.
    pub high: f64,
}

impl Satisfaction {
    fn of(up: u64, down: u64) -> Option<Self> {
        let thumbs = [(1.0, up), (0.0, down)].into_iter();
        let thumbs: Vec<Cluster> =
            thumbs.flat_map(|(value, n)| (0..n).map(move |_| Cluster::of(&[value]))).collect();
        let share = ClusteredMean::of(&thumbs)?.mean;
        let interval = mean_interval(&thumbs, Range::SCORE, Confidence::P95)?;
        Some(Self { up, down, share, low: interval.low, high: interval.high })
    }
}

/// How scores go with thumbs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ScoreCorrelation {
    /// The point-biserial correlation.
    pub r: f64,
    /// The lower end of its interval, where there are enough.
    pub low: Option<f64>,
    /// The upper end of it.
    pub high: Option<f64>,
    /// How many thumbs it rests on.
    pub thumbs: usize,
}

/// How often the score and the thumb say the same.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ScoreAgreement {
    /// The share on which they agree.
    pub share: f64,
    /// Cohen's kappa: agreement beyond chance.
    pub kappa: Option<f64>,
    /// Answers that pass and were disliked: the scorer is too kind, or the person saw more.
    pub passed_disliked: u64,
    /// Answers that fail and were liked: the expectation may be wrong.
    pub failed_liked: u64,
}

/// Brings feedback and trials together.
#[derive(Debug, Default)]
pub struct FeedbackTally {
    /// The scorer that thumbs are held against; the first one of each run if none is named.
    scorer: Option<String>,
    said: HashMap<RunId, HashMap<TrialId, Vec<Feedback>>>,
    entries: usize,
    corrections: usize,
    /// In the order in which they were given, with the places of those of each trial.
    comments: Vec<Comment>,
    comments_on: HashMap<(RunId, TrialId), Vec<usize>>,
    trials: usize,
    about: HashSet<(RunId, TrialId)>,
    up: u64,
    down: u64,
    by_tag: IndexMap<String, (u64, u64)>,
    pairs: Vec<(f64, f64)>,
    agreement: Agreement,
}

impl FeedbackTally {
    /// A tally of this feedback, before any trial is known.
    pub fn of(feedback: impl IntoIterator<Item = Feedback>) -> Self {
        let mut tally = Self::default();
        for said in feedback {
            if let Some(comment) = Comment::of(tally.entries, &said) {
                let places = tally.comments_on.entry((said.run.clone(), said.trial_id()));
                places.or_default().push(tally.comments.len());
                tally.comments.push(comment);
            }
            tally.entries += 1;
            tally.corrections += usize::from(said.correction.is_some());
            match said.thumb {
                Some(Thumb::Up) => tally.up += 1,
                Some(Thumb::Down) => tally.down += 1,
                None => {}
            }
            tally.about.insert((said.run.clone(), said.trial_id()));
            let of_run = tally.said.entry(said.run.clone()).or_default();
            of_run.entry(said.trial_id()).or_default().push(said);
        }
        tally
    }

    /// The same tally, with thumbs held against this scorer: against `judge`, to see whether a
    /// judge can be trusted.
    #[must_use]
    pub fn against(mut self, scorer: Option<&str>) -> Self {
        self.scorer = scorer.map(str::to_owned);
        self
    }

    /// Whether anything was said about a run.
    pub fn mentions(&self, run: &RunId) -> bool {
        self.said.contains_key(run)
    }

    /// Whether somebody wrote something about a trial.
    pub fn has_comment(&self, run: &RunId, trial: &TrialId) -> bool {
        self.comments_on.contains_key(&(run.clone(), trial.clone()))
    }

    /// Takes the calls of a trial into account, which its summary does not hold.
    pub fn add_calls(&mut self, run: &RunId, trial: &Trial) {
        let places = self.comments_on.get(&(run.clone(), trial.id()));
        for place in places.into_iter().flatten() {
            self.comments[*place].learn_calls(&trial.transcript);
        }
    }

    /// Takes a trial of a run into account, with the tag that feedback is told apart by.
    pub fn add(&mut self, run: &RunId, trial: &TrialSummary, tag: &str) {
        self.trials += 1;
        let Some(said) = self.said.get(run).and_then(|of_run| of_run.get(&trial.id)) else {
            return;
        };
        let places = self.comments_on.get(&(run.clone(), trial.id.clone()));
        for place in places.into_iter().flatten() {
            self.comments[*place].learn(trial, tag);
        }
        let outcome = match &self.scorer {
            Some(scorer) => trial.outcomes.get(scorer),
            None => trial.outcome(),
        };
        let value = outcome.and_then(Outcome::value);
        for liked in said.iter().filter_map(|said| said.thumb).map(|thumb| thumb == Thumb::Up) {
            if let Some(tag) = trial.tags.get(tag) {
                let (up, down) = self.by_tag.entry(tag.clone()).or_default();
                *(if liked { up } else { down }) += 1;
            }
            if let Some(value) = value {
                self.pairs.push((f64::from(u8::from(liked)), value));
                self.agreement.add(value >= RIGHT, liked);
            }
        }
    }

    /// The numbers of all that was taken into account.
    pub fn stats(mut self) -> FeedbackStats {
        self.by_tag.sort_keys();
        let by_tag = self.by_tag.into_iter();
        let agreement = self.agreement;
        // Sums of floating-point numbers depend on their order; the order of trials in a log is
        // that in which they happened to end.
        self.pairs.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
        FeedbackStats {
            entries: self.entries,
            trials: self.trials,
            trials_with_feedback: self.about.len(),
            corrections: self.corrections,
            satisfaction: Satisfaction::of(self.up, self.down),
            by_tag: by_tag
                .filter_map(|(tag, (up, down))| Some((tag, Satisfaction::of(up, down)?)))
                .collect(),
            correlation: correlation(&self.pairs, Confidence::P95).map(|found| ScoreCorrelation {
                r: found.r,
                low: found.interval.map(|interval| interval.low),
                high: found.interval.map(|interval| interval.high),
                thumbs: found.n,
            }),
            agreement: agreement.share().map(|share| ScoreAgreement {
                share,
                kappa: agreement.kappa(),
                passed_disliked: agreement.first_only,
                failed_liked: agreement.second_only,
            }),
            comments: self.comments.len(),
            themes: themes(&self.comments),
        }
    }
}
