//! What a reply says of the things in the world, held against the state they are in.

use std::sync::LazyLock;

use serde_json::{Value, json};
use toolgauge_core::{Cause, Loss, WorldThing};

use super::clause::Clause;
use super::context::Context;
use super::pattern::{self, Phrase};
use super::places::{is_in, places_in};
use super::sorts::{is_of_kind, kinds_of};
use super::{Reply, Word};

/// Something that may be said of things of some kinds, and when it is true.
pub(super) struct StateWords {
    phrases: Vec<Phrase>,
    kinds: Vec<&'static str>,
    states: Vec<&'static str>,
}

pub(super) static STATES: LazyLock<Vec<StateWords>> = LazyLock::new(|| {
    let read = |line: &'static str| {
        let mut parts = line.split('|').map(str::trim);
        let (words, kinds, states) = (parts.next()?, parts.next()?, parts.next()?);
        Some(StateWords {
            phrases: words.split(',').map(|words| Phrase::new(words.trim())).collect(),
            kinds: kinds.split_whitespace().collect(),
            states: states.split_whitespace().collect(),
        })
    };
    pattern::lines(include_str!("tables/states.txt")).filter_map(read).collect()
});

impl StateWords {
    /// Whether it is said in these words, of things such as this one.
    pub(super) fn is_said(&self, words: &[Word], thing: &WorldThing) -> bool {
        self.speaks_of(thing) && self.phrases.iter().any(|phrase| phrase.find(words).is_some())
    }

    /// Where it is said in these words.
    pub(super) fn start_in(&self, words: &[Word]) -> Option<usize> {
        self.phrases.iter().filter_map(|phrase| phrase.find(words)).map(|(start, _)| start).min()
    }

    /// Whether it is so of a thing as it is, or as a property of it is: `is_volume_muted=true`.
    pub(super) fn is_true_of(&self, thing: &WorldThing) -> bool {
        self.is_true(&thing.state, |name| thing.attributes.get(name))
    }

    /// Whether it was so before the calls were made.
    pub(super) fn was_true_of(&self, thing: &WorldThing, context: &Context<'_>) -> bool {
        let changed = context.changes.and_then(|changes| changes.get(&thing.id));
        self.is_true(state_before(thing, context), |name| {
            let before = changed.and_then(|change| change.get(name)?.get(0));
            before.or_else(|| thing.attributes.get(name))
        })
    }

    /// Where a clause says this of things of which it speaks, and does not only name them.
    fn place_in(&self, words: &[Word], spoken: &[&&WorldThing]) -> Option<usize> {
        // In `the floor heating has been turned off` the first word names the thing.
        let is_subject = |(start, end): &(usize, usize)| {
            let is_noun = *start > 0 && words[start - 1].text == "the";
            end - start == 1
                && spoken.iter().any(|thing| kinds_of(thing).contains(&&*words[*start].text))
                && (is_noun
                    || words[*end..].iter().any(|word| {
                        matches!(&*word.text, "is" | "are" | "was" | "were" | "has" | "have")
                            || pattern::is_act(&word.text, 1)
                    }))
        };
        let is_named = |(start, end): &(usize, usize)| {
            end - start == 1 && is_end_of_a_name(words, *start, spoken)
        };
        let found = self.phrases.iter().filter_map(|phrase| phrase.find(words));
        let found = found.filter(|found| !is_subject(found) && !is_named(found));
        found.min().map(|(start, _)| start)
    }

    fn is_true<'v>(&self, state: &str, property: impl Fn(&str) -> Option<&'v Value>) -> bool {
        self.states.iter().any(|wanted| match wanted.split_once('=') {
            Some((name, value)) => {
                property(name).map(Value::to_string).is_some_and(|own| own == value)
            }
            None => *wanted == state,
        })
    }

    fn speaks_of(&self, thing: &WorldThing) -> bool {
        self.kinds.iter().any(|kind| is_of_kind(thing, kind))
    }
}

/// When a state is spoken of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tense {
    Now,
    /// Before the calls were made: `it was already on`.
    Before,
    /// Either: `the lamp was turned off`.
    Either,
}

