//! What of addresses, names and values may be a secret, and how it is shown without it.

use serde_json::Value;

/// What stands in the place of a secret wherever one would have been kept or shown.
pub const REDACTED: &str = "[redacted]";

/// An address without user, password, query and fragment, all of which may hold keys.
///
/// Works on the text, so that what is no URL at all, or a URL with places to be filled, loses
/// them too: `http://me:pw@host/chat?key=abc` becomes `http://host/chat`.
pub fn public_address(text: &str) -> String {
    let (scheme, rest) = match text.find("://") {
        Some(at) => text.split_at(at + 3),
        None => ("", text),
    };
    let (before, after) = rest.split_at(rest.find(['?', '#']).unwrap_or(rest.len()));
    let host = match (before.rfind('@'), after.rfind('@')) {
        (Some(at), _) => &before[at + 1..],
        // Before a query without any path stands a host, or the beginning of a password with a
        // question mark in it.
        (None, Some(at)) if !before.contains('/') => &after[at + 1..],
        _ => before,
    };
    let host = host.split(['?', '#']).next().unwrap_or_default();
    format!("{scheme}{host}")
}

/// Words that a field, a flag or a parameter which holds a secret ends with.
const SECRET_NAMES: [&str; 18] = [
    "key",
    "keys",
    "apikey",
    "token",
    "secret",
    "password",
    "passwd",
    "passphrase",
    "passcode",
    "pass",
    "pwd",
    "auth",
    "authorization",
    "credential",
    "credentials",
    "signature",
    "sig",
    "cookie",
];

/// Words before those that make them something else, as in `eos_token` and `prompt_cache_key`.
const HARMLESS: [&str; 10] =
    ["bos", "eos", "pad", "stop", "unk", "cache", "primary", "foreign", "sort", "public"];

/// Whether the value behind such a name is taken for a secret: `api_key`, `accessToken`.
pub fn names_a_secret(name: &str) -> bool {
    let words = words(name);
    let mut from_the_end = words.iter().rev().map(String::as_str);
    let last = from_the_end.next().unwrap_or_default();
    let before = from_the_end.next().unwrap_or_default();
    SECRET_NAMES.contains(&last) && !HARMLESS.contains(&before)
}

/// The words of a name in any of the usual ways to write one, in lower case.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_small = false;
    for letter in name.chars() {
        // Only behind a small letter, so that `APIKey` is not split into single letters.
        let begins = letter.is_uppercase() && was_small;
        if begins || !letter.is_alphanumeric() {
            words.push(String::new());
        }
        if letter.is_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.extend(letter.to_lowercase());
        }
        was_small = letter.is_lowercase();
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Whether a header of this name never holds a secret.
pub fn is_plain_header(name: &str) -> bool {
    let plain = ["accept", "content-type", "user-agent"];
    plain.iter().any(|plain| name.eq_ignore_ascii_case(plain))
}

/// Words that parameters of an address end with which are no secrets.
const PLAIN_PARAMETERS: [&str; 12] = [
    "version",
    "v",
    "model",
    "deployment",
    "lang",
    "language",
    "locale",
    "region",
    "format",
    "mode",
    "stream",
    "timeout",
];

/// Whether a parameter of this name in an address is no secret: `api-version`.
pub fn is_plain_parameter(name: &str) -> bool {
    words(name).last().is_some_and(|last| PLAIN_PARAMETERS.contains(&&**last))
}

/// How keys of well-known services begin.
const KEY_BEGINNINGS: [&str; 16] = [
    "sk-",
    "sk_",
    "pk_",
    "rk_",
    "xox",
    "ghp_",
    "gho_",
    "ghs_",
    "github_pat_",
    "glpat-",
    "hf_",
    "gsk_",
    "AKIA",
    "AIza",
    "eyJ",
    "ya29.",
];

/// The longest stretch of letters and digits that an ordinary name has.
const LONGEST_ORDINARY: usize = 15;

/// Whether a value looks like a key whatever it is called: it begins as the keys of a well-known
/// service do, or has a long stretch of letters and digits without a break. Names of models, dates
/// and UUIDs do not.
pub fn looks_like_key(value: &str) -> bool {
    let value = value.trim();
    if value.chars().any(char::is_whitespace) {
        return false;
    }
    let known = KEY_BEGINNINGS.iter().any(|beginning| value.starts_with(beginning));
    let has_digit = value.contains(|c: char| c.is_ascii_digit());
    let is_random = |stretch: &str| {
        let digits = stretch.bytes().filter(u8::is_ascii_digit).count();
        // Digits alone are a number or a date; a single digit ends many long words.
        stretch.len() > LONGEST_ORDINARY && digits > 1 && digits < stretch.len()
    };
    (known && has_digit && value.len() >= 8)
        || value.split(|c: char| !c.is_ascii_alphanumeric()).any(is_random)
}

