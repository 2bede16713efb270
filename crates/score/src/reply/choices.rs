//! What a question back offers and asks for, held against the request and the things there are.

use toolgauge_core::{Cause, Loss, WorldThing};

use super::clause::Clause;
use super::context::{Context, is_function_word};
use super::naming::same_word;
use super::state_claim::kinds_of;
use super::{Reply, loss, truth};
use crate::reading::is_same;

/// Words for sorts of things. Who asks `which window` where a door is to be locked asks amiss.
const SORTS: [&[&str]; 12] = [
    &["light", "lamp", "bulb"],
    &["window"],
    &["door", "gate", "lock"],
    &["blind", "curtain", "shutter", "shade"],
    &["fan"],
    &["speaker", "music", "radio", "tv", "television", "telly", "song", "album"],
    &["heating", "thermostat", "radiator", "heater", "boiler"],
    &["vacuum", "hoover"],
    &["mower"],
    &["timer", "alarm"],
    &["list"],
    &["machine", "appliance"],
];

/// What a request that names no thing is about, by what is to be done.
const BY_ACT: [(&[&str], &[&str]); 5] = [
    (&["lock", "unlock"], &["lock"]),
    (&["open", "close", "shut"], &["cover", "valve", "lock"]),
    (&["warmer", "colder", "cooler", "hotter", "temperature", "degrees"], &["climate", "water_heater"]),
    (&["brighter", "dimmer", "darker", "dim", "brighten", "colour", "color"], &["light"]),
    (&["volume", "louder", "quieter", "pause", "mute"], &["media_player"]),
];

