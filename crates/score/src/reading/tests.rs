//! What reads the same, and what does not.

use super::*;

impl TextReader {
    fn says(&self, text: &str, phrase: &str) -> bool {
        self.is_said(&self.read(text), text, phrase)
    }
}

fn says(text: &str, phrase: &str) -> bool {
    TextReader::default().says(text, phrase)
}

#[test]
fn numbers_are_compared_as_numbers() {
    let same = [
        ("It cost $442,300.", "442300"),
        ("It cost 442300 dollars.", "$442,300"),
        ("About 442.3k in all", "442,300"),
        ("a total of 1.2 million", "1,200,000"),
        ("a total of $1.2M", "1200000"),
        ("one million two hundred thousand", "1.2 million"),
        ("The sum is 1,234.50.", "1234.5"),
        ("Die Summe ist 1.234,50", "1234.5"),
        ("there are forty-two units", "42"),
        ("there are 42 units", "forty-two"),
        ("one hundred and five tenants", "105"),
        ("a hundred days", "100 days"),
        ("a loss of ($1,234.50)", "-1234.50"),
        ("a loss (1,234.50 in all)", "1234.50"),
        ("a balance of -$500", "-500"),
        ("a balance of $-500", "-500"),
        ("a rate of 8.5%", "8.5 percent"),
        ("a rate of 8.5 per cent", "8.5%"),
        ("the rate is 8.5 %", "8.5"),
        ("about 1,200 square feet", "1200 sq ft"),
        ("a 1200sqft flat", "1,200 sq. ft."),
        ("it is 5 km away", "5,000 metres"),
        ("two years", "24 months"),
        ("USD 900 a month", "$900"),
        ("$900/month", "$900"),
        ("£20 a week", "20 pounds"),
        ("20 pounds a week", "GBP 20"),
        ("it weighs 20 pounds", "20 lbs"),
        ("it weighs 20 lb", "20 pounds"),
        ("a dozen eggs", "12"),
        ("two dozen chairs", "24 chairs"),
        ("half a dozen chairs", "6 chairs"),
        ("it is 21 °C", "21 degrees Celsius"),
        ("it is 21 degrees", "21°C"),
        ("it is 70°F", "70 degrees Fahrenheit"),
        ("fifty cents", "$0.50"),
        ("3bn in assets", "3 billion"),
    ];
    for (text, phrase) in same {
        assert!(says(text, phrase), "{phrase} in {text}");
    }
}

#[test]
fn other_numbers_are_other_numbers() {
    let different = [
        ("It cost $442,300.", "442301"),
        ("It cost 1442300.", "442300"),
        ("a rate of 0.085", "8.5%"),
        ("a rate of 8.5", "8.5%"),
        ("a rate of 18.5%", "8.5%"),
        ("a balance of 500", "-500"),
        ("a balance of -500", "500"),
        ("note (5) of the lease", "-5"),
        ("5 miles", "5 km"),
        ("€900", "$900"),
        ("Unit 4B is free", "4000000000"),
        ("the 9th of them", "9"),
        ("from 2020-2021", "-2021"),
        ("12 months", "12 years"),
        ("£20", "$20"),
        ("20 pounds", "20 kg"),
        ("70°F", "70 degrees Celsius"),
    ];
    for (text, phrase) in different {
        assert!(!says(text, phrase), "{phrase} in {text}");
    }
}

#[test]
fn marks_on_letters_make_no_other_word() {
    for (text, phrase) in [
        ("in der Hauptstraße 5", "hauptstrasse"),
        ("in the Hauptstrasse", "Hauptstraße"),
        ("a naive plan", "naïve"),
        ("the cafe\u{301}", "cafe"),
        ("Zoë Müller", "Zoe Muller"),
    ] {
        assert!(says(text, phrase), "{phrase} in {text}");
    }
    assert!(!says("in the Masse", "Maße 2"));
}

