//! The classic rules, held against those of an independent program in Python on thousands of
//! replies that were spoiled in every way a model might.

#![expect(clippy::unwrap_used, reason = "a test may fail by panicking")]

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Map, Value, json};
use toolgauge_core::{
    Alternative, Case, Expectation, Fix, Message, Outcome, Quality, ResponseKind, Tool, Transcript,
};
use toolgauge_score::Scorer;
use toolgauge_testkit::skip_check;

/// How many spoiled replies each case gets.
const ROUNDS: usize = 400;

/// Whether there is a Python to ask. Where there must be one, its absence is a failure.
fn has_python() -> bool {
    let found = Command::new("python3").arg("--version").output().is_ok();
    if !found {
        skip_check("`python3`", "TOOLGAUGE_REQUIRE_PYTHON");
    }
    found
}

/// A small generator of numbers, the same every time.
struct Dice(u64);

impl Dice {
    /// A number below `sides`, by the generator `SplitMix64`.
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((z ^ (z >> 31)) % sides as u64).unwrap()
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.roll(from.len())]
    }
}

/// The tools by name, each with its parameters.
fn tools() -> Value {
    json!({
        "HassTurnOn": ["name", "area", "domain"],
        "HassTurnOff": ["name", "area", "domain"],
        "HassLightSet": ["name", "brightness", "color"],
        "HassClimateSetTemperature": ["temperature", "name"],
        "HassGetState": ["name", "domain"],
        "HassGetWeather": ["name"],
        "HassNevermind": [],
    })
}

fn call(name: &str, arguments: Value) -> Value {
    Map::from_iter([("name".to_owned(), json!(name)), ("arguments".to_owned(), arguments)]).into()
}

/// One case of each kind and rule.
fn cases() -> Vec<Value> {
    let lamp = || call("HassTurnOn", json!({"name": "Floor Lamp", "domain": ["light"]}));
    let lock = || call("HassTurnOn", json!({"name": "Front Door", "domain": ["lock"]}));
    let never = || call("HassNevermind", json!({}));
    let case = |kind: &str, expected: Value, alternatives: Value| json!({"kind": kind, "expected": expected, "alternatives": alternatives});
    vec![
        case("action", json!([lamp()]), json!([])),
        case("action", json!([lamp(), lock()]), json!([])),
        case(
            "action",
            json!([lamp(), lamp()]),
            json!([{"calls": [lamp()], "quality": "degraded"}]),
        ),
        case(
            "action",
            json!([call("HassLightSet", json!({"name": "Lamp", "brightness": 40}))]),
            json!([
                {"calls": [call("HassLightSet", json!({"brightness": 50.0, "color": "Red"}))],
                 "quality": "acceptable"},
                {"calls": [], "quality": "equivalent", "kind": "text"},
            ]),
        ),
        case(
            "action",
            json!([call("HassTurnOff", json!({"name_any_of": ["TV", "Telly", 7]}))]),
            json!([{"calls": [call("HassTurnOff", json!({"area_any_of": "den", "domain": ["tv", "media"]}))],
                    "quality": "equivalent"}]),
        ),
        case(
            "action",
            json!([call("HassTurnOn", json!({})), lamp()]),
            json!([{"calls": [lamp(), call("HassTurnOn", json!({}))], "quality": "acceptable"}]),
        ),
        case(
            "query",
            json!([call("HassGetState", json!({"name": "Window", "domain": ["binary_sensor"]}))]),
            json!([
                {"calls": [call("HassGetWeather", json!({}))], "quality": "acceptable"},
                {"calls": [never()], "quality": "degraded", "kind": "action"},
            ]),
        ),
        case(
            "action",
            json!([call("HassClimateSetTemperature", json!({"temperature": 21.5}))]),
            json!([]),
        ),
        case(
            "text",
            json!([]),
            json!([{"calls": [never()], "quality": "acceptable", "kind": "action"}]),
        ),
        case(
            "clarification",
            json!([]),
            json!([{"calls": [call("HassTurnOn", json!({"area": "Kitchen"}))],
                    "quality": "degraded", "kind": "action"}]),
        ),
        case("error", json!([]), json!([])),
    ]
}

/// A right answer to a case, by the case itself or one of its alternatives.
fn answer(case: &Value, dice: &mut Dice) -> Vec<(String, String)> {
    let mut ways = vec![&case["expected"]];
    ways.extend(case["alternatives"].as_array().unwrap().iter().map(|other| &other["calls"]));
    let mut calls = Vec::new();
    for call in dice.pick(&ways).as_array().unwrap() {
        let arguments = call["arguments"].as_object().unwrap();
        let mut made = Map::new();
        for (key, value) in arguments {
            match key.strip_suffix("_any_of") {
                Some(key) => {
                    let choices = value.as_array().cloned().unwrap_or(vec![value.clone()]);
                    made.insert(key.to_owned(), dice.pick(&choices).clone());
                }
                None => drop(made.insert(key.clone(), value.clone())),
            }
        }
        calls.push((call["name"].as_str().unwrap().to_owned(), Value::Object(made).to_string()));
    }
    calls
}

