//! The words of toolgauge, as its documentation explains them.

use std::sync::LazyLock;

use maud::{Markup, html};

use crate::parameters::Link;

static TERMS: LazyLock<Vec<Term>> =
    LazyLock::new(|| read(include_str!("../../../docs/glossary.md")));

/// A word with its meaning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Term {
    pub(crate) word: String,
    pub(crate) meaning: String,
}

impl Term {
    /// The name of its place in the page.
    pub(crate) fn id(&self) -> String {
        let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
        self.word.chars().map(plain).collect()
    }
}

/// Every word.
pub(crate) fn terms() -> &'static [Term] {
    &TERMS
}

/// Words that say on demand what they mean: where the pointer rests, and in the glossary. `word`
/// is how the glossary has it; one it does not have is shown as it is.
pub(crate) fn explained(word: &str, shown: &str) -> Markup {
    let has = |term: &&Term| term.word.split(", ").any(|one| one == word);
    let Some(term) = terms().iter().find(has) else { return html! { (shown) } };
    let link = Link::to("/glossary").href() + "#" + &term.id();
    html! { a.term href=(link) title=(term.meaning) { (shown) } }
}

/// Reads the table of the page: `| **word** | meaning |`.
fn read(page: &str) -> Vec<Term> {
    let rows = page.lines().filter_map(|line| {
        let (word, meaning) = line.strip_prefix("| **")?.split_once("** | ")?;
        let meaning = plain(meaning.trim_end().strip_suffix('|')?.trim());
        Some(Term { word: word.to_owned(), meaning })
    });
    rows.collect()
}

/// Markdown without its marks: links are their words.
fn plain(text: &str) -> String {
    let mut shown = String::new();
    let mut rest = text;
    while let Some((before, link)) = rest.split_once('[') {
        let Some((words, after)) = link.split_once("](") else { break };
        let Some((_, after)) = after.split_once(')') else { break };
        shown.push_str(before);
        shown.push_str(words);
        rest = after;
    }
    shown.push_str(rest);
    shown.replace(['`', '*'], "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_of_the_documentation_is_known_without_marks() {
        assert!(terms().len() > 20, "{}", terms().len());
        let marks = ["](", "`", "**", "|"];
        for Term { word, meaning } in terms() {
            assert!(!meaning.is_empty(), "{word}");
            assert!(!marks.iter().any(|mark| meaning.contains(mark)), "{word}: {meaning}");
        }
        for word in ["floor", "dimension", "pass", "tier", "cause", "interval"] {
            assert!(explained(word, word).0.contains("title="), "{word}");
        }
    }
}
