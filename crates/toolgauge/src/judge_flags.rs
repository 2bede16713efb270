//! The flags that name a judge.

use std::path::{Path, PathBuf};

use toolgauge_engine::judges::JudgeOrder;
use toolgauge_engine::{EngineError, Seconds, Settings, Unobserved, Waiting, keys};
use toolgauge_log::is_address;
use toolgauge_runner::{Rubric, StopSignal};

use crate::failure::Failure;
use crate::printer::Printer;

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
        long = "judge-base-url",
        alias = "judge-url",
        value_name = "URL",
        requires = "judge",
        env = "TOOLGAUGE_JUDGE_URL",
        hide_short_help = true
    )]
    url: Option<String>,

    /// The environment variable that holds the judge's key [default: the model's].
    #[arg(
        id = "judge-key-env",
        long = "judge-key-variable",
        alias = "judge-key-env",
        value_name = "NAME",
        requires = "judge",
        hide_short_help = true
    )]
    key_variable: Option<String>,

    /// A file that holds the judge's key, in place of the environment.
    #[arg(
        id = "judge-key-file",
        long = "judge-key-file",
        value_name = "FILE",
        requires = "judge",
        hide_short_help = true
    )]
    key_file: Option<PathBuf>,

    /// How often each answer is judged [default: 1].
    #[arg(
        id = "judge-votes",
        long = "judge-votes",
        value_name = "N",
        requires = "judge",
        value_parser = clap::value_parser!(u32).range(1..=99),
        hide_short_help = true
    )]
    votes: Option<u32>,

    /// Seconds one attempt of the judge may take; 0 for no limit [default: that of the model, and at
    /// least 300].
    #[arg(
        id = "judge-timeout",
        long = "judge-timeout",
        value_name = "SECONDS",
        requires = "judge",
        value_parser = seconds,
        hide_short_help = true
    )]
    timeout: Option<Seconds>,

    /// What the judge looks at, a line each: `name weight: what is meant`.
    ///
    /// Without it: accuracy 40, completeness 30, clarity 20, relevance 10.
    #[arg(id = "judge-rubric", long = "judge-rubric", value_name = "FILE", requires = "judge")]
    rubric: Option<PathBuf>,

    /// Where judgements are kept, so that the same answer is not paid for twice [default: the
    /// folder `judgements` among the logs].
    #[arg(
        id = "judge-cache",
        long = "judge-cache",
        value_name = "FOLDER",
        requires = "judge",
        hide_short_help = true
    )]
    cache: Option<PathBuf>,
}

fn seconds(text: &str) -> Result<Seconds, String> {
    Seconds::try_from(text.parse::<f64>().map_err(|error| error.to_string())?)
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
                read.map_err(|error| EngineError::Rubric { file: file.clone(), error })?;
                Some(text)
            }
            None => None,
        };
        let server = &settings.server;
        let key_variable = self.key_variable.as_ref().unwrap_or(&server.key_variable).clone();
        keys::check_variable(&key_variable)?;
        Ok(Some(JudgeOrder {
            model: model.clone(),
            base_url: self.url.clone().unwrap_or_else(|| server.base_url.first().to_owned()),
            key_variable,
            key_file: self.key_file.clone(),
            votes: self.votes.unwrap_or(1),
            timeout: self.timeout,
            rubric,
            cache: self.cache.clone().unwrap_or_else(|| judgements(settings)),
        }))
    }
}

/// Where judgements are kept for the next run: beside the logs, if those are on this machine.
fn judgements(settings: &Settings) -> PathBuf {
    let logs = Path::new(&settings.run.log_dir);
    let logs = if is_address(logs) { Path::new("logs") } else { logs };
    logs.join("judgements")
}

/// The settings to judge finished runs with. What the judge said before is known without it,
/// so that nobody answering is told, and then costs no second try.
pub(crate) async fn reached(
    judge: &JudgeOrder,
    settings: &Settings,
    printer: &mut Printer,
) -> Settings {
    let mut settings = settings.clone();
    if let Err(failure) =
        judge.greet(&settings, &Waiting::new(&StopSignal::default(), &Unobserved)).await
    {
        printer.warning(format!("{failure}; only what the judge said before counts"));
        settings.limits.retries = 0;
    }
    settings
}
