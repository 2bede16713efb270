//! What commands write: never over what they read, never in the place of a log, a pipe or a link.

use std::fs;
use std::io::Read;
use std::os::unix::fs::{FileTypeExt, symlink};

use super::*;

/// The names in a folder, hidden ones too, in order.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<_> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Runs a script with the program as `$T`.
fn shell(bench: &Bench, script: &str) -> Output {
    let mut command = Command::new("bash");
    command.args(["-c", script]).current_dir(bench.path()).stdin(Stdio::null());
    command.env("T", env!("CARGO_BIN_EXE_toolgauge")).env("NO_COLOR", "1").output().unwrap()
}

/// Expects status 2 and these words, and that no file changed.
fn refused(bench: &Bench, arguments: &[&str], words: &str) {
    let read = |name: &String| fs::read(bench.path().join(name)).ok();
    let before: Vec<_> = names(bench.path()).into_iter().map(|name| (read(&name), name)).collect();
    let output = bench.toolgauge(arguments);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
    assert!(said.contains(words), "{arguments:?}: {said}");
    let after: Vec<_> = names(bench.path()).into_iter().map(|name| (read(&name), name)).collect();
    assert!(before == after, "{arguments:?} changed a file");
}

#[test]
fn no_command_writes_over_what_it_reads() {
    let bench = Bench::new();
    let log = bench.run("m", |n| n % 3 == 0);
    let at = |name: &str| bench.path().join(name);
    fs::copy(at(&log), at("a.eval")).unwrap();
    fs::copy(at(&log), at("plain")).unwrap();
    symlink("a.eval", at("soft.md")).unwrap();
    fs::hard_link(at("a.eval"), at("hard.md")).unwrap();
    fs::write(at("tau.json"), "[]").unwrap();
    fs::write(at("toolgauge.toml"), "").unwrap();
    let input = "it is the same file as the input";
    for form in ["html", "md", "csv", "json", "xml"] {
        for target in ["a.eval", "soft.md", "hard.md"] {
            refused(&bench, &["report", "a.eval", "-o", target, "--format", form], input);
        }
        refused(&bench, &["report", "tau.json", "-o", "tau.json", "--format", form], input);
        refused(&bench, &["report", "a.eval", "-o", "plain", "--format", form], "it holds a log");
        refused(&bench, &["report", "a.eval", "-o", "b.eval", "--format", form], "end in `.eval`");
        refused(&bench, &["report", "a.eval", "-o", "toolgauge.toml", "--format", form], input);
    }
    let chart = ["report", "a.eval", "-o", "a.eval", "--format", "svg", "--chart", "scores"];
    refused(&bench, &chart, input);
    let gate = ["--fail-under", "0.1", "--junit"];
    for target in ["a.eval", "soft.md", "hard.md"] {
        refused(&bench, &[&["summary", "a.eval"][..], &gate, &[target]].concat(), input);
        refused(&bench, &["summary", "a.eval", "--markdown", target], input);
        refused(&bench, &["summary", "a.eval", "--line", target], input);
        refused(&bench, &["summary", "plain", "--against", "a.eval", "--markdown", target], input);
        refused(&bench, &["compare", "plain", "a.eval", "--markdown", target], input);
        refused(&bench, &[&["compare", "plain", "a.eval"][..], &gate, &[target]].concat(), input);
    }
}

#[test]
fn a_run_is_refused_before_it_begins_if_its_report_would_replace_its_suite() {
    let bench = Bench::new();
    let at = |name: &str| bench.path().join(name);
    fs::write(at("matrix.yaml"), "name: m\nsuite: .\nmodels: [baseline]\n").unwrap();
    fs::write(at("script.ndjson"), "").unwrap();
    let input = "it is the same file as the input";
    for target in ["suite.yaml", "cases.ndjson"] {
        let run = ["run", ".", "-m", "baseline", "--log-dir", "logs"];
        refused(&bench, &[&run[..], &["--markdown", target]].concat(), input);
        refused(&bench, &[&run[..], &["--line", target]].concat(), input);
        let gate = ["--fail-under", "0.1", "--junit", target];
        refused(&bench, &[&run[..], &gate].concat(), input);
        refused(&bench, &["run", "--matrix", "matrix.yaml", "-o", target], input);
    }
    refused(&bench, &["run", "--matrix", "matrix.yaml", "-o", "matrix.yaml"], input);
    let script = ["run", ".", "-m", "script:script.ndjson", "--markdown", "script.ndjson"];
    refused(&bench, &script, input);
    assert!(!at("logs").exists(), "nothing ran");
}

