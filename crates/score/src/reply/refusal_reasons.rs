//! What a refusal tells beside the refusal: reasons and news that nobody can know.

use std::collections::HashSet;
use std::sync::LazyLock;

use toolgauge_core::{Cause, Loss, ResponseKind, WorldThing};

use super::clause::Clause;
use super::context::Context;
use super::words::{phrase_at, word_texts};
use super::{Reply, loss, pattern};
use crate::reading::is_same;

/// What tools tell of, one sort a line.
static DETAILS: LazyLock<Vec<HashSet<&'static str>>> = LazyLock::new(|| {
    let lines = pattern::lines(include_str!("tables/untold_details.txt"));
    lines.map(|line| line.split_whitespace().collect()).collect()
});

/// Words for a fault of a thing, which a home tells only as being unavailable.
const FAULTS: [&[&str]; 19] = [
    &["jammed"],
    &["is", "stuck"],
    &["is", "offline"],
    &["was", "declined"],
    &["sold", "out"],
    &["broken"],
    &["out", "of", "order"],
    &["faulty"],
    &["defective"],
    &["damaged"],
    &["not", "responding"],
    &["not", "answering"],
    &["not", "picking", "up"],
    &["not", "plugged"],
    &["unplugged"],
    &["being", "repaired"],
    &["in", "repair"],
    &["no", "answer"],
    &["out", "of", "battery"],
];

impl Reply {
    /// A reason or a piece of news in a refusal that nothing tells.
    pub(crate) fn unknown_excuse(&self, context: &Context<'_>) -> Option<Loss> {
        if context.things.is_empty() {
            return None;
        }
        let plain = || self.clauses.iter().filter(|clause| self.is_plain_statement(clause));
        let fault = || plain().find(|clause| self.tells_a_fault(clause, context));
        // `I can see the house alarm` tells of a thing that is known.
        let is_unknown = |clause: &&Clause| self.things_named(clause, context).is_empty();
        let sight =
            || self.clauses.iter().filter(is_unknown).find(|clause| self.tells_a_sight(clause));
        let clause = fault().or_else(sight);
        let time = || {
            let asked = Self::read(&context.question.join(" ")).times();
            let asked: Vec<u32> = asked.iter().map(|own| own.value.minutes).collect();
            let told = self.times().into_iter().filter(|said| !said.is_set_aside);
            let unknown = |said: &super::value::Given<super::value::TimeOfDay>| {
                let mut known = asked.iter().copied().chain(context.now);
                !known.any(|known| known % 720 == said.value.minutes % 720)
            };
            told.filter(|said| !self.clauses[said.clause].is_question).find(unknown)
        };
        let told = clause.map(|clause| self.quote(clause).to_owned());
        let told = told.or_else(|| self.past_reason().map(str::to_owned));
        let told = told.or_else(|| time().map(|said| self.plain[said.place].to_owned()))?;
        Some(loss(Cause::UnsupportedClaim, "what was looked up", told))
    }

    /// What is told beside a refusal, a question or small talk where nothing was looked up and no
    /// world is known: `I can't check, but it's probably off`, `The lock is jammed`.
    pub(crate) fn unfounded(&self, kind: ResponseKind, context: &Context<'_>) -> Option<Loss> {
        if !context.things.is_empty() || !context.calls.is_empty() || context.shelf().is_some() {
            return None;
        }
        if kind == ResponseKind::Text {
            let clause = self.clauses.iter().find(|clause| self.tells_weather_of_a_day(clause))?;
            return Some(loss(Cause::UnsupportedClaim, "what was looked up", self.quote(clause)));
        }
        let is_told = |clause: &&Clause| {
            !clause.is_question
                && !self.is_conditional(clause)
                && !self.offers(clause)
                && (self.tells_a_state_of_a_house(clause)
                    || self.tells_a_fault(clause, context)
                    || self.tells_a_sight(clause)
                    || self.tells_an_act_of_others(clause)
                    || self.tells_of_earlier(clause))
        };
        let clause = self.clauses.iter().find(is_told).map(|clause| self.quote(clause).to_owned());
        let blamed = || self.blames(context).map(str::to_owned);
        let asked = Self::read(&context.question.join(" ")).durations();
        let length = || {
            let told = self.durations().into_iter();
            let mut told =
                told.filter(|own| !asked.iter().any(|other| is_same(other.seconds, own.seconds)));
            let found = told.find(|own| {
                let clause = self.clauses.iter().find(|it| it.place.contains(&own.place.start));
                clause.is_some_and(|clause| self.is_plain_statement(clause))
            })?;
            Some(self.plain[found.place].to_owned())
        };
        let is_refusal = kind == ResponseKind::Error;
        let told = clause.or_else(blamed).or_else(|| length().filter(|_| is_refusal))?;
        Some(loss(Cause::UnsupportedClaim, "what was looked up", told))
    }

