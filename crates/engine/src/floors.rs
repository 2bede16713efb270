//! Floors: what the best policy scores that treats every case alike.
//!
//! A policy says one thing to everything, with no calls or with the expected ones: a sentence, or
//! two of which one suits these cases and the other those. Calls decide what happens in the world and
//! words do not, so each case is played only twice.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use indexmap::IndexMap;
use serde::Serialize;
use serde_json::{Map, Value, json};
use toolgauge_core::{
    AssistantMessage, Case, CaseId, Floors, Message, PolicyScore, TierFacts, Tool, Transcript,
};
use toolgauge_report::number::counted;
use toolgauge_runner::end_states;
use toolgauge_score::{Evidence, Scorer};
use toolgauge_suite::Suite;
use toolgauge_world::World;

use crate::{gold_transcript, scorers};

/// What a policy says to every case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ConstantReply {
    Nothing,
    Sentence(&'static str),
    /// A sentence for one sort of cases, and one for another.
    Both(&'static str, &'static str),
    /// The question itself, as a subject that reads it aloud.
    Question,
}

/// Every reply that is tried alone. Where several are equally good, the first one is named.
const REPLIES: [ConstantReply; 14] = [
    ConstantReply::Nothing,
    ConstantReply::Sentence("I don't know."),
    ConstantReply::Sentence("Sorry, I can't do that."),
    ConstantReply::Sentence("That is not recorded."),
    ConstantReply::Sentence("Okay."),
    ConstantReply::Sentence("Done."),
    ConstantReply::Sentence("Done. Anything else?"),
    ConstantReply::Sentence("Yes."),
    ConstantReply::Sentence("No."),
    ConstantReply::Sentence("You're welcome."),
    ConstantReply::Sentence("Which one do you mean?"),
    ConstantReply::Sentence("Sorry, yes or no?"),
    ConstantReply::Sentence("What do you mean, which one, how long, to whom?"),
    ConstantReply::Question,
];

/// On how many cases of a kind every policy is tried before a run. The best ones are then measured
/// on all cases: to measure every policy on thousands of cases would take longer than a small run.
const TRIED_BEFORE_RUNS: usize = 40;

/// The same where the floors themselves are asked for.
const TRIED_IN_CHECKS: usize = 120;

/// How many sentences are tried before and behind the best one: those that gain most where it fails.
const PARTNERS: usize = 3;

/// A subject that treats every case alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ConstantPolicy {
    reply: ConstantReply,
    makes_calls: bool,
}

impl ConstantPolicy {
    fn all(makes_calls: bool) -> impl Iterator<Item = Self> {
        REPLIES.into_iter().map(move |reply| Self { reply, makes_calls })
    }

    fn text(self, case: &Case) -> Cow<'_, str> {
        match self.reply {
            ConstantReply::Nothing => "".into(),
            ConstantReply::Sentence(sentence) => sentence.into(),
            ConstantReply::Both(first, second) => format!("{first} {second}").into(),
            ConstantReply::Question => case.sentence().into(),
        }
    }

    /// This sentence and that of another policy, in either order.
    fn with(self, other: Self) -> Vec<Self> {
        let (ConstantReply::Sentence(own), ConstantReply::Sentence(more)) =
            (self.reply, other.reply)
        else {
            return Vec::new();
        };
        let replies = [ConstantReply::Both(own, more), ConstantReply::Both(more, own)];
        replies.map(|reply| Self { reply, ..self }).into()
    }

    fn describe(self) -> String {
        let calls = if self.makes_calls { "makes the expected calls" } else { "calls nothing" };
        match self.reply {
            ConstantReply::Nothing => format!("{calls} and says nothing"),
            ConstantReply::Sentence(sentence) => format!("{calls} and says \"{sentence}\""),
            ConstantReply::Both(first, second) => {
                format!("{calls} and says \"{first} {second}\"")
            }
            ConstantReply::Question => format!("{calls} and repeats the question"),
        }
    }
}

/// The best policy without calls, perhaps the best one with the expected calls, and what they score
/// on every case.
pub struct BestPolicies<'c> {
    best: Vec<ConstantPolicy>,
    rows: Vec<Row<'c>>,
}

/// The scores of some policies on one case, in their order.
struct Row<'c> {
    case: &'c Case,
    values: Vec<f64>,
}

