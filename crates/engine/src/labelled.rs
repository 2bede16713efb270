//! Labelled replies: how often scorers are wrong about words that people have judged.

mod table;

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use toolgauge_core::{Case, Outcome};
use toolgauge_runner::end_states;
use toolgauge_score::{Evidence, Scorer};
use toolgauge_suite::Suite;
use toolgauge_world::World;

pub use self::table::ErrorRates;
use crate::error::EngineError;
use crate::{floors, gold_transcript, scorers, suites, worlds};

/// One reply with the verdict of a person.
#[derive(Clone, Debug, Deserialize, Serialize)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
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
#[derive(Clone, Debug, Serialize)]
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

    /// Whether it is shown: it is misjudged, and need not be kept unseen.
    pub fn is_shown(&self) -> bool {
        // Who changes rules by what is shown must not learn the unseen half by accident.
        self.is_wrong() && self.reply.split != Split::Unseen
    }

    /// A misjudged reply for people. Replies that are kept unseen are never shown.
    pub fn describe(&self) -> Option<String> {
        if !self.is_shown() {
            return None;
        }
        let LabelledReply { id, reply, .. } = &self.reply;
        let verdict = if self.passes { "wrong, but passes" } else { "right, but fails" };
        let why = self.explanation.lines().next().unwrap_or_default();
        let reply = reply.replace('\n', " ");
        Some(format!("{verdict}: {id} ({}): {reply}\n    {why}\n", self.kind))
    }
}

/// A reply that could not be judged, and why.
#[derive(Clone, Debug)]
pub struct UnjudgedReply {
    /// Its id in the file.
    pub id: String,
    /// Why not.
    pub why: String,
}

/// Reads every file of labelled replies in a folder, or one file.
pub fn read(place: &Path) -> Result<Vec<LabelledReply>, EngineError> {
    let unreadable = |path: &Path, why: String| EngineError::BadReplies { path: path.into(), why };
    let mut paths = if place.is_file() { vec![place.to_owned()] } else { files_in(place)? };
    // The system lists files in any order, and the table must not depend on it.
    paths.sort();
    let mut replies: Vec<LabelledReply> = Vec::new();
    let mut first_seen: HashMap<String, String> = HashMap::new();
    for path in paths {
        let text =
            fs::read_to_string(&path).map_err(|error| unreadable(&path, error.to_string()))?;
        for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let number = number + 1;
            let reply: LabelledReply = serde_json::from_str(line)
                .map_err(|error| unreadable(&path, format!("line {number}: {error}")))?;
            let here = format!("{}:{number}", path.display());
            // Whoever counted a reply twice would give it twice the weight.
            if let Some(first) = first_seen.insert(reply.id.clone(), here) {
                let id = &reply.id;
                let why = format!(
                    "line {number}: the id `{id}` is given twice; it is first given at {first}"
                );
                return Err(unreadable(&path, why));
            }
            replies.push(reply);
        }
    }
    if replies.is_empty() {
        let why = "it holds no labelled reply; they are lines of `.jsonl` files".to_owned();
        return Err(unreadable(place, why));
    }
    Ok(replies)
}

/// The files of labelled replies in a folder.
fn files_in(folder: &Path) -> Result<Vec<PathBuf>, EngineError> {
    let unreadable = |error: std::io::Error| EngineError::BadReplies {
        path: folder.to_owned(),
        why: error.to_string(),
    };
    let entries = fs::read_dir(folder).map_err(unreadable)?;
    let paths: Result<Vec<PathBuf>, _> = entries.map(|entry| Ok(entry?.path())).collect();
    let mut paths = paths.map_err(unreadable)?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "jsonl"));
    Ok(paths)
}

/// Judges every reply by these scorers, or else by the first one of its suite, and says of which there
/// is no judgement.
pub fn judge(
    replies: Vec<LabelledReply>,
    scorers: &[String],
) -> Result<(Vec<JudgedReply>, Vec<UnjudgedReply>), EngineError> {
    let asked: Vec<Scorer> =
        scorers.iter().map(|name| scorers::by_name(name)).collect::<Result<_, _>>()?;
    let mut loaded: BTreeMap<String, (Suite, Arc<dyn World>)> = BTreeMap::new();
    let mut judged = Vec::with_capacity(replies.len());
    let mut unjudged = Vec::new();
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
        let Some(case) = suite.cases.iter().find(|case| case.id.as_str() == id) else {
            let why = format!("`{}` has no case `{id}`", reply.suite);
            unjudged.push(UnjudgedReply { id: reply.id, why });
            continue;
        };
        let first = suite.scorers.first().and_then(|name| Scorer::by_name(name));
        let first = [first.unwrap_or_default()];
        for scorer in if asked.is_empty() { &first[..] } else { &asked } {
            match judge_one(reply.clone(), case, world.as_ref(), scorer) {
                Ok(reply) => judged.push(reply),
                Err(reply) => unjudged.push(reply),
            }
        }
    }
    Ok((judged, unjudged))
}

fn judge_one(
    reply: LabelledReply,
    case: &Case,
    world: &dyn World,
    scorer: &Scorer,
) -> Result<JudgedReply, UnjudgedReply> {
    let calls = match reply.calls {
        CallsMade::None => Vec::new(),
        CallsMade::Expected => gold_transcript::expected_calls(case),
    };
    let transcript = gold_transcript::transcript(calls, &reply.reply, case, world);
    let states = scorer.needs_states().then(|| end_states(world, case, &transcript)).flatten();
    let tools = world.tools(case);
    let books = scorer.reads_books().then(|| world.books()).flatten();
    let evidence = Evidence::new(case, &tools, &transcript)
        .with_states(states.as_ref())
        .with_books(books.as_ref());
    let outcome = scorer.judge(&evidence);
    let score = match &outcome {
        Outcome::Scored(score) => score,
        Outcome::Unscored(reason) => {
            return Err(UnjudgedReply { id: reply.id, why: reason.to_string() });
        }
    };
    Ok(JudgedReply {
        scorer: scorer.name(),
        kind: floors::kind_of(case).to_owned(),
        passes: score.value >= 1.0,
        explanation: score.explanation.clone(),
        reply,
    })
}
