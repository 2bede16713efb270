//! How long judging results of another tool takes by the rule of that tool, without the start of the
//! program: the bare check, of trials that are in memory, and reading the files and judging them.
//!
//!     bare_check FILE|FOLDER [--data FOLDER] [--option NAME=VALUE] [--rounds N]
//!
//! Prints one line of JSON: how many trials there are, and the seconds of the quickest round of each.
//! `benches/peers.py` runs it beside the checkers of the other tools.

#![expect(clippy::print_stdout, reason = "a program of its own")]

use std::error::Error;
use std::hint::black_box;
use std::path::PathBuf;
use std::time::Instant;

use toolgauge_core::Outcome;
use toolgauge_import::{ImportOptions, ImportedHead, ImportedTrial, find_runs};
use toolgauge_score::{Evidence, Scorer};

/// What is read, and how it is judged.
#[derive(Default)]
struct Job {
    source: PathBuf,
    import: ImportOptions,
    options: Vec<String>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let (mut job, mut rounds) = (Job::default(), 5);
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--data" => job.import.data = words.next().map(PathBuf::from),
            "--option" => job.options.extend(words.next()),
            "--rounds" => rounds = words.next().unwrap_or_default().parse()?,
            _ => job.source = PathBuf::from(word),
        }
    }
    let mut judged: Vec<(Scorer, Vec<ImportedTrial>)> = Vec::new();
    for run in find_runs(&job.source, &job.import)? {
        let run = run?;
        let Some(scorer) = job.scorer(run.head())? else { continue };
        let mut trials: Vec<ImportedTrial> = run.trials().collect::<Result<_, _>>()?;
        // Where the rule needs the tool's own environment, there is nothing to time.
        trials.retain(|trial| judge(&scorer, trial).value().is_some());
        judged.push((scorer, trials));
    }
    let count: usize = judged.iter().map(|(_, trials)| trials.len()).sum();
    let (mut bare, mut from_files) = (f64::INFINITY, f64::INFINITY);
    for _ in 0..rounds {
        let start = Instant::now();
        for (scorer, trials) in &judged {
            for trial in trials {
                black_box(judge(scorer, trial));
            }
        }
        bare = bare.min(start.elapsed().as_secs_f64());
        let start = Instant::now();
        job.read_and_judge()?;
        from_files = from_files.min(start.elapsed().as_secs_f64());
    }
    println!("{{\"trials\": {count}, \"bare\": {bare}, \"from_files\": {from_files}}}");
    Ok(())
}

impl Job {
    /// The scorer of a run by the rule of its tool, with its options.
    fn scorer(&self, head: &ImportedHead) -> Result<Option<Scorer>, Box<dyn Error>> {
        let Some(mut scorer) = Scorer::by_name(head.scorer) else { return Ok(None) };
        for option in &self.options {
            let (name, value) = option.split_once('=').ok_or("an option is `NAME=VALUE`")?;
            scorer = scorer.with_option(name, value)?;
        }
        Ok(Some(scorer))
    }

    fn read_and_judge(&self) -> Result<(), Box<dyn Error>> {
        for run in find_runs(&self.source, &self.import)? {
            let run = run?;
            let Some(scorer) = self.scorer(run.head())? else { continue };
            for trial in run.trials() {
                black_box(judge(&scorer, &trial?));
            }
        }
        Ok(())
    }
}

fn judge(scorer: &Scorer, trial: &ImportedTrial) -> Outcome {
    let tools = trial.case.tools.as_deref().unwrap_or_default();
    scorer.judge(&Evidence::new(&trial.case, tools, &trial.transcript))
}
