//! The command that runs one case of a log again.

use std::path::Path;

use serde_json::Value;
use toolgauge_core::{CaseId, Run};
use toolgauge_engine::invocation::{Invocation, RecordedInvocation};
use toolgauge_engine::subjects::{BASELINE, is_at_server};
use toolgauge_engine::suites::shipped;
use toolgauge_view::RerunCommand;

use crate::layer::Layer;
use crate::settings::Settings;

/// Settings that have a flag, as a log names them: those of the server and of sampling. What has
/// no flag, or changes no answer, is left out.
const FLAGS: [(&str, &str); 11] = [
    ("/server/base_url", "--base-url"),
    ("/server/protocol", "--protocol"),
    ("/server/key_variable", "--key-variable"),
    ("/server/stream", "--stream"),
    ("/sampling/temperature", "--temperature"),
    ("/sampling/top_p", "--top-p"),
    ("/sampling/max_tokens", "--max-tokens"),
    ("/sampling/seed", "--seed"),
    ("/sampling/tool_choice", "--tool-choice"),
    ("/sampling/parallel_tool_calls", "--parallel-tool-calls"),
    ("/limits/max_turns", "--max-turns"),
];

/// What a log may not choose for those who only look at it: where requests go, and with which key.
const CHOSEN_BY_OWNER: [(&str, &str); 2] =
    [("/server/base_url", "address"), ("/server/key_variable", "key variable")];

/// The arguments of `toolgauge` that put a case to the subject once more; absent where the log does
/// not say how it was run. `logs` is the folder that the log is in.
pub(crate) fn rerun_command(run: &Run, case: &CaseId, logs: &Path) -> Option<RerunCommand> {
    let asked = RecordedInvocation::read(run).ok()?.invocation;
    let mut arguments = vec!["run".to_owned(), not_a_flag(&asked.suite)];
    let mut add = |flag: &str, value: &str| arguments.extend(flag_with(flag, value));
    add("--model", &asked.model);
    add("--case", &exactly(case.as_str()));
    if let Some(variant) = &run.variant {
        add("--variant", variant);
    }
    if !asked.scorers.is_empty() {
        add("--scorer", &asked.scorers.join(","));
    }
    for (name, value) in &asked.body {
        add("--body", &format!("{name}={value}"));
    }
    for (name, value) in &asked.world {
        add("--world", &format!("{name}={value}"));
    }
    let usual = serde_json::to_value(owners_settings()?.without_secrets()).ok()?;
    let settings = serde_json::to_value(&asked.settings).ok()?;
    // What the settings say anyway needs no flag.
    let other =
        |path: &str| settings.pointer(path).filter(|value| usual.pointer(path) != Some(value));
    for (path, flag) in FLAGS {
        match other(path) {
            Some(Value::Bool(true)) if flag == "--stream" => arguments.push(flag.to_owned()),
            Some(Value::Bool(false)) if flag == "--stream" => {}
            Some(Value::String(text)) => arguments.extend(flag_with(flag, text)),
            Some(Value::Array(texts)) => {
                let texts = texts.iter().filter_map(Value::as_str);
                arguments.extend(texts.flat_map(|text| flag_with(flag, text)));
            }
            Some(value) if !value.is_null() => {
                arguments.extend(flag_with(flag, &value.to_string()));
            }
            _ => {}
        }
    }
    let foreign = CHOSEN_BY_OWNER.into_iter().find(|(path, _)| other(path).is_some());
    let foreign =
        foreign.map(|(_, what)| format!("its {what} is not that of the viewer's settings"));
    let refusal = foreign.or_else(|| refusal(&asked, logs));
    Some(RerunCommand { arguments, refusal })
}

/// The settings of whoever started this program, as a run without flags would have them.
fn owners_settings() -> Option<Settings> {
    let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let layer = Layer::default().with("server", "base_url", variable("TOOLGAUGE_BASE_URL")).with(
        "server",
        "key_variable",
        variable("TOOLGAUGE_KEY_VARIABLE"),
    );
    Settings::resolve(&[layer.table()]).ok()
}

/// Why a visitor of the viewer may not start what a log asks for. Somebody else may have made the
/// log, and nothing in it may start a program, choose an address or read other files.
fn refusal(asked: &Invocation, logs: &Path) -> Option<String> {
    let Invocation { model, suite, world, .. } = asked;
    // `--model a,b` names two models.
    if model.contains(',') || !(model == BASELINE || is_at_server(model)) {
        return Some(format!("it would run `{model}`, which is no model of the viewer's server"));
    }
    if let Some(key) = world.keys().find(|key| !PLAIN_WORLD_KEYS.contains(&key.as_str())) {
        return Some(format!("it would change `{key}` of the suite's world"));
    }
    // As a run finds it: a file or folder comes before a shipped suite of that name.
    let Ok(path) = Path::new(suite).canonicalize() else {
        let is_shipped = shipped().contains(suite);
        return (!is_shipped).then(|| format!("there is no suite `{suite}`"));
    };
    let here = std::env::current_dir().and_then(|here| here.canonicalize());
    let is_inside = |folder: &Path| path.starts_with(folder);
    // A suite may name commands, and one beside the logs may have come with them.
    let is_ours = here.is_ok_and(|here| is_inside(&here)) && !is_inside(logs);
    (!is_ours).then(|| format!("the suite `{suite}` is outside the folder of the viewer"))
}