impl Reply {
    /// The first statement about a thing of the world that is not so.
    pub(crate) fn false_state(&self, context: &Context<'_>) -> Option<Loss> {
        let mut subject: Vec<&WorldThing> = Vec::new();
        for clause in &self.clauses {
            let mut named = self.things_meant(clause, context);
            if named.is_empty() && !context.is_acted_on() {
                // `So open a window` tells no state, and what it is told of stands first.
                let is_verb =
                    |word: &Word| matches!(&*word.text, "is" | "are" | "was" | "were" | "stays");
                if let Some(verb) = self.words_of(clause).iter().position(is_verb) {
                    let start = clause.words.start;
                    let told = Clause { words: start..start + verb, ..clause.clone() };
                    named = self.things_beside(&told, context);
                }
            }
            let named = self.or_both(clause, self.those_there(clause, named, context), context);
            if !named.is_empty() {
                subject = named;
            } else if !self.goes_on(clause) || self.is_of_its_own(clause) {
                subject = Vec::new();
            } else if subject.is_empty() || self.is_about_all(clause) {
                // `It is on` with nothing named before speaks of what was just changed.
                subject = context.touched_things();
            }
            if clause.is_question
                || self.is_conditional(clause)
                || self.offers(clause)
                || self.is_hedged(clause)
                || self.is_limit(clause) && !self.is_only_still(clause)
                || self.is_planned(clause)
                || self.is_attempt(clause)
                || self.is_undone(clause)
                || self.is_partly(clause)
                || self.is_cleft(clause)
                || self.asks(clause)
            {
                continue;
            }
            if self.lists_states(clause, context) {
                let told = self.parts_of(clause).into_iter().find_map(|part| {
                    self.false_state_of(&part, &self.things_meant(&part, context), context)
                });
                if told.is_some() {
                    return told;
                }
                continue;
            }
            if let Some(loss) = self.false_state_of(clause, &subject, context) {
                return Some(loss);
            }
            // Where a clause names things of several kinds, each part of it speaks of its own.
            let parts = if kinds_among(&subject) > 1 { self.parts_of(clause) } else { Vec::new() };
            let told = parts.iter().find_map(|part| {
                let named = context.or_touched(self.things_meant(part, context));
                self.false_state_of(part, &named, context)
            });
            if told.is_some() {
                return told;
            }
        }
        None
    }

    /// The parts of a clause between commas and `and`.
    pub(super) fn parts_of(&self, clause: &Clause) -> Vec<Clause> {
        let mut starts = vec![clause.words.start];
        for at in clause.words.clone().skip(1) {
            let gap = &self.plain[self.words[at - 1].place.end..self.words[at].place.start];
            if gap.contains(',') || self.words[at].text == "and" {
                starts.push(at);
            }
        }
        let ends = starts.iter().skip(1).copied().chain([clause.words.end]);
        let part = |(start, end): (usize, usize)| Clause {
            words: start..end,
            place: self.words[start].place.start..self.words[end - 1].place.end,
            ..clause.clone()
        };
        starts.iter().copied().zip(ends).filter(|(start, end)| start < end).map(part).collect()
    }

    /// `Its shade stays shut` tells of another thing than the one before.
    pub(super) fn is_of_its_own(&self, clause: &Clause) -> bool {
        self.words_of(clause).first().is_some_and(|word| word.text == "its")
    }

    /// `It is the right one that is open` tells nothing of what `it` stood for.
    fn is_cleft(&self, clause: &Clause) -> bool {
        let words = self.texts_of(clause);
        words.starts_with(&["it", "is", "the"])
            && words[3..]
                .windows(2)
                .any(|pair| pair[0] == "that" && matches!(pair[1], "is" | "was" | "has"))
    }

    /// `Half closed` is half open too.
    pub(super) fn is_partly(&self, clause: &Clause) -> bool {
        let is_part = |text: &str| {
            matches!(
                text,
                "half"
                    | "halfway"
                    | "partly"
                    | "partially"
                    | "mostly"
                    | "almost"
                    | "nearly"
                    | "quarter"
                    | "quarters"
                    | "third"
                    | "thirds"
            )
        };
        self.words_of(clause).iter().any(|word| is_part(&word.text))
    }

    /// `I tried to turn it on` says nothing about how it is.
    fn is_attempt(&self, clause: &Clause) -> bool {
        let is_try = |text: &str| matches!(text, "tried" | "trying" | "attempted" | "attempting");
        self.words_of(clause).iter().any(|word| is_try(&word.text))
    }

