//! What must hold for any bytes a server sends: nothing panics, and nothing is lost by a cut.

use proptest::prelude::*;

use crate::fuzzing::{
    Sent, check_events, check_text_calls, read_anthropic, read_arguments, read_openai,
};
use crate::loose::without_lone_surrogates;

/// Bytes that are near enough to an answer to get past the first check.
fn answer_like() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        Just("data: ".to_owned()),
        Just("\n\n".to_owned()),
        Just("\r".to_owned()),
        Just("[DONE]".to_owned()),
        Just("error: ".to_owned()),
        Just("event: message_delta\n".to_owned()),
        Just(r#"{"choices":[{"index":0,"finish_reason":"stop","message":"#.to_owned()),
        Just(r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"#.to_owned()),
        Just(r#"{"type":"content_block_delta","index":1,"delta":{"text":"#.to_owned()),
        Just(r#"{"content":[{"type":"tool_use","name":"f","input":"#.to_owned()),
        Just(r#""usage":{"prompt_tokens":-1e300},"timings":[]"#.to_owned()),
        Just(r#"{"error":{"message":"#.to_owned()),
        Just(r#""content":"#.to_owned()),
        Just("}]}".to_owned()),
        Just("}}]}}]}\n\n".to_owned()),
        Just(r#""\ud83d""#.to_owned()),
        Just("null".to_owned()),
        Just(",".to_owned()),
        ".{0,8}",
    ];
    let text = prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat().into_bytes());
    prop_oneof![4 => text, 1 => prop::collection::vec(any::<u8>(), 0..200)]
}

/// Text that is near enough to a call to get past the first check.
fn call_like() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("<tool_call>"),
        Just("</tool_call>"),
        Just("<function=f>"),
        Just("<parameter=a>"),
        Just("</function>"),
        Just("[TOOL_CALLS]"),
        Just("[ARGS]"),
        Just("<|python_tag|>"),
        Just("```json\n"),
        Just("```"),
        Just("{\"name\": \"f\", \"arguments\": "),
        Just("{\"a\": 1}"),
        Just("}"),
        Just("{{"),
        Just("}}"),
        Just("["),
        Just("]"),
        Just("f("),
        Just("a=1"),
        Just("'é\\"),
        Just("'"),
        Just(")"),
        Just(","),
        Just("\n"),
        Just("<arg_key>a</arg_key>"),
        Just("<arg_value>"),
        Just("<｜tool▁call▁begin｜>"),
        Just("<｜tool▁sep｜>"),
        Just("<|tool_call_begin|>functions.f:0"),
        Just("<|tool_call_argument_begin|>"),
        Just("ü"),
        Just(" "),
    ];
    prop::collection::vec(piece, 0..14).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn any_answer_is_read_or_refused(body in answer_like(), status in 100_u16..600, streamed: bool, cut: bool) {
        let status = if status < 500 { 200 } else { status };
        let sent = Sent { status, streamed, cut, body: &body };
        let _ = (read_openai(sent), read_anthropic(sent));
    }

    #[test]
    fn events_do_not_depend_on_where_they_are_cut(body in answer_like(), at in 0.0..1.0_f64) {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss, reason = "a place in a short text")]
        let at = (body.len() as f64 * at) as usize;
        check_events(&body, at);
    }

    #[test]
    fn any_text_is_searched_for_calls(text in call_like()) {
        check_text_calls(&text);
    }

    #[test]
    fn any_arguments_are_read(text in ".{0,60}") {
        read_arguments(&text);
    }

    #[test]
    fn mending_surrogates_changes_no_valid_json(text in ".{0,30}") {
        let json = serde_json::Value::from(text).to_string();
        prop_assert_eq!(without_lone_surrogates(&json), json);
    }
}
