//! How long a large suite takes to load and to check, and how much memory it needs.
//!
//! `cargo bench -p toolgauge-suite` prints a line each; `-- 1000000` takes so many cases.

#![expect(clippy::print_stdout, clippy::unwrap_used, reason = "a benchmark prints its figures")]

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

    let started = Instant::now();
    let suite = load(&SuiteSource::Path(folder.path().to_owned())).unwrap();
    println!("load: {:.2} s, memory {}", started.elapsed().as_secs_f64(), memory());
    assert_eq!(suite.cases.len(), count);

    let started = Instant::now();
    let problems = check_declared(&suite, &[]);
    println!("check: {:.2} s, memory {}", started.elapsed().as_secs_f64(), memory());
    assert!(problems.is_empty(), "{problems}");
}

/// The most memory held so far, where the system tells.
fn memory() -> String {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    peak.map_or_else(|| "unknown".to_owned(), |peak| peak.trim().to_owned())
}