    /// Whether a clause says of an act that it was not carried out, which leaves the thing as it was:
    /// `so I didn't turn it on`.
    fn is_undone(&self, clause: &Clause) -> bool {
        let words = self.words_of(clause);
        let text = |at: usize| words.get(at).map_or("", |word| word.text.as_str());
        let denied = (1..words.len())
            .filter(|at| text(*at) == "not")
            .find(|at| matches!(text(at - 1), "did" | "do" | "will" | "have" | "need" | "would"));
        let is_verb = |word: &super::Word| (0..2).any(|form| pattern::is_act(&word.text, form));
        denied.is_some_and(|at| words[at + 1..].iter().take(2).any(is_verb))
    }

    /// Whether a clause tells what will be after a while, of which the state now says nothing: `the
    /// fountain will be turned off in two hours`.
    pub(super) fn is_planned(&self, clause: &Clause) -> bool {
        let words = self.words_of(clause);
        let says = |names: &[&str]| words.iter().any(|word| names.contains(&word.text.as_str()));
        let is_later = says(&["goes", "turns", "switches", "shuts", "stops"]) && says(&["in"]);
        says(&["will"]) && says(&["minutes", "minute", "hours", "hour", "seconds", "at"])
            || is_later && says(&["minutes", "minute", "hours", "hour", "seconds"])
    }

