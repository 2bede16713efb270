//! The halves of "Coming from" in other tools' languages are what those tools read.

use std::path::Path;
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;
use toolgauge_testkit::skip_check;

use super::example::{Examples, Step};
use super::pages::Page;

/// The files of the page, in a folder.
fn written() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for step in Examples::of(&Page::read("docs/coming-from.md")).steps {
        if let Step::Write { file, text } = step {
            std::fs::write(folder.path().join(file), text).unwrap();
        }
    }
    folder
}

fn yaml(folder: &Path, file: &str) -> Value {
    yaml_serde::from_str(&std::fs::read_to_string(folder.join(file)).unwrap()).unwrap()
}

fn texts(list: &Value, pointer: &str) -> Vec<String> {
    let items = list.as_array().unwrap().iter();
    items.map(|item| item.pointer(pointer).unwrap().as_str().unwrap().to_owned()).collect()
}

/// Runs a program in the folder, which must succeed; gives what it printed.
fn succeeds(folder: &Path, program: &str, arguments: &[&str]) -> String {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(folder);
    // Nothing of this is anybody's business.
    for variable in ["DEEPEVAL_TELEMETRY_OPT_OUT", "PROMPTFOO_DISABLE_TELEMETRY"] {
        command.env(variable, "1");
    }
    command.env("PROMPTFOO_DISABLE_UPDATE", "1").env("PROMPTFOO_CONFIG_DIR", folder.join("pf"));
    let output = command.output().unwrap();
    let said =
        [output.stdout, output.stderr].map(|part| String::from_utf8_lossy(&part).into_owned());
    assert!(output.status.success(), "{program} {arguments:?}: {}", said.concat());
    said.concat()
}

#[test]
fn promptfoo_is_asked_the_same_questions() {
    let folder = written();
    let (ours, theirs) =
        (yaml(folder.path(), "bikes.yaml"), yaml(folder.path(), "promptfooconfig.yaml"));
    assert_eq!(texts(&ours["cases"], "/say"), texts(&theirs["tests"], "/vars/question"));
    for field in ["providers", "prompts"] {
        assert!(theirs[field].as_array().is_some_and(|list| !list.is_empty()), "{field}");
    }
    let Ok(promptfoo) = std::env::var("TOOLGAUGE_PROMPTFOO") else {
        return skip_check(
            "promptfoo, named by TOOLGAUGE_PROMPTFOO",
            "TOOLGAUGE_REQUIRE_PROMPTFOO",
        );
    };
    let said = succeeds(folder.path(), &promptfoo, &["validate", "-c", "promptfooconfig.yaml"]);
    assert!(said.contains("valid"), "{said}");
}

#[test]
fn the_python_of_the_other_tools_is_python() {
    let folder = written();
    if Command::new("python3").arg("--version").output().is_err() {
        return skip_check("python3", "TOOLGAUGE_REQUIRE_PYTHON");
    }
    for file in ["bikes_task.py", "test_with_deepeval.py", "test_by_hand.py", "test_chatbot.py"] {
        let check = "import ast, sys; ast.parse(open(sys.argv[1]).read())";
        succeeds(folder.path(), "python3", &["-c", check, file]);
    }
}

#[test]
fn inspect_makes_a_task_of_the_same_questions() {
    let folder = written();
    let Ok(python) = std::env::var("TOOLGAUGE_INSPECT_PYTHON") else {
        let needs = "a Python with `inspect_ai`, named by TOOLGAUGE_INSPECT_PYTHON";
        return skip_check(needs, "TOOLGAUGE_REQUIRE_INSPECT");
    };
    let ask = "import bikes_task\nfor sample in bikes_task.bikes().dataset: print(sample.input)";
    let said = succeeds(folder.path(), &python, &["-c", ask]);
    let asked: Vec<&str> = said.lines().collect();
    assert_eq!(asked, texts(&yaml(folder.path(), "bikes.yaml")["cases"], "/say"));
}

#[test]
fn deepeval_has_what_its_test_imports() {
    let folder = written();
    let Ok(python) = std::env::var("TOOLGAUGE_PEERS_PYTHON") else {
        let needs = "a Python with `deepeval`, named by TOOLGAUGE_PEERS_PYTHON";
        return skip_check(needs, "TOOLGAUGE_REQUIRE_PEERS");
    };
    let import = "import test_with_deepeval as made; print(made.test_city.__name__)";
    assert!(succeeds(folder.path(), &python, &["-c", import]).contains("test_city"));
}