#[test]
fn every_digit_of_a_whole_number_counts() {
    let same = [
        ("Call 5551234567.", "5551234567"),
        ("account 12345678901234567890", "12345678901234567890"),
        ("1,000,000,000,000,000,000", "1000000000000000000"),
        ("a debt of 3 billion", "3000000000"),
        ("a debt of 1.1bn", "1,100,000,000"),
        ("5,000,000 km", "5000000000 metres"),
        ("1234567890.0", "1234567890"),
        ("invoice 007", "7"),
    ];
    for (text, phrase) in same {
        assert!(says(text, phrase), "{phrase} in {text}");
    }
    let different = [
        ("Call 5551234569.", "5551234567"),
        ("Invoice 2024000123999", "2024000123456"),
        ("card 4111111111112222", "4111111111111111"),
        ("account 12345678901234567891", "12345678901234567890"),
        ("a debt of $5,551,234,569", "$5,551,234,567"),
    ];
    for (text, phrase) in different {
        assert!(!says(text, phrase), "{phrase} in {text}");
    }
}

#[test]
fn digits_with_several_points_are_a_name() {
    for name in ["192.168.1.1", "v1.2.3", "1.2.3", "python3.1", "10.0.0.1"] {
        assert!(says(&format!("It is {name}, as before."), name), "{name}");
        assert!(says(&format!("It is {name}."), name), "{name}");
        assert!(!says(&format!("It is {name}0."), name), "{name}");
        assert!(!says(&format!("It is {name}.5."), name), "{name}");
    }
    assert!(says("1.234.567,50 Euro", "1,234,567.50"));
    assert!(says("on 1.3.2025", "March 1, 2025"));
}

#[test]
fn digits_without_end_are_read_once() {
    // Reading them again from each digit on would take hours.
    let digits = "1".repeat(1 << 20);
    let read = TextReader::default().read(&digits);
    assert_eq!(read.len(), 1, "one word");
    assert!(says(&format!("{digits} and 2"), "2"));
    assert!(!says(&digits, "1"));
}

#[test]
fn dates_are_compared_in_any_form() {
    let forms = [
        "2025-03-01",
        "March 1, 2025",
        "1 Mar 2025",
        "03/01/2025",
        "1 March 2025",
        "Mar. 1, 2025",
        "March 1st, 2025",
        "1st of March 2025",
        "2025/03/01",
        "01.03.2025",
        "3/1/25",
        "2025-03-01T10:30:00Z",
        "1-Mar-2025",
    ];
    for text in forms {
        for phrase in forms {
            assert!(says(&format!("It ends on {text}."), phrase), "{phrase} in {text}");
        }
        assert!(says(text, "March 2025") && says(text, "2025") && says(text, "March"), "{text}");
        assert!(!says(text, "March 2, 2025") && !says(text, "April 2025"), "{text}");
    }
    assert!(!says("in March 2025", "March 1, 2025"));
    assert!(says("by 25/12/2024", "December 25, 2024"));
    let british = TextReader { day_first: true, ..TextReader::default() };
    assert!(british.says("03/04/2025", "3 April 2025"));
    assert!(says("03/04/2025", "March 4, 2025"));
    assert!(!says("12 may be late", "May 12"));
}

#[test]
fn words_are_compared_by_stems_short_forms_and_synonyms() {
    let same = [
        ("The tenants are insured", "tenant"),
        ("He is insuring it", "insured"),
        ("Ada's lease", "Ada"),
        ("at 900 South Ninth Street", "900 S 9th St"),
        ("at 900 S. 9th St.", "900 South Ninth Street"),
        ("the lessee pays", "tenant"),
        ("Smith & Sons", "Smith and Sons"),
        ("signed by the manager", "the manager"),
        ("paid every year: per annum", "annual"),
        ("It is a limited liability company", "LLC"),
        ("No. I could not find it", "not found"),
        ("家賃は月額9万円です", "月額"),
    ];
    for (text, phrase) in same {
        assert!(says(text, phrase), "{phrase} in {text}");
    }
    let different = [
        ("a different thing", "rent"),
        ("at 901 South Ninth Street", "900 S 9th St"),
        ("at 900 South Tenth Street", "900 S 9th St"),
        ("the landlord pays", "tenant"),
    ];
    for (text, phrase) in different {
        assert!(!says(text, phrase), "{phrase} in {text}");
    }
}

