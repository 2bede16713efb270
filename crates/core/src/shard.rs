//! Which part of a plan a run is, where several processes share the work.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Which shard of how many, counted from 1: `3/16`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShardNumber {
    /// Which one, from 1 to `of`.
    pub index: u32,
    /// How many there are.
    pub of: u32,
}

impl ShardNumber {
    /// The shard of this number, if there is one of it.
    pub fn new(index: u32, of: u32) -> Option<Self> {
        (1..=of).contains(&index).then_some(Self { index, of })
    }
}

impl FromStr for ShardNumber {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text.split_once('/');
        let numbers = numbers.and_then(|(index, of)| Some((index.parse().ok()?, of.parse().ok()?)));
        let (index, of) = numbers.ok_or("write INDEX/COUNT, such as 3/16")?;
        let number = Self::new(index, of);
        number.ok_or_else(|| match of {
            0 => "there must be one shard at least".to_owned(),
            _ => format!("there is no shard {index} of {of}: they are counted from 1 to {of}"),
        })
    }
}

impl fmt::Display for ShardNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}

/// What the head of a shard's log says of the plan it is a part of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shard {
    /// A hash of the whole plan, as hexadecimal digits: the same for all its shards.
    pub plan: String,
    /// Which shard this is.
    pub number: ShardNumber,
    /// How many cases the whole plan has.
    pub cases: usize,
    /// The places of this shard's cases in the whole plan, in the order of the cases.
    pub places: Vec<usize>,
}

/// What the head of a log says that was put together from shards.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MergedShards {
    /// The hash of the plan.
    pub plan: String,
    /// Into how many shards it was split.
    pub of: u32,
    /// The shards that were not there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<u32>,
    /// How many planned trials are not there, those of missing shards included.
    #[serde(default)]
    pub missing_trials: usize,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shard_that_does_not_exist_is_named() {
        let read = |text: &str| text.parse::<ShardNumber>().map(|number| number.to_string());
        assert_eq!(read("3/16"), Ok("3/16".to_owned()));
        assert_eq!(read("16/16"), Ok("16/16".to_owned()));
        let none = "there is no shard 17 of 16: they are counted from 1 to 16";
        assert_eq!(read("17/16"), Err(none.to_owned()));
        assert!(read("0/16").unwrap_err().contains("no shard 0 of 16"));
        assert_eq!(read("1/0"), Err("there must be one shard at least".to_owned()));
        for text in ["", "3", "3/", "/3", "a/b", "-1/3", "1/2/3"] {
            assert_eq!(read(text), Err("write INDEX/COUNT, such as 3/16".to_owned()), "{text}");
        }
    }
}
