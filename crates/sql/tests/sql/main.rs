//! Logs asked in SQL: the rows are right, and nothing is read that a question does not need.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};
use tempfile::TempDir;
use toolgauge_core::{Run, Trial};
use toolgauge_log::{Log, LogWriter, RunStatus};
use toolgauge_sql::{QueriedLog, QueriedLogs};
use toolgauge_tables::{Grading, LogFacts};

/// Logs of two suites, each of which counts how often it is opened.
struct Archive {
    _folder: TempDir,
    logs: QueriedLogs,
    opened: Vec<Arc<AtomicUsize>>,
}

impl Archive {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (mut logs, mut opened) = (Vec::new(), Vec::new());
        for (suite, day, cases) in [("homes", "2026-03-01", 3), ("shops", "2026-03-09", 5)] {
            let run = run(suite, day, cases);
            let path = folder.path().join(format!("{suite}.eval"));
            write_log(&path, &run, cases);
            let counter = Arc::new(AtomicUsize::new(0));
            opened.push(Arc::clone(&counter));
            let facts = LogFacts::new(suite, &run, Some(&RunStatus::Success), Grading::default());
            logs.push(QueriedLog::new(facts, move || {
                counter.fetch_add(1, Ordering::Relaxed);
                Log::open(&path)
            }));
        }
        Self { _folder: folder, logs: QueriedLogs::new(logs), opened }
    }

    async fn ask(&self, question: &str) -> Value {
        let answer = self.logs.answer(question).await.unwrap();
        let mut text = Vec::new();
        answer.write_json(&mut text).unwrap();
        if text.is_empty() { json!([]) } else { serde_json::from_slice(&text).unwrap() }
    }

    /// How often each log was opened so far.
    fn opened(&self) -> Vec<usize> {
        self.opened.iter().map(|counter| counter.load(Ordering::Relaxed)).collect()
    }
}

fn run(suite: &str, day: &str, cases: usize) -> Run {
    let names: Vec<String> = (0..cases).map(|case| format!("case-{case}")).collect();
    serde_json::from_value(json!({
        "id": format!("run-of-{suite}"), "created": format!("{day}T10:00:00Z"),
        "suite": {"name": suite, "hash": "h", "size": cases},
        "subject": {"name": "model", "provider": "openai"},
        "cases": names, "trials": 1, "scorers": ["tool_calls"],
        "program": {"version": "1", "revision": "r"},
    }))
    .unwrap()
}

/// Every second case is right; each makes one call.
fn write_log(path: &PathBuf, run: &Run, cases: usize) {
    let mut writer = LogWriter::create(path, run).unwrap();
    for case in 0..cases {
        let value = f64::from(u8::from(case % 2 == 0));
        let losses = if value < 1.0 {
            json!([{"cause": "wrong_tool", "points": 1.0, "tool": "lamp"}])
        } else {
            json!([])
        };
        let trial: Trial = serde_json::from_value(json!({
            "case": {"id": format!("case-{case}"), "input": [{"role": "user", "content": "Go."}],
                "tags": {"size": if case < 2 { "small" } else { "large" }}},
            "number": 1, "started": "2026-03-01T10:00:00Z", "ended": "2026-03-01T10:00:01Z",
            "transcript": {"messages": [{"role": "assistant", "content": "Done.", "calls": [
                {"id": "c", "name": "lamp", "arguments": {"object": {"on": true}}},
            ]}], "turns": [{"usage": {"input": 10, "output": 2, "cached": null, "reasoning": null}}]},
            "outcomes": {"tool_calls": {"scored": {"value": value, "losses": losses}}},
        }))
        .unwrap();
        writer.append(&trial).unwrap();
    }
    writer.finish(&RunStatus::Success).unwrap();
}

#[tokio::test]
async fn a_question_over_all_runs_is_answered() {
    let archive = Archive::new();
    let scores =
        archive.ask("SELECT suite, avg(value) AS score FROM trials GROUP BY suite ORDER BY suite");
    let shares = json!([{"suite": "homes", "score": 2.0 / 3.0}, {"suite": "shops", "score": 0.6}]);
    assert_eq!(scores.await, shares);
    let question = "SELECT tags['size'] AS size, count(*) AS n FROM trials GROUP BY 1 ORDER BY 1";
    let sizes = json!([{"size": "large", "n": 4}, {"size": "small", "n": 4}]);
    assert_eq!(archive.ask(question).await, sizes);
    let question = "SELECT tool, arguments FROM calls WHERE case_id = 'case-4'";
    assert_eq!(
        archive.ask(question).await,
        json!([{"tool": "lamp", "arguments": "{\"on\":true}"}])
    );
    let question = "SELECT sum(points) AS points FROM losses WHERE tool = 'lamp'";
    assert_eq!(archive.ask(question).await, json!([{"points": 3.0}]));
    let question = "SELECT sum(input_tokens) AS tokens FROM turns";
    assert_eq!(archive.ask(question).await, json!([{"tokens": 80}]));
    let question = "SELECT count(*) AS n FROM transcripts WHERE messages LIKE '%Done.%'";
    assert_eq!(archive.ask(question).await, json!([{"n": 8}]));
}

#[tokio::test]
async fn logs_whose_heads_do_not_fit_are_not_opened() {
    let archive = Archive::new();
    let heads = archive.ask("SELECT suite, cases, date FROM runs ORDER BY cases").await;
    let homes = json!({"suite": "homes", "cases": 3, "date": "2026-03-01"});
    assert_eq!(heads, json!([homes, {"suite": "shops", "cases": 5, "date": "2026-03-09"}]));
    assert_eq!(archive.opened(), [0, 0], "heads are known");
    let n = archive.ask("SELECT count(*) AS n FROM trials WHERE suite = 'shops'").await;
    assert_eq!(n, json!([{"n": 5}]));
    assert_eq!(archive.opened(), [0, 1]);
    let question =
        "SELECT count(*) AS n FROM calls AS c WHERE c.date < '2026-03-05' AND c.tool = 'lamp'";
    assert_eq!(archive.ask(question).await, json!([{"n": 3}]));
    assert_eq!(archive.opened(), [1, 1]);
    let none = archive.ask("SELECT case_id FROM trials WHERE model LIKE 'other%'").await;
    assert_eq!(none, json!([]));
    assert_eq!(archive.opened(), [1, 1]);
}

#[tokio::test]
async fn a_question_that_writes_or_is_wrong_is_refused() {
    let archive = Archive::new();
    let refused =
        async |question: &str| archive.logs.answer(question).await.expect_err(question).to_string();
    assert!(refused("SELECT nothing FROM trials").await.contains("nothing"));
    assert!(refused("SELECT * FROM steps").await.contains("steps"));
    assert!(refused("DROP TABLE trials").await.contains("not supported"));
    assert!(refused("COPY trials TO 'x.csv'").await.contains("not supported"));
    assert!(refused("CREATE TABLE mine AS SELECT 1").await.contains("not supported"));
}

#[tokio::test]
async fn what_cannot_be_read_is_told_and_not_counted() {
    let archive = Archive::new();
    archive.ask("SELECT count(*) FROM calls").await;
    for log in archive.logs.logs() {
        let (damage, read) = log.damage();
        assert!(damage.is_none(), "{}", log.name());
        assert_eq!(read, if log.name() == "homes" { 3 } else { 5 });
    }
}
