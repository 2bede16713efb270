//! A log that means harm, through every command that shows logs: nothing it holds acts on a
//! browser, a terminal or a spreadsheet, and nothing costs more than it should.

use std::time::{Duration, Instant};

use tempfile::TempDir;
use toolgauge_log::{LogWriter, RunStatus};
use toolgauge_report::harmless::is_harmful;
use toolgauge_testkit::{hostile, some_of};

use super::*;

/// What the program may take at most for the hostile log, in kilobytes. An object of a million
/// keys alone takes a good part of it.
const MOST_MEMORY: u64 = 700_000;
/// Without optimisation and on a busy machine everything takes its time; what never ends would
/// take longer.
const MOST_TIME: Duration = Duration::from_mins(5);

fn hostile_log(path: &Path) -> PathBuf {
    let mut writer = LogWriter::create(path, &hostile::run()).unwrap();
    for trial in hostile::trials() {
        writer.append(&trial).unwrap();
    }
    writer.finish(&RunStatus::Success).unwrap()
}

/// Runs the program, and holds it to its limits.
fn within_limits(folder: &Path, arguments: &[&str]) -> Output {
    let began = Instant::now();
    let mut command = Command::new(env!("CARGO_BIN_EXE_toolgauge"));
    command.args(arguments).current_dir(folder).env("NO_COLOR", "1").stdin(Stdio::null());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    let status = format!("/proc/{}/status", child.id());
    let output = std::thread::spawn(move || child.wait_with_output().unwrap());
    let mut most = 0;
    while !output.is_finished() {
        let status = std::fs::read_to_string(&status).unwrap_or_default();
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let peak = peak.and_then(|peak| peak.trim().trim_end_matches(" kB").parse::<u64>().ok());
        most = most.max(peak.unwrap_or(0));
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(most < MOST_MEMORY, "{arguments:?} took {most} kB");
    assert!(began.elapsed() < MOST_TIME, "{arguments:?} took {:?}", began.elapsed());
    output.join().unwrap()
}

/// Whether nothing in a text acts on its surroundings.
fn assert_harmless(what: &str, text: &str) {
    let bad = text.chars().find(|c| is_harmful(*c) && !matches!(c, '\n' | '\t'));
    assert_eq!(bad, None, "{what}");
}

fn assert_page_is_text(page: &str) {
    assert_eq!(page.matches("<script").count(), 2, "the figures and our own script");
    for tag in page.split('<').skip(1) {
        let Some((inside, _)) = tag.split_once('>') else { continue };
        let name: String = inside.chars().take_while(char::is_ascii_alphanumeric).collect();
        assert!(
            !matches!(name.as_str(), "img" | "iframe" | "object" | "embed" | "link"),
            "{inside}"
        );
        for handler in [" onerror=", " onmouseover=", " style="] {
            let outside_quotes: String = inside.split('"').step_by(2).collect();
            assert!(!outside_quotes.contains(handler), "{inside}");
        }
        assert!(!inside.contains("href=\"javascript"), "{inside}");
    }
}

#[test]
fn a_hostile_log_harms_nothing_that_shows_it() {
    let bench = TempDir::new().unwrap();
    let folder = bench.path().join("logs");
    std::fs::create_dir(&folder).unwrap();
    let path = hostile_log(&folder.join("hostile.eval"));
    std::fs::copy(&path, folder.join("other.eval")).unwrap();
    hostile::spoil(&path);
    no_file_is_harmful(&folder);
    no_terminal_is_harmed(&folder);
    let outside: Vec<_> = std::fs::read_dir(bench.path()).unwrap().collect();
    assert_eq!(outside.len(), 1, "nothing but the folder of the logs: {outside:?}");
}

/// Every form of a report.
fn no_file_is_harmful(folder: &Path) {
    let files = [
        ("r.html", 3_000_000),
        ("r.md", 200_000),
        ("r.csv", 100_000),
        ("r.json", 200_000),
        ("r.xml", 100_000),
    ];
    for (name, most) in some_of(files, 3) {
        let output = within_limits(folder, &["report", "hostile.eval", "-o", name]);
        assert_eq!(output.status.code(), Some(0), "{name}: {}", text(&output.stderr));
        let written = std::fs::read_to_string(folder.join(name)).unwrap();
        assert!(written.len() < most, "{name}: {} bytes", written.len());
        assert_harmless(name, &written);
        match name {
            "r.html" => assert_page_is_text(&written),
            "r.md" => {
                assert!(!written.contains("<script") && !written.contains("<img"), "{written}");
                assert!(!written.contains("![b]("), "{written}");
                assert!(written.len() < 65_536, "{} bytes", written.len());
            }
            "r.xml" => assert!(!written.contains("<script"), "{written}"),
            "r.csv" => assert!(!written.contains(",="), "{written}"),
            _ => assert!(serde_json::from_str::<serde_json::Value>(&written).is_ok()),
        }
    }
    for chart in some_of(["scores", "dimensions", "losses", "latency", "tiers"], 2) {
        let name = format!("{chart}.svg");
        let output =
            within_limits(folder, &["report", "hostile.eval", "-o", &name, "--chart", chart]);
        assert_eq!(output.status.code(), Some(0), "{chart}: {}", text(&output.stderr));
        let drawn = std::fs::read_to_string(folder.join(name)).unwrap();
        assert!(!drawn.contains("<script") && !drawn.contains("not drawn"), "{drawn}");
        assert_harmless(chart, &drawn);
    }
}

/// Every command that prints what is in a log.
fn no_terminal_is_harmed(folder: &Path) {
    let commands = [
        &["summary", "hostile.eval"][..],
        &["summary", "hostile.eval", "other.eval"],
        &["summary", "hostile.eval", "--format", "json"],
        &["summary", "hostile.eval", "--color", "always"],
        &["cases", "hostile.eval", "other.eval"],
        &["cases", "hostile.eval", "--format", "json"],
        &["compare", "hostile.eval", "other.eval"],
        &["compare", "hostile.eval", "other.eval", "--format", "json"],
        &["summary", "hostile.eval", "--gate", "score>=0.9"],
    ];
    for arguments in some_of(commands, 4) {
        let output = within_limits(folder, arguments);
        assert!(
            matches!(output.status.code(), Some(0 | 1 | 3)),
            "{arguments:?}: {}",
            text(&output.stderr)
        );
        let (said, told) = (text(&output.stdout), text(&output.stderr));
        assert!(said.len() + told.len() < 300_000, "{arguments:?}");
        if arguments.contains(&"always") {
            // Our own colours, and nothing else that begins with an escape.
            assert_harmless("colour", &anstream::adapter::strip_str(&said).to_string());
            let ours = said.split('\u{1b}').skip(1).all(|code| code.starts_with('['));
            assert!(ours && !said.contains("\u{1b}[2J"), "{said:?}");
            continue;
        }
        assert_harmless(&format!("{arguments:?}"), &said);
        assert_harmless(&format!("{arguments:?}"), &told);
    }
}

#[test]
fn a_bomb_is_left_out_and_a_torn_log_read_within_limits() {
    let bench = TempDir::new().unwrap();
    let small = || hostile::trials().take(1);
    let write = |name: &str| {
        let path = bench.path().join(name);
        let mut writer = LogWriter::create(&path, &hostile::run()).unwrap();
        for trial in small() {
            writer.append(&trial).unwrap();
        }
        writer.finish(&RunStatus::Success).unwrap()
    };
    hostile::arm(&write("bomb.eval"), 80 << 20);
    hostile::cut_off(&write("torn.eval"));
    for arguments in [
        &["summary", "bomb.eval"][..],
        &["report", "bomb.eval", "-o", "x.html"],
        &["cases", "bomb.eval"],
    ] {
        let output = within_limits(bench.path(), arguments);
        assert_eq!(output.status.code(), Some(3), "{arguments:?}");
        let told = text(&output.stderr);
        assert!(told.contains("packed too tightly to be a log"), "{told}");
    }
    let output = within_limits(bench.path(), &["summary", "torn.eval"]);
    assert_harmless("a torn log", &(text(&output.stdout) + &text(&output.stderr)));
}
