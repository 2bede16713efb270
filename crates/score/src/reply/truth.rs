//! Yes or no: what a reply says to a question that takes one of the two.

use std::borrow::Cow;

use toolgauge_core::english::WEEKDAYS;
use toolgauge_core::{Cause, Loss, WorldThing};

use super::clause::Clause;
use super::context::Context;
use super::lexicon::LEXICON;
use super::pattern::Phrase;
use super::places::{is_in, places_in};
use super::plain_words::is_function_word;
use super::value::ReplyValues;
use super::words::Word;
use super::{Reply, loss};

/// One place where a reply says yes or no.
#[derive(Debug)]
struct Vote {
    says_yes: bool,
    clause: usize,
    is_hedged: bool,
}

/// The words that say yes and those that say no to one question.
pub(super) struct Sides {
    pairs: Vec<[Cow<'static, [Phrase]>; 2]>,
    /// Whether the case itself lists words that say yes.
    are_listed: bool,
}

/// Words that are prepositions where an article follows: `on the drive` says nothing of a switch.
const PREPOSITIONS: [&str; 10] =
    ["on", "off", "up", "down", "over", "under", "out", "home", "after", "before"];
/// What something is over or under.
const LIMITS: [&str; 8] =
    ["limit", "limits", "cap", "maximum", "ceiling", "budget", "allowance", "minimum"];
/// What shows, besides days of the week, that a preposition stands in front of it.
const BEHIND_PREPOSITIONS: [&str; 13] =
    ["the", "a", "an", "my", "your", "our", "his", "her", "its", "their", "this", "that", "time"];

impl Reply {
    /// What is wrong with a reply to a question that takes yes or no.
    pub(super) fn truth(
        &self,
        truth: bool,
        yes: &[String],
        no: &[String],
        context: &Context<'_>,
    ) -> Option<Loss> {
        if context.sets_a_condition() && self.is_bare_verdict() {
            return Some(loss(Cause::NotAnAnswer, "what was found or done", self.plain.as_str()));
        }
        let sides = Sides::new(yes, no, &context.question);
        let reply = self.with_failures(context);
        let votes = reply.votes(&sides, context);
        let firm: Vec<&Vote> = votes.iter().filter(|vote| !vote.is_hedged).collect();
        let word = |yes: bool| if yes { "yes" } else { "no" };
        // One firm word on the wrong side decides: a reply that says both answers nothing.
        if let Some(wrong) = firm.iter().find(|vote| vote.says_yes != truth) {
            let quote = self.quote(&self.clauses[wrong.clause]);
            return Some(loss(Cause::WrongAnswer, word(truth), quote));
        }
        if firm.is_empty() {
            return Some(loss(Cause::MissingAnswer, word(truth), self.plain.as_str()));
        }
        None
    }

