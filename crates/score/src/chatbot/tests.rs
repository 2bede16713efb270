//! What is an error and what merely speaks of one.

use super::error_sign::{ErrorSign, error_in_answer};

/// Texts in which something failed where an answer should be.
const ERRORS: &[&str] = &[
    "",
    "   \n\t ",
    "null",
    "None",
    "undefined",
    "{}",
    "[]",
    "\"\"",
    "[object Object]",
    "NaN",
    "Error: could not connect to the database",
    "ERROR - query failed",
    "[ERROR] tool raised an exception",
    "❌ Error: no such table: leases",
    "Error 500: Internal Server Error",
    "error code: 502",
    "Internal error: assertion failed",
    "ValueError: invalid literal for int() with base 10: 'x'",
    "sqlite3.OperationalError: no such table: rents",
    "requests.exceptions.ConnectionError: HTTPConnectionPool(host='db', port=80)",
    "java.lang.NullPointerException",
    "TypeError: Cannot read properties of undefined (reading 'map')",
    "Uncaught exception in request handler",
    "Exception: boom",
    "500 Internal Server Error",
    "HTTP 503 Service Unavailable",
    "502 Bad Gateway",
    "Service Unavailable",
    "504: Gateway Time-out",
    "429 Too Many Requests",
    "upstream connect error or disconnect/reset before headers",
    "Connection refused",
    "connect ECONNREFUSED 127.0.0.1:5432",
    "Connection reset by peer",
    "Failed to connect to localhost port 8080",
    "Could not connect to the server.",
    "Request timed out after 30 seconds",
    "Timeout",
    "The operation timed out.",
    "CUDA out of memory. Tried to allocate 2.00 GiB",
    "java.lang.OutOfMemoryError: Java heap space",
    "out of memory",
    "Killed",
    "Segmentation fault (core dumped)",
    "FATAL: the database system is starting up",
    "Tool execution failed: query_database",
    "no such column: rent",
    "near \"FORM\": syntax error",
    "Rate limit exceeded",
    "Invalid API key provided",
    "The model `gpt-9` does not exist",
    "{\"error\": \"internal\"}",
    "{\"error\": {\"code\": 500, \"message\": \"boom\"}}",
    "```json\n{\"status\": \"error\", \"message\": \"no connection\"}\n```",
    "{\"detail\": \"Internal Server Error\"}",
    "{\"success\": false}",
    "<html><head><title>502 Bad Gateway</title></head><body></body></html>",
    "<!DOCTYPE html>\n<html><head><title>Error</title></head></html>",
    "Traceback (most recent call last):\n  File \"app.py\", line 3, in <module>\n    main()\nKeyError: 'rent'",
    "Exception in thread \"main\" java.lang.IllegalStateException: closed\n\tat com.acme.Bot.answer(Bot.java:12)",
    "TypeError: x is not a function\n    at Object.<anonymous> (/app/index.js:3:5)\n    at node:internal/main:1:1",
    "thread 'main' panicked at src/main.rs:4:5:\nindex out of bounds",
    "panic: runtime error: index out of range\n\ngoroutine 1 [running]:\nmain.main()\n\t/app/main.go:8 +0x1d",
    "An error occurred.",
    "An error occurred while processing your request.",
    "An unexpected error has occurred. Please try again later.",
    "Sorry, an error occurred while querying the database.",
    "I'm sorry, but I encountered an error while processing your question.",
    "I’m sorry, I ran into a problem when connecting to the database. Please try again.",
    "Oops! Something went wrong.",
    "Something went wrong. Please try again later. If the problem persists, contact support.",
    "There was an error processing your request.",
    "There was a problem with the server. Error ID: 8f3a-11",
    "We're currently experiencing technical difficulties. Please check back soon.",
    "I was unable to process your request at this time.",
    "The service is temporarily unavailable. Please try again in a few minutes.",
    "Your request could not be processed.",
    "Failed to generate a response.",
    "No response received from the model.",
    "Agent stopped due to iteration limit or time limit.",
];

