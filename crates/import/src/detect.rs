//! What a file or a folder is, told by what it holds. Nothing is guessed: a file that fits no kind,
//! or more than one, is refused with what was seen in it.

use std::path::Path;

use crate::glance::{Beginning, Glance};
use crate::json_reader::JsonReader;
use crate::{ImportError, ResultKind, bfcl, ha_datasets};

/// The kind of result that lies in a file or a folder.
pub fn detect(path: &Path) -> Result<ResultKind, ImportError> {
    let unknown = |seen: String| ImportError::Unknown { path: path.to_owned(), seen };
    recognise(path)?.map_err(|fitting| {
        if path.is_dir() {
            return unknown(seen(&fitting, || match ha_datasets::first_broken(path) {
                Some(broken) => format!("it holds no result file of a known kind, and {broken}"),
                None => "it holds no result file of a known kind".into(),
            }));
        }
        unknown(seen(&fitting, || describe_file(path)))
    })
}

/// The kind of result that lies in a file or a folder, if it is one that can be imported. Unlike
/// for [`detect`], nobody asks why not, and the rest of the file is not read for it.
pub fn known_kind(path: &Path) -> Option<ResultKind> {
    recognise(path).ok()?.ok()
}

/// Why a file that was named as a log cannot be one, unless it may be: logs are archives.
pub fn why_no_log(path: &Path) -> Option<String> {
    match Glance::at(path).ok()?.beginning {
        Beginning::Other(_) => None,
        _ => Some(describe_file(path)),
    }
}

/// The only kind that a file or folder fits, else all that it fits.
fn recognise(path: &Path) -> Result<Result<ResultKind, Vec<ResultKind>>, ImportError> {
    if path.is_dir() {
        let results = path.join("results.json");
        if results.is_file() && matches!(recognise(&results), Ok(Ok(ResultKind::Tau2))) {
            return Ok(Ok(ResultKind::Tau2));
        }
        let found = [
            bfcl::has_results(path)?.then_some(ResultKind::Bfcl),
            ha_datasets::has_results(path)?.then_some(ResultKind::HaDatasets),
        ];
        return Ok(only(found.into_iter().flatten().collect()));
    }
    // What lies further behind is looked at only where the beginning does not tell. Chats of OpenAI
    // are told by a member that they lack.
    match recognise_by(path, &Glance::first(path)?) {
        Ok(kind) if kind != ResultKind::OpenAi => Ok(Ok(kind)),
        _ => Ok(recognise_by(path, &Glance::at(path)?)),
    }
}

/// The only kind that a file fits by its beginning, else all that it fits.
fn recognise_by(path: &Path, glance: &Glance) -> Result<ResultKind, Vec<ResultKind>> {
    let named = bfcl::is_result_name(path);
    let fitting = ResultKind::ALL.into_iter().filter(|kind| match kind {
        // The name tells the category, without which such a file means nothing.
        ResultKind::Bfcl => {
            named
                && (glance.has_all(&["id", "result"])
                    || glance.has_all(&["accuracy", "total_count"]))
        }
        kind => fits(*kind, glance),
    });
    only(fitting.collect())
}

/// What a file looks like, for a message that refuses it.
pub fn describe(path: &Path) -> Result<String, ImportError> {
    let glance = Glance::at(path)?;
    let fitting = ResultKind::ALL.into_iter().find(|kind| fits(*kind, &glance));
    Ok(match fitting {
        Some(kind) => {
            format!("it looks like a result of {}, which `toolgauge import` reads", kind.title())
        }
        None => describe_file(path),
    })
}

/// What a file looks like, and whether it is whole.
fn describe_file(path: &Path) -> String {
    let Ok(glance) = Glance::at(path) else { return "it cannot be read".into() };
    let is_json = matches!(glance.beginning, Beginning::Object | Beginning::List);
    match is_json.then(|| what_is_broken(path)).flatten() {
        Some(broken) => format!("{}, and {broken}", describe_glance(&glance, true)),
        None => describe_glance(&glance, false),
    }
}

/// What is wrong with a file of JSON, or of JSON values one after the other.
fn what_is_broken(path: &Path) -> Option<String> {
    let read = || {
        // Which kind it was taken for is not told.
        let mut reader = JsonReader::open(path, ResultKind::InspectJson)?;
        while reader.peek()?.is_some() {
            reader.skip()?;
        }
        Ok(())
    };
    match read() {
        Ok(()) => None,
        Err(ImportError::Line { line, why, .. }) => Some(format!("line {line} {why}")),
        Err(ImportError::Unfit { why, .. }) => Some(why),
        Err(error) => Some(error.to_string()),
    }
}

fn only(found: Vec<ResultKind>) -> Result<ResultKind, Vec<ResultKind>> {
    match found.as_slice() {
        [kind] => Ok(*kind),
        _ => Err(found),
    }
}

