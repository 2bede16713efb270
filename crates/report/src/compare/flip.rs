//! Cases that passed on one side and failed on the other, and why.

use serde::Serialize;
use toolgauge_core::CaseId;

use super::column::{CaseMean, ComparedColumn};
use super::pairing::{CasePair, RunPairing};
use super::side::RunSide;

/// How the verdicts on cases changed.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Flips {
    /// Cases that failed in most trials of side A and pass in every trial of side B.
    pub fixed: usize,
    /// Cases that passed in every trial of side A and fail in most trials of side B.
    pub broken: usize,
    /// Cases that pass in every trial of both sides.
    pub still_pass: usize,
    /// Cases that pass in no trial of either side.
    pub still_fail: usize,
    /// All others: cases that pass in some trials of a side and fail in others of the same side.
    pub wavering: usize,
    /// The fixed ones, as many as were asked for.
    pub fixed_cases: Vec<Flip>,
    /// The broken ones, as many as were asked for.
    pub broken_cases: Vec<Flip>,
}

/// One case that flipped.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Flip {
    /// The case, by its id.
    pub case: CaseId,
    /// How many trials it has on side A.
    pub trials_a: u32,
    /// How many of them passed.
    pub passed_a: u32,
    /// How many trials it has on side B.
    pub trials_b: u32,
    /// How many of them passed.
    pub passed_b: u32,
    /// Why it failed where it failed, in a line.
    pub reason: String,
}

/// What became of a case. One that was wrong now and then on one side is not called fixed or
/// broken, since chance alone may have changed it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Change {
    Fixed,
    Broken,
    StillPasses,
    StillFails,
    Wavers,
}

impl Change {
    fn of(pair: &CasePair) -> Self {
        let always = |side: &CaseMean| side.passed == side.trials;
        let mostly_fails = |side: &CaseMean| 2 * side.passed < side.trials;
        match (&pair.a, &pair.b) {
            (a, b) if always(a) && always(b) => Self::StillPasses,
            (a, b) if a.passed + b.passed == 0 => Self::StillFails,
            (a, b) if mostly_fails(a) && always(b) => Self::Fixed,
            (a, b) if always(a) && mostly_fails(b) => Self::Broken,
            _ => Self::Wavers,
        }
    }
}

/// How verdicts changed, with at most `shown` cases of each kind. The columns are those of the
/// pairs.
pub(crate) fn flips(
    pairing: &RunPairing<'_>,
    pairs: &[CasePair],
    (a, b): (&ComparedColumn, &ComparedColumn),
    shown: usize,
) -> Flips {
    let mut flips = Flips::default();
    for pair in pairs {
        let (count, cases) = match Change::of(pair) {
            Change::Fixed => (&mut flips.fixed, Some(&mut flips.fixed_cases)),
            Change::Broken => (&mut flips.broken, Some(&mut flips.broken_cases)),
            Change::StillPasses => (&mut flips.still_pass, None),
            Change::StillFails => (&mut flips.still_fail, None),
            Change::Wavers => (&mut flips.wavering, None),
        };
        *count += 1;
        let Some(cases) = cases.filter(|cases| cases.len() < shown) else { continue };
        let reason = match Change::of(pair) {
            Change::Fixed => reason(pairing.a, a, pair.case),
            _ => pairing.case_of_b(pair.case).and_then(|case| reason(pairing.b, b, case)),
        };
        cases.push(Flip {
            case: name(pairing.a, pair.case),
            trials_a: pair.a.trials,
            passed_a: pair.a.passed,
            trials_b: pair.b.trials,
            passed_b: pair.b.passed,
            reason: reason.unwrap_or_default(),
        });
    }
    flips
}

/// The name of a case.
pub(crate) fn name(side: &RunSide, case: u32) -> CaseId {
    let case = side.cases.get_index(case as usize);
    case.expect("a case of a pair is one of its side").0.clone()
}

/// Why a case failed, in a line: the costliest losses of its first failed trial, or the value if
/// it names none.
fn reason(side: &RunSide, score: &ComparedColumn, case: u32) -> Option<String> {
    let (key, value) = score.trials_of(case).find(|(_, value)| !score.passes(*value))?;
    // A trial that failed is only here if it counts as wrong.
    if let Some(failed) = side.failed_for(&side.scorer).iter().find(|failed| failed.key == key) {
        return Some(format!("unscored: {}", failed.kind.name()));
    }
    let losses = side.losses_of(key);
    if losses.is_empty() {
        return Some(format!("scored {value:.2}"));
    }
    let mut words: Vec<String> = Vec::new();
    for loss in &losses {
        let loss = match side.place(loss) {
            Some(place) => format!("{} ({place})", loss.cause.words()),
            None => loss.cause.words().to_owned(),
        };
        if !words.contains(&loss) {
            words.push(loss);
        }
    }
    let more = words.len().saturating_sub(2);
    words.truncate(2);
    let line = words.join(", ");
    Some(if more > 0 { format!("{line} and {more} more") } else { line })
}
