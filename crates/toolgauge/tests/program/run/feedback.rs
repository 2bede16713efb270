//! What people think of answers, and the history of a suite.

use serde_json::Value;

use crate::run::{run, suite, text};

/// A suite of nine cases, run twice; the path of the first log.
fn two_runs() -> (tempfile::TempDir, String) {
    let folder = suite(9);
    for model in ["script:script.ndjson", "baseline"] {
        let output = run(folder.path(), &["run", ".", "-m", model, "--quiet"]);
        assert!(output.status.success(), "{}", text(&output.stderr));
    }
    let log = first_log(&folder);
    (folder, log)
}

fn first_log(folder: &tempfile::TempDir) -> String {
    let mut logs: Vec<_> = std::fs::read_dir(folder.path().join("logs"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    logs.sort();
    format!("logs/{}", logs[0])
}

#[test]
fn feedback_is_kept_counted_and_promoted_to_a_case_that_checks() {
    let (folder, log) = two_runs();
    let feedback = |arguments: &[&str]| {
        let output = run(folder.path(), &[&["feedback"], arguments].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
        text(&output.stdout)
    };
    feedback(&["add", &log, "n-1", "--up", "--author", "ann"]);
    feedback(&["add", &log, "n-2", "--up", "--author", "ann"]);
    feedback(&["add", &log, "n-4", "--up", "--author", "ann"]);
    let correction = r#"{"call": {"tool": "say", "arguments": {"n": 3}}}"#;
    feedback(&["add", &log, "n-3", "--down", "--correction", correction]);
    let stats = feedback(&["stats", "--by", "parity", "--format", "json"]);
    let stats: Value = serde_json::from_str(&stats).unwrap();
    assert_eq!(stats["entries"], 4);
    assert_eq!(stats["trials"], 9);
    assert_eq!(stats["satisfaction"]["up"], 3);
    assert_eq!(stats["agreement"]["share"], 1.0);
    assert_eq!(stats["correlation"]["r"], 1.0);
    assert_eq!(stats["by_tag"]["odd"]["down"], 1);
    let by_wire = feedback(&["stats", "--scorer", "wire", "--format", "json"]);
    let by_wire: Value = serde_json::from_str(&by_wire).unwrap();
    assert_eq!(by_wire["entries"], 4);
    assert_eq!(by_wire["agreement"], Value::Null, "no trial was judged by that scorer");
    feedback(&["promote", "4", "--into", "cases.ndjson", "--id", "n-3-again"]);
    let check = run(folder.path(), &["check", "."]);
    assert!(check.status.success(), "{}", text(&check.stdout));
    let cases = std::fs::read_to_string(folder.path().join("cases.ndjson")).unwrap();
    assert!(cases.lines().last().unwrap().contains("n-3-again"));
}

#[test]
fn comments_are_grouped_by_what_they_share_and_listed_by_their_theme() {
    let (folder, log) = two_runs();
    let feedback = |arguments: &[&str]| run(folder.path(), &[&["feedback"], arguments].concat());
    for (case, comment) in [
        ("n-3", "It forgot the number"),
        ("n-5", "numbers are missing"),
        ("n-7", "forgot everything"),
        ("n-2", "fine"),
    ] {
        let thumb = if case == "n-2" { "--up" } else { "--down" };
        let output = feedback(&["add", &log, case, thumb, "--comment", comment]);
        assert!(output.status.success(), "{}", text(&output.stderr));
    }
    let stats = text(&feedback(&["stats", "--by", "parity"]).stdout);
    insta::assert_snapshot!("themes_of_comments", stats);
    let stats: Value =
        serde_json::from_slice(&feedback(&["stats", "--format", "json"]).stdout).unwrap();
    let word = |name: &str| {
        let themes = stats["themes"].as_array().unwrap();
        themes.iter().find(|theme| theme["name"] == name).unwrap().clone()
    };
    assert_eq!(word("forgot")["cases"], serde_json::json!(["n-3", "n-7"]));
    let listed = text(&feedback(&["list", "--theme", "forgot"]).stdout);
    assert!(listed.contains("It forgot the number") && listed.contains("forgot everything"));
    assert!(!listed.contains("missing"), "{listed}");
    let unknown = feedback(&["list", "--theme", "price"]);
    assert_eq!(unknown.status.code(), Some(2));
    let told = text(&unknown.stderr);
    assert!(told.contains("there is no theme `price`") && told.contains("forgot"), "{told}");
}

#[test]
fn tools_of_answers_count_in_themes_and_themes_of_one_name_are_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    let suite = "name: rents\ntools: [{name: search, description: Looks into documents.}]\n\
                 scorers: [chatbot]\ncases: golden.jsonl\n";
    write("suite.yaml", suite);
    let row = |id: &str, category: &str| serde_json::json!({"id": id, "question": id, "category": category, "expected_tools": []});
    let rows = [row("a", "search"), row("b", "search"), row("c", "rent")];
    write("golden.jsonl", &rows.map(|row| row.to_string()).join("\n"));
    write("script.ndjson", r#"{"text": "Yes.", "calls": [{"name": "search"}]}"#);
    let output = run(folder.path(), &["run", ".", "-m", "script:script.ndjson", "--quiet"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let log = first_log(&folder);
    let feedback = |arguments: &[&str]| run(folder.path(), &[&["feedback"], arguments].concat());
    for (case, comment) in [("a", "slow"), ("b", "wrong"), ("c", "long")] {
        let output = feedback(&["add", &log, case, "--down", "--comment", comment]);
        assert!(output.status.success(), "{}", text(&output.stderr));
    }
    let stats = feedback(&["stats", "--format", "json"]).stdout;
    let stats: Value = serde_json::from_slice(&stats).unwrap();
    let themes = stats["themes"].as_array().unwrap().iter();
    let themes: Vec<String> = themes
        .map(|theme| format!("{} {} {}", theme["kind"], theme["name"], theme["comments"]))
        .collect();
    assert_eq!(themes, [r#""tool" "search" 3"#, r#""category" "search" 2"#]);
    let told = text(&feedback(&["list", "--theme", "search"]).stderr);
    assert!(told.contains("several themes are called `search`"), "{told}");
    assert!(told.contains("name one as `tool search` or `category search`"), "{told}");
    let of_tool = text(&feedback(&["list", "--theme", "tool search"]).stdout);
    let of_category = text(&feedback(&["list", "--theme", "category search"]).stdout);
    assert!(of_tool.contains("c#1") && !of_category.contains("c#1"), "{of_tool}{of_category}");
}

#[test]
fn exported_feedback_can_be_imported_elsewhere() {
    let (folder, log) = two_runs();
    run(folder.path(), &["feedback", "add", &log, "n-1", "--down", "--comment", "no\u{1b}[2J"]);
    let exported = run(folder.path(), &["feedback", "export"]).stdout;
    let file = folder.path().join("given.ndjson");
    std::fs::write(&file, &exported).unwrap();
    let elsewhere = ["feedback", "import", "given.ndjson", "--log-dir", "other"];
    std::fs::create_dir(folder.path().join("other")).unwrap();
    assert!(run(folder.path(), &elsewhere).status.success());
    let again = run(folder.path(), &["feedback", "export", "--log-dir", "other"]).stdout;
    assert_eq!(text(&again), text(&exported));
    let listed = run(folder.path(), &["feedback", "list"]).stdout;
    assert!(!listed.contains(&0x1b), "an escape reached the terminal");
}

#[test]
fn questions_of_a_live_system_find_their_case() {
    let (folder, log) = two_runs();
    let lines = "{\"question\": \"say the number 5\", \"thumb\": \"up\"}\n";
    std::fs::write(folder.path().join("live.ndjson"), lines).unwrap();
    let imported = run(folder.path(), &["feedback", "import", "live.ndjson", "--log", &log]);
    assert!(imported.status.success(), "{}", text(&imported.stderr));
    let exported = text(&run(folder.path(), &["feedback", "export"]).stdout);
    assert!(exported.contains("\"case\":\"n-5\""), "{exported}");
}

#[test]
fn a_question_that_only_begins_like_a_case_is_not_that_case() {
    let folder = tempfile::tempdir().unwrap();
    let long = "long ".repeat(60);
    let case = |id: &str, say: &str| {
        format!("  - {{id: {id}, say: \"{say}\", expect: {{response: text}}}}\n")
    };
    let cases = [
        case("on", "Turn on the light"),
        case("a", &format!("{long}a")),
        case("b", &format!("{long}b")),
    ];
    let suite = format!("name: lights\ncases:\n{}", cases.concat());
    std::fs::write(folder.path().join("lights.yaml"), suite).unwrap();
    let output = run(folder.path(), &["run", "lights.yaml", "-m", "baseline"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let log = first_log(&folder);
    let import = |question: &str| {
        let line = format!("{{\"question\": \"{question}\", \"thumb\": \"up\"}}\n");
        std::fs::write(folder.path().join("live.ndjson"), line).unwrap();
        run(folder.path(), &["feedback", "import", "live.ndjson", "--log", &log])
    };
    let refused = import("Turn on the light in the kitchen");
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("the run has no such question"));
    // The list of trials shows the first 200 letters, which two cases share.
    assert!(import(&format!("{long}b")).status.success());
    let exported = text(&run(folder.path(), &["feedback", "export"]).stdout);
    assert!(exported.contains("\"case\":\"b\"") && !exported.contains("\"case\":\"a\""));
}

#[test]
fn a_bad_line_keeps_nothing_and_is_named() {
    let (folder, log) = two_runs();
    let lines = "{\"case\": \"n-1\", \"thumb\": \"up\"}\n{\"thumb\": \"sideways\"}\n";
    std::fs::write(folder.path().join("live.ndjson"), lines).unwrap();
    let imported = run(folder.path(), &["feedback", "import", "live.ndjson", "--log", &log]);
    assert_eq!(imported.status.code(), Some(2));
    assert!(text(&imported.stderr).contains("line 2"), "{}", text(&imported.stderr));
    let exported = run(folder.path(), &["feedback", "export"]);
    assert!(text(&exported.stderr).contains("there is no feedback"));
}

#[test]
fn feedback_must_say_something_about_something() {
    let (folder, log) = two_runs();
    for (arguments, why) in [
        (vec!["add", &log, "n-1"], "needs a thumb, a comment or a correction"),
        (vec!["add", &log, "n-99", "--up"], "no trial `n-99#1`"),
        (vec!["stats"], "there is no feedback"),
    ] {
        let output = run(folder.path(), &[&["feedback"], &arguments[..]].concat());
        assert_eq!(output.status.code(), Some(2));
        assert!(text(&output.stderr).contains(why), "{}", text(&output.stderr));
    }
    assert!(!folder.path().join("logs/feedback.sqlite").exists());
}

#[test]
fn a_history_tells_what_changed_between_runs() {
    let (folder, _) = two_runs();
    let output = run(folder.path(), &["history", "numbers", "--format", "json"]);
    let history: Value = serde_json::from_slice(&output.stdout).unwrap();
    let runs = history["runs"].as_array().unwrap();
    assert_eq!(runs.len(), 2);
    assert_eq!(runs[0]["changed"], serde_json::json!([]));
    assert_eq!(runs[1]["changed"], serde_json::json!(["model"]));
    assert!((runs[0]["score"]["mean"].as_f64().unwrap() - 6.0 / 9.0).abs() < 1e-12);
    let shown = text(&run(folder.path(), &["history", "numbers"]).stdout);
    assert!(shown.contains("score ▆█ 1.000") && shown.contains("model"), "{shown}");
    let unknown = run(folder.path(), &["history", "nombers"]);
    assert!(text(&unknown.stderr).contains("there are: numbers"), "{}", text(&unknown.stderr));
}
