//! A case that does not pass, in three short texts: what was asked, expected and given instead.

use serde_json::Value;
use toolgauge_core::{Arguments, Cause, Loss, Outcome, Pattern, ToolCall, Trial};

use crate::case_results::CaseResult;
use crate::harmless::line_within;
use crate::json_text::in_a_line;

/// How much of a text is kept; a table shows what it has room for.
const SHOWN: usize = 120;

/// A case that does not pass.
#[derive(Clone, Debug, PartialEq)]
pub struct FailedCase {
    /// The case, its score and its standing.
    pub result: CaseResult,
    /// What was expected, by the costliest lost point.
    pub expected: String,
    /// What came instead.
    pub got: String,
}

impl FailedCase {
    /// The case by its worst trial; without one only its name and score are known.
    pub fn new(mut result: CaseResult, trial: Option<&Trial>) -> Self {
        let Some(trial) = trial else {
            return Self { result, expected: String::new(), got: String::new() };
        };
        if result.sentence.is_empty() {
            result.sentence = clipped(trial.case.sentence());
        }
        let loss = costliest(trial);
        let expected = loss.map(|loss| expected(loss, trial)).unwrap_or_default();
        // An answer is shown as it was said, not as the scorer read it. A false claim and an error
        // are parts of an answer that say more than the whole.
        let is_part = |loss: &Loss| matches!(loss.cause, Cause::FalseClaim | Cause::ErrorAnswered);
        let judged = loss.filter(|loss| !loss.cause.is_about_words() || is_part(loss));
        let got = judged.and_then(got).unwrap_or_else(|| match loss {
            // There is room for one of them: the calls of a wrong answer are not what is wrong.
            Some(loss) if loss.cause.is_about_words() => answer(trial),
            _ => response(trial),
        });
        Self { result, expected, got }
    }
}

/// The loss that cost most. A scorer that only says pass or fail leaves it to the next one that
/// names losses.
fn costliest(trial: &Trial) -> Option<&Loss> {
    let scores = trial.outcomes.values().filter_map(Outcome::score);
    let mut named = scores.map(|score| &score.losses).filter(|losses| !losses.is_empty());
    // The first of equal losses: `max_by` would give the last one.
    named.next()?.iter().reduce(|most, loss| if loss.points > most.points { loss } else { most })
}

fn expected(loss: &Loss, trial: &Trial) -> String {
    let place = place(loss);
    match (&loss.expected, loss.cause) {
        // Which tool is expected is the value itself here, and no argument of it.
        (Some(tool), Cause::WrongTool) => words(tool),
        (Some(value), Cause::MissingKeyword | Cause::ForbiddenKeyword) => clipped(&keyword(value)),
        (Some(value), _) if place.is_empty() => words(value),
        (Some(value), _) => clipped(&format!("{place}: {}", words(value))),
        (None, Cause::ShouldNotHaveCalled) => "no call".to_owned(),
        (None, Cause::ExtraCall) => "no further call".to_owned(),
        (None, Cause::SideEffect) => clipped(&format!("{place} unchanged")),
        (None, Cause::MissingCall | Cause::ShouldHaveCalled) if !place.is_empty() => place,
        (None, Cause::NotRead) => "to look first".to_owned(),
        (None, Cause::FalseClaim | Cause::WrongAnswer | Cause::NotAnAnswer) => {
            known_answer(trial).unwrap_or_else(|| format!("no {}", loss.cause.words()))
        }
        (None, _) if place.is_empty() => format!("not: {}", loss.cause.words()),
        (None, _) => clipped(&format!("{place}, not: {}", loss.cause.words())),
    }
}

/// The right answer in words, where the case gives one.
fn known_answer(trial: &Trial) -> Option<String> {
    let answer = trial.case.expectation.answer.as_ref()?;
    answer.reference.as_deref().filter(|text| !text.is_empty()).map(clipped)
}

/// What was there in place of the expected value, where the loss says so.
fn got(loss: &Loss) -> Option<String> {
    let value = loss.actual.as_ref()?;
    let tool = loss.tool.as_deref().filter(|_| {
        // What was called is not plain from the expected side where nothing was expected.
        matches!(loss.cause, Cause::ExtraCall | Cause::ShouldNotHaveCalled)
    });
    Some(match tool {
        Some(tool) => clipped(&format!("{tool} {}", words(value))),
        None => words(value),
    })
}

