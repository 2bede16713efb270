//! Thousands of calls that were made in Home Assistant itself, made again in the simulator.
//!
//! `tools/home-assistant/compare.py` records them. Where Home Assistant's answer depends on
//! chance, each answer it may give counts as equal.

use std::io::Read;
use std::sync::{Arc, LazyLock};

use flate2::read::GzDecoder;
use regex::Regex;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use toolgauge_home_assistant::{HomeState, Inventory, Profile};

use super::homes::{path_of, world};

/// What of the messages must be the same to the letter. What is left are numbers beyond 64 bits,
/// whose digits are lost when JSON is read.
const LEAST_EQUAL: f64 = 0.999;

#[derive(Deserialize)]
struct Recording {
    sets: Vec<RecordedHome>,
}

#[derive(Deserialize)]
struct RecordedHome {
    name: String,
    inventory: Value,
    offer: Option<RecordedOffer>,
    calls: Vec<RecordedCall>,
}

/// What a model is told and offered, by satellite.
#[derive(Deserialize)]
struct RecordedOffer {
    prompts: Map<String, Value>,
    tools: Map<String, Value>,
}

#[derive(Deserialize)]
struct RecordedCall {
    tool: String,
    args: Map<String, Value>,
    satellite: Option<String>,
    #[serde(default)]
    continues_previous_state: bool,
    /// Missing where the call ended the turn.
    answer: Option<Value>,
    #[serde(default)]
    changes: Value,
    /// Whether Home Assistant gives other answers at other times, or a device remembered what no
    /// inventory tells.
    #[serde(default)]
    chance: bool,
}

/// In how far calls agree.
#[derive(Default)]
struct Agreement {
    calls: u32,
    /// Messages in other words than Home Assistant's.
    reworded: Vec<String>,
    /// Calls that fail or change something where Home Assistant does not, or the other way round.
    wrong: Vec<String>,
}

impl Agreement {
    fn check(&self) {
        assert!(self.wrong.is_empty(), "{}", self.wrong.join("\n"));
        let reworded = u32::try_from(self.reworded.len()).unwrap();
        let equal = 1.0 - f64::from(reworded) / f64::from(self.calls);
        assert!(
            equal >= LEAST_EQUAL,
            "only {equal:.4} of {} messages are equal\n{}",
            self.calls,
            self.reworded.join("\n")
        );
    }
}

static CURRENT: LazyLock<Recording> = LazyLock::new(|| recording("calls-2026.10.json.gz"));

fn recording(name: &str) -> Recording {
    let file = std::fs::File::open(path_of(name)).unwrap();
    let mut text = String::new();
    GzDecoder::new(file).read_to_string(&mut text).unwrap();
    serde_json::from_str(&text).unwrap()
}

#[test]
fn calls_made_in_home_assistant_come_to_the_same_here() {
    let mut agreement = Agreement::default();
    for home in &CURRENT.sets {
        replay(home, Profile::V2026_10, &mut agreement);
    }
    agreement.check();
}

#[test]
fn scenes_and_scripts_do_here_what_they_do_in_home_assistant() {
    for (name, profile) in [
        ("effects-2026.10.json.gz", Profile::V2026_10),
        ("effects-2026.2.json.gz", Profile::V2026_2),
    ] {
        let mut agreement = Agreement::default();
        for home in &recording(name).sets {
            replay(home, profile, &mut agreement);
        }
        agreement.check();
    }
}

/// What 2026.2 prints of its own registries is left out of the recording, and so is its live
/// context, where it tells the aliases of an area in any order.
#[test]
fn calls_made_in_2026_2_come_to_the_same_here() {
    let mut agreement = Agreement::default();
    for home in &recording("calls-2026.2.json.gz").sets {
        replay(home, Profile::V2026_2, &mut agreement);
    }
    agreement.check();
}

#[test]
fn prompts_and_tools_of_recorded_homes_are_the_same_to_the_letter() {
    for home in &CURRENT.sets {
        let Some(offer) = &home.offer else { continue };
        let world = world(&inventory(home), Profile::V2026_10);
        for (satellite, prompt) in &offer.prompts {
            let (system, tools) = world.at(Some(satellite)).unwrap();
            assert_eq!(Some(&*system), prompt.as_str(), "{} {satellite}", home.name);
            let tools = Value::Array(tools.iter().map(sent).collect()).to_string();
            let wanted = ordered(&offer.tools[satellite]).to_string();
            assert_eq!(tools, wanted, "{} {satellite}", home.name);
        }
    }
}

