//! Reads what a judge wrote: the last JSON object in it, whatever stands around it.

use indexmap::IndexMap;
use serde_json::{Map, Value};

use super::preference::Preference;
use super::rubric::Rubric;

/// What a judge says of one answer.
#[derive(Debug, PartialEq)]
pub(super) struct JudgeGrade {
    /// From 0 to 1.
    pub(super) value: f64,
    /// Whether the words are right, where the judge was asked and says so.
    pub(super) right: Option<bool>,
    pub(super) reasoning: String,
    pub(super) criteria: IndexMap<String, f64>,
}

/// Reads marks from 0 to 100 for every criterion, or one mark for all under `score`.
pub(super) fn grade(words: &str, rubric: &Rubric) -> Result<JudgeGrade, String> {
    let object = last_object(words).ok_or("there is no JSON object in it")?;
    // Some judges leave the inner object out and write the marks beside the reasoning.
    let marks = object.get("criteria").and_then(Value::as_object).unwrap_or(&object);
    let mut criteria = IndexMap::new();
    let (mut sum, mut weights) = (0.0, 0.0);
    let mut missing = None;
    for criterion in rubric.criteria() {
        match find(marks, &criterion.name) {
            Some(written) => {
                let mark = mark(written, &criterion.name)?;
                sum += mark * f64::from(criterion.weight);
                weights += f64::from(criterion.weight);
                criteria.insert(criterion.name.clone(), mark);
            }
            None => missing = Some(criterion.name.as_str()),
        }
    }
    let value = match (missing, object.get("score")) {
        // The marks of the criteria win over a total that the judge added up by itself.
        (None, _) if weights > 0.0 => sum / weights,
        (_, Some(score)) => mark(score, "score")?,
        (Some(missing), None) => return Err(format!("the mark for `{missing}` is missing")),
        (None, None) => return Err("no criterion counts".to_owned()),
    };
    let single = [value];
    let marks: Vec<f64> = criteria.values().copied().collect();
    check_scale(if marks.is_empty() { &single } else { &marks })?;
    let right = object.get("right").and_then(is_right);
    Ok(JudgeGrade { value, right, reasoning: reasoning(&object), criteria })
}

/// A verdict in the words that models use for one.
fn is_right(written: &Value) -> Option<bool> {
    match written {
        Value::Bool(right) => Some(*right),
        Value::String(text) => match text.trim().to_lowercase().as_str() {
            "true" | "yes" | "right" | "correct" => Some(true),
            "false" | "no" | "wrong" | "incorrect" => Some(false),
            _ => None,
        },
        _ => None,
    }
}

/// Reads which of two answers is better.
pub(super) fn preference(words: &str) -> Result<(Preference, String), String> {
    let object = last_object(words).ok_or("there is no JSON object in it")?;
    let better = match object.get("better") {
        Some(Value::String(text)) => text.trim().to_lowercase(),
        // A number or `null`, which the list below knows.
        Some(other) => other.to_string(),
        None => return Err("`better` is missing".to_owned()),
    };
    let preference = match better.as_str() {
        "first" | "1" | "a" => Preference::First,
        "second" | "2" | "b" => Preference::Second,
        "neither" | "tie" | "both" | "equal" | "null" => Preference::Neither,
        other => return Err(format!("`better` cannot be `{other}`")),
    };
    Ok((preference, reasoning(&object)))
}

fn find<'a>(marks: &'a Map<String, Value>, name: &str) -> Option<&'a Value> {
    marks.iter().find(|(own, _)| own.to_lowercase() == name).map(|(_, mark)| mark)
}

/// A mark from 0 to 100 as a value from 0 to 1. A text may name another scale: `8/10`.
///
/// A judge that writes 0.8 in place of a whole number means 80 of 100 far more often than less than
/// one. Nobody can tell, so that it is no mark.
fn mark(written: &Value, name: &str) -> Result<f64, String> {
    let (number, most) = match written {
        Value::Number(number) => (number.as_f64(), None),
        Value::String(text) => number_and_scale(text),
        Value::Object(object) => match object.get("score") {
            Some(score) if !score.is_object() => return mark(score, name),
            _ => (None, None),
        },
        _ => (None, None),
    };
    let fits = number.filter(|number| (0.0..=most.unwrap_or(HIGHEST)).contains(number));
    let wrong = || format!("the mark for `{name}` is not a number from 0 to 100");
    let number = fits.ok_or_else(wrong)?;
    if most.is_none() && number > 0.0 && number < 1.0 {
        return Err(format!("the mark for `{name}` is {number}, which may be of 1 or of 100"));
    }
    Ok(number / most.unwrap_or(HIGHEST))
}

/// The highest mark that a judge is asked for.
const HIGHEST: f64 = 100.0;

/// A mark written as a text, and the highest one where it names that: `80`, `80%`, `8/10`.
fn number_and_scale(text: &str) -> (Option<f64>, Option<f64>) {
    let text = text.trim();
    if let Some(percent) = text.strip_suffix('%') {
        return (percent.trim().parse().ok(), Some(HIGHEST));
    }
    match text.split_once('/') {
        Some((number, most)) => {
            let most = most.trim().parse().ok().filter(|most: &f64| *most > 0.0);
            (most.and_then(|_| number.trim().parse().ok()), most)
        }
        None => (text.parse().ok(), None),
    }
}

