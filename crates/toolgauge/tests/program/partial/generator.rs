//! Makes results files that no tau-bench run would leave: every field may be missing, doubled
//! or of the wrong kind, and every scalar that Python's `json` reads may turn up.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

const SCALARS: &[&str] = &[
    "0",
    "1",
    "1.0",
    "true",
    "false",
    "null",
    "NaN",
    "Infinity",
    "-Infinity",
    "1e999",
    "100",
    "1e2",
    "-0",
    "-0.0",
    "0.1",
    "100000000000000000000",
    "1e20",
    "9007199254740993",
    "9007199254740992.0",
    "18446744073709551615",
    "18446744073709551616.0",
    r#""""#,
    r#""a""#,
    r#""A""#,
    r#""\u0061""#,
    r#""1""#,
    r#""\ud83d""#,
    r#""\ude00\ud83d""#,
    r#""\ud83d\ude00""#,
    "\"\u{1f600}\"",
    "\"\u{10ffff}NaN\"",
    r#""\"\\\/\b\f\n\r\t""#,
];
/// Longer than the blocks that text is looked at in, with escapes where they begin and end.
const LONG: &[&str] = &[
    r#""sixty-two plain bytes, and then two escapes side by side......\n\"then the rest of the text""#,
    r#""a\nline\nafter\nanother\n\n\u00e9\ud83d\ude00\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\"\\""#,
    r#""\ud83d and much plain text after it, so that one alone is found far from where it stands""#,
];
/// An expected list without items accepts any list, and what is not a list is none.
const LISTS: &[&str] = &["[]", "[1]", r#"["a", {}]"#, "[[]]"];
const KEYS: &[&str] = &[r#""a""#, r#""b""#, r#""\u0062""#, r#""c""#, r#""""#, r#""\ud83d""#];
const NAMES: &[&str] =
    &[r#""f""#, r#""f""#, r#""\u0066""#, r#""g""#, r#""respond""#, "null", r#""""#];
const NOT_JSON: &[&str] =
    &["", " ", "{", "{\"a\": 1,}", "{'a': 1}", "{\"a\": 01}", "nonsense", "{}{}"];
const SPACES: &[&str] = &["", "", " ", "\n  ", "\t"];

fn any_of(texts: &'static [&'static str]) -> impl Strategy<Value = String> + Clone {
    select(texts).prop_map(str::to_owned)
}

fn space() -> impl Strategy<Value = String> + Clone {
    any_of(SPACES)
}

fn object_of<S>(value: S) -> impl Strategy<Value = String>
where
    S: Strategy<Value = String>,
{
    members(vec((any_of(KEYS), value), 0..4))
}

fn members<S>(members: S) -> impl Strategy<Value = String>
where
    S: Strategy<Value = Vec<(String, String)>>,
{
    (members, space(), space()).prop_map(|(members, gap, colon)| {
        let members: Vec<String> =
            members.iter().map(|(key, value)| format!("{gap}{key}:{colon}{value}")).collect();
        format!("{{{}{gap}}}", members.join(","))
    })
}

/// Any value, in Python's dialect.
pub(crate) fn value() -> BoxedStrategy<String> {
    prop_oneof![20 => any_of(SCALARS), 2 => any_of(LONG), 4 => any_of(LISTS)]
        .prop_recursive(4, 24, 4, |inner| {
            prop_oneof![
                (vec(inner.clone(), 0..4), space())
                    .prop_map(|(items, gap)| format!("[{}]", items.join(&format!(",{gap}")))),
                object_of(inner),
            ]
        })
        .boxed()
}

fn object() -> BoxedStrategy<String> {
    object_of(value()).boxed()
}

fn quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    for character in text.chars() {
        match character {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\u0009"),
            other => quoted.push(other),
        }
    }
    quoted.push('"');
    quoted
}

fn arguments() -> impl Strategy<Value = String> {
    prop_oneof![
        8 => object().prop_map(|text| quoted(&text)),
        1 => object(),
        1 => value().prop_map(|text| quoted(&text)),
        1 => any_of(NOT_JSON).prop_map(|text| quoted(&text)),
        1 => Just("null".to_owned()),
    ]
}

/// Each of the members, there or not, in this order.
fn some_of(all: Vec<(&'static str, u32, BoxedStrategy<String>)>) -> BoxedStrategy<String> {
    let mut chosen: BoxedStrategy<Vec<(String, String)>> = Just(Vec::new()).boxed();
    for (key, weight, strategy) in all {
        let there = prop_oneof![weight => strategy.prop_map(Some), 1 => Just(None)];
        chosen = (chosen, there)
            .prop_map(move |(mut members, value)| {
                members.extend(value.map(|value| (format!("\"{key}\""), value)));
                members
            })
            .boxed();
    }
    members(chosen).boxed()
}

fn list_of(item: BoxedStrategy<String>, most: usize) -> BoxedStrategy<String> {
    (vec(item, 0..=most), space())
        .prop_map(|(items, gap)| format!("[{gap}{}]", items.join(&format!(",{gap}"))))
        .boxed()
}

fn or_odd(usual: BoxedStrategy<String>, weight: u32) -> BoxedStrategy<String> {
    prop_oneof![weight => usual, 1 => value()].boxed()
}

fn action() -> BoxedStrategy<String> {
    some_of(vec![("name", 20, any_of(NAMES).boxed()), ("kwargs", 20, or_odd(object(), 20))])
}

fn message() -> BoxedStrategy<String> {
    let function =
        some_of(vec![("name", 20, any_of(NAMES).boxed()), ("arguments", 20, arguments().boxed())]);
    let call = some_of(vec![("id", 1, value()), ("function", 20, or_odd(function, 30))]);
    let calls = or_odd(list_of(or_odd(call, 30), 3), 30);
    some_of(vec![("role", 5, value()), ("content", 5, value()), ("tool_calls", 5, calls)])
}

/// One task.
pub(crate) fn task() -> BoxedStrategy<String> {
    let actions = or_odd(list_of(action(), 3), 30);
    let task = some_of(vec![("user_id", 2, value()), ("actions", 30, actions)]);
    let info = prop_oneof![
        30 => some_of(vec![("task", 30, or_odd(task, 30)), ("source", 1, value())]),
        1 => Just(r#"{"error": null, "task": {"actions": []}}"#.to_owned()),
        1 => value(),
    ];
    some_of(vec![
        ("task_id", 20, select(vec!["0", "1", "2", "\"x\""]).prop_map(str::to_owned).boxed()),
        ("reward", 20, or_odd(select(vec!["0.0", "1.0", "1"]).prop_map(str::to_owned).boxed(), 8)),
        ("partial_score", 1, value()),
        ("info", 30, info.boxed()),
        ("traj", 1, value()),
        ("traj", 30, or_odd(list_of(or_odd(message(), 30), 4), 30)),
        ("trial", 5, value()),
    ])
}

/// A whole file of so many tasks.
pub(crate) fn file(tasks: std::ops::Range<usize>) -> BoxedStrategy<String> {
    (vec(task(), tasks), space())
        .prop_map(|(tasks, gap)| format!("[{gap}{}{gap}]{gap}", tasks.join(&format!("{gap},"))))
        .boxed()
}