    /// The things a clause names: by a whole name, or those of the request by the end of a name
    /// or by what they are.
    pub(super) fn things_meant<'c>(
        &self,
        clause: &Clause,
        context: &Context<'c>,
    ) -> Vec<&'c WorldThing> {
        let named = self.things_named(clause, context);
        if !named.is_empty() {
            return named;
        }
        let words = self.words_of(clause);
        // What plays is told by its title.
        let plays = |thing: &&WorldThing| {
            let title = thing.attributes.get("media_title").and_then(Value::as_str);
            let title = title.map(WorldThing::words_of).filter(|title| title.len() > 1);
            title.is_some_and(|title| {
                words
                    .windows(title.len())
                    .any(|own| own.iter().zip(&title).all(|(word, own)| word.text == *own))
            })
        };
        let playing: Vec<&WorldThing> =
            context.topic_things().iter().copied().filter(plays).collect();
        if !playing.is_empty() {
            return playing;
        }
        let says = |name: &str| {
            words.iter().any(|word| word.text == name || word.text.strip_suffix('s') == Some(name))
        };
        let by_name = |names: &[Vec<String>]| {
            names.iter().filter_map(|name| name.last()).any(|last| last.len() > 2 && says(last))
        };
        let is_meant = |thing: &&WorldThing| {
            by_name(context.names_of(thing)) || kinds_of(thing).iter().any(|kind| says(kind))
        };
        let other = self.other_ones(clause, context);
        if !other.is_empty() {
            return other;
        }
        let topic = context.topic_things();
        // Where the request names none in full, it speaks of those that it may mean.
        let pool = if topic.is_empty() && context.calls.is_empty() {
            context.things_open()
        } else {
            topic.to_vec()
        };
        // `The shade` is the thing of this name before any that is of the kind.
        if !pool.iter().any(|thing| by_name(context.names_of(thing))) {
            let all = context.named_things().filter(|(_, names)| by_name(names));
            let alike = |thing: &&WorldThing| {
                pool.iter().any(|own| {
                    own.names[0] != thing.names[0] && thing.names[0].starts_with(&own.names[0])
                })
            };
            let named: Vec<&WorldThing> = all.map(|(thing, _)| thing).filter(alike).collect();
            if !named.is_empty() {
                return named;
            }
        }
        pool.into_iter().filter(is_meant).collect()
    }

    /// The things of the kind of which the request speaks that a clause tells as `the left one`, or as
    /// `the one in the hall`.
    fn other_ones<'c>(&self, clause: &Clause, context: &Context<'c>) -> Vec<&'c WorldThing> {
        let words = self.texts_of(clause);
        let is_one = |word: &&str| matches!(*word, "one" | "ones");
        // `Das im Bad`, put into English word for word.
        let in_gloss = || words.windows(2).position(|pair| pair == ["the", "in"]);
        let Some(one) = words.iter().position(is_one).or_else(in_gloss) else {
            return Vec::new();
        };
        let topic = match context.topic_things() {
            [] => context.things_open(),
            named => named.to_vec(),
        };
        let is_alike = |thing: &&WorldThing| {
            // Of the left and the right lamp both are lamps.
            let ends = |thing: &WorldThing| -> Vec<String> {
                let is_noun = |word: &&String| !matches!(&***word, "left" | "right");
                let names = thing.name_words.iter();
                names.filter_map(|name| name.iter().rev().find(is_noun).cloned()).collect()
            };
            let own = ends(thing);
            topic.iter().any(|other| {
                other.kind() == thing.kind() && ends(other).iter().any(|end| own.contains(end))
            })
        };
        let before = one.checked_sub(1).map_or("", |at| words[at]);
        if matches!(before, "that" | "this") && topic.len() == 1 {
            return topic;
        }
        let told =
            words.get(one + 1).is_some_and(|word| matches!(*word, "in" | "at" | "by" | "on"));
        let places = places_in(&words[one..], context);
        let is_meant = |thing: &&WorldThing| {
            if told && !places.is_empty() {
                return places.iter().any(|place| is_in(thing, place));
            }
            thing.name_words.iter().any(|name| name.iter().any(|word| word == before))
        };
        // What the request speaks of comes first.
        let own: Vec<&WorldThing> = topic.iter().copied().filter(is_meant).collect();
        if !own.is_empty() {
            return own;
        }
        let all = context.named_things().map(|(thing, _)| thing);
        all.filter(is_alike).filter(is_meant).collect()
    }

    /// `Both are off.`
    fn is_about_all(&self, clause: &Clause) -> bool {
        let words = self.words_of(clause);
        let first = words.first().map_or("", |word| word.text.as_str());
        let verb = words.get(1).map_or("", |word| word.text.as_str());
        matches!(first, "both" | "all" | "everything") && matches!(verb, "are" | "is")
    }

    /// Whether a clause says what a thing can be, not what it is.
    pub(super) fn is_limit(&self, clause: &Clause) -> bool {
        self.words_of(clause).iter().any(|word| {
            matches!(
                word.text.as_str(),
                "can"
                    | "could"
                    | "only"
                    | "or"
                    | "never"
                    | "may"
                    | "mode"
                    | "modes"
                    | "knows"
                    | "does"
                    | "supports"
                    | "offers"
                    | "whether"
                    | "went"
                    | "from"
            )
        })
    }

    /// `Only the corner lamp is still on` tells how that lamp is.
    fn is_only_still(&self, clause: &Clause) -> bool {
        let words = self.texts_of(clause);
        let other = |word: &&str| {
            matches!(*word, "can" | "could" | "or" | "never" | "may" | "whether" | "from" | "went")
        };
        words.contains(&"only") && words.contains(&"still") && !words.iter().any(other)
    }

    /// Whether a clause still speaks of what the one before it spoke of.
    pub(super) fn goes_on(&self, clause: &Clause) -> bool {
        self.words_of(clause).first().is_some_and(|word| {
            matches!(
                word.text.as_str(),
                "it" | "its"
                    | "they"
                    | "and"
                    | "which"
                    | "but"
                    | "so"
                    | "not"
                    | "he"
                    | "she"
                    | "currently"
                    | "both"
                    | "all"
                    | "everything"
                    | "with"
                    | "now"
                    | "is"
                    | "are"
            )
        })
    }

    fn false_state_of(
        &self,
        clause: &Clause,
        things: &[&WorldThing],
        context: &Context<'_>,
    ) -> Option<Loss> {
        let is_changed = |thing: &&WorldThing| context.is_changed(thing);
        // Of things that share a name, the one that was changed is meant.
        let changed: Vec<&WorldThing> =
            things.iter().copied().filter(|thing| is_changed(thing)).collect();
        let all = things;
        let is_told_apart = kinds_among(things) > 1 && kinds_among(&changed) == 1;
        // So it is of things that only their places would tell apart.
        let is_of_one_name = || {
            let same = |thing: &&WorldThing| thing.names[0] == changed[0].names[0];
            changed.len() == 1
                && things.len() > 1
                && things.iter().all(same)
                && places_in(&self.texts_of(clause), context).is_empty()
                && !self.tells_of_the_rest(clause)
        };
        let things = if is_told_apart || is_of_one_name() { &changed } else { things };
        let words = super::truth::without_prepositions(self.words_of(clause));
        let says = |names: &[&str]| words.iter().any(|word| names.contains(&word.text.as_str()));
        // Of things of one name the word tells which is meant, and `both` speaks of each.
        let share_a_name = things
            .iter()
            .all(|thing| thing.names.iter().any(|name| things[0].names.contains(name)));
        let are_joined = says(&["both", "all"]) && says(&["are", "were"]);
        // Several things of different kinds in one clause: nobody can tell which word is whose.
        if things.is_empty() || kinds_among(things) > 1 && !share_a_name && !are_joined {
            return None;
        }
        let tense = self.tense(clause);
        let excepts = says(&["except"]);
        for said in STATES.iter() {
            let speaks_of = |thing: &&&WorldThing| said.speaks_of(thing);
            let spoken: Vec<&&WorldThing> = things.iter().filter(speaks_of).collect();
            // `The garage door is open` tells nothing of the light of that name.
            let spoken =
                if spoken.is_empty() { all.iter().filter(speaks_of).collect() } else { spoken };
            if spoken.is_empty() {
                continue;
            }
            let Some(start) = said.place_in(&words, &spoken) else { continue };
            // Words that belong to a name are no statement: the `open fire lamp`.
            let denied = self.is_denied(clause, clause.words.start + start);
            let holds = |thing: &WorldThing| {
                let now = said.is_true_of(thing);
                let before = said.was_true_of(thing, context);
                match tense {
                    Tense::Now => now != denied,
                    Tense::Before => before != denied,
                    // `was turned off` may tell of the act or of the state before it.
                    Tense::Either => now != denied || before != denied,
                }
            };
            if !excepts && !is_so_of(&words, &spoken, context.asks_for_exceptions(), holds) {
                let thing = spoken[0];
                let expected = json!(format!("{} is {}", thing.names[0], thing.state));
                return Some(super::loss(Cause::FalseClaim, expected, self.quote(clause)));
            }
        }
        None
    }

    /// Whether a clause tells a state that things are in: those that were changed, or others that it
    /// names or that stand beside them.
    pub(super) fn is_true_state(&self, clause: &Clause, context: &Context<'_>) -> bool {
        let mut meant = self.things_meant(clause, context);
        if meant.is_empty() && self.goes_on(clause) {
            meant = context.touched_things();
        }
        if meant.is_empty() {
            meant = self.things_beside(clause, context);
        }
        let is_changed = |thing: &&WorldThing| context.is_changed(thing);
        let changed: Vec<&WorldThing> = meant.iter().copied().filter(is_changed).collect();
        let spoken = if changed.is_empty() { meant } else { changed };
        let words = super::truth::without_prepositions(self.words_of(clause));
        // How much or when is another question.
        let tells_more = words.iter().any(|word| {
            matches!(
                &*word.text,
                "all" | "fully" | "whole" | "every" | "everything" | "completely" | "will"
            ) || word.text == "both" && spoken.len() != 2
        });
        let is_so = |said: &StateWords| {
            spoken.iter().all(|thing| said.is_said(&words, thing) && said.is_true_of(thing))
        };
        !spoken.is_empty()
            && !tells_more
            && self.tense(clause) == Tense::Now
            && !self.has_denial(clause)
            && STATES.iter().any(is_so)
    }

    /// The things of a kind that a clause names which stand where something was changed: `the window
    /// is closed`.
    fn things_beside<'c>(&self, clause: &Clause, context: &Context<'c>) -> Vec<&'c WorldThing> {
        let touched = context.touched_things();
        let places = context.places_asked();
        let says = |kind: &&str| self.words_of(clause).iter().any(|word| word.text == **kind);
        let ends = |thing: &WorldThing| {
            let mut ends = thing.name_words.iter().filter_map(|name| name.last());
            ends.any(|end| end.len() > 3 && says(&end.as_str()))
        };
        let is_beside = |thing: &&WorldThing| {
            (kinds_of(thing).iter().any(says) || ends(thing))
                && (touched.iter().any(|own| own.place_names() == thing.place_names())
                    || places.iter().any(|place| is_in(thing, place)))
        };
        let beside: Vec<&WorldThing> =
            context.named_things().map(|(thing, _)| thing).filter(is_beside).collect();
        if !beside.is_empty() {
            return beside;
        }
        // `The dryer` is meant where there is one.
        let words = self.texts_of(clause);
        let told = places_in(&words, context);
        let is_meant = |thing: &&WorldThing| {
            let is_there = || told.iter().any(|place| is_in(thing, place));
            ends(thing) && (told.is_empty() || is_there())
        };
        let named: Vec<&WorldThing> =
            context.named_things().map(|(thing, _)| thing).filter(is_meant).collect();
        if let [_] = named[..] { named } else { Vec::new() }
    }

    fn tense(&self, clause: &Clause) -> Tense {
        let words = self.texts_of(clause);
        let at = words.iter().position(|word| matches!(*word, "was" | "were" | "had"));
        match at {
            _ if self.tells_of_before(clause) => Tense::Before,
            Some(at) if words.get(at + 1).is_some_and(|next| *next == "still") => Tense::Before,
            // Alone, `the lamp was switched off` tells of an act.
            Some(at)
                if self.clauses.len() == 1 && words[at..].iter().any(|word| is_switched(word)) =>
            {
                Tense::Now
            }
            Some(_) => Tense::Either,
            None => Tense::Now,
        }
    }
}

