//! Everyday English words that mean the same to most tools.
//!
//! The groups are general: none was made for a suite, and none names a tool.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::words::stem;

const GROUPS: &[&str] = &[
    "announce broadcast tell",
    "remove delete erase clear",
    "create make add new",
    "cancel abort",
    "raise increase up louder brighten",
    "lower decrease reduce down quieter dim",
    "find search look lookup",
    "buy order purchase",
    "mail email",
    "picture photo image",
    "song track music",
    "begin start launch run",
    "set start",
    "percent percentage",
    "degrees temperature warm cold hot warmer cooler",
    "dim bright brightness brighten",
    "speed fast slow faster slower",
    "volume loud quiet louder quieter",
    "message text",
    "resume continue unpause",
    "skip next",
    "previous last back",
    "todo task",
    "shut close",
    "position open close raise lower",
    "switch turn",
    "activate enable",
    "deactivate disable",
    "film movie",
    "weather forecast rain raining sunny",
    "price cost",
    "show display list",
    "change update edit modify adjust set",
    "reserve book reservation booking",
    "complete finish done",
    "room area place",
    "customer client",
    "color colour",
    "clock time",
    "today date",
];

static SYNONYMS: LazyLock<HashMap<String, Vec<String>>> = LazyLock::new(|| {
    let mut synonyms: HashMap<String, Vec<String>> = HashMap::new();
    for group in GROUPS {
        let stems: Vec<String> =
            group.split_whitespace().map(|word| stem(word).into_owned()).collect();
        for own in &stems {
            let others = synonyms.entry(own.clone()).or_default();
            for other in &stems {
                if other != own && !others.contains(other) {
                    others.push(other.clone());
                }
            }
        }
    }
    synonyms
});

/// Stems that mean about the same as this one.
pub(super) fn synonyms(stem: &str) -> &'static [String] {
    SYNONYMS.get(stem).map_or(&[], Vec::as_slice)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn synonyms_work_in_both_directions() {
        assert!(synonyms(&stem("announce")).contains(&stem("broadcast").into_owned()));
        assert!(synonyms(&stem("broadcasts")).contains(&stem("announce").into_owned()));
        assert!(synonyms("zebra").is_empty());
    }
}
