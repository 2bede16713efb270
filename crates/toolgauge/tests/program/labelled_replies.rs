//! Scorers are held against people on labelled replies that nobody looked at who changed a rule,
//! and against replies that fit any request.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};
use toolgauge_testkit::{long_or, some_of};

/// By suite: the shares of wrong replies that may pass and of right ones that may fail, in
/// percent. They are what was measured, a little widened; lower them when rules get better.
const UNSEEN: [(&str, f64, f64); 3] =
    [("everyday", 5.9, 6.3), ("home-assistant", 7.0, 6.4), ("property-manager", 6.1, 6.2)];

/// The same for the half that rules may be written by.
const SEEN: [(&str, f64, f64); 3] =
    [("everyday", 0.8, 4.2), ("home-assistant", 2.6, 2.4), ("property-manager", 3.0, 1.4)];

/// The same over all suites, by folder and the ends of the names of files: replies as assistants
/// speak, those of small models among them; replies with every sort of error in fixed shares; right
/// answers that something false was put beside.
const BY_FILE: [(&str, &str, f64, f64); 3] = [
    ("", ".spoken.jsonl", 3.5, 3.7),
    ("", ".mixed.jsonl", 5.8, 2.8),
    ("hard", ".jsonl", 28.5, 5.5),
];

/// Replies that fit any request, whatever was done before them.
const CONSTANT: [&str; 12] = [
    "Okay.",
    "Done.",
    "Done. Anything else?",
    "Yes.",
    "No.",
    "Yes, it is.",
    "No, it is not.",
    "I don't know.",
    "Sorry, I can't do that.",
    "That is not recorded.",
    "Which one do you mean?",
    "You're welcome.",
];

/// Runs `check --judges` over a folder of labelled replies.
fn judged(folder: &Path) -> Vec<Value> {
    let run = Command::new(env!("CARGO_BIN_EXE_toolgauge"))
        .args(["check", "--format", "json", "--judges"])
        .arg(folder)
        .output()
        .unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    serde_json::from_slice(&run.stdout).unwrap()
}

#[expect(clippy::cast_precision_loss, reason = "a few thousand replies")]
fn percent(row: &Value, part: &str, of: &str) -> f64 {
    let count = |name: &str| row[name].as_u64().unwrap() as f64;
    100.0 * count(part) / count(of).max(1.0)
}

#[test]
fn scorers_are_no_worse_about_labelled_replies_than_recorded() {
    let labelled = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../score/tests/replies"));
    let halves = [("unseen", UNSEEN), ("dev", SEEN)];
    for (half, bounds) in halves.into_iter().take(long_or(2, 1)) {
        let folder = tempfile::tempdir().unwrap();
        copy_half(labelled, half, folder.path(), "jsonl");
        let rows = judged(folder.path());
        for (suite, most_passes, most_failures) in bounds {
            let is_sum = |row: &&Value| {
                row["suite"] == suite && row["kind"] == "all" && row["split"] == half
            };
            let row = rows.iter().find(is_sum).unwrap();
            let passes = percent(row, "false_passes", "wrong");
            let failures = percent(row, "false_failures", "right");
            assert!(passes <= most_passes, "{suite}, {half}: {passes:.1} % of wrong replies pass");
            assert!(
                failures <= most_failures,
                "{suite}, {half}: {failures:.1} % of right replies fail"
            );
        }
    }
}

#[test]
fn scorers_are_no_worse_about_replies_as_assistants_speak_than_recorded() {
    let labelled = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../score/tests/replies"));
    for (within, end, most_passes, most_failures) in BY_FILE {
        let folder = tempfile::tempdir().unwrap();
        copy_half(&labelled.join(within), "unseen", folder.path(), end);
        let rows = judged(folder.path());
        let sums: Vec<&Value> = rows.iter().filter(|row| row["kind"] == "all").collect();
        assert_eq!(sums.len(), 3, "there are such replies for each suite");
        let total = |name: &str| sums.iter().map(|row| row[name].as_u64().unwrap()).sum::<u64>();
        let names = ["false_passes", "wrong", "false_failures", "right"];
        let all = names.map(|name| (name.to_owned(), json!(total(name))));
        let all = Value::Object(all.into_iter().collect());
        let passes = percent(&all, "false_passes", "wrong");
        let failures = percent(&all, "false_failures", "right");
        assert!(passes <= most_passes, "{within}{end}: {passes:.1} % of wrong replies pass");
        assert!(failures <= most_failures, "{within}{end}: {failures:.1} % of right replies fail");
    }
}