/// What was said in the end; if nothing was, why. The calls before it are no answer.
fn answer(trial: &Trial) -> String {
    match trial.transcript.final_text().trim() {
        "" if trial.transcript.failure.is_some() => response(trial),
        "" => "no answer".to_owned(),
        text => clipped(&format!("“{text}”")),
    }
}

/// What a trial came to in a line: the calls that were made and what was said, or why nothing was.
pub fn response(trial: &Trial) -> String {
    if let Some(failure) = &trial.transcript.failure {
        return clipped(&format!("{}: {}", failure.kind.name(), failure.message));
    }
    let calls: Vec<String> = trial.transcript.calls().take(3).map(call_in_words).collect();
    match (calls.is_empty(), trial.transcript.final_text().trim()) {
        (false, "") => clipped(&calls.join(", ")),
        (false, text) => clipped(&format!("{} “{text}”", calls.join(", "))),
        (true, "") => "nothing".to_owned(),
        (true, text) => clipped(&format!("“{text}”")),
    }
}

/// A call in a line: its tool, then `name=value` for each argument.
pub fn call_in_words(call: &ToolCall) -> String {
    match &call.arguments {
        Arguments::Object(arguments) => {
            format!("{} {}", call.name, words(&Value::Object(arguments.clone())))
        }
        Arguments::Malformed { raw, .. } => format!("{} {raw}", call.name),
    }
}

/// Where it happened: the tool and the path in its arguments, or the path in the world.
fn place(loss: &Loss) -> String {
    let place = format!("{} {}", loss.tool.as_deref().unwrap_or_default(), loss.path);
    clipped(place.trim())
}

/// A value as people write it: text without quotes, objects without braces, rules in words.
fn words(value: &Value) -> String {
    match value {
        Value::String(text) => clipped(text),
        Value::Object(fields) if !fields.is_empty() => {
            if let Some(words) = rule(value) {
                return clipped(&words);
            }
            let fields = fields.iter().map(|(name, value)| format!("{name}={}", inner(value)));
            clipped(&fields.take(12).collect::<Vec<_>>().join(" "))
        }
        value => in_a_line(value, SHOWN),
    }
}

/// A rule for a value, such as `{"$number": 20, "tolerance": 5}`, in words.
fn rule(value: &Value) -> Option<String> {
    let is_rule = value.as_object()?.keys().any(|key| key.starts_with('$'));
    let pattern = is_rule.then(|| Pattern::try_from(value.clone()).ok())??;
    // What a rule holds is written like a value of its own.
    let plain = |pattern: &Pattern| words(&serde_json::to_value(pattern).unwrap_or_default());
    match &pattern {
        Pattern::Exact(value) => Some(words(value)),
        Pattern::Text(text) => Some(text.clone()),
        Pattern::Number { number, tolerance } if *tolerance > 0.0 => {
            Some(format!("{number} ± {tolerance}"))
        }
        Pattern::Number { number, .. } => Some(number.to_string()),
        Pattern::AnyOf(patterns) => {
            let patterns = patterns.iter().take(6).map(plain);
            Some(patterns.collect::<Vec<_>>().join(" or "))
        }
        Pattern::Regex { regex, not: None } => Some(format!("text matching {regex}")),
        Pattern::Regex { regex, not: Some(not) } => {
            Some(format!("text matching {regex} and not {not}"))
        }
        Pattern::Optional(pattern) => Some(format!("{} or nothing", plain(pattern))),
        Pattern::Forbidden => Some("not given".to_owned()),
        Pattern::Anything => Some("any value".to_owned()),
        Pattern::Scalar(_) | Pattern::Object(_) | Pattern::List(_) | Pattern::Items { .. } => None,
    }
}

/// A keyword as suites write it, such as `{"any_of": ["6 pm", "18:00"]}`, in words.
fn keyword(value: &Value) -> String {
    let part = |name: &str| value.get(name);
    if let Some(Value::Array(keywords)) = part("any_of") {
        return keywords.iter().take(6).map(keyword).collect::<Vec<_>>().join(" or ");
    }
    match (part("not"), part("regex")) {
        (Some(unwanted), _) => format!("not {}", keyword(unwanted)),
        (None, Some(pattern)) => format!("text matching {}", words(pattern)),
        (None, None) => words(value),
    }
}

