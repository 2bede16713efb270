//! What no home tells of itself: the parts of its machines, habits, where a name comes from, what took
//! the most of something, who is to be seen, and who did what.

use std::collections::HashSet;
use std::sync::LazyLock;

use toolgauge_core::{Cause, Loss, WorldThing};

use super::clause::Clause;
use super::context::Context;
use super::words::phrase_at;
use super::{Reply, loss, pattern};

static PARTS: LazyLock<HashSet<&str>> =
    LazyLock::new(|| pattern::word_set(include_str!("tables/parts.txt")));

/// Words for what is done again and again, or was once.
const HABITS: [&[&str]; 29] = [
    &["as", "usual"],
    &["as", "always"],
    &["like", "always"],
    &["you", "usually"],
    &["you", "always"],
    &["i", "usually"],
    &["used", "to", "be"],
    &["used", "to", "have"],
    &["named", "after"],
    &["name", "comes", "from"],
    &["last", "year"],
    &["last", "spring"],
    &["last", "summer"],
    &["last", "autumn"],
    &["last", "winter"],
    &["all", "afternoon"],
    &["all", "morning"],
    &["when", "you", "left"],
    &["when", "you", "came"],
    &["made", "of"],
    &["made", "by"],
    &["made", "in"],
    &["built", "in"],
    &["built", "by"],
    &["bought", "in"],
    &["bought", "at"],
    &["bought", "from"],
    &["on", "sale"],
    &["ran", "for"],
];

/// Words that tell what had the greatest share in something, or what it is owed to.
const SHARES: [&[&str]; 6] = [
    &["most", "of", "it"],
    &["most", "of", "that"],
    &["half", "of", "it"],
    &["half", "of", "that"],
    &["thanks", "to"],
    &["mostly", "because"],
];

/// Verbs by which somebody does something to a thing of a home, in the past.
const DONE_TO_THINGS: [&str; 16] = [
    "turned", "switched", "closed", "opened", "shut", "locked", "unlocked", "started", "stopped",
    "paused", "armed", "disarmed", "raised", "lowered", "dimmed", "set",
];

/// What comes and goes in front of a house, beside people.
const VEHICLES: [&str; 8] =
    ["van", "truck", "lorry", "cyclist", "motorbike", "scooter", "fox", "deer"];

/// Words for how much of something there is.
const MEASURES: [&str; 22] = [
    "kilo", "kilos", "gram", "grams", "pound", "pounds", "litre", "litres", "liter", "liters",
    "bottle", "bottles", "pack", "packs", "packet", "packets", "carton", "cartons", "dozen", "box",
    "jar", "jars",
];

/// Whether a word names a part of a machine or what it uses up.
pub(super) fn is_part(word: &str) -> bool {
    PARTS.contains(word)
}

impl Reply {
    /// What a reply tells of a home that no home tells.
    pub(crate) fn untold_of_a_home(&self, context: &Context<'_>) -> Option<Loss> {
        if context.things.is_empty() {
            return None;
        }
        let told = self.clauses.iter().filter(|clause| {
            let compares = self
                .words_of(clause)
                .first()
                .is_some_and(|word| matches!(&*word.text, "as" | "like"));
            (!clause.is_question || compares)
                && !self.is_conditional(clause)
                && !self.offers(clause)
        });
        let clause = told.into_iter().find(|clause| {
            self.tells_of_a_part(clause, context)
                || self.tells_a_habit(clause, context)
                || self.tells_an_amount(clause, context)
                || self.tells_a_plan(clause, context)
                || self.tells_the_sky(clause, context)
                || self.tells_of_somebody(clause, context)
                || self.tells_who_it_is(clause, context)
                || self.tells_who_did_it(clause, context)
        })?;
        Some(loss(Cause::UnsupportedClaim, "what was looked up", self.quote(clause)))
    }

    /// `The black cartridge is nearly empty.`
    fn tells_of_a_part(&self, clause: &Clause, context: &Context<'_>) -> bool {
        const VERBS: [&str; 14] = [
            "is", "are", "was", "were", "needs", "need", "has", "have", "should", "wants", "must",
            "seems", "looks", "gets",
        ];
        let words = self.words_of(clause);
        let is_verb = |word: &super::Word| VERBS.contains(&&*word.text);
        (0..words.len()).any(|at| {
            let word = words[at].text.as_str();
            PARTS.contains(word)
                && (words[at + 1..].iter().take(3).any(is_verb) || words[..at].iter().any(is_verb))
                && !context.knows_word(word)
        })
    }

