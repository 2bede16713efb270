//! Phrases with room in them, as the tables write them.
//!
//! Words stand one after the other. `can/could` is either word, `not?` may be left out, `~meet` is
//! `meet` or `meets`, `...` is up to four words of any kind, `^` stands for the beginning of a clause, `$` for its end, and
//! `@act`, `@acted`, `@acting` for the forms of the verbs in `verbs.txt`.
//! A table may have sections, each behind its name in brackets.

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::LazyLock;

use super::words::{Word, sign};

/// How many words a gap takes at most.
const GAP: usize = 4;

/// One phrase of a table.
#[derive(Clone, Debug)]
pub(super) struct Phrase {
    steps: Vec<Step>,
    at_start: bool,
    /// The signs of all words that it may begin with.
    begins: u64,
}

#[derive(Clone, Debug)]
enum Step {
    Word {
        any: Vec<String>,
        optional: bool,
    },
    /// A word with or without the `s` of its third person or its plural.
    Either(String),
    Form {
        form: usize,
        optional: bool,
    },
    Gap,
    End,
}

/// The verbs that say that something is done in the world, each as `turn turned turning`.
static VERBS: LazyLock<[HashSet<&'static str>; 3]> = LazyLock::new(|| {
    let mut forms: [HashSet<&str>; 3] = Default::default();
    for line in lines(include_str!("tables/verbs.txt")) {
        for (form, word) in line.split_whitespace().enumerate() {
            // Further words are other forms of the past: `dreamed dreamt`.
            forms[if form > 2 { 1 } else { form }].insert(word);
        }
    }
    forms
});

/// Whether a word is one form of a verb that does something: 0 for `turn`, 1 for `turned`, 2 for
/// `turning`.
pub(super) fn is_act(word: &str, form: usize) -> bool {
    VERBS[form].contains(word)
}

/// Whether a word is any form of a verb that does something.
pub(super) fn is_any_act(word: &str) -> bool {
    (0..3).any(|form| is_act(word, form))
}

/// The lines of a table that say something.
pub(super) fn lines(table: &'static str) -> impl Iterator<Item = &'static str> {
    table
        .lines()
        .map(|line| line.split('#').next().unwrap_or_default().trim())
        .filter(|line| !line.is_empty())
}

/// The lines of the section of a table that begins with this name in brackets.
pub(super) fn section(
    table: &'static str,
    name: &'static str,
) -> impl Iterator<Item = &'static str> {
    let is_head = move |line: &str| line.strip_prefix('[') == Some(&*format!("{name}]"));
    let section = lines(table).skip_while(move |line| !is_head(line)).skip(1);
    section.take_while(|line| !line.starts_with('['))
}

/// All words of some sections of a table.
pub(super) fn words_of_sections(
    table: &'static str,
    names: &[&'static str],
) -> HashSet<&'static str> {
    let lines = names.iter().flat_map(|name| section(table, name));
    lines.flat_map(str::split_whitespace).collect()
}

/// All words of a table of single words.
pub(super) fn word_set(table: &'static str) -> HashSet<&'static str> {
    lines(table).flat_map(str::split_whitespace).collect()
}

/// All phrases of a table.
pub(super) fn table(table: &'static str) -> Vec<Phrase> {
    lines(table).map(Phrase::new).collect()
}

impl Phrase {
    /// The phrase that a line of a table writes.
    pub(super) fn new(line: &str) -> Self {
        let (at_start, line) = match line.strip_prefix('^') {
            Some(rest) => (true, rest),
            None => (false, line),
        };
        let step = |written: &str| {
            if written == "..." {
                return Step::Gap;
            }
            if written == "$" {
                return Step::End;
            }
            if let Some(word) = written.strip_prefix('~') {
                return Step::Either(without_s(word).into_owned());
            }
            let optional = written.len() > 1 && written.ends_with('?');
            let written = written.strip_suffix('?').unwrap_or(written);
            match written {
                "@act" => Step::Form { form: 0, optional },
                "@acted" => Step::Form { form: 1, optional },
                "@acting" => Step::Form { form: 2, optional },
                _ => Step::Word { any: written.split('/').map(str::to_owned).collect(), optional },
            }
        };
        Self::of_steps(line.split_whitespace().map(step).collect(), at_start)
    }

    /// The phrase of these words, each with or without an `s` at its end: who does not satisfy a
    /// rule is known by `satisfies`.
    pub(super) fn of_words(words: &[String]) -> Self {
        let step = |word: &String| Step::Either(without_s(word).into_owned());
        Self::of_steps(words.iter().map(step).collect(), false)
    }

    fn of_steps(steps: Vec<Step>, at_start: bool) -> Self {
        let begins = match steps.first() {
            Some(Step::Word { any, optional: false }) => {
                any.iter().fold(0, |signs, word| signs | sign(word))
            }
            _ => u64::MAX,
        };
        Self { steps, at_start, begins }
    }

    /// Whether it has no step, so that it stands in any words.
    pub(super) fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Where the phrase stands in the words of a clause: the number of its first word and of the
    /// one behind its last.
    pub(super) fn find(&self, words: &[Word]) -> Option<(usize, usize)> {
        let mut starts = if self.at_start { 0..1 } else { 0..words.len() };
        starts.find_map(|start| {
            // Most phrases begin with no word of a clause, which the signs tell at once.
            let begins = words.get(start).is_none_or(|word| word.sign & self.begins != 0);
            let taken = if begins { matched(&self.steps, &words[start..]) } else { None };
            taken.map(|taken| (start, start + taken))
        })
    }
}

/// How many words the steps take from the beginning of these, if they fit.
fn matched(steps: &[Step], words: &[Word]) -> Option<usize> {
    let Some((step, rest)) = steps.split_first() else { return Some(0) };
    match step {
        Step::End => words.is_empty().then_some(0),
        // The shortest gap that fits, so that a phrase does not reach into what follows it.
        Step::Gap => (0..=GAP.min(words.len()))
            .find_map(|skipped| matched(rest, &words[skipped..]).map(|taken| taken + skipped)),
        Step::Word { .. } | Step::Form { .. } | Step::Either(_) => {
            let optional = matches!(
                step,
                Step::Word { optional: true, .. } | Step::Form { optional: true, .. }
            );
            let fits = words.first().is_some_and(|word| step.takes(&word.text));
            let taken = if fits { matched(rest, &words[1..]).map(|taken| taken + 1) } else { None };
            // Taken first and left out only if the rest does not fit, as regular expressions do.
            taken.or_else(|| if optional { matched(rest, words) } else { None })
        }
    }
}

impl Step {
    fn takes(&self, word: &str) -> bool {
        match self {
            Self::Word { any, .. } => any.iter().any(|other| other == word),
            Self::Either(base) => without_s(word) == *base,
            Self::Form { form, .. } => is_act(word, *form),
            Self::Gap | Self::End => false,
        }
    }
}

/// A word without the `s` of its third person or its plural: `satisfies`, `matches`, `meets`.
fn without_s(word: &str) -> Cow<'_, str> {
    let base = match word.strip_suffix('s') {
        Some(short) if short.len() < 3 || short.ends_with(['s', 'u', 'i']) => word,
        Some(short) => match short.strip_suffix('e') {
            Some(stem) if stem.len() > 2 && stem.ends_with('i') => {
                return Cow::Owned(format!("{}y", &stem[..stem.len() - 1]));
            }
            Some(stem) if ["ch", "sh", "ss", "x"].iter().any(|end| stem.ends_with(end)) => stem,
            _ => short,
        },
        None => word,
    };
    Cow::Borrowed(base)
}
