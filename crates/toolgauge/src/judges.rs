//! Judges: from flags to a model that judges, with its memory in a folder.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use toolgauge_core::public_address;
use toolgauge_log::{Log, replace_file};
use toolgauge_model::Secret;
use toolgauge_report::Agreement;
use toolgauge_runner::{Judge, Rubric, Verdicts};
use toolgauge_suite::Sampling;

use crate::failure::Failure;
use crate::keys;
use crate::printer::Printer;
use crate::settings::Settings;
use crate::subjects::chatbot::public_name;
use crate::subjects::{self, Host, Order};
use crate::waiting::Waiting;

/// The scorer that reads the votes.
pub(crate) const SCORER: &str = "judge";

/// From which value on a vote counts as favourable.
const PASSES: f64 = 0.7;

/// Who judges, and how.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Judge")]
pub(crate) struct JudgeFlags {
    /// Have this model grade every answer by a rubric.
    ///
    /// Its votes go into the log, and the scorer `judge` takes their mean. It is asked at
    /// temperature 0, and told that answers are material and no instructions.
    #[arg(id = "judge", long = "judge", value_name = "MODEL", env = "TOOLGAUGE_JUDGE")]
    model: Option<String>,

    /// Where the judge is [default: where the model is].
    #[arg(
        id = "judge-url",
        long = "judge-url",
        value_name = "URL",
        requires = "judge",
        env = "TOOLGAUGE_JUDGE_URL"
    )]
    url: Option<String>,

    /// The environment variable that holds the judge's key [default: the model's].
    #[arg(id = "judge-key-env", long = "judge-key-env", value_name = "NAME", requires = "judge")]
    key_variable: Option<String>,

    /// A file that holds the judge's key, in place of the environment.
    #[arg(id = "judge-key-file", long = "judge-key-file", value_name = "FILE", requires = "judge")]
    key_file: Option<PathBuf>,

    /// How often each answer is judged [default: 1].
    #[arg(
        id = "judge-votes",
        long = "judge-votes",
        value_name = "N",
        requires = "judge",
        value_parser = clap::value_parser!(u32).range(1..=99)
    )]
    votes: Option<u32>,

    /// What the judge looks at, a line each: `name weight: what is meant`.
    ///
    /// Without it: accuracy 40, completeness 30, clarity 20, relevance 10.
    #[arg(id = "judge-rubric", long = "judge-rubric", value_name = "FILE", requires = "judge")]
    rubric: Option<PathBuf>,

    /// Where judgements are kept, so that the same answer is not paid for twice [default: the
    /// folder `judgements` among the logs].
    #[arg(id = "judge-cache", long = "judge-cache", value_name = "FOLDER", requires = "judge")]
    cache: Option<PathBuf>,
}

/// A judge as a run's log describes it. Holds no secret.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct JudgeOrder {
    pub(crate) model: String,
    pub(crate) base_url: String,
    key_variable: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    key_file: Option<PathBuf>,
    pub(crate) votes: u32,
    /// The rubric, where it is not the usual one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rubric: Option<String>,
    cache: PathBuf,
}

impl JudgeFlags {
    /// The files that are read for the judge.
    pub(crate) fn inputs(&self) -> impl Iterator<Item = PathBuf> {
        [&self.key_file, &self.rubric].into_iter().flatten().cloned()
    }

    /// The judge that was asked for, if one was.
    pub(crate) fn order(&self, settings: &Settings) -> Result<Option<JudgeOrder>, Failure> {
        let Some(model) = &self.model else { return Ok(None) };
        let rubric = match &self.rubric {
            Some(file) => {
                let text = std::fs::read_to_string(file);
                let text = text.map_err(|error| Failure::file("read", file, error))?;
                let read = Rubric::parse(&text);
                read.map_err(|error| Failure::Rubric { file: file.clone(), error })?;
                Some(text)
            }
            None => None,
        };
        let server = &settings.server;
        let key_variable = self.key_variable.as_ref().unwrap_or(&server.key_variable).clone();
        keys::check_variable(&key_variable)?;
        Ok(Some(JudgeOrder {
            model: model.clone(),
            base_url: self.url.clone().unwrap_or_else(|| server.base_url.clone()),
            key_variable,
            key_file: self.key_file.clone(),
            votes: self.votes.unwrap_or(1),
            rubric,
            cache: self
                .cache
                .clone()
                .unwrap_or_else(|| Path::new(&settings.run.log_dir).join("judgements")),
        }))
    }
}

