//! What the comments of people have in common: the causes, tools and category of their trials, and
//! words that several of them use.
//!
//! Nothing is guessed: a theme is what at least two comments share, and it says which ones.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use rust_stemmers::{Algorithm, Stemmer};
use serde::Serialize;
use toolgauge_core::{CaseId, Cause, Feedback, Thumb, Transcript};
use toolgauge_log::TrialSummary;

/// From so many comments on, what they share is a theme.
const SEVERAL: usize = 2;
/// As many themes of each kind as are told.
const MOST: usize = 10;
/// As many words as name a theme of words that always come together.
const MOST_WORDS: usize = 3;
/// Words that say nothing of what a comment is about.
const COMMON_WORDS: &str = include_str!("themes/common_words.txt");

/// What the comments of a theme share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ThemeKind {
    /// Why their trials lost points.
    Cause,
    /// A tool that their trials called, or lost points at.
    Tool,
    /// The category of their cases.
    Category,
    /// Words.
    Words,
}

impl ThemeKind {
    /// The name used in tables and files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Cause => "cause",
            Self::Tool => "tool",
            Self::Category => "category",
            Self::Words => "words",
        }
    }
}

/// What several comments have in common.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Theme {
    /// What they share.
    pub kind: ThemeKind,
    /// The cause, tool, category or words.
    pub name: String,
    /// How many comments share it.
    pub comments: usize,
    /// How many of them come with a thumb up.
    pub up: usize,
    /// How many come with a thumb down.
    pub down: usize,
    /// The first of them.
    pub example: String,
    /// The cases they are about, each once.
    pub cases: Vec<CaseId>,
    /// The places of the comments in the feedback that was given.
    #[serde(skip)]
    pub entries: Vec<usize>,
}

impl Theme {
    /// The name that no other theme has: a category and a word may be the same.
    pub fn full_name(&self) -> String {
        format!("{} {}", self.kind.name(), self.name)
    }

    /// Whether a person means this theme: by its name, with the kind before it or not, or by one of
    /// its words.
    pub fn is_called(&self, name: &str) -> bool {
        let same = |own: &str| own.eq_ignore_ascii_case(name.trim());
        same(&self.name)
            || same(&self.full_name())
            || self.kind == ThemeKind::Words && self.name.split(", ").any(same)
    }
}

/// A comment, and what is known of the trial it is about.
#[derive(Clone, Debug)]
pub struct Comment {
    /// Its place in the feedback that was given.
    entry: usize,
    case: CaseId,
    thumb: Option<Thumb>,
    text: String,
    causes: BTreeSet<Cause>,
    tools: BTreeSet<String>,
    category: Option<String>,
}

impl Comment {
    /// The comment of the feedback at this place; `None` where nothing was written.
    pub fn of(entry: usize, said: &Feedback) -> Option<Self> {
        let text = said.comment.trim();
        (!text.is_empty()).then(|| Self {
            entry,
            case: said.case.clone(),
            thumb: said.thumb,
            text: text.to_owned(),
            causes: BTreeSet::new(),
            tools: BTreeSet::new(),
            category: None,
        })
    }

    /// The same comment with what its trial tells. The tag says what the category is.
    pub fn learn(&mut self, trial: &TrialSummary, tag: &str) {
        let scorer = trial.outcomes.keys().next().map_or("", String::as_str);
        let losses = trial.losses_by(scorer).iter().filter(|loss| loss.points > 0.0);
        for loss in losses {
            self.causes.insert(loss.cause);
            self.tools.extend(loss.tool.clone());
        }
        self.tools.extend(trial.tool_times.iter().map(|time| time.tool.clone()));
        self.category = trial.tags.get(tag).cloned();
    }

    /// The same comment with the tools that its answer came from.
    pub fn learn_calls(&mut self, transcript: &Transcript) {
        self.tools.extend(transcript.calls().map(|call| call.name.clone()));
    }

    /// What the comment may share with others, words apart.
    fn traits(&self) -> impl Iterator<Item = (ThemeKind, String)> + '_ {
        let causes = self.causes.iter().map(|cause| (ThemeKind::Cause, cause.words().to_owned()));
        let tools = self.tools.iter().map(|tool| (ThemeKind::Tool, tool.clone()));
        let category = self.category.iter().map(|name| (ThemeKind::Category, name.clone()));
        causes.chain(tools).chain(category)
    }
}

/// The themes of comments, by kind and then by how many comments share them.
pub fn themes(comments: &[Comment]) -> Vec<Theme> {
    let mut shared: BTreeMap<(ThemeKind, String), BTreeSet<usize>> = BTreeMap::new();
    for (place, comment) in comments.iter().enumerate() {
        for theme in comment.traits() {
            shared.entry(theme).or_default().insert(place);
        }
    }
    for (words, places) in shared_words(comments) {
        shared.insert((ThemeKind::Words, words), places);
    }
    shared.retain(|_, places| places.len() >= SEVERAL);
    let mut found: Vec<Theme> = shared
        .into_iter()
        .map(|((kind, name), places)| theme(kind, name, &places, comments))
        .collect();
    // By name where the numbers are equal, in which order the map has them.
    found.sort_by_key(|theme| (theme.kind, std::cmp::Reverse(theme.comments)));
    let mut told: BTreeMap<ThemeKind, usize> = BTreeMap::new();
    found.retain(|theme| {
        let number = told.entry(theme.kind).or_default();
        *number += 1;
        *number <= MOST
    });
    found
}

