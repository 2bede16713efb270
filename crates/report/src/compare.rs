//! Is B really better than A? Two runs, paired case by case.
//!
//! Each run is read once into a [`RunSide`]; [`Comparison::of`] pairs the cases that both have, the
//! trials of each averaged, and judges their differences. `docs/compare.md` explains what is shown.

mod amount;
mod caution;
mod column;
mod contest;
mod difference;
mod flip;
mod loss_change;
mod pairing;
mod side;
mod size;
mod words;

use indexmap::IndexMap;
use serde::Serialize;
use toolgauge_core::{SubjectIdentity, SuiteIdentity};
use toolgauge_stats::{
    Cluster, ClusteredMean, Margin, PairTable, Resampling, TrialCount, flip_share, holm,
    noise_floor,
};

pub use amount::{AmountChange, AmountUnit, Typical};
pub use caution::Caution;
pub use contest::{Contender, ContestReport, Duel};
pub use difference::{Difference, DifferenceVerdict, TestMethod};
pub use flip::{Flip, Flips};
pub use loss_change::LossChange;
pub use side::RunSide;
pub use size::{Needed, Unpaired};

pub(crate) use column::ComparedColumn;
pub(crate) use difference::{CONFIDENCE, DifferenceOptions};
pub(crate) use flip::flips;
pub(crate) use pairing::{CasePair, RunPairing, differences, units};
pub(crate) use side::{FailedTrial, as_f64};
pub(crate) use size::effect_words;
pub(crate) use words::{
    amount_word, bare_p, change_figures, correlation, described, interval, p_value, shown_amount,
    signed, signed_amount, signed_to, verdict_detail, verdict_words,
};

use amount::amounts;
use caution::cautions;
use column::CaseMean;
use loss_change::loss_changes;
use size::effect_size;

/// How trials that could not be scored count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum UnscoredRule {
    /// Not at all: a pair with an unscored side is left out and counted.
    #[default]
    Exclude,
    /// Those that failed count as scored 0.
    AsFailures,
}

/// What a comparison is judged by.
#[derive(Clone, Copy, Debug, Default)]
pub struct Terms {
    /// The difference that would not matter, if one is given.
    pub margin: Option<Margin>,
    /// How unscored trials count.
    pub unscored: UnscoredRule,
    /// How many flipped cases of each kind are listed; all of them if not given.
    pub flips_shown: Option<usize>,
    /// Whether the probability that B is better is wanted too.
    pub bayes: bool,
    /// How chance is simulated.
    pub resampling: Resampling,
}

impl Terms {
    pub(crate) fn options(&self) -> DifferenceOptions {
        DifferenceOptions { resampling: self.resampling, bayes: self.bayes }
    }
}

/// Two runs compared.
#[derive(Clone, Debug, Serialize)]
pub struct Comparison {
    /// The version of this form; it changes when a field changes its meaning or goes away.
    pub version: u32,
    /// The run to compare with.
    pub a: SideFacts,
    /// The run that is compared.
    pub b: SideFacts,
    /// The scorer whose judgement is compared.
    pub scorer: String,
    /// What else differs between the runs.
    pub cautions: Vec<Caution>,
    /// What is compared, and what is not.
    pub shared: SharedTrials,
    /// The difference in score; absent when no scored trial is shared.
    pub score: Option<Difference>,
    /// Hedges' g: the difference in score against how much it varies from case to case.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub effect_size: Option<f64>,
    /// What it takes to see a small difference in score.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub needed: Option<Needed>,
    /// The scores of all cases of both runs, where they share none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unpaired: Option<Unpaired>,
    /// What may be said.
    pub verdict: DifferenceVerdict,
    /// How unscored trials count in it.
    pub unscored: UnscoredRule,
    /// What may be said under the other rule for unscored trials, where that is something else.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict_otherwise: Option<DifferenceVerdict>,
    /// The margin of the verdict.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub margin: Option<f64>,
    /// The difference in trials without any lost point, where scores are graded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub right: Option<Difference>,
    /// Dimensions, corrected together with further scorers and measures.
    pub dimensions: IndexMap<String, Difference>,
    /// Further scorers.
    pub scorers: IndexMap<String, Difference>,
    /// Numbers beside the score.
    pub measures: IndexMap<String, Difference>,
    /// The score by tag and value, corrected together.
    pub slices: IndexMap<String, IndexMap<String, Difference>>,
    /// Where points were lost before and after, the largest change first.
    pub losses: Vec<LossChange>,
    /// Cases that flipped.
    pub flips: Flips,
    /// The p-value of the exact McNemar test, which takes every case for independent; where another
    /// test gives the one that counts, because cases come in groups.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mcnemar_p_value: Option<f64>,
    /// Time, tokens and cost.
    pub amounts: Vec<AmountChange>,
}

