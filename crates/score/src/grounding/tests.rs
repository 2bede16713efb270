//! What is supported by what tools returned, and what is not.

use toolgauge_core::{AssistantMessage, Case, Tool, ToolMessage, Transcript};

use super::*;

fn transcript(returned: &[&str], answer: &str) -> Transcript {
    let mut transcript = Transcript::default();
    for content in returned {
        transcript.messages.push(Message::Tool(ToolMessage {
            call_id: String::new(),
            name: "query_database".into(),
            content: (*content).to_owned(),
            failed: false,
        }));
    }
    let last = AssistantMessage { content: answer.to_owned(), ..AssistantMessage::default() };
    transcript.messages.push(Message::Assistant(last));
    transcript
}

fn score(question: &str, returned: &[&str], answer: &str) -> Score {
    let case = Case::new("c", question);
    let transcript = transcript(returned, answer);
    match GroundingScorer.score(&Evidence::new(&case, &[], &transcript)) {
        Outcome::Scored(score) => score,
        Outcome::Unscored(reason) => panic!("{reason}"),
    }
}

fn unsupported(question: &str, returned: &[&str], answer: &str) -> Vec<String> {
    let score = score(question, returned, answer);
    let actual = |loss: &Loss| loss.actual.as_ref().unwrap().as_str().unwrap().to_owned();
    score.losses.iter().map(actual).collect()
}

const LEASE: &str = r#"[{"tenant": "Ada Lovelace", "rent": 1450.0, "start_date": "2025-03-01", "unit": "4B"},
    {"tenant": "Alan Turing", "rent": 1250.0, "start_date": "2024-07-15", "unit": "2A"}]"#;

#[test]
fn what_was_returned_is_supported_in_any_form() {
    for answer in [
        "Ada Lovelace pays $1,450.00 a month.",
        "Lovelace's rent is 1450 dollars, since March 1, 2025.",
        "The two tenants pay $2,700 together, $1,350 on average.",
        "There are 2 tenants.",
        "Unit 4B was let on 1 Mar 2025.",
        "Since July 2024, Alan Turing has lived in 2A.",
        "I could not find that.",
    ] {
        let none: Vec<String> = Vec::new();
        assert_eq!(unsupported("Who pays what?", &[LEASE], answer), none, "{answer}");
    }
}

#[test]
fn what_was_made_up_is_named() {
    let answer = "Ada Lovelace and Grace Hopper pay $1,475 since April 2, 2025, \"net of fees\".";
    let found = unsupported("Who pays what?", &[LEASE], answer);
    assert_eq!(found, ["net of fees", "$1,475", "April 2, 2025", "Ada Lovelace and Grace Hopper"]);
    let score = score("Who pays what?", &[LEASE], "Ada Lovelace pays $1,450 and owes $99.");
    assert!((score.value - 2.0 / 3.0).abs() < 1e-12, "{score:?}");
    assert!((score.measures["unsupported_share"] - 1.0 / 3.0).abs() < 1e-12);
}

#[test]
fn the_question_supports_too() {
    let found = unsupported(
        "Is the rent of 900 S 9th St above $2,000?",
        &["[]"],
        "No, the rent of 900 South Ninth Street is not above $2,000.",
    );
    assert_eq!(found, Vec::<String>::new());
}

#[test]
fn another_value_under_the_same_label_is_a_contradiction() {
    let one = r#"{"tenant": "Ada Lovelace", "monthly_rent": 1450, "deposit": 2000}"#;
    let score = score("What is the rent?", &[one], "The monthly rent is $1,540.");
    assert_eq!(score.losses[0].cause, Cause::ContradictedValue);
    assert_eq!(score.losses[0].expected, Some(json!({"monthly rent": ["1450"]})));
    assert!((score.measures["contradictions"] - 1.0).abs() < 1e-12);
    let text = "Policy number: 77-12\nPremium: $3,400 per year\nDeductible: $1,000";
    let score = self::score("What is the premium?", &[text], "The premium is $4,300 per year.");
    assert_eq!(score.losses[0].cause, Cause::ContradictedValue, "{score:?}");
    assert_eq!(score.losses[0].expected, Some(json!({"premium": ["$3,400 per year"]})));
}