/// Answers, some of which speak of errors, failures, timeouts and nothing.
const ANSWERS: &[&str] = &[
    "The error rate in March was 2 %.",
    "Errors and omissions insurance covers professional mistakes.",
    "Error handling is described in section 4 of the manual.",
    "There were no errors in the ledger.",
    "No errors were found.",
    "An error occurred in the 2023 tax filing: the county billed the lot twice. It was corrected in May.",
    "The county made an error in its assessment and refunded $312.",
    "There was an error in the March invoice; the tenant was charged twice.",
    "There was a problem with the boiler in unit 3, which was repaired on June 4.",
    "Two inspections failed in 2024: the smoke alarms and the railing.",
    "Failed inspections: smoke alarms (unit 2), railing (unit 5).",
    "The connection to the city sewer was refused by the inspector.",
    "Connection fees are $250 per unit.",
    "The request was refused by the board on April 3.",
    "The request timed out of the grace period, so the late fee applies.",
    "Timeouts are set to 30 seconds in the thermostat.",
    "The lease times out on June 30, 2026.",
    "Killed weeds and mulched the beds on May 2; the invoice was $180.",
    "The fatal accident clause is in section 12.",
    "I could not find any information about a swimming pool in the documents.",
    "I'm sorry, I don't have access to tenants' bank records.",
    "Sorry, there is no tenant with that name.",
    "Unfortunately the documents do not say who the insurer is.",
    "None of the leases end in 2025.",
    "Null and void clauses are listed in the appendix.",
    "No.",
    "0",
    "The total is 0; no payments were received.",
    "500 units were sold in 2024.",
    "404 Main Street is owned by the company.",
    "500 Internal Drive is not one of our properties.",
    "The exception to the rule is unit 4, which has no deposit.",
    "Exceptions must be approved by both members.",
    "Unit 7 is out of memory foam mattresses, says the inventory.",
    "A stack trace is what a program prints when it fails, for example `Traceback (most recent call last)`.",
    "Python prints a traceback when something fails. It looks like this in the log of the thermostat, which the technician attached to his report of March 3:\n\nTraceback (most recent call last):\n  File \"app.py\", line 3",
    "Something went wrong with the dishwasher in unit 2, and it was replaced for $640.",
    "Something went wrong in 2022: the policy lapsed for nine days.",
    "I encountered an error while querying the database, so I used the documents instead. The lease ends on June 30, 2026.",
    "An error occurred while reading the first file, but the second says that rent is $1,450.",
    "The service charge is $45 per month.",
    "The server room is in the basement of 12 Elm Street.",
    "The database lists 14 tenants, 3 of them with failed payments.",
    "{\"answer\": \"The rent is $900\", \"error\": null}",
    "{\"rent\": 900, \"errors\": []}",
    "{\"tenants\": 14}",
    "Rate limits do not apply to the water supply.",
    "Invalid signatures were found on two pages of the 2021 minutes.",
    "The request for a pet was processed on May 2.",
    "We are experiencing higher vacancy than last year: 8.5 %.",
    "The property at 503 Service Road is insured by Acme Mutual.",
    "Critical repairs: roof, $4,200; boiler, $1,100.",
    "<b>Rent:</b> $900",
];

#[test]
fn errors_are_known_as_errors() {
    assert!(ERRORS.len() >= 40);
    let missed: Vec<&&str> = ERRORS.iter().filter(|text| error_in_answer(text).is_none()).collect();
    assert!(missed.is_empty(), "{missed:#?}");
}

#[test]
fn answers_that_speak_of_errors_are_answers() {
    assert!(ANSWERS.len() >= 40);
    let taken: Vec<_> =
        ANSWERS.iter().filter_map(|text| error_in_answer(text).map(|sign| (sign, text))).collect();
    assert!(taken.is_empty(), "{taken:#?}");
}

#[test]
fn the_kind_of_error_is_told() {
    assert_eq!(error_in_answer(" "), Some(ErrorSign::Empty));
    assert_eq!(error_in_answer("null"), Some(ErrorSign::Null));
    let trace = "Traceback (most recent call last):\n  File \"a.py\", line 1\nKeyError: 1";
    assert_eq!(error_in_answer(trace), Some(ErrorSign::Trace));
    assert_eq!(error_in_answer("Error: boom"), Some(ErrorSign::Message));
}

#[test]
fn none_is_an_answer_to_how_many() {
    use serde_json::json;
    use toolgauge_core::{AssistantMessage, Case, Transcript};
    let value = |fact: serde_json::Value, text: &str| {
        let mut case = Case::new("c", "How many fines?");
        let answer = json!({"facts": [fact]});
        case.expectation.answer = Some(serde_json::from_value(answer).unwrap());
        let said = AssistantMessage { content: text.into(), ..AssistantMessage::default() };
        super::ChatbotScorer::default().score(&case, &Transcript::of(said)).value().unwrap()
    };
    for text in ["None.", "none", "None", "Zero.", "None of them."] {
        let lost = 1.0 - value(json!({"number": 0}), text);
        assert!(lost < 1e-9, "{text}: {lost}");
    }
    assert!(value(json!({"number": 3}), "None") < 0.5, "a program's word for nothing");
    assert_eq!(error_in_answer("None."), None, "a sentence");
    assert_eq!(error_in_answer("None"), Some(ErrorSign::Null));
    assert_eq!(error_in_answer("null."), Some(ErrorSign::Null));
}

