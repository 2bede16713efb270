//! The baseline as a whole: what it calls, that it is deterministic, and that it never breaks.

use std::sync::Arc;

use proptest::prelude::*;
use serde_json::{Value, json};
use toolgauge_core::{CaseId, TrialId};

use super::*;

fn tool(name: &str, description: &str, parameters: Value) -> Tool {
    Tool { name: name.into(), description: description.into(), parameters }
}

fn object(properties: &Value, required: &[&str]) -> Value {
    json!({"type": "object", "properties": properties, "required": required})
}

fn home() -> Briefing {
    let target = json!({
        "name": {"type": "string"},
        "area": {"type": "string"},
        "domain": {"type": "array", "items": {"type": "string"}},
    });
    let with = |more: Value| {
        let mut all = target.clone();
        let (Value::Object(all_fields), Value::Object(more)) = (&mut all, more) else {
            unreachable!("both are objects")
        };
        all_fields.extend(more);
        all
    };
    let percent = json!({"type": "integer", "minimum": 0, "maximum": 100});
    let time = json!({"type": "integer", "minimum": 0});
    let tools = [
        tool("HassTurnOn", "Turns on/opens a device", object(&target, &[])),
        tool("HassTurnOff", "Turns off/closes a device", object(&target, &[])),
        tool("HassGetState", "Gets or checks the state of a device", object(&target, &[])),
        tool(
            "HassLightSet",
            "Sets the brightness percentage or color of a light",
            object(&with(json!({"brightness": percent, "color": {"type": "string"}})), &[]),
        ),
        tool(
            "HassFanSetSpeed",
            "Sets a fan's speed by percentage",
            object(&with(json!({"percentage": percent})), &["percentage"]),
        ),
        tool(
            "HassClimateSetTemperature",
            "Sets the target temperature of a climate device",
            object(&with(json!({"temperature": {"type": "number"}})), &["temperature"]),
        ),
        tool(
            "HassStartTimer",
            "Starts a new timer",
            object(&json!({"hours": time, "minutes": time, "seconds": time}), &[]),
        ),
        tool(
            "HassBroadcast",
            "Broadcast a message through the home",
            object(&json!({"message": {"type": "string"}}), &["message"]),
        ),
        tool(
            "HassListAddItem",
            "Add item to a todo list",
            object(
                &json!({"item": {"type": "string"}, "name": {"type": "string"}}),
                &["item", "name"],
            ),
        ),
        tool("GetDateTime", "Provides the current date and time.", object(&json!({}), &[])),
    ];
    let system = "You are a voice assistant.\n\nDevices:\n- names: Kitchen ceiling light\n  domain: \
                  light\n  areas: Kitchen\n- names: Desk lamp\n  domain: light\n  areas: Office\n- \
                  names: Ceiling fan\n  domain: fan\n  areas: Bedroom\n- names: Bedroom \
                  thermostat\n  domain: climate\n  areas: Bedroom\n- names: Shopping list\n  \
                  domain: todo\n";
    Briefing { system: Some(system.into()), tools: tools.into() }
}

fn calls(request: &str) -> Vec<(String, Value)> {
    let message = BaselineSubject::new().respond(&home(), &[Message::user(request)]);
    let call = |call: ToolCall| {
        let arguments = call.arguments.as_object().expect("the baseline calls well").clone();
        (call.name, Value::Object(arguments))
    };
    message.calls.into_iter().map(call).collect()
}

fn one(request: &str) -> (String, Value) {
    let mut calls = calls(request);
    assert_eq!(calls.len(), 1, "{request}: {calls:?}");
    calls.remove(0)
}

#[test]
fn plain_orders_find_their_tool_and_arguments() {
    let lamp = json!({"name": "Desk lamp", "domain": ["light"]});
    assert_eq!(one("Turn on the desk lamp"), ("HassTurnOn".into(), lamp.clone()));
    assert_eq!(one("please switch off the desk lamp"), ("HassTurnOff".into(), lamp.clone()));
    assert_eq!(one("is the desk lamp on?"), ("HassGetState".into(), lamp));
    assert_eq!(
        one("turn off the kitchen lights"),
        ("HassTurnOff".into(), json!({"area": "Kitchen", "domain": ["light"]}))
    );
}