fn is_switched(word: &str) -> bool {
    matches!(word, "turned" | "switched" | "opened" | "unlocked")
}

/// Whether something holds of the things of which a clause speaks. Things of one name are told apart by
/// nobody: of each name, one that fits is enough.
fn is_so_of(
    words: &[Word],
    spoken: &[&&WorldThing],
    excepts: bool,
    holds: impl Fn(&WorldThing) -> bool,
) -> bool {
    let says = |names: &[&str]| words.iter().any(|word| names.contains(&word.text.as_str()));
    let all = says(&["both", "all", "everything"])
        && !says(&["except", "but", "other", "others", "apart"])
        && (!excepts || says(&["both"]));
    let has_fit = |thing: &WorldThing| {
        spoken.iter().any(|other| other.names[0] == thing.names[0] && holds(other))
    };
    if all {
        spoken.iter().all(|thing| has_fit(thing))
    } else {
        spoken.iter().any(|thing| holds(thing))
    }
}

/// The state of a thing before the calls were made.
fn state_before<'t>(thing: &'t WorldThing, context: &'t Context<'_>) -> &'t str {
    let changed = context
        .changes
        .and_then(|changes| changes.get(&thing.id))
        .and_then(|thing| thing.get("state"));
    changed.and_then(|pair| pair.get(0)).and_then(Value::as_str).unwrap_or(&thing.state)
}

