//! `toolgauge cluster`: prints a job file that runs the shards of a run on machines of a scheduler.

use std::path::PathBuf;

use clap::ValueEnum;
use serde_json::json;

use crate::ExitStatus;
use crate::failure::Failure;
use crate::printer::Printer;

/// Print a job file that shares a run among the machines of a scheduler.
///
/// The file is complete and commented: an array of tasks that run one shard each, a model server
/// beside each task where one is asked for, and the merge that comes after them. Nothing is
/// submitted. What `toolgauge run` would be given comes behind `--`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The scheduler.
    #[arg(value_name = "SCHEDULER")]
    scheduler: SchedulerFlag,

    /// How many shards there are.
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=1000))]
    shards: u32,

    /// Where the shards are kept. All tasks must reach it, except in GitHub and GitLab.
    #[arg(long, value_name = "FOLDER", default_value = "shards")]
    log_dir: String,

    /// The merged log.
    #[arg(long, short, value_name = "FILE.eval", default_value = "run.eval")]
    output: PathBuf,

    /// Start this model server for each task; it is to listen on `$PORT` of its own machine.
    #[arg(long, value_name = "COMMAND")]
    server: Option<String>,

    /// The image with toolgauge, for Kubernetes.
    #[arg(long, value_name = "IMAGE", default_value = "toolgauge:latest")]
    image: String,

    /// The image of the model server, for Kubernetes [default: that of toolgauge].
    #[arg(long, value_name = "IMAGE", requires = "server")]
    server_image: Option<String>,

    /// The arguments of `toolgauge run`.
    #[arg(value_name = "RUN ARGUMENTS", last = true)]
    arguments: Vec<String>,
}

/// A scheduler whose job files are known.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum SchedulerFlag {
    /// A job array and a job that depends on it, for `sbatch`.
    Slurm,
    /// An Indexed Job and a Job that merges.
    Kubernetes,
    /// A workflow with a matrix.
    Github,
    /// A pipeline with parallel jobs.
    Gitlab,
}

pub(super) fn exec(
    args: &Args,
    cli: fn() -> clap::Command,
    printer: &mut Printer,
) -> Result<ExitStatus, Failure> {
    let words = args.words();
    // What `run` would refuse is better known before a thousand tasks say so.
    let typed = ["toolgauge", "run", "--shard", "1/1"].map(str::to_owned);
    cli()
        .try_get_matches_from(typed.into_iter().chain(words.iter().cloned()))
        .map_err(|error| Failure::RunArguments { why: error.render().to_string() })?;
    let job = match args.scheduler {
        SchedulerFlag::Slurm => args.slurm(&words)?,
        SchedulerFlag::Kubernetes => args.kubernetes(words),
        SchedulerFlag::Github => args.github(&words)?,
        SchedulerFlag::Gitlab => args.gitlab(&words)?,
    };
    printer.print(&job)?;
    Ok(ExitStatus::Done)
}

impl Args {
    /// What `run` is given in every task.
    fn words(&self) -> Vec<String> {
        let mut words = self.arguments.clone();
        words.extend(["--log-dir".to_owned(), self.log_dir.clone()]);
        words
    }

    /// The same with the address of the task's own server, as a shell reads it.
    fn in_shell(&self, words: &[String]) -> Result<String, Failure> {
        let mut line = shell_words(words)?;
        if self.server.is_some() {
            line.push_str(" --base-url \"http://127.0.0.1:$PORT/v1\"");
        }
        Ok(line)
    }

    fn output(&self) -> String {
        self.output.display().to_string()
    }

    /// Fills in what all job files have.
    fn fill(&self, template: &str) -> String {
        template
            .replace("@COUNT@", &self.shards.to_string())
            .replace("@LAST@", &(self.shards - 1).to_string())
            .replace("@VERSION@", env!("CARGO_PKG_VERSION"))
    }

