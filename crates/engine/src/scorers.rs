//! From the names of scorers to their judgements.

use indexmap::IndexMap;
use toolgauge_core::{Fix, Outcome};
use toolgauge_score::{Evidence, Scorer};
use toolgauge_suite::Suite;

use crate::error::EngineError;

/// The scorer of a suite that names none.
pub const DEFAULT: &str = "tool_calls";

/// The scorer that judges as an older benchmark does, faults included.
pub const CLASSIC: &str = "tool_calls_classic";

/// The scorers of these names, with faults put right in the one that has them.
pub fn named(names: &[&str], fixes: &[Fix]) -> Result<Vec<Scorer>, EngineError> {
    if !fixes.is_empty() && !names.contains(&CLASSIC) {
        return Err(EngineError::NothingToFix);
    }
    names.iter().map(|name| Ok(by_name(name)?.fixed(fixes))).collect()
}

/// The scorer of this name.
pub fn by_name(name: &str) -> Result<Scorer, EngineError> {
    let known = || Scorer::names().iter().map(|name| (*name).to_owned()).collect();
    Scorer::by_name(name)
        .ok_or_else(|| EngineError::NoSuchScorer { name: name.to_owned(), known: known() })
}

/// The same scorers with options, each written as `SCORER.NAME=VALUE`.
pub fn with_options(
    mut scorers: Vec<Scorer>,
    options: &[String],
) -> Result<Vec<Scorer>, EngineError> {
    for option in options {
        let wrong =
            |why: &str| EngineError::ScorerOption { option: option.clone(), why: why.to_owned() };
        let parts = option.split_once('.').and_then(|(of, set)| Some((of, set.split_once('=')?)));
        let (of, (name, value)) = parts.ok_or_else(|| wrong("it is not `SCORER.NAME=VALUE`"))?;
        // An option of a scorer that does not judge would be passed over in silence.
        let Some(place) = scorers.iter().position(|scorer| scorer.name() == of) else {
            let judging: Vec<String> =
                scorers.iter().map(|scorer| format!("`{}`", scorer.name())).collect();
            return Err(wrong(&format!("`{of}` does not judge here, only {}", judging.join(", "))));
        };
        let meant = &mut scorers[place];
        *meant = meant.clone().with_option(name, value).map_err(|why| wrong(&why))?;
    }
    Ok(scorers)
}

/// What scorers say of a trial, by their names.
pub fn judge(scorers: &[Scorer], evidence: &Evidence<'_>) -> IndexMap<String, Outcome> {
    scorers.iter().map(|scorer| (scorer.name().to_owned(), scorer.judge(evidence))).collect()
}

/// The names of the scorers that judge a suite where nobody asks for others.
pub fn names_for(suite: &Suite) -> Vec<&str> {
    // Who says what an answer must be like wants it judged.
    let answers = || suite.cases.iter().any(|case| case.expectation.answer.is_some());
    match suite.scorers.as_slice() {
        [] if answers() => vec!["chatbot"],
        [] => vec![DEFAULT],
        names => names.iter().map(String::as_str).collect(),
    }
}