/// What is told of a run.
#[derive(Clone, Debug, Serialize)]
pub struct SideFacts {
    /// The name it is shown by, usually its log.
    pub label: String,
    /// The suite it was run on, as its log names it.
    pub suite: SuiteIdentity,
    /// What was measured.
    pub subject: SubjectIdentity,
    /// The variant, if one was applied.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variant: Option<String>,
    /// How many cases it has, shared with the other or not.
    pub cases: usize,
    /// How many trials it has, scored or not.
    pub trials: usize,
    /// Trials that could not be scored, by reason.
    pub unscored: IndexMap<String, usize>,
    /// What repeated trials of a case tell about chance; absent with one trial a case.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub noise: Option<Noise>,
}

/// How much chance there is in a run whose cases have several trials.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Noise {
    /// The clustered standard error of the mean score.
    pub standard_error: f64,
    /// How alike trials of a case are, from 0 to 1.
    pub icc: Option<f64>,
    /// Cases that passed in some trials and failed in others.
    pub flipped: usize,
    /// Cases with several trials.
    pub cases: usize,
    /// The largest difference that two runs of this kind are likely to show by chance.
    pub noise_floor: Option<f64>,
}

/// What two runs share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct SharedTrials {
    /// Cases that both have.
    pub cases: usize,
    /// Cases that only A has.
    pub only_a: usize,
    /// Cases that only B has.
    pub only_b: usize,
    /// Trials of A that are compared.
    pub trials_a: usize,
    /// Trials of B that are compared.
    pub trials_b: usize,
    /// Trials of A that are unscored, or whose case B does not have or has no score for.
    pub left_out_a: usize,
    /// Trials of B, likewise.
    pub left_out_b: usize,
    /// Whether cases that share a group are drawn together.
    pub grouped: bool,
}

impl Comparison {
    /// Compares two runs.
    pub fn of(a: &RunSide, b: &RunSide, terms: &Terms) -> Self {
        let pairing = RunPairing::of(a, b);
        let (score_a, score_b) = scores(a, b, terms.unscored);
        let pairs = pairing.pairs(&score_a, &score_b);
        let by = terms.options();
        let score = Difference::of(&pairs, &by);
        let verdict = verdict(score.as_ref(), terms);
        let (dimensions, scorers, measures) = questions(&pairing, &by);
        let shared_cases = pairing.shared_cases();
        let trials_a = pairs.iter().map(|pair| pair.a.trials as usize).sum();
        let trials_b = pairs.iter().map(|pair| pair.b.trials as usize).sum();
        let flips_shown = terms.flips_shown.unwrap_or(usize::MAX);
        Self {
            version: 2,
            a: SideFacts::of(a),
            b: SideFacts::of(b),
            scorer: a.scorer.clone(),
            cautions: cautions(&pairing, "B"),
            shared: SharedTrials {
                cases: shared_cases,
                only_a: a.cases.len() - shared_cases,
                only_b: b.cases.len() - shared_cases,
                trials_a,
                trials_b,
                left_out_a: a.trials - trials_a,
                left_out_b: b.trials - trials_b,
                grouped: pairing.grouped,
            },
            effect_size: effect_size(&pairs),
            needed: score.as_ref().and_then(|score| Needed::of(&pairing, score)),
            unpaired: if score.is_none() { Unpaired::of(a, b) } else { None },
            verdict,
            unscored: terms.unscored,
            verdict_otherwise: otherwise(&pairing, terms)
                // The numbers inside may differ where the verdict is the same, which is not worth a
                // word.
                .filter(|other| std::mem::discriminant(other) != std::mem::discriminant(&verdict)),
            margin: terms.margin.map(Margin::get),
            right: right(&pairing, &pairs, &by),
            dimensions,
            scorers,
            measures,
            slices: slices(&pairing, &pairs, &by),
            losses: loss_changes(&pairing, &pairs),
            flips: if score_a.is_open_scale() || score_b.is_open_scale() {
                Flips::default()
            } else {
                flips(&pairing, &pairs, (&score_a, &score_b), flips_shown)
            },
            amounts: amounts(&pairing),
            mcnemar_p_value: mcnemar(score.as_ref(), &pairs),
            score,
        }
    }
}

