//! Cases that passed on one side and failed on the other, and why.

use serde::Serialize;
use toolgauge_core::CaseId;

use super::column::TrialKey;
use super::pairing::{Pair, Pairing};
use super::side::{Side, as_f64};

/// A case whose share of passed trials changed by more than this has flipped. With one trial a
/// case any change does; one trial of two is as likely to be chance.
const FLIPPED: f64 = 0.5;

/// How the verdicts on cases changed.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Flips {
    /// Cases that failed on side A and pass on side B.
    pub fixed: usize,
    /// Cases that passed on side A and fail on side B.
    pub broken: usize,
    /// Cases that pass in every trial of both sides.
    pub still_pass: usize,
    /// Cases that pass in no trial of either side.
    pub still_fail: usize,
    /// Cases that pass in some trials and changed in at most half of them.
    pub wavering: usize,
    /// The fixed ones, as many as were asked for.
    pub fixed_cases: Vec<Flip>,
    /// The broken ones, as many as were asked for.
    pub broken_cases: Vec<Flip>,
}

/// One case that flipped.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Flip {
    /// The case.
    pub case: CaseId,
    /// How many of its trials are compared.
    pub trials: u32,
    /// How many of them passed on side A.
    pub passed_a: u32,
    /// How many of them passed on side B.
    pub passed_b: u32,
    /// Why it failed where it failed, in a line.
    pub reason: String,
}

/// How verdicts changed, with at most `shown` cases of each kind.
pub(crate) fn flips(pairing: &Pairing<'_>, pairs: &[Pair], shown: usize) -> Flips {
    let mut flips = Flips::default();
    for case in pairs.chunk_by(|one, other| one.key.case == other.key.case) {
        let passed = |value: fn(&Pair) -> f64| {
            let passed = case.iter().filter(|pair| value(pair) >= 1.0).count();
            u32::try_from(passed).unwrap_or(u32::MAX)
        };
        let (passed_a, passed_b) = (passed(|pair| pair.a), passed(|pair| pair.b));
        let trials = u32::try_from(case.len()).unwrap_or(u32::MAX);
        let change = (f64::from(passed_b) - f64::from(passed_a)) / as_f64(case.len() as u64);
        let flip = |reason| Flip {
            case: name(pairing.a, case[0].key),
            trials,
            passed_a,
            passed_b,
            reason,
        };
        if change > FLIPPED {
            flips.fixed += 1;
            if flips.fixed_cases.len() < shown {
                let failed = case.iter().find(|pair| pair.a < 1.0);
                let reason = failed.map(|pair| reason(pairing.a, pair.key, pair.a));
                flips.fixed_cases.push(flip(reason.unwrap_or_default()));
            }
        } else if change < -FLIPPED {
            flips.broken += 1;
            if flips.broken_cases.len() < shown {
                let failed = case.iter().find(|pair| pair.b < 1.0);
                let place = failed.and_then(|pair| Some((pairing.key_of_b(pair.key)?, pair.b)));
                let reason = place.map(|(key, value)| reason(pairing.b, key, value));
                flips.broken_cases.push(flip(reason.unwrap_or_default()));
            }
        } else if passed_a == trials && passed_b == trials {
            flips.still_pass += 1;
        } else if passed_a == 0 && passed_b == 0 {
            flips.still_fail += 1;
        } else {
            flips.wavering += 1;
        }
    }
    flips
}

/// The name of a trial's case.
pub(crate) fn name(side: &Side, key: TrialKey) -> CaseId {
    let case = side.cases.get_index(key.case as usize);
    case.expect("a key is made from a case of its side").0.clone()
}

/// Why a trial failed, in a line: its costliest losses, or its value if it names none.
fn reason(side: &Side, key: TrialKey, value: f64) -> String {
    let losses = side.losses_of(key);
    if losses.is_empty() {
        return format!("scored {value:.2}");
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
    if more > 0 { format!("{line} and {more} more") } else { line }
}
