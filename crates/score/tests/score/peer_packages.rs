//! The rules of `DeepEval` and agentevals, held against the real packages on random calls.

#![expect(clippy::unwrap_used, reason = "a test may fail by panicking")]

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};
use toolgauge_core::{Case, Message, Transcript};
use toolgauge_score::Scorer;
use toolgauge_testkit::skip_check;

/// The Python that has both packages.
const PYTHON: &str = "TOOLGAUGE_PEERS_PYTHON";

/// How often each of the 22 ways to compare is tried, unless `TOOLGAUGE_PEER_ROUNDS` says more.
const ROUNDS: u32 = 20;

#[test]
fn the_real_packages_give_the_same_scores() {
    let Some(python) = std::env::var_os(PYTHON) else {
        let needs = "a Python with `deepeval` and `agentevals`, named by `TOOLGAUGE_PEERS_PYTHON`";
        return skip_check(needs, "TOOLGAUGE_REQUIRE_PEERS");
    };
    let rounds = std::env::var("TOOLGAUGE_PEER_ROUNDS").ok().and_then(|text| text.parse().ok());
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/score/peer_vectors.py");
    let mut command = Command::new(python);
    command.arg(script).args([rounds.unwrap_or(ROUNDS).to_string(), "7".into()]);
    // Neither package is to call home.
    command.env("DEEPEVAL_TELEMETRY_OPT_OUT", "YES").env("LANGSMITH_TRACING", "false");
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let (mut compared, mut rules) = (0, std::collections::BTreeMap::<String, u32>::new());
    for line in output.stdout.split(|byte| *byte == b'\n').filter(|line| line.starts_with(b"{")) {
        let vector: Value = serde_json::from_slice(line).unwrap();
        let (score, wanted) = (judged(&vector), vector["score"].as_f64().unwrap());
        assert!((score - wanted).abs() < 1e-9, "{score} instead of {wanted}: {vector}");
        *rules.entry(vector["rule"].as_str().unwrap().to_owned()).or_default() += 1;
        compared += 1;
    }
    // Not by a macro: the numbers are for people who ask for more rounds.
    let told = format!("{compared} scores of the real packages compared: {rules:?}\n");
    let _ = std::io::Write::write_all(&mut std::io::stderr(), told.as_bytes());
    assert_eq!(compared, rounds.unwrap_or(ROUNDS) * 22);
}

/// What our scorer says of the calls of a vector.
fn judged(vector: &Value) -> f64 {
    let name = vector["rule"].as_str().unwrap();
    let mut scorer = Scorer::by_name(name).unwrap();
    for (option, value) in vector["options"].as_object().unwrap() {
        scorer = scorer.with_option(option, value.as_str().unwrap()).unwrap();
    }
    let mut case = Case::new("c", "");
    case.input.clear();
    let mut transcript = Transcript::default();
    if name == "deepeval" {
        let expected = json!({"expected_tools": vector["expected"]});
        case.expectation.more.insert(name.into(), expected);
        case.metadata.insert(name.into(), json!({"tools_called": vector["called"]}));
    } else {
        case.expectation.more.insert(name.into(), json!({"reference": vector["reference"]}));
        let said = vector["output"].as_array().unwrap().iter();
        transcript.messages = said.map(|message| Message::from_openai(message).unwrap()).collect();
    }
    scorer.score(&case, &[], &transcript).value().unwrap()
}