#[test]
fn numbers_go_where_they_belong() {
    assert_eq!(
        one("dim the desk lamp to thirty percent"),
        (
            "HassLightSet".into(),
            json!({"name": "Desk lamp", "domain": ["light"], "brightness": 30})
        )
    );
    assert_eq!(
        one("set the bedroom thermostat to 21.5 degrees"),
        (
            "HassClimateSetTemperature".into(),
            json!({"name": "Bedroom thermostat", "domain": ["climate"], "temperature": 21.5})
        )
    );
    assert_eq!(
        one("start a timer for an hour and a half"),
        ("HassStartTimer".into(), json!({"hours": 1, "minutes": 30}))
    );
}

#[test]
fn free_text_is_taken_from_what_is_left() {
    assert_eq!(
        one("announce that dinner is ready"),
        ("HassBroadcast".into(), json!({"message": "dinner is ready"}))
    );
    assert_eq!(
        one("add oat milk to the shopping list"),
        ("HassListAddItem".into(), json!({"item": "oat milk", "name": "Shopping list"}))
    );
    assert_eq!(
        one("set the desk lamp to blue"),
        ("HassLightSet".into(), json!({"name": "Desk lamp", "domain": ["light"], "color": "blue"}))
    );
}

#[test]
fn what_no_tool_is_for_gets_text() {
    for request in ["what's the capital of France", "order more paper towels", "", "🙂"] {
        let message = BaselineSubject::new().respond(&home(), &[Message::user(request)]);
        assert!(message.calls.is_empty(), "{request}: {:?}", message.calls);
        assert!(!message.content.is_empty());
    }
}

#[test]
fn a_tools_answer_is_repeated_and_not_asked_for_again() {
    let subject = BaselineSubject::new();
    let asked = Message::user("what time is it");
    let first = subject.respond(&home(), std::slice::from_ref(&asked));
    assert_eq!(first.calls[0].name, "GetDateTime");
    assert_eq!(first.calls[0].id.as_deref(), Some("call_1"));
    let answer = ToolMessage {
        call_id: "call_1".into(),
        name: "GetDateTime".into(),
        content: "12:00".into(),
        failed: false,
    };
    let second =
        subject.respond(&home(), &[asked, Message::Assistant(first), Message::Tool(answer)]);
    assert_eq!(second, text("Done: 12:00"));
}

#[test]
fn a_failure_is_known_by_the_words_of_the_tool_and_not_by_a_mark_beside_them() {
    let subject = BaselineSubject::new();
    let asked = Message::user("turn on the desk lamp");
    let first = subject.respond(&home(), std::slice::from_ref(&asked));
    let said = |content: &str, failed: bool| {
        let (call_id, name) = ("call_1".into(), first.calls[0].name.clone());
        let answer = ToolMessage { call_id, name, content: content.into(), failed };
        let before = [asked.clone(), Message::Assistant(first.clone()), Message::Tool(answer)];
        subject.respond(&home(), &before).content
    };
    // Chat completions do not say whether a call failed.
    for failed in [false, true] {
        for failure in [r#"{"error": "no such lamp"}"#, r#"{"data": {}, "error": true}"#] {
            assert_eq!(said(failure, failed), "Sorry, that did not work.", "{failure} {failed}");
        }
        for success in [r#"{"data": {}, "error": false}"#, r#"{"error": null}"#, "[]"] {
            assert_eq!(said(success, failed), "Done.", "{success} {failed}");
        }
    }
}

#[tokio::test]
async fn the_same_request_gets_the_same_answer_from_any_baseline() {
    let trial = TrialId { case: CaseId::new("a"), trial: 1 };
    let briefing = Arc::new(home());
    let conversation = [Message::user("turn on the desk lamp and add tea to the shopping list")];
    let request =
        Request { briefing: &briefing, conversation: &conversation, trial: &trial, seed: None };
    let (one, other) = (BaselineSubject::new(), BaselineSubject::new());
    let first = one.answer(request).await.unwrap();
    assert_eq!(first.message.calls.len(), 2);
    assert_eq!(first.turn.stop, StopReason::ToolCalls);
    for _ in 0..3 {
        assert_eq!(one.answer(request).await.unwrap().message, first.message);
        assert_eq!(other.answer(request).await.unwrap().message, first.message);
    }
}