/// Copies the labelled replies of one half, out of the files whose names end so.
fn copy_half(from: &Path, half: &str, to: &Path, end: &str) {
    for file in fs::read_dir(from).unwrap().map(Result::unwrap) {
        if file.file_name().to_string_lossy().ends_with(end) {
            let is_in = |line: &&str| {
                serde_json::from_str::<Value>(line).unwrap()["split"].as_str() == Some(half)
            };
            let lines = fs::read_to_string(file.path()).unwrap();
            let lines: Vec<&str> = lines.lines().filter(is_in).collect();
            fs::write(to.join(file.file_name()), lines.join("\n")).unwrap();
        }
    }
}

#[test]
fn no_constant_reply_passes_many_cases_of_its_kind() {
    let mut passed: BTreeMap<(String, String, String), (u64, u64)> = BTreeMap::new();
    let mut replies: Vec<Option<&str>> = CONSTANT.iter().copied().map(Some).collect();
    // None stands for the request read aloud.
    replies.push(None);
    let replies = some_of(replies, 2);
    let tried = replies.len();
    for reply in replies {
        let folder = tempfile::tempdir().unwrap();
        write_replies(folder.path(), reply);
        let name = reply.unwrap_or("the request read aloud");
        for row in judged(folder.path()) {
            let (suite, kind) = (row["suite"].as_str().unwrap(), row["kind"].as_str().unwrap());
            let begins = |starts: &[&str]| starts.iter().any(|start| name.starts_with(start));
            // These are what has to be said there.
            let is_fitting = match kind {
                "all" => true,
                "action" => begins(&["Okay", "Done", "Yes"]),
                "error" => begins(&["Sorry", "I don't", "That is not"]),
                "clarification" => begins(&["Which"]),
                "unanswerable" | "misleading" => begins(&["I don't", "That is not", "No"]),
                // Thanks and the like.
                "text" => begins(&["Okay", "You're welcome"]),
                _ => false,
            };
            if is_fitting {
                continue;
            }
            let counts = passed
                .entry((suite.to_owned(), kind.to_owned(), name.to_owned()))
                .or_insert((0, 0));
            counts.0 += row["false_passes"].as_u64().unwrap();
            counts.1 += row["wrong"].as_u64().unwrap();
        }
    }
    assert!(passed.len() > 4 * tried, "{passed:?}");
    let mut too_many = Vec::new();
    for ((suite, kind, reply), (passes, of)) in passed {
        // A bare yes or no is an answer to a question that takes one; a tenth of all others.
        let is_answer = ["Yes", "No"].iter().any(|start| reply.starts_with(start));
        let is_talk = matches!(kind.as_str(), "query" | "text");
        // `Bedroom lights on.` asks for it and reports it.
        let is_echo = kind == "action" && reply == "the request read aloud";
        let most = if is_answer && is_talk {
            30
        } else if is_echo {
            13
        } else {
            10
        };
        // Kinds of a handful of cases may have three, such as thanks, which take nearly anything.
        if passes > 3 && passes * 100 > of * most {
            too_many.push(format!("{suite}, {kind}: `{reply}` passes {passes} of {of}"));
        }
    }
    assert!(too_many.is_empty(), "{too_many:#?}");
}

/// Runs `check --judges` over what lies at a place, and returns its status, output and messages.
fn checked(place: &Path, more: &[&str]) -> (Option<i32>, String, String) {
    let run = Command::new(env!("CARGO_BIN_EXE_toolgauge"))
        .args(["check", "--judges"])
        .arg(place)
        .args(more)
        .env("NO_COLOR", "1")
        .output()
        .unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (run.status.code(), text(&run.stdout), text(&run.stderr))
}