#[test]
fn pipes_and_links_stay_what_they_are() {
    let bench = Bench::new();
    let log = bench.run("m", |n| n % 3 == 0);
    let at = |name: &str| bench.path().join(name);
    assert!(Command::new("mkfifo").arg(at("pipe")).status().unwrap().success());
    let pipe = at("pipe");
    let reader = std::thread::spawn(move || {
        let mut said = String::new();
        fs::File::open(pipe).unwrap().read_to_string(&mut said).unwrap();
        said
    });
    let output = bench.toolgauge(&["report", &log, "-o", "pipe", "--format", "md"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(reader.join().unwrap().contains("### lights · "));
    assert!(fs::symlink_metadata(at("pipe")).unwrap().file_type().is_fifo());

    fs::create_dir(at("deep")).unwrap();
    fs::write(at("deep/there.md"), "old").unwrap();
    symlink("deep/there.md", at("link.md")).unwrap();
    for arguments in
        [&["report", &log, "-o", "link.md"][..], &["summary", &log, "--markdown", "link.md"]]
    {
        fs::write(at("deep/there.md"), "old").unwrap();
        assert_eq!(bench.toolgauge(arguments).status.code(), Some(0));
        assert!(fs::symlink_metadata(at("link.md")).unwrap().is_symlink());
        assert_ne!(fs::read_to_string(at("deep/there.md")).unwrap(), "old");
    }
    assert_eq!(names(&at("deep")), ["there.md"]);
}

#[test]
fn stdout_by_its_name_is_stdout() {
    let bench = Bench::new();
    let log = bench.run("m", |n| n % 3 == 0);
    symlink("/proc/self/fd/1", bench.path().join("private")).unwrap();
    for name in ["/dev/stdout", "/proc/self/fd/1", "/dev/fd/1", "private"] {
        let report = format!("$T report {log} -o {name} --format csv");
        let piped = shell(&bench, &format!("{report} | cat"));
        assert_eq!(text(&piped.stdout).lines().count(), 1 + CASES, "{name}");
        // Whatever else goes to the file of the shell stays in it.
        let script = format!("(echo first; {report} 2>&-; echo last) > all; echo more >> all");
        assert_eq!(shell(&bench, &script).status.code(), Some(0));
        let all = fs::read_to_string(bench.path().join("all")).unwrap();
        assert_eq!(all.lines().count(), 4 + CASES, "{name}: {all}");
        assert!(all.starts_with("first\nlog,") && all.ends_with("\nlast\nmore\n"), "{name}: {all}");
    }
    assert!(fs::symlink_metadata(bench.path().join("private")).unwrap().is_symlink());
}

#[test]
fn a_full_disk_is_named_and_leaves_the_old_file() {
    let bench = Bench::new();
    let log = bench.run("m", |n| n % 3 == 0);
    let output = bench.toolgauge(&["report", &log, "-o", "/dev/full", "--format", "html"]);
    assert_eq!(output.status.code(), Some(2));
    let said = text(&output.stderr);
    assert!(said.starts_with("error: cannot write `/dev/full`: No space left"), "{said}");
    for write in ["report LOG -o old.html", "report LOG -o old.html --format csv"] {
        // A limit on the size of files is met in the middle of writing, as a full disk is.
        fs::write(bench.path().join("old.html"), "old").unwrap();
        let before = names(bench.path());
        let write = write.replace("LOG", &log);
        let output = shell(&bench, &format!("trap '' XFSZ; ulimit -f 1; exec $T {write}"));
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains("cannot write `old.html`: File too large"), "{said}");
        assert_eq!(fs::read_to_string(bench.path().join("old.html")).unwrap(), "old");
        assert_eq!(names(bench.path()), before);
    }
}
