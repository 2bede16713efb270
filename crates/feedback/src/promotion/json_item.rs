//! Adds a case to JSON as text, so that everything else stays as somebody wrote it: numbers with
//! more digits than a float has, the order of keys, lines and spaces.

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::refusal::CaseRefusal;

/// A suite, as far as cases are added to it.
#[derive(Deserialize)]
struct SuiteText<'a> {
    #[serde(borrow)]
    cases: &'a RawValue,
}

/// The text with a case at the end of its list, or of the list under `cases`.
pub(super) fn with_item(text: &str, case: &Value) -> Result<String, CaseRefusal> {
    let wrong = |error: serde_json::Error| CaseRefusal::NoList(error.to_string());
    let list: &RawValue = if text.trim_start().starts_with('[') {
        serde_json::from_str(text).map_err(wrong)?
    } else {
        serde_json::from_str::<SuiteText<'_>>(text).map_err(wrong)?.cases
    };
    let list = list.get();
    // The list is a part of the text, so the distance of the two is where it begins.
    let start = list.as_ptr().addr() - text.as_ptr().addr();
    let end = start + list.len() - 1;
    let inner = &text[start + 1..end];
    let item = |white: &str| layout(case, white).map_err(wrong);
    let added = match inner.trim() {
        "" if !text.contains('\n') => item("")?,
        "" => {
            let line = text[..start].rsplit('\n').next().unwrap_or_default();
            let indent = &line[..line.len() - line.trim_start().len()];
            let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
            let white = format!("{newline}{indent}  ");
            return Ok(format!(
                "{}[{white}{}{newline}{indent}{}",
                &text[..start],
                item(&white)?,
                &text[end..]
            ));
        }
        // Written as the first item is: on a line of its own, or behind the last one.
        _ => {
            let white = &inner[..inner.len() - inner.trim_start().len()];
            let white = if white.is_empty() { " " } else { white };
            format!(",{white}{}", item(white)?)
        }
    };
    // What stands between the last item and the bracket stays there.
    let last = start + 1 + inner.trim_end().len();
    Ok(format!("{}{added}{}", &text[..last], &text[last..]))
}

/// A case over several lines where the white space before it begins a line, else on one.
fn layout(case: &Value, white: &str) -> Result<String, serde_json::Error> {
    let Some(at) = white.rfind('\n') else { return serde_json::to_string(case) };
    // The last end of a line alone: a blank line between items is not one within the case.
    let newline = if white[..at].ends_with('\r') { &white[at - 1..] } else { &white[at..] };
    Ok(serde_json::to_string_pretty(case)?.replace('\n', newline))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn added(text: &str) -> String {
        with_item(text, &json!({"id": "new"})).unwrap()
    }

    #[test]
    fn a_case_is_written_as_those_before_it() {
        assert_eq!(added("[{\"id\": 1e99}]"), "[{\"id\": 1e99}, {\"id\":\"new\"}]");
        assert_eq!(
            added("[\n    {\"id\": 1.50}\n]\n"),
            "[\n    {\"id\": 1.50},\n    {\n      \"id\": \"new\"\n    }\n]\n"
        );
        assert_eq!(
            added("{\r\n  \"cases\": [\r\n    1\r\n  ],\r\n  \"n\": 2\r\n}"),
            "{\r\n  \"cases\": [\r\n    1,\r\n    {\r\n      \"id\": \"new\"\r\n    }\r\n  ],\r\n  \"n\": 2\r\n}"
        );
    }

    #[test]
    fn an_empty_list_takes_a_case() {
        assert_eq!(added("[\n]\n"), "[\n  {\n    \"id\": \"new\"\n  }\n]\n");
        assert_eq!(added("{\"cases\":[]}"), "{\"cases\":[{\"id\":\"new\"}]}");
        assert_eq!(
            added("{\n  \"a\": [],\n  \"cases\": []\n}"),
            "{\n  \"a\": [],\n  \"cases\": [\n    {\n      \"id\": \"new\"\n    }\n  ]\n}"
        );
    }

    #[test]
    fn numbers_of_any_length_stay_as_they_are() {
        let text = "[{\"n\": 12345678901234567890123}]";
        assert!(added(text).contains("12345678901234567890123"));
    }
}