fn seen(found: &[ResultKind], otherwise: impl FnOnce() -> String) -> String {
    if found.is_empty() {
        return otherwise();
    }
    let names: Vec<&str> = found.iter().map(|kind| kind.name()).collect();
    format!("it fits {}; say which it is with `--from`", names.join(" and "))
}

/// Whether the beginning of a file is that of a kind.
fn fits(kind: ResultKind, glance: &Glance) -> bool {
    let has = |places: &[&str]| glance.has_all(places);
    let is_list = glance.beginning == Beginning::List;
    let is_object = glance.beginning == Beginning::Object;
    match kind {
        ResultKind::Bfcl | ResultKind::InspectJson => false,
        // Tasks may be longer than what is in sight, so that simulations may be out of it.
        ResultKind::Tau2 => {
            is_object
                && (has(&["simulations", "tasks"])
                    || has(&["simulation_index", "tasks"])
                    || has(&["info.agent_info", "tasks"]))
        }
        ResultKind::TauBench => is_list && has(&["traj", "reward"]),
        ResultKind::HaDatasets => {
            glance.first_line().starts_with("task_id,model_id,category,text,tool_call")
        }
        ResultKind::Promptfoo => {
            is_object
                && (has(&["results.version", "results.results"])
                    || has(&["evalId", "results.version"])
                    || has(&["testCase", "gradingResult"]))
        }
        ResultKind::DeepEval => {
            // The metrics stand behind all test cases, and so out of sight in a large file.
            is_object
                && (has(&["testCases", "metricsScores"])
                    || has(&["testCases[].metricsData", "testCases[].success"])
                    || has(&["testRunData.testCases"]))
        }
        ResultKind::Agentevals => has(&["outputs", "reference_outputs"]),
        ResultKind::Otlp => {
            is_object && (has(&["resourceSpans"]) || has(&["batches"]) || has(&["data[].spans"]))
        }
        ResultKind::Langfuse => {
            (is_object && has(&["trace", "observations"]))
                || has(&["traceId", "type", "startTime"])
                || (is_object && has(&["observations[].traceId", "id"]))
        }
        ResultKind::Phoenix => has(&["span_kind", "context.trace_id"]),
        ResultKind::OpenAi => {
            let object = glance.text("object");
            object == "chat.completion"
                || object == "response"
                || (object == "list" && glance.text("data[].object") == "chat.completion")
                || has(&["custom_id", "response"])
                || (has(&["messages"]) && !glance.has("id"))
        }
        ResultKind::OpenAiEvals => is_object && has(&["spec"]),
        ResultKind::ShareGpt => has(&["conversations[].from", "conversations[].value"]),
        ResultKind::Atif => glance.text("schema_version").starts_with("ATIF-"),
    }
}

fn describe_glance(glance: &Glance, is_broken: bool) -> String {
    let keys = glance.keys();
    match glance.beginning {
        Beginning::Nothing => "it is empty".into(),
        Beginning::Object if keys.is_empty() && is_broken => "it begins as an object".into(),
        Beginning::Object if keys.is_empty() => "it is an object without members".into(),
        Beginning::Object if glance.has_all(&["id", "result"]) => {
            "it looks like a result of BFCL, whose name would be \
             `BFCL_v4_<category>_result.json`"
                .into()
        }
        Beginning::Object if glance.has_all(&["version", "status", "eval"]) => {
            "it looks like a log of Inspect AI in JSON, which `toolgauge summary` reads as it is"
                .into()
        }
        Beginning::Object if glance.has_all(&["simulations"]) => {
            "it looks like a log of τ²-bench, but has no `tasks`".into()
        }
        Beginning::Object if glance.has_all(&["version", "results", "stats", "table"]) => {
            "it looks like a result of promptfoo before version 3 of its format, which does not say \
             which test a row is of"
                .into()
        }
        Beginning::Object if glance.has_all(&["_resultsLoaded", "results"]) => {
            "it looks like an evaluation as promptfoo keeps it in memory; `promptfoo export eval` \
             writes it as a result"
                .into()
        }
        Beginning::Object if glance.has("eval_cases") => {
            "it looks like an eval set of Google's ADK, which has no results".into()
        }
        Beginning::Object => format!("it looks like {}", named(&keys, "an object")),
        Beginning::List if keys.is_empty() && is_broken => "it begins as a list".into(),
        Beginning::List if keys.is_empty() => "it looks like a list that holds no objects".into(),
        Beginning::List => format!("it looks like {}", named(&keys, "a list of objects")),
        Beginning::Other(what) | Beginning::Unreadable(what) => format!("it looks like {what}"),
    }
}

fn named(keys: &[&str], what: &str) -> String {
    const SHOWN: usize = 6;
    let shown: Vec<String> = keys.iter().take(SHOWN).map(|key| format!("`{key}`")).collect();
    let more = if keys.len() > SHOWN { ", …" } else { "" };
    format!("{what} with the keys {}{more}", shown.join(", "))
}