    /// The reply with words of failure read as denials, unless the question asks for them: what
    /// fails to meet a limit does not meet it, but `it failed` says yes to `Did it fail?`
    fn with_failures(&self, context: &Context<'_>) -> Cow<'_, Self> {
        let mut reply = Cow::Borrowed(self);
        let is_asked = |at: usize| context.topic().any(|asked| alike(&self.words[at].text, asked));
        for clause in &self.clauses {
            for phrase in &LEXICON.failures {
                if let Some((_, end)) = phrase.find(self.words_of(clause)) {
                    // The last word, so that the phrase does not deny itself.
                    let last = clause.words.start + end - 1;
                    let reply = reply.to_mut();
                    reply.negators[last] = !is_asked(last);
                    // Whether a value is denied follows from the negators.
                    reply.values = ReplyValues::default();
                }
            }
        }
        reply
    }

    fn votes(&self, sides: &Sides, context: &Context<'_>) -> Vec<Vote> {
        let mut votes = Vec::new();
        for (number, clause) in self.clauses.iter().enumerate() {
            let says = |text: &str| self.words_of(clause).iter().any(|word| word.text == text);
            let is_silent = clause.is_question
                || says("whatever")
                || self.is_conditional(clause)
                || self.declines_to_answer(clause, context)
                || self.speaker_promises(clause)
                || self.tells_what_can_be_done(clause);
            if is_silent {
                continue;
            }
            // `Yes, the pump is on, only the heating is off.`
            let is_exception = says("only") && !votes.is_empty();
            let is_hedged = self.is_hedged(clause);
            let mut vote = |says_yes| votes.push(Vote { says_yes, clause: number, is_hedged });
            if let Some(says_yes) = self.head(number).or_else(|| self.tail(number)) {
                vote(says_yes);
            }
            if !is_exception && !self.is_beside_the_point(clause, context) && !self.is_aside(clause)
            {
                let is_turned = self.is_of_the_compared(clause, context);
                for says_yes in sides.said_in(self, clause) {
                    vote(says_yes != is_turned);
                }
            }
        }
        // Only without any other vote, because an echo is the weakest sign. Where the case lists the
        // words of a verdict, one of them has to be there: `It replaces the contract of 2023` shares
        // words with `Does it agree with the contract?` and decides nothing.
        if votes.is_empty() && !sides.are_listed {
            votes.extend(self.echo(sides, context));
        }
        votes
    }

    /// `I can send it back to its dock` says nothing of where it is.
    fn tells_what_can_be_done(&self, clause: &Clause) -> bool {
        let mut words = self.words_of(clause).iter().map(|word| &*word.text);
        let head = (words.next(), words.next());
        matches!(head, (Some("i"), Some("can" | "could"))) && !self.has_denial(clause)
    }

    /// `And I will lock it` says nothing of now.
    fn speaker_promises(&self, clause: &Clause) -> bool {
        let by_speaker = self.words_of(clause).iter().any(|word| word.text == "i");
        by_speaker && self.promised_act(clause).is_some()
    }

    /// `I cannot help with that` and `That is not recorded` say no to the person and not to `Can
    /// penguins fly?`
    fn declines_to_answer(&self, clause: &Clause, context: &Context<'_>) -> bool {
        const SAID_OF_ANYTHING: [&str; 9] =
            ["help", "assist", "answer", "sorry", "can", "could", "do", "did", "able"];
        let words = self.words_of(clause);
        let says = |names: &[&str]| words.iter().any(|word| names.contains(&word.text.as_str()));
        let is_of_topic =
            |word: &super::Word| context.topic().any(|asked| alike(&word.text, asked));
        let is_of_anything = |word: &super::Word| {
            is_function_word(&word.text) || SAID_OF_ANYTHING.contains(&word.text.as_str())
        };
        let is_unable = says(&["i"]) && says(&["can", "could", "able", "unable"]);
        says(&["i"]) && self.has_denial(clause) && says(&SAID_OF_ANYTHING[..3])
            || is_unable && self.has_denial(clause) && words.iter().all(is_of_anything)
            || self.says_unknown(clause) && !words.iter().any(is_of_topic)
    }

    /// A lone yes or no behind what it sums up: `Not on there, no.`
    fn tail(&self, number: usize) -> Option<bool> {
        let clause = &self.clauses[number];
        let [word] = self.words_of(clause) else { return None };
        let is_last = self.clauses.get(number + 1).is_none_or(|next| next.is_first);
        match word.text.as_str() {
            "yes" | "yeah" | "yep" if is_last => Some(true),
            "no" | "nope" if is_last => Some(false),
            _ => None,
        }
    }

    /// Whether a clause speaks of the second of two that the question compares, so that its words
    /// say the reverse: `the hall is warmer` to `Is it warmer in the attic than in the hall?`
    fn is_of_the_compared(&self, clause: &Clause, context: &Context<'_>) -> bool {
        let Some(than) = context.question.iter().position(|word| word == "than") else {
            return false;
        };
        let (before, behind) = context.question.split_at(than);
        let names = |own: &[String], other: &[String]| -> Vec<String> {
            let is_own = |word: &&String| {
                !is_function_word(word)
                    && !word.ends_with("er")
                    && !word.starts_with(|c: char| c.is_ascii_digit())
                    && !other.contains(word)
            };
            own.iter().filter(is_own).cloned().collect()
        };
        let (first, second) = (names(before, behind), names(behind, before));
        let words = self.words_of(clause);
        let end = words.iter().position(|word| word.text == "than").unwrap_or(words.len());
        let says = |names: &[String]| {
            words[..end].iter().any(|word| names.iter().any(|name| alike(&word.text, name)))
        };
        !first.is_empty() && says(&second) && !says(&first)
    }

    /// Whether a clause gives advice, or speaks of what held before.
    fn is_aside(&self, clause: &Clause) -> bool {
        // `You may want to close it.`
        let suggests = self.words_of(clause).windows(2).any(|pair| {
            matches!(pair[0].text.as_str(), "may" | "might" | "could" | "would")
                && matches!(pair[1].text.as_str(), "want" | "like" | "wish" | "prefer")
        });
        suggests
            || self.words_of(clause).iter().any(|word| {
                matches!(
                    word.text.as_str(),
                    "better"
                        | "please"
                        | "should"
                        | "draft"
                        | "earlier"
                        | "previous"
                        | "former"
                        | "superseded"
                        | "had"
                )
            })
    }

    /// The clause that says the opposite of what was asked for.
    pub(super) fn opposite_of_request(&self, context: &Context<'_>) -> Option<usize> {
        let sides = Sides::new(&[], &[], &context.question);
        let several = context.calls.len() > 1;
        // Where a third is open, two thirds are closed.
        let asks_for_part = || {
            let asked = Self::read(&context.question.join(" "));
            asked.clauses.iter().any(|clause| asked.is_partly(clause))
        };
        self.clauses.iter().enumerate().find_map(|(number, clause)| {
            let says = |text: &str| self.words_of(clause).iter().any(|word| word.text == text);
            // `The other one is on` tells of another; `that one is still on` denies the act.
            let is_next = says("previous") || says("next");
            let is_other = says("one") && !says("still") && !is_next;
            let is_old = is_other
                || self.words_of(clause).iter().any(|word| {
                    matches!(
                        word.text.as_str(),
                        "was"
                            | "were"
                            | "had"
                            | "only"
                            | "except"
                            | "should"
                            | "when"
                            | "from"
                            | "before"
                            | "again"
                            | "anymore"
                            | "longer"
                            | "enough"
                            | "until"
                    )
                })
                // `Mowing is over.`
                || says("over")
                    && self.words_of(clause).first().is_some_and(|word| {
                        word.text.contains("ing")
                    });
            // `Done` and `Finished` report any act.
            let is_done = self.words_of(clause).len() <= 2 && self.claimed_act(clause).is_some();
            // `The other one is still on` tells of what was not touched.
            let is_changed = |thing: &&toolgauge_core::WorldThing| context.is_changed(thing);
            let of_the_rest = self.tells_of_the_rest(clause)
                && self.things_named(clause, context).iter().any(|thing| !is_changed(thing));
            // So does `the bread timer is still running`, or `that one is still on` behind a name.
            let meant = self.things_meant(clause, context);
            let begins = self.words_of(clause).first().map_or("", |word| word.text.as_str());
            let of_excepted = begins == "which" && context.asks_for_exceptions();
            let of_the_rest = of_the_rest
                || says("still") && of_excepted
                || says("still") && self.names_a_running_timer(clause, context)
                || says("still")
                    && !matches!(begins, "it" | "they" | "which" | "that")
                    && !meant.is_empty()
                    && !meant.iter().any(is_changed)
                    && self.is_true_state(clause, context);
            let tells_part = asks_for_part() && self.is_partly(clause);
            // `A timer is running` beside `the light is off`.
            let of_timer = ["timer", "alarm", "countdown"]
                .iter()
                .any(|own| says(own) && context.words_of_calls().iter().any(|word| word == own));
            let skipped = is_done
                || of_timer && several
                || tells_part
                || self.is_true_state(clause, context)
                || self.is_of_its_own(clause)
                || of_the_rest
                || self.is_beside_the_report(clause)
                || is_old
                || self.is_beside_the_point(clause, context);
            let opposes = || sides.said_in(self, clause).contains(&false);
            (!skipped && opposes()).then_some(number)
        })
    }

    /// What the first words of a sentence say: `Yes, …`, `No.`, `It is not.`
    fn head(&self, number: usize) -> Option<bool> {
        let clause = &self.clauses[number];
        // Behind a bare `yes` the sentence has a second head: `Yes, unfortunately there is none.`
        let behind_head = number.checked_sub(1).is_some_and(|before| {
            let before = &self.clauses[before];
            before.is_first
                && before.sentence == clause.sentence
                && (before.words.len() == 1 || self.is_assent(before))
        });
        if !clause.is_first && !behind_head {
            return None;
        }
        let words = self.words_of(clause);
        let text = |at: usize| words.get(at).map_or("", |word| word.text.as_str());
        if !clause.is_first {
            let denies = LEXICON.no.iter().any(|phrase| phrase.find(words).is_some());
            let begins = matches!(words[0].text.as_str(), "no" | "not");
            return (denies && !begins && words.len() > 2).then_some(false);
        }
        let cut = self.up_to_comma(clause);
        let stands_alone = cut <= 3 && (cut < words.len() || cut == words.len());
        // Further on, `No other lamp is on` is no answer to the question.
        if number > 0 && !stands_alone {
            return None;
        }
        let head = &words[..cut.max(1).min(words.len())];
        // `You have milk, bread and butter` tells what there is, behind `No.`
        let is_whole =
            |(start, end): (usize, usize)| number == 0 || (start, end) == (0, head.len());
        let says = |phrases: &[Phrase]| {
            phrases.iter().any(|phrase| phrase.find(head).is_some_and(is_whole))
        };
        let denies = self.negators.get(clause.words.start).copied().unwrap_or(false);
        if says(&LEXICON.no) && (denies || words[0].text != "no" && words[0].text != "not") {
            return Some(false);
        }
        // Behind thanks it denies nothing, but a question it answers.
        if matches!((text(0), text(1), text(2), words.len()), ("not", "at", "all", 3)) {
            return Some(false);
        }
        let assents = says(&LEXICON.assents);
        let agrees_to_denial = self.is_assent(clause)
            && self.clauses.get(number + 1).is_some_and(|next| next.sentence == clause.sentence)
            && self.head(number + 1) == Some(false);
        if agrees_to_denial || (text(0), text(1), text(2)) == ("yes", "and", "no") {
            return None;
        }
        let start = clause.words.start;
        let denials = self.negators[start..start + head.len()].iter().filter(|is| **is).count();
        let is_denied = denials % 2 == 1;
        (assents || says(&LEXICON.yes)).then_some(!(is_denied && assents))
    }

    /// Whether a clause says nothing but that something is right: `That's correct, …`
    fn is_assent(&self, clause: &Clause) -> bool {
        let words = self.words_of(clause);
        LEXICON.assents.iter().any(|phrase| phrase.find(words) == Some((0, words.len())))
    }

    /// How many words of a clause stand before its first comma.
    fn up_to_comma(&self, clause: &Clause) -> usize {
        let words = self.words_of(clause);
        let comma = |at: &usize| {
            let (before, behind) = (&words[*at - 1], &words[*at]);
            self.plain[before.place.end..behind.place.start].contains(',')
        };
        (1..words.len()).find(comma).unwrap_or(words.len())
    }

    /// Whether a clause speaks of another thing than the request.
    fn is_beside_the_point(&self, clause: &Clause, context: &Context<'_>) -> bool {
        if self.is_of_other_side(clause, context) || self.is_of_another_place(clause, context) {
            return true;
        }
        let named = self.things_told(clause, context);
        if named.is_empty() {
            return false;
        }
        let is_asked =
            |thing: &&WorldThing| context.topic_things().iter().any(|own| own.id == thing.id);
        // `The back door is locked` tells of another door than the front door.
        if !context.topic_things().is_empty() && !named.iter().any(is_asked) {
            return true;
        }
        let asked: Vec<String> = context.question.clone();
        !named.iter().any(|thing| {
            thing.names.iter().any(|name| {
                let words = WorldThing::words_of(name);
                asked.windows(words.len().max(1)).any(|window| window == words)
                    || words.last().is_some_and(|last| asked.contains(last))
            })
        })
    }

    /// Whether a clause speaks of a place where nothing is that was asked about: `the one in the
    /// bathroom is closed`.
    fn is_of_another_place(&self, clause: &Clause, context: &Context<'_>) -> bool {
        let words = self.texts_of(clause);
        let places = places_in(&words, context);
        let is_there = |place: &Vec<String>| {
            context.places_asked().contains(place)
                || context.topic_things().iter().any(|thing| is_in(thing, place))
        };
        !context.topic_things().is_empty() && !places.is_empty() && !places.iter().any(is_there)
    }

    /// The things that a clause names, or those named just before it where it begins with a verb:
    /// `Shaun, by contrast, is docked`.
    fn things_told<'c>(&self, clause: &Clause, context: &Context<'c>) -> Vec<&'c WorldThing> {
        let named = self.things_named(clause, context);
        let first = self.words_of(clause).first().map_or("", |word| word.text.as_str());
        if !named.is_empty() || !matches!(first, "is" | "are" | "has" | "stays") {
            return named;
        }
        let before =
            self.clauses.iter().rev().filter(|own| {
                own.sentence == clause.sentence && own.words.end <= clause.words.start
            });
        let named = before.map(|own| self.things_named(own, context));
        named.into_iter().find(|named| !named.is_empty()).unwrap_or_default()
    }

