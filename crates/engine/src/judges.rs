//! Judges: a model that judges answers, with its memory in a folder.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use toolgauge_core::public_address;
use toolgauge_log::{Log, replace_file};
use toolgauge_model::Secret;
use toolgauge_report::ValueAgreement;
use toolgauge_report::number::counted;
use toolgauge_runner::{Judge, Rubric, Verdicts};
use toolgauge_suite::Sampling;

use crate::chatbot_name::public_name;
use crate::error::EngineError;
use crate::keys;
use crate::settings::{Seconds, Settings};
use crate::subjects::{self, Host, SubjectOptions};
use crate::waiting::Waiting;

/// The scorer that reads the votes.
pub const SCORER: &str = "judge";

/// From which value on a vote counts as favourable.
const PASSES: f64 = 0.7;

/// How long an attempt of a judge may take at least, unless its own limit is given.
const USUAL_SECONDS: u16 = 300;

/// A judge as a run's log describes it. Holds no secret.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JudgeOrder {
    /// The model that judges.
    pub model: String,
    /// The address of its server.
    pub base_url: String,
    /// The environment variable that holds its key.
    pub key_variable: String,
    /// A file that holds the key, in place of the environment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key_file: Option<PathBuf>,
    /// How many votes each answer gets.
    pub votes: u32,
    /// How many seconds one attempt may take, where that is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout: Option<Seconds>,
    /// The rubric, where it is not the usual one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rubric: Option<String>,
    /// The folder in which judgements are kept.
    pub cache: PathBuf,
}

impl JudgeOrder {
    /// The model behind the judge.
    fn host(&self, settings: &Settings) -> Result<Host, EngineError> {
        let mut settings = settings.clone();
        settings.server.base_url = self.base_url.clone().into();
        settings.limits.attempt_timeout = self.attempt_timeout(settings.limits.attempt_timeout);
        // Nobody looks at the first token of a judgement.
        settings.server.stream = false;
        // The suite's sampling is about the subject. A judge should say the same of the same
        // answer.
        let sampling = Sampling { temperature: Some(0.0), ..Sampling::default() };
        let key = self.key()?;
        let servers = Arc::default();
        let model = &self.model;
        subjects::build(SubjectOptions {
            model,
            settings: &settings,
            sampling,
            key,
            servers,
            played: None,
        })
    }

    /// How long one attempt may take. A limit that keeps a fast subject short would cut off a judge,
    /// who reads and writes more, so that without one of its own it has the usual time at least.
    fn attempt_timeout(&self, of_subject: Seconds) -> Seconds {
        let usual = Seconds::new(USUAL_SECONDS);
        let is_short = of_subject.limit().is_some_and(|limit| limit < usual.duration());
        self.timeout.unwrap_or(if is_short { usual } else { of_subject })
    }

    /// Whether the judge is there: before a night's run, and not after it.
    pub async fn greet(
        &self,
        settings: &Settings,
        waiting: &Waiting<'_>,
    ) -> Result<(), EngineError> {
        let patience = settings.limits.patience.duration();
        self.host(settings)?.greet(None, patience, waiting).await.map(drop)
    }

    /// The judge, ready to be asked with the patience of these settings.
    pub fn build(&self, settings: &Settings) -> Result<Judge, EngineError> {
        let subject = self.host(settings)?.subject;
        let rubric = match &self.rubric {
            Some(text) => Rubric::parse(text).unwrap_or_default(),
            None => Rubric::default(),
        };
        let folder = self.cache.clone();
        std::fs::create_dir_all(&folder)
            .map_err(|error| EngineError::file("create", &folder, error))?;
        Ok(Judge::new(subject, rubric, self.votes).remembering(Folder(folder)))
    }

    fn key(&self) -> Result<Option<Secret>, EngineError> {
        keys::key(&self.key_variable, self.key_file.as_deref())
    }

    /// The description as a log keeps it: without what may be a secret.
    #[must_use]
    pub fn for_log(&self) -> Self {
        let (model, base_url) = (public_name(&self.model), public_address(&self.base_url));
        Self { model, base_url, ..self.clone() }
    }
}

/// Judgements as files, named by their keys.
struct Folder(PathBuf);

impl Folder {
    fn file(&self, key: &str) -> PathBuf {
        let (first, _) = key.split_at(key.len().min(2));
        self.0.join(first).join(format!("{key}.txt"))
    }
}

impl Verdicts for Folder {
    fn recall(&self, key: &str) -> Option<String> {
        std::fs::read_to_string(self.file(key)).ok()
    }

    fn keep(&self, key: &str, words: &str) {
        let file = self.file(key);
        // What cannot be kept is judged again, which costs no more than having no memory.
        if file.parent().map_or(Ok(()), std::fs::create_dir_all).is_ok() {
            let _ = replace_file(&file, words);
        }
    }
}

/// How far the votes on the answers of a log agree, in words; `None` when there is nothing to
/// compare.
pub fn votes_of(log: &Path, judge: &JudgeOrder) -> Result<Option<String>, EngineError> {
    let (mut votes, mut unread) = (Vec::new(), 0_usize);
    for trial in Log::open(log)?.trials() {
        let judgements = trial?.transcript.background.judgements;
        unread += judgements.iter().filter(|judgement| judgement.value.is_none()).count();
        let values: Vec<f64> = judgements.iter().filter_map(|judgement| judgement.value).collect();
        votes.push(values);
    }
    let cast: usize = votes.iter().map(Vec::len).sum();
    let mut words = format!("judge `{}`: {}", public_name(&judge.model), counted(cast, "vote"));
    if unread > 0 {
        words = format!("{words}, {unread} that could not be read");
    }
    if let Some(agreement) = ValueAgreement::between_votes(votes.iter().map(Vec::as_slice), PASSES)
    {
        words = format!("{words}; votes on the same answer: {agreement}");
    }
    Ok((cast + unread > 0).then_some(words))
}

/// A judge shared by all trials of a run, if one was asked for.
pub fn shared(
    order: Option<&JudgeOrder>,
    settings: &Settings,
) -> Result<Option<Arc<Judge>>, EngineError> {
    order.map(|order| order.build(settings).map(Arc::new)).transpose()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_judge_has_a_time_limit_of_its_own() {
        let judge = |timeout| JudgeOrder {
            model: "m".into(),
            base_url: String::new(),
            key_variable: String::new(),
            key_file: None,
            votes: 1,
            timeout,
            rubric: None,
            cache: PathBuf::new(),
        };
        let limit = |own, of_subject| judge(own).attempt_timeout(Seconds::new(of_subject));
        assert_eq!(limit(None, 5), Seconds::new(300), "a short one is the subject's alone");
        assert_eq!(limit(None, 900), Seconds::new(900));
        assert_eq!(limit(None, 0), Seconds::new(0), "no limit");
        assert_eq!(limit(Some(Seconds::new(20)), 900), Seconds::new(20));
    }
}
