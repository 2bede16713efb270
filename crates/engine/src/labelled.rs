//! Labelled replies: how often scorers are wrong about words that people have judged.

mod table;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use toolgauge_core::Case;
use toolgauge_runner::end_states;
use toolgauge_score::{Evidence, Scorer};
use toolgauge_suite::Suite;
use toolgauge_world::World;

pub use self::table::ErrorRates;
use crate::error::EngineError;
use crate::{floors, gold_transcript, suites, worlds};

/// One reply with the verdict of a person.
#[derive(Clone, Debug, Deserialize)]
pub struct LabelledReply {
    id: String,
    suite: String,
    case: String,
    #[serde(default)]
    tier: Option<String>,
    reply: String,
    right: bool,
    calls: CallsMade,
    split: Split,
}

/// What was called before the reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum CallsMade {
    /// The calls of the first accepted answer.
    Expected,
    None,
}

/// Which half of the labelled replies one belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Split {
    /// Rules may be changed by looking at these.
    Dev,
    /// Nobody who changes rules looks at these.
    Unseen,
}

/// A labelled reply and the verdict of a scorer.
#[derive(Clone, Debug)]
pub struct JudgedReply {
    /// The reply with its label.
    pub reply: LabelledReply,
    /// The scorer that judged it.
    pub scorer: &'static str,
    /// What sort of reply the case expects.
    pub kind: String,
    /// Whether it passes by the scorer.
    pub passes: bool,
    /// Why, in the scorer's words.
    pub explanation: String,
}

impl JudgedReply {
    /// Whether scorer and person disagree.
    fn is_wrong(&self) -> bool {
        self.passes != self.reply.right
    }

    /// A misjudged reply for people. Replies that are kept unseen are never shown.
    pub fn describe(&self) -> Option<String> {
        // Who changes rules by what is shown here must not learn the unseen half by accident.
        if !self.is_wrong() || self.reply.split == Split::Unseen {
            return None;
        }
        let LabelledReply { id, reply, .. } = &self.reply;
        let verdict = if self.passes { "wrong, but passes" } else { "right, but fails" };
        let why = self.explanation.lines().next().unwrap_or_default();
        let reply = reply.replace('\n', " ");
        Some(format!("{verdict}: {id} ({}): {reply}\n    {why}\n", self.kind))
    }
}

/// Reads every file of labelled replies in a folder.
pub fn read(folder: &Path) -> Result<Vec<LabelledReply>, EngineError> {
    let unreadable =
        |path: &Path, why: String| EngineError::BadReplies { path: path.to_owned(), why };
    let entries = fs::read_dir(folder).map_err(|error| unreadable(folder, error.to_string()))?;
    let mut paths: Vec<_> = entries.filter_map(Result::ok).map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "jsonl"));
    // The system lists files in any order, and the table must not depend on it.
    paths.sort();
    let mut replies = Vec::new();
    for path in paths {
        let text =
            fs::read_to_string(&path).map_err(|error| unreadable(&path, error.to_string()))?;
        for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let reply = serde_json::from_str(line)
                .map_err(|error| unreadable(&path, format!("line {}: {error}", number + 1)))?;
            replies.push(reply);
        }
    }
    Ok(replies)
}

/// Judges every reply by the first scorer of its suite. Replies to cases that a suite no longer
/// has are left out.
pub fn judge(replies: Vec<LabelledReply>) -> Result<Vec<JudgedReply>, EngineError> {
    let mut loaded: BTreeMap<String, (Suite, Arc<dyn World>)> = BTreeMap::new();
    let mut judged = Vec::with_capacity(replies.len());
    for reply in replies {
        if !loaded.contains_key(&reply.suite) {
            // Thousands of replies belong to few suites, and playing their answers would take
            // minutes.
            let suite = suites::load_unchecked(&reply.suite)?;
            let world = worlds::build(&suite, None)?;
            loaded.insert(reply.suite.clone(), (suite, world));
        }
        let (suite, world) = &loaded[&reply.suite];
        let id = match &reply.tier {
            Some(tier) => format!("{tier}/{}", reply.case),
            None => reply.case.clone(),
        };
        let Some(case) = suite.cases.iter().find(|case| case.id.as_str() == id) else { continue };
        let scorer = suite.scorers.first().and_then(|name| Scorer::by_name(name));
        judged.extend(judge_one(reply, case, world.as_ref(), &scorer.unwrap_or_default()));
    }
    Ok(judged)
}

fn judge_one(
    reply: LabelledReply,
    case: &Case,
    world: &dyn World,
    scorer: &Scorer,
) -> Option<JudgedReply> {
    let calls = match reply.calls {
        CallsMade::None => Vec::new(),
        CallsMade::Expected => gold_transcript::expected_calls(case),
    };
    let transcript = gold_transcript::transcript(calls, &reply.reply, case, world);
    let states = scorer.needs_states().then(|| end_states(world, case, &transcript)).flatten();
    let tools = world.tools(case);
    let evidence = Evidence::new(case, &tools, &transcript).with_states(states.as_ref());
    let outcome = scorer.judge(&evidence);
    let score = outcome.score()?;
    Some(JudgedReply {
        scorer: scorer.name(),
        kind: floors::kind_of(case).to_owned(),
        passes: score.value >= 1.0,
        explanation: score.explanation.clone(),
        reply,
    })
}