    /// `Two kilos of apples`, where a list tells of apples alone.
    fn tells_an_amount(&self, clause: &Clause, context: &Context<'_>) -> bool {
        let counts = |word: &str| {
            !word.is_empty() && word.chars().all(|c| c.is_ascii_digit())
                || toolgauge_core::english::small_number(word).is_some()
                || matches!(word, "a" | "half")
        };
        let words = self.texts_of(clause);
        words.windows(3).any(|three| {
            counts(three[0])
                && MEASURES.contains(&three[1])
                && three[2] == "of"
                && !context.knows_word(three[1])
        })
    }

    /// `As I do every Thursday`, `most of it for the oven`.
    fn tells_a_habit(&self, clause: &Clause, context: &Context<'_>) -> bool {
        const TIMES: [&str; 10] = [
            "day",
            "morning",
            "evening",
            "night",
            "week",
            "month",
            "year",
            "afternoon",
            "weekend",
            "time",
        ];
        let words = self.texts_of(clause);
        let is_priced = words.iter().any(|word| matches!(*word, "cost" | "costs"));
        let is_repeated = words.windows(2).any(|pair| {
            pair[0] == "every"
                && (TIMES.contains(&pair[1])
                    || toolgauge_core::english::WEEKDAYS.contains(&pair[1]))
        });
        let is_told = |phrase: &[&str]| {
            let holds = |text: &str| phrase.iter().all(|word| text.contains(word));
            context.all_texts().any(|text| holds(&text.to_lowercase()))
        };
        let says = |phrase: &&&[&str]| phrase_at(&words, phrase).is_some();
        is_repeated && !is_told(&["every"])
            || is_priced && !is_told(&["cost"])
            || HABITS.iter().chain(&SHARES).find(says).is_some_and(|phrase| !is_told(phrase))
    }

    /// `It switches off automatically at ten`, `it will be cleaned tomorrow`.
    fn tells_a_plan(&self, clause: &Clause, context: &Context<'_>) -> bool {
        const PLANS: [&[&str]; 9] = [
            &["automatically"],
            &["scheduled"],
            &["programmed"],
            &["on", "its", "own"],
            &["by", "itself"],
            &["tomorrow"],
            &["next", "week"],
            &["next", "month"],
            &["next", "year"],
        ];
        let words = self.texts_of(clause);
        let says = |phrase: &&&[&str]| phrase_at(&words, phrase).is_some();
        let Some(plan) = PLANS.iter().find(says) else { return false };
        let is_told = |word: &&str| context.knows_word(word);
        // Events have dates, which may be told by their days.
        let has_events = context.returned_texts().any(|text| text.contains("start"));
        let speaks = words.iter().any(|word| matches!(*word, "i" | "we" | "you"));
        self.is_plain_statement(clause) && !speaks && !has_events && !plan.iter().all(is_told)
    }

    /// `It's raining outside`, `the sun is shining`.
    fn tells_the_sky(&self, clause: &Clause, context: &Context<'_>) -> bool {
        const SKY: [&str; 8] =
            ["raining", "snowing", "sunny", "windy", "stormy", "foggy", "storm", "thunderstorm"];
        let words = self.texts_of(clause);
        let said = words.iter().find(|word| SKY.contains(word)).copied().or_else(|| {
            let shines = |pair: &[&str]| pair[0] == "sun" && matches!(pair[1], "is" | "shines");
            words.windows(2).any(shines).then_some("sun")
        });
        let tells_weather = context.returned_texts().any(|text| {
            let text = text.to_lowercase();
            ["rain", "weather", "snow", "wind"].iter().any(|word| text.contains(word))
        });
        self.is_plain_statement(clause)
            && said.is_some_and(|word| !context.was_told_of(word) && !context.knows_word(word))
            && !tells_weather
    }

