//! How fast a log is written, listed, opened, summarised, read and judged again, in processor
//! time.
//!
//! `cargo run --release -p toolgauge-log --example log_speed -- [TRIALS] [FOLDER]`
#![expect(clippy::print_stdout, clippy::unwrap_used, reason = "a measuring program")]

use std::hint::black_box;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use indexmap::IndexMap;
use serde_json::{Map, Value, json};
use toolgauge_core::{
    AssistantMessage, Case, CaseId, Cause, Dimension, Expectation, ExpectedCall, Loss, Outcome,
    Pattern, Program, ResponseKind, Run, RunId, Score, StopReason, SubjectIdentity, SuiteIdentity,
    Timings, Tool, ToolCall, Transcript, Trial, TrialId, Turn, Usage, Verdict,
};
use toolgauge_log::{Log, LogWriter, RunStatus, TrialSummary, read_entry, rescore};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let count: usize = arguments.next().map_or(20_000, |count| count.parse().unwrap());
    let folder = arguments.next().map_or_else(std::env::temp_dir, PathBuf::from);
    let path = folder.join(format!("log-speed-{}.eval", std::process::id()));
    write(&path, count);
    read(&path, count);
    judge_again(&path, count);
    recover(&path, count);
    println!("peak memory  {}", peak_memory());
    std::fs::remove_file(&path).unwrap();
}

fn write(path: &std::path::Path, count: usize) {
    let trials: Vec<Trial> = (0..1000).map(trial).collect();
    let numbered = |number: usize| {
        let trial = &trials[number % 1000];
        let id = CaseId::new(format!("case-{number}"));
        Trial { case: Arc::new(Case { id, ..(*trial.case).clone() }), ..trial.clone() }
    };
    let mut writer = LogWriter::create(path, &run(count)).unwrap();
    let ((), making) = time(|| (0..count).for_each(|number| drop(black_box(numbered(number)))));
    let ((), writing) =
        time(|| (0..count).for_each(|number| writer.append(&numbered(number)).unwrap()));
    each("append", count, writing.saturating_sub(making));
    report("finish", time(|| writer.finish(&RunStatus::Success).unwrap()).1);
    let bytes = std::fs::metadata(path).unwrap().len();
    println!("size         {:>9} bytes, {} a trial", bytes, bytes / count as u64);
    println!("peak memory  {}", peak_memory());
}

fn read(path: &std::path::Path, count: usize) {
    report("list", time(|| read_entry(path).unwrap()).1);
    let (log, took) = time(|| Log::open(path).unwrap());
    report("open", took);
    let id = TrialId { case: CaseId::new(format!("case-{}", count / 2)), trial: 1 };
    report("one trial", time(|| log.trial(&id).unwrap()).1);
    let right = |value: Option<f64>| value == Some(1.0);
    let (right, took) = time(|| {
        let summaries = log.summaries().map(Result::unwrap);
        summaries.filter(|summary| right(summary.outcome().unwrap().value())).count()
    });
    each("summaries", count, took);
    println!("             (the time of one thread; lists are read on every processor)");
    let clock = Instant::now();
    let counted = log.summaries().map(Result::unwrap).count();
    each("by the clock", counted, clock.elapsed());
    let (calls, took) =
        time(|| log.trials().map(|trial| trial.unwrap().transcript.calls().count()).sum::<usize>());
    each("trials", count, took);
    println!("{right} right, {calls} calls");
}

/// Copies the log with other judgements, on every processor. The judge is a trivial one, so that
/// this is what the log alone costs.
fn judge_again(path: &std::path::Path, count: usize) {
    let target = path.with_extension("again.eval");
    let log = Log::open(path).unwrap();
    let run = Run { id: RunId::new("again"), ..log.run().clone() };
    let judge = |trial: &Trial| {
        let right = trial.transcript.calls().count();
        IndexMap::from([("calls".to_owned(), Outcome::Scored(score(right)))])
    };
    let (clock, before) = (Instant::now(), all_processors_time());
    let mut writer = LogWriter::create(&target, &run).unwrap();
    let mut values = 0.0;
    let add = |summary: &TrialSummary| {
        values += summary.outcome().and_then(Outcome::value).unwrap_or_default();
    };
    rescore(&log, &mut writer, judge, add).unwrap();
    each("judge again", count, all_processors_time().saturating_sub(before));
    each("by the clock", count, clock.elapsed());
    report("finish", time(|| writer.finish(&RunStatus::Success).unwrap()).1);
    println!("{values} points");
    std::fs::remove_file(&target).unwrap();
}

/// The same without the directory, as a crash at the very end leaves it.
fn recover(path: &std::path::Path, count: usize) {
    let file = std::fs::OpenOptions::new().write(true).open(path).unwrap();
    file.set_len(file.metadata().unwrap().len() - 22).unwrap();
    let (log, took) = time(|| Log::open(path).unwrap());
    report("open, cut", took);
    each("summaries", count, time(|| log.summaries().map(Result::unwrap).count()).1);
    drop(log);
    let (resumed, took) = time(|| LogWriter::resume(path).unwrap());
    assert_eq!(resumed.1.finished.len(), count);
    report("resume", took);
}

fn time<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = processor_time();
    let result = work();
    (result, processor_time().saturating_sub(start))
}

/// The time this thread has had a processor, which other programs cannot add to; the time by
/// the clock where the system does not tell.
fn processor_time() -> Duration {
    static START: std::sync::LazyLock<Instant> = std::sync::LazyLock::new(Instant::now);
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = text.split(' ').next().and_then(|first| first.parse().ok());
    nanoseconds.map_or_else(|| START.elapsed(), Duration::from_nanos)
}