/// What a log may change about a world: texts that are compared, and never names of files.
const PLAIN_WORLD_KEYS: [&str; 2] = ["profile", "satellite"];

/// A flag and its value, in one word where the value would be taken for a flag.
fn flag_with(flag: &str, value: &str) -> Vec<String> {
    if value.starts_with('-') {
        vec![format!("{flag}={value}")]
    } else {
        vec![flag.to_owned(), value.to_owned()]
    }
}

/// The name of a suite that cannot be taken for a flag.
fn not_a_flag(suite: &str) -> String {
    if suite.starts_with('-') { format!("./{suite}") } else { suite.to_owned() }
}

/// A pattern that only this id matches.
fn exactly(id: &str) -> String {
    id.chars()
        .map(|c| if "*?[]{}\\".contains(c) { format!("[{c}]") } else { c.to_string() })
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn run(settings: &Value) -> Run {
        let run = json!({
            "id": "r", "created": "2026-01-01T00:00:00Z",
            "suite": {"name": "s", "hash": "h", "size": 0},
            "subject": {"name": "qwen", "provider": "openai"},
            "cases": [], "trials": 1, "scorers": ["tool_calls"], "settings": settings,
            "program": {"version": "0.1.0", "revision": "x"},
        });
        serde_json::from_value(run).unwrap()
    }

    fn command(settings: &Value) -> RerunCommand {
        rerun_command(&run(settings), &CaseId::new("a[1]!"), Path::new("/nowhere")).unwrap()
    }

    #[test]
    fn a_command_holds_what_differs_from_the_settings() {
        let settings = json!({
            "suite": "my suite.yaml", "model": "qwen",
            "settings": {
                "server": {"base_url": "http://127.0.0.1:9999/v1", "stream": true},
                "sampling": {"temperature": 0.5, "seed": 3, "tool_choice": "-x"},
            },
        });
        let words = [
            "run",
            "my suite.yaml",
            "--model",
            "qwen",
            "--case",
            "a[[]1[]]!",
            "--base-url",
            "http://127.0.0.1:9999/v1",
            "--stream",
            "--temperature",
            "0.5",
            "--seed",
            "3",
            "--tool-choice=-x",
        ];
        assert_eq!(command(&settings).arguments, words);
        let empty = run(&json!({}));
        assert!(rerun_command(&empty, &CaseId::new("a"), Path::new("/nowhere")).is_none());
    }

    #[test]
    fn a_log_cannot_make_the_viewer_do_what_it_wants() {
        let usual = json!({"suite": "home-assistant", "model": "qwen3:4b"});
        assert_eq!(command(&usual).refusal, None);
        let with = |name: &str, value: Value| {
            let mut settings = usual.clone();
            settings[name] = value;
            command(&settings)
        };
        for model in [
            "command:touch x",
            "chatbot:http://evil",
            "a,command:x",
            "script:x",
            "replay:x",
            "x.gguf",
        ] {
            let refusal = with("model", model.into()).refusal.unwrap();
            assert!(refusal.contains("no model of the viewer's server"), "{refusal}");
        }
        for server in [
            json!({"base_url": "http://evil.example/v1"}),
            json!({"key_variable": "AWS_SECRET_ACCESS_KEY"}),
        ] {
            let refusal = with("settings", json!({"server": server})).refusal.unwrap();
            assert!(refusal.contains("is not that of the viewer's settings"), "{refusal}");
        }
        for suite in ["/", "..", "../../suites", "no-such-suite"] {
            assert!(with("suite", suite.into()).refusal.is_some(), "{suite}");
        }
        assert!(with("world", json!({"home": "/etc/passwd"})).refusal.is_some());
        let flags = with("suite", "--model=command:x".into());
        assert_eq!(flags.arguments[1], "./--model=command:x");
        assert_eq!(with("model", "--matrix".into()).arguments[2], "--model=--matrix");
    }

    #[test]
    fn a_suite_beside_the_logs_is_not_run_for_visitors() {
        let suite = json!({"suite": "src", "model": "baseline"});
        let here = std::env::current_dir().unwrap().canonicalize().unwrap();
        let refusal =
            |logs: &Path| rerun_command(&run(&suite), &CaseId::new("a"), logs).unwrap().refusal;
        assert_eq!(refusal(&here.join("logs")), None);
        assert!(refusal(&here.join("src")).unwrap().contains("outside the folder"));
    }
}
