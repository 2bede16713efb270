//! How long it takes to list the folder a log is in, and to open one trial of the log.
//!
//! `cargo run --release -p toolgauge-log --example open_log -- LOG CASE`
#![expect(clippy::print_stdout, clippy::unwrap_used, reason = "a measuring program")]

use std::path::{Path, PathBuf};
use std::time::Instant;

use toolgauge_core::{CaseId, TrialId};
use toolgauge_log::{Log, list};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let path = PathBuf::from(arguments.next().expect("the log"));
    let id = TrialId { case: CaseId::new(arguments.next().expect("the case")), trial: 1 };
    let clock = Instant::now();
    let logs = list(path.parent().unwrap_or(Path::new("."))).unwrap();
    let readable = logs.flatten().count();
    println!("list {:.4} s, {readable} logs", clock.elapsed().as_secs_f64());
    let clock = Instant::now();
    let trial = Log::open(&path).unwrap().trial(&id).unwrap();
    let messages = trial.transcript.messages.len();
    println!("open {:.4} s, {messages} messages", clock.elapsed().as_secs_f64());
}