    /// `Your neighbour rang twice`, `Ella is asleep already`.
    fn tells_of_somebody(&self, clause: &Clause, context: &Context<'_>) -> bool {
        const DOING: [&[&str]; 9] = [
            &["asleep"],
            &["awake"],
            &["is", "sleeping"],
            &["came", "home"],
            &["come", "home"],
            &["on", "his", "way"],
            &["on", "her", "way"],
            &["on", "their", "way"],
            &["just", "arrived"],
        ];
        const PRESENCE: [&str; 12] = [
            "anybody", "anyone", "somebody", "someone", "nobody", "who", "motion", "moving",
            "people", "occupied", "home", "empty",
        ];
        let asks_presence = context.question.iter().any(|word| PRESENCE.contains(&&**word));
        let words = self.texts_of(clause);
        let speaks = words.iter().any(|word| matches!(*word, "i" | "you" | "we" | "left"));
        let is_doing = || {
            DOING.iter().any(|phrase| phrase_at(&words, phrase).is_some())
                && !words.contains(&"wide")
        };
        let is_somebody = || {
            words.iter().enumerate().any(|(at, word)| {
                let is_of_a_room =
                    words.get(at + 1).is_some_and(|next| matches!(*next, "room" | "bedroom"));
                super::happenings::is_person(word)
                    && !is_of_a_room
                    && !context.knows_word(word)
                    && self.happens_to(clause, at)
            })
        };
        !asks_presence
            && !speaks
            && self.is_plain_statement(clause)
            && self.things_named(clause, context).is_empty()
            && (is_doing() || is_somebody())
    }

    /// `But it's the postman`, `it looks like a delivery van pulling in`.
    fn tells_who_it_is(&self, clause: &Clause, context: &Context<'_>) -> bool {
        let words = self.texts_of(clause);
        let behind = |at: usize| {
            let mut rest = words[at + 1..].iter().skip_while(|word| {
                matches!(**word, "a" | "an" | "the" | "your" | "some" | "just" | "probably")
            });
            let has_article = words
                .get(at + 1..)
                .is_some_and(|rest| rest.iter().take(2).any(|word| is_article(word)));
            let named = [rest.next(), rest.next()];
            let is_somebody = |word: &&str| {
                (super::happenings::is_person(word) || VEHICLES.contains(word))
                    && !context.was_told_of(word)
            };
            // `That is the vacuum cleaner.`
            let is_machine = named[0].is_some_and(|word| *word == "vacuum");
            has_article && !is_machine && named.into_iter().flatten().any(is_somebody)
        };
        let is_seen = |at: usize| {
            matches!(words[at], "like" | "see" | "hear")
                || matches!(words[at], "is" | "be")
                    && at > 0
                    && matches!(words[at - 1], "it" | "that" | "this" | "there" | "must" | "may")
        };
        !self.has_denial(clause) && (0..words.len()).any(|at| is_seen(at) && behind(at))
    }

    /// `An open-window function has turned it off in the meantime`, `Ben switched it off`.
    fn tells_who_did_it(&self, clause: &Clause, context: &Context<'_>) -> bool {
        let words = self.texts_of(clause);
        let Some(at) = words.iter().position(|word| DONE_TO_THINGS.contains(word)) else {
            return false;
        };
        let subject = &words[..at];
        let is_object = |word: &&str| matches!(*word, "it" | "them" | "that");
        let has_object = words[at + 1..].iter().take(2).any(is_object);
        let is_perfect = matches!(subject.last(), Some(&"has"));
        let by_person = subject.last().is_some_and(|word| {
            matches!(*word, "someone" | "somebody" | "you") || super::happenings::is_person(word)
        });
        let by_speaker = subject.iter().any(|word| matches!(*word, "i" | "we" | "been"));
        let is_relative = subject.iter().any(|word| matches!(*word, "if" | "when" | "until"));
        !context.is_acted_on()
            && has_object
            && (is_perfect && subject.len() > 1 || by_person)
            && !by_speaker
            && !is_relative
            && !self.has_denial(clause)
    }
}

fn is_article(word: &str) -> bool {
    matches!(word, "a" | "an" | "the" | "your" | "some")
}

impl Context<'_> {
    /// Whether the request, anything that was looked up, or the name of a thing holds a word.
    fn knows_word(&self, word: &str) -> bool {
        let bare = word.strip_suffix('s').unwrap_or(word);
        let names = || self.things.iter().flat_map(|thing| &thing.names);
        let holds = |text: &str| {
            WorldThing::words_of(text)
                .iter()
                .any(|own| own.strip_suffix('s').unwrap_or(own) == bare)
        };
        self.all_texts().any(holds) || names().any(|name| holds(name))
    }
}
