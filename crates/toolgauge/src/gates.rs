//! Gates as flags: which conditions runs must meet, and where the result is written.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use toolgauge_engine::{EngineError, ReadableLog};
use toolgauge_log::{Log, OutputFile, RunStatus, is_log, replace_file};
use toolgauge_report::harmless::line;
use toolgauge_report::{
    CATEGORY, Comparison, GateCondition, GateError, GateMatter, GateResult, RunSide, Terms,
};
use toolgauge_score::Scorer;

use crate::baselines::Baselines;
use crate::failure::Failure;
use crate::printer::Printer;
use crate::reported::pull_request;
use crate::settings::Settings;
use crate::{ExitStatus, junit, sides};

/// Conditions that runs must meet.
#[derive(Debug, Default, clap::Args)]
#[command(next_help_heading = "Gates")]
#[command(group = clap::ArgGroup::new("conditions").multiple(true))]
pub(crate) struct GateConditions {
    /// Exit with status 1 unless the score is at least this; `financials=0.7` asks it of the cases
    /// with the tag `category=financials` alone. May be given several times.
    ///
    /// The score itself counts, as in tools that measure coverage. To ask for what the run shows
    /// beyond chance, use `--gate 'score>=0.8'`, which goes by the lower end of the interval.
    #[arg(long = "fail-under", value_name = "[CATEGORY=]SCORE", group = "conditions")]
    fail_under: Vec<String>,

    /// Exit with status 1 unless this holds: `score>=0.8`, `arguments>=0.9`,
    /// `score[tier=small]>=0.7`, `p95<=2s`, `cost<=0.5`, `broken<=0`, `errors<=0`,
    /// `no-regression`, `no-regression within 0.02`.
    ///
    /// Scores are judged on the 95 % interval, so that a lucky run of a small suite does not
    /// pass: its lower end must reach a `>=`, its upper end a `<=`. `broken` counts the cases that
    /// always passed in the run to compare with and mostly fail in this one. `no-regression` fails
    /// when this run is shown to be worse on the whole, which takes six broken cases of one trial
    /// at least; with `within`, when being worse by that much is not ruled out. A gate that would
    /// pass only without the trials that failed, such as by a timeout, is not decided and does not
    /// pass.
    #[arg(long = "gate", value_name = "GATE", group = "conditions")]
    gates: Vec<String>,

    /// Judge gates by the figure itself rather than by its interval.
    #[arg(long, requires = "conditions", hide_short_help = true)]
    point: bool,
}

/// Conditions that runs must meet, and where the result is written.
#[derive(Debug, Default, clap::Args)]
#[command(next_help_heading = "Gates")]
pub(crate) struct GateFlags {
    #[command(flatten)]
    pub(crate) conditions: GateConditions,

    /// Write test results in the form of `JUnit`: a test for each case and each gate.
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,

    /// Write comparison and gates as a comment for a pull request.
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
}

impl GateConditions {
    /// The gates, read before anything is run.
    pub(crate) fn read(&self) -> Result<Vec<GateCondition>, Failure> {
        let least = self.fail_under.iter().map(|text| GateCondition::fail_under(text, CATEGORY));
        let gates = least.chain(self.gates.iter().map(|text| text.parse()));
        Ok(gates.collect::<Result<_, _>>()?)
    }

    /// Refuses gates that name no figure, and those that compare with another run where there is
    /// none, before hours are spent on a run that cannot be judged.
    pub(crate) fn check<'a>(
        &self,
        suites: impl Iterator<Item = &'a str>,
        against: Option<&Path>,
        settings: &Settings,
    ) -> Result<(), Failure> {
        let gates = self.read()?;
        for gate in &gates {
            gate.check_spelling(Scorer::names())?;
        }
        let Some(gate) = gates.iter().find(|gate| gate.needs_another_run()) else { return Ok(()) };
        if against.is_some() {
            return Ok(());
        }
        let pinned = Baselines::read(Path::new(&settings.run.log_dir))?;
        for suite in suites {
            let Some(log) = pinned.of_suite(suite) else {
                let gate = gate.to_string();
                return Err(GateError::NothingToCompareWith { gate }.into());
            };
            check_opens(&log)?;
        }
        Ok(())
    }

    /// Judges one run.
    pub(crate) fn judge(
        &self,
        run: &RunSide,
        against: Option<&RunSide>,
        terms: Terms,
    ) -> Result<Vec<GateResult>, Failure> {
        let matter = GateMatter { run, against, point: self.point, terms };
        let judged =
            self.read()?.iter().map(|gate| toolgauge_report::judge(gate, &matter)).collect();
        Result::<_, _>::map_err(judged, Failure::from)
    }
}

impl GateFlags {
    /// The gates, read before anything is run.
    pub(crate) fn read(&self) -> Result<Vec<GateCondition>, Failure> {
        self.conditions.read()
    }

    /// Refuses to write where the command reads. Asked before anything is run.
    pub(crate) fn check_outputs(&self, inputs: &[impl AsRef<Path>]) -> Result<(), Failure> {
        let mut outputs = [&self.junit, &self.markdown].into_iter().flatten();
        outputs.try_for_each(|path| Ok(OutputFile::check(path, inputs)?))
    }

