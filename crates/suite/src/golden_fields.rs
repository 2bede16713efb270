//! What the names of a golden row's fields say: whether something is expected of an answer by them.
//!
//! Teams name their expectations as their tools do (`assert`, `ground_truth`, `ideal`, `criteria`,
//! `rubric`, `label`, …). A name is taken word by word, so that it does not matter how its words
//! are joined.

/// Words that speak of an answer, or of how one is judged.
const WORDS: [&str; 57] = [
    "accept",
    "accepted",
    "allowed",
    "assert",
    "asserts",
    "call",
    "calls",
    "check",
    "checks",
    "completion",
    "completions",
    "correct",
    "correctness",
    "equal",
    "equals",
    "expression",
    "eval",
    "evals",
    "fact",
    "facts",
    "gold",
    "golden",
    "golds",
    "grader",
    "graders",
    "grading",
    "guidelines",
    "icontains",
    "ideal",
    "judge",
    "judges",
    "match",
    "matches",
    "metric",
    "metrics",
    "must",
    "outcome",
    "outcomes",
    "output",
    "outputs",
    "proof",
    "proofs",
    "relevant",
    "require",
    "required",
    "pattern",
    "patterns",
    "reply",
    "replies",
    "should",
    "target",
    "targets",
    "threshold",
    "thresholds",
    "tolerance",
    "tool",
    "tools",
];

/// Beginnings of such words, which mean it in every form: `expected`, `assertions`, `answers`.
const BEGINNINGS: [&str; 27] = [
    "answer",
    "assertion",
    "contain",
    "criteri",
    "evaluat",
    "exclu",
    "expect",
    "forbid",
    "grade",
    "groundtruth",
    "includ",
    "keyword",
    "label",
    "reference",
    "regex",
    "respon",
    "rubric",
    "score",
    "scoring",
    "similarity",
    "solution",
    "trajector",
    "truth",
    "unanswer",
    "validat",
    "verdict",
    "verif",
];

/// Whether a field looks as if something was expected by it, however its words are joined:
/// `expected_entities`, `expectedEntities`, `MUST-CONTAIN`, `answerRegex`.
pub(crate) fn expects(field: &str) -> bool {
    let name = snake_case(field);
    // What somebody has answered, and who has checked it, is no expectation.
    let is_history = name.starts_with("actual_")
        || ["_by", "_at", "_note", "_notes", "_comment", "_comments"]
            .iter()
            .any(|end| name.ends_with(end) && !name.starts_with("expect"));
    !is_history
        && name.split('_').any(|word| {
            WORDS.contains(&word) || BEGINNINGS.iter().any(|start| word.starts_with(start))
        })
}

/// A name in small letters, with `_` between its words.
pub(crate) fn snake_case(name: &str) -> String {
    let mut words = String::new();
    let mut was_small = false;
    for letter in name.chars() {
        if was_small && letter.is_uppercase() {
            words.push('_');
        }
        was_small = letter.is_lowercase();
        words.extend(if letter.is_alphanumeric() { letter } else { '_' }.to_lowercase());
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_other_programs_call_an_expectation_is_one_in_every_spelling() {
        for field in [
            // promptfoo
            "assert",
            "assertScoringFunction",
            "contains-all",
            "icontains",
            "threshold",
            // DeepEval
            "expected_output",
            "expected_outcome",
            "criteria",
            "evaluation_steps",
            // Ragas
            "ground_truth",
            "groundTruths",
            "reference",
            "reference_contexts",
            "reference_tool_calls",
            "rubrics",
            // LangSmith, Braintrust, OpenAI evals, Inspect
            "outputs",
            "reference_outputs",
            "expected",
            "scores",
            "ideal",
            "label",
            "target",
            "scorer",
            // chatbots of other teams
            "answer",
            "Answers",
            "acceptable_answers",
            "answer_regex",
            "assertions",
            "correct_answer",
            "gold_sql",
            "golden_answer",
            "is_correct",
            "keywords",
            "match_type",
            "must_include",
            "mustContain",
            "must-not-contain",
            "reference_answer",
            "regexes",
            "regular_expression",
            "required_facts",
            "should_refuse",
            "solution",
            "tool_calls",
            "Ground Truth",
            "unanswerable",
            "Expected_Entities",
            "EXPECTED-ENTITIES",
            "keywords_expected",
            "VALIDATION_TYPE",
            "validators",
            "forbidden_words",
        ] {
            assert!(expects(field), "{field}");
        }
    }

    #[test]
    fn notes_about_a_question_expect_nothing() {
        for field in [
            "id",
            "category",
            "tags",
            "difficulty",
            "type",
            "notes",
            "comment",
            "comments",
            "description",
            "source",
            "source_file",
            "sources",
            "author",
            "owner",
            "created_at",
            "updated",
            "priority",
            "language",
            "persona",
            "topic",
            "page",
            "version",
            "url",
            "split",
            "metadata",
            "additional_metadata",
            "retrieval_context",
            "requires_calculation",
            "similar_to",
            "source_document",
            "actual_output",
            "verified_by",
            "validated_at",
            "answer_notes",
            "unexpected",
            "musty",
            "shoulder",
            "goldfish",
        ] {
            assert!(!expects(field), "{field}");
        }
    }
}
