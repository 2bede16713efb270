//! The command that runs one case of a log again.

use crate::invocation::RecordedInvocation;
use serde_json::Value;
use toolgauge_core::{CaseId, Run};

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

/// The arguments of `toolgauge` that put a case to the subject once more; absent where the log does
/// not say how it was run.
pub(crate) fn rerun_command(run: &Run, case: &CaseId) -> Option<Vec<String>> {
    let asked = RecordedInvocation::read(run).ok()?.invocation;
    let mut command = vec!["run".to_owned(), asked.suite.clone()];
    let mut add = |flag: &str, value: String| command.extend([flag.to_owned(), value]);
    add("--model", asked.model.clone());
    add("--case", exactly(case.as_str()));
    if let Some(variant) = &run.variant {
        add("--variant", variant.clone());
    }
    if !asked.scorers.is_empty() {
        add("--scorer", asked.scorers.join(","));
    }
    for (name, value) in &asked.body {
        add("--body", format!("{name}={value}"));
    }
    for (name, value) in &asked.world {
        add("--world", format!("{name}={value}"));
    }
    let usual = Settings::resolve(&[Layer::default().table()]).ok()?;
    let usual = serde_json::to_value(usual).ok()?;
    let settings = serde_json::to_value(&asked.settings).ok()?;
    // What the settings say anyway needs no flag.
    let other =
        |path: &str| settings.pointer(path).filter(|value| usual.pointer(path) != Some(value));
    for (path, flag) in FLAGS {
        match other(path) {
            Some(Value::Bool(true)) if flag == "--stream" => command.push(flag.to_owned()),
            Some(Value::Bool(false)) if flag == "--stream" => {}
            Some(Value::String(text)) => command.extend([flag.to_owned(), text.clone()]),
            Some(value) if !value.is_null() => command.extend([flag.to_owned(), value.to_string()]),
            _ => {}
        }
    }
    Some(command)
}

/// A pattern that only this id matches.
fn exactly(id: &str) -> String {
    id.chars()
        .map(|c| if "*?[]{}!\\".contains(c) { format!("[{c}]") } else { c.to_string() })
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

    #[test]
    fn a_command_holds_what_differs_from_the_settings() {
        let settings = json!({
            "suite": "my suite.yaml", "model": "qwen",
            "settings": {
                "server": {"base_url": "http://127.0.0.1:9999/v1", "stream": true},
                "sampling": {"temperature": 0.5},
            },
        });
        let command = rerun_command(&run(&settings), &CaseId::new("a[1]")).unwrap();
        assert_eq!(
            command,
            [
                "run",
                "my suite.yaml",
                "--model",
                "qwen",
                "--case",
                "a[[]1[]]",
                "--base-url",
                "http://127.0.0.1:9999/v1",
                "--stream",
                "--temperature",
                "0.5"
            ]
        );
        assert_eq!(rerun_command(&run(&json!({})), &CaseId::new("a")), None);
    }
}
