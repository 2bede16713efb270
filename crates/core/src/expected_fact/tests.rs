use serde_json::json;

use super::*;

#[test]
fn a_fact_is_read_as_it_is_written() {
    for value in [
        json!({"truth": false, "no": ["unlocked"]}),
        json!({"number": 7.4, "unit": "°C", "tolerance": 0.5, "about": ["outside"], "not": [19.0]}),
        json!({"date": "2026-03-05", "not": ["2026-03-15"]}),
        json!({"time": "18:42", "tolerance": 5.0}),
        json!({"one": ["Television", "TV"], "of": [["Television", "TV"], "Radio"]}),
        json!({"set": {"state": "on"}, "of": {"device_class": "window"}}),
        json!({"set": ["Kitchen window"], "of": "windows"}),
        json!({"phrase": ["withheld", "kept"], "not": ["returned"]}),
        json!({"refusal": true}),
        json!({"unknown": "radon"}),
        json!({"question": ["which", "door"]}),
        json!({"small_talk": true}),
        json!({"any_of": [{"date": "2027-09-02"}, {"number": 180.0, "unit": "days"}]}),
    ] {
        let fact: ExpectedFact = serde_json::from_value(value.clone()).unwrap();
        assert_eq!(serde_json::to_value(fact).unwrap(), value);
    }
}

#[test]
fn yes_and_no_are_truth_values() {
    let fact = |word: &str| ExpectedFact::try_from(json!({ "truth": word })).unwrap();
    assert!(matches!(fact("yes"), ExpectedFact::Truth { truth: true, .. }));
    assert!(matches!(fact("no"), ExpectedFact::Truth { truth: false, .. }));
}

#[test]
fn what_is_wrong_with_a_fact_is_named() {
    for (value, words) in [
        (json!("yes"), "a fact is a mapping"),
        (json!({}), "a fact has one of `truth`"),
        (json!({"truth": true, "number": 1}), "`truth` and `number` are two facts"),
        (json!({"truth": "maybe"}), "`truth` is `yes` or `no`"),
        (json!({"truth": true, "unit": "%"}), "`unit` does not go with `truth`"),
        (json!({"number": "7"}), "`number` is a number"),
        (json!({"number": 7, "tolerance": -1}), "`tolerance`"),
        (json!({"date": "5 March"}), "`5 March` is no date"),
        (json!({"date": "2026-13"}), "`2026-13` is no date"),
        (json!({"time": "6 pm"}), "`time` is a time of day"),
        (json!({"set": "windows"}), "`set` is a list of names"),
        (json!({"one": "TV", "of": 3}), "`of` is a list of names"),
        (json!({"question": false}), "`question` is `true`"),
        (json!({"small_talk": "hi"}), "`small_talk` is `true`"),
        (json!({"any_of": [{"truth": true}]}), "two or more"),
    ] {
        let error = ExpectedFact::try_from(value.clone()).unwrap_err();
        assert!(error.contains(words), "{value}: {error}");
    }
}
