//! What is written.

use std::fs;
use std::io::Write;
use std::process::Stdio;

use tempfile::TempDir;

use super::{command, fixture, names, run, text};

fn copy_of(input: &str, flags: &[&str]) -> String {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("in.json"), input).unwrap();
    let output = run(folder.path(), &[&["in.json", "--no-stats"], flags].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(fs::read_to_string(folder.path().join("in.json")).unwrap(), input);
    assert_eq!(names(folder.path()), ["in.json", "in_partial.json"]);
    fs::read_to_string(folder.path().join("in_partial.json")).unwrap()
}

#[test]
fn scores_follow_the_style_of_the_file() {
    let pairs = [
        (r#"[{"reward":1,"trial":0}]"#, r#"[{"reward":1,"trial":0,"partial_score":0.0}]"#),
        (r#"[{"reward": 1, "trial": 0}]"#, r#"[{"reward": 1, "trial": 0, "partial_score": 0.0}]"#),
        ("[{\"traj\": 0}]", "[{\"traj\": 0, \"partial_score\": 0.0}]"),
        ("[{\"traj\":0}]", "[{\"traj\":0,\"partial_score\":0.0}]"),
        (
            "[{}, {\"traj\": 0}]",
            "[{\"partial_score\": 0.0}, {\"traj\": 0, \"partial_score\": 0.0}]",
        ),
        (
            "[{ }, {\"traj\": 0}]",
            "[{\"partial_score\": 0.0 }, {\"traj\": 0, \"partial_score\": 0.0}]",
        ),
        (
            "[\n  {\n    \"traj\": 0\n  }\n]\n",
            "[\n  {\n    \"traj\": 0,\n    \"partial_score\": 0.0\n  }\n]\n",
        ),
        (
            "[\r\n\t{\r\n\t\t\"traj\" :\t1,\r\n\t\t\"b\" :\t[\"\\\"}\"]\r\n\t}\r\n]",
            "[\r\n\t{\r\n\t\t\"traj\" :\t1,\r\n\t\t\"b\" :\t[\"\\\"}\"],\r\n\t\t\"partial_score\" :\t0.0\r\n\t}\r\n]",
        ),
        ("\u{feff}[{\"traj\":1}]", "\u{feff}[{\"traj\":1,\"partial_score\":0.0}]"),
    ];
    for (input, wanted) in pairs {
        assert_eq!(copy_of(input, &[]), wanted);
    }
}

#[test]
fn a_score_that_is_there_is_replaced_where_it_stands() {
    assert_eq!(
        copy_of(r#"[{"partial_score": "old", "traj": 1}, {"p\u0061rtial_score":[1, {}]}]"#, &[]),
        r#"[{"partial_score": 0.0, "traj": 1}, {"p\u0061rtial_score":0.0}]"#
    );
    assert_eq!(
        copy_of(r#"[{"losses": 1, "partial_score": 1, "losses": 2, "traj": 0}]"#, &["--losses"]),
        r#"[{"losses": [{"cause": "broken_trial", "points": 1.0}], "partial_score": 0.0, "losses": [{"cause": "broken_trial", "points": 1.0}], "traj": 0}]"#
    );
    assert_eq!(
        copy_of(r#"[{"losses": 1, "traj": 0}]"#, &[]),
        r#"[{"losses": 1, "traj": 0, "partial_score": 0.0}]"#
    );
}

#[test]
fn what_only_python_writes_is_written_back_unchanged() {
    let input = r#"[{"traj": NaN, "b": [Infinity, -Infinity], "c": "\ud800", "d": 1E400, "e": 12345678901234567890123, "f": -0.0, "traj": 1}]"#;
    let wanted = input.replace("}]", r#", "partial_score": 0.0}]"#);
    assert_eq!(copy_of(input, &[]), wanted);
}

#[test]
fn the_copy_of_a_copy_is_the_same() {
    let folder = TempDir::new().unwrap();
    fs::copy(fixture("library.json"), folder.path().join("library.json")).unwrap();
    for (from, to) in [("library.json", "one.json"), ("one.json", "two.json")] {
        let output = run(folder.path(), &[from, "-o", to, "--losses"]);
        assert!(output.status.success());
    }
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    assert_eq!(read("one.json"), read("two.json"));
    insta::assert_snapshot!("library_losses", read("one.json"));
}

#[test]
fn an_earlier_copy_is_replaced_and_links_stay_links() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("in.json"), "[{\"traj\": 0}]").unwrap();
    fs::write(path("real.json"), "old").unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink("real.json", path("out.json")).unwrap();
    assert!(run(folder.path(), &["in.json", "-o", "out.json"]).status.success());
    #[cfg(unix)]
    {
        assert!(fs::symlink_metadata(path("out.json")).unwrap().is_symlink());
        assert_eq!(
            fs::read_to_string(path("real.json")).unwrap(),
            "[{\"traj\": 0, \"partial_score\": 0.0}]"
        );
    }
}

#[test]
fn pipes_are_read_and_written() {
    let folder = TempDir::new().unwrap();
    let mut child = command(folder.path())
        .args(["-", "-o", "-", "--no-stats"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"[{\"a\": 1}]").unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(text(&output.stdout), "[{\"a\": 1, \"partial_score\": 0.0}]");
    assert!(names(folder.path()).is_empty());
}

#[test]
fn a_file_larger_than_every_buffer_is_copied_whole() {
    let message = r#"{"role": "user", "content": "a \"quoted\" line\nand caf\u00e9"}, "#;
    let long = message.repeat(40_000);
    let small = r#"{"task_id": 1, "traj": [{"a": [[["x"]]]}]}"#;
    let input =
        format!("[{}{{\"traj\": [{long}{{}}]}}, {small}]", format!("{small},\n").repeat(50_000));
    let copy = copy_of(&input, &[]);
    assert_eq!(copy.replace(", \"partial_score\": 0.0", ""), input);
    assert_eq!(copy.matches("partial_score").count(), 50_002);
}

#[cfg(unix)]
#[test]
fn the_copy_has_the_usual_permissions() {
    use std::os::unix::fs::PermissionsExt;
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("in.json"), "[{\"traj\": 0}]").unwrap();
    let mode = |name: &str| fs::metadata(path(name)).unwrap().permissions().mode();
    assert!(run(folder.path(), &["in.json"]).status.success());
    assert_eq!(mode("in_partial.json"), mode("in.json"));
}
