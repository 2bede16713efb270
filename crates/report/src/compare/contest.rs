//! Several runs on the same cases: ranks, every pair, and who cannot be told apart.

use indexmap::IndexMap;
use serde::Serialize;
use toolgauge_core::CaseId;
use toolgauge_stats::{Cluster, Contest, Ranking, Resampling, rank};

use super::column::TrialKey;
use super::difference::CONFIDENCE;
use super::side::RunSide;
use super::{Caution, RunPairing, SideFacts, UnscoredRule, cautions, scores};

/// Several runs compared.
#[derive(Clone, Debug, Serialize)]
pub struct ContestReport {
    /// The version of this form.
    pub version: u32,
    /// The cases that all runs have a score for.
    pub cases: usize,
    /// The runs, from the highest score to the lowest.
    pub contenders: Vec<Contender>,
    /// Every pair once.
    pub duels: Vec<Duel>,
    /// Runs that cannot be told apart, by their letters, the best group first. A run may be in
    /// several groups.
    pub groups: Vec<Vec<String>>,
    /// What else differs between the first run and each other one, by letter.
    pub cautions: IndexMap<String, Vec<Caution>>,
}

impl ContestReport {
    /// Which runs cannot be told apart, by their letters: `B and C; C, D and E`.
    pub(crate) fn alike(&self) -> Option<String> {
        let several = self.groups.iter().filter(|group| group.len() > 1);
        let words = several.map(|group| match group.as_slice() {
            [first @ .., last] => format!("{} and {last}", first.join(", ")),
            [] => String::new(),
        });
        let words: Vec<String> = words.collect();
        (!words.is_empty()).then(|| words.join("; "))
    }
}

/// One run among several.
#[derive(Clone, Debug, Serialize)]
pub struct Contender {
    /// The letter it goes by.
    pub letter: String,
    /// What is told of the run.
    pub run: SideFacts,
    /// Its mean score over the shared cases, a case's trials averaged.
    pub score: f64,
    /// The lower end of its 95 % interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// Its place by the mean score; the best has 1.
    pub rank: usize,
    /// The best rank it may well have.
    pub best_rank: usize,
    /// The worst rank it may well have.
    pub worst_rank: usize,
    /// How often it came first when cases were drawn anew.
    pub probability_best: f64,
}

/// One run against another.
#[derive(Clone, Debug, Serialize)]
pub struct Duel {
    /// The letter of one.
    pub a: String,
    /// The letter of the other.
    pub b: String,
    /// B − A.
    pub difference: f64,
    /// The lower end of its 95 % interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// The p-value of the sign-flip test.
    pub p_value: f64,
    /// The same, corrected for all pairs.
    pub adjusted_p_value: f64,
    /// Whether they can be told apart.
    pub told_apart: bool,
}

impl ContestReport {
    /// Compares several runs; absent for fewer than two runs or two shared independent cases.
    pub fn of(sides: &[RunSide], unscored: UnscoredRule, resampling: &Resampling) -> Option<Self> {
        let (table, groups) = table(sides, unscored);
        let contest = Contest { scores: &table, groups: groups.as_deref() };
        let ranking = rank(&contest, resampling, CONFIDENCE)?;
        let first = sides.first()?;
        let others = sides.iter().enumerate().skip(1);
        let cautions = others.map(|(at, side)| {
            let letter = letter(at);
            let cautions = cautions(&RunPairing::of(first, side), &letter);
            (letter, cautions)
        });
        Some(Self {
            version: 1,
            cases: table.len(),
            contenders: contenders(sides, &ranking),
            duels: duels(&ranking),
            groups: ranking
                .groups
                .iter()
                .map(|group| group.iter().map(|model| letter(*model)).collect())
                .collect(),
            cautions: cautions.filter(|(_, cautions)| !cautions.is_empty()).collect(),
        })
    }
}

fn contenders(sides: &[RunSide], ranking: &Ranking) -> Vec<Contender> {
    let contender = |standing: &toolgauge_stats::ModelStanding| Contender {
        letter: letter(standing.model),
        run: SideFacts::of(&sides[standing.model]),
        score: standing.mean,
        low: standing.interval.low,
        high: standing.interval.high,
        rank: standing.rank,
        best_rank: standing.rank_interval.0,
        worst_rank: standing.rank_interval.1,
        probability_best: standing.probability_best,
    };
    ranking.standings.iter().map(contender).collect()
}

fn duels(ranking: &Ranking) -> Vec<Duel> {
    let duel = |pair: &toolgauge_stats::PairFinding| Duel {
        a: letter(pair.a),
        b: letter(pair.b),
        difference: pair.difference,
        low: pair.interval.low,
        high: pair.interval.high,
        p_value: pair.p_value,
        adjusted_p_value: pair.adjusted_p_value,
        told_apart: pair.adjusted_p_value < CONFIDENCE.alpha(),
    };
    ranking.pairs.iter().map(duel).collect()
}

/// A row of mean scores for each case that all sides have, and the groups if cases share any.
fn table(sides: &[RunSide], unscored: UnscoredRule) -> (Vec<Vec<f64>>, Option<Vec<usize>>) {
    let means: Vec<IndexMap<&CaseId, f64>> =
        sides.iter().map(|s| case_means(s, unscored)).collect();
    let Some((first, others)) = means.split_first() else { return (Vec::new(), None) };
    let (mut rows, mut groups) = (Vec::new(), Vec::new());
    let units = sides.first().map(super::units);
    for (case, mean) in first {
        let of_others = others.iter().map(|means| means.get(case).copied());
        // A case that one run lacks would be counted for the others only, easy or hard as it is.
        let Some(of_others) = of_others.collect::<Option<Vec<f64>>>() else { continue };
        let mut row = vec![*mean];
        row.extend(of_others);
        rows.push(row);
        let place = sides[0].cases.get_index_of(*case).unwrap_or_default();
        groups.push(units.as_ref().map_or(place, |(units, _)| units[place] as usize));
    }
    let grouped = units.is_some_and(|(_, grouped)| grouped);
    (rows, grouped.then_some(groups))
}

fn case_means(side: &RunSide, unscored: UnscoredRule) -> IndexMap<&CaseId, f64> {
    let (score, _) = scores(side, side, unscored);
    let values: Vec<(TrialKey, f64)> = score.iter().collect();
    let cases = values.chunk_by(|one, other| one.0.case == other.0.case);
    let mean = |case: &[(TrialKey, f64)]| {
        let mut cluster = Cluster::new();
        for (_, value) in case {
            cluster.add(*value);
        }
        let (name, _) = side.cases.get_index(case[0].0.case as usize)?;
        Some((name, cluster.mean()?))
    };
    cases.filter_map(mean).collect()
}

/// A, B, C … and beyond the alphabet by number.
pub(crate) fn letter(place: usize) -> String {
    match u8::try_from(place) {
        Ok(place @ 0..=25) => char::from(b'A' + place).to_string(),
        _ => format!("#{}", place + 1),
    }
}
