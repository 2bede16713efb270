//! The address of a server, or those of several that serve the same model.

use serde::{Deserialize, Serialize};

/// One address at least. Written as a text where there is one, and as a list where there are more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "OneOrMany", into = "OneOrMany")]
pub struct Addresses {
    first: String,
    others: Vec<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(untagged, expecting = "an address is a text, several are a list of texts")]
enum OneOrMany {
    One(String),
    Many(Vec<String>),
}

impl Addresses {
    /// The first of them.
    pub fn first(&self) -> &str {
        &self.first
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        std::iter::once(&self.first).chain(&self.others).map(String::as_str)
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        1 + self.others.len()
    }

    /// Each of them as the function changes it.
    pub(crate) fn map(&self, change: impl Fn(&str) -> String) -> Self {
        let others = self.others.iter().map(|address| change(address)).collect();
        Self { first: change(&self.first), others }
    }
}

impl From<String> for Addresses {
    fn from(first: String) -> Self {
        Self { first, others: Vec::new() }
    }
}

impl TryFrom<OneOrMany> for Addresses {
    type Error = &'static str;

    fn try_from(addresses: OneOrMany) -> Result<Self, Self::Error> {
        let mut addresses = match addresses {
            OneOrMany::One(address) => return Ok(address.into()),
            OneOrMany::Many(addresses) => addresses,
        };
        if addresses.is_empty() {
            return Err("it names no server");
        }
        let first = addresses.remove(0);
        // Twice the same would be asked twice as much as the others.
        let mut seen = std::collections::HashSet::from([first.as_str()]);
        if !addresses.iter().all(|address| seen.insert(address)) {
            return Err("it names a server twice");
        }
        Ok(Self { first, others: addresses })
    }
}

impl From<Addresses> for OneOrMany {
    fn from(addresses: Addresses) -> Self {
        let Addresses { first, mut others } = addresses;
        if others.is_empty() {
            return Self::One(first);
        }
        others.insert(0, first);
        Self::Many(others)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Result<Addresses, String> {
        serde_json::from_str(json).map_err(|error| error.to_string())
    }

    #[test]
    fn one_address_is_a_text_and_several_are_a_list() {
        for text in [r#""http://a""#, r#"["http://a","http://b"]"#] {
            assert_eq!(serde_json::to_string(&read(text).unwrap()).unwrap(), text);
        }
        assert_eq!(read(r#"["http://a"]"#), read(r#""http://a""#));
    }

    #[test]
    fn no_address_and_one_address_twice_are_refused() {
        assert!(read("[]").unwrap_err().contains("names no server"));
        assert!(read(r#"["http://a","http://b","http://a"]"#).unwrap_err().contains("twice"));
        assert!(read("[1]").is_err());
    }
}