    /// Without a word of either side, the words of the question themselves: said, or denied.
    fn echo(&self, sides: &Sides, context: &Context<'_>) -> Option<Vote> {
        for (number, clause) in self.clauses.iter().enumerate() {
            if clause.is_question || self.is_conditional(clause) {
                continue;
            }
            let words = self.words_of(clause);
            let by_speaker = words.iter().any(|word| word.text == "i") && self.refuses(clause);
            // `I don't see any camera there` answers whether there is one.
            let is_looked_for = context.asks_for_existence()
                && words.iter().any(|word| matches!(word.text.as_str(), "see" | "find" | "have"));
            if self.does_not_know(clause) || by_speaker && !is_looked_for {
                continue;
            }
            let common = context
                .topic()
                .filter(|topic| words.iter().any(|word| alike(&word.text, topic)))
                .count();
            let is_hedged = self.is_hedged(clause);
            // A denial needs less in common: `It doesn't` repeats little of the question.
            if common >= 1 && self.has_denial(clause) {
                return Some(Vote { says_yes: false, clause: number, is_hedged });
            }
            // A question for a state is not answered by its other words: `the window is on the
            // ground floor`.
            if common >= 2 && (sides.pairs.len() < 2 || context.things.is_empty()) {
                return Some(Vote { says_yes: true, clause: number, is_hedged });
            }
        }
        None
    }
}