/// The time all threads have had a processor, to a hundredth of a second.
fn all_processors_time() -> Duration {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The name of the program, in parentheses, may hold spaces.
    let fields = text.rsplit(')').next().unwrap_or_default().split_whitespace();
    let ticks: u64 = fields.skip(11).take(2).filter_map(|field| field.parse::<u64>().ok()).sum();
    Duration::from_millis(10 * ticks)
}

fn report(what: &str, took: Duration) {
    println!("{what:<12} {:>9.1} ms", took.as_secs_f64() * 1e3);
}

#[expect(clippy::cast_precision_loss, reason = "for people")]
fn each(what: &str, count: usize, took: Duration) {
    let each = took.as_secs_f64() / count as f64;
    let total = took.as_secs_f64() * 1e3;
    println!("{what:<12} {total:>9.1} ms, {:.2} µs each, {:.0}/s", each * 1e6, 1.0 / each);
}

fn peak_memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    peak.map_or_else(|| "unknown".into(), |peak| peak.trim().to_owned())
}

fn run(count: usize) -> Run {
    let tool = |number: usize| Tool {
        name: format!("HassTool{number}"),
        description: format!("Does thing number {number} to a device, an area or a whole floor"),
        parameters: json!({"type": "object", "properties": {
            "name": {"type": "string"}, "area": {"type": "string"}, "floor": {"type": "string"},
            "domain": {"type": "array", "items": {"type": "string"}},
            "device_class": {"type": "array", "items": {"type": "string", "enum": ["tv", "fan"]}},
        }, "required": []}),
    };
    let devices = (0..60).map(|n| format!("- names: Light {n}\n  domain: light\n  areas: R{n}\n"));
    Run {
        id: RunId::new("0199b1f2-7a01-7c33-9d10-3f2a1c5e7b90"),
        created: toolgauge_core::timestamp(std::time::SystemTime::now()),
        suite: SuiteIdentity { name: "speed".into(), version: None, hash: "0".into(), size: count },
        subject: SubjectIdentity {
            name: "qwen3-4b".into(),
            provider: "openai".into(),
            base_url: Some("http://127.0.0.1:8080/v1".into()),
        },
        server: None,
        warnings: Vec::new(),
        max_tokens: None,
        variant: None,
        cases: (0..count).map(|number| CaseId::new(format!("case-{number}"))).collect(),
        trials: 1,
        scorers: vec!["calls".into()],
        system_prompt: Some(format!("You control a home:\n{}", devices.collect::<String>())),
        tools: (0..9).map(tool).collect(),
        settings: Map::new(),
        floor: None,
        program: Program::default(),
    }
}

fn trial(number: usize) -> Trial {
    let name = format!("Light {number}");
    let sentence = format!("Please turn on {} in the living room", name.to_lowercase());
    let mut case = Case::new("case", sentence);
    case.tags.insert("tier".into(), ["small", "medium", "large"][number % 3].into());
    case.tags.insert("intent".into(), "turn_on".into());
    let expected = IndexMap::from([("name".into(), Pattern::Scalar(json!(name)))]);
    case.expectation = Expectation {
        calls: Some(vec![ExpectedCall { name: "HassTool1".into(), arguments: expected }]),
        response: Some(ResponseKind::Action),
        ..Expectation::default()
    };
    let arguments = json!({"name": name, "domain": ["light"], "area": "living room"});
    let Value::Object(arguments) = arguments else { unreachable!("it is one") };
    let id = Some(format!("call_{number:08x}"));
    let calls = vec![ToolCall { id, ..ToolCall::new("HassTool1", arguments) }];
    let content = "I will do that. ".repeat(number % 20);
    let message = AssistantMessage { content, calls, ..AssistantMessage::default() };
    let started = toolgauge_core::timestamp(std::time::SystemTime::now());
    Trial {
        case: Arc::new(case),
        number: 1,
        started,
        ended: started + Duration::from_millis(346),
        transcript: Transcript { turns: vec![turn(number)], ..Transcript::of(message) },
        outcomes: IndexMap::from([("calls".into(), Outcome::Scored(score(number)))]),
    }
}

fn turn(number: usize) -> Turn {
    Turn {
        model: Some("qwen3-4b".into()),
        timings: Timings {
            queued: Duration::from_micros(12),
            first_token: Some(Duration::from_micros(91_234 + number as u64)),
            total: Duration::from_nanos(345_678_901 + number as u64 * 1_001),
            ..Timings::default()
        },
        usage: Usage { input: Some(2500), output: Some(40), cached: Some(2400), reasoning: None },
        stop: StopReason::ToolCalls,
        attempts: 1,
        ..Turn::default()
    }
}

fn score(number: usize) -> Score {
    let right = !number.is_multiple_of(5);
    let mut score = Score { value: f64::from(u8::from(right)), ..Score::default() };
    for dimension in [
        Dimension::TOOL_NAME,
        Dimension::CALL_COUNT,
        Dimension::FORMAT_VALID,
        Dimension::RESPONSE_KIND,
    ] {
        score.dimensions.insert(dimension, Verdict::Correct);
    }
    score.dimensions.insert(Dimension::ARGUMENTS, Verdict::of(right));
    if !right {
        score.losses.push(Loss::new(Cause::WrongValue, 1.0).at_tool("HassTool1"));
    }
    score
}