/// Takes out every text of a value that is named like a secret or looks like a key. Whether there
/// was any is handed back.
pub fn redact_values(value: &mut Value) -> bool {
    each_secret(value, &mut |text| REDACTED.clone_into(text))
}

/// The texts of a value that are named like a secret or look like a key.
pub fn secret_values(value: &Value) -> Vec<String> {
    let mut found = Vec::new();
    each_secret(&mut value.clone(), &mut |text| found.push(text.clone()));
    found
}

fn each_secret(value: &mut Value, tell: &mut impl FnMut(&mut String)) -> bool {
    let mut found = false;
    match value {
        Value::String(text) if looks_like_key(text) => {
            tell(text);
            found = true;
        }
        Value::Array(items) => items.iter_mut().for_each(|item| found |= each_secret(item, tell)),
        Value::Object(fields) => {
            for (name, value) in fields {
                found |= match value {
                    // A place to be filled, and a variable's name, are no secrets.
                    Value::String(text) if names_a_secret(name) && is_literal(text) => {
                        tell(text);
                        true
                    }
                    value => each_secret(value, tell),
                };
            }
        }
        _ => {}
    }
    found
}

fn is_literal(text: &str) -> bool {
    !text.is_empty() && !text.contains("{{") && !text.contains("${")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_address_is_shown_without_what_may_be_a_secret() {
        for (address, shown) in [
            ("http://me:hunter2@h:1/chat?key=sk-abc#x", "http://h:1/chat"),
            ("http://h/chat/", "http://h/chat/"),
            ("http://h/a@b", "http://b"),
            ("http://h/a?mail=x@y", "http://h/a"),
            ("http://h#token", "http://h"),
            ("http://me:p?w@h/x", "http://h/x"),
            ("http://me:p/w@h/x?y", "http://h/x"),
            ("http:/me:pw@h/x", "h/x"),
            ("me:pw@h:8080", "h:8080"),
            ("https://h/{{ session }}?q={{ question }}&k=v", "https://h/{{ session }}"),
            ("", ""),
        ] {
            assert_eq!(public_address(address), shown, "{address}");
        }
    }

    #[test]
    fn secrets_are_known_by_their_names() {
        for name in ["key", "api_key", "x-api-key", "accessToken", "PASSWORD", "--token", "apiKey"]
        {
            assert!(names_a_secret(name), "{name}");
        }
        for name in ["max_tokens", "eos_token", "prompt_cache_key", "keyboard", "monkey", "", "n"] {
            assert!(!names_a_secret(name), "{name}");
        }
    }

    #[test]
    fn keys_are_known_by_their_looks() {
        for key in ["sk-abc123", "AIzaSyD9x81", "0123456789abcdef0123456789abcdef", "ghp_a1B2c3D4"]
        {
            assert!(looks_like_key(key), "{key}");
        }
        for word in [
            "gpt-4o-mini-2024-07-18",
            "Meta-Llama-3-8B-Instruct-Q4_K_M",
            "6f1c1f0e-7a57-4a4e-9c86-0a8a0a5a1b1c",
            "internationalisation",
            "12345678901234567890",
            "a sk-abc123",
            "",
        ] {
            assert!(!looks_like_key(word), "{word}");
        }
    }

    #[test]
    fn secrets_are_taken_out_of_values_and_the_rest_stays() {
        let mut value = json!({
            "api_key": "abc", "max_tokens": 5, "token": "{{ session }}", "auth": {"key": "${K}"},
            "list": ["sk-abc123", "plain"], "password": "",
        });
        assert_eq!(secret_values(&value), ["abc", "sk-abc123"]);
        assert!(redact_values(&mut value));
        let clean = json!({
            "api_key": REDACTED, "max_tokens": 5, "token": "{{ session }}", "auth": {"key": "${K}"},
            "list": [REDACTED, "plain"], "password": "",
        });
        assert_eq!(value, clean);
        assert!(!redact_values(&mut json!({"temperature": 0.5})));
    }
}
