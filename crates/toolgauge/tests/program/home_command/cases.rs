//! What is made of an imported home: warnings, and cases that hold in it.

use std::fs;

use super::{assert_done, imported, names, out, told, toolgauge};

#[test]
fn an_imported_home_is_checked() {
    let (folder, _) = imported(&[]);
    let output = toolgauge(folder.path(), &["home", "check", "my-home"]);
    assert_done(&output);
    assert!(out(&output).contains("`light.mute` answers to no name"), "{}", out(&output));
    let strict = toolgauge(folder.path(), &["home", "check", "--strict", "my-home/home.yaml"]);
    assert_eq!(strict.status.code(), Some(1));
    assert_eq!(out(&strict), out(&output), "a folder and its file are the same home");
}

#[test]
fn cases_for_a_home_are_valid_and_right_by_their_own_golds() {
    let (folder, _) = imported(&[]);
    let generate = ["generate", "--home", "my-home", "--cases", "40"];
    let output = toolgauge(folder.path(), &generate);
    assert_done(&output);
    assert!(out(&output).contains("each played in this home"), "{}", out(&output));
    let files = ["cases.yaml", "home.yaml", "sentences.yaml", "suite.yaml"];
    assert_eq!(names(&folder.path().join("my-home")), files);
    let check = toolgauge(folder.path(), &["check", "my-home"]);
    assert_eq!(check.status.code(), Some(0), "{}{}", out(&check), told(&check));
    let run = toolgauge(folder.path(), &["run", "my-home", "-m", "baseline"]);
    assert_done(&run);
    assert!(out(&run).contains("my-home"), "{}", out(&run));
}

#[test]
fn several_models_end_in_the_answer_which_one_to_take() {
    let (folder, _) = imported(&[]);
    let generate = ["generate", "--home", "my-home", "--cases", "40"];
    assert_done(&toolgauge(folder.path(), &generate));
    let cases = fs::read_to_string(folder.path().join("my-home/cases.yaml")).unwrap();
    // A model that never does anything.
    let silent = cases.lines().filter_map(|line| line.strip_prefix("- ")).map(|case| {
        let case: serde_json::Value = serde_json::from_str(case).unwrap();
        serde_json::json!({"request": case["say"], "text": "Done."}).to_string() + "\n"
    });
    fs::write(folder.path().join("silent.ndjson"), silent.collect::<String>()).unwrap();
    let models = "baseline,script:silent.ndjson";
    let run = toolgauge(folder.path(), &["run", "my-home", "-m", models]);
    assert_done(&run);
    let told = out(&run);
    let (_, answer) = told.split_once("Which model for my-home with answers within 3 s?").unwrap();
    assert!(answer.contains("best       baseline"), "{answer}");
    assert!(answer.contains("silent.ndjson is shown to be worse"), "{answer}");
    assert!(answer.contains("commands with baseline:"), "{answer}");
    assert!(answer.lines().count() < 24, "{answer}");
}

#[test]
fn the_words_people_chose_are_kept() {
    let (folder, _) = imported(&[]);
    let generate = ["generate", "--home", "my-home", "--cases", "20"];
    assert_done(&toolgauge(folder.path(), &generate));
    let page = folder.path().join("my-home/sentences.yaml");
    let text = fs::read_to_string(&page).unwrap();
    let first = text.lines().find(|line| line.trim_start().starts_with("say:")).unwrap();
    fs::write(&page, text.replacen(first, "  say: \"let there be light\"", 1)).unwrap();
    assert_done(&toolgauge(folder.path(), &generate));
    let cases = fs::read_to_string(folder.path().join("my-home/cases.yaml")).unwrap();
    assert!(cases.contains("let there be light"), "{cases}");
}

#[test]
fn a_file_that_somebody_wrote_is_not_replaced_and_nothing_else_is_either() {
    let (folder, _) = imported(&[]);
    let own = folder.path().join("my-home/cases.yaml");
    fs::write(&own, "# my own cases\n").unwrap();
    let output = toolgauge(folder.path(), &["generate", "--home", "my-home"]);
    assert_eq!(output.status.code(), Some(2), "{}", told(&output));
    assert!(told(&output).contains("cases.yaml"), "{}", told(&output));
    assert_eq!(fs::read_to_string(&own).unwrap(), "# my own cases\n");
    assert_eq!(names(&folder.path().join("my-home")), ["cases.yaml", "home.yaml"]);
}

#[test]
fn sentences_that_cannot_be_read_are_named_and_kept() {
    let (folder, _) = imported(&[]);
    let page = folder.path().join("my-home/sentences.yaml");
    fs::write(&page, "- id: [\n").unwrap();
    let output = toolgauge(folder.path(), &["generate", "--home", "my-home"]);
    assert_eq!(output.status.code(), Some(2), "{}", told(&output));
    assert!(told(&output).contains("sentences.yaml"), "{}", told(&output));
    assert_eq!(fs::read_to_string(&page).unwrap(), "- id: [\n");
    assert_eq!(names(&folder.path().join("my-home")), ["home.yaml", "sentences.yaml"]);
}
