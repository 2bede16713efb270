//! What `toolgauge run` is told.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use toolgauge_core::{CaseId, Outcome};
use toolgauge_engine::claims::ClaimRequest;
use toolgauge_engine::shards::ShardChoice;
use toolgauge_engine::{ReadableLog, with_agent};
use toolgauge_log::{Log, OutputFile};
use toolgauge_suite::{Selection, Suite};

use crate::embedding_flags::EmbeddingFlags;
use crate::failure::Failure;
use crate::flags::{
    FixFlags, LimitFlags, OutputFormat, SamplingFlags, SelectionFlags, ServerFlags, WithFlags as _,
    WorldFlags,
};
use crate::gates::GateFlags;
use crate::grading::GradeFlags;
use crate::judge_flags::JudgeFlags;
use crate::last_log::optional_log;
use crate::layer::Layer;
use crate::settings::{self, Settings};

/// Run suites against models and leave a log of each run.
///
/// Without arguments the small home of the shipped `home-assistant` suite is put to the built-in
/// baseline, which needs no model. Several suites, models and variants make a matrix: each cell gets a log of its own,
/// and a table at the end shows them side by side.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Suites: folders, files, or names of shipped suites [default: home-assistant].
    #[arg(value_name = "SUITE")]
    pub(super) suites: Vec<String>,

    /// The folder of the questions of `bfcl:CATEGORY`: `bfcl_eval/data` in the package `bfcl-eval`.
    #[arg(long, value_name = "FOLDER", hide_short_help = true)]
    pub(super) data: Option<PathBuf>,

    /// Take the tools from the MCP servers of this file, such as `.mcp.json`, and the cases from
    /// `--cases`, without a suite. The servers are started in the folder of the file.
    #[arg(
        long,
        value_name = "FILE",
        requires = "case_file",
        conflicts_with_all = ["suites", "resume", "matrix"],
        hide_short_help = true
    )]
    pub(super) mcp: Option<PathBuf>,

    /// The cases that are put to a model with the tools of `--mcp`: YAML, JSON, NDJSON or CSV.
    #[arg(
        long = "cases",
        id = "case_file",
        value_name = "FILE",
        requires = "mcp",
        hide_short_help = true
    )]
    pub(super) case_file: Option<PathBuf>,

    /// Models by their names at the server, GGUF files, chatbots (`chatbot:URL`, `command:LINE`), or
    /// `baseline`.
    ///
    /// Models: names at the server, `baseline`, `script:FILE`, `replay:LOG` or GGUF files. Chatbots:
    /// `chatbot:URL`, `chatbot:FILE.yaml` or `command:LINE`. Agents of a Home Assistant that is a
    /// test instance: `home-assistant:URL`.
    #[arg(
        long = "model",
        short,
        value_name = "MODEL",
        env = "TOOLGAUGE_MODEL",
        value_delimiter = ','
    )]
    pub(super) models: Vec<String>,

    /// The agent that `home-assistant:URL` is asked for.
    #[arg(long, value_name = "ENTITY", hide_short_help = true)]
    pub(super) agent: Option<String>,

    /// Variants of the suite, run side by side: `--variant plain,terse`.
    #[arg(long = "variant", value_name = "NAME", value_delimiter = ',')]
    pub(super) variants: Vec<String>,

    /// How often each case is executed [default: the suite's choice, else 1].
    #[arg(long, short, value_name = "N", env = "TOOLGAUGE_TRIALS", value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) trials: Option<u32>,

    /// Keep adding trials until the score is known to plus or minus this.
    ///
    /// Cases are drawn in random order, and the interval may be looked at after every trial
    /// without losing its promise. With two variants the run ends as soon as one is shown to be
    /// better.
    #[arg(long, value_name = "HALF_WIDTH", value_parser = half_width, conflicts_with = "trials", hide_short_help = true)]
    pub(super) until: Option<f64>,

    /// End an adaptive run after this many trials of each variant [default: 20 for each case].
    #[arg(long, value_name = "TRIALS", requires = "until", hide_short_help = true)]
    pub(super) budget: Option<u32>,

    /// Judge by these scorers; the first one's judgement counts [default: the suite's choice].
    #[arg(long = "scorer", value_name = "NAME", value_delimiter = ',')]
    pub(super) scorers: Vec<String>,

    #[command(flatten)]
    pub(super) fixes: FixFlags,

    /// Where logs are kept [default: logs].
    ///
    /// `s3://bucket/runs` is in an object store.
    #[arg(long, value_name = "FOLDER", env = "TOOLGAUGE_LOG_DIR")]
    pub(super) log_dir: Option<String>,

    /// Run only what is missing in this log and add it there; `last`, the default, is the newest.
    ///
    /// With `--matrix`, only the cells and trials are run that its logs lack.
    ///
    /// What the log leaves out because it may be a secret is to be given again: login and query of
    /// an address, the arguments of a command.
    #[arg(
        long,
        value_name = "LOG|last",
        num_args = 0..=1,
        default_missing_value = "last",
        conflicts_with_all = ["suites", "variants"]
    )]
    pub(super) resume: Option<PathBuf>,

    /// Run only this part of the cases, such as `3/16`; the same command again goes on with it.
    ///
    /// The cases are split by the plan alone: shards differ by one case at most, and cases that
    /// share a prompt stay together. Each shard leaves an ordinary log; `toolgauge merge` makes one
    /// of them, and every command takes a folder of shards as one run. `auto` asks the scheduler's
    /// variables which task this is: those of Slurm, Kubernetes, GitLab, `CircleCI`, Buildkite, AWS
    /// Batch and PBS, or `RANK` and `WORLD_SIZE`. Slurm, Kubernetes and PBS do not say of how many:
    /// write `auto/16`.
    #[arg(
        long,
        value_name = "N/M|auto",
        conflicts_with_all = ["resume", "matrix", "until"],
        hide_short_help = true
    )]
    pub(super) shard: Option<ShardChoice>,

    /// Share the cases with other workers: take chunks of them, in this folder or store, until all
    /// are finished.
    ///
    /// Every worker is started by the same command. A chunk is taken by creating its claim where
    /// there is none, and the claim is renewed while its worker lives; that of a killed worker runs
    /// out, and another goes on with its log. Each chunk leaves the log of a shard, so that all
    /// workers need the same `--log-dir`. Where the claims are in an object store, it must know
    /// `If-None-Match`, as S3, Google Cloud Storage and Azure do.
    #[arg(
        long,
        value_name = "FOLDER|s3://…",
        conflicts_with_all = ["resume", "matrix", "until", "shard"],
        hide_short_help = true
    )]
    pub(super) claim: Option<PathBuf>,

    /// How many chunks there are to claim, the same for all workers [default: one for 25 cases, 64
    /// at most].
    #[arg(
        long,
        value_name = "COUNT",
        requires = "claim",
        value_parser = clap::value_parser!(u32).range(1..=65_535),
        hide_short_help = true
    )]
    pub(super) chunks: Option<u32>,

    /// Seconds that a claim holds without being renewed, the same for all workers.
    #[arg(
        long,
        value_name = "SECONDS",
        requires = "claim",
        default_value_t = 60,
        value_parser = clap::value_parser!(u16).range(1..),
        hide_short_help = true
    )]
    pub(super) lease: u16,

    /// Run every cell of a matrix: models × quantisations × contexts × prompts × tiers.
    ///
    /// The file is described in `docs/matrix.md`. A llama-server is started for each GGUF file,
    /// each cell leaves a log, and a leaderboard is printed at the end.
    #[arg(
        long,
        value_name = "FILE",
        help_heading = "Matrix",
        conflicts_with_all = ["suites", "models", "variants", "until", "judge"]
    )]
    pub(super) matrix: Option<PathBuf>,

    /// Write the leaderboard of the matrix to this file, in Markdown.
    #[arg(
        long = "output",
        alias = "leaderboard",
        short = 'o',
        value_name = "FILE",
        help_heading = "Matrix",
        requires = "matrix",
        hide_short_help = true
    )]
    pub(super) leaderboard: Option<PathBuf>,

    /// Print every figure, as `toolgauge summary` does, rather than the decision alone.
    #[arg(long)]
    pub(super) full: bool,

    /// In which form the result is printed.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(super) format: OutputFormat,

    #[command(flatten)]
    pub(super) selection: SelectionFlags,
    #[command(flatten)]
    pub(super) world: WorldFlags,
    #[command(flatten)]
    pub(super) server: ServerFlags,
    #[command(flatten)]
    pub(super) sampling: SamplingFlags,
    #[command(flatten)]
    pub(super) limits: LimitFlags,
    #[command(flatten)]
    pub(super) judge: JudgeFlags,
    #[command(flatten)]
    pub(super) embeddings: EmbeddingFlags,

    /// Compare with this log [default: the run pinned for the suite]; `last` is the newest.
    #[arg(long, value_name = "LOG", help_heading = "Gates")]
    pub(super) against: Option<PathBuf>,
    #[command(flatten)]
    pub(super) gates: GateFlags,
    #[command(flatten)]
    pub(super) grades: GradeFlags,
}

