//! Every example in the docs runs and prints what the page shows, or the page says why not.
//!
//! `TOOLGAUGE_UPDATE_DOCS=1` puts what commands print now into the pages. Read the diff.

use std::sync::LazyLock;

use regex::Regex;

use super::example::{Examples, Shown, Step, Typed};
use super::pages::{Page, all, repository};
use super::shell::{Printed, follow};

/// Blocks of commands that need something no test has: a model, a chatbot of yours, Home Assistant.
const MOST_BLOCKS_NOT_RUN: usize = 18;

/// What differs from run to run and machine to machine, and nothing else: names of logs, times of the
/// day, durations, and the program's revision.
static MASKS: LazyLock<Vec<(Regex, &str)>> = LazyLock::new(|| {
    let masks = [
        (r"\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d[-+]\d\d-\d\d_(\S+?)_[0-9a-z]{32}", "TIME_${1}_ID"),
        (r"\d{4}-\d\d-\d\d \d\d:\d\d(:\d\d)?", "TIME"),
        (r"\b\d+(\.\d+)? ?(µs|ms|s|min)\b", "DURATION"),
        (r#""seconds":[0-9.e-]+"#, "DURATION"),
        (r"\d+\.\d+\.\d+ \([0-9a-z]+\)", "VERSION"),
    ];
    masks.into_iter().map(|(pattern, name)| (Regex::new(pattern).unwrap(), name)).collect()
});

/// Makes equal what differs from run to run.
fn masked(line: &str) -> String {
    let mut text = line.trim_end().to_owned();
    for (pattern, name) in MASKS.iter() {
        text = pattern.replace_all(&text, *name).into_owned();
    }
    // Columns are as wide as the times in them.
    if text.contains("DURATION") || text.contains("TIME") {
        text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    }
    text
}

/// Whether a command printed what the page shows. A shown line `…` stands for any lines.
fn same(shown: &[String], printed: &[String]) -> bool {
    let Some((first, rest)) = shown.split_first() else { return printed.is_empty() };
    if first.trim() == "…" {
        return (0..=printed.len()).any(|skipped| same(rest, &printed[skipped..]));
    }
    let Some((line, others)) = printed.split_first() else { return false };
    masked(first) == masked(line) && same(rest, others)
}

/// What is wrong with a page that was followed.
fn problems(steps: &[&Typed], printed: &[Printed]) -> Vec<String> {
    let mut problems = Vec::new();
    for (index, (step, printed)) in steps.iter().zip(printed).enumerate() {
        let Typed { command, shown, line } = step;
        // A status other than 0 must be shown to the reader.
        let told = steps.get(index + 1).is_some_and(|next| next.command.trim() == "echo $?");
        if printed.status != 0 && !told {
            let (status, text) = (printed.status, &printed.text);
            problems.push(format!("line {line}: `{command}` ends with {status}:\n{text}"));
        }
        let lines: Vec<String> = printed.text.lines().map(str::to_owned).collect();
        if let Some(Shown { lines: shown, .. }) = shown
            && !same(shown, &lines)
        {
            let (shown, text) = (shown.join("\n"), &printed.text);
            problems.push(format!(
                "line {line}: `{command}`\n--- the page shows\n{shown}\n--- printed\n{text}"
            ));
        }
    }
    problems
}

fn check(name: &str) {
    let page = Page::read(name);
    let examples = Examples::of(&page);
    let printed = follow(&examples.steps);
    let typed: Vec<&Typed> = examples.steps.iter().filter_map(Step::typed).collect();
    let problems = problems(&typed, &printed);
    if std::env::var_os("TOOLGAUGE_UPDATE_DOCS").is_some() {
        return update(&page, &typed, &printed);
    }
    assert!(problems.is_empty(), "{name}\n{}", problems.join("\n"));
}

/// Writes what commands printed into a page.
fn update(page: &Page, steps: &[&Typed], printed: &[Printed]) {
    let mut lines: Vec<String> = page.text.lines().map(str::to_owned).collect();
    // From the end, so that the places of earlier blocks stay.
    for (Typed { shown, .. }, printed) in steps.iter().zip(printed).rev() {
        let Some(Shown { lines: shown, first_line }) = shown else { continue };
        let new: Vec<String> = printed.text.lines().map(str::to_owned).collect();
        if !same(shown, &new) {
            lines.splice(*first_line..first_line + shown.len(), new);
        }
    }
    std::fs::write(repository().join(&page.name), lines.join("\n") + "\n").unwrap();
}

#[test]
fn examples_of_the_docs_run_and_print_what_the_pages_show() {
    let pages: Vec<String> = all().into_iter().map(|page| page.name).collect();
    let pages = pages.iter().filter(|name| {
        let page = Page::read(name);
        (page.is_in_book() || page.name == "README.md")
            && Examples::of(&page).steps.iter().any(|step| step.typed().is_some())
    });
    // Pages do not depend on each other: as many at once as there are processors.
    let pages: Vec<&String> = pages.collect();
    let next = std::sync::atomic::AtomicUsize::new(0);
    let failures = std::sync::Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(2, std::num::NonZero::get) {
            scope.spawn(|| {
                while let Some(page) =
                    pages.get(next.fetch_add(1, std::sync::atomic::Ordering::Relaxed))
                {
                    let checked = std::panic::catch_unwind(|| check(page));
                    if checked.is_err() {
                        failures.lock().unwrap().push(page.as_str());
                    }
                }
            });
        }
    });
    let failures = failures.into_inner().unwrap();
    assert!(failures.is_empty(), "{failures:?}");
}