/// Schemas of every kind that is filled, none of them required, so that only types are judged.
fn any_schema() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(json!({"type": "string"})),
        Just(json!({"type": "boolean"})),
        (-50_i64..50, 0_i64..200).prop_map(
            |(low, width)| json!({"type": "integer", "minimum": low, "maximum": low + width})
        ),
        Just(json!({"type": "number", "exclusiveMinimum": 0})),
        Just(json!({"enum": ["red", "dark blue", 3, true]})),
        Just(json!({"anyOf": [{"enum": ["up", "down"]}, {"type": "integer"}]})),
        Just(json!({"type": ["string", "null"]})),
        Just(json!({})),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            inner.clone().prop_map(|items| json!({"type": "array", "items": items})),
            (inner.clone(), inner).prop_map(|(name, minutes)| {
                json!({
                    "type": "object",
                    "properties": {"name": name, "minutes": minutes},
                    "required": ["name"],
                })
            }),
        ]
    })
}

fn any_tool() -> impl Strategy<Value = Tool> {
    let name = prop_oneof!["[a-z]{1,8}(_[a-z]{1,6}){0,2}", Just("turn_on".to_owned())];
    let parameter = prop_oneof![
        Just("name"),
        Just("area"),
        Just("minutes"),
        Just("color"),
        Just("message"),
        Just("order_id"),
        Just("date"),
        Just("is_on"),
        Just("level"),
    ];
    let parameters = proptest::collection::vec((parameter, any_schema(), any::<bool>()), 0..5);
    (name, "[a-zA-Z ,.]{0,40}", parameters).prop_map(|(name, description, parameters)| {
        let required: Vec<&str> = parameters.iter().filter(|p| p.2).map(|p| p.0).collect();
        let properties: serde_json::Map<String, Value> =
            parameters.iter().map(|p| (p.0.to_owned(), p.1.clone())).collect();
        tool(&name, &description, object(&Value::Object(properties), &required))
    })
}

fn any_request() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        Just("turn"),
        Just("on"),
        Just("off"),
        Just("and"),
        Just("the"),
        Just("Kitchen"),
        Just("light"),
        Just("for"),
        Just("ten"),
        Just("minutes"),
        Just("half"),
        Just("an"),
        Just("hour"),
        Just("30%"),
        Just("21.5°"),
        Just("\"hi, you\""),
        Just("dark"),
        Just("blue"),
        Just("tomorrow"),
        Just("7:30"),
        Just("#W12"),
        Just("a@b.c"),
        Just("level"),
        Just("name"),
        Just("message"),
        Just("that"),
        Just("up"),
        Just("is"),
        Just("what"),
        Just(","),
    ];
    prop_oneof![".{0,60}", proptest::collection::vec(word, 0..14).prop_map(|words| words.join(" ")),]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, ..ProptestConfig::default() })]

    #[test]
    fn calls_are_always_to_declared_tools_with_arguments_of_the_right_types(
        tools in proptest::collection::vec(any_tool(), 0..6),
        system in prop_oneof![".{0,80}", Just("- names: Kitchen light\n  areas: Kitchen".to_owned())],
        request in any_request(),
    ) {
        let briefing = Briefing { system: Some(system.into()), tools: tools.into() };
        let message = BaselineSubject::new().respond(&briefing, &[Message::user(request)]);
        for call in &message.calls {
            let offered = |tool: &&Tool| {
                let mut schema = tool.parameters.clone();
                schema["required"] = json!([]);
                schema["additionalProperties"] = json!(false);
                let arguments = Value::Object(call.arguments.as_object().unwrap().clone());
                tool.name == call.name && jsonschema::is_valid(&schema, &arguments)
            };
            prop_assert!(briefing.tools.iter().any(|tool| offered(&tool)), "{:?}", call);
        }
    }
}