impl<'c> BestPolicies<'c> {
    /// Searches the best policies for these cases; `None` where no case can be scored.
    pub fn search(cases: &[&'c Case], world: &dyn World, scorer: &Scorer) -> Option<Self> {
        let tried = Tried::on_some(cases, world, scorer, TRIED_BEFORE_RUNS, &[false, true]);
        Self::measured(tried.best(|_| true)?, cases, world, scorer)
    }

    /// The same without those that make the expected calls, which take longest.
    pub fn search_without_calls(
        cases: &[&'c Case],
        world: &dyn World,
        scorer: &Scorer,
    ) -> Option<Self> {
        let tried = Tried::on_some(cases, world, scorer, TRIED_BEFORE_RUNS, &[false]);
        Self::measured(tried.best(|_| true)?, cases, world, scorer)
    }

    /// The search saw a sample. What is reported is measured on every case.
    fn measured(
        best: Vec<ConstantPolicy>,
        cases: &[&'c Case],
        world: &dyn World,
        scorer: &Scorer,
    ) -> Option<Self> {
        let rows = measure(cases, world, scorer, &best);
        (!rows.is_empty()).then_some(Self { best, rows })
    }

    /// What they score on the cases that are chosen.
    #[expect(clippy::cast_precision_loss, reason = "suites stay far below 2^52 cases")]
    pub fn floors(&self, is_chosen: impl Fn(&Case) -> bool) -> Option<Floors> {
        let rows: Vec<&Row<'_>> = self.rows.iter().filter(|row| is_chosen(row.case)).collect();
        if rows.is_empty() {
            return None;
        }
        let mut scores = self.best.iter().enumerate().map(|(at, policy)| PolicyScore {
            policy: policy.describe(),
            score: rows.iter().map(|row| row.values[at]).sum::<f64>() / rows.len() as f64,
        });
        Some(Floors { without_calls: scores.next()?, with_calls: scores.next() })
    }
}

/// Every policy, tried on some cases of each kind.
struct Tried<'c> {
    policies: Vec<ConstantPolicy>,
    /// Each with the number of cases that it stands for.
    rows: Vec<(Row<'c>, f64)>,
}

impl<'c> Tried<'c> {
    fn on_some(
        cases: &[&'c Case],
        world: &dyn World,
        scorer: &Scorer,
        per_kind: usize,
        makes_calls: &[bool],
    ) -> Self {
        let sample = sample(cases, per_kind);
        let tried: Vec<&Case> = sample.iter().map(|(case, _)| *case).collect();
        let weights: HashMap<&CaseId, f64> =
            sample.iter().map(|(case, weight)| (&case.id, *weight)).collect();
        let policies: Vec<ConstantPolicy> =
            makes_calls.iter().flat_map(|calls| ConstantPolicy::all(*calls)).collect();
        let rows = measure(&tried, world, scorer, &policies);
        let rows = rows.into_iter().map(|row| {
            let weight = weights[&row.case.id];
            (row, weight)
        });
        let mut tried = Self { rows: rows.collect(), policies };
        tried.add_pairs(world, scorer);
        tried
    }

    /// Tries the best sentences once more with those that gain most where they fail: no sentence
    /// alone suits both a question back and a refusal.
    fn add_pairs(&mut self, world: &dyn World, scorer: &Scorer) {
        let rows: Vec<_> = self.rows.iter().collect();
        let mut pairs: Vec<ConstantPolicy> = Vec::new();
        for best in [false, true].into_iter().filter_map(|calls| self.best_of(&rows, calls)) {
            let partners = self.partners(best).into_iter();
            pairs.extend(partners.flat_map(|at| self.policies[best].with(self.policies[at])));
        }
        if pairs.is_empty() {
            return;
        }
        let cases: Vec<&Case> = self.rows.iter().map(|(row, _)| row.case).collect();
        let measured = measure(&cases, world, scorer, &pairs);
        let mut measured: HashMap<&CaseId, Vec<f64>> =
            measured.into_iter().map(|row| (&row.case.id, row.values)).collect();
        for (row, _) in &mut self.rows {
            let values = measured.remove(&row.case.id);
            row.values.extend(values.unwrap_or_else(|| vec![0.0; pairs.len()]));
        }
        self.policies.extend(pairs);
    }

    /// The policies that gain most where one fails, among those that call as it does.
    fn partners(&self, own: usize) -> Vec<usize> {
        let gain = |at: usize| -> f64 {
            let gained = |(row, weight): &(Row<'_>, f64)| {
                weight * (row.values[at] - row.values[own]).max(0.0)
            };
            self.rows.iter().map(gained).sum()
        };
        let alike = |at: &usize| self.policies[*at].makes_calls == self.policies[own].makes_calls;
        let mut others: Vec<(usize, f64)> =
            (0..self.policies.len()).filter(alike).map(|at| (at, gain(at))).collect();
        others.retain(|(_, gain)| *gain > 0.0);
        others.sort_by(|(_, a), (_, b)| b.total_cmp(a));
        others.into_iter().take(PARTNERS).map(|(at, _)| at).collect()
    }

    /// The best policies for the cases that are chosen, the one without calls first; `None` where
    /// none of these cases can be scored.
    fn best(&self, is_chosen: impl Fn(&Case) -> bool) -> Option<Vec<ConstantPolicy>> {
        let rows: Vec<_> = self.rows.iter().filter(|(row, _)| is_chosen(row.case)).collect();
        if rows.is_empty() {
            return None;
        }
        let best = [false, true].into_iter();
        let best = best.filter_map(|makes_calls| self.best_of(&rows, makes_calls));
        Some(best.map(|at| self.policies[at]).collect())
    }

    /// The best policy that makes the expected calls, or that makes none.
    fn best_of(&self, rows: &[&(Row<'_>, f64)], makes_calls: bool) -> Option<usize> {
        let mut best = None;
        let mut most = f64::NEG_INFINITY;
        for (at, policy) in self.policies.iter().enumerate() {
            let score: f64 = rows.iter().map(|(row, weight)| weight * row.values[at]).sum();
            // Strictly better, so that of equally good replies the first of the list is named.
            if policy.makes_calls == makes_calls && score > most {
                (most, best) = (score, Some(at));
            }
        }
        best
    }
}

/// Some cases of each kind, evenly spread, each with the number of cases that it stands for.
#[expect(clippy::cast_precision_loss, reason = "suites stay far below 2^52 cases")]
fn sample<'c>(cases: &[&'c Case], per_kind: usize) -> Vec<(&'c Case, f64)> {
    let mut sample = Vec::new();
    for cases in by_kind(cases).into_values() {
        let tried = cases.len().min(per_kind);
        let weight = cases.len() as f64 / tried as f64;
        // Evenly spread and not drawn: the same suite must have the same floor in every run.
        sample.extend((0..tried).map(|at| (cases[at * cases.len() / tried], weight)));
    }
    sample
}

fn by_kind<'c>(cases: &[&'c Case]) -> IndexMap<&'c str, Vec<&'c Case>> {
    let mut kinds: IndexMap<&str, Vec<&'c Case>> = IndexMap::new();
    for case in cases {
        kinds.entry(kind_of(case)).or_default().push(case);
    }
    kinds
}

/// What policies score on these cases, on as many threads as there are processors.
fn measure<'c>(
    cases: &[&'c Case],
    world: &dyn World,
    scorer: &Scorer,
    policies: &[ConstantPolicy],
) -> Vec<Row<'c>> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    // At least one, because `chunks` refuses pieces of nothing.
    let share = cases.len().div_ceil(threads).max(1);
    let rows = |cases: &[&'c Case]| -> Vec<Row<'c>> {
        cases.iter().filter_map(|case| row(case, world, scorer, policies)).collect()
    };
    std::thread::scope(|scope| {
        let shares: Vec<_> =
            cases.chunks(share).map(|cases| scope.spawn(move || rows(cases))).collect();
        let joined = shares
            .into_iter()
            // Joined in the order of the cases, so that sums do not depend on which thread was
            // faster.
            .map(|share| share.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        joined.flatten().collect()
    })
}

/// The scores of one case; `None` where no policy can be scored. A policy that cannot be scored
/// where another can gets nothing for it.
fn row<'c>(
    case: &'c Case,
    world: &dyn World,
    scorer: &Scorer,
    policies: &[ConstantPolicy],
) -> Option<Row<'c>> {
    let tools = world.tools(case);
    let books = scorer.reads_books().then(|| world.books()).flatten();
    let mut values = vec![None; policies.len()];
    for makes_calls in [false, true] {
        // Playing the calls is what costs time, and is left out where no policy needs it.
        if policies.iter().all(|policy| policy.makes_calls != makes_calls) {
            continue;
        }
        let calls = if makes_calls { gold_transcript::expected_calls(case) } else { Vec::new() };
        let mut transcript = gold_transcript::transcript(calls, "", case, world);
        // Words do not change the world, so that all replies share what the calls led to.
        let states = scorer.needs_states().then(|| end_states(world, case, &transcript)).flatten();
        for (value, policy) in values.iter_mut().zip(policies) {
            if policy.makes_calls == makes_calls {
                put_reply(&mut transcript, &policy.text(case));
                let evidence = Evidence::new(case, &tools, &transcript).with_books(books.as_ref());
                *value = scorer.judge(&evidence.with_states(states.as_ref())).value();
            }
        }
    }
    if values.iter().all(Option::is_none) {
        return None;
    }
    Some(Row { case, values: values.into_iter().map(Option::unwrap_or_default).collect() })
}

/// Has the last message say something else.
fn put_reply(transcript: &mut Transcript, text: &str) {
    let message = AssistantMessage { content: text.to_owned(), ..AssistantMessage::default() };
    if let Some(last) = transcript.messages.last_mut() {
        *last = Message::Assistant(message);
    }
}

/// The best policies on the cases of one kind.
#[derive(Clone, Debug, Serialize)]
pub struct KindFloors {
    /// The kind; `all` for every case of the suite.
    pub kind: String,
    /// How many cases were scored.
    pub cases: usize,
    /// The best policies.
    pub floors: Floors,
}

/// The best policies on a whole suite by the scorer that counts, and on each kind of case.
#[derive(Clone, Debug, Serialize)]
pub struct SuiteFloors {
    /// The scorer that counts, by its name.
    pub scorer: String,
    /// All cases first, then each kind.
    pub kinds: Vec<KindFloors>,
}

impl SuiteFloors {
    /// Searches the floors of a suite; `None` where nothing can be scored without a subject.
    pub fn search(suite: &Suite, world: &dyn World) -> Option<Self> {
        let scorer = Scorer::by_name(scorers::names_for(suite).first()?)?;
        let cases: Vec<&Case> = suite.cases.iter().map(|case| &**case).collect();
        let tried = Tried::on_some(&cases, world, &scorer, TRIED_IN_CHECKS, &[false, true]);
        let overall = BestPolicies::measured(tried.best(|_| true)?, &cases, world, &scorer)?;
        let floors = overall.floors(|_| true)?;
        let mut kinds = vec![KindFloors { kind: "all".into(), cases: overall.rows.len(), floors }];
        let by_kind = by_kind(&cases);
        // A single kind would only repeat the line for all.
        let by_kind = by_kind.iter().filter(|_| by_kind.len() > 1);
        kinds.extend(by_kind.filter_map(|(kind, cases)| {
            let best = tried.best(|case| kind_of(case) == *kind)?;
            let best = BestPolicies::measured(best, cases, world, &scorer)?;
            let name = if kind.is_empty() { "other" } else { kind };
            let floors = best.floors(|_| true)?;
            Some(KindFloors { kind: name.to_owned(), cases: best.rows.len(), floors })
        }));
        Some(Self { scorer: scorer.name().to_owned(), kinds })
    }
}

impl fmt::Display for SuiteFloors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "  floors by `{}`: what a subject without skill scores", self.scorer)?;
        for KindFloors { kind, cases, floors } in &self.kinds {
            writeln!(f, "    {kind} ({})", counted(*cases, "case"))?;
            for best in [Some(&floors.without_calls), floors.with_calls.as_ref()] {
                let Some(PolicyScore { policy, score }) = best else { continue };
                writeln!(f, "      {score:.3}  {policy}")?;
            }
        }
        Ok(())
    }
}

/// What sort of reply a case expects: the kind of response, else its tag `kind`.
pub fn kind_of(case: &Case) -> &str {
    let tag = || case.tags.get("kind").map_or("", String::as_str);
    case.expectation.response.map_or_else(tag, |kind| kind.name())
}

/// What a log says of each tier, by the value of a tag: the size of its world and the floor of
/// its cases.
pub fn tiers(
    tag: &str,
    cases: &[Arc<Case>],
    world: &dyn World,
    best: Option<&BestPolicies<'_>>,
) -> Map<String, Value> {
    let mut tiers = Map::new();
    for case in cases {
        let Some(tier) = case.tags.get(tag).filter(|tier| !tiers.contains_key(*tier)) else {
            continue;
        };
        let size = world.size(case).and_then(|size| u64::try_from(size).ok());
        let is_in = |case: &Case| case.tags.get(tag) == Some(tier);
        let floor = best.and_then(|best| best.floors(is_in));
        let floor = floor.map(|floors| floors.without_calls.score);
        let definition_tokens = Some(Tool::definition_tokens(&world.tools(case)));
        tiers.insert(tier.clone(), json!(TierFacts { size, floor, definition_tokens }));
    }
    tiers
}
