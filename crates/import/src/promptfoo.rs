//! Results of promptfoo: one object, or one row a line.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use indexmap::IndexMap;
use serde_json::{Value, json};
use toolgauge_core::{
    AssistantMessage, Case, Expectation, ExpectedAnswer, ExpectedCall, FailureKind, Keyword,
    Message, RecordedVerdict, Timings, Transcript, TrialFailure, Turn,
};

use crate::field::{digest, first_text, list, name, recorded, seconds, text, unwrapped, usage};
use crate::glance::Glance;
use crate::record_run::{ReadTrial, RecordFormat, RunName, RunOf, find_runs as find_record_runs};
use crate::records::Records;
use crate::{ImportError, ImportedRun, ImportedTrial, ResultKind, chat};

/// The assertion whose rule is computed anew, and the scorer that does.
const F1: (&str, &str) = ("tool-call-f1", "promptfoo_tool_call_f1");

/// The runs in a file: one for each provider and prompt.
pub(crate) fn find_runs(path: &Path) -> Result<Vec<Box<dyn ImportedRun>>, ImportError> {
    let is_row = Glance::at(path)?.has("testCase");
    let within: Option<&'static [&'static str]> = (!is_row).then_some(&["results", "results"]);
    let ambiguous = ambiguous_descriptions(path, within)?;
    let format = RecordFormat {
        kind: ResultKind::Promptfoo,
        suite: "promptfoo",
        scorer: "promptfoo",
        further: &[],
        within,
        beside: &[],
        run: RunOf::Record(&["provider", "promptIdx"], run_name),
        trial: ReadTrial::value(move |row| trial(row, &ambiguous)),
    };
    find_record_runs(path, format)
}

/// Descriptions that several tests share, so that they name none of them.
fn ambiguous_descriptions(
    path: &Path,
    within: Option<&[&str]>,
) -> Result<HashSet<String>, ImportError> {
    let mut seen: HashMap<String, String> = HashMap::new();
    let mut ambiguous = HashSet::new();
    let mut rows = Records::open(path, ResultKind::Promptfoo, within, &[])?;
    while let Some(row) = rows.next_members(&["testCase", "vars"]).transpose()? {
        let Some(description) = description(&row) else { continue };
        let variables = digest(&variables(&row).to_string());
        if seen.entry(description.to_owned()).or_insert_with(|| variables.clone()) != &variables {
            ambiguous.insert(description.to_owned());
        }
    }
    Ok(ambiguous)
}

fn description(row: &Value) -> Option<&str> {
    row.get("testCase").and_then(|case| text(case, "description")).filter(|text| !text.is_empty())
}

fn variables(row: &Value) -> &Value {
    let of_case = || row.pointer("/testCase/vars");
    row.get("vars").or_else(of_case).unwrap_or(&Value::Null)
}

fn run_name(row: &Value) -> RunName {
    let provider = row.get("provider").unwrap_or(&Value::Null);
    let model = first_text(provider, &["id", "label"]).or(provider.as_str()).unwrap_or_default();
    let prompt = name(row.get("promptIdx"));
    let label = if prompt.is_empty() { prompt } else { format!("prompt-{prompt}") };
    RunName { model: model.to_owned(), label }
}

fn trial(row: &Value, ambiguous: &HashSet<String>) -> Result<ImportedTrial, String> {
    if row.get("success").is_none() {
        return Err("holds a row without `success`".into());
    }
    let id = match description(row).filter(|text| !ambiguous.contains(*text)) {
        Some(description) => description.to_owned(),
        None => digest(&variables(row).to_string()),
    };
    let output = row.pointer("/response/output").unwrap_or(&Value::Null);
    let case = Case {
        input: prompt(row),
        expectation: expectation(row),
        metadata: [(
            "promptfoo".to_owned(),
            json!({"output": output, "testIdx": row.get("testIdx"), "vars": variables(row)}),
        )]
        .into_iter()
        .collect::<serde_json::Map<_, _>>()
        .into(),
        ..Case::new(id.as_str(), "")
    };
    let mut transcript = Transcript {
        messages: said(output),
        turns: vec![turn(row)],
        failure: failure(row),
        ..Transcript::default()
    };
    transcript.background.recorded = verdicts(row, transcript.failure.is_some());
    Ok(ImportedTrial { case: Arc::new(case), number: 0, transcript })
}

/// The prompt: often the text of a list of messages.
fn prompt(row: &Value) -> Vec<Message> {
    let raw = row.get("prompt").and_then(|prompt| prompt.get("raw").or(Some(prompt)));
    let raw = raw.unwrap_or(&Value::Null);
    match &*unwrapped(raw) {
        Value::Array(messages) if messages.iter().all(|it| it.get("role").is_some()) => {
            messages.iter().flat_map(chat::from_message).collect()
        }
        _ => vec![Message::user(name(Some(raw)))],
    }
}

/// What a provider gave out: text, or calls in the form of its server, with text around them.
fn said(output: &Value) -> Vec<Message> {
    let Value::String(written) = output else { return chat::messages(output) };
    let mut message = AssistantMessage::default();
    let mut words = Vec::new();
    if unwrapped(output).is_string() {
        // Calls stand on lines of their own between the words.
        for line in written.lines() {
            let is_json = line.trim_start().starts_with(['{', '[']);
            let called = is_json.then(|| chat::messages(&Value::from(line)));
            match called.as_deref() {
                Some([Message::Assistant(one)]) if !one.calls.is_empty() => {
                    message.calls.extend(one.calls.iter().cloned());
                }
                _ => words.push(line),
            }
        }
        message.content = words.join("\n");
        return vec![Message::Assistant(message)];
    }
    chat::messages(output)
}

