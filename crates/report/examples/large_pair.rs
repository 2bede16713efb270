//! How long it takes to compare two logs of 100,000 cases, and how much memory.
//!
//! `cargo run --release -p toolgauge-report --example large_pair [CASES]` writes the logs into a
//! temporary folder (or, given a second argument, into that one, where they stay and are used
//! again), reads both at once and compares them.

#![expect(clippy::print_stdout, reason = "an example tells its figures")]

use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use indexmap::IndexMap;
use jiff::Timestamp;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use toolgauge_core::{
    AssistantMessage, Case, CaseId, Cause, Dimension, Loss, Outcome, Program, Run, RunId, Score,
    SubjectIdentity, SuiteIdentity, Timings, Transcript, Trial, Turn, Usage, Verdict,
};
use toolgauge_log::{Log, LogWriter, RunStatus};
use toolgauge_report::{Comparison, RunSide, Terms};

type Failure = Box<dyn Error + Send + Sync>;

fn main() -> Result<(), Failure> {
    let mut arguments = std::env::args().skip(1);
    let cases = arguments.next().map_or(Ok(100_000), |text| text.parse())?;
    let temporary = tempfile::tempdir()?;
    let folder = arguments.next().map_or(temporary.path().to_owned(), PathBuf::from);
    let (a, b) = (folder.join("a.eval"), folder.join("b.eval"));
    if !a.exists() {
        let begun = Instant::now();
        write(&a, cases, 1)?;
        write(&b, cases, 2)?;
        println!("wrote two logs of {cases} cases in {:.2?}", begun.elapsed());
    }

    let begun = Instant::now();
    let (a, b) = thread::scope(|scope| {
        let a = scope.spawn(|| read(&a));
        let b = read(&b);
        (a.join().expect("reading does not panic"), b)
    });
    let (a, b) = (a?, b?);
    let read = begun.elapsed();
    let comparison = Comparison::of(&a, &b, &Terms { flips_shown: Some(10), ..Terms::default() });
    let all = begun.elapsed();
    println!("{comparison}");
    println!(
        "read in {read:.2?}, compared in {:.2?}, together {all:.2?}",
        all.saturating_sub(read)
    );
    if let Ok(status) = std::fs::read_to_string("/proc/self/status") {
        let most = status.lines().find(|line| line.starts_with("VmHWM"));
        println!("{}", most.unwrap_or_default());
    }
    Ok(())
}

fn read(path: &Path) -> Result<RunSide, Failure> {
    let log = Log::open(path)?;
    let mut side = RunSide::new(path.display().to_string(), log.run(), None);
    for trial in log.summaries() {
        side.add(&trial?);
    }
    Ok(side.finished())
}

/// A log like those of a real run: graded scores, six dimensions, losses, tags, tokens, times.
fn write(path: &Path, cases: usize, seed: u64) -> Result<(), Failure> {
    let run = Run {
        id: RunId::new(format!("made-up-{seed}")),
        created: Timestamp::UNIX_EPOCH,
        suite: SuiteIdentity { name: "large".into(), size: cases, ..SuiteIdentity::default() },
        subject: SubjectIdentity { name: format!("subject {seed}"), ..SubjectIdentity::default() },
        server: None,
        warnings: Vec::new(),
        max_tokens: None,
        variant: None,
        cases: (0..cases).map(name).collect(),
        trials: 1,
        scorers: vec!["tool_calls".into()],
        system_prompt: None,
        tools: Vec::new(),
        floor: None,
        settings: serde_json::Map::new(),
        program: Program::default(),
    };
    let mut generator = ChaCha8Rng::seed_from_u64(seed);
    let mut log = LogWriter::create(path, &run)?;
    for place in 0..cases {
        log.append(&trial(place, &mut generator))?;
    }
    log.finish(&RunStatus::Success)?;
    Ok(())
}

fn name(place: usize) -> CaseId {
    CaseId::new(format!("large-suite-case-{place:06}"))
}

fn trial(place: usize, generator: &mut ChaCha8Rng) -> Trial {
    let mut case = Case::new(name(place), format!("turn on light number {place} in the hall"));
    case.tags.insert("tier".into(), ["small", "medium", "large"][place % 3].into());
    case.tags.insert("room".into(), format!("room {}", place % 20));
    let value: f64 =
        if generator.random_bool(0.6) { 1.0 } else { generator.random_range(0.0..1.0) };
    let losses = if value < 1.0 {
        vec![Loss::new(Cause::WrongValue, 1.0 - value).at_tool("light_turn_on")]
    } else {
        Vec::new()
    };
    let dimensions = [
        Dimension::TOOL_NAME,
        Dimension::ARGUMENTS,
        Dimension::CALL_COUNT,
        Dimension::NO_UNDECLARED_TOOLS,
        Dimension::FORMAT_VALID,
        Dimension::RESPONSE_KIND,
    ];
    let dimensions =
        dimensions.map(|dimension| (dimension, Verdict::of(generator.random_bool(0.8))));
    let score = Score { value, losses, dimensions: IndexMap::from(dimensions), ..Score::default() };
    let said = AssistantMessage { content: "Done.".into(), ..AssistantMessage::default() };
    let turn = Turn {
        timings: Timings {
            total: Duration::from_millis(generator.random_range(200..900)),
            ..Timings::default()
        },
        usage: Usage {
            input: Some(900),
            output: Some(generator.random_range(20..60)),
            ..Usage::default()
        },
        attempts: 1,
        ..Turn::default()
    };
    Trial {
        case: Arc::new(case),
        number: 1,
        started: Timestamp::UNIX_EPOCH,
        ended: Timestamp::UNIX_EPOCH,
        transcript: Transcript { turns: vec![turn], ..Transcript::of(said) },
        outcomes: IndexMap::from([("tool_calls".to_owned(), Outcome::Scored(score))]),
    }
}