#[test]
fn a_right_answer_in_the_words_of_an_error_is_no_error() {
    use serde_json::json;
    use toolgauge_core::{AssistantMessage, Case, Transcript};
    let value = |answer: serde_json::Value, text: &str| {
        let mut case = Case::new("c", "Which error does the boiler show?");
        case.expectation.answer = Some(serde_json::from_value(answer).unwrap());
        let said = AssistantMessage { content: text.into(), ..AssistantMessage::default() };
        super::ChatbotScorer::default().score(&case, &Transcript::of(said)).value().unwrap()
    };
    let text = "Error: F28, no ignition.";
    assert!(value(json!({"keywords": ["F28"]}), text) > 1.0 - 1e-9);
    assert!(value(json!({"facts": [{"phrase": ["F28"]}]}), text) > 1.0 - 1e-9);
    assert!(value(json!({"keywords": ["F75"]}), text) < 0.5, "not the one asked for");
    assert!(value(json!({"keywords": [{"not": "F75"}]}), text) < 0.9, "nothing was asked for");
    let trace =
        "Traceback (most recent call last):\n  File \"a.py\", line 1, in f\nKeyError: 'F28'";
    assert!(value(json!({"keywords": ["F28"]}), trace) < 0.9, "a crash is one");
}

mod figures {
    use serde_json::json;
    use toolgauge_core::{
        AssistantMessage, Case, Cause, Dimension, ExpectedAnswer, ExpectedCall, FailureKind,
        Keyword, Message, Outcome, Score, ToolCall, ToolMessage, Transcript, TrialFailure,
        UnscoredReason, Verdict,
    };

    use crate::chatbot::{ChatbotScorer, QualityRule, ToolRule, Weights};
    use crate::keywords::KeywordRule;

    fn case(tools: &[&str], keywords: &[&str]) -> Case {
        let mut case = Case::new("c", "q");
        case.expectation.answer = Some(Box::new(ExpectedAnswer {
            tools: Some(tools.iter().map(|tool| (*tool).to_owned()).collect()),
            keywords: keywords.iter().map(|word| Keyword::Text((*word).to_owned())).collect(),
            ..ExpectedAnswer::default()
        }));
        case
    }

    fn answered(tools: &[&str], text: &str) -> Transcript {
        let calls = tools.iter().map(|tool| ToolCall::new(*tool, serde_json::Map::new()));
        let mut transcript =
            Transcript::of(AssistantMessage { calls: calls.collect(), ..Default::default() });
        for tool in tools {
            transcript.messages.push(reply(tool, false));
        }
        let last = AssistantMessage { content: text.to_owned(), ..Default::default() };
        transcript.messages.push(Message::Assistant(last));
        transcript
    }

    fn reply(tool: &str, failed: bool) -> Message {
        let (call_id, content) = (String::new(), String::from("rows"));
        Message::Tool(ToolMessage { call_id, name: tool.to_owned(), content, failed })
    }

    fn score(scorer: ChatbotScorer, case: &Case, transcript: &Transcript) -> Score {
        match scorer.score(case, transcript) {
            Outcome::Scored(score) => score,
            Outcome::Unscored(reason) => panic!("{reason}"),
        }
    }

    #[expect(clippy::float_cmp, reason = "this figure must come out exactly")]
    #[test]
    fn four_of_five_keywords_are_worth_0_92() {
        let case = case(&["query_database"], &["one", "two", "three", "four", "five"]);
        let transcript = answered(&["query_database"], "One, two, three and FOUR.");
        let score = score(ChatbotScorer::default(), &case, &transcript);
        assert_eq!(score.value, 0.92);
        assert_eq!(score.measures["tool_score"], 1.0);
        assert_eq!(score.measures["keyword_share"], 0.8);
        assert_eq!(score.measures["no_error"], 1.0);
        let verdict = |name: &str| score.dimensions[&Dimension::named(name.to_owned())];
        assert_eq!(verdict("tool_usage"), Verdict::Correct);
        assert_eq!(verdict("response_quality"), Verdict::Incorrect);
        assert_eq!(verdict("error_handling"), Verdict::Correct);
        assert_eq!(score.losses.len(), 1);
        assert_eq!(score.losses[0].cause, Cause::MissingKeyword);
        assert_eq!(score.losses[0].expected, Some(json!("five")));
        assert!((score.losses[0].points - 0.08).abs() < 1e-12);
    }