impl SideFacts {
    pub(crate) fn of(side: &RunSide) -> Self {
        let mut unscored: IndexMap<String, usize> = IndexMap::new();
        for trial in &side.unscored {
            let reason = side.reasons.get_index(trial.reason as usize);
            *unscored.entry(reason.cloned().unwrap_or_default()).or_default() += 1;
        }
        unscored.sort_keys();
        Self {
            label: side.label.clone(),
            suite: side.run.suite.clone(),
            subject: side.run.subject.clone(),
            variant: side.run.variant.clone(),
            cases: side.cases.len(),
            trials: side.trials,
            unscored,
            noise: noise(side),
        }
    }
}

/// The scores that count.
fn scores(a: &RunSide, b: &RunSide, rule: UnscoredRule) -> (ComparedColumn, ComparedColumn) {
    match rule {
        UnscoredRule::Exclude => (a.score.clone(), b.score.clone()),
        UnscoredRule::AsFailures => (a.score_with_failures(), b.score_with_failures()),
    }
}

fn verdict(score: Option<&Difference>, terms: &Terms) -> DifferenceVerdict {
    let none = DifferenceVerdict::Inconclusive { more_cases: None };
    score.map_or(none, |score| score.verdict(terms.margin))
}

/// The verdict under the other rule for unscored trials; absent where the rules do not differ.
fn otherwise(pairing: &RunPairing<'_>, terms: &Terms) -> Option<DifferenceVerdict> {
    let (a, b) = (pairing.a, pairing.b);
    let differ = a.unscored.iter().chain(&b.unscored).any(|unscored| unscored.failed);
    let other = match terms.unscored {
        UnscoredRule::Exclude => UnscoredRule::AsFailures,
        UnscoredRule::AsFailures => UnscoredRule::Exclude,
    };
    differ.then(|| {
        let (a, b) = scores(a, b, other);
        verdict(Difference::of(&pairing.pairs(&a, &b), &terms.options()).as_ref(), terms)
    })
}

/// The share of trials without a lost point, where that is not the score itself.
fn right(
    pairing: &RunPairing<'_>,
    pairs: &[CasePair],
    by: &DifferenceOptions,
) -> Option<Difference> {
    let graded = |value: f64| value > 0.0 && value < 1.0;
    let columns = [&pairing.a.score, &pairing.b.score];
    if pairs.is_empty() || !columns.iter().any(|column| column.values().any(graded)) {
        return None;
    }
    if columns.iter().any(|column| column.is_open_scale()) {
        return None;
    }
    let whole = |value: f64| f64::from(u8::from(value >= 1.0));
    let (a, b) = (pairing.a.score.map(whole), pairing.b.score.map(whole));
    Difference::of(&pairing.pairs(&a, &b), by)
}

/// The exact McNemar test of cases that are right or wrong in one trial, where it is not the test
/// that counts.
fn mcnemar(score: Option<&Difference>, pairs: &[CasePair]) -> Option<f64> {
    score.filter(|score| score.test != TestMethod::ExactMcnemar)?;
    let is_plain = |side: &CaseMean| {
        side.trials == 1 && (side.mean <= 0.0 || side.mean >= 1.0) && side.mean.abs() <= 1.0
    };
    let plain = pairs.iter().all(|pair| is_plain(&pair.a) && is_plain(&pair.b));
    let passed = |side: &CaseMean| side.passed == 1;
    plain.then(|| {
        PairTable::of(pairs.iter().map(|pair| (passed(&pair.a), passed(&pair.b)))).exact_p_value()
    })
}

type NamedDifferences = IndexMap<String, Difference>;

/// Dimensions, scorers and measures, corrected together.
fn questions(
    pairing: &RunPairing<'_>,
    by: &DifferenceOptions,
) -> (NamedDifferences, NamedDifferences, NamedDifferences) {
    let (a, b) = (pairing.a, pairing.b);
    let mut dimensions = family(pairing, &a.dimensions, &b.dimensions, by);
    let mut scorers = family(pairing, &a.scorers, &b.scorers, by);
    let mut measures = family(pairing, &a.measures, &b.measures, by);
    for (name, difference) in &mut measures {
        difference.better = b.better(name);
    }
    let all = dimensions.values_mut().chain(scorers.values_mut()).chain(measures.values_mut());
    correct(all.collect());
    (dimensions, scorers, measures)
}

