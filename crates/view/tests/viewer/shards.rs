//! A run that several processes share is one run.

use std::path::Path;

use serde_json::json;
use toolgauge_core::{Run, RunEntry, RunId, Shard, ShardNumber};
use toolgauge_log::{Gaps, LogWriter, RunStatus, ShardSet, file_name};

use crate::logs;
use crate::shown::Shown;

const CASES: usize = 10;
const PLAN: &str = "0123456789abcdef0123456789";

/// Writes one of two shards: the cases of even or odd numbers.
fn shard(folder: &Path, index: u32) {
    let whole = logs::run("qwen", CASES, 0);
    let places: Vec<usize> = (index as usize - 1..CASES).step_by(2).collect();
    let mut run = Run {
        id: RunId::new(format!("0123456789abcdef010002{index:04x}")),
        cases: places.iter().map(|place| whole.cases[*place].clone()).collect(),
        ..whole
    };
    let number = ShardNumber { index, of: 2 };
    let shard = Shard { plan: PLAN.into(), number, cases: CASES, places: places.clone() };
    RunEntry::Shard.put(&mut run.settings, json!(shard));
    let mut writer = LogWriter::create(&folder.join(file_name(&run)), &run).unwrap();
    for number in places {
        writer.append(&logs::trial(logs::case(number), number, number > 2)).unwrap();
    }
    writer.finish(&RunStatus::Success).unwrap();
}

/// The address of the run in the table of runs.
fn address(runs: &str) -> String {
    let link = runs.split("href=\"/run/").nth(1).unwrap();
    format!("/run/{}", link.split('"').next().unwrap())
}

#[test]
fn shards_are_listed_and_shown_as_one_run() {
    let shown = Shown::over(|folder| {
        shard(folder, 1);
        shard(folder, 2);
    });
    let runs = shown.page("/");
    assert!(runs.contains("<output>1</output> of 1 run"), "{runs}");
    let run = address(&runs);
    let overview = shown.page(&run);
    assert!(overview.contains("7 of 10 cases pass, 3 partial"), "{overview}");
    for case in ["lamp-0", "lamp-1", "lamp-9"] {
        shown.page(&format!("{run}/case?id={case}"));
    }
}

#[test]
fn a_run_that_lacks_a_shard_is_unfinished_until_it_comes() {
    let shown = Shown::over(|folder| shard(folder, 1));
    let runs = shown.page("/");
    assert!(runs.contains("unfinished") && runs.contains("5 of 10"), "{runs}");
    let run = address(&runs);
    assert!(shown.page(&run).contains("5 of 10 trials"));
    shard(shown.folder.path(), 2);
    toolgauge_testkit::wait_until(|| shown.page(&run).contains("of 10 cases pass"));
}

#[test]
fn shards_beside_their_merged_log_say_nothing_new() {
    let shown = Shown::over(|folder| {
        shard(folder, 1);
        shard(folder, 2);
        let shards = std::fs::read_dir(folder).unwrap();
        let shards: Vec<_> = shards.map(|file| file.unwrap().path()).collect();
        let merged = folder.join("merged.eval");
        ShardSet::open(&shards).unwrap().merge(&merged, Gaps::Refused).unwrap();
    });
    let runs = shown.page("/");
    assert!(runs.contains("<output>1</output> of 1 run"), "{runs}");
    assert_eq!(address(&runs), "/run/merged.eval");
}