fn turn(row: &Value) -> Turn {
    let latency = row.get("latencyMs").and_then(Value::as_f64).map(|ms| ms / 1000.0);
    Turn {
        timings: Timings { total: seconds(latency), ..Timings::default() },
        usage: usage(row.pointer("/response/tokenUsage")),
        attempts: 1,
        ..Turn::default()
    }
}

/// An error of the provider, which promptfoo counts neither as passed nor as failed.
fn failure(row: &Value) -> Option<TrialFailure> {
    (row.get("failureReason").and_then(Value::as_u64) == Some(2)).then(|| TrialFailure {
        kind: FailureKind::Server,
        message: text(row, "error").unwrap_or("an error").chars().take(500).collect(),
    })
}

/// The verdict on the row, with each assertion beside it, and that of the rule we know.
fn verdicts(row: &Value, has_failed: bool) -> Vec<RecordedVerdict> {
    let reason = row.pointer("/gradingResult/reason").and_then(Value::as_str).unwrap_or_default();
    let mut verdict = recorded("promptfoo", row.get("success").unwrap_or(&Value::Null), reason);
    if has_failed {
        verdict.value = None;
    }
    let score = row.get("score").and_then(Value::as_f64);
    verdict.measures.extend(score.map(|score| ("score".to_owned(), score)));
    let named = row.get("namedScores").and_then(Value::as_object).into_iter().flatten();
    verdict
        .measures
        .extend(named.filter_map(|(name, value)| Some((name.clone(), value.as_f64()?))));
    let mut verdicts = Vec::new();
    let mut times: HashMap<&str, usize> = HashMap::new();
    let mut is_first = true;
    let components = row.pointer("/gradingResult/componentResults").unwrap_or(&Value::Null);
    for component in components.as_array().into_iter().flatten() {
        let Some(kind) = component.pointer("/assertion/type").and_then(Value::as_str) else {
            continue;
        };
        let time = times.entry(kind).or_default();
        *time += 1;
        let name = if *time == 1 { kind.to_owned() } else { format!("{kind}#{time}") };
        let passed = component.get("pass").and_then(Value::as_bool).unwrap_or(false);
        verdict.measures.insert(name, f64::from(u8::from(passed)));
        if kind.strip_prefix("not-").unwrap_or(kind) == F1.0 && is_first {
            is_first = false;
            let reason = text(component, "reason").unwrap_or_default();
            // promptfoo records the F1 of an inverted assertion as it is: high where the tools
            // were called that must not be. Only whether it passed is a mark then.
            let mark = if kind == F1.0 { "score" } else { "pass" };
            let mark = component.get(mark).unwrap_or(&Value::Null);
            verdicts.push(recorded(F1.1, mark, reason));
        }
    }
    verdicts.insert(0, verdict);
    verdicts
}

/// What toolgauge's own scorers can judge of the assertions.
fn expectation(row: &Value) -> Expectation {
    let mut expectation = Expectation::default();
    let mut keywords = Vec::new();
    let assertions = row.get("testCase").map(|case| list(case, "assert")).unwrap_or_default();
    for assertion in assertions {
        let kind = text(assertion, "type").unwrap_or_default();
        let value = assertion.get("value").unwrap_or(&Value::Null);
        let written = || name(Some(value));
        // A list may be written as one text with commas.
        let texts = || -> Vec<String> {
            match value {
                Value::Array(items) => items.iter().map(|it| name(Some(it))).collect(),
                other => name(Some(other)).split(',').map(|it| it.trim().to_owned()).collect(),
            }
        };
        match kind {
            "tool-call-f1" | "not-tool-call-f1" if !expectation.more.contains_key(F1.1) => {
                expectation.more.insert(F1.1.into(), assertion.clone());
                // Which calls are right is open where some are forbidden.
                if kind == F1.0 {
                    let call = |name: String| ExpectedCall { name, arguments: IndexMap::new() };
                    expectation.calls = Some(texts().into_iter().map(call).collect());
                }
            }
            "icontains" | "contains" => keywords.push(Keyword::Text(written())),
            "not-icontains" | "not-contains" => keywords.push(Keyword::Not(written())),
            "icontains-all" | "contains-all" => {
                keywords.extend(texts().into_iter().map(Keyword::Text));
            }
            "icontains-any" | "contains-any" => keywords.push(Keyword::AnyOf(texts())),
            "not-icontains-any" | "not-contains-any" => {
                keywords.extend(texts().into_iter().map(Keyword::Not));
            }
            // JavaScript knows more than we do, such as a look ahead. What cannot be read here must
            // not count as missing.
            "regex" if regex::Regex::new(&written()).is_ok() => {
                keywords.push(Keyword::Regex(written()));
            }
            _ => {}
        }
    }
    if !keywords.is_empty() {
        expectation.answer = Some(Box::new(ExpectedAnswer { keywords, ..Default::default() }));
    }
    expectation
}
