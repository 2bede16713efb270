use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::*;

fn briefing(system: &str) -> Arc<Briefing> {
    Arc::new(Briefing { system: Some(system.into()), tools: Arc::new([]) })
}

fn parts(cases: &[CaseId], briefings: &[Arc<Briefing>], of: u32) -> Vec<Vec<usize>> {
    let number = |index| ShardNumber::new(index, of).unwrap();
    (1..=of).map(|index| split(cases, briefings, number(index))).collect()
}

proptest! {
    #[test]
    fn every_case_is_in_one_shard_and_prompts_stay_together(
        prompts in prop::collection::vec(0_usize..6, 1..200),
        of in 1_u32..20,
        turn in 0_usize..200,
    ) {
        let known: Vec<_> = (0..6).map(|prompt| briefing(&format!("prompt {prompt}"))).collect();
        let cases: Vec<CaseId> =
            (0..prompts.len()).map(|case| CaseId::new(format!("case-{case}"))).collect();
        let briefings: Vec<_> = prompts.iter().map(|prompt| Arc::clone(&known[*prompt])).collect();
        let shards = parts(&cases, &briefings, of);
        let mut all: Vec<usize> = shards.concat();
        all.sort_unstable();
        prop_assert_eq!(all, (0..cases.len()).collect::<Vec<_>>());
        let sizes: Vec<usize> = shards.iter().map(Vec::len).collect();
        prop_assert!(sizes.iter().max().unwrap() - sizes.iter().min().unwrap() <= 1);
        // Each cut goes through one prompt at most.
        let pieces: usize = shards
            .iter()
            .map(|places| places.iter().map(|place| prompts[*place]).collect::<BTreeSet<_>>().len())
            .sum();
        let distinct = prompts.iter().collect::<BTreeSet<_>>().len();
        prop_assert!(pieces < distinct + of as usize, "{pieces} pieces of {distinct} prompts");
        // The order of the suite does not count.
        let turned = |items: usize| (turn % items, items);
        let (at, _) = turned(cases.len());
        let rotate = |places: Vec<Vec<usize>>| -> Vec<BTreeSet<CaseId>> {
            let mut cases = cases.clone();
            cases.rotate_left(at);
            places.iter().map(|p| p.iter().map(|place| cases[*place].clone()).collect()).collect()
        };
        let (mut other_cases, mut other_briefings) = (cases.clone(), briefings.clone());
        other_cases.rotate_left(at);
        other_briefings.rotate_left(at);
        let other = rotate(parts(&other_cases, &other_briefings, of));
        let same: Vec<BTreeSet<CaseId>> = shards
            .iter()
            .map(|places| places.iter().map(|place| cases[*place].clone()).collect())
            .collect();
        prop_assert_eq!(other, same);
    }
}

#[test]
fn the_split_of_a_plan_never_changes() {
    let cases: Vec<CaseId> = (0..10).map(|case| CaseId::new(format!("case-{case}"))).collect();
    let (a, b) = (briefing("a"), briefing("b"));
    let briefings: Vec<_> =
        (0..10).map(|case| Arc::clone(if case < 5 { &b } else { &a })).collect();
    // Shards of one run may be made by different builds, so these must stay as they are. By Python:
    // sorted(range(10), key=lambda i: (i < 5, zlib.crc32(b"case-%d" % i))), cut at 3 and 6.
    assert_eq!(parts(&cases, &briefings, 3), [vec![6, 7, 8], vec![3, 5, 9], vec![0, 1, 2, 4]]);
}

fn resolve(text: &str, variables: &[(&str, &str)]) -> Result<String, String> {
    let variables: BTreeMap<&str, &str> = variables.iter().copied().collect();
    let choice: ShardChoice = text.parse()?;
    let found = choice.resolve(|name| variables.get(name).map(|value| (*value).to_owned()));
    found.map(|number| number.to_string()).map_err(|error| error.to_string())
}

#[test]
fn schedulers_say_which_shard_it_is() {
    let found = |text: &str, variables: &[(&str, &str)]| resolve(text, variables).unwrap();
    assert_eq!(found("3/16", &[("SLURM_ARRAY_TASK_ID", "7")]), "3/16");
    assert_eq!(found("auto/16", &[("SLURM_ARRAY_TASK_ID", "0")]), "1/16");
    assert_eq!(found("auto/16", &[("JOB_COMPLETION_INDEX", "15")]), "16/16");
    assert_eq!(found("auto", &[("CI_NODE_INDEX", "2"), ("CI_NODE_TOTAL", "4")]), "2/4");
    assert_eq!(found("auto", &[("CIRCLE_NODE_INDEX", "2"), ("CIRCLE_NODE_TOTAL", "4")]), "3/4");
    let batch = [("AWS_BATCH_JOB_ARRAY_INDEX", "1"), ("AWS_BATCH_JOB_ARRAY_SIZE", "9")];
    assert_eq!(found("auto", &batch), "2/9");
    assert_eq!(found("auto/3", &[("PBS_ARRAY_INDEX", "2")]), "3/3");
    assert_eq!(found("auto", &[("RANK", "0"), ("WORLD_SIZE", "2")]), "1/2");
    // An array whose tasks start ranks is split by its tasks.
    let both = [("RANK", "0"), ("WORLD_SIZE", "2"), ("SLURM_ARRAY_TASK_ID", "5")];
    assert_eq!(found("auto/16", &both), "6/16");
}

#[test]
fn a_task_that_no_shard_belongs_to_is_named() {
    let refused = |text: &str, variables: &[(&str, &str)]| resolve(text, variables).unwrap_err();
    let slurm = [("SLURM_ARRAY_TASK_ID", "3"), ("SLURM_ARRAY_TASK_COUNT", "4")];
    assert!(refused("auto", &slurm).contains("not of how many"));
    assert!(refused("auto", &[]).contains("no variable"));
    let beyond = refused("auto/16", &[("SLURM_ARRAY_TASK_ID", "16")]);
    assert!(beyond.contains("it is 16, and tasks are counted from 0 to 15"), "{beyond}");
    let zero = refused("auto", &[("CI_NODE_INDEX", "0"), ("CI_NODE_TOTAL", "4")]);
    assert!(zero.contains("counted from 1 to 4"), "{zero}");
    let other = refused("auto/5", &[("CI_NODE_INDEX", "1"), ("CI_NODE_TOTAL", "4")]);
    assert!(other.contains("it is of 4 tasks, and 5 are asked for"), "{other}");
    assert!(refused("auto/2", &[("RANK", "first")]).contains("`RANK` is `first`, no number"));
    for text in ["auto/0", "auto/", "automatic", "auto/x"] {
        assert!(refused(text, &[]).starts_with("write"), "{text}");
    }
}