/// Spoils calls in one way.
fn spoil(calls: &mut Vec<(String, String)>, dice: &mut Dice) {
    let names = ["HassTurnOn", "HassGetState", "HassToggle", "hassturnon", "HassNevermind", ""];
    let texts = [
        "",
        "null",
        "{",
        "{\"name\": \"Floor",
        "[]",
        "\"Floor Lamp\"",
        "Floor Lamp",
        "7",
        "true",
        " {} ",
        "{\"_raw\": 1}",
        "['light']",
        "21.5",
        "{\"name\": \"Floor Lamp\"}\"",
        "{}\"\" ",
        "{}'",
        "{\"name\": NaN}",
        "{\"brightness\": -Infinity}",
        "{\"name\": \"Floor Lamp\", \"brightness\": 100000000000000000001, \"n\": NaN}",
    ];
    let spare = ((*dice.pick(&names)).to_owned(), "{\"name\": \"floor lamp\"}".to_owned());
    match dice.roll(12) {
        0 => calls.push(spare),
        1 => drop(calls.pop()),
        2 => calls.reverse(),
        3 => calls.extend(calls.first().cloned()),
        4 => {
            if let Some(call) = calls.first_mut() {
                call.0 = spare.0;
            }
        }
        5 => {
            if let Some(call) = calls.last_mut() {
                (*dice.pick(&texts)).clone_into(&mut call.1);
            }
        }
        _ => {
            let at = dice.roll(calls.len().max(1));
            if let Some(call) = calls.get_mut(at)
                && let Ok(Value::Object(mut arguments)) = serde_json::from_str(&call.1)
            {
                spoil_arguments(&mut arguments, dice);
                call.1 = Value::Object(arguments).to_string();
            }
        }
    }
}

/// Drops, renames or adds an argument, or gives one another value.
fn spoil_arguments(arguments: &mut Map<String, Value>, dice: &mut Dice) {
    let extra = ["area", "_raw", "name", "name_any_of", "device_class"];
    let keys: Vec<String> = arguments.keys().cloned().collect();
    if keys.is_empty() || dice.roll(8) == 0 {
        arguments.insert((*dice.pick(&extra)).to_owned(), json!("Kitchen"));
        return;
    }
    let key = dice.pick(&keys).clone();
    match dice.roll(4) {
        0 => drop(arguments.shift_remove(&key)),
        1 => {
            let value = arguments.shift_remove(&key).unwrap();
            arguments.insert(key.to_uppercase(), value);
        }
        _ => {
            let value = other_value(&arguments[&key], dice);
            arguments.insert(key, value);
        }
    }
}

/// A value that differs in type, case, white space, order or amount; by some rules the same.
fn other_value(value: &Value, dice: &mut Dice) -> Value {
    let others = [
        json!(null),
        json!(""),
        json!(0),
        json!(true),
        json!(1.0),
        json!([]),
        json!({"a": [1]}),
        json!("None"),
        json!(value.to_string()),
        json!([value]),
        json!({"name": value}),
    ];
    match (value, dice.roll(4)) {
        (_, 0) => dice.pick(&others).clone(),
        (Value::String(text), 1) => json!(text.to_uppercase()),
        (Value::String(text), 2) => json!(format!(" \t{}\u{1f}\u{a0}", text.to_lowercase())),
        (Value::String(text), _) => json!(text.replace(' ', "  ")),
        (Value::Number(number), 1) => json!(number.as_f64().unwrap() + 0.01),
        (Value::Number(number), 2) => json!(number.as_f64().unwrap() - 0.0099),
        (Value::Number(number), _) => json!(number.to_string()),
        (Value::Array(items), 1) => items.iter().rev().cloned().collect(),
        (Value::Array(items), 2) => {
            items.iter().map(|item| json!(item.to_string().to_uppercase())).collect()
        }
        (Value::Array(items), _) => items.iter().chain(items).cloned().collect(),
        (other, _) => other.clone(),
    }
}