    #[expect(clippy::float_cmp, reason = "these figures must come out exactly")]
    #[test]
    fn a_number_with_a_comma_is_found_by_the_rule_that_understands() {
        let case = case(&[], &["442300"]);
        let transcript = answered(&[], "It cost $442,300.");
        let plain = ChatbotScorer::default();
        assert_eq!(score(plain, &case, &transcript).measures["keyword_share"], 0.0);
        assert_eq!(score(plain, &case, &transcript).value, 0.6);
        let understood = ChatbotScorer { keywords: KeywordRule::Understood, ..plain };
        assert_eq!(score(understood, &case, &transcript).value, 1.0);
    }

    #[expect(clippy::float_cmp, reason = "these figures must come out exactly")]
    #[test]
    fn facts_replace_keywords_unless_both_must_hold() {
        let mut case = case(&[], &["May", "rent"]);
        let facts = serde_json::json!([{"number": 3920}]);
        case.expectation.answer.as_mut().unwrap().facts = serde_json::from_value(facts).unwrap();
        let facts = ChatbotScorer { keywords: KeywordRule::Understood, ..ChatbotScorer::default() };
        let both = ChatbotScorer { quality: QualityRule::Both, ..facts };
        for (answer, by_facts, by_both) in [
            ("The rent of May was $3,920.", 1.0, 1.0),
            ("In May it was $3,920.", 1.0, 0.5),
            ("It was $3,920.", 1.0, 0.0),
            ("The rent of May was $4,920.", 0.0, 0.0),
        ] {
            for (scorer, quality) in [(facts, by_facts), (both, by_both)] {
                let score = score(scorer, &case, &answered(&[], answer));
                assert_eq!(score.measures["keyword_share"], quality, "{answer}");
                let lost: f64 = score.losses.iter().map(|loss| loss.points).sum();
                assert!((score.value + lost - 1.0).abs() < 1e-9, "{answer}: {lost}");
            }
        }
    }

    #[expect(clippy::float_cmp, reason = "these figures must come out exactly")]
    #[test]
    fn tools_count_all_or_nothing_unless_graded() {
        let case = case(&["a", "b"], &[]);
        let with = |scorer, tools: &[&str]| {
            score(scorer, &case, &answered(tools, "fine")).measures["tool_score"]
        };
        let all = ChatbotScorer::default();
        assert_eq!(with(all, &["b", "a"]), 1.0);
        assert_eq!(with(all, &["a", "b", "c"]), 1.0);
        assert_eq!(with(all, &["a"]), 0.0);
        let graded = ChatbotScorer { tools: ToolRule::Graded, ..all };
        assert_eq!(with(graded, &["a", "b"]), 1.0);
        assert_eq!(with(graded, &["a"]), 0.5);
        assert_eq!(with(graded, &["a", "b", "c", "d"]), 0.5);
        assert_eq!(with(graded, &["c"]), 0.0);
    }

    #[expect(clippy::float_cmp, reason = "these figures must come out exactly")]
    #[test]
    fn one_tool_is_enough_where_either_can_answer() {
        let case = case(&["a", "b"], &[]);
        let any = ChatbotScorer { tools: ToolRule::Any, ..ChatbotScorer::default() };
        let with = |tools: &[&str]| score(any, &case, &answered(tools, "fine"));
        assert_eq!(with(&["b"]).measures["tool_score"], 1.0);
        assert!(with(&["b"]).losses.is_empty());
        assert_eq!(with(&["a", "b", "c"]).measures["tool_score"], 1.0);
        assert_eq!(with(&["c"]).measures["tool_score"], 0.0);
        assert_eq!(with(&["c"]).losses.len(), 2);
    }

