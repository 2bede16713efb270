//! The real Inspect AI opens what runs leave, however they ended.
//!
//! `TOOLGAUGE_INSPECT_PYTHON` names a Python that has the package. Without it the test says that
//! it was left out; with `TOOLGAUGE_REQUIRE_INSPECT=1` that is a failure.

use std::process::{Command, Stdio};

use serde_json::json;
use toolgauge_testkit::{skip_check, wait_until};

use crate::run::{Server, finished, only_log, run, suite, text, toolgauge};

/// Opens every log of a folder as a user would: whole, by summary, and as a data frame.
const OPEN: &str = r#"
import sys
from inspect_ai.analysis import samples_df
from inspect_ai.log import list_eval_logs, read_eval_log, read_eval_log_sample_summaries

logs = list_eval_logs(sys.argv[1])
for info in logs:
    log = read_eval_log(info)
    summaries = read_eval_log_sample_summaries(info)
    assert len(log.samples) == len(summaries) > 0, info.name
    frame = samples_df(info, quiet=True)
    assert len(frame) == len(summaries), info.name
    scored = [s for s in log.samples if s.scores]
    assert all("tool_calls" in s.scores and "arguments" in s.scores for s in scored)
    assert all(s.error for s in log.samples if not s.scores), "an unscored sample has its reason"
    print(log.status, len(log.samples), len(scored))
print("opened", len(logs))
"#;

pub(super) fn inspect_python() -> Option<String> {
    let python = std::env::var("TOOLGAUGE_INSPECT_PYTHON").ok();
    if python.is_none() {
        let needs = "a Python with `inspect_ai`, named by TOOLGAUGE_INSPECT_PYTHON";
        skip_check(needs, "TOOLGAUGE_REQUIRE_INSPECT");
    }
    python
}

#[test]
fn the_real_inspect_opens_finished_flaky_and_interrupted_runs() {
    let Some(python) = inspect_python() else { return };
    let folder = suite(40);
    let sound = Server::start(folder.path(), &["--latency", "30ms"]);
    let base = ["run", ".", "-m", "any", "-c", "4", "--trials", "2", "--base-url"];
    run(folder.path(), &[&base[..], &[&sound.base_url]].concat());
    let flaky = Server::start(folder.path(), &["--faults", "flaky"]);
    let more = [flaky.base_url.as_str(), "--retries", "0", "--attempt-timeout", "1"];
    run(folder.path(), &[&base[..], &more[..]].concat());
    let before = finished(folder.path());
    let mut command = toolgauge(folder.path(), &base);
    command.arg(&sound.base_url).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    wait_until(|| finished(folder.path()) > before + 5);
    let process = child.id().to_string();
    Command::new("kill").args(["-INT", &process]).status().unwrap();
    child.wait().unwrap();

    let mut opening = Command::new(python);
    let output = opening.args(["-c", OPEN, "logs"]).current_dir(folder.path()).output().unwrap();
    assert!(output.status.success(), "{}\n{}", text(&output.stdout), text(&output.stderr));
    assert!(text(&output.stdout).contains("opened 3"), "{}", text(&output.stdout));
}

/// What the columns of the viewer show: the target, the answer beside the first score, the duration.
const COLUMNS: &str = r#"
import re, sys
from datetime import datetime
from inspect_ai.log import list_eval_logs, read_eval_log, read_eval_log_sample_summaries

logs = list_eval_logs(sys.argv[1])
for info in logs:
    log = read_eval_log(info, header_only=True)
    start, end = (datetime.fromisoformat(t) for t in (log.stats.started_at, log.stats.completed_at))
    assert 0 <= (end - start).total_seconds() < 300, (log.stats.started_at, log.stats.completed_at)
    for sample in read_eval_log_sample_summaries(info):
        first = next(iter(sample.scores.values()))
        assert sample.target and first.answer, sample
        # Inspect typesets what is between two dollar signs, but not within code.
        assert "$" not in re.sub("`[^`]*`", "", sample.target), sample.target
        print(sample.id, "|", sample.target, "|", first.answer)
print("looked at", len(logs))
"#;

#[test]
fn the_real_inspect_has_something_to_show_in_every_column() {
    let Some(python) = inspect_python() else { return };
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    let suite = "name: rents\ntools:\n  - name: find\n    description: Finds\n    parameters: \
                 {type: object, properties: {day: {type: string}}}\nscorers: [keywords, \
                 tool_calls]\ncases: cases.ndjson\n";
    write("suite.yaml", suite);
    let words = json!({"id": "words", "say": "how high is the rent", "expect":
        {"calls": [], "answer": {"keywords": ["12", {"not": "13"}]}}});
    let day = json!([{"$regex": "^2026$"}, {"$regex": "^2027$"}]);
    let calls = json!([{"tool": "find", "arguments": {"day": {"$any_of": day}}}]);
    let call = json!({"id": "call", "say": "find it", "expect":
        {"calls": calls, "answer": {"keywords": ["found"]}}});
    write("cases.ndjson", &format!("{words}\n{call}\n"));
    let called = json!({"name": "find", "arguments": {"day": "2026"}});
    let script = [
        json!({"request": "how high is the rent", "text": "It is 12."}),
        json!({"request": "find it", "text": "found", "calls": [called]}),
    ];
    write("script.ndjson", &script.map(|line| line.to_string()).join("\n"));
    let done = run(folder.path(), &["run", ".", "-m", "script:script.ndjson"]);
    assert!(done.status.success(), "{}", text(&done.stderr));
    let log = only_log(folder.path()).display().to_string();
    let again = run(folder.path(), &["score", &log, "--scorer", "keywords"]);
    assert!(again.status.success(), "{}", text(&again.stderr));

    let mut looking = Command::new(python);
    let output = looking.args(["-c", COLUMNS, "logs"]).current_dir(folder.path()).output().unwrap();
    assert!(output.status.success(), "{}\n{}", text(&output.stdout), text(&output.stderr));
    let shown = text(&output.stdout);
    assert!(shown.contains("looked at 2"), "{shown}");
    assert!(shown.contains("words | 12, not 13 | It is 12."), "{shown}");
    assert!(shown.contains("| `find{\"day\":\"2026\"}`"), "{shown}");
}
