//! What is a call in a text, and what only looks like one.

use serde_json::{Value, json};
use toolgauge_core::Arguments;

use super::*;

fn tools() -> Vec<Tool> {
    let tool = |name: &str, parameters: &[&str]| Tool {
        name: name.into(),
        description: String::new(),
        parameters: json!({
            "type": "object",
            "properties": parameters.iter().map(|p| ((*p).to_owned(), json!({}))).collect::<serde_json::Map<_, _>>(),
        }),
    };
    vec![
        tool("turn_on", &["name", "area"]),
        tool("set_light", &["name", "brightness"]),
        tool("now", &[]),
    ]
}

/// The calls in a text as `name{arguments}`; malformed ones as `name!`.
fn shown(text: &str) -> Vec<String> {
    let show = |call: ToolCall| match call.arguments {
        Arguments::Object(object) => format!("{}{}", call.name, Value::Object(object)),
        Arguments::Malformed { .. } => format!("{}!", call.name),
    };
    calls(text, &tools()).into_iter().map(show).collect()
}

const LAMP: &str = r#"turn_on{"name":"Lamp"}"#;

#[test]
fn every_notation_is_recognised() {
    for text in [
        r#"<tool_call>{"name": "turn_on", "arguments": {"name": "Lamp"}}</tool_call>"#,
        "Sure!\n<tool_call>\n{\"name\": \"turn_on\", \"arguments\": {\"name\": \"Lamp\"}}",
        r#"<tool_call>{"name": "turn_on", "arguments": "{\"name\": \"Lamp\"}"}</tool_call>"#,
        r#"<tool_call>[{"name": "turn_on", "parameters": {"name": "Lamp"}}]</tool_call>"#,
        "<tool_call>\n<function=turn_on>\n<parameter=name>\nLamp\n</parameter>\n</function>\n</tool_call>",
        "<tool_call>turn_on\n<arg_key>name</arg_key>\n<arg_value>Lamp</arg_value>\n</tool_call>",
        r#"<function_call>{"name": "turn_on", "arguments": {"name": "Lamp"}}</function_call>"#,
        r#"<tool_call>{{"name": "turn_on", "arguments": {"name": "Lamp"}}}</tool_call>"#,
        r#"<function=turn_on>{"name": "Lamp"}</function>"#,
        "<function=turn_on><parameter=name>Lamp</parameter></function>",
        r#"[TOOL_CALLS][{"name": "turn_on", "arguments": {"name": "Lamp"}}]"#,
        r#"[TOOL_CALLS] [{"name": "turn_on", "arguments": {"name": "Lamp"}}]</s>"#,
        r#"[TOOL_CALLS]turn_on[ARGS]{"name": "Lamp"}"#,
        r#"[TOOL_CALLS]turn_on{"name": "Lamp"}"#,
        r#"<|python_tag|>{"name": "turn_on", "parameters": {"name": "Lamp"}}"#,
        r#"<|python_tag|>turn_on.call(name="Lamp")"#,
        "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>turn_on\n```json\n{\"name\": \"Lamp\"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
        "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>turn_on<｜tool▁sep｜>{\"name\": \"Lamp\"}<｜tool▁call▁end｜>",
        r#"<|tool_calls_section_begin|><|tool_call_begin|>functions.turn_on:0<|tool_call_argument_begin|>{"name": "Lamp"}<|tool_call_end|>"#,
        r#"<|channel|>commentary to=functions.turn_on <|constrain|>json<|message|>{"name": "Lamp"}<|call|>"#,
        "```json\n{\"name\": \"turn_on\", \"arguments\": {\"name\": \"Lamp\"}}\n```",
        "I will do that.\n```\n{\"name\": \"turn_on\", \"parameters\": {\"name\": \"Lamp\"}}\n```\nDone.",
        "```tool_code\nturn_on(name=\"Lamp\")\n```",
        r#"{"name": "turn_on", "arguments": {"name": "Lamp"}}"#,
        r#"{"name": "turn_on", "parameters": {"name": "Lamp"}}"#,
        r#"{{"name": "turn_on", "arguments": {"name": "Lamp"}}}"#,
        r#"{"name": "turn_on", "arguments": {"name": "Lamp"}}. This turns the lamp on."#,
        r#"[{"name": "turn_on", "arguments": {"name": "Lamp"}}]"#,
        r#"{"type": "function", "function": {"name": "turn_on", "arguments": "{\"name\": \"Lamp\"}"}}"#,
        r#"{"tool_calls": [{"function": {"name": "turn_on", "arguments": {"name": "Lamp"}}}]}"#,
        "On it:\n\n  {\"function\": \"turn_on\", \"args\": {\"name\": \"Lamp\"}}\n",
        r#"[turn_on(name="Lamp")]"#,
        "turn_on(name='Lamp')",
        "turn_on(\"Lamp\")",
        "Of course.\nturn_on(name=\"Lamp\")\n",
    ] {
        assert_eq!(shown(text), [LAMP], "{text}");
    }
}