    #[test]
    fn graded_tools_take_arguments_into_account() {
        let mut case = case(&["a"], &[]);
        let arguments = [("x".to_owned(), serde_json::from_value(json!(1)).unwrap())];
        let call = ExpectedCall { name: "a".into(), arguments: arguments.into_iter().collect() };
        case.expectation.calls = Some(vec![call]);
        let graded = ChatbotScorer { tools: ToolRule::Graded, ..ChatbotScorer::default() };
        let score = score(graded, &case, &answered(&["a"], "fine"));
        assert!((score.measures["tool_score"] - 0.4).abs() < 1e-12, "{score:?}");
        let lost: f64 = score.losses.iter().map(|loss| loss.points).sum();
        assert!((lost - (1.0 - score.value)).abs() < 1e-9);
    }

    #[expect(clippy::float_cmp, reason = "these figures must come out exactly")]
    #[test]
    fn nothing_expected_is_all_there() {
        let score = score(ChatbotScorer::default(), &case(&[], &[]), &answered(&[], "Hello."));
        assert_eq!(score.value, 1.0);
        assert!(score.losses.is_empty());
        assert_eq!(score.dimensions[&Dimension::named("tool_usage")], Verdict::NotApplicable);
    }

    #[expect(clippy::float_cmp, reason = "these figures must come out exactly")]
    #[test]
    fn failures_of_the_system_are_scored() {
        let case = case(&["a"], &["x"]);
        for kind in [
            FailureKind::Connection,
            FailureKind::Timeout,
            FailureKind::Server,
            FailureKind::Reported,
            FailureKind::LimitReached,
            FailureKind::UnreadableAnswer,
        ] {
            let failure = Some(TrialFailure { kind, message: "no".into() });
            let transcript = Transcript { failure, ..Transcript::default() };
            let score = score(ChatbotScorer::default(), &case, &transcript);
            assert_eq!(score.value, 0.0, "{kind:?}");
            assert!(score.losses.iter().any(|loss| loss.cause == Cause::SystemFailure));
        }
        for kind in [FailureKind::Interrupted, FailureKind::Internal] {
            let failure = TrialFailure { kind, message: "no".into() };
            let transcript = Transcript { failure: Some(failure.clone()), ..Transcript::default() };
            let outcome = ChatbotScorer::default().score(&case, &transcript);
            assert_eq!(outcome, Outcome::Unscored(UnscoredReason::Failed(failure)));
        }
    }

    #[expect(clippy::float_cmp, reason = "these figures must come out exactly")]
    #[test]
    fn a_tool_that_failed_counts_unless_it_was_got_over() {
        let case = case(&["a"], &["x"]);
        let mut transcript = answered(&["a"], "x");
        transcript.messages.insert(1, reply("a", true));
        assert_eq!(score(ChatbotScorer::default(), &case, &transcript).value, 1.0);
        transcript.messages.insert(3, reply("a", true));
        let failed = score(ChatbotScorer::default(), &case, &transcript);
        assert_eq!(failed.value, 0.8);
        assert_eq!(failed.losses[0].cause, Cause::ToolFailure);
        assert_eq!(failed.losses[0].tool.as_deref(), Some("a"));
    }

    #[expect(clippy::float_cmp, reason = "these figures must come out exactly")]
    #[test]
    fn a_suite_sets_weights_and_rules() {
        let mut case = case(&["a"], &["442300", "never"]);
        let settings = json!({
            "weights": {"tool_usage": 1, "response_quality": 2, "error_handling": 1},
            "keywords": "understood",
        });
        case.expectation.more.insert("chatbot".into(), settings);
        let transcript = answered(&[], "It cost $442,300.");
        assert_eq!(score(ChatbotScorer::default(), &case, &transcript).value, 0.5);
        let weights = Weights { tool_usage: 0.0, response_quality: 0.0, error_handling: 0.0 };
        case.expectation.more.clear();
        let useless = ChatbotScorer { weights, ..ChatbotScorer::default() };
        assert_eq!(score(useless, &case, &transcript).value, 0.2);
    }

    #[test]
    fn forbidden_keywords_and_alternatives_count_like_others() {
        let mut case = case(&[], &[]);
        case.expectation.answer.as_mut().unwrap().keywords = vec![
            Keyword::AnyOf(vec!["paid".into(), "price".into()]),
            Keyword::Not("unknown".into()),
            Keyword::Regex(r"\b20\d\d\b".into()),
            Keyword::Not("PAID".into()),
        ];
        let transcript = answered(&[], "We Paid it in 2021.");
        let score = score(ChatbotScorer::default(), &case, &transcript);
        assert!((score.measures["keyword_share"] - 0.75).abs() < 1e-12);
        assert_eq!(score.losses[0].cause, Cause::ForbiddenKeyword);
    }
}