    fn slurm(&self, words: &[String]) -> Result<String, Failure> {
        let server = match &self.server {
            None => String::new(),
            Some(command) => include_str!("cluster/slurm-server.sh")
                .replace("@COMMAND@", &shell_words(std::slice::from_ref(command))?),
        };
        Ok(self
            .fill(include_str!("cluster/slurm.sh"))
            .replace("@LOGS@", &shell_words(std::slice::from_ref(&self.log_dir))?)
            .replace("@OUTPUT@", &shell_words(&[self.output()])?)
            .replace("@SERVER@\n", &server)
            .replace("@ARGUMENTS@", &self.in_shell(words)?))
    }

    fn kubernetes(&self, mut words: Vec<String>) -> String {
        words.insert(0, "run".to_owned());
        words.extend(["--shard".to_owned(), format!("auto/{}", self.shards)]);
        let mut sidecar = String::new();
        if let Some(command) = &self.server {
            words.extend(["--base-url", "http://127.0.0.1:8080/v1"].map(str::to_owned));
            sidecar = include_str!("cluster/kubernetes-server.yaml")
                .replace("@IMAGE@", &quoted(self.server_image.as_ref().unwrap_or(&self.image)))
                .replace("@COMMAND@", &quoted(command));
        }
        let merge = json!(["merge", self.log_dir, "-o", self.output()]);
        self.fill(include_str!("cluster/kubernetes.yaml"))
            .replace("@SIDECAR@", &sidecar)
            .replace("@IMAGE@", &quoted(&self.image))
            .replace("@ARGUMENTS@", &json!(words).to_string())
            .replace("@MERGE@", &merge.to_string())
    }

    fn github(&self, words: &[String]) -> Result<String, Failure> {
        let server = match &self.server {
            None => String::new(),
            Some(command) => include_str!("cluster/github-server.yaml")
                .replace("@COMMAND@", &shell_words(std::slice::from_ref(command))?),
        };
        let shards: Vec<u32> = (1..=self.shards).collect();
        let arguments = self.in_shell(words)?.replace("$PORT", "8080");
        let merge = shell_words(&[self.log_dir.clone(), "-o".into(), self.output()])?;
        Ok(self
            .fill(include_str!("cluster/github.yaml"))
            .replace("@SHARDS@", &json!(shards).to_string())
            .replace("@SERVER@", &server)
            .replace("@ARGUMENTS@", &arguments)
            .replace("@MERGE@", &merge)
            .replace("@MERGED@", &shell_words(&[self.output()])?)
            .replace("@LOGS@", &quoted(&self.log_dir))
            .replace("@OUTPUT@", &quoted(&self.output())))
    }

    fn gitlab(&self, words: &[String]) -> Result<String, Failure> {
        let server = match &self.server {
            None => String::new(),
            Some(command) => {
                let command = shell_words(std::slice::from_ref(command))?;
                let line = format!("bash -c {command} > server.log 2>&1 &");
                include_str!("cluster/gitlab-server.yaml").replace("@COMMAND@", &quoted(&line))
            }
        };
        let (logs, output) = (&self.log_dir, self.output());
        let run = format!("toolgauge run {} --shard auto", self.in_shell(words)?);
        let merge = shell_words(&["merge".into(), logs.clone(), "-o".into(), output.clone()])?;
        Ok(self
            .fill(include_str!("cluster/gitlab.yaml"))
            .replace("@SERVER@", &server)
            .replace("@RUN@", &quoted(&run))
            .replace("@MERGE@", &quoted(&format!("toolgauge {merge}")))
            .replace("@LOGS@", &quoted(logs))
            .replace("@OUTPUT@", &quoted(&output)))
    }
}

/// Words as a shell reads them.
fn shell_words(words: &[String]) -> Result<String, Failure> {
    shlex::try_join(words.iter().map(String::as_str))
        .map_err(|error| Failure::RunArguments { why: error.to_string() })
}

/// A text as YAML and JSON both write it.
fn quoted(text: &str) -> String {
    json!(text).to_string()
}