#[test]
fn a_unit_alone_is_said_beside_any_number() {
    let same = [
        ("It is 5 percent.", "percent"),
        ("It is in percent.", "percent"),
        ("It is 5%.", "percent"),
        ("Wait 5 minutes.", "minutes"),
        ("Wait for five minutes.", "minute"),
        ("It costs 5 dollars.", "dollars"),
        ("It costs $5.", "dollars"),
        ("It costs 5 euro.", "euro"),
        ("It has 900 square feet.", "square feet"),
        ("5 percent of the rent", "percent of the rent"),
        ("21 degrees Celsius", "Celsius"),
    ];
    for (text, phrase) in same {
        assert!(says(text, phrase), "{phrase} in {text}");
    }
    let different = [
        ("Wait 5 hours.", "minutes"),
        ("It is 5 percent.", "$5"),
        ("It is 5 percent.", "5 dollars"),
        ("It costs 50 cents.", "dollars"),
        ("It is 21 degrees.", "Celsius"),
        ("Wait 5 min.", "minimum of"),
        ("It costs $5.", "percent"),
    ];
    for (text, phrase) in different {
        assert!(!says(text, phrase), "{phrase} in {text}");
    }
}

#[test]
fn a_synonym_of_several_words_is_seen_inside_a_longer_phrase() {
    let synonyms = Synonyms::of(Some(&serde_json::json!([["real estate", "property"]])));
    let reader = TextReader { day_first: false, synonyms };
    for (phrase, text) in [
        ("property holding", "It is a real estate holding."),
        ("real estate holding", "It is a property holding."),
        ("the property holding of 2024", "the real estate holding of 2024"),
    ] {
        assert!(reader.is_said(&reader.read(text), text, phrase), "{phrase} in {text}");
    }
    let text = "a real holding";
    assert!(!reader.is_said(&reader.read(text), text, "property holding"));
}

#[test]
fn several_synonyms_of_several_words_are_seen_in_one_phrase_in_any_mix() {
    let groups = [["real estate", "property"], ["heat pump", "boiler"]];
    let synonyms = Synonyms::of(Some(&serde_json::json!(groups)));
    let reader = TextReader { day_first: false, synonyms };
    for between in ["of the", ""] {
        for phrase in mixes(groups, between) {
            for said in mixes(groups, between) {
                let text = format!("It is the {said}, as ever.");
                assert!(reader.is_said(&reader.read(&text), &text, &phrase), "{phrase} in {text}");
            }
            for other in ["the property of the pump", "the estate boiler", "real heat pump"] {
                assert!(
                    !reader.is_said(&reader.read(other), other, &phrase),
                    "{phrase} in {other}"
                );
            }
        }
    }
}

/// Every phrase of a word of each group, with something between the two.
fn mixes(groups: [[&str; 2]; 2], between: &str) -> Vec<String> {
    let [firsts, seconds] = groups;
    let phrases = firsts.into_iter().flat_map(|first| {
        seconds.into_iter().map(move |second| format!("{first} {between} {second}"))
    });
    phrases.collect()
}

#[test]
fn a_suite_adds_synonyms_of_its_own() {
    let of = |value| TextReader { synonyms: Synonyms::of(Some(&value)), ..TextReader::default() };
    let list = of(serde_json::json!([["HOA dues", "association fee"], ["boiler", "furnace"]]));
    assert!(list.says("The association fees are due", "HOA dues"));
    assert!(list.says("a new furnace", "new boiler"));
    let map = of(serde_json::json!({"boiler": "furnace"}));
    assert!(map.says("a new furnace", "boiler"));
    assert!(!says("a new furnace", "boiler"));
}

#[test]
fn every_item_knows_its_place() {
    let text = "Grüße: $1,200 am 1. März, ab March 1, 2025!";
    for item in TextReader::default().read(text) {
        assert!(text.get(item.place.clone()).is_some_and(|part| !part.is_empty()), "{item:?}");
    }
}
