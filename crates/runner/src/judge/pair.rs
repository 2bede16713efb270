//! Two answers to the same question, judged in both orders.

use serde::Serialize;
use toolgauge_core::{Case, Transcript};

use super::preference::Preference;
use super::{Judge, prompt, reading};

/// What a judge said of one pair in both orders, each told as if the first answer came first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Trace {
    /// With the first answer shown first; the error tells why there is no judgement.
    pub forward: Result<Preference, String>,
    /// With the second answer shown first.
    pub backward: Result<Preference, String>,
    /// Why, in the judge's words, for each order that was judged.
    pub reasoning: Vec<String>,
}

impl Trace {
    /// What both orders agree on; `None` when they contradict each other or one is missing.
    pub fn agreed(&self) -> Option<Preference> {
        match (&self.forward, &self.backward) {
            (Ok(one), Ok(other)) if one == other => Some(*one),
            _ => None,
        }
    }

    /// Whether both orders were judged.
    pub fn is_judged(&self) -> bool {
        self.forward.is_ok() && self.backward.is_ok()
    }
}

impl Judge {
    /// Judges two answers in both orders, because judges tend to favour a place.
    pub async fn compare(&self, case: &Case, first: &Transcript, second: &Transcript) -> Trace {
        let (first, second) = (prompt::answer(first), prompt::answer(second));
        // A judge would have to make up a difference, so it is not asked.
        if first == second {
            let tie = Ok(Preference::Neither);
            return Trace { forward: tie.clone(), backward: tie, reasoning: Vec::new() };
        }
        let forward = self.prefer(case, &first, &second).await;
        let backward = self.prefer(case, &second, &first).await;
        let said = [&forward, &backward].into_iter().flatten();
        let reasoning = said.map(|(_, words)| words.clone()).collect();
        Trace {
            forward: forward.map(|(preference, _)| preference),
            backward: backward.map(|(preference, _)| preference.swapped()),
            reasoning,
        }
    }

    async fn prefer(
        &self,
        case: &Case,
        one: &str,
        two: &str,
    ) -> Result<(Preference, String), String> {
        let brief = prompt::comparing(&self.rubric, case, one, two);
        self.hear(&brief, 1, reading::preference).await
    }
}
