//! Result files of other tools, as `toolgauge import` reads and judges them.

use std::fs;
use std::io::Read;
use std::path::Path;

use toolgauge_core::Outcome;
use toolgauge_engine::write_inspect_json;
use toolgauge_import::python_json::parse;
use toolgauge_import::{ImportOptions, ImportedTrial, ResultKind, describe, find_runs};
use toolgauge_score::{Evidence, Scorer};
use zip::ZipArchive;

use crate::logs::{check_log, file};
use crate::parts;

/// More is not judged of one input.
const MOST_TRIALS: usize = 16;

/// One file of any kind. The first byte says which, or that the file itself must say so.
pub(crate) fn result_file(input: &[u8]) {
    let (kind, bytes) = input.split_first().unwrap_or((&0, &[]));
    let (_folder, path) = file("results.json", bytes);
    let kind = usize::from(*kind).checked_sub(1);
    let kind = kind.map(|kind| ResultKind::ALL[kind % ResultKind::ALL.len()]);
    if let Ok(seen) = describe(&path) {
        assert!(!seen.is_empty());
    }
    check_runs(&path, &ImportOptions { kind, ..ImportOptions::default() });
}

/// Answers, verdicts, questions and accepted answers of one category of BFCL; the first byte says
/// which category.
pub(crate) fn bfcl(input: &[u8]) {
    let (kind, files) = input.split_first().unwrap_or((&0, &[]));
    let later = ["simple_python", "simple_java", "live_multiple", "live_irrelevance"];
    let later = later.into_iter().chain(["live_relevance", "parallel_multiple", "multi_turn_base"]);
    let first = ["simple", "parallel_multiple_function", "relevance", "javascript"];
    let categories: Vec<String> = later
        .map(|name| format!("BFCL_v4_{name}"))
        .chain(first.map(|name| format!("gorilla_openfunctions_v1_test_{name}")))
        .collect();
    let name = &categories[usize::from(*kind) % categories.len()];
    let short = name.strip_prefix("gorilla_openfunctions_v1_test_").unwrap_or(name);
    let [answers, scores, questions, accepted] = parts(files);
    let (folder, _) = file("empty", b"");
    let root = folder.path();
    put(root, &format!("run/result/m/{name}_result.json"), answers);
    if !scores.is_empty() {
        put(root, &format!("run/score/m/{short}_score.json"), scores);
    }
    put(root, &format!("data/{name}.json"), questions);
    put(root, &format!("data/possible_answer/{name}.json"), accepted);
    let (kind, data) = (Some(ResultKind::Bfcl), Some(root.join("data")));
    let options = ImportOptions { kind, data, ..ImportOptions::default() };
    check_runs(&root.join("run"), &options);
}

/// A trial of home-assistant-datasets and the labels beside it.
pub(crate) fn ha_datasets(input: &[u8]) {
    let [trial, labels] = parts(input);
    let (folder, _) = file("empty", b"");
    let root = folder.path();
    put(root, "reports/mini/1/m/trial.yaml", trial);
    put(root, "reports/mini/1/report.csv", labels);
    let options = ImportOptions { kind: Some(ResultKind::HaDatasets), ..ImportOptions::default() };
    check_runs(&root.join("reports"), &options);
}

/// A log of Inspect AI in JSON. What is written of it is an archive whose list names every sample,
/// and the log in there is read or refused.
pub(crate) fn inspect_json(input: &[u8]) {
    let (folder, path) = file("log.json", input);
    let target = folder.path().join("log.eval");
    if write_inspect_json(&path, &target).is_err() {
        assert!(!target.exists(), "nothing is left of a log that was refused");
        return;
    }
    let mut archive = ZipArchive::new(fs::File::open(&target).expect("it was written"))
        .expect("what was written is an archive");
    let samples =
        archive.file_names().flatten().filter(|name| name.starts_with("samples/")).count();
    let mut list = Vec::new();
    let mut member = archive.by_name("summaries.json").expect("it has a list of its samples");
    member.read_to_end(&mut list).expect("the list can be read");
    drop(member);
    let list = parse(&list).expect("the list is JSON");
    let listed = list.as_array().map_or(0, Vec::len);
    assert!(listed >= samples, "{samples} samples, {listed} of them listed");
    check_log(&target);
}

fn put(root: &Path, name: &str, bytes: &[u8]) {
    let path = root.join(name);
    let folder = path.parent().expect("a name has a folder before it");
    fs::create_dir_all(folder).expect("a folder can be made");
    fs::write(path, bytes).expect("a file can be written");
}

/// Whatever is read can be judged, and is read the same again.
fn check_runs(path: &Path, options: &ImportOptions) {
    let Ok(runs) = find_runs(path, options) else { return };
    for run in runs.into_iter().flatten() {
        let read = || run.trials().take(MOST_TRIALS).map_while(Result::ok);
        let trials: Vec<ImportedTrial> = read().collect();
        assert!(read().eq(trials.iter().cloned()), "trials can be read as often as needed");
        let scorers = [run.head().scorer].into_iter().chain(run.head().further.iter().copied());
        let scorers: Vec<Scorer> = scorers.filter_map(Scorer::by_name).collect();
        for trial in &trials {
            check_trial(trial, &scorers);
        }
    }
}

fn check_trial(trial: &ImportedTrial, scorers: &[Scorer]) {
    let tools = trial.case.tools.as_deref().unwrap_or_default();
    let evidence = Evidence::new(&trial.case, tools, &trial.transcript);
    for scorer in scorers {
        let recorded = match scorer {
            Scorer::Peer(peer) => Some(peer.recorded(&evidence)),
            _ => None,
        };
        for outcome in recorded.into_iter().chain([scorer.judge(&evidence)]) {
            if let Outcome::Scored(score) = outcome {
                assert!((0.0..=1.0).contains(&score.value), "{score:?}");
            }
        }
    }
}