fn family(
    pairing: &RunPairing<'_>,
    a: &IndexMap<String, ComparedColumn>,
    b: &IndexMap<String, ComparedColumn>,
    by: &DifferenceOptions,
) -> NamedDifferences {
    let both = a.iter().filter_map(|(name, column)| Some((name, column, b.get(name)?)));
    let differences = both
        .filter_map(|(name, a, b)| Some((name.clone(), Difference::of(&pairing.pairs(a, b), by)?)));
    differences.collect()
}

/// The score by tag, where a tag has several values but not one for every case.
fn slices(
    pairing: &RunPairing<'_>,
    pairs: &[CasePair],
    by: &DifferenceOptions,
) -> IndexMap<String, IndexMap<String, Difference>> {
    let side = pairing.a;
    let mut by_slice: Vec<Vec<usize>> = vec![Vec::new(); side.slices.len()];
    for (place, pair) in pairs.iter().enumerate() {
        for slice in side.slices_of(pair.case) {
            by_slice[*slice as usize].push(place);
        }
    }
    let mut values: IndexMap<&str, usize> = IndexMap::new();
    for ((tag, _), places) in side.slices.iter().zip(&by_slice) {
        *values.entry(tag).or_default() += usize::from(!places.is_empty());
    }
    let mut slices: IndexMap<String, IndexMap<String, Difference>> = IndexMap::new();
    for ((tag, value), places) in side.slices.iter().zip(&by_slice) {
        // A single value is the whole again, and a tag with a value for each case makes no slices.
        if !(2..=60).contains(&values[tag.as_str()]) {
            continue;
        }
        let pairs: Vec<CasePair> = places.iter().map(|place| pairs[*place]).collect();
        if let Some(difference) = Difference::of(&pairs, by) {
            slices.entry(tag.clone()).or_default().insert(value.clone(), difference);
        }
    }
    slices.sort_keys();
    slices.values_mut().for_each(IndexMap::sort_keys);
    // All slices are one family of questions: each may show a difference by chance.
    correct(slices.values_mut().flat_map(IndexMap::values_mut).collect());
    slices
}

/// Corrects the p-values of questions asked together by Holm's method.
fn correct(mut questions: Vec<&mut Difference>) {
    let p_values: Vec<f64> = questions.iter().map(|question| question.p_value).collect();
    for (question, adjusted) in questions.iter_mut().zip(holm(&p_values)) {
        question.adjusted_p_value = Some(adjusted);
    }
}

/// What repeated trials tell about chance in one run.
fn noise(side: &RunSide) -> Option<Noise> {
    let count = |(_, case): (u32, CaseMean)| {
        TrialCount::new(u64::from(case.passed), u64::from(case.trials))
    };
    let counts: Vec<TrialCount> = side.score.cases().filter_map(count).collect();
    let flips = flip_share(&counts);
    if flips.cases == 0 {
        return None;
    }
    let mean = ClusteredMean::of(&own_clusters(side, &side.score))?;
    let trials = ClusteredMean::of(&trial_clusters(side))?;
    let floor = noise_floor(&trials, CONFIDENCE).and_then(|floor| floor.same_cases);
    Some(Noise {
        standard_error: mean.standard_error()?,
        icc: trials.icc(),
        flipped: flips.flipped,
        cases: flips.cases,
        noise_floor: floor,
    })
}

/// One figure of a side's own cases, whoever else has them: a cluster per unit, a value per case.
pub(crate) fn own_clusters(side: &RunSide, column: &ComparedColumn) -> Vec<Cluster> {
    by_unit(side, column.cases().map(|(case, mean)| (case, mean.mean)))
}

/// The scores of a side's trials, a cluster per unit.
pub(crate) fn trial_clusters(side: &RunSide) -> Vec<Cluster> {
    by_unit(side, side.score.iter().map(|(key, value)| (key.case, value)))
}

fn by_unit(side: &RunSide, values: impl Iterator<Item = (u32, f64)>) -> Vec<Cluster> {
    let (units, _) = units(side);
    let mut values: Vec<(u32, f64)> =
        values.map(|(case, value)| (units[case as usize], value)).collect();
    values.sort_by_key(|(unit, _)| *unit);
    let cluster = |unit: &[(u32, f64)]| {
        let mut cluster = Cluster::new();
        for (_, value) in unit {
            cluster.add(*value);
        }
        cluster
    };
    values.chunk_by(|one, other| one.0 == other.0).map(cluster).collect()
}