impl Args {
    /// The flags, as a layer of settings.
    pub(super) fn layer(&self) -> Layer {
        self.grades
            .over(self.embeddings.over(Layer::default()))
            .with("run", "log_dir", self.log_dir.clone())
            .with("run", "trials", self.trials.map(i64::from))
            .with("run", "until", self.until)
            .with("run", "budget", self.budget.map(i64::from))
            .with("run", "model", (!self.models.is_empty()).then(|| self.models()))
            .server(&self.server)
            .sampling(&self.sampling)
            .limits(&self.limits)
    }

    /// The flags that a resumed run has no use for: it goes on with the cases, trials, scorers and
    /// sampling of its log.
    pub(super) fn unused_by_resume(&self, recorded: &Settings) -> Vec<String> {
        let flags = Layer::default()
            .with("run", "trials", self.trials.map(i64::from))
            .with("run", "until", self.until)
            .with("run", "budget", self.budget.map(i64::from))
            .sampling(&self.sampling);
        let recorded = serde_json::to_value(recorded).unwrap_or_default();
        let mut unused = Vec::new();
        for (section, entries) in flags.table() {
            for (name, value) in entries.as_table().into_iter().flatten() {
                // A variable may set for every run what the log has anyway.
                if serde_json::to_value(value).ok().as_ref() != Some(&recorded[&section][name]) {
                    unused.push(format!("`--{}`", name.replace('_', "-")));
                }
            }
        }
        unused.extend((!self.scorers.is_empty()).then(|| "`--scorer`".to_owned()));
        let chooses = self.selection.chooses();
        unused.extend(chooses.then(|| "a choice of cases".to_owned()));
        unused.extend(self.world.has_decoys().then(|| "`--decoys`".to_owned()));
        unused
    }

