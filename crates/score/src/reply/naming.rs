//! One thing or several out of those there are: whether a reply names these and no other.

use std::collections::BTreeSet;
use std::rc::Rc;

use serde_json::json;
use toolgauge_core::{Candidates, Cause, Loss, Members, WorldThing};

use super::clause::Clause;
use super::context::Context;
use super::lexicon::LEXICON;
use super::pattern::Phrase;
use super::plain_words::is_function_word;
use super::words::{same_word, word_texts};
use super::{Reply, loss};

/// A thing by the ways it may be named, each word by word.
struct Named {
    name: String,
    ways: Vec<Rc<[String]>>,
}

/// Where a thing is named in a reply.
#[derive(Clone, Copy, Debug)]
struct Mention {
    thing: usize,
    word: usize,
    /// Whether the reply says that it is not the one, or not one of them.
    is_denied: bool,
    /// Whether it is only told of as before or behind another one.
    is_ranked: bool,
}

impl Reply {
    /// What is wrong with the one thing a reply names.
    pub(super) fn one(
        &self,
        one: &[String],
        of: &Candidates,
        context: &Context<'_>,
    ) -> Option<Loss> {
        let things = listed(of, one, context);
        let is_right = |thing: usize| one.iter().any(|name| same(name, &things[thing].name));
        let mentions = self.mentions(&things, context);
        let held: Vec<&Mention> = mentions.iter().filter(|mention| !mention.is_denied).collect();
        let expected = one.first().cloned().unwrap_or_default();
        let Some(first) = held.first() else {
            // Of two, whoever calls one the lesser names the other.
            let is_other = |mention: &Mention| !is_right(mention.thing);
            let names_other = !mentions.is_empty() && mentions.iter().all(is_other);
            let is_sure = !self.clauses.iter().any(|clause| self.does_not_know(clause));
            if things.len() == 2 && names_other && is_sure {
                return None;
            }
            return Some(loss(Cause::MissingAnswer, expected, self.plain.as_str()));
        };
        // What is concluded counts, wherever it stands; else what is named first.
        let mut concluded: Vec<&Mention> =
            held.iter().copied().filter(|mention| self.concludes(mention.word, context)).collect();
        // In `the kitchen is warmer, 21.3 against 19.5 in the hall` only the first is called so.
        let clause_of = |mention: &&Mention| {
            self.clauses.iter().position(|clause| clause.words.contains(&mention.word))
        };
        concluded.dedup_by_key(|mention| clause_of(mention));
        let given = if concluded.is_empty() { vec![*first] } else { concluded };
        if let Some(wrong) = given.iter().find(|mention| !is_right(mention.thing)) {
            return Some(loss(Cause::WrongAnswer, expected, things[wrong.thing].name.clone()));
        }
        // Another one in the same breath is a second answer; elsewhere it is a detail.
        let beside = held
            .iter()
            .find(|other| !is_right(other.thing) && self.is_joined(first.word, other.word));
        beside.map(|other| loss(Cause::WrongAnswer, expected, things[other.thing].name.clone()))
    }

    /// Whether a name stands in a conclusion, or beside the word that was asked for: `so the kitchen
    /// wins`, `the kitchen is warmer`.
    fn concludes(&self, word: usize, context: &Context<'_>) -> bool {
        let Some(clause) = self.clauses.iter().find(|clause| clause.words.contains(&word)) else {
            return false;
        };
        let words = self.words_of(clause);
        let first = words.first().map_or("", |word| word.text.as_str());
        let concludes = matches!(first, "so" | "therefore" | "thus" | "hence")
            || words.iter().any(|word| matches!(word.text.as_str(), "therefore" | "wins"));
        let compares = |word: &super::Word| {
            word.text.len() > 4 && (word.text.ends_with("er") || word.text.ends_with("est"))
        };
        let question: Vec<super::Word> =
            context.question.iter().map(|word| super::Word::new(word.clone(), 0..0)).collect();
        let holds = |side: &[Phrase], words: &[super::Word]| {
            side.iter().any(|phrase| phrase.find(words).is_some())
        };
        let same_side = || {
            LEXICON.opposites.iter().flatten().any(|side| {
                holds(side, &question) && holds(side, words) && question.iter().any(compares)
            })
        };
        concludes || same_side()
    }