    /// A detail of the weather or of a way that no tool told: `with strong winds`.
    pub(super) fn untold_detail(&self, context: &Context<'_>) -> Option<Loss> {
        if !context.has_calls_alone() {
            return None;
        }
        let mut known: HashSet<String> =
            context.all_texts().flat_map(|text| word_texts(text).to_vec()).collect();
        known.extend(context.words_of_calls());
        let clause = self.clauses.iter().find(|clause| {
            let words = self.texts_of(clause);
            let is_untold = |sort: &HashSet<&str>| {
                words.iter().any(|word| sort.contains(word))
                    && !sort.iter().any(|word| known.contains(*word))
            };
            self.is_plain_statement(clause)
                && !self.is_beside_the_report(clause)
                && DETAILS.iter().any(is_untold)
        })?;
        Some(loss(Cause::UnsupportedClaim, "what was looked up", self.quote(clause)))
    }

    /// `It's 14 degrees and cloudy today`, `tomorrow it will storm`.
    fn tells_weather_of_a_day(&self, clause: &Clause) -> bool {
        let words = self.texts_of(clause);
        let is_weather = words.iter().any(|word| {
            matches!(
                *word,
                "rain"
                    | "rains"
                    | "raining"
                    | "rained"
                    | "snow"
                    | "snows"
                    | "snowing"
                    | "storm"
                    | "sunny"
                    | "cloudy"
                    | "degrees"
                    | "forecast"
            )
        });
        let is_dated = words.iter().any(|word| {
            matches!(*word, "today" | "tomorrow" | "tonight" | "currently" | "now")
                || toolgauge_core::english::WEEKDAYS.contains(word)
        }) || phrase_at(&words, &["this", "week"]).is_some();
        is_weather && is_dated && !clause.is_question && !self.offers(clause)
    }

    /// `It's already unlocked`, `it's probably off`: how something of a house is.
    fn tells_a_state_of_a_house(&self, clause: &Clause) -> bool {
        let words = self.texts_of(clause);
        let is_open = words.iter().any(|word| {
            matches!(*word, "whether" | "if" | "or" | "when" | "which" | "i" | "you" | "should")
        });
        let is_so = words.iter().enumerate().any(|(at, word)| {
            let behind = words[at + 1..].iter().take(3);
            matches!(*word, "is" | "are" | "was" | "were" | "been")
                && behind.into_iter().any(|state| {
                    matches!(
                        *state,
                        "on" | "off" | "open" | "closed" | "locked" | "unlocked" | "lit" | "armed"
                    )
                })
                && words[at + 1..].first().is_none_or(|next| *next != "not")
        });
        let is_place = words.windows(2).any(|pair| {
            matches!(pair[0], "on" | "off") && matches!(pair[1], "your" | "the" | "my")
        });
        is_so && !is_open && !is_place && !self.has_denial(clause)
    }

    /// `Ben turned it off an hour ago.`
    fn tells_an_act_of_others(&self, clause: &Clause) -> bool {
        let at = clause.words.start;
        let text = |at: usize| self.text_at(at);
        let is_person = |at: usize| {
            self.is_capital(at)
                && !super::plain_words::is_function_word(text(at))
                && !super::plain_words::is_common(text(at))
                && (0..3).all(|form| !pattern::is_act(text(at), form))
        };
        is_person(at) && pattern::is_act(text(at + 1), 1) && !self.has_denial(clause)
    }