    /// How chunks are claimed, if they are.
    pub(super) fn claims(&self) -> Option<ClaimRequest> {
        Some(ClaimRequest {
            place: self.claim.clone()?,
            chunks: self.chunks,
            lease: Duration::from_secs(self.lease.into()),
        })
    }

    /// The models, with the agent that is to be asked.
    pub(super) fn models(&self) -> Vec<String> {
        self.models.iter().map(|model| with_agent(model, self.agent.as_deref())).collect()
    }

    /// Refuses outputs that would replace what the run reads: `suites`, or files that are named.
    pub(super) fn check_outputs<'a>(
        &self,
        suites: impl Iterator<Item = &'a Suite>,
    ) -> Result<(), Failure> {
        let named = [
            &self.resume,
            &self.matrix,
            &self.against,
            &self.selection.failed_in,
            &self.server.key_file,
        ];
        let models = self.models.iter().filter_map(|model| model.split_once(':'));
        let mut inputs: Vec<PathBuf> = named.into_iter().flatten().cloned().collect();
        inputs.extend(models.map(|(_, file)| PathBuf::from(file)));
        inputs.extend(self.judge.inputs());
        inputs.push(settings::FILE.into());
        inputs.extend(suites.flat_map(Suite::inputs));
        if let Some(path) = &self.leaderboard {
            OutputFile::check(path, &inputs)?;
        }
        self.gates.check_outputs(&inputs)?;
        self.grades.check_output(&inputs)
    }

    /// Which cases, what depends on a log included.
    pub(super) fn selection(&self, settings: &Settings) -> Result<Selection, Failure> {
        let mut selection = self.selection.selection();
        let log = optional_log(self.selection.failed_in.as_deref(), settings)?;
        selection.only = log.as_deref().map(failed_in).transpose()?;
        Ok(selection)
    }
}

fn half_width(text: &str) -> Result<f64, String> {
    let value = text.parse::<f64>().ok().filter(|value| *value > 0.0 && *value < 0.5);
    value.ok_or_else(|| "give a number between 0 and 0.5, such as 0.03".to_owned())
}

/// The cases that lost points or were unscored in a log.
fn failed_in(log: &Path) -> Result<BTreeSet<CaseId>, Failure> {
    let mut failed = BTreeSet::new();
    let readable = ReadableLog::of(log)?;
    for trial in Log::open(readable.path())?.summaries() {
        // What cannot be read may have been right; whoever wants it run again says so.
        let Ok(trial) = trial else { continue };
        let right = trial.outcome().and_then(Outcome::value).is_some_and(|v| v >= 1.0);
        if !right {
            failed.insert(trial.id.case);
        }
    }
    Ok(failed)
}