    /// What is wrong with the set of things a reply names.
    pub(super) fn set(
        &self,
        set: &Members,
        of: &Candidates,
        context: &Context<'_>,
    ) -> Option<Loss> {
        let wanted = members(set, of, context);
        let mut things = listed(of, &[], context);
        for names in &wanted {
            if !things.iter().any(|thing| names.iter().any(|name| same(name, &thing.name))) {
                things.push(Named::new(names));
            }
        }
        for thing in &mut things {
            let others = context.other_names(&thing.name).map(word_texts);
            thing.ways.extend(others.filter(|way| !way.is_empty()));
        }
        shorten(&mut things, context);
        let is_wanted =
            |thing: usize| wanted.iter().flatten().any(|name| same(name, &things[thing].name));
        let all: BTreeSet<usize> = (0..things.len()).filter(|thing| is_wanted(*thing)).collect();
        let shown = |set: &BTreeSet<usize>| {
            json!(set.iter().map(|thing| things[*thing].name.as_str()).collect::<Vec<_>>())
        };
        let mentions = self.mentions(&things, context);
        let held: BTreeSet<usize> = mentions
            .iter()
            .filter(|mention| !mention.is_denied)
            .map(|mention| mention.thing)
            .collect();
        if all.is_empty() {
            let none = held.is_empty() && self.clauses.iter().any(|clause| self.has_denial(clause));
            return (!none).then(|| loss(Cause::WrongAnswer, "none", self.plain.as_str()));
        }
        // `All of them` names nobody and is right where every thing is wanted.
        if held.is_empty() && all.len() == things.len() && self.says_all() {
            return None;
        }
        // `Elm ahead of Oak and Ash` names all three, and in `Pine came fourth` it is none of them.
        let ranked = mentions.iter().filter(|mention| mention.is_ranked).map(|it| it.thing);
        let named: BTreeSet<usize> = held.iter().copied().chain(ranked).collect();
        let missing: BTreeSet<usize> = all.difference(&named).copied().collect();
        if !missing.is_empty() {
            return Some(loss(Cause::MissingAnswer, shown(&missing), self.plain.as_str()));
        }
        // Checked after the names: a wrong count beside missing names would hide which ones are
        // missing.
        if let Some(count) = self.wrong_count(all.len(), context) {
            return Some(loss(Cause::WrongAnswer, shown(&all), count));
        }
        let extra: BTreeSet<usize> = held.difference(&all).copied().collect();
        if !extra.is_empty() {
            return Some(loss(Cause::WrongAnswer, shown(&all), shown(&extra)));
        }
        let unlisted = match of {
            Candidates::Open => self.unlisted(&mentions, context),
            _ => None,
        };
        unlisted.map(|item| loss(Cause::WrongAnswer, shown(&all), item))
    }

    /// An item of an enumeration that nothing tells of: `milk, bread and eggs` where no eggs are on
    /// the list.
    fn unlisted(&self, mentions: &[Mention], context: &Context<'_>) -> Option<&str> {
        const JOINS: [&str; 6] = ["and", "also", "plus", "some", "a", "an"];
        let is_known = |word: &super::Word| {
            let stem = crate::reading::stem(&word.text);
            is_function_word(&word.text)
                || super::plain_words::is_common(&word.text)
                || word.text.starts_with(|c: char| c.is_ascii_digit())
                || context.all_texts().any(|text| text.to_lowercase().contains(&stem))
        };
        let pieces = self.pieces();
        let has_mention = |piece: &std::ops::Range<usize>| {
            mentions.iter().any(|mention| {
                !mention.is_denied && piece.contains(&self.words[mention.word].place.start)
            })
        };
        pieces.windows(2).find_map(|pair| {
            let (before, piece) = (&pair[0], &pair[1]);
            let words: Vec<&super::Word> = self
                .words
                .iter()
                .filter(|word| piece.contains(&word.place.start))
                .filter(|word| !JOINS.contains(&word.text.as_str()))
                .collect();
            let first = words.first()?;
            let goes_on = !self.plain[before.clone()].trim_end().ends_with(['.', '!', '?', ':']);
            let is_item = (1..=3).contains(&words.len()) && !words.iter().any(|w| is_known(w));
            (has_mention(before) && !has_mention(piece) && goes_on && is_item)
                .then(|| &self.plain[first.place.start..words[words.len() - 1].place.end])
        })
    }