fn theme(kind: ThemeKind, name: String, places: &BTreeSet<usize>, comments: &[Comment]) -> Theme {
    let own: Vec<&Comment> = places.iter().map(|place| &comments[*place]).collect();
    let with = |thumb| own.iter().filter(|comment| comment.thumb == Some(thumb)).count();
    let cases: indexmap::IndexSet<CaseId> = own.iter().map(|it| it.case.clone()).collect();
    Theme {
        kind,
        name,
        comments: own.len(),
        up: with(Thumb::Up),
        down: with(Thumb::Down),
        example: own.first().map(|comment| comment.text.clone()).unwrap_or_default(),
        cases: cases.into_iter().collect(),
        entries: own.iter().map(|comment| comment.entry).collect(),
    }
}

/// Words by their stems that several comments use, and the comments. Words that always come
/// together are one theme.
fn shared_words(comments: &[Comment]) -> Vec<(String, BTreeSet<usize>)> {
    static STEMMER: LazyLock<Stemmer> = LazyLock::new(|| Stemmer::create(Algorithm::English));
    let common: BTreeSet<&str> = COMMON_WORDS.split_whitespace().collect();
    let mut used: BTreeMap<String, (BTreeMap<String, usize>, BTreeSet<usize>)> = BTreeMap::new();
    for (place, comment) in comments.iter().enumerate() {
        for word in words(&comment.text).filter(|word| !common.contains(word.as_str())) {
            let stem = STEMMER.stem(&word).into_owned();
            let (forms, places) = used.entry(stem).or_default();
            *forms.entry(word).or_default() += 1;
            places.insert(place);
        }
    }
    let mut together: BTreeMap<BTreeSet<usize>, Vec<String>> = BTreeMap::new();
    for (forms, places) in used.into_values().filter(|(_, places)| places.len() >= SEVERAL) {
        // As it is written most often; the first of the alphabet where that is not decided.
        let most = forms.iter().rev().max_by_key(|(_, times)| **times);
        let form = most.map(|(form, _)| form.clone()).unwrap_or_default();
        together.entry(places).or_default().push(form);
    }
    let named = |(places, mut words): (BTreeSet<usize>, Vec<String>)| {
        words.truncate(MOST_WORDS);
        (words.join(", "), places)
    };
    together.into_iter().map(named).collect()
}

/// The words of a comment in small letters. Numbers are no theme.
fn words(text: &str) -> impl Iterator<Item = String> + '_ {
    let parts = text.split(|c: char| !c.is_alphanumeric() && c != '\'' && c != '’');
    let words = parts.map(|word| word.to_lowercase().replace('’', "'"));
    let words = words.map(|word| word.trim_matches('\'').to_owned());
    words.filter(|word| word.chars().count() > 2 && word.chars().any(char::is_alphabetic))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn comment(entry: usize, case: &str, text: &str, thumb: Thumb) -> Comment {
        Comment {
            entry,
            case: CaseId::new(case),
            thumb: Some(thumb),
            text: text.to_owned(),
            causes: BTreeSet::new(),
            tools: BTreeSet::new(),
            category: None,
        }
    }

    #[test]
    fn words_that_several_comments_share_are_a_theme_in_whatever_form() {
        let comments = [
            comment(0, "rent-1", "The deposit was left out.", Thumb::Down),
            comment(1, "rent-2", "It left out both deposits!", Thumb::Down),
            comment(2, "rent-3", "Nice, and short.", Thumb::Up),
            comment(4, "rent-2", "Too short, the fees are missing", Thumb::Down),
        ];
        let found = themes(&comments);
        let told: Vec<(&str, usize, usize, usize)> = found
            .iter()
            .map(|theme| (theme.name.as_str(), theme.comments, theme.up, theme.down))
            .collect();
        assert_eq!(told, [("deposit, left", 2, 0, 2), ("short", 2, 1, 1)]);
        assert_eq!(found[0].example, "The deposit was left out.");
        assert_eq!(found[0].cases, [CaseId::new("rent-1"), CaseId::new("rent-2")]);
        assert_eq!(found[1].entries, [2, 4]);
        assert!(found[0].is_called("Left") && !found[0].is_called("short"));
        assert!(found[1].is_called("short") && found[1].is_called("words short"));
        assert!(!found[1].is_called("category short"));
    }

    #[test]
    fn comments_on_trials_that_lost_alike_are_a_theme() {
        let mut comments = [
            comment(0, "a", "no", Thumb::Down),
            comment(1, "b", "what?", Thumb::Down),
            comment(2, "c", "hm", Thumb::Down),
        ];
        comments[0].causes.extend([Cause::WrongTool, Cause::WrongValue]);
        comments[1].causes.insert(Cause::WrongValue);
        comments[2].category = Some("tax".into());
        for comment in &mut comments {
            comment.tools.insert("query_database".into());
        }
        let found = themes(&comments);
        let told: Vec<(ThemeKind, &str, usize)> =
            found.iter().map(|theme| (theme.kind, theme.name.as_str(), theme.comments)).collect();
        assert_eq!(
            told,
            [(ThemeKind::Cause, "wrong value", 2), (ThemeKind::Tool, "query_database", 3)]
        );
    }
}