    /// Judges runs by their logs; compares them where a gate or the comment needs it.
    pub(crate) fn judge_logs(
        &self,
        logs: &[&Path],
        against: Option<&Path>,
        settings: &Settings,
    ) -> Result<(Vec<GateResult>, Vec<Comparison>), Failure> {
        judge_all(&self.conditions, logs, (against, self.markdown.is_some()), settings)
    }

    /// Writes the reports that were asked for.
    pub(crate) fn write_reports(
        &self,
        logs: &[impl AsRef<Path>],
        results: &[GateResult],
        comparisons: &[Comparison],
        settings: &Settings,
    ) -> Result<(), Failure> {
        if let Some(path) = &self.junit {
            let mut xml = Vec::new();
            junit::of_logs(logs, results, settings.grades)?.write(&mut xml)?;
            replace_file(path, xml)?;
        }
        if let Some(path) = &self.markdown {
            replace_file(path, pull_request(logs, results, comparisons, settings)?)?;
        }
        Ok(())
    }
}

/// Whether a log is there to be read. Of results of other tools only the kind is looked at: they
/// take longer to read.
pub(crate) fn check_opens(log: &Path) -> Result<(), Failure> {
    if is_log(log) || !log.is_file() {
        Log::open(ReadableLog::of(log)?.path())?;
    } else {
        toolgauge_import::detect(log).map_err(EngineError::from)?;
    }
    Ok(())
}

/// Whether a run ended before its last trial.
fn was_cut_short(log: &Log) -> bool {
    match log.status() {
        Some(status) => !matches!(status, RunStatus::Success),
        // How it ended may be lost with the head of the log.
        None => !log.has_damaged_header(),
    }
}

/// Says how the gates came out; of several runs, each line says whose it is.
pub(crate) fn tell(results: &[GateResult], printer: &mut Printer) {
    let whose = RunNames::of(results);
    for result in results {
        let line = format!("{}{result}", whose.prefix(result));
        if result.passed {
            printer.note(line);
        } else {
            printer.warning(line);
        }
    }
}

/// By what the runs of several results are told apart: no longer than it takes.
enum RunNames {
    OneRun,
    Subjects,
    SuitesAndSubjects,
    /// Variants have the suite and the subject in common.
    Logs,
}

impl RunNames {
    fn of(results: &[GateResult]) -> Self {
        let count = |name: fn(&GateResult) -> (&str, &str)| {
            results.iter().map(name).collect::<BTreeSet<_>>().len()
        };
        match count(|it| (&it.run, "")) {
            0 | 1 => Self::OneRun,
            runs if runs == count(|it| (&it.subject, "")) => Self::Subjects,
            runs if runs == count(|it| (&it.suite, &it.subject)) => Self::SuitesAndSubjects,
            _ => Self::Logs,
        }
    }

    fn prefix(&self, result: &GateResult) -> String {
        match self {
            Self::OneRun => String::new(),
            Self::Subjects => format!("{}: ", line(&result.subject)),
            Self::SuitesAndSubjects => {
                format!("{} · {}: ", line(&result.suite), line(&result.subject))
            }
            Self::Logs => format!("{}: ", line(&result.run)),
        }
    }
}

/// How the program should end.
pub(crate) fn status(results: &[GateResult]) -> ExitStatus {
    let failed = results.iter().any(|result| !result.passed);
    if failed { ExitStatus::GateFailed } else { ExitStatus::Done }
}

/// Judges runs by their logs, each against the named log or else the one pinned for its suite.
pub(crate) fn judge_logs(
    conditions: &GateConditions,
    logs: &[&Path],
    against: Option<&Path>,
    settings: &Settings,
) -> Result<Vec<GateResult>, Failure> {
    Ok(judge_all(conditions, logs, (against, false), settings)?.0)
}

/// The same, with the comparisons that were made; all of them if `always_compares`.
fn judge_all(
    conditions: &GateConditions,
    logs: &[&Path],
    (against, always_compares): (Option<&Path>, bool),
    settings: &Settings,
) -> Result<(Vec<GateResult>, Vec<Comparison>), Failure> {
    let (mut results, mut comparisons) = (Vec::new(), Vec::new());
    let gates = conditions.read()?;
    if gates.is_empty() && !always_compares {
        return Ok((results, comparisons));
    }
    let folder = Path::new(&settings.run.log_dir);
    let compare = always_compares || gates.iter().any(GateCondition::needs_another_run);
    let terms = Terms { flips_shown: Some(10), ..Terms::default() };
    for log in logs {
        let run = sides::read(log, None, settings)?;
        let pinned = || Baselines::read(folder).map(|all| all.of_suite(&run.run().suite.name));
        let other = match against {
            Some(other) => Some(other.to_owned()),
            None if compare => pinned()?,
            None => None,
        };
        let other = other.map(|other| sides::read(&other, None, settings)).transpose()?;
        let judged = conditions.judge(&run, other.as_ref(), terms)?;
        let readable = ReadableLog::of(log)?;
        let unfinished = is_log(readable.path()) && was_cut_short(&Log::open(readable.path())?);
        results.extend(judged.into_iter().map(|it| if unfinished { it.unfinished() } else { it }));
        comparisons.extend(other.map(|other| Comparison::of(&other, &run, &terms)));
    }
    Ok((results, comparisons))
}
