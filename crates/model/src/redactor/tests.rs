//! No form of a secret is left, and everything else is.

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use proptest::prelude::*;
use serde_json::json;

use super::*;

const KEY: &str = "sk-very/secret\"0123456789";

fn redactor(secrets: &[&str]) -> Redactor {
    Redactor::new(&secrets.iter().copied().map(Secret::new).collect::<Vec<_>>())
}

fn cleaned(secret: &str, text: &str) -> String {
    redactor(&[secret]).message(text.to_owned())
}

/// A secret as servers write it.
fn written(secret: &str) -> Vec<String> {
    let json = serde_json::to_string(secret).unwrap();
    let json = json[1..json.len() - 1].to_owned();
    let twice = serde_json::to_string(&json).unwrap();
    let twice = twice[1..twice.len() - 1].to_owned();
    let joined = |parts: Vec<String>| parts.concat();
    let percent = joined(secret.bytes().map(|byte| format!("%{byte:02X}")).collect());
    let encode = |text: &str| {
        text.bytes()
            .map(|byte| match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => char::from(byte).to_string(),
                byte => format!("%{byte:02x}"),
            })
            .collect::<String>()
    };
    let mut forms = vec![
        secret.to_owned(),
        json,
        twice,
        encode(&encode(secret)),
        encode(secret),
        percent,
        joined(secret.chars().map(|c| format!("\\u{:04x}", u32::from(c))).collect()),
        joined(secret.chars().map(|c| format!("&#{};", u32::from(c))).collect()),
        secret.chars().flat_map(|c| [c, '\u{1}']).collect(),
        secret.chars().flat_map(|c| [c, '\n']).collect(),
    ];
    for around in ["", "u:", "me:", "you:"] {
        let login = format!("{around}{secret}");
        forms.extend([STANDARD.encode(&login), URL_SAFE_NO_PAD.encode(&login)]);
        forms.push(STANDARD.encode(format!("{login} and more")));
    }
    forms
}

#[test]
fn a_secret_is_taken_out_in_every_form() {
    for form in written(KEY) {
        let clean = cleaned(KEY, &format!("bad key <{form}> given"));
        let rest: String = clean.chars().filter(|c| !c.is_control()).collect();
        let rest = rest.replace('=', "");
        assert_eq!(rest, "bad key <[redacted]> given", "{form}");
    }
}

#[test]
fn pieces_of_a_secret_are_taken_out() {
    let key = "sk-proj-A1b2C3d4E5f6G7h8";
    for (text, clean) in [
        ("bad key sk-proj-A1b2C3...", "bad key [redacted]..."),
        ("bad key ...5f6G7h8E5f6G7h8.", "bad key ...5f6G7h8E5f6G7h8."),
        ("bad key ...C3d4E5f6G7h8.", "bad key ...[redacted]."),
        ("bad key sk-proj-A1", "bad key [redacted]"),
        ("bad key sk-proj-", "bad key [redacted]"),
        ("keys begin with sk-proj- as a rule", "keys begin with sk-proj- as a rule"),
        ("ends in g7h8", "ends in g7h8"),
    ] {
        assert_eq!(cleaned(key, text), clean, "{text}");
    }
}

#[test]
fn words_numbers_and_dummies_are_left_in_answers_and_taken_out_of_messages() {
    let redactor = redactor(&["kitchen", "1234567", "abcd", "x", "hunter2pw"]);
    let said = "x in the kitchen: 1234567 abcd hunter2pw";
    assert_eq!(
        redactor.message(said.to_owned()),
        "x in the [redacted]: [redacted] [redacted] [redacted]"
    );
    let mut answer = said.to_owned();
    redactor.text(&mut answer);
    assert_eq!(answer, "x in the kitchen: 1234567 abcd [redacted]");
}

#[test]
fn json_stays_json_when_a_number_is_a_secret() {
    let redactor = redactor(&["4711471147"]);
    for text in [
        r#"{"n":4711471147,"s":"4711471147","f":0.4711471147,"d":[14711471147, -4711471147]}"#,
        r#"{"4711471147": 1}"#,
    ] {
        let mut body = text.as_bytes().to_vec();
        redactor.body(&mut body, true);
        let text = String::from_utf8(body).unwrap();
        assert!(serde_json::from_str::<Value>(&text).is_ok(), "{text}");
        assert!(!text.contains("4711471147"), "{text}");
    }
    let mut value = json!({"n": 4_711_471_147_u64, "4711471147": [true, null, 1]});
    redactor.value(&mut value);
    assert_eq!(value, json!({"n": "[redacted]", "[redacted]": [true, null, 1]}));
}

#[test]
fn without_secrets_nothing_is_searched() {
    let redactor = redactor(&["", "x"]);
    assert!(redactor.messages.is_none() && redactor.answers.is_none());
    assert_eq!(format!("{:?}", super::Redactor::new(&[Secret::new(KEY)])), "[redacted]");
}

proptest! {
    // Every form is tried in every case; more cases take minutes.
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn no_form_of_any_secret_is_left(
        secret in "[!-~]{6,40}",
        before in "[ -~]{0,12}",
        after in "[ -~]{0,12}",
    ) {
        prop_assume!(!is_ordinary(&secret));
        let redactor = redactor(&[&secret]);
        for form in written(&secret) {
            let mut body = json!({"choices": [{"text": format!("{before} {form} {after}")}]})
                .to_string()
                .into_bytes();
            redactor.body(&mut body, true);
            let mut value: Value = serde_json::from_slice(&body).unwrap();
            redactor.value(&mut value);
            let left = value["choices"][0]["text"].as_str().unwrap();
            prop_assert!(!left.contains(&secret) && !left.contains(&form), "{form} in {left}");
        }
    }

    #[test]
    fn what_holds_no_secret_is_left_alone(text in "\\PC{0,200}") {
        let redactor = redactor(&["sk-very-secret-0123456789", "hunter2-password"]);
        let mut body = text.clone().into_bytes();
        redactor.body(&mut body, true);
        prop_assert_eq!(body, text.into_bytes());
    }
}