/// A tool with its keys in the order in which Home Assistant sends them.
fn sent(tool: &toolgauge_core::Tool) -> Value {
    let mut function = json!({"name": tool.name, "parameters": tool.parameters});
    if !tool.description.is_empty() {
        function["description"] = json!(tool.description);
    }
    ordered(&json!({"type": "function", "function": function}))
}

/// A value with the choices of `volume_step`, which come from a set, in one order.
fn ordered(value: &Value) -> Value {
    let text = value.to_string();
    serde_json::from_str(&text.replace(r#"["down","up"]"#, r#"["up","down"]"#)).unwrap()
}

fn inventory(home: &RecordedHome) -> Arc<Inventory> {
    Inventory::from_text(&home.name, &home.inventory.to_string()).unwrap()
}

fn replay(recorded: &RecordedHome, profile: Profile, agreement: &mut Agreement) {
    let world = world(&inventory(recorded), profile);
    let mut home = world.home(None).unwrap();
    for (at, call) in recorded.calls.iter().enumerate() {
        world.go_to(&mut home, call.satellite.as_deref()).unwrap();
        if !call.continues_previous_state {
            home.reset();
        }
        if let Some(wrong) = differs(&mut home, call, agreement) {
            let arguments = Value::Object(call.args.clone());
            let call = format!("{} call {at}: {} {arguments}", recorded.name, call.tool);
            agreement.wrong.push(format!("{call}\n  {wrong}"));
        }
    }
}

/// Makes a call. The words of its message are counted; anything else that differs is named.
fn differs(home: &mut HomeState, call: &RecordedCall, agreement: &mut Agreement) -> Option<String> {
    let before = home.clone();
    let reply = home.execute(&call.tool, &call.args);
    if call.chance {
        return None;
    }
    let Some(wanted) = &call.answer else {
        return (!reply.ends_turn).then(|| format!("goes on: {}", reply.content));
    };
    agreement.calls += 1;
    let got: Value = serde_json::from_str(&comparable(&reply.content)).unwrap();
    if chosen(&got) != chosen(wanted) {
        let call = format!("{} {}", call.tool, json!(call.args));
        agreement.reworded.push(format!("{call}\n  got    {got}\n  wanted {wanted}"));
    }
    if reply.ends_turn || got.get("error") != wanted.get("error") {
        return Some(format!("got    {got}\n  wanted {wanted}"));
    }
    let changes = comparable(&json!(home.changes_since(&before)).to_string());
    let changes: Value = serde_json::from_str(&changes).unwrap();
    (changes != call.changes).then(|| format!("changed {changes}\n  wanted  {}", call.changes))
}

/// A text without what no two runs share: moments, and the ids of timers and devices.
fn comparable(text: &str) -> String {
    static PARTS: LazyLock<[(Regex, &str); 3]> = LazyLock::new(|| {
        [
            (r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?\+00:00", "<T>"),
            (r#""id":"[0-9A-HJKMNP-TV-Z]{26}""#, r#""id":"<ID>""#),
            (r#""device_id":"[0-9a-z_]+""#, r#""device_id":"<DEV>""#),
        ]
        .map(|(pattern, name)| (Regex::new(pattern).unwrap(), name))
    });
    PARTS
        .iter()
        .fold(text.to_owned(), |text, (part, name)| part.replace_all(&text, *name).into_owned())
}

/// An answer, with what is left to chance in one order: services finish in any order, and the
/// targets that are named as failed are then any of them, as many as did fail.
fn chosen(answer: &Value) -> Value {
    let mut answer = answer.clone();
    if let Some(targets) = answer.pointer_mut("/data/data") {
        let list = |name: &str| targets.get(name).and_then(Value::as_array).cloned();
        let failed = list("failed").unwrap_or_default();
        let mut all: Vec<String> = list("success")
            .unwrap_or_default()
            .iter()
            .chain(&failed)
            .map(ToString::to_string)
            .collect();
        all.sort_unstable();
        *targets = json!({"targets": all, "failed": failed.len()});
    } else if let Some(text) = answer.pointer_mut("/data/error_text")
        && let Some((start, ids)) = text.as_str().and_then(|text| text.split_once(" for: "))
        && start.starts_with("Failed to call")
    {
        // Domains are a set, too, and the service is that of the last one.
        let mut ids: Vec<&str> = ids.trim_matches(['[', ']']).split(", ").collect();
        ids.sort_unstable();
        *text = json!(ids);
    }
    answer
}
