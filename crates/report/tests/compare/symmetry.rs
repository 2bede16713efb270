//! Swapping the sides turns every figure round and changes nothing else.

use proptest::prelude::*;
use toolgauge_report::{Comparison, DifferenceVerdict, Terms};
use toolgauge_testkit::long_or;

use super::{side, trial};

fn runs() -> impl Strategy<Value = Vec<(f64, f64, u8)>> {
    let value = prop_oneof![Just(0.0), Just(1.0), Just(0.25), Just(0.8)];
    let verdict = prop_oneof![Just(0.0), Just(1.0)];
    let graded = proptest::collection::vec((value.clone(), value, 0..3_u8), 1..40);
    let binary = proptest::collection::vec((verdict.clone(), verdict, 0..3_u8), 1..40);
    prop_oneof![graded, binary]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(long_or(64, 20)))]

    #[test]
    fn swapping_the_sides_turns_the_comparison_round(values in runs(), trials in 1..3_u32) {
        let make = |which: fn(&(f64, f64, u8)) -> f64| {
            side("run", values.iter().enumerate().map(move |(place, pair)| {
                let place = u32::try_from(place).unwrap();
                let mut trial = trial(&format!("c{}", place / trials), place % trials + 1, which(pair));
                trial.tags.insert("kind".into(), pair.2.to_string());
                trial
            }))
        };
        let (a, b) = (make(|pair| pair.0), make(|pair| pair.1));
        let forth = Comparison::of(&a, &b, &Terms::default());
        let back = Comparison::of(&b, &a, &Terms::default());
        let (one, other) = (forth.score.clone().unwrap(), back.score.clone().unwrap());
        prop_assert!((one.difference + other.difference).abs() < 1e-12);
        prop_assert!((one.p_value - other.p_value).abs() < 1e-12);
        if let (Some(one), Some(other)) = (one.interval(), other.interval()) {
            prop_assert!((one.low + other.high).abs() < 1e-9);
            prop_assert!((one.high + other.low).abs() < 1e-9);
        }
        let turned = match forth.verdict {
            DifferenceVerdict::Better => DifferenceVerdict::Worse,
            DifferenceVerdict::Worse => DifferenceVerdict::Better,
            same => same,
        };
        prop_assert_eq!(turned, back.verdict);
        prop_assert_eq!(forth.flips.fixed, back.flips.broken);
        prop_assert_eq!(forth.flips.broken, back.flips.fixed);
        prop_assert_eq!(forth.flips.wavering, back.flips.wavering);
    }
}