/// Refuses marks of which the highest is 1: full marks of a scale to 1, or next to nothing of 100.
fn check_scale(marks: &[f64]) -> Result<(), String> {
    let highest = marks.iter().copied().fold(0.0, f64::max);
    if (highest - 1.0 / HIGHEST).abs() < 1e-12 {
        return Err("the highest mark is 1, which may be of 1 or of 100".to_owned());
    }
    Ok(())
}

fn reasoning(object: &Map<String, Value>) -> String {
    let words = ["reasoning", "reason", "explanation"].iter().find_map(|key| object.get(*key));
    words.and_then(Value::as_str).unwrap_or_default().to_owned()
}

/// The last whole JSON object of a text.
fn last_object(text: &str) -> Option<Map<String, Value>> {
    let mut last = None;
    let mut from = 0;
    while let Some(open) = text[from..].find('{').map(|at| from + at) {
        // Judges think aloud, with braces that are no JSON, before they give their verdict.
        let mut values = serde_json::Deserializer::from_str(&text[open..]).into_iter::<Value>();
        match values.next() {
            Some(Ok(Value::Object(object))) => {
                from = open + values.byte_offset();
                last = Some(object);
            }
            _ => from = open + 1,
        }
    }
    last
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graded(words: &str) -> Result<JudgeGrade, String> {
        grade(words, &Rubric::default())
    }

    #[test]
    fn marks_are_weighed_by_the_rubric() {
        let words = "Let me see {…}.\n```json\n{\"reasoning\": \"fine\", \"criteria\": \
                     {\"accuracy\": 100, \"Completeness\": 50, \"clarity\": \"80\", \"relevance\": \
                     {\"score\": 0}}}\n```\nDone.";
        let grade = graded(words).unwrap();
        // (40·100 + 30·50 + 20·80 + 10·0) / 100 = 71.
        assert!((grade.value - 0.71).abs() < 1e-12, "{grade:?}");
        assert_eq!((grade.reasoning.as_str(), grade.criteria["completeness"]), ("fine", 0.5));
    }

    #[test]
    fn one_mark_for_all_is_enough() {
        assert!((graded("{\"score\": 90}").unwrap().value - 0.9).abs() < 1e-12);
    }

    #[test]
    fn a_mark_may_name_its_scale() {
        for (written, value) in [
            ("\"8/10\"", 0.8),
            ("\"80/100\"", 0.8),
            ("\"80 %\"", 0.8),
            ("\"0.8 / 1\"", 0.8),
            ("{\"score\": \"4/5\"}", 0.8),
            ("80.5", 0.805),
            ("0", 0.0),
        ] {
            let grade = graded(&format!("{{\"score\": {written}}}")).unwrap();
            assert!((grade.value - value).abs() < 1e-12, "{written}: {grade:?}");
        }
        // One poor mark beside others is of 100 as they are.
        let marks = r#"{"accuracy": 1, "completeness": 1, "clarity": 80, "relevance": 80}"#;
        assert!((graded(marks).unwrap().criteria["accuracy"] - 0.01).abs() < 1e-12);
        let all = r#"{"accuracy": 1, "completeness": 1, "clarity": 0, "relevance": 1}"#;
        assert!(graded(all).is_err());
    }

    #[test]
    fn a_verdict_is_read_in_any_wording_and_may_be_missing() {
        for (written, right) in [
            ("true", Some(true)),
            ("\"No\"", Some(false)),
            ("\"correct\"", Some(true)),
            ("\"partly\"", None),
            ("1", None),
        ] {
            let words = format!("{{\"right\": {written}, \"score\": 80}}");
            assert_eq!(graded(&words).unwrap().right, right, "{words}");
        }
        assert_eq!(graded("{\"score\": 80}").unwrap().right, None);
    }

    #[test]
    fn what_is_no_judgement_is_told_apart() {
        for (words, why) in [
            ("I like it.", "there is no JSON object in it"),
            ("{\"criteria\": {\"accuracy\": 5}}", "the mark for `relevance` is missing"),
            ("{\"score\": 101}", "the mark for `score` is not a number from 0 to 100"),
            ("{\"score\": \"good\"}", "the mark for `score` is not a number from 0 to 100"),
            ("{\"score\": 90", "there is no JSON object in it"),
            ("{\"score\": 0.8}", "the mark for `score` is 0.8, which may be of 1 or of 100"),
            ("{\"score\": 1}", "the highest mark is 1, which may be of 1 or of 100"),
            ("{\"score\": \"8/0\"}", "the mark for `score` is not a number from 0 to 100"),
        ] {
            assert_eq!(graded(words).unwrap_err(), why, "{words}");
        }
    }

    #[test]
    fn preferences_are_read_in_any_wording() {
        for (words, preference_) in [
            ("{\"better\": \"first\"}", Preference::First),
            ("{\"better\": 2}", Preference::Second),
            ("{\"better\": \"Tie\"} ", Preference::Neither),
        ] {
            assert_eq!(preference(words).unwrap().0, preference_, "{words}");
        }
        assert!(preference("{\"better\": \"third\"}").is_err());
    }
}
