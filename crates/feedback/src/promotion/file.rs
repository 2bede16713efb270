//! Adds a case to a file of cases or to a whole suite, in every form that suites have.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde_json::Value;
use toolgauge_log::replace_file;

use super::PromotionError;
use super::csv_row::with_row;
use super::json_item::with_item;
use super::refusal::{CaseRefusal, ended, id};

/// The file of a suite that is a folder.
const SUITE_FILE: &str = "suite.yaml";

/// Adds a case at the end of the cases of a file, which may be a list of cases, a whole suite, or
/// the folder of a suite. The rest of the file stays as it is. The file is replaced in one step,
/// so that it is never half written.
pub fn append(path: &Path, case: &Value) -> Result<(), PromotionError> {
    let path = if path.is_dir() { path.join(SUITE_FILE) } else { path.to_owned() };
    let path = file_of_cases(&path).unwrap_or(path);
    if fs::metadata(&path).is_ok_and(|found| !found.is_file()) {
        // Reading a pipe would wait for ever.
        return Err(PromotionError::NotCases { path });
    }
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        Err(source) => return Err(PromotionError::Read { path, source }),
    };
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let extended = match ending {
        "yaml" | "yml" => with_yaml(&text, case),
        "json" => with_json(&text, case),
        "ndjson" | "jsonl" => with_line(&text, case),
        "csv" => with_row(&text, case),
        _ => return Err(PromotionError::NotCases { path }),
    };
    let extended = extended.map_err(|refusal| refusal.at(&path))?;
    Ok(replace_file(&path, &extended)?)
}

/// The file that a suite keeps its cases in, if it names one in place of a list.
fn file_of_cases(suite: &Path) -> Option<PathBuf> {
    let is_suite = matches!(suite.extension()?.to_str()?, "yaml" | "yml" | "json");
    if !is_suite || !fs::metadata(suite).ok()?.is_file() {
        return None;
    }
    // JSON is YAML too.
    let document: Value = yaml_serde::from_str(&fs::read_to_string(suite).ok()?).ok()?;
    let file = document.get("cases")?.as_str()?;
    Some(suite.with_file_name("").join(file)).filter(|file| file.is_file())
}

/// Refuses a case whose name one of these has.
fn free(known: &[Value], case: &Value) -> Result<(), CaseRefusal> {
    let taken = known.iter().any(|known| known.get("id").and_then(Value::as_str) == Some(id(case)));
    if taken { Err(CaseRefusal::Taken(id(case).to_owned())) } else { Ok(()) }
}

/// The cases of a document: those of a list, or those that stand under `cases`.
fn cases(document: &Value) -> Result<Vec<Value>, CaseRefusal> {
    let no_list = |why: &str| Err(CaseRefusal::NoList(why.to_owned()));
    match document {
        Value::Null => Ok(Vec::new()),
        Value::Array(cases) => Ok(cases.clone()),
        Value::Object(suite) => match suite.get("cases") {
            Some(Value::Array(cases)) => Ok(cases.clone()),
            Some(Value::String(file)) => {
                Err(CaseRefusal::NoList(format!("its cases are in `{file}`; name that file")))
            }
            _ => no_list("it has no list `cases`"),
        },
        _ => no_list("it is neither a list of cases nor a suite"),
    }
}

fn with_yaml(text: &str, case: &Value) -> Result<String, CaseRefusal> {
    let read = |text: &str| -> Result<Value, CaseRefusal> {
        yaml_serde::from_str::<Option<Value>>(text)
            .map(Option::unwrap_or_default)
            .map_err(|error| CaseRefusal::NoList(error.to_string()))
    };
    let before = read(text)?;
    let known = cases(&before)?;
    free(&known, case)?;
    let item =
        yaml_serde::to_string(&[case]).map_err(|error| CaseRefusal::NoList(error.to_string()))?;
    let extended = match &before {
        Value::Object(_) => within(text, &item, known.is_empty()),
        // An empty list in brackets cannot be continued by items below it.
        Value::Array(cases) if cases.is_empty() => Some(text.replacen("[]", "", 1) + &item),
        _ => Some(format!("{}\n{item}", ended(text))),
    };
    // Text was put into text: what it reads as now decides whether that was right.
    let whole = extended.filter(|text| {
        let expected: Vec<Value> = known.iter().cloned().chain([case.clone()]).collect();
        let after = read(text).ok();
        after.as_ref().and_then(|after| cases(after).ok()) == Some(expected)
            && after.map(without_cases) == Some(without_cases(before.clone()))
    });
    whole.ok_or_else(|| {
        let why = "its cases are written in a way that cannot be added to; keep them in a file of \
                   their own";
        CaseRefusal::NoList(why.to_owned())
    })
}

/// The text of a suite with an item at the end of the list below `cases:`.
fn within(text: &str, item: &str, is_empty: bool) -> Option<String> {
    // Each with its end, so that lines that end as on Windows go on doing so.
    let mut lines: Vec<String> = ended(text).split_inclusive('\n').map(str::to_owned).collect();
    let head = lines.iter().position(|line| line.starts_with("cases:"))?;
    let end = if lines[head].ends_with("\r\n") { "\r\n" } else { "\n" };
    if is_empty {
        lines[head] = format!("{}{end}", lines[head].replacen("[]", "", 1).trim_end());
    }
    let is_within =
        |line: &&String| line.trim().is_empty() || line.starts_with([' ', '\t', '-', '#']);
    let length = lines[head + 1..].iter().take_while(is_within).count();
    let list = &lines[head + 1..head + 1 + length];
    let first = list.iter().find(|line| line.trim_start().starts_with('-'));
    let indent = first.map_or(2, |line| line.len() - line.trim_start().len());
    // Blank lines and comments at the margin belong to what follows the list.
    let last = list.iter().rposition(|line| {
        let is_comment = line.starts_with('#');
        !line.trim().is_empty() && !is_comment
    });
    let at = head + 1 + last.map_or(0, |last| last + 1);
    let indented = item.lines().map(|line| match line {
        "" => end.to_owned(),
        line => format!("{:indent$}{line}{end}", ""),
    });
    let mut block: Vec<String> = indented.collect();
    if last.is_some() {
        block.insert(0, end.to_owned());
    }
    lines.splice(at..at, block);
    Some(lines.concat())
}

/// A document without its cases.
fn without_cases(mut document: Value) -> Value {
    match &mut document {
        Value::Object(suite) => drop(suite.shift_remove("cases")),
        _ => document = Value::Null,
    }
    document
}

fn with_json(text: &str, case: &Value) -> Result<String, CaseRefusal> {
    let text = if text.trim().is_empty() { "[\n]\n" } else { text };
    let document: Value =
        serde_json::from_str(text).map_err(|error| CaseRefusal::NoList(error.to_string()))?;
    free(&cases(&document)?, case)?;
    with_item(text, case)
}

fn with_line(text: &str, case: &Value) -> Result<String, CaseRefusal> {
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let known: Result<Vec<Value>, _> = lines.map(serde_json::from_str).collect();
    let known = known.map_err(|error| CaseRefusal::NoList(error.to_string()))?;
    free(&known, case)?;
    Ok(format!("{}{case}\n", ended(text)))
}