    /// A number of things that are not as many: `Three doors: the front and the back door.`
    fn wrong_count(&self, count: usize, context: &Context<'_>) -> Option<String> {
        let asked = |word: &str| context.question.iter().any(|asked| same_word(asked, word));
        self.words.windows(2).find_map(|pair| {
            let number = toolgauge_core::english::small_number(&pair[0].text).map(usize::from);
            let number = number.or_else(|| pair[0].text.parse().ok())?;
            let counts = asked(&pair[1].text) && pair[1].text.ends_with('s') && number > 1;
            // The list may go on behind the names: five documents of four houses.
            let listed = self.plain[pair[1].place.end..].matches([',', ';', '\n']).count() + 1;
            let is_list = number > count && number <= listed + 1;
            (counts && number != count && !is_list)
                .then(|| format!("{} {}", pair[0].text, pair[1].text))
        })
    }

    fn says_all(&self) -> bool {
        self.words
            .iter()
            .any(|word| matches!(word.text.as_str(), "all" | "every" | "everything" | "both"))
    }

    /// Whether two names are joined by nothing but `and`, `or` and commas.
    fn is_joined(&self, one: usize, other: usize) -> bool {
        let (from, to) = (one.min(other), one.max(other));
        let between = &self.words[from..to];
        between.len() <= 8
            && between.iter().any(|word| matches!(word.text.as_str(), "and" | "or"))
            && self
                .clauses
                .iter()
                .any(|clause| clause.words.contains(&from) && clause.words.contains(&to))
    }

    /// Every place where a thing is named.
    fn mentions(&self, things: &[Named], context: &Context<'_>) -> Vec<Mention> {
        let mut found: Vec<(usize, usize, usize)> = Vec::new();
        for (number, thing) in things.iter().enumerate() {
            for way in &thing.ways {
                for at in self.starts_of(way) {
                    found.push((at, at + way.len(), number));
                }
            }
        }
        // A longer name takes the words of a shorter one: `kitchen door` is not `door`.
        let is_within = |a: &(usize, usize, usize), b: &(usize, usize, usize)| {
            b.0 <= a.0 && a.1 <= b.1 && b.1 - b.0 > a.1 - a.0
        };
        let kept: Vec<_> =
            found.iter().filter(|one| !found.iter().any(|other| is_within(one, other))).collect();
        let mut mentions: Vec<Mention> = kept
            .into_iter()
            .filter_map(|(at, _, thing)| {
                let clause = self.clauses.iter().position(|clause| clause.words.contains(at))?;
                let own = &self.clauses[clause];
                // A name inside a question back is offered, not given as the answer.
                if own.is_question {
                    return None;
                }
                let is_ranked = self.is_ranked(own, *at, context);
                let is_denied = is_ranked || self.is_named_as_not(own, *at, context);
                Some(Mention { thing: *thing, word: *at, is_denied, is_ranked })
            })
            .collect();
        mentions.sort_by_key(|mention| mention.word);
        mentions
    }

    fn starts_of(&self, way: &[String]) -> Vec<usize> {
        let fits = |at: &usize| {
            let window = &self.words[*at..*at + way.len()];
            window.iter().zip(way).all(|(word, name)| same_word(&word.text, name))
        };
        let last = (self.words.len() + 1).saturating_sub(way.len());
        if way.is_empty() { Vec::new() } else { (0..last).filter(fits).collect() }
    }

    /// Whether what is denied before a name is what the request asks for as denied: `no address of
    /// Edda`, where it asks whom there is no address of.
    fn denies_as_asked(&self, clause: &Clause, word: usize, context: &Context<'_>) -> bool {
        let negator = (clause.words.start..word).rev().find(|at| self.negators[*at]);
        let behind = negator.map_or(word, |at| at + 1);
        let mut denied = self.words[behind..word].iter().filter(|w| !is_function_word(&w.text));
        let is_asked = |said: &super::Word| {
            context.question.iter().any(|asked| super::truth::alike(&said.text, asked))
        };
        context.asks_for_denial() && denied.next().is_some_and(is_asked)
    }