impl<'c> Context<'c> {
    /// Whether the request leaves something out: `all but the corner lamp`.
    pub(super) fn asks_for_exceptions(&self) -> bool {
        let is_exception = |word: &String| {
            matches!(&**word, "except" | "but" | "apart" | "leave" | "without" | "not" | "besides")
        };
        self.request().iter().any(is_exception)
    }

    /// Whether anything was changed.
    fn is_acted_on(&self) -> bool {
        self.changes.and_then(Value::as_object).is_some_and(|all| !all.is_empty())
    }

    /// Of things that share the end of a name, those that were changed: after `the studio ceiling
    /// light is on` a skylight is that of the studio.
    fn or_touched(&self, named: Vec<&'c WorldThing>) -> Vec<&'c WorldThing> {
        let ends = |name: &[String], end: &[String]| name.len() > end.len() && name.ends_with(end);
        let is_meant = |thing: &&WorldThing| {
            named.iter().any(|other| {
                let short = || other.name_words.iter();
                thing.name_words.iter().any(|name| short().any(|end| ends(name, end)))
            })
        };
        let touched: Vec<&WorldThing> =
            self.touched_things().into_iter().filter(is_meant).collect();
        if touched.is_empty() { named } else { touched }
    }
}

/// Whether a word ends a name that is told in part: `switched off the underfloor heating`.
fn is_end_of_a_name(words: &[Word], at: usize, things: &[&&WorldThing]) -> bool {
    let Some(before) = at.checked_sub(1) else { return false };
    let ends = |pair: &[String]| pair[0] == words[before].text && pair[1] == words[at].text;
    things.iter().flat_map(|thing| thing.name_words.iter()).any(|name| name.windows(2).any(ends))
}

/// How many kinds of things these are.
fn kinds_among(things: &[&WorldThing]) -> usize {
    things.iter().map(|thing| thing.kind()).collect::<std::collections::BTreeSet<_>>().len()
}
