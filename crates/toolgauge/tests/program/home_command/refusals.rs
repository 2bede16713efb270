//! What cannot be imported is refused with what to do, and nothing is half-written.

use std::fs;
use std::path::Path;
use std::process::Output;

use serde_json::json;
use toolgauge_testkit::home_assistant::HomeServerChanges;

use super::{home_assistant, imported, names, out, storage, told, toolgauge};

/// The command was refused in so many words, and its folder is as empty as it was.
#[track_caller]
fn assert_refused(folder: &Path, output: &Output, message: &str, hint: &str) {
    let said = told(output);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert_eq!(out(output), "");
    assert!(said.contains(message), "{said}");
    assert!(said.contains(&format!("hint: {hint}")), "{said}");
    assert_eq!(names(folder), [""; 0], "nothing is half-written");
}

/// Imports from a server that differs so from the recorded one.
#[track_caller]
fn assert_import_refused(changes: HomeServerChanges, message: &str, hint: &str) {
    let folder = tempfile::tempdir().unwrap();
    let (server, _runtime) = home_assistant(changes);
    let output = toolgauge(folder.path(), &["home", "import", "--url", &server.url]);
    assert_refused(folder.path(), &output, message, hint);
}

#[test]
fn a_wrong_token_is_refused_and_not_shown() {
    let folder = tempfile::tempdir().unwrap();
    let (server, _runtime) = home_assistant(HomeServerChanges::default());
    let import = ["home", "import", "--url", &server.url, "--token-env", "PATH"];
    let output = toolgauge(folder.path(), &import);
    let hint = "make one under your name in Home Assistant, Security, Long-lived access tokens";
    assert_refused(folder.path(), &output, "does not accept the token", hint);
    assert!(!told(&output).contains(&std::env::var("PATH").unwrap()), "secrets are not repeated");
    let import = ["home", "import", "--url", &server.url, "--token-env", "NO_SUCH_VARIABLE"];
    let output = toolgauge(folder.path(), &import);
    let message = "the environment variable `NO_SUCH_VARIABLE` holds no token";
    assert_refused(folder.path(), &output, message, "make one");
}

#[test]
fn an_address_at_which_nobody_answers_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    // A port that was just given back answers nobody.
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let url = format!("http://127.0.0.1:{port}");
    let output = toolgauge(folder.path(), &["home", "import", "--url", &url]);
    let message = format!("cannot reach Home Assistant at `{url}`");
    assert_refused(folder.path(), &output, &message, "is Home Assistant running");
    let output = toolgauge(folder.path(), &["home", "import", "--url", "ftp://home"]);
    assert_refused(
        folder.path(),
        &output,
        "`ftp://home` is no address",
        "write it as in the browser",
    );
}

#[test]
fn another_server_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let other = toolgauge_testkit::Server::start(|_| {
        toolgauge_testkit::Response::json(404, &json!({"detail": "Not Found"}))
    });
    let server = runtime.block_on(other);
    let output = toolgauge(folder.path(), &["home", "import", "--url", server.url()]);
    let message = "does not answer like Home Assistant: it answered with status 404";
    assert_refused(folder.path(), &output, message, "the port of Home Assistant is usually 8123");
}

#[test]
fn an_old_version_is_refused() {
    let changes =
        HomeServerChanges { version: "2025.12.1".to_owned(), ..HomeServerChanges::default() };
    let hint = "homes are read from 2026.2 or later: update it first";
    assert_import_refused(changes, "Home Assistant 2025.12.1 is too old", hint);
}

#[test]
fn an_empty_home_is_refused_unless_it_is_meant() {
    let answers = json!({"get_states": [], "config/entity_registry/list": [],
        "config/entity_registry/get_entries": {}});
    let changes = HomeServerChanges { answers, ..HomeServerChanges::default() };
    let message = "nothing in this home is exposed to the assistant (0 entities were found)";
    assert_import_refused(changes.clone(), message, "expose entities in Home Assistant under");
    let folder = tempfile::tempdir().unwrap();
    let (server, _runtime) = home_assistant(changes);
    let import = ["home", "import", "--url", &server.url, "--allow-empty"];
    assert_eq!(toolgauge(folder.path(), &import).status.code(), Some(0));
    let output = toolgauge(folder.path(), &["home", "check", "my-home"]);
    assert!(out(&output).contains("in a home of 0 exposed entities"), "{}", out(&output));
}

