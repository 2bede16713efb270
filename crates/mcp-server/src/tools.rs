//! The tools: what each takes, and the command line that it becomes.

use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::error::McpServerError;
use crate::folder::AllowedFolder;

/// The most cases and trials of one run.
const MOST_CASES: u32 = 500;
const MOST_TRIALS: u32 = 20;

/// How many cases a run has unless more are asked for: enough for a first look, within seconds.
const USUAL_CASES: u32 = 40;

/// What every tool may use.
#[derive(Clone, Debug)]
pub(crate) struct Rules {
    pub(crate) folder: AllowedFolder,
    /// The models that may be measured, as `run --model` takes them. The first is the default.
    pub(crate) models: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RunCall {
    suite: String,
    model: Option<String>,
    case: Option<String>,
    cases: Option<u32>,
    trials: Option<u32>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LogCall {
    #[serde(default = "last")]
    log: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CompareCall {
    before: String,
    #[serde(default = "last")]
    after: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CheckCall {
    suite: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PromptCall {
    suite: String,
    case: String,
}

fn last() -> String {
    "last".to_owned()
}

impl Rules {
    /// The arguments of `toolgauge` for a call of a tool.
    pub(crate) fn command(
        &self,
        tool: &str,
        arguments: JsonObject,
    ) -> Result<Vec<String>, McpServerError> {
        let arguments = Value::Object(arguments);
        Ok(match tool {
            "run" => self.run(serde_json::from_value(arguments)?)?,
            "summary" => {
                let call: LogCall = serde_json::from_value(arguments)?;
                vec!["summary".to_owned(), self.log(&call.log)?]
            }
            "failing_cases" => {
                let call: LogCall = serde_json::from_value(arguments)?;
                vec!["summary".to_owned(), self.log(&call.log)?, "--failing".to_owned()]
            }
            "compare" => {
                let call: CompareCall = serde_json::from_value(arguments)?;
                vec!["compare".to_owned(), self.log(&call.before)?, self.log(&call.after)?]
            }
            "check" => {
                let call: CheckCall = serde_json::from_value(arguments)?;
                vec!["check".to_owned(), self.suite(&call.suite)?]
            }
            "prompt" => {
                let call: PromptCall = serde_json::from_value(arguments)?;
                let case = format!("--case={}", call.case);
                let one = "--limit=1".to_owned();
                vec!["prompt".to_owned(), self.suite(&call.suite)?, case, one, "--pretty".into()]
            }
            other => return Err(McpServerError::NoTool(other.to_owned())),
        })
    }

    fn run(&self, call: RunCall) -> Result<Vec<String>, McpServerError> {
        let model = self.model(call.model)?;
        let cases = within("cases", call.cases.unwrap_or(USUAL_CASES), MOST_CASES)?;
        let trials = within("trials", call.trials.unwrap_or(1), MOST_TRIALS)?;
        // `--flag=value` in one word: no value can be taken for a flag.
        let mut line = vec![
            "run".to_owned(),
            self.suite(&call.suite)?,
            format!("--model={model}"),
            format!("--trials={trials}"),
            format!("--sample={cases}"),
        ];
        line.extend(call.case.map(|case| format!("--case={case}")));
        Ok(line)
    }

    fn model(&self, asked: Option<String>) -> Result<String, McpServerError> {
        let Some(asked) = asked else { return Ok(self.models[0].clone()) };
        // Nothing but the names themselves: `--model a,b` is two models, and `command:…` a program.
        if !self.models.contains(&asked) {
            return Err(McpServerError::Model { asked, known: self.models.clone() });
        }
        Ok(asked)
    }

    /// A suite file or folder, as a path that is no flag; or the name of a shipped suite.
    fn suite(&self, name: &str) -> Result<String, McpServerError> {
        if let Some(path) = self.folder.find(name)? {
            return Ok(path.to_string_lossy().into_owned());
        }
        let is_name = name.chars().all(|c| c.is_ascii_lowercase() || c == '-');
        if !is_name || name.starts_with('-') || name.is_empty() {
            return Err(McpServerError::NoSuite(name.to_owned()));
        }
        Ok(name.to_owned())
    }

    fn log(&self, name: &str) -> Result<String, McpServerError> {
        if name == "last" {
            return Ok(name.to_owned());
        }
        let path = self.folder.find(name)?;
        let path = path.ok_or_else(|| McpServerError::NoLog(name.to_owned()))?;
        Ok(path.to_string_lossy().into_owned())
    }

    /// The tools, as a client lists them.
    pub(crate) fn tools(&self) -> Vec<Tool> {
        let suite = text(
            "A suite file or folder below the server's folder, or a shipped suite: everyday, home-assistant, property-manager, workbench",
        );
        let log = text("A log (.eval) below the server's folder, or `last`, the newest one");
        let model = json!({"type": "string", "enum": self.models,
            "description": format!("What to measure [default: {}]", self.models[0])});
        let number = |most: u32, words: &str| json!({"type": "integer", "minimum": 1, "maximum": most, "description": words});
        let run = json!({
            "suite": suite,
            "model": model,
            "case": text("Only cases whose id matches this pattern, such as `timer-*`"),
            "cases": number(MOST_CASES, "At most this many cases, the same ones each time [default: 40]"),
            "trials": number(MOST_TRIALS, "How often each case is put to the model [default: 1]"),
        });
        vec![
            // A run asks a model server and writes a log; nothing else changes anything.
            tool("run", "Run a suite on a model and print the verdict, the score with its 95 % interval, the worst cases and the path of the log", &run, &["suite"])
                .with_annotations(ToolAnnotations::new().read_only(false).destructive(false).open_world(true)),
            tool("summary", "Print every figure of a run from its log", &json!({"log": log}), &[]),
            tool("failing_cases", "Print the cases of a run that did not pass: the question, the answer, the calls, and what was expected", &json!({"log": log}), &[]),
            tool("compare", "Say whether one run is better than another by more than chance, and which cases were fixed or broken", &json!({"before": log, "after": log}), &["before"]),
            tool("check", "Check a suite without running it, and print every problem with file and line", &json!({"suite": suite}), &["suite"]),
            tool("prompt", "Print the exact request that is sent to a model for the first matching case", &json!({"suite": suite, "case": text("The id of a case, or a pattern")}), &["suite", "case"]),
        ]
    }
}

fn within(name: &'static str, value: u32, most: u32) -> Result<u32, McpServerError> {
    if (1..=most).contains(&value) { Ok(value) } else { Err(McpServerError::Range { name, most }) }
}

fn text(description: &str) -> Value {
    json!({"type": "string", "description": description})
}

/// A tool that only reads.
fn tool(
    name: &'static str,
    description: &'static str,
    properties: &Value,
    required: &[&str],
) -> Tool {
    let schema = json!({"type": "object", "properties": properties, "required": required,
        "additionalProperties": false});
    let Value::Object(schema) = schema else { unreachable!("the literal above is an object") };
    Tool::new(name, description, schema)
        .with_annotations(ToolAnnotations::new().read_only(true).open_world(false))
}
