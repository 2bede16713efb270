//! The page of sentences of a home, which people change to their own words.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::{Value, json};
use toolgauge_document::Node;

use crate::inventory::{InventoryError, Problem};

const HEAD: &str = "\
# What people say in this home. Change `say` to the words you would use, or make it \"\" to leave a
# case out, and run `toolgauge generate --home` again. `made` tells which case a sentence belongs to.
";

const UNUSED: &str = "\n# Your words for cases that this suite does not have. They are used again when it has them.\n";

/// What to say, by the id of the case and by what was made for it.
pub(super) struct Sentences(BTreeMap<MadeSentence, String>);

/// The id of a case, and what was made for it.
pub(super) type MadeSentence = (String, String);

impl Sentences {
    /// Reads a page of sentences.
    pub(super) fn read(origin: &str, text: &str) -> Result<Self, InventoryError> {
        let mut sentences = BTreeMap::new();
        let page = Node::parse(text)
            .map_err(|problem| InventoryError::Invalid(vec![Problem::syntax(origin, problem)]))?;
        for item in page.items().unwrap_or_default() {
            let entry = item.value();
            let part = |key: &str| entry[key].as_str().map(str::to_owned);
            let (Some(id), Some(made), Some(say)) = (part("id"), part("made"), part("say")) else {
                let message = "a sentence has `id`, `made` and `say`, each a text".to_owned();
                let (origin, line) = (origin.to_owned(), item.line());
                return Err(InventoryError::Invalid(vec![Problem { origin, line, message }]));
            };
            sentences.insert((id, made), say);
        }
        Ok(Self(sentences))
    }

    /// Gives cases the words that people chose for them. Returns how many were given other words
    /// or left out, and the sentences whose case is not there, with what people chose.
    pub(super) fn apply(self, cases: &mut Vec<Value>) -> (usize, Vec<(MadeSentence, String)>) {
        let (mut changed, mut unused) = (0, Vec::new());
        for ((id, made), say) in self.0.into_iter().filter(|((_, made), say)| made != say) {
            let own =
                cases.iter().position(|case| case["id"] == json!(id) && case["say"] == json!(made));
            match own {
                None => unused.push(((id, made), say)),
                Some(at) if say.trim().is_empty() => {
                    cases.remove(at);
                    changed += 1;
                }
                Some(at) => {
                    cases[at]["say"] = json!(say);
                    changed += 1;
                }
            }
        }
        (changed, unused)
    }
}

/// The page for these cases; `made` are their sentences as they were made. What people chose for
/// other cases stays on it, for a later suite may have those again.
pub(super) fn page(
    made: &[MadeSentence],
    cases: &[Value],
    unused: &[(MadeSentence, String)],
) -> String {
    let mut text = HEAD.to_owned();
    for (id, sentence) in made {
        let say = cases
            .iter()
            .find(|case| case["id"] == json!(id))
            .map_or("", |case| case["say"].as_str().unwrap_or_default());
        // Writing to a string cannot fail.
        let _ = writeln!(text, "- id: {id}\n  made: {}\n  say: {}", json!(sentence), json!(say));
    }
    if !unused.is_empty() {
        text.push_str(UNUSED);
    }
    for ((id, sentence), say) in unused {
        let _ = writeln!(text, "- id: {id}\n  made: {}\n  say: {}", json!(sentence), json!(say));
    }
    text
}