/// A case with a reply, as the other program reads it.
fn put(case: &Value, fixes: &[Fix], dice: &mut Dice) -> Value {
    let mut calls = answer(case, dice);
    for _ in 0..dice.roll(4) {
        spoil(&mut calls, dice);
    }
    let call = |(name, arguments): &(String, String)| json!({"id": "1", "type": "function", "function": {"name": name, "arguments": arguments}});
    let calls: Vec<Value> = calls.iter().map(call).collect();
    let content = dice.pick(&["", " ", "Done.", "Which lamp?", "{\"name\": \"HassTurnOn\"}"]);
    let mut case = case.clone();
    case["reply"] = json!({"role": "assistant", "content": content, "tool_calls": calls});
    case["tools"] = tools();
    case["fixes"] = fixes.iter().map(|fix| fix.name()).collect();
    case
}

fn kind(name: &Value) -> Option<ResponseKind> {
    name.as_str().map(|_| serde_json::from_value(name.clone()).unwrap())
}

fn ours(case: &Value, fixes: &[Fix]) -> Value {
    let read = |calls: &Value| serde_json::from_value(calls.clone()).unwrap();
    let alternatives = case["alternatives"].as_array().unwrap().iter().map(|other| Alternative {
        calls: read(&other["calls"]),
        response: kind(&other["kind"]),
        quality: serde_json::from_value(other["quality"].clone()).unwrap(),
        reason: None,
    });
    let expectation = Expectation {
        calls: Some(read(&case["expected"])),
        response: kind(&case["kind"]),
        alternatives: alternatives.collect(),
        ..Expectation::default()
    };
    let tools = case["tools"].as_object().unwrap().iter().map(|(name, parameters)| {
        let parameters = parameters.as_array().unwrap().iter();
        let parameters: Map<String, Value> =
            parameters.map(|name| (name.as_str().unwrap().to_owned(), json!({}))).collect();
        Tool {
            name: name.clone(),
            description: String::new(),
            parameters: json!({"type": "object", "properties": parameters}),
        }
    });
    let tools: Vec<Tool> = tools.collect();
    let messages = vec![Message::from_openai(&case["reply"]).unwrap()];
    let transcript = Transcript { messages, ..Transcript::default() };
    let case = Case { expectation, ..Case::new("c", "a sentence") };
    let scorer = Scorer::by_name("tool_calls_classic").unwrap().fixed(fixes);
    let Outcome::Scored(score) = scorer.score(&case, &tools, &transcript) else {
        panic!("the classic rules judge everything")
    };
    let letters: String = score.dimensions.values().map(|verdict| verdict.letter()).collect();
    json!({
        "right": score.value >= 1.0,
        "dimensions": letters,
        "quality": score.quality.map(Quality::name),
    })
}

fn theirs(cases: &[Value]) -> Vec<Value> {
    let peer = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../benches/classic_peer.py");
    let mut python = Command::new("python3")
        .arg(peer)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = python.stdin.take().unwrap();
    let lines: Vec<String> = cases.iter().map(Value::to_string).collect();
    let lines = lines.join("\n");
    let writer = std::thread::spawn(move || stdin.write_all(lines.as_bytes()).unwrap());
    let output = python.wait_with_output().unwrap();
    writer.join().unwrap();
    assert!(output.status.success(), "the Python program failed");
    let lines = String::from_utf8(output.stdout).unwrap();
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn verdicts_and_dimensions_agree_with_python_on_spoiled_replies() {
    if !has_python() {
        return;
    }
    let mut dice = Dice(1);
    let all: &[Fix] = &Fix::ALL;
    for fixes in [&[], all, &all[..1], &all[1..2], &all[2..]] {
        let mut put_to = Vec::new();
        for case in cases() {
            put_to.extend((0..ROUNDS).map(|_| put(&case, fixes, &mut dice)));
        }
        let theirs = theirs(&put_to);
        let mut right = 0;
        for (case, theirs) in put_to.iter().zip(&theirs) {
            let ours = ours(case, fixes);
            assert_eq!(&ours, theirs, "{case:#}");
            right += usize::from(ours["right"] == true);
        }
        // Replies that are all right or all wrong would agree however bad the rules are.
        assert_eq!(theirs.len(), put_to.len());
        assert!(right * 5 > put_to.len() && right * 5 < put_to.len() * 4, "{right} right");
    }
}

#[test]
fn a_fix_accepts_what_an_alternative_says_and_nothing_else() {
    let mut case = cases()[8].clone();
    case["tools"] = tools();
    let call = json!({"function": {"name": "HassNevermind", "arguments": "{}"}});
    case["reply"] = json!({"role": "assistant", "content": "", "tool_calls": [call]});
    assert_eq!(ours(&case, &[])["right"], false);
    assert_eq!(ours(&case, &[Fix::Text])["right"], false);
    assert_eq!(ours(&case, &[Fix::AlternativeKinds])["right"], true);
    case["reply"] = json!({"role": "assistant", "content": " "});
    assert_eq!(ours(&case, &[Fix::AlternativeKinds])["right"], true);
    assert_eq!(ours(&case, &[Fix::Text])["right"], false);
}