impl Reply {
    /// What is wrong with what a question back asks for or offers to choose from.
    pub(crate) fn asked_amiss(&self, context: &Context<'_>) -> Option<Loss> {
        let open = things_open(context);
        let unknown = self.unknown_choice(context);
        let asking = || self.clauses.iter().filter(|clause| self.is_asking(clause));
        let wrong = || {
            asking().find_map(|clause| {
                let why = self.why_amiss(clause, &open, context)?;
                Some(loss(Cause::WrongAnswer, why, self.quote(clause)))
            })
        };
        unknown.or_else(wrong)
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
        } else if self.is_about_other_act(clause, context) || self.asks_for_opposite(clause, context) {
            Some("a question about the act that was asked for")
        } else if self.offers_others(clause, open, context) {
            Some("a choice of what may be meant")
        } else if self.asks_for_other_value(clause, context) {
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
    fn asks_of_other_sort(&self, clause: &Clause, open: &[&WorldThing], context: &Context<'_>) -> bool {
        let sort = |word: &str| {
            let bare = word.strip_suffix('s').unwrap_or(word);
            SORTS.iter().position(|sort| sort.contains(&word) || sort.contains(&bare))
        };
        let mut asked: Vec<usize> = context.request().iter().filter_map(|word| sort(word)).collect();
        if asked.is_empty() {
            asked.extend(open.iter().flat_map(|thing| kinds_of(thing)).filter_map(|kind| sort(kind)));
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
        let wishes = words
            .iter()
            .any(|word| matches!(&*word.text, "should" | "shall" | "like" | "want" | "wish" | "me"));
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
        let named = self.things_named(clause, context);
        let is_open = |thing: &&WorldThing| open.iter().any(|own| own.id == thing.id);
        if !named.is_empty() {
            return !named.iter().any(is_open);
        }
        let words: Vec<&str> = self.words_of(clause).iter().map(|word| &*word.text).collect();
        let holds_none = |place: &Vec<String>| {
            let names = || open.iter().flat_map(|thing| &thing.name_words);
            !open.iter().any(|thing| is_in(thing, place))
                && !names().any(|name| name.windows(place.len()).any(|window| window == *place))
                && !context.question.windows(place.len()).any(|window| window == *place)
        };
        let mut places = places_in(&words, context).into_iter();
        places.any(|place| holds_none(&place))
    }

    /// `What should I set to sixty?` where it was fifty.
    fn asks_for_other_value(&self, clause: &Clause, context: &Context<'_>) -> bool {
        let asked = Self::read(&context.question.join(" "));
        let asked = asked.numbers();
        !asked.is_empty()
            && self.numbers().iter().any(|said| {
                let value = said.value.value;
                clause.place.contains(&said.place.start)
                    && !asked.iter().any(|own| is_same(own.value.value, value))
                    && value > 3.0
                    && !self.is_of_a_thing(value, context)
            })
    }

    /// A question for an amount that the request holds, or for the room of the only such thing.
    fn asks_what_is_known(&self, clause: &Clause, open: &[&WorldThing], context: &Context<'_>) -> bool {
        const VALUES: [&str; 8] =
            ["value", "level", "temperature", "percentage", "brightness", "degree", "amount", "speed"];
        let words = self.words_of(clause);
        let has = |texts: &[&str]| words.iter().any(|word| texts.contains(&&*word.text));
        let asks_amount = words.windows(2).any(|pair| {
            matches!((&*pair[0].text, &*pair[1].text), ("how", "much" | "many" | "far" | "bright" | "warm" | "high" | "loud"))
                || matches!(&*pair[0].text, "which" | "what") && VALUES.contains(&&*pair[1].text)
        });
        let asks_more = self.words.windows(2).any(|pair| {
            matches!(&*pair[0].text, "which" | "what" | "where") && !VALUES.contains(&&*pair[1].text)
                || *pair[1].text == *"where"
        });
        let asks_now = words.windows(2).any(|pair| &*pair[0].text == "is" && &*pair[1].text == "it");
        let is_given = !Self::read(&context.question.join(" ")).numbers().is_empty();
        let asks_place = has(&["where", "room"]) && !has(&["or"]);
        asks_amount && is_given && !asks_more && !asks_now || asks_place && open.len() == 1
    }
}

/// The things that a request may mean: those that it names in full, by the end of a name or by what
/// they are, or else those that its act is for.
pub(super) fn things_open<'c>(context: &Context<'c>) -> Vec<&'c WorldThing> {
    let asked: Vec<&str> = context.question.iter().map(String::as_str).collect();
    let mut open: Vec<&WorldThing> = context.topic_things().to_vec();
    if open.is_empty() {
        let says = |name: &str| asked.iter().any(|word| same_word(word, name));
        let is_of_an_act = |word: &str| BY_ACT.iter().any(|(acts, _)| acts.contains(&word));
        let by_noun = |thing: &&WorldThing| {
            let ends = thing.name_words.iter().filter_map(|words| words.last());
            let mut ends = ends.filter(|word| word.len() > 2 && !is_function_word(word));
            ends.any(|word| says(word) && !is_of_an_act(word)) || kinds_of(thing).iter().any(|kind| says(kind))
        };
        open = context.named_things().map(|(thing, _)| thing).filter(by_noun).collect();
    }
    for (acts, kinds) in BY_ACT.iter().filter(|(acts, _)| asked.iter().any(|word| acts.contains(word))) {
        let is_for = |thing: &&WorldThing| kinds.contains(&thing.kind());
        if open.is_empty() {
            open = context.named_things().map(|(thing, _)| thing).filter(is_for).collect();
        } else if acts[0] == "lock" && open.iter().any(is_for) {
            open.retain(is_for);
        }
    }
    let places = places_in(&asked, context);
    let is_there = |thing: &&WorldThing| places.iter().any(|place| is_in(thing, place));
    if open.iter().any(is_there) {
        open.retain(is_there);
    }
    open
}

fn is_in(thing: &WorldThing, place: &[String]) -> bool {
    thing.all_place_names().any(|name| WorldThing::words_of(name) == place)
}

/// The places that words name.
fn places_in(words: &[&str], context: &Context<'_>) -> Vec<Vec<String>> {
    let is_said = |place: &&Vec<String>| {
        words.windows(place.len()).any(|window| window.iter().zip(*place).all(|(word, own)| same_word(word, own)))
    };
    context.place_words().iter().filter(is_said).cloned().collect()
}
