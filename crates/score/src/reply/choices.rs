//! What a question back offers and asks for, held against the request and the things there are.

use std::collections::HashSet;
use std::sync::LazyLock;

use toolgauge_core::{Cause, Loss, WorldThing};

use super::clause::Clause;
use super::context::Context;
use super::places::{is_in, places_in};
use super::plain_words::{is_common, is_function_word};
use super::sorts::{KINDS, kinds_of, sort};
use super::words::{phrase_at, same_word};
use super::{Reply, Word, loss, pattern, truth};
use crate::reading::is_same;

/// A detail that may be asked for.
struct Detail {
    asked: &'static [&'static [&'static str]],
    /// Words by which a case says that it is open.
    open: &'static [&'static str],
}

const DETAILS: [Detail; 5] = [
    Detail {
        asked: &[&["what", "speed"], &["which", "speed"], &["how", "fast"]],
        open: &["speed", "fast"],
    },
    Detail {
        asked: &[
            &["what", "temperature"],
            &["which", "temperature"],
            &["how", "warm"],
            &["how", "hot"],
            &["how", "many", "degrees"],
        ],
        open: &["temperature", "warm", "warmer", "degrees", "how warm"],
    },
    Detail {
        asked: &[
            &["how", "bright"],
            &["what", "brightness"],
            &["which", "brightness"],
            &["what", "colour"],
            &["which", "colour"],
            &["what", "color"],
            &["which", "color"],
        ],
        open: &["bright", "brightness", "colour", "color"],
    },
    Detail {
        asked: &[
            &["until", "when"],
            &["what", "time"],
            &["for", "how", "long"],
            &["how", "long"],
            &["which", "time"],
        ],
        open: &["when", "how long", "long", "time", "minutes"],
    },
    Detail { asked: &[&["how", "far"], &["how", "wide"]], open: &["far", "how far", "wide"] },
];

/// Words by which things of one kind are told apart, besides their names.
const POSITIONS: [&str; 10] =
    ["left", "right", "middle", "front", "back", "side", "top", "bottom", "upper", "lower"];

/// Words that a choice may hold whatever there is to choose from.
static OF_CHOICES: LazyLock<HashSet<&str>> =
    LazyLock::new(|| pattern::word_set(include_str!("tables/choices.txt")));

impl Reply {
    /// What is wrong with what a question back asks for or offers to choose from.
    pub(crate) fn asked_amiss(&self, about: &[String], context: &Context<'_>) -> Option<Loss> {
        let open = context.things_open();
        let asking = || self.clauses.iter().filter(|clause| self.is_asking(clause));
        let wrong = || {
            asking().find_map(|clause| {
                let why = self.why_amiss(clause, &open, context)?;
                Some(loss(Cause::WrongAnswer, why, self.quote(clause)))
            })
        };
        wrong().or_else(|| self.asks_for_detail_alone(about, context))
    }

    /// A question for a detail that is not what is open, and no other: `At which speed?` where there
    /// are two fans.
    fn asks_for_detail_alone(&self, about: &[String], context: &Context<'_>) -> Option<Loss> {
        let is_open = |detail: &Detail| {
            about.is_empty()
                || about.iter().any(|word| {
                    let word = word.as_str();
                    matches!(word, "what" | "how") || detail.open.contains(&word)
                })
                || detail.open.iter().any(|word| context.question.iter().any(|asked| asked == word))
                    && !context.question_has_number()
        };
        let asking: Vec<&Clause> =
            self.clauses.iter().filter(|clause| self.is_asking(clause)).collect();
        let detail_of = |clause: &&Clause| {
            let words = self.texts_of(clause);
            DETAILS.iter().find(|detail| {
                detail.asked.iter().any(|phrase| phrase_at(&words, phrase).is_some())
            })
        };
        let details: Vec<&Detail> = asking.iter().filter_map(detail_of).collect();
        let all = !details.is_empty() && details.len() == asking.len();
        (all && !details.into_iter().any(is_open)).then(|| {
            loss(Cause::WrongAnswer, "a question about what is open", self.quote(asking[0]))
        })
    }

