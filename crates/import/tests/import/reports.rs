//! Folders of home-assistant-datasets.

use toolgauge_import::{ImportOptions, find_runs};

use super::{Desk, calls};

const HEADER: &str = "task_id,model_id,category,text,tool_call,response,task_name,label,details\n";

fn task(number: u32, response: &str, unexpected: &str) -> String {
    format!(
        "---\nuuid: u\ntask_id: home-close_it-{number}\nmodel_id: gemma\ncategory: cover\n\
         task:\n  input_text: Close it\n  expect_changes:\n    cover.door:\n      state: closed\n\
         response: {response}\ncontext:\n  unexpected_states: {unexpected}\n  duration_ms: 1500.0\n  conversation_trace:\n  \
         - event_type: agent_detail\n    data:\n      messages:\n      - role: system\n        content: Rules.\n      \
         - role: tool_result\n        tool_result:\n          success: true\n  \
         - event_type: tool_call\n    data:\n      tool_name: HassTurnOff\n      tool_args:\n        name: Door\n"
    )
}

fn desk() -> Desk {
    let desk = Desk::new();
    desk.put("reports/mini/2026.2/gemma/home-close_it-0.yaml", &task(0, "Done.", "{}"));
    let got = "{cover.door: {expected: closed, got: open}}";
    desk.put("reports/mini/2026.2/gemma/home-close_it-1.yaml", &task(1, "Done.", got));
    desk.put("reports/mini/2026.2/gemma/_scrape_context.yaml", "scrape_config: {}\nversion: 1\n");
    desk.put("reports/mini/2026.2/reports.yaml", "- model_id: gemma\n");
    desk
}

#[test]
fn a_folder_gives_a_run_for_each_model_with_the_labels_beside_it() {
    let desk = desk();
    let row = |number: u32, label: &str| {
        format!(
            "\"home-close_it-{number}\",\"gemma\",\"cover\",\"Close it\",\"{{'a': 1}}\",\"Done.\",\"eval-test_expected_states\",\"{label}\",\"\"\n"
        )
    };
    let report = format!("{HEADER}{}{}", row(0, "Good"), row(1, "Bad"));
    desk.put("reports/mini/2026.2/report.csv", &report);
    for name in ["reports", "reports/mini/2026.2/gemma", "reports/mini/2026.2/report.csv"] {
        let trials = desk.read(name).unwrap();
        assert_eq!((trials.len(), trials[0].0.as_str()), (2, "gemma"), "{name}");
    }
    let trials = desk.trials("reports");
    let trial = &trials[0];
    assert_eq!((trial.case.id.as_str(), trial.number, trials[1].number), ("home-close_it", 1, 2));
    assert_eq!(calls(trial), ["HassTurnOff{\"name\":\"Door\"}"]);
    assert_eq!((trial.case.sentence(), trial.transcript.final_text()), ("Close it", "Done."));
    assert_eq!(trial.transcript.recorded("ha_datasets").unwrap().value, Some(1.0));
    let wrong = &trials[1].transcript;
    assert_eq!(wrong.recorded("ha_datasets").unwrap().value, Some(0.0));
    assert_eq!(wrong.background.changes[0].thing, "cover.door");
}

#[test]
fn labels_of_reports_that_do_not_name_their_tests_are_recorded_only() {
    let desk = desk();
    let report = "task_id,model_id,label,category,task_prefix,text,response,tool_call,entity_diff\n\
        home-close_it-0,gemma,Good,cover,home,Close it,Done.,{},{}\n\
        home-close_it-1,gemma,Bad,cover,home,Close it,Done.,{},{}\n";
    desk.put("reports/mini/2026.2/report.csv", report);
    let trials = desk.trials("reports");
    let recorded = |place: usize| trials[place].transcript.recorded("ha_datasets").unwrap();
    assert_eq!((recorded(0).value, recorded(1).value), (Some(1.0), Some(0.0)));
    assert!(recorded(0).only.as_ref().unwrap().contains("which test"));
}

#[test]
fn a_folder_without_labels_is_read_all_the_same_and_a_broken_file_is_refused() {
    let desk = desk();
    assert!(desk.trials("reports")[0].transcript.background.recorded.is_empty());
    desk.put("reports/mini/2026.2/gemma/home-close_it-2.yaml", "a: [");
    assert!(desk.read("reports").unwrap_err().to_string().contains("is not YAML"));
}

#[test]
fn what_cannot_be_read_fails_alone_and_is_named() {
    let desk = desk();
    desk.put("reports/mini/2026.3/gemma/home-close_it-0.yaml", &task(0, "Done.", "{}"));
    let report = desk.put("reports/mini/2026.3/report.csv", "task_id,model_id\na\n");
    let broken = desk.put("reports/mini/2026.4/gemma/home-close_it-0.yaml", "task_id: [");
    let folder = report.ancestors().nth(3).unwrap();
    let (runs, failed): (Vec<_>, Vec<_>) =
        find_runs(folder, &ImportOptions::default()).unwrap().into_iter().partition(Result::is_ok);
    assert_eq!(runs.len(), 1);
    let failed: Vec<String> =
        failed.into_iter().filter_map(Result::err).map(|error| error.to_string()).collect();
    for (failed, path) in failed.iter().zip([report, broken]) {
        assert!(failed.contains(&*path.to_string_lossy()), "{failed}");
    }
    assert_eq!(failed.len(), 2);
}