/// Whether two words are forms of one: `pay` and `paid` are not, `file` and `filed` are.
pub(super) fn alike(one: &str, other: &str) -> bool {
    one == other || crate::reading::stem(one) == crate::reading::stem(other)
}

impl Sides {
    pub(super) fn new(yes: &[String], no: &[String], question: &[String]) -> Self {
        // A text of marks alone has no word, and a phrase without one would stand everywhere.
        let phrases = |words: &[String]| {
            let phrases = words.iter().map(|words| phrase(words));
            Cow::Owned(phrases.filter(|phrase| !phrase.is_empty()).collect())
        };
        let mut pairs = vec![[phrases(yes), phrases(no)]];
        let asked: Vec<Word> = question.iter().map(|word| Word::new(word.clone(), 0..0)).collect();
        let asked = without_names(&without_prepositions(&asked));
        for [one, other] in &LEXICON.opposites {
            let holds = |side: &[Phrase]| side.iter().any(|phrase| phrase.find(&asked).is_some());
            match (holds(one), holds(other)) {
                (true, false) => pairs.push([one, other].map(|side| side.as_slice().into())),
                (false, true) => pairs.push([other, one].map(|side| side.as_slice().into())),
                _ => {}
            }
        }
        Self { pairs, are_listed: !yes.is_empty() }
    }

