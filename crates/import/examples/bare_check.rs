//! How long the bare check of results of another tool takes: the trials are read into memory first,
//! and then only judged, by the rule of their own tool.
//!
//!     bare_check FILE|FOLDER [--data FOLDER] [--option NAME=VALUE] [--rounds N]
//!
//! Prints one line of JSON: how many trials there are, and the seconds of the quickest round.
//! `benches/peers.py` runs it beside the checkers of the other tools.

#![expect(clippy::print_stdout, reason = "a program of its own")]

use std::hint::black_box;
use std::path::PathBuf;
use std::time::Instant;

use toolgauge_core::Outcome;
use toolgauge_import::{ImportOptions, ImportedTrial, find_runs};
use toolgauge_score::{Evidence, Scorer};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (mut source, mut rounds) = (PathBuf::new(), 5);
    let (mut import, mut options) = (ImportOptions::default(), Vec::new());
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--data" => import.data = words.next().map(PathBuf::from),
            "--option" => options.extend(words.next()),
            "--rounds" => rounds = words.next().unwrap_or_default().parse()?,
            _ => source = PathBuf::from(word),
        }
    }
    let mut judged: Vec<(Scorer, Vec<ImportedTrial>)> = Vec::new();
    for run in find_runs(&source, &import)? {
        let Some(Scorer::Peer(mut scorer)) = Scorer::by_name(run.head().scorer) else { continue };
        for option in &options {
            let (name, value) = option.split_once('=').ok_or("an option is `NAME=VALUE`")?;
            scorer = scorer.with_option(name, value)?;
        }
        let scorer = Scorer::Peer(scorer);
        let mut trials: Vec<ImportedTrial> = run.trials().collect::<Result<_, _>>()?;
        // Where the rule needs the tool's own environment, there is nothing to time.
        trials.retain(|trial| judge(&scorer, trial).value().is_some());
        judged.push((scorer, trials));
    }
    let count: usize = judged.iter().map(|(_, trials)| trials.len()).sum();
    let round = || {
        let start = Instant::now();
        for (scorer, trials) in &judged {
            for trial in trials {
                black_box(judge(scorer, trial));
            }
        }
        start.elapsed().as_secs_f64()
    };
    let best = (0..rounds).map(|_| round()).fold(f64::INFINITY, f64::min);
    println!("{{\"trials\": {count}, \"seconds\": {best}}}");
    Ok(())
}

fn judge(scorer: &Scorer, trial: &ImportedTrial) -> Outcome {
    let tools = trial.case.tools.as_deref().unwrap_or_default();
    scorer.judge(&Evidence::new(&trial.case, tools, &trial.transcript))
}
