//! What is refused, and that nothing is left of it.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use tempfile::TempDir;

use super::{command, names, run, text};

/// Runs in the folder, expects a refusal, and gives the message.
fn refused(folder: &Path, arguments: &[&str]) -> String {
    let before = names(folder);
    let output = run(folder, arguments);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
    assert_eq!(text(&output.stdout), "");
    assert_eq!(names(folder), before);
    text(&output.stderr)
}

#[test]
fn a_bad_file_is_refused_with_its_place() {
    let deep = format!("[{{\"a\": {}}}]", "[".repeat(100_000));
    let bad: &[(&str, &[u8])] = &[
        ("empty", b""),
        ("blank", b" \n "),
        ("words", b"hello"),
        ("object", b"{\"task_id\": 1}"),
        ("number", b"17"),
        ("string", b"\"tasks\""),
        ("truncated_list", b"[\n  {\"a\": 1},"),
        ("truncated_task", b"[\n  {\"a\": \"b"),
        ("unclosed", b"[{\"a\": 1}"),
        ("item", b"[{\"a\": 1},\n 3]"),
        ("null_item", b"[null]"),
        ("trailing", b"[{\"a\": 1}]\n{}"),
        ("comma", b"[{\"a\": 1},]"),
        ("no_comma", b"[{\"a\": 1} {\"a\": 1}]"),
        ("member_comma", b"[{\"a\": 1,}]"),
        ("quotes", b"[{'a': 1}]"),
        ("number_form", b"[{\"a\": 01}]"),
        ("control", b"[{\"a\": \"x\ty\"}]"),
        ("escape", "[{\"\u{e9}\": \"\\x\"}]".as_bytes()),
        ("hex", b"[{\"a\": \"\\u12\"}]"),
        ("latin1", b"[{\"a\": 1},\n{\"a\": \"caf\xe9\"}]"),
        ("utf16", b"\xff\xfe[\0]\0"),
        ("deep", deep.as_bytes()),
    ];
    let folder = TempDir::new().unwrap();
    let mut messages = String::new();
    for (name, bytes) in bad {
        let file = format!("{name}.json");
        fs::write(folder.path().join(&file), bytes).unwrap();
        messages.push_str(&refused(folder.path(), &[&file]));
    }
    insta::assert_snapshot!("bad_files", messages);
}

#[test]
fn what_is_no_file_is_refused() {
    let folder = TempDir::new().unwrap();
    fs::create_dir(folder.path().join("folder")).unwrap();
    fs::write(folder.path().join("good.json"), "[{}]").unwrap();
    let mut messages = String::new();
    for arguments in [
        &["missing.json"][..],
        &["folder"],
        &["good.json", "-o", "folder"],
        &["good.json", "-o", "nowhere/out.json"],
        &["good.json", "-o", "-"],
        &["-"],
    ] {
        messages.push_str(&refused(folder.path(), arguments));
    }
    insta::assert_snapshot!("no_files", messages);
}

#[cfg(unix)]
#[test]
fn the_results_are_never_overwritten() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("in.json"), "[{}]").unwrap();
    std::os::unix::fs::symlink("in.json", path("soft.json")).unwrap();
    fs::hard_link(path("in.json"), path("hard.json")).unwrap();
    for target in ["in.json", "./in.json", "soft.json", "hard.json"] {
        let message = refused(folder.path(), &["in.json", "-o", target]);
        assert!(message.contains("it is the same file as the input"), "{message}");
        let message = refused(folder.path(), &[target, "-o", "in.json"]);
        assert!(message.contains("it is the same file as the input"), "{message}");
    }
    assert_eq!(fs::read_to_string(path("in.json")).unwrap(), "[{}]");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_reported() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("in.json"), "[{\"traj\": 0}]").unwrap();
    let message = refused(folder.path(), &["in.json", "-o", "/dev/full"]);
    assert!(message.starts_with("error: cannot write `/dev/full`: No space left"), "{message}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_disk_that_fills_up_leaves_nothing() {
    // A limit on the size of files stands in for a small disk: writing fails half way.
    let folder = TempDir::new().unwrap();
    let task = format!("{{\"traj\": \"{}\"}}", "x".repeat(1_000_000));
    fs::write(folder.path().join("in.json"), format!("[{}]", [task.as_str(); 4].join(",")))
        .unwrap();
    let script = format!(
        "trap '' XFSZ; ulimit -f 1000; exec '{}' partial in.json",
        env!("CARGO_BIN_EXE_toolgauge")
    );
    let output = std::process::Command::new("bash")
        .args(["-c", &script])
        .current_dir(folder.path())
        .env("NO_COLOR", "1")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("cannot write `in_partial.json`: File too large"));
    assert_eq!(names(folder.path()), ["in.json"]);
}

#[cfg(unix)]
#[test]
fn unreadable_and_unwritable_places_are_named() {
    use std::os::unix::fs::PermissionsExt;
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name);
    let close = |name: &str, mode| {
        fs::set_permissions(path(name), fs::Permissions::from_mode(mode)).unwrap();
    };
    fs::write(path("closed.json"), "[{}]").unwrap();
    close("closed.json", 0o000);
    if fs::File::open(path("closed.json")).is_ok() {
        // Nothing is closed to the superuser.
        return;
    }
    fs::create_dir(path("closed")).unwrap();
    fs::write(path("closed/in.json"), "[{}]").unwrap();
    close("closed", 0o555);
    let message = refused(folder.path(), &["closed.json"]);
    assert!(message.starts_with("error: cannot read `closed.json`: Permission denied"));
    let message = refused(folder.path(), &["closed/in.json"]);
    assert!(message.starts_with("error: cannot write `closed/in_partial.json`: Permission denied"));
    close("closed", 0o755);
}

#[cfg(unix)]
#[test]
fn an_interrupted_copy_leaves_nothing() {
    for signal in ["INT", "TERM"] {
        let folder = TempDir::new().unwrap();
        let mut child = command(folder.path())
            .args(["-", "-o", "out.json"])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // The input stays open, so that the command waits in the middle of its work.
        let input = child.stdin.take().unwrap();
        while names(folder.path()).is_empty() {
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        std::thread::sleep(std::time::Duration::from_millis(300));
        let kill = format!("kill -{signal} {}", child.id());
        assert!(std::process::Command::new("sh").args(["-c", &kill]).status().unwrap().success());
        assert_eq!(child.wait().unwrap().code(), Some(130));
        drop(input);
        assert!(names(folder.path()).is_empty());
    }
}