    /// The two sides of one pair.
    pub(super) fn of_pair(pair: &'static [Vec<Phrase>; 2]) -> Self {
        let [one, other] = pair;
        Self { pairs: vec![[one.as_slice().into(), other.as_slice().into()]], are_listed: false }
    }

    /// What a clause says by words of one side or the other.
    pub(super) fn said_in(&self, reply: &Reply, clause: &Clause) -> Vec<bool> {
        let words = without_names(&without_prepositions(reply.words_of(clause)));
        let mut votes = Vec::new();
        for [yes, no] in &self.pairs {
            // The first place, and there the longest phrase.
            let first = |phrases: &[Phrase]| {
                let found = phrases.iter().filter_map(|phrase| phrase.find(&words));
                found.min_by_key(|(start, end)| (*start, std::cmp::Reverse(*end)))
            };
            let (mut says_yes, mut says_no) = (first(yes), first(no));
            // `exceeds the limit` is no `exceeds`.
            if let (Some(one), Some(other)) = (says_yes, says_no)
                && one.0 < other.1
                && other.0 < one.1
            {
                match (one.1 - one.0).cmp(&(other.1 - other.0)) {
                    std::cmp::Ordering::Less => says_yes = None,
                    std::cmp::Ordering::Greater => says_no = None,
                    std::cmp::Ordering::Equal => {}
                }
            }
            for (found, says_yes) in [(says_yes, true), (says_no, false)] {
                if let Some((start, end)) = found {
                    let denied = reply.is_denied(clause, clause.words.start + start);
                    // `can not` denies behind the verb.
                    let modal = words.get(end - 1).map_or("", |word| word.text.as_str());
                    let behind = matches!(modal, "can" | "may" | "is" | "are" | "does" | "do")
                        && words.get(end).is_some_and(|next| next.text == "not");
                    // Two denials cancel each other, as they do in `is_denied`.
                    votes.push(says_yes != (denied != behind));
                }
            }
        }
        votes
    }
}