    /// `Your last timer was ten minutes`, `two timers are already running`.
    fn tells_of_earlier(&self, clause: &Clause) -> bool {
        let words = self.texts_of(clause);
        let by_people = words.iter().any(|word| matches!(*word, "i" | "you" | "that" | "if"));
        let was = words.iter().any(|word| matches!(*word, "was" | "were"));
        let runs = words
            .windows(2)
            .any(|pair| matches!(pair[0], "already" | "still") && pair[1] == "running");
        (was && !by_people || runs) && !self.has_denial(clause)
    }

    /// A reason that lies neither with the speaker nor in what is missing: `because Anna locked it`.
    fn blames(&self, context: &Context<'_>) -> Option<&str> {
        let at = self.words.iter().position(|word| word.text == "because")?;
        let sentence = self.clauses.iter().find(|clause| clause.words.contains(&at))?.sentence;
        let clause = self.clauses.iter().rfind(|clause| clause.sentence == sentence)?;
        let reason = &self.words[at..clause.words.end.max(at)];
        let is_own = |word: &super::Word| {
            matches!(
                &*word.text,
                "i" | "me"
                    | "my"
                    | "no"
                    | "not"
                    | "cannot"
                    | "nothing"
                    | "none"
                    | "only"
                    | "tool"
                    | "tools"
                    | "access"
                    | "need"
                    | "needs"
                    | "beyond"
                    | "outside"
                    | "missing"
            )
        };
        let is_empty = reason.len() < 3 || context.question.is_empty();
        (!is_empty && !reason.iter().any(is_own)).then(|| self.quote(clause))
    }

    /// What has happened, as a reason: `because the code was changed on Monday`.
    fn past_reason(&self) -> Option<&str> {
        let because = self.words.iter().position(|word| word.text == "because")?;
        let sentence = self.clauses.iter().find(|clause| clause.words.contains(&because))?.sentence;
        let reason = self.clauses.iter().filter(|clause| clause.sentence == sentence);
        let clause = reason.filter(|clause| clause.words.end > because).find(|clause| {
            let words = &self.words[because.max(clause.words.start)..clause.words.end];
            let says = |names: &[&str]| words.iter().any(|word| names.contains(&&*word.text));
            let has_been = words
                .windows(2)
                .any(|pair| matches!((&*pair[0].text, &*pair[1].text), ("has" | "have", "been")));
            (says(&["was", "were", "had"]) || has_been)
                && !says(&["i", "you", "not", "never", "no"])
        })?;
        Some(self.quote(clause))
    }

    /// `The jacuzzi is out of order.`
    fn tells_a_fault(&self, clause: &Clause, context: &Context<'_>) -> bool {
        let words = self.texts_of(clause);
        let says = |phrase: &&[&str]| phrase_at(&words, phrase).is_some();
        let is_gone = |thing: &&WorldThing| matches!(&*thing.state, "unavailable" | "unknown");
        FAULTS.iter().any(says)
            && !context.topic_things().iter().any(&is_gone)
            && !context.things_open().iter().any(is_gone)
    }

    /// `I can see a white van in the driveway.`
    fn tells_a_sight(&self, clause: &Clause) -> bool {
        let words = self.texts_of(clause);
        let sees = words.windows(3).any(|part| {
            matches!(
                part,
                [
                    "can" | "could",
                    "see" | "hear",
                    "a" | "an" | "someone" | "somebody" | "the" | "two"
                ]
            )
        });
        let is_there = words.windows(3).any(|part| {
            matches!(
                part,
                ["there", "is", "someone" | "somebody"]
                    | ["someone" | "somebody", "is", "at" | "in"]
            )
        });
        !clause.is_question && !self.has_denial(clause) && (sees || is_there)
    }
}
