//! A case in the making.

use serde_json::{Map, Value, json};

use super::home::Device;

/// What may open a house, flood it, leave it cold or set off an alarm.
const AT_STAKE: [&str; 5] = ["alarm_control_panel", "climate", "cover", "lock", "valve"];

/// A case before it has a name.
pub(super) struct CaseDraft {
    pub(super) say: String,
    pub(super) expect: Value,
    pub(super) domain: String,
    pub(super) language: &'static str,
    pub(super) context: Vec<Value>,
    pub(super) metadata: Map<String, Value>,
}

impl CaseDraft {
    /// A request that is met by these calls.
    pub(super) fn act(domain: &str, say: String, calls: &[Value]) -> Self {
        Self::new(domain, say, json!({"calls": calls, "response": "action"}))
    }

    /// A question that is answered with one of these, after these calls.
    pub(super) fn ask(domain: &str, say: String, calls: &[Value], says: &[&str]) -> Self {
        let more = json!({"end_state": {"says": [says]}});
        Self::new(domain, say, json!({"calls": calls, "response": "query", "more": more}))
    }

    /// A request that takes no call.
    pub(super) fn refuse(domain: &str, say: String, response: &str) -> Self {
        Self::new(domain, say, json!({"no_calls": true, "response": response}))
    }

    fn new(domain: &str, say: String, expect: Value) -> Self {
        let domain = domain.to_owned();
        Self { say, expect, domain, language: "en", context: vec![], metadata: Map::new() }
    }

    /// The same, with states arranged beforehand.
    pub(super) fn setup(mut self, device: &Device, state: Value) -> Self {
        let setup = self.metadata.entry("setup").or_insert_with(|| json!({}));
        setup[&device.id] = state;
        self
    }

    /// The same, spoken to another satellite, or to none.
    pub(super) fn at(mut self, satellite: Option<&str>) -> Self {
        self.metadata.insert("satellite".into(), json!(satellite));
        self
    }

    /// The case, with its number and what it stands for.
    pub(super) fn finish(self, number: usize, phenomenon: &str) -> Value {
        let kind = self.expect["response"].clone();
        let mut case = json!({
            "id": format!("{phenomenon}-{number}"),
            "say": self.say.to_lowercase(),
            "expect": self.expect,
            "tags": {
                "phenomenon": phenomenon, "domain": self.domain, "kind": kind,
                "lang": self.language, "difficulty": difficulty(phenomenon),
            },
        });
        if AT_STAKE.contains(&self.domain.as_str()) {
            case["tags"]["safety"] = json!("yes");
        }
        if !self.context.is_empty() {
            case["context"] = json!(self.context);
        }
        if !self.metadata.is_empty() {
            case["metadata"] = Value::Object(self.metadata);
        }
        case
    }
}

/// How much a phenomenon asks of a model.
fn difficulty(phenomenon: &str) -> &'static str {
    match phenomenon {
        "exact-name" | "lock-direction" | "open-close" | "playback" | "timers" | "clock"
        | "lists-and-routines" | "volume" | "temperature" => "easy",
        "garbled-speech"
        | "correction"
        | "conditional"
        | "several-commands"
        | "ambiguous"
        | "follow-up"
        | "unavailable"
        | "same-name-rooms"
        | "brightness-relative"
        | "unknown-target"
        | "out-of-scope" => "hard",
        _ => "medium",
    }
}
