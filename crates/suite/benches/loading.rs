//! How long a large suite takes to load and to check, and how much memory it needs.
//!
//! `cargo bench -p toolgauge-suite` prints a line each; `-- 1000000` takes so many cases.

#![expect(clippy::print_stdout, clippy::unwrap_used, reason = "a benchmark prints its figures")]

use std::fmt;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::time::Instant;

use toolgauge_suite::{SuiteSource, check_declared, load};

const HEAD: &str = "name: large
tools:
  - name: set_light
    description: Switches a light.
    parameters:
      type: object
      properties:
        room: {type: string}
        brightness: {type: integer, minimum: 0, maximum: 100}
      required: [room]
cases: cases.ndjson
";

fn main() {
    let count = std::env::args().skip(1).find_map(|word| word.parse().ok()).unwrap_or(200_000);
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("suite.yaml"), HEAD).unwrap();
    let mut lines = BufWriter::new(File::create(folder.path().join("cases.ndjson")).unwrap());
    for number in 0..count {
        let room = format!("room {}", number % 500);
        writeln!(
            lines,
            r#"{{"id": "case-{number}", "say": "please set the light in {room} to {0} percent", "tags": {{"tier": "large", "domain": "light", "difficulty": "easy"}}, "expect": {{"response": "action", "call": {{"tool": "set_light", "arguments": {{"room": "{room}", "brightness": {{"$number": {0}, "tolerance": 1}}}}}}, "alternatives": [{{"calls": [{{"tool": "set_light", "arguments": {{"room": "{room}"}}}}], "quality": "degraded"}}]}}}}"#,
            number % 100
        )
        .unwrap();
    }
    drop(lines);
    let bytes = fs::metadata(folder.path().join("cases.ndjson")).unwrap().len();
    println!("{count} cases, {} MB", bytes / 1_000_000);

    let started = Started::now();
    let suite = load(&SuiteSource::Path(folder.path().to_owned())).unwrap();
    println!("load: {started}, memory {}", memory());
    assert_eq!(suite.cases.len(), count);

    let started = Started::now();
    let problems = check_declared(&suite, &[]);
    println!("check: {started}, memory {}", memory());
    assert!(problems.is_empty(), "{problems}");
}

/// Time since then: on the clock, and of the processor where the system tells.
struct Started {
    clock: Instant,
    processor: Option<u64>,
}

impl Started {
    fn now() -> Self {
        Self { clock: Instant::now(), processor: processor_ns() }
    }
}

impl fmt::Display for Started {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.2} s", self.clock.elapsed().as_secs_f64())?;
        match (self.processor, processor_ns()) {
            (Some(then), Some(now)) => write!(f, " ({} ms of processor)", (now - then) / 1_000_000),
            _ => Ok(()),
        }
    }
}

fn processor_ns() -> Option<u64> {
    fs::read_to_string("/proc/self/schedstat").ok()?.split(' ').next()?.parse().ok()
}

/// The most memory held so far, where the system tells.
fn memory() -> String {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    peak.map_or_else(|| "unknown".to_owned(), |peak| peak.trim().to_owned())
}