    /// What a question should be about instead.
    fn why_amiss(
        &self,
        clause: &Clause,
        open: &[&WorldThing],
        context: &Context<'_>,
    ) -> Option<&'static str> {
        if self.asks_of_other_sort(clause, open, context) {
            Some("a question about what was asked for")
        } else if self.is_about_other_act(clause, context)
            || self.asks_for_opposite(clause, context)
        {
            Some("a question about the act that was asked for")
        } else if self.offers_others(clause, open, context) {
            Some("a choice of what may be meant")
        } else if self.asks_for_other_value(clause, context)
            || self.offers_at_other_value(clause, context)
        {
            Some("the value that was asked for")
        } else if self.asks_what_is_known(clause, open, context) {
            Some("a question about what is open")
        } else {
            None
        }
    }

    fn is_asking(&self, clause: &Clause) -> bool {
        !self.has(clause, &super::LEXICON.closers) && (clause.is_question || self.asks(clause))
    }

    /// `Which window?` where a door is to be locked.
    fn asks_of_other_sort(
        &self,
        clause: &Clause,
        open: &[&WorldThing],
        context: &Context<'_>,
    ) -> bool {
        let mut asked: Vec<usize> =
            context.request().iter().filter_map(|word| sort(word)).collect();
        if asked.is_empty() {
            asked.extend(
                open.iter().flat_map(|thing| kinds_of(thing)).filter_map(|kind| sort(kind)),
            );
        }
        !asked.is_empty()
            && self.words_of(clause).windows(2).any(|pair| {
                matches!(pair[0].text.as_str(), "which" | "what")
                    && sort(&pair[1].text).is_some_and(|sort| !asked.contains(&sort))
            })
    }

    /// `Which room should I cool down?` where it is to be made warmer.
    fn asks_for_opposite(&self, clause: &Clause, context: &Context<'_>) -> bool {
        let words = self.words_of(clause);
        let wishes = words.iter().any(|word| {
            matches!(&*word.text, "should" | "shall" | "like" | "want" | "wish" | "me")
        });
        if !wishes || self.has_denial(clause) {
            return false;
        }
        let sides = truth::Sides::new(&[], &[], &context.question);
        let said = sides.said_in(self, clause);
        !said.is_empty() && said.iter().all(|says| !says) && !self.is_true_state(clause, context)
    }

    /// Things and rooms to choose from of which none is meant: `the kitchen or the bathroom?`
    fn offers_others(&self, clause: &Clause, open: &[&WorldThing], context: &Context<'_>) -> bool {
        if open.is_empty() {
            return false;
        }
        if self.names_an_unknown_option(clause, open, context) {
            return true;
        }
        let named = self.things_named(clause, context);
        let is_open = |thing: &&WorldThing| open.iter().any(|own| own.id == thing.id);
        if !named.is_empty() && !named.iter().any(is_open) {
            return true;
        }
        let words = self.texts_of(clause);
        let holds_none = |place: &Vec<String>| {
            let names = || open.iter().flat_map(|thing| &thing.name_words);
            !open.iter().any(|thing| is_in(thing, place))
                && !names().any(|name| name.windows(place.len()).any(|window| window == *place))
                && !context.question.windows(place.len()).any(|window| window == *place)
        };
        let mut places = places_in(&words, context).into_iter();
        places.any(|place| holds_none(&place)) || self.names_an_unknown_room(clause, context)
    }

    /// A room of a house that this one does not have.
    fn names_an_unknown_room(&self, clause: &Clause, context: &Context<'_>) -> bool {
        let words = self.words_of(clause);
        let rooms = super::LEXICON.rooms.iter().filter_map(|room| room.find(words));
        let is_known = |word: &Word| {
            let is_asked = context.request().iter().any(|asked| same_word(&word.text, asked));
            is_function_word(&word.text) || is_asked || context.is_name(&word.text)
        };
        rooms.into_iter().any(|(start, end)| !words[start..end].iter().any(is_known))
    }

    /// `The side door or the back door?` where there is no side door.
    fn names_an_unknown_option(
        &self,
        clause: &Clause,
        open: &[&WorldThing],
        context: &Context<'_>,
    ) -> bool {
        let words = self.words_of(clause);
        let known: Vec<String> = open
            .iter()
            .flat_map(|thing| {
                let places = thing.all_place_names().flat_map(|name| WorldThing::words_of(name));
                let kinds = kinds_of(thing).iter().map(|kind| (*kind).to_owned());
                thing.name_words.iter().flatten().cloned().chain(places).chain(kinds)
            })
            .collect();
        let is_known = |word: &str| {
            known.iter().any(|own| same_word(word, own))
                || context.request().iter().any(|asked| same_word(word, asked))
        };
        let is_free = |word: &str| is_function_word(word) || OF_CHOICES.contains(word);
        // `The middle blind`, `the guest room`.
        let sorts: Vec<usize> =
            open.iter().flat_map(|thing| kinds_of(thing)).filter_map(|kind| sort(kind)).collect();
        let is_told_apart = words.windows(2).any(|pair| {
            let noun = &*pair[1].text;
            let is_noun = noun == "room" || sort(noun).is_some_and(|sort| sorts.contains(&sort));
            let word = &*pair[0].text;
            is_noun && !is_free(word) && !is_known(word) && sort(word).is_none()
        });
        if is_told_apart {
            return true;
        }
        // What stands beside an `or` is a list of things to choose from.
        let Some(or) = words.iter().position(|word| word.text == "or") else { return false };
        let is_option = |word: &&Word| !is_free(&word.text);
        let ends = |word: &&Word| !matches!(&*word.text, "you" | "that" | "which" | "should" | "i");
        let behind: Vec<&Word> =
            words[or + 1..].iter().take(5).take_while(ends).filter(is_option).collect();
        let before: Vec<&Word> = words[..or].iter().rev().take(2).filter(is_option).collect();
        let is_unknown = |word: &Word| {
            let text = word.text.as_str();
            let at = words.iter().position(|own| own.place == word.place).unwrap_or_default();
            let is_any = at > 0 && matches!(&*words[at - 1].text, "another" | "other" | "any");
            !is_known(text)
                && !is_any
                && sort(text).is_none()
                && (!is_common(text) || POSITIONS.contains(&text))
                && !pattern::is_any_act(text)
                && !text.chars().any(|c| c.is_ascii_digit())
        };
        let all = || behind.iter().chain(&before);
        all().any(|word| is_known(&word.text)) && all().any(|word| is_unknown(word))
    }

    /// `What should I set to sixty?` where it was fifty.
    fn asks_for_other_value(&self, clause: &Clause, context: &Context<'_>) -> bool {
        let asked = Self::read(&context.question.join(" "));
        let asked = asked.numbers();
        // A question tells no values, so that it is read as if it were none.
        let own = Self::read(self.plain[clause.place.clone()].trim_end_matches(['?', ' ']));
        let is_named = !self.things_named(clause, context).is_empty();
        !asked.is_empty()
            && own.numbers().iter().map(|said| said.value.value).any(|value| {
                !asked.iter().any(|own| is_same(own.value.value, value))
                    && value > 3.0
                    && !(is_named && self.is_of_a_thing(value, context))
            })
    }

    /// `The bedroom radiator, set to 28?` where it is set to 18.
    fn offers_at_other_value(&self, clause: &Clause, context: &Context<'_>) -> bool {
        let named = self.things_meant(clause, context);
        if named.is_empty() {
            return false;
        }
        let own = Self::read(self.plain[clause.place.clone()].trim_end_matches(['?', ' ', ',']));
        let asked = Self::read(&context.question.join(" ")).numbers();
        own.numbers().iter().any(|said| {
            let at = own.words.partition_point(|word| word.place.start < said.place.start);
            let before = at.checked_sub(1).map_or("", |at| own.words[at].text.as_str());
            let is_level = said.value.unit.is_some() && own.durations().is_empty();
            let value = said.value.value;
            let is_own = |thing: &&WorldThing| {
                let values = super::detail::values(&thing.state, &thing.attributes);
                values.iter().any(|own| (own - value).abs() < 0.6)
            };
            (is_level || matches!(before, "at" | "to"))
                && value > 3.0
                && !named.iter().any(is_own)
                && !asked.iter().any(|own| is_same(own.value.value, value))
        })
    }

    /// A question for an amount that the request holds, or for the room of the only such thing.
    fn asks_what_is_known(
        &self,
        clause: &Clause,
        open: &[&WorldThing],
        context: &Context<'_>,
    ) -> bool {
        const VALUES: [&str; 8] = [
            "value",
            "level",
            "temperature",
            "percentage",
            "brightness",
            "degree",
            "amount",
            "speed",
        ];
        let words = self.words_of(clause);
        let has = |texts: &[&str]| words.iter().any(|word| texts.contains(&&*word.text));
        let asks_amount = words.windows(2).any(|pair| {
            matches!(
                (&*pair[0].text, &*pair[1].text),
                ("how", "much" | "many" | "far" | "bright" | "warm" | "high" | "loud")
            ) || matches!(&*pair[0].text, "which" | "what") && VALUES.contains(&&*pair[1].text)
        });
        let asks_more = self.words.windows(2).any(|pair| {
            matches!(&*pair[0].text, "which" | "what" | "where")
                && !VALUES.contains(&&*pair[1].text)
                || *pair[1].text == *"where"
        });
        let asks_now =
            words.windows(2).any(|pair| &*pair[0].text == "is" && &*pair[1].text == "it");
        let is_given = context.question_has_number();
        let asks_place = has(&["where", "room"]) && !has(&["or"]);
        asks_amount && is_given && !asks_more && !asks_now || asks_place && open.len() == 1
    }
}

