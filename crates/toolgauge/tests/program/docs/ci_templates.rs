//! The CI templates of the docs do what they promise: their steps run here in a real shell. Only
//! installing is left out, since the program is there already.

use std::collections::BTreeSet;

use serde_json::Value;

use super::example::{Examples, Step, Typed};
use super::pages::Page;
use super::shell::follow;

const SUITE: &str = "name: bikes\ncases:\n  - id: deposit\n    say: Do I have to pay a deposit?\n    \
                     expect: {answer: {keywords: [\"50\"]}}\n";

/// A template of the page, read as CI would read it.
fn template(file: &str) -> Value {
    let examples = Examples::of(&Page::read("docs/ci.md"));
    let text = examples.steps.iter().find_map(|step| match step {
        Step::Write { file: name, text } if name == file => Some(text),
        _ => None,
    });
    yaml_serde::from_str(text.unwrap()).unwrap()
}

/// The repository of a team: questions, and a chatbot that starts with a script.
fn team(answer: &str) -> Vec<Step> {
    let write = |file: &str, text: String| Step::Write { file: file.to_owned(), text };
    let start =
        "#!/bin/sh\nsleep 1\nexec toolgauge serve --chatbot --script bot.ndjson --port 8000\n";
    vec![
        write("bikes.yaml", SUITE.to_owned()),
        write("bot.ndjson", format!("{{\"text\": \"{answer}\"}}\n")),
        write("start-chatbot.sh", start.to_owned()),
        run("chmod +x start-chatbot.sh"),
    ]
}

fn run(command: &str) -> Step {
    Step::Run(Typed { command: command.to_owned(), shown: None, line: 0 })
}

fn variables(of: &Value) -> Vec<Step> {
    let values = of.as_object().unwrap().iter();
    let exports = values.map(|(name, value)| run(&format!("export {name}=\"{}\"", text(value))));
    exports.collect()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

fn list(value: &Value) -> Vec<&str> {
    value.as_array().unwrap().iter().map(text).collect()
}

/// A script as CI runs it: in a shell of its own that ends at the first command that fails.
/// What it leaves in the background goes on.
fn in_shell(script: &str) -> Step {
    run(&format!("cat > ~/step.sh <<'SCRIPT'\n{script}\nSCRIPT\nbash -e ~/step.sh"))
}

/// Lists what is there, to compare with what a template keeps.
fn listing() -> Step {
    run("ls -A; ls logs")
}

/// The statuses of the steps, and the files that are there at the end.
fn outcome(steps: &[Step], scripts: usize) -> (Vec<i32>, BTreeSet<String>) {
    let printed = follow(steps);
    let (files, printed) = printed.split_last().unwrap();
    let statuses = printed[printed.len() - scripts..].iter().map(|printed| printed.status);
    (statuses.collect(), files.text.lines().map(str::to_owned).collect())
}

fn github(answer: &str) -> (Vec<i32>, BTreeSet<String>, Vec<String>) {
    let workflow = template(".github/workflows/chatbot.yml");
    let mut steps = team(answer);
    steps.extend(variables(&workflow["env"]));
    steps.push(run("export GITHUB_STEP_SUMMARY=\"$PWD/summary.md\""));
    let job = workflow["jobs"]["golden-questions"]["steps"].as_array().unwrap();
    let scripts: Vec<Step> =
        job.iter().filter_map(|step| step["run"].as_str()).map(in_shell).collect();
    let count = scripts.len();
    assert_eq!(count, 4);
    steps.extend(scripts);
    steps.push(listing());
    let upload = job
        .iter()
        .find(|step| step["with"]["path"].as_str().is_some_and(|path| path.contains('\n')));
    let kept = text(&upload.unwrap()["with"]["path"]).lines().map(str::to_owned).collect();
    // What follows a failed step runs only because it says so.
    assert_eq!(job.iter().filter(|step| step["if"] == "always()").count(), 2);
    let (statuses, files) = outcome(&steps, count);
    (statuses, files, kept)
}

fn gitlab(answer: &str) -> (Vec<i32>, BTreeSet<String>, Vec<String>) {
    let job = &template(".gitlab-ci.yml")["golden-questions"];
    let mut steps = team(answer);
    steps.push(run("export CI_PROJECT_DIR=\"$PWD\""));
    steps.extend(variables(&job["variables"]));
    // GitLab runs both lists in one shell, and what comes after in another.
    let before = list(&job["before_script"]).join("\n");
    let script = list(&job["script"]).join("\n");
    steps.push(in_shell(&format!("{before}\n{script}")));
    steps.push(in_shell(&list(&job["after_script"]).join("\n")));
    steps.push(listing());
    let mut kept: Vec<String> =
        list(&job["artifacts"]["paths"]).into_iter().map(str::to_owned).collect();
    kept.push(text(&job["artifacts"]["reports"]["junit"]).to_owned());
    let (statuses, files) = outcome(&steps, 2);
    (statuses, files, kept)
}

fn assert_kept(files: &BTreeSet<String>, kept: &[String]) {
    let missing: Vec<&String> = kept.iter().filter(|file| !files.contains(*file)).collect();
    assert!(missing.is_empty(), "{missing:?} of {files:?}");
    assert!(files.iter().any(|file| file.contains("_bikes_")), "no log: {files:?}");
}

#[test]
fn the_template_for_github_passes_a_good_chatbot_and_keeps_its_results() {
    let (statuses, files, kept) = github("It is $50 for each bike.");
    assert_eq!(statuses, [0, 0, 0, 0]);
    assert_kept(&files, &kept);
    assert!(files.contains("summary.md"), "{files:?}");
}

#[test]
fn the_template_for_github_fails_a_bad_chatbot_and_keeps_its_results() {
    let (statuses, files, kept) = github("No deposit.");
    assert_eq!(statuses, [0, 0, 1, 0]);
    assert_kept(&files, &kept);
}

#[test]
fn the_template_for_gitlab_passes_a_good_chatbot_and_keeps_its_results() {
    let (statuses, files, kept) = gitlab("It is $50 for each bike.");
    assert_eq!(statuses, [0, 0]);
    assert_kept(&files, &kept);
}

#[test]
fn the_template_for_gitlab_fails_a_bad_chatbot_and_keeps_its_results() {
    let (statuses, files, kept) = gitlab("No deposit.");
    assert_eq!(statuses, [1, 0]);
    assert_kept(&files, &kept);
}