#[test]
fn rounding_is_no_invention() {
    let returned = [r#"{"total": 442316.57, "share": 0.0853}"#];
    for answer in ["about $442,317", "some $442.3k", "8.53%", "8.5%", "$442,316.57"] {
        assert_eq!(unsupported("How much?", &returned, answer), Vec::<String>::new(), "{answer}");
    }
    assert_eq!(unsupported("How much?", &returned, "9%").len(), 0);
    assert_eq!(unsupported("How much?", &returned, "$442,400").len(), 1);
    assert_eq!(unsupported("How much?", &returned, "0.09").len(), 0);
}

#[test]
fn headings_labels_and_list_marks_claim_nothing() {
    let answer = "## Rent Overview\n\n1. **Monthly Rent:** $1,450\n2. **Start Date:** 2025-03-01\n";
    assert_eq!(unsupported("Rent?", &[LEASE], answer), Vec::<String>::new());
}

#[test]
fn without_anything_returned_there_is_nothing_to_judge() {
    let case = Case::new("c", "q");
    let silent = transcript(&[], "It is 5.");
    let judged = GroundingScorer.score(&Evidence::new(&case, &[], &silent));
    assert_eq!(judged, Outcome::Unscored(UnscoredReason::NothingExpected));
    let tools: [Tool; 1] = [serde_json::from_value(json!({"name": "query_database"})).unwrap()];
    let offered = GroundingScorer.score(&Evidence::new(&case, &tools, &silent));
    assert_eq!(offered.value(), Some(0.0));
}

#[test]
fn long_answers_are_judged_in_time_and_say_that_they_are_cut() {
    let start = std::time::Instant::now();
    let rows: Vec<String> = (0..1000).map(|n| format!("{{\"rent\": {}}}", n * 7)).collect();
    let returned = format!("[{}]", rows.join(","));
    let numbered = |n: u32| format!("The rent is {} since 2025-03-{:02}. ", n * 11, n % 28 + 1);
    let named = |n: u32| format!("So Ada{n} Turing{n} and \"the words {n} were said\". ");
    for text in [
        (0..90_000).map(numbered).collect::<String>(),
        (0..90_000).map(named).collect(),
        "-".repeat(4_000_000),
        "Ada ".repeat(1_000_000),
    ] {
        let score = score("q", &[&returned], &text);
        assert!(score.explanation.starts_with("judged by its first "), "{}", score.explanation);
    }
    // Megabytes took minutes each in a build without optimisation.
    assert!(start.elapsed() < std::time::Duration::from_mins(2), "{:?}", start.elapsed());
}

#[test]
fn what_tools_returned_without_end_cannot_be_judged() {
    let case = Case::new("c", "q");
    let endless = transcript(&[&"x".repeat(5 << 20)], "It is 5.");
    let judged = GroundingScorer.score(&Evidence::new(&case, &[], &endless));
    assert!(matches!(judged, Outcome::Unscored(UnscoredReason::Failed(_))), "{judged:?}");
}

#[test]
fn a_figure_of_a_subject_that_says_it_called_no_tool_is_unsupported() {
    let case = Case::new("c", "How high is the rent?");
    let mut transcript = transcript(&[], "The rent is $1,450.");
    let judge = |transcript: &Transcript| {
        GroundingScorer.score(&Evidence::new(&case, &[], transcript)).value()
    };
    assert_eq!(judge(&transcript), None, "nothing is known of what its tools returned");
    transcript.background.says_no_tools = true;
    assert_eq!(judge(&transcript), Some(0.0));
}

/// The judgement of an answer by tools and by the rows of a proof.
fn by_proof(returned: &[&str], proved: &str, answer: &str) -> Outcome {
    let case = Case::new("c", "What is the rent of 2A in 2026?");
    let mut transcript = transcript(returned, answer);
    transcript.background.proved = vec![proved.to_owned()];
    GroundingScorer.score(&Evidence::new(&case, &[], &transcript))
}

const PROOF: &str = r#"{"columns":["unit","monthly_rent"],"rows":[["2A",1450]],"row_count":1}"#;

#[test]
fn a_figure_that_the_proof_gives_is_supported_though_no_tool_returned_it() {
    let said = by_proof(&["[]"], PROOF, "It is $1,450 in 2026.");
    assert_eq!(said.value(), Some(1.0), "{said:?}");
    let said = by_proof(&["[]"], PROOF, "It is $1,450 and the deposit $2,000.");
    assert_eq!(said.value(), Some(0.5), "{said:?}");
    let losses = said.score().unwrap().losses.clone();
    assert_eq!(losses[0].cause, Cause::UnsupportedClaim, "the proof says nothing of deposits");
}

#[test]
fn the_passage_that_proves_an_answer_supports_it() {
    let mut case = Case::new("c", "Which fee is due?");
    let answer = json!({"proof": [{"document": "lease.md", "passage": "a late fee of $50"}]});
    case.expectation.answer = serde_json::from_value(answer).unwrap();
    let transcript = transcript(&["[]"], "The late fee is $50.");
    let judged = GroundingScorer.score(&Evidence::new(&case, &[], &transcript));
    assert_eq!(judged.value(), Some(1.0), "{judged:?}");
}

#[test]
fn another_figure_than_that_of_the_proof_contradicts_the_database() {
    let sum = r#"{"columns":["sum(amount)"],"rows":[[-7699.25]],"row_count":1}"#;
    let invented = by_proof(&["[]"], sum, "We spent $9,120 on repairs.");
    let loss = &invented.score().unwrap().losses[0];
    assert_eq!((loss.cause, loss.points), (Cause::ContradictedValue, 1.0));
    assert_eq!(loss.expected, Some(json!({"sum(amount)": ["-7699.25"]})));
    // A tool returned it, so that it is no invention; the look was a wrong one.
    let looked_up = by_proof(&[r#"{"total": 9120}"#], sum, "We spent $9,120 on repairs.");
    assert_eq!(looked_up.value(), Some(1.0));
    let loss = &looked_up.score().unwrap().losses[0];
    assert_eq!((loss.cause, loss.points), (Cause::ContradictedValue, 0.0));
    for right in [
        "We spent $7,699.25 on repairs, $420 of it on the roof.",
        "About $7.7k, of which $420 went into the roof.",
        "It was less than in 2025.",
    ] {
        let judged = by_proof(&[r#"{"roof": 420}"#], sum, right);
        let causes: Vec<Cause> =
            judged.score().unwrap().losses.iter().map(|loss| loss.cause).collect();
        assert!(!causes.contains(&Cause::ContradictedValue), "{right}: {judged:?}");
    }
}

#[test]
fn where_nobody_saw_the_tools_only_figures_that_the_proof_decides_are_judged() {
    let count = r#"{"columns":["count(*)"],"rows":[[3]],"row_count":1}"#;
    for (proof, answer, value) in [
        (PROOF, "It is $1,450, with a deposit of $2,000, says Ada Lund.", Some(1.0)),
        (PROOF, "The monthly rent is $1,540.", Some(0.0)),
        (PROOF, "In 2026 it is higher than before.", None),
        (count, "There are three of them since 2019.", None),
        (count, "There are 17 of them.", Some(0.0)),
    ] {
        let judged = by_proof(&[], proof, answer);
        assert_eq!(judged.value(), value, "{answer}: {judged:?}");
    }
}