#[test]
fn a_connection_that_breaks_off_leaves_nothing_behind() {
    for breaks_at in ["config/area_registry/list", "get_states", "get_services"] {
        let changes = HomeServerChanges { breaks_at, ..HomeServerChanges::default() };
        let message = "the connection to Home Assistant was lost";
        assert_import_refused(changes, message, "nothing was written; try again");
    }
}

#[test]
fn a_folder_in_use_is_refused_before_anything_is_read() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("my-home")).unwrap();
    fs::write(folder.path().join("my-home/mine.txt"), "mine").unwrap();
    let (server, _runtime) = home_assistant(HomeServerChanges::default());
    let output = toolgauge(folder.path(), &["home", "import", "--url", &server.url]);
    assert_eq!(output.status.code(), Some(2));
    let said = told(&output);
    assert!(said.contains("`my-home` is not empty"), "{said}");
    assert!(said.contains("hint: name a new folder with `-o`"), "{said}");
    assert_eq!(names(&folder.path().join("my-home")), ["mine.txt"]);
    assert!(server.sent().is_empty(), "not even the token was sent");
}

fn copy_of_storage(change: impl Fn(&mut serde_json::Value)) -> tempfile::TempDir {
    let copy = tempfile::tempdir().unwrap();
    for file in fs::read_dir(storage()).unwrap().flatten() {
        fs::copy(file.path(), copy.path().join(file.file_name())).unwrap();
    }
    let path = copy.path().join("core.entity_registry");
    let text = fs::read_to_string(&path).unwrap();
    let mut registry = serde_json::from_str(&text).unwrap();
    change(&mut registry);
    fs::write(&path, registry.to_string()).unwrap();
    copy
}

#[test]
fn files_of_another_schema_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let copy = copy_of_storage(|registry| registry["version"] = json!(2));
    let import = ["home", "import", "--storage", copy.path().to_str().unwrap()];
    let output = toolgauge(folder.path(), &import);
    let message = "core.entity_registry` has schema 2, and only 1 is known";
    let hint = "this file is of another Home Assistant than those known; import over `--url`";
    assert_refused(folder.path(), &output, message, hint);
    let cut = copy_of_storage(|registry| *registry = json!({"version": 1}));
    let import = ["home", "import", "--storage", cut.path().to_str().unwrap()];
    let output = toolgauge(folder.path(), &import);
    let message = "core.entity_registry` is not what Home Assistant writes";
    assert_refused(folder.path(), &output, message, "copy the folder while");
    let import = ["home", "import", "--storage", folder.path().to_str().unwrap()];
    let output = toolgauge(folder.path(), &import);
    assert_refused(folder.path(), &output, "is no copy of `.storage`", "name a copy of");
}

#[test]
fn a_text_that_lists_no_home_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let elsewhere = tempfile::tempdir().unwrap();
    let prompt = elsewhere.path().join("prompt.txt");
    fs::write(&prompt, "You are a helpful assistant.\n").unwrap();
    let import = ["home", "import", "--prompt", prompt.to_str().unwrap()];
    let output = toolgauge(folder.path(), &import);
    assert_refused(folder.path(), &output, "does not list a home", "copy the whole system prompt");
}

#[test]
fn a_folder_without_a_home_is_named() {
    let (folder, _) = imported(&[]);
    for command in [["home", "check"], ["generate", "--home"]] {
        let output = toolgauge(folder.path(), &[&command[..], &["elsewhere"]].concat());
        assert_eq!(output.status.code(), Some(2));
        assert!(told(&output).contains("elsewhere"), "{}", told(&output));
    }
    assert_eq!(names(folder.path()), ["my-home"]);
}
