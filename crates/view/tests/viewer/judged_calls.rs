//! Expected calls beside those that were made, on the pages of the demo logs.

use std::fs;
use std::path::{Path, PathBuf};

use indexmap::IndexMap;
use serde_json::Value;
use toolgauge_core::{Outcome, Run, Trial};
use toolgauge_log::{Log, LogWriter, RunStatus, rescore};
use toolgauge_score::Scorer;

use crate::shown::Shown;

const BASELINE: &str = "everyday-baseline.eval";
const QWEN: &str = "everyday-qwen2.5-coder-0.5b.eval";

fn demo() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/demo")
}

/// A viewer over the demo logs as they are shipped.
fn as_shipped() -> Shown {
    Shown::over(|folder| {
        for entry in fs::read_dir(demo()).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|ending| ending == "eval") {
                fs::copy(&path, folder.join(path.file_name().unwrap())).unwrap();
            }
        }
    })
}

/// A viewer over two demo logs that were judged again.
fn judged_again() -> Shown {
    let scorers = ["tool_calls", "partial"];
    let judged = |trial: &Trial| -> IndexMap<String, Outcome> {
        let outcome = |name: &str| {
            let scorer = Scorer::by_name(name).unwrap();
            (name.to_owned(), scorer.score(&trial.case, &[], &trial.transcript))
        };
        scorers.into_iter().map(outcome).collect()
    };
    Shown::over(|folder| {
        for name in [BASELINE, QWEN] {
            let log = Log::open(&demo().join(name)).unwrap();
            let run = Run { scorers: scorers.map(str::to_owned).into(), ..log.run().clone() };
            let mut writer = LogWriter::create(&folder.join(name), &run).unwrap();
            rescore(&log, &mut writer, judged, |_| ()).unwrap();
            writer.finish(&RunStatus::Success).unwrap();
        }
    })
}

/// The rows of the comparison of calls on a page: argument, expected, called, and the verdict.
fn rows(page: &str) -> Vec<[String; 4]> {
    let tables = page.split("<table").skip(1).map(|table| table.split("</table>").next().unwrap());
    let diffs = tables.filter(|table| table.split('>').next().unwrap().contains("diff"));
    let rows = diffs.flat_map(|table| table.split("<tr").skip(2));
    rows.filter_map(|row| {
        let cells = row.split("<th").flat_map(|part| part.split("<td")).skip(1);
        let cells: Vec<String> = cells.map(|cell| text(&format!("<t{cell}"))).collect();
        cells.try_into().ok()
    })
    .collect()
}

fn text(markup: &str) -> String {
    let parts = markup.split('<').map(|part| part.split_once('>').map_or(part, |(_, text)| text));
    let text: String = parts.collect();
    let text = text.replace("&quot;", "\"").replace("&lt;", "<").replace("&gt;", ">");
    text.replace("&amp;", "&").trim().to_owned()
}

fn case(shown: &Shown, log: &str, id: &str) -> Vec<[String; 4]> {
    rows(&shown.page(&format!("/run/{log}/case?id={id}")))
}

fn verdicts(shown: &Shown, log: &str, id: &str) -> Vec<String> {
    case(shown, log, id).iter().map(|row| format!("{}: {}", row[0], row[3])).collect()
}

#[test]
fn the_loss_of_one_call_is_not_shown_at_another_call_of_its_tool() {
    for shown in [as_shipped(), judged_again()] {
        assert_eq!(
            verdicts(&shown, BASELINE, "two-rooms"),
            ["room: same", "on: same", "room: same", "on: missing"]
        );
        // The bedroom was left out; the light of the hall was switched off while it was dimmed.
        assert_eq!(
            verdicts(&shown, QWEN, "three-at-once"),
            [
                "room: missing",
                "on: missing",
                "room: same",
                "brightness: same",
                "on: differs",
                "color: not asked for",
                "seconds: differs",
                "label: not asked for",
            ]
        );
    }
}

#[test]
fn no_page_calls_different_values_the_same() {
    let (shipped, again) = (as_shipped(), judged_again());
    let mut compared = 0;
    for shown in [&shipped, &again] {
        for entry in fs::read_dir(shown.folder.path()).unwrap() {
            let path = entry.unwrap().path();
            let log = Log::open(&path).unwrap();
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            for id in log.run().cases.iter() {
                for [argument, expected, called, verdict] in case(shown, &name, id.as_str()) {
                    if verdict == "same" {
                        compared += 1;
                        let read = |text: &str| serde_json::from_str::<Value>(text).unwrap();
                        let place = format!("{name} {id} {argument}");
                        assert_eq!(read(&expected), read(&called), "{place}");
                    }
                }
            }
        }
    }
    assert!(compared > 100, "only {compared} cells say `same`");
}

#[test]
fn a_page_names_the_scorer_by_which_calls_are_marked() {
    let page = judged_again().page(&format!("/run/{BASELINE}/case?id=two-rooms"));
    assert!(text(&page).contains("Marked as the scorer tool_calls judged."));
    assert!(!page.contains("No score says which call"));
    let page = as_shipped().page(&format!("/run/{BASELINE}/case?id=two-rooms"));
    assert!(page.contains("The log does not say which calls were compared"));
}
