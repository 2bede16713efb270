//! Faults of the classic scorer's model that a run may have put right.

use serde::{Deserialize, Deserializer, Serialize};

/// A rule that departs from ha-voice-bench where it goes against its own documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub enum Fix {
    /// An alternative may have a response kind of its own. By the old rules it is held to that of
    /// the case, so that a call is never accepted where text is expected, nor text for a call,
    /// although the alternative says so.
    #[serde(rename = "alternative-kinds")]
    AlternativeKinds,
    /// A text response must hold text. By the old rules silence is one.
    #[serde(rename = "text")]
    Text,
    /// Quotes behind the object of arguments are passed over, as Inspect AI does from version
    /// 0.3.260 on, through which newer installations of that benchmark see replies.
    #[serde(rename = "inspect-0.3.260")]
    Inspect260,
}

impl Fix {
    /// Every rule, in the order of the documents.
    pub const ALL: [Self; 3] = [Self::AlternativeKinds, Self::Text, Self::Inspect260];

    /// The name used in flags and logs.
    pub fn name(self) -> &'static str {
        match self {
            Self::AlternativeKinds => "alternative-kinds",
            Self::Text => "text",
            Self::Inspect260 => "inspect-0.3.260",
        }
    }

    /// The rule of that name.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|fix| fix.name() == name)
    }

    /// The flag that asks for these rules.
    pub fn flag(fixes: &[Self]) -> String {
        let names: Vec<&str> = fixes.iter().map(|fix| fix.name()).collect();
        format!("--fix={}", names.join(","))
    }

    /// Reads a list of rules by their names. A rule that a later version dropped is passed over,
    /// so that a log which names it can still be read.
    pub fn list<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Self>, D::Error> {
        let names = Vec::<String>::deserialize(from)?;
        Ok(names.iter().filter_map(|name| Self::by_name(name)).collect())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_rule_is_written_by_its_name_and_an_unknown_one_is_passed_over() {
        assert_eq!(json!(Fix::ALL), json!(Fix::ALL.map(Fix::name)));
        let names = json!(["text", "a rule of another version", "inspect-0.3.260"]);
        assert_eq!(Fix::list(names).unwrap(), [Fix::Text, Fix::Inspect260]);
    }
}