fn inner(value: &Value) -> String {
    match value {
        Value::String(text) if !text.is_empty() && !text.contains(' ') => clipped(text),
        value => rule(value).unwrap_or_else(|| in_a_line(value, SHOWN)),
    }
}

fn clipped(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match text.char_indices().nth(SHOWN) {
        // The table adds its own mark where it cuts, so that none is needed twice.
        Some((end, _)) => format!("{}…", line_within(&text[..end], SHOWN)),
        None => line_within(&text, SHOWN).into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use toolgauge_core::{AssistantMessage, Message, Score};

    use super::*;
    use crate::standing::CaseStanding;

    #[test]
    fn rules_are_written_in_words() {
        assert_eq!(words(&json!({"$number": 20, "tolerance": 5})), "20 ± 5");
        assert_eq!(words(&json!({"$number": 20})), "20");
        let dates = json!({"$any_of": ["2026-03-13", {"$regex": "^2026-04"}]});
        assert_eq!(words(&dates), "2026-03-13 or text matching ^2026-04");
        let call = json!({"label": {"$regex": "(?i)pasta"}, "seconds": 60});
        assert_eq!(words(&call), "label=text matching (?i)pasta seconds=60");
        let late = json!({"$regex": "late", "not": "not late"});
        assert_eq!(words(&late), "text matching late and not not late");
        assert_eq!(words(&json!({"$forbidden": true})), "not given");
        assert_eq!(words(&json!({"$optional": {"$anything": true}})), "any value or nothing");
    }

    #[test]
    fn keywords_are_written_in_words() {
        assert_eq!(keyword(&json!("$18")), "$18");
        assert_eq!(keyword(&json!({"any_of": ["6 pm", "18:00"]})), "6 pm or 18:00");
        assert_eq!(keyword(&json!({"not": "150"})), "not 150");
        assert_eq!(keyword(&json!({"regex": "^no"})), "text matching ^no");
    }

    #[test]
    fn what_was_not_looked_up_is_expected_without_two_negations() {
        let loss: Loss =
            serde_json::from_value(json!({"cause": "not_read", "points": 1.0})).unwrap();
        let trial: Trial = serde_json::from_value(json!({
            "case": {"id": "a", "input": []}, "number": 1,
            "started": "2026-11-15T00:00:00Z", "ended": "2026-11-15T00:00:01Z",
            "transcript": {"messages": [], "turns": []}, "outcomes": {},
        }))
        .unwrap();
        assert_eq!(expected(&loss, &trial), "to look first");
    }

    #[test]
    fn a_wrong_answer_is_quoted_as_it_was_said() {
        let mut trial: Trial = serde_json::from_value(json!({
            "case": {"id": "a", "input": []}, "number": 1,
            "started": "2026-11-15T00:00:00Z", "ended": "2026-11-15T00:00:01Z",
            "transcript": {"messages": [], "turns": []}, "outcomes": {},
        }))
        .unwrap();
        let content = "Sorry, I can't help.".to_owned();
        trial.transcript.messages =
            vec![Message::Assistant(AssistantMessage { content, ..Default::default() })];
        for cause in [Cause::WrongResponseKind, Cause::MissingAnswer, Cause::WrongAnswer] {
            let loss = Loss {
                expected: Some(json!("text")),
                actual: Some(json!("Sorry, I can not help.")),
                ..Loss::new(cause, 1.0)
            };
            let score = Score { losses: vec![loss], ..Score::default() };
            trial.outcomes.insert("tool_calls".to_owned(), Outcome::Scored(score));
            let result = CaseResult {
                case: "a".into(),
                sentence: "thanks".into(),
                score: Some(0.0),
                standing: CaseStanding::Fail,
                worst: trial.id(),
            };
            let failed = FailedCase::new(result, Some(&trial));
            assert_eq!((&*failed.expected, &*failed.got), ("text", "“Sorry, I can't help.”"));
        }
    }

    #[test]
    fn other_objects_are_written_field_by_field() {
        assert_eq!(words(&json!({"room": "hall", "on": true})), "room=hall on=true");
        assert_eq!(words(&json!({"$price": 3})), "$price=3");
    }
}