impl<'c> Context<'c> {
    /// The things that a request may mean: those that it names in full, by the end of a name or by
    /// what they are, or else those that its act is for.
    pub(super) fn things_open(&self) -> Vec<&'c WorldThing> {
        let find = || {
            let open = things_open(self);
            let is_open = |thing: &WorldThing| open.iter().any(|own| own.id == thing.id);
            (0..self.things.len()).filter(|at| is_open(&self.things[*at])).collect()
        };
        self.things_open.get_or_init(find).iter().map(|at| &*self.things[*at]).collect()
    }

    fn question_has_number(&self) -> bool {
        !Reply::read(&self.question.join(" ")).numbers().is_empty()
    }
}

fn things_open<'c>(context: &Context<'c>) -> Vec<&'c WorldThing> {
    let own = context.said().last().map(WorldThing::words_of).unwrap_or_default();
    let asked: Vec<&str> = context.question.iter().chain(&own).map(String::as_str).collect();
    let mut open: Vec<&WorldThing> = context.topic_things().to_vec();
    if open.is_empty() {
        let says = |name: &str| asked.iter().any(|word| same_word(word, name));
        let is_of_an_act = |word: &str| KINDS.acts.iter().any(|(acts, _)| acts.contains(&word));
        let by_noun = |thing: &&WorldThing| {
            let ends = thing.name_words.iter().filter_map(|words| words.last());
            let mut ends = ends.filter(|word| word.len() > 2 && !is_function_word(word));
            ends.any(|word| says(word) && !is_of_an_act(word))
                || kinds_of(thing).iter().any(|kind| says(kind))
        };
        open = context.named_things().map(|(thing, _)| thing).filter(by_noun).collect();
    }
    for (acts, kinds) in
        KINDS.acts.iter().filter(|(acts, _)| asked.iter().any(|word| acts.contains(word)))
    {
        let is_for = |thing: &&WorldThing| kinds.contains(&thing.kind());
        if open.is_empty() {
            open = context.named_things().map(|(thing, _)| thing).filter(is_for).collect();
        } else if acts[0] == "lock" && open.iter().any(is_for) {
            open.retain(is_for);
        }
    }
    // `The hue lamp` is one of those that have the word in a name.
    let is_place = |word: &str| context.place_words().iter().flatten().any(|own| own == word);
    let is_kind = |word: &str| {
        open.iter().any(|thing| kinds_of(thing).iter().any(|kind| same_word(word, kind)))
    };
    let told_apart = asked.windows(2).find_map(|pair| {
        let tells = !is_function_word(pair[0]) && !is_place(pair[0]) && !is_kind(pair[0]);
        (tells && is_kind(pair[1])).then_some(pair[0])
    });
    let has = |thing: &&WorldThing| {
        let mut names = thing.name_words.iter().flatten();
        told_apart.is_some_and(|word| names.any(|own| same_word(word, own)))
    };
    if open.iter().any(has) {
        open.retain(has);
    }
    let places = places_in(&asked, context);
    let is_there = |thing: &&WorldThing| places.iter().any(|place| is_in(thing, place));
    if open.iter().any(is_there) {
        open.retain(is_there);
    }
    open
}
