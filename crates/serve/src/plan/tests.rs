//! Plans: what they draw, and how they say what is wrong with them.

use super::*;

#[test]
fn a_plan_is_read_with_its_defaults() {
    let plan = FaultPlan::parse(
        "seed: 7\nlatency: {uniform: [10ms, 20ms]}\nfaults:\n- {kind: error, rate: 0.1, status: \
         502}\n- {kind: hang, rate: 0.05}\n- {kind: stall, rate: 0.01, lasting: 3s}\n",
    )
    .unwrap();
    assert_eq!(plan.seed, 7);
    assert_eq!(
        plan.faults,
        [
            (Fault::Error { status: 502 }, 0.1),
            (Fault::Hang { lasting: Duration::from_mins(1) }, 0.05),
            (Fault::Stall { lasting: Duration::from_secs(3) }, 0.01),
        ]
    );
    assert_eq!(FaultPlan::parse("{}").unwrap(), FaultPlan::default());
}

#[test]
fn mistakes_are_named_with_their_line() {
    let error = |plan: &str| FaultPlan::parse(plan).unwrap_err().to_string();
    let unknown =
        error("seed: 1\nfaults:\n- kind: reset\n  rate: 0.1\n- kind: sulk\n  rate: 0.1\n");
    assert!(unknown.starts_with("line 5: "), "{unknown}");
    assert!(unknown.contains("sulk") && unknown.contains("truncated"), "{unknown}");
    let rate = error("faults:\n- kind: reset\n  rate: 1.5\n");
    assert!(rate.starts_with("line 2: ") && rate.contains("between 0 and 1"), "{rate}");
    let misplaced = error("faults:\n- kind: reset\n  rate: 0.5\n  status: 500\n");
    assert!(misplaced.contains("`status` does not belong"), "{misplaced}");
    let field = error("sed: 1\n");
    assert!(field.starts_with("line 1: ") && field.contains("unknown field `sed`"), "{field}");
    let time = error("latency: {fixed: 20}\n");
    assert!(time.starts_with("line 1: "), "{time}");
    assert_eq!(
        error("faults:\n- {kind: reset, rate: 0.7}\n- {kind: hang, rate: 0.7}\n"),
        "the rates of the faults add up to 1.400, which is more than 1"
    );
}

#[test]
fn every_preset_has_a_plan() {
    for name in FaultPlan::PRESETS {
        assert!(FaultPlan::preset(name).is_some(), "{name}");
    }
    assert_eq!(FaultPlan::preset("weird"), None);
    assert!(FaultPlan::preset("none").unwrap().is_empty());
}

#[test]
fn faults_come_at_their_rates() {
    let plan = FaultPlan::preset("flaky").unwrap();
    let drawn: Vec<DrawnFaults> =
        (0..50_000_u32).map(|n| plan.draw(fingerprint(&n.to_le_bytes()), 1)).collect();
    let count =
        |name: &str| drawn.iter().filter(|d| d.fault.is_some_and(|f| f.name() == name)).count();
    // 1,000 are expected of each kind (2,000 of the two error statuses); 5 standard deviations.
    for name in ["rate_limited", "reset", "reset_mid_body", "truncated", "hang", "stall"] {
        assert!(count(name).abs_diff(1_000) < 160, "{name}: {}", count(name));
    }
    assert!(count("error").abs_diff(2_000) < 220, "{}", count("error"));
}

#[test]
fn a_draw_depends_on_seed_request_and_attempt_alone() {
    let plan = FaultPlan {
        latency: Delay::Exponential(Duration::from_millis(5)),
        ..FaultPlan::preset("flaky").unwrap()
    };
    let other = FaultPlan { seed: 1, ..plan.clone() };
    let all = |plan: &FaultPlan| -> Vec<DrawnFaults> {
        (0..200)
            .flat_map(|n| (1..4).map(move |attempt| (n, attempt)))
            .map(|(n, attempt)| plan.draw(n, attempt))
            .collect()
    };
    assert_eq!(all(&plan), all(&plan.clone()));
    assert_ne!(all(&plan), all(&other));
    let faulty: Vec<u64> = (0..200).filter(|n| plan.draw(*n, 1).fault.is_some()).collect();
    let still: Vec<&u64> = faulty.iter().filter(|n| plan.draw(**n, 2).fault.is_some()).collect();
    assert!(!faulty.is_empty() && still.len() < faulty.len() / 2, "{faulty:?} {still:?}");
}