fn labelled(id: &str, case: &str, split: &str) -> String {
    let row = json!({
        "id": id, "suite": "everyday", "case": case, "reply": "You're welcome!", "right": false,
        "calls": "expected", "split": split,
    });
    row.to_string() + "\n"
}

#[test]
fn no_labelled_reply_is_dropped_in_silence() {
    let folder = tempfile::tempdir().unwrap();
    let (status, _, told) = checked(folder.path(), &[]);
    assert_eq!(status, Some(2));
    assert!(
        told.contains("it holds no labelled reply; they are lines of `.jsonl` files"),
        "{told}"
    );

    let file = folder.path().join("a.jsonl");
    fs::write(&file, labelled("one", "thanks", "dev") + &labelled("two", "no-such", "dev"))
        .unwrap();
    for place in [&*file, folder.path()] {
        let (status, table, told) = checked(place, &[]);
        assert_eq!(status, Some(0), "{told}");
        assert!(table.contains("1 of 1"), "{table}");
        let wanted =
            "1 labelled reply cannot be judged and is left out, `two`: `everyday` has no case";
        assert!(told.contains(wanted), "{told}");
    }

    fs::write(folder.path().join("b.jsonl"), labelled("one", "thanks", "dev")).unwrap();
    let (status, _, told) = checked(folder.path(), &[]);
    assert_eq!(status, Some(2));
    assert!(told.contains("line 1: the id `one` is given twice; it is first given at "), "{told}");
}

#[test]
fn misjudged_replies_are_listed_in_json_too_unless_they_are_kept_unseen() {
    let folder = tempfile::tempdir().unwrap();
    let rows = labelled("seen", "thanks", "dev") + &labelled("kept", "thanks", "unseen");
    fs::write(folder.path().join("a.jsonl"), rows).unwrap();
    let (_, printed, _) = checked(folder.path(), &["--format", "json", "-v"]);
    let printed: Value = serde_json::from_str(&printed).unwrap();
    let misjudged = printed["misjudged"].as_array().unwrap();
    assert_eq!(misjudged.len(), 1, "{printed}");
    assert_eq!(misjudged[0]["reply"]["id"], "seen");
    assert!(printed["rates"].as_array().is_some_and(|rates| !rates.is_empty()));
}

#[test]
fn replies_are_held_against_the_scorers_that_are_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.jsonl");
    fs::write(&file, labelled("one", "thanks", "dev")).unwrap();
    let asked = ["--scorer", "tool_calls,tool_calls_classic", "--format", "json"];
    let (status, rates, told) = checked(&file, &asked);
    assert_eq!(status, Some(0), "{told}");
    let rates: Vec<Value> = serde_json::from_str(&rates).unwrap();
    let by = |name: &str| rates.iter().filter(|row| row["scorer"] == name).count();
    assert_eq!((by("tool_calls"), by("tool_calls_classic")), (2, 2), "a kind and the sum of each");
    let (status, _, told) = checked(&file, &["--scorer", "no_such"]);
    assert_eq!(status, Some(2));
    assert!(told.contains("no_such"), "{told}");
}

/// Writes one reply to every case of every shipped suite, each case in one home, as wrong.
fn write_replies(folder: &Path, reply: Option<&str>) {
    for name in toolgauge_engine::suites::shipped() {
        let suite = toolgauge_engine::suites::load_unchecked(&name).unwrap();
        let mut seen = std::collections::HashSet::new();
        let mut lines = String::new();
        for case in &suite.cases {
            let (tier, id) = match case.id.as_str().split_once('/') {
                Some((tier, id)) => (Some(tier), id),
                None => (None, case.id.as_str()),
            };
            if !seen.insert(id.to_owned()) {
                continue;
            }
            let row = json!({
                "id": format!("{name}-{id}"), "suite": name, "case": id, "tier": tier,
                "reply": reply.unwrap_or_else(|| case.sentence()), "right": false,
                "calls": "expected", "split": "dev",
            });
            lines += &row.to_string();
            lines.push('\n');
        }
        fs::write(folder.join(format!("{name}.jsonl")), lines).unwrap();
    }
}