/// Words of a suite as a phrase.
fn phrase(words: &str) -> Phrase {
    Phrase::of_words(&super::words::word_texts(words))
}

/// The words, with prepositions blotted out so that they are found by no phrase.
pub(super) fn without_prepositions(words: &[Word]) -> Vec<Word> {
    let mut kept = words.to_vec();
    for at in 0..words.len() {
        let next = words.get(at + 1).map(|word| word.text.as_str());
        let before = at.checked_sub(1).map(|at| words[at].text.as_str());
        // Behind a verb it belongs to that: `turned off the lamp`.
        let is_particle = || {
            let stem = before.map(crate::reading::stem).unwrap_or_default();
            matches!(
                stem.as_str(),
                "turn" | "switch" | "power" | "shut" | "put" | "flip" | "take" | "took"
            )
        };
        // `Over the limit` says how something stands to it.
        let is_bound = || {
            let mut behind = words[at + 1..].iter().take(4);
            behind.any(|word| LIMITS.contains(&word.text.as_str()))
        };
        // `The plug your monitor hangs on is off.`
        let is_bare = matches!(before, Some("hangs" | "sits" | "stands" | "depends" | "lies"))
            && matches!(next, Some("is" | "are" | "was"));
        if is_bare {
            kept[at].text.clear();
        }
        // `I stopped the heating.`
        let is_noun = words[at].text == "heating" && matches!(before, Some("the" | "your"));
        if is_noun && words.len() > 2 && at > 1 {
            kept[at].text.clear();
        }
        if PREPOSITIONS.contains(&words[at].text.as_str())
            && next
                .is_some_and(|next| BEHIND_PREPOSITIONS.contains(&next) || WEEKDAYS.contains(&next))
            && !is_particle()
            && !is_bound()
        {
            kept[at].text.clear();
        }
    }
    kept
}

/// The words, with those blotted out that only name a device: the `leak` of a leak sensor.
fn without_names(words: &[Word]) -> Vec<Word> {
    let mut kept = words.to_vec();
    for at in 1..words.len() {
        let is_device = matches!(
            words[at].text.as_str(),
            "sensor" | "detector" | "alarm" | "machine" | "heater"
        );
        if is_device && words.len() > 2 {
            kept[at - 1].text.clear();
        }
        // `The lock` and `the living room heating` are things.
        let is_noun = match words[at].text.as_str() {
            "lock" => matches!(&*words[at - 1].text, "the" | "your" | "its" | "door"),
            "heating" => {
                let next = words.get(at + 1).map_or("", |word| word.text.as_str());
                !matches!(
                    &*words[at - 1].text,
                    "is" | "are" | "keeps" | "started" | "starts" | "not"
                ) && matches!(next, "" | "is" | "has" | "was" | "stays" | "off" | "goes")
            }
            _ => false,
        };
        if is_noun {
            kept[at].text.clear();
        }
    }
    kept
}