#[test]
fn every_example_that_is_not_run_says_why() {
    let mut reasons = Vec::new();
    let mut commands = 0;
    for page in all().into_iter().filter(|page| page.is_in_book() || page.name == "README.md") {
        let examples = Examples::of(&page);
        commands += examples.steps.iter().filter(|step| step.typed().is_some()).count();
        reasons.extend(examples.not_run.iter().map(|reason| format!("{}: {reason}", page.name)));
    }
    let count = reasons.len();
    let counted = format!("{commands} commands are run, {count} blocks are not");
    assert!(count <= MOST_BLOCKS_NOT_RUN, "{counted}:\n{}", reasons.join("\n"));
}

#[test]
fn a_new_user_sees_which_cases_fail_and_why_within_six_commands() {
    let examples = Examples::of(&Page::read("docs/quick-start/chatbot.md"));
    let typed = examples.steps.iter().filter_map(Step::typed);
    let shown = typed.map(|typed| typed.shown.iter().flat_map(|shown| &shown.lines));
    let why = shown.into_iter().position(|mut lines| {
        lines.any(|line| line.contains("price-electric") && line.contains("$32"))
    });
    assert!(why.unwrap() < 6, "{why:?}");
}

#[test]
fn readme_shows_what_the_first_command_prints() {
    let readme = Page::read("README.md").text;
    let shown = readme.split("```text\n").nth(1).unwrap().split("```").next().unwrap();
    // The test of the command itself keeps what it prints.
    let kept = "crates/toolgauge/tests/program/run/snapshots/\
                program__run__messages__the_first_command.snap";
    let kept = Page::read(kept).text;
    let printed = kept.split("--- stdout\n").nth(1).unwrap().split("--- stderr").next().unwrap();
    let log = Regex::new(r"logs/\S+\.eval").unwrap();
    assert_eq!(log.replace_all(shown, "[log]").trim(), printed.trim());
}

#[test]
fn output_that_differs_from_the_page_is_found() {
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    let shown = lines("score 0.500\n…\nlatency p50 3 ms,  p90 4 ms");
    assert!(same(&shown, &lines("score 0.500\na\nb\nlatency p50 81 µs, p90 1.2 s")));
    assert!(same(&shown, &lines("score 0.500\nlatency p50 81 µs, p90 1.2 s")));
    assert!(!same(&shown, &lines("score 0.501\nlatency p50 81 µs, p90 1.2 s")));
    assert!(!same(&shown, &lines("score 0.500\n")));
    assert!(!same(&[], &lines("anything")));
}

#[test]
fn a_page_is_followed_with_its_files_ports_and_statuses() {
    let text = "<!-- file: a/hello.txt -->\n```text\nhi\n```\n\n```console\n$ cat a/hello.txt | \\\n    \
                tr h H\nHi\n$ false\n$ echo $?\n1\n```\n\n```sh\n# a comment\nX=1\n```\n\
                <!-- not run: needs a model of yours -->\n```sh\nrm -rf /\n```\n\
                <!-- setup: toolgauge serve --port 8099 & -->\n\
                ```console\n$ echo $X :8099\n1 :8099\n$ exit_status 3\n```\n";
    let page = Page { name: "docs/x.md".to_owned(), text: text.to_owned() };
    let examples = Examples::of(&page);
    assert_eq!(examples.not_run, ["needs a model of yours"]);
    let printed = follow(&examples.steps);
    let typed: Vec<&Typed> = examples.steps.iter().filter_map(Step::typed).collect();
    let problems = problems(&typed, &printed);
    assert_eq!(problems.len(), 2, "{problems:?}");
    assert!(problems[0].starts_with("line 27: `exit_status 3` ends with 127"), "{problems:?}");
}