    /// Whether what was asked for is denied of a name behind it: `the hall light is not`, `the hall
    /// light is not on`. In `the test is not done` something else is.
    fn is_denied_behind(&self, clause: &Clause, word: usize, context: &Context<'_>) -> bool {
        const VERBS: [&str; 9] = ["is", "are", "was", "were", "do", "does", "did", "has", "have"];
        let negator = (word + 2..clause.words.end)
            .find(|at| self.negators[*at] && VERBS.contains(&self.words[at - 1].text.as_str()));
        let Some(negator) = negator.filter(|_| !context.asks_for_denial()) else { return false };
        let mut rest =
            self.words[negator + 1..clause.words.end].iter().filter(|w| !is_function_word(&w.text));
        let is_asked = |said: &super::Word| {
            context.question.iter().any(|asked| super::truth::alike(&said.text, asked))
        };
        let state = self.words.get(negator + 1).filter(|_| negator + 1 < clause.words.end);
        state.is_some_and(is_asked) || rest.next().is_none_or(is_asked)
    }

    /// Whether a further sentence tells of the one that comes next: `The next oldest is …`, `… came
    /// fourth`, `… follows with $900`.
    fn is_of_the_next(&self, clause: &Clause, context: &Context<'_>) -> bool {
        const PLACES: [&str; 8] =
            ["second", "third", "fourth", "fifth", "sixth", "next", "close", "behind"];
        let texts = self.texts_of(clause);
        let is_placed = |pair: &[&str]| {
            matches!(pair[0], "came" | "comes" | "was" | "is" | "follows" | "followed")
                && PLACES.contains(&pair[1])
        };
        let is_next = match texts[..] {
            ["the", "next", ..] | ["next", ..] => true,
            ["the", "second", most, ..] => most.ends_with("est"),
            _ => texts.contains(&"follows") || texts.windows(2).any(is_placed),
        };
        is_next && clause.sentence > 0 && !context.question.iter().any(|word| word == "next")
    }

    /// Whether a thing is named as one that it is not: denied, compared with, set aside, or said
    /// to be the opposite of what was asked.
    fn is_named_as_not(&self, clause: &Clause, word: usize, context: &Context<'_>) -> bool {
        if self.is_denied(clause, word) && !self.denies_as_asked(clause, word, context)
            || self.is_denied_behind(clause, word, context)
        {
            return true;
        }
        let before = &self.words[clause.words.start..word];
        let is_than = before.iter().any(|word| word.text == "than");
        if self.stands_behind_one_of(clause, word, &["except", "besides", "versus", "unlike"]) {
            return true;
        }
        let words = super::truth::without_prepositions(self.words_of(clause));
        let asked: Vec<super::Word> =
            context.question.iter().map(|word| super::Word::new(word.clone(), 0..0)).collect();
        let asked = super::truth::without_prepositions(&asked);
        let holds = |side: &[Phrase], words: &[super::Word]| {
            side.iter().find_map(|phrase| phrase.find(words))
        };
        let is_opposite = LEXICON.opposites.iter().any(|[one, other]| {
            let opposite = match (holds(one, &asked).is_some(), holds(other, &asked).is_some()) {
                (true, false) => other,
                (false, true) => one,
                _ => return false,
            };
            let same = if std::ptr::eq(opposite, one) { other } else { one };
            holds(same, &words).is_none()
                && holds(opposite, &words)
                    .is_some_and(|(start, _)| !self.is_denied(clause, clause.words.start + start))
        });
        let has_than = self.words_of(clause).iter().any(|word| word.text == "than");
        // `The hall is cooler than the kitchen` names the kitchen as the warmer one.
        if has_than { is_than != is_opposite } else { is_opposite }
    }

    /// Whether a thing is named as one before or behind another: `ahead of Oak Row`, `Elm Court came
    /// fourth`.
    fn is_ranked(&self, clause: &Clause, word: usize, context: &Context<'_>) -> bool {
        self.stands_behind_one_of(clause, word, &["followed", "ahead", "behind"])
            || self.is_of_the_next(clause, context)
    }

    /// Whether one of these words stands closely before a name in its clause.
    fn stands_behind_one_of(&self, clause: &Clause, word: usize, words: &[&str]) -> bool {
        let before = &self.words[clause.words.start..word];
        before.iter().rev().take(4).any(|word| words.contains(&word.text.as_str()))
    }