#[test]
fn several_calls_are_found_in_order() {
    let two = [LAMP, r#"set_light{"brightness":40}"#];
    for text in [
        "<tool_call>{\"name\": \"turn_on\", \"arguments\": {\"name\": \"Lamp\"}}</tool_call>\n<tool_call>{\"name\": \"set_light\", \"arguments\": {\"brightness\": 40}}</tool_call>",
        "<tool_call>{\"name\": \"turn_on\", \"arguments\": {\"name\": \"Lamp\"}}\n{\"name\": \"set_light\", \"arguments\": {\"brightness\": 40}}</tool_call>",
        r#"[{"name": "turn_on", "arguments": {"name": "Lamp"}}, {"name": "set_light", "arguments": {"brightness": 40}}]"#,
        "{\"name\": \"turn_on\", \"arguments\": {\"name\": \"Lamp\"}}\n{\"name\": \"set_light\", \"arguments\": {\"brightness\": 40}}",
        r#"{"name": "turn_on", "arguments": {"name": "Lamp"}}{"name": "set_light", "arguments": {"brightness": 40}}"#,
        r#"<|python_tag|>{"name": "turn_on", "parameters": {"name": "Lamp"}}; {"name": "set_light", "parameters": {"brightness": 40}}"#,
        r#"[turn_on(name="Lamp"), set_light(brightness=40)]"#,
        "turn_on(name=\"Lamp\")\nset_light(brightness=40)",
        "<function=turn_on>{\"name\": \"Lamp\"}</function><function=set_light>{\"brightness\": 40}</function>",
        "[TOOL_CALLS]turn_on[ARGS]{\"name\": \"Lamp\"}[TOOL_CALLS]set_light[ARGS]{\"brightness\": 40}",
    ] {
        assert_eq!(shown(text), two, "{text}");
    }
}

#[test]
fn a_message_that_only_talks_about_calls_makes_none() {
    for text in [
        "The lamp is on.",
        r#"The API answered {"name": "turn_on", "arguments": {"name": "Lamp"}} just now."#,
        r#"{"name": "Lamp", "state": "on"}"#,
        r#"{"name": "turn_on"}"#,
        r#"{"success": true}"#,
        r#"{"tool": "set_light", "name": "Lamp", "brightness": 40}"#,
        r#"{"name": "unknown_tool", "arguments": {"name": "Lamp"}}"#,
        r#"[{"name": "turn_on", "arguments": {}}, {"name": "unknown_tool", "arguments": {}}]"#,
        "```json\n{\"lights\": [{\"name\": \"Lamp\"}]}\n```",
        "```json\n{\"name\": \"unknown_tool\", \"arguments\": {}}\n```",
        "```python\ndef turn_on(name):\n    return name\n```",
        "```\nfunction set_light(name) {\n  light.value = 40;\n}\n```",
        "Use turn_on(name=\"Lamp\") to turn it on.",
        "unknown_tool(name=\"Lamp\")",
        "print(turn_on(name=\"Lamp\"))",
        "The function is a single <function_call> block that is used to call a function.",
        "<function_call>FunctionName</function_call>",
        "<tool_response>\n{\"success\": true}\n</tool_response>",
        r#"<tools> {"type": "function", "function": {"name": "turn_on", "description": "x", "parameters": {"type": "object"}}}"#,
        r#"<function_call>{"type": "function", "function": {"name": "turn_on", "description": "x", "parameters": {}}}</function_call>"#,
        "1 < 2 and [a] (b) {c}",
        "[see the manual](https://example.org)",
        "<function=",
        "<function=two words>{}</function>",
        "[TOOL_CALLS] are written by some models",
        "<think>",
        "```",
        "",
    ] {
        assert_eq!(shown(text), [""; 0], "{text}");
    }
}

#[test]
fn what_cannot_be_read_between_marks_is_malformed_and_not_absent() {
    for (text, expected) in [
        ("<tool_call>{\"name\": \"turn_on\", \"arguments\": {\"name\": \"La", "turn_on!"),
        ("<function_call>\n{\"name\": \"turn_o", "turn_o!"),
        ("<tool_call>{'name': 'turn_on'}</tool_call>", "!"),
        ("<tool_call>{\"name\": \"turn_on\", \"arguments\": [1]}</tool_call>", "turn_on!"),
        ("<function=turn_on>{\"name\": </function>", "turn_on!"),
        ("[TOOL_CALLS][{\"name\": \"turn_on\", \"argu", "turn_on!"),
    ] {
        assert_eq!(shown(text), [expected], "{text}");
    }
}

#[test]
fn marks_make_a_call_of_a_tool_nobody_offered() {
    let text = r#"<tool_call>{"name": "fly", "arguments": {}}</tool_call>"#;
    assert_eq!(shown(text), ["fly{}"]);
}

#[test]
fn python_values_become_json() {
    let text = r#"set_light(name='it\'s', brightness=-1.5, on=True, off=None, l=[1, "a",], d={"k": (1, 2)})"#;
    let expected = r#"set_light{"name":"it's","brightness":-1.5,"on":true,"off":null,"l":[1,"a"],"d":{"k":[1,2]}}"#;
    assert_eq!(shown(text), [expected]);
    assert_eq!(shown("now()"), ["now{}"]);
}

#[test]
fn calls_are_taken_out_of_the_text_they_stand_in() {
    let text = "Sure.\n<tool_call>{\"name\": \"turn_on\", \"arguments\": {}}</tool_call>\nDone.";
    assert_eq!(without_calls(text, &tools()), "Sure.\n\nDone.");
    let list = r#"[{"name": "turn_on", "arguments": {}}, {"name": "now", "arguments": {}}]"#;
    assert_eq!(without_calls(list, &tools()), "");
    assert_eq!(without_calls("nothing here", &tools()), "nothing here");
}

#[test]
fn long_texts_full_of_marks_are_read_in_linear_time() {
    for piece in [
        "<tool_call>",
        "<tool_call>{",
        "{\n",
        "{\"a\":\n",
        "[\n",
        "[[1,\n",
        "[{\"a\":\n",
        "```",
        "<function=",
        "[TOOL_CALLS]",
        "{\"name\":\n",
        "turn_on(",
        "turn_on(a=[\n",
        "<|channel|>commentary to=",
        "{{\n",
        "{{",
    ] {
        let text = piece.repeat(200_000 / piece.len());
        let start = std::time::Instant::now();
        let _ = calls(&text, &tools());
        assert!(start.elapsed().as_secs() < 20, "{piece:?} took {:?}", start.elapsed());
    }
}