impl JudgeOrder {
    /// The model behind the judge.
    fn host(&self, settings: &Settings) -> Result<Host, Failure> {
        let mut settings = settings.clone();
        settings.server.base_url.clone_from(&self.base_url);
        settings.server.stream = false;
        let sampling = Sampling { temperature: Some(0.0), ..Sampling::default() };
        let key = self.key()?;
        subjects::build(Order { model: &self.model, settings: &settings, sampling, key })
    }

    /// Whether the judge is there: before a night's run, and not after it.
    pub(crate) async fn greet(
        &self,
        settings: &Settings,
        waiting: &Waiting,
    ) -> Result<(), Failure> {
        let patience = settings.limits.patience.duration();
        self.host(settings)?.greet(None, patience, waiting).await.map(drop)
    }

    /// The settings to judge finished runs with. What the judge said before is known without it,
    /// so that nobody answering is told, and then costs no second try.
    pub(crate) async fn reached(&self, settings: &Settings, printer: &mut Printer) -> Settings {
        let mut settings = settings.clone();
        if let Err(failure) = self.greet(&settings, &Waiting::silent()).await {
            printer.warning(format!("{failure}; only what the judge said before counts"));
            settings.limits.retries = 0;
        }
        settings
    }

    /// The judge, ready to be asked with the patience of these settings.
    pub(crate) fn build(&self, settings: &Settings) -> Result<Judge, Failure> {
        let subject = self.host(settings)?.subject;
        let rubric = match &self.rubric {
            Some(text) => Rubric::parse(text).unwrap_or_default(),
            None => Rubric::default(),
        };
        let folder = self.cache.clone();
        std::fs::create_dir_all(&folder)
            .map_err(|error| Failure::file("create", &folder, error))?;
        Ok(Judge::new(subject, rubric, self.votes).remembering(Folder(folder)))
    }

    fn key(&self) -> Result<Option<Secret>, Failure> {
        keys::key(&self.key_variable, self.key_file.as_deref())
    }

    /// The description as a log keeps it: without what may be a secret.
    pub(crate) fn for_log(&self) -> Self {
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
pub(crate) fn votes_of(log: &Path, judge: &JudgeOrder) -> Result<Option<String>, Failure> {
    let (mut votes, mut unread) = (Vec::new(), 0_usize);
    for trial in Log::open(log)?.trials() {
        let judgements = trial?.transcript.background.judgements;
        unread += judgements.iter().filter(|judgement| judgement.value.is_none()).count();
        let values: Vec<f64> = judgements.iter().filter_map(|judgement| judgement.value).collect();
        votes.push(values);
    }
    let cast: usize = votes.iter().map(Vec::len).sum();
    let mut words = format!("judge `{}`: {cast} votes", public_name(&judge.model));
    if unread > 0 {
        words = format!("{words}, {unread} that could not be read");
    }
    if let Some(agreement) = Agreement::between_votes(votes.iter().map(Vec::as_slice), PASSES) {
        words = format!("{words}; votes on the same answer: {agreement}");
    }
    Ok((cast + unread > 0).then_some(words))
}

/// A judge shared by all trials of a run, if one was asked for.
pub(crate) fn shared(
    order: Option<&JudgeOrder>,
    settings: &Settings,
) -> Result<Option<Arc<Judge>>, Failure> {
    order.map(|order| order.build(settings).map(Arc::new)).transpose()
}