    /// The things of the world that a clause names by a whole name.
    pub(super) fn things_named<'c>(
        &self,
        clause: &Clause,
        context: &Context<'c>,
    ) -> Vec<&'c WorldThing> {
        let mut known = context.named.borrow_mut();
        let named = match known.get(self.quote(clause)) {
            Some(named) => named,
            None => known
                .entry(self.quote(clause).to_owned())
                .or_insert_with(|| self.find_named(clause, context)),
        };
        named.iter().map(|at| &*context.things[*at]).collect()
    }

    /// The same by their places in the list of things.
    fn find_named(&self, clause: &Clause, context: &Context<'_>) -> Vec<usize> {
        let words = self.words_of(clause);
        let mut found: Vec<(usize, usize, usize)> = Vec::new();
        for (thing, (_, names)) in context.named_things().enumerate() {
            for name in names {
                if name.is_empty() || name.len() > words.len() {
                    continue;
                }
                for at in 0..=words.len() - name.len() {
                    let window = &words[at..at + name.len()];
                    if window.iter().zip(name).all(|(word, name)| same_word(&word.text, name)) {
                        found.push((at, at + name.len(), thing));
                    }
                }
            }
        }
        let is_within = |a: &(usize, usize, usize), b: &(usize, usize, usize)| {
            b.0 <= a.0 && a.1 <= b.1 && b.1 - b.0 > a.1 - a.0
        };
        let kept = found.iter().filter(|one| !found.iter().any(|other| is_within(one, other)));
        kept.map(|(_, _, thing)| *thing).collect()
    }
}

fn same(one: &str, other: &str) -> bool {
    word_texts(one) == word_texts(other)
}

impl Named {
    fn new(names: &[String]) -> Self {
        let ways =
            names.iter().map(|name| word_texts(name)).filter(|way| !way.is_empty()).collect();
        Self { name: names.first().cloned().unwrap_or_default(), ways }
    }
}

/// The things there are, with short names where these are told apart by them.
fn listed(of: &Candidates, one: &[String], context: &Context<'_>) -> Vec<Named> {
    let mut things: Vec<Named> = match of {
        Candidates::Open => Vec::new(),
        Candidates::Listed(things) => things.iter().map(|names| Named::new(names)).collect(),
        Candidates::Named(list) => {
            context.list(list).unwrap_or_default().iter().map(|names| Named::new(names)).collect()
        }
        Candidates::Picked(properties) => context
            .things
            .iter()
            .filter(|thing| thing.has(properties))
            .map(|thing| Named::new(&thing.names))
            .collect(),
    };
    if !one.is_empty() {
        match things.iter_mut().find(|thing| one.iter().any(|name| same(name, &thing.name))) {
            Some(thing) => thing.ways.extend(Named::new(one).ways),
            None => things.push(Named::new(one)),
        }
        shorten(&mut things, context);
    }
    things
}

/// Adds the short names by which things of one kind are told apart: `the front and the back door`.
fn shorten(things: &mut [Named], context: &Context<'_>) {
    let counts = |word: &String| {
        things.iter().filter(|thing| thing.ways.iter().any(|way| way.contains(word))).count()
    };
    let short: Vec<Vec<Rc<[String]>>> = things
        .iter()
        .map(|thing| {
            let ways = thing.ways.iter().filter(|way| way.len() > 1);
            let own = ways.map(|way| {
                let kept = way.iter().filter(|word| {
                    let is_shared = things.len() > 1 && counts(word) == things.len();
                    let is_asked = context.question.iter().any(|asked| same_word(asked, word));
                    !is_shared && !is_asked
                });
                kept.cloned().collect::<Rc<[String]>>()
            });
            own.filter(|way| !way.is_empty() && !way.iter().all(|word| is_function_word(word)))
                .collect()
        })
        .collect();
    for (number, ways) in short.iter().enumerate() {
        for way in ways {
            // A short name that two things share would tell neither.
            let is_own = !short
                .iter()
                .enumerate()
                .any(|(other, ways)| other != number && ways.contains(way));
            if is_own && !things[number].ways.contains(way) {
                things[number].ways.push(way.clone());
            }
        }
    }
}

/// The things of a set, each with its names.
fn members(set: &Members, of: &Candidates, context: &Context<'_>) -> Vec<Vec<String>> {
    match set {
        Members::Listed(things) => things.clone(),
        Members::Picked(properties) => {
            let candidates = |thing: &&WorldThing| match of {
                Candidates::Picked(kind) => thing.has(kind),
                _ => true,
            };
            let picked = context
                .things
                .iter()
                .map(|thing| &**thing)
                .filter(candidates)
                .filter(|thing| thing.has(properties));
            picked.map(|thing| thing.names.clone()).collect()
        }
    }
}
