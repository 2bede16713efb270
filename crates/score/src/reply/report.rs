//! Reports of acts: whether what a reply says was done is what was done.

use std::cell::LazyCell;

use serde_json::Value;
use toolgauge_core::{Cause, Loss, ResponseKind, WorldThing};

use super::context::Context;
use super::duration::{length_of, unit_of_argument};
use super::{Reply, loss};
use crate::reading::{MeasureUnit, NumberWithUnit, is_same, stem, unit_named};

impl Reply {
    /// What is wrong with a reply that reports an act which was carried out. An act needs no
    /// words, but those that are said must fit it.
    pub(crate) fn false_report(&self, context: &Context<'_>) -> Option<Loss> {
        if self.words.is_empty() {
            return None;
        }
        self.form(context)
            .or_else(|| self.denied_act(context))
            .or_else(|| self.asked_after_the_act())
            .or_else(|| self.idle_talk())
            .or_else(|| self.turned_round(context))
            .or_else(|| self.false_state(context))
            .or_else(|| self.wrong_amount(context, false))
            .or_else(|| self.other_mode(context))
            .or_else(|| self.unset_level(context))
            .or_else(|| self.swapped_amount(context))
            .or_else(|| self.untold_act(context))
            .or_else(|| self.wrong_thing(context))
            .or_else(|| self.wrong_place(context))
            .or_else(|| self.other_side(context))
            .or_else(|| self.other_room(context))
            .or_else(|| self.offered_after_the_act(context))
            .or_else(|| self.unlisted_item(context))
            .or_else(|| self.wrong_extent(context))
            .or_else(|| self.reported_answer(context))
            .or_else(|| self.wrong_moment(context))
            .or_else(|| self.wrong_end(context))
            .or_else(|| self.other_act(context))
            .or_else(|| self.unknown_thing(context))
    }

    /// What is wrong with a report that was put into English word for word: what can be told
    /// without its grammar.
    pub(crate) fn false_gloss(&self, context: &Context<'_>) -> Option<Loss> {
        if self.words.is_empty() {
            return None;
        }
        self.form(context)
            .or_else(|| self.denied_act(context))
            .or_else(|| self.asked_after_the_act())
            .or_else(|| self.idle_talk())
            .or_else(|| self.turned_round(context))
            .or_else(|| self.false_state(context))
            .or_else(|| self.wrong_amount(context, false))
            .or_else(|| self.wrong_thing(context))
            .or_else(|| self.wrong_place(context))
            .or_else(|| self.other_side(context))
            .or_else(|| self.wrong_end(context))
            .or_else(|| self.unlisted_item(context))
            .or_else(|| self.other_act(context))
    }

    /// Says that what was done was not.
    fn denied_act(&self, context: &Context<'_>) -> Option<Loss> {
        if let Some(clause) = self.clauses.iter().find(|clause| {
            self.denies_effect(clause, context) || self.finds_nothing_to_do(clause, context)
        }) {
            return Some(loss(Cause::FalseClaim, "done", self.quote(clause)));
        }
        if let Some(clause) =
            self.clauses.iter().find(|clause| self.leaves_as_it_was(clause, context))
        {
            return Some(loss(Cause::FalseClaim, "done", self.quote(clause)));
        }
        if let Some(clause) = self.clauses.iter().find(|clause| self.does_not_react(clause)) {
            return Some(loss(Cause::FalseClaim, "done", self.quote(clause)));
        }
        if let Some(clause) = self.clauses.iter().find(|clause| self.leaves_out(clause, context)) {
            return Some(loss(Cause::FalseClaim, "done", self.quote(clause)));
        }
        let tells_of_nothing = |clause| self.says_unknown(clause) || self.is_bare_no(clause);
        if self.clauses.iter().all(tells_of_nothing) {
            return Some(loss(Cause::FalseClaim, "done", self.plain.as_str()));
        }
        let claims = self.clauses.iter().any(|clause| self.claimed_act(clause).is_some());
        let denies = self.clauses.iter().find(|clause| {
            let says = |text: &str| self.words_of(clause).iter().any(|word| word.text == text);
            let begins = self.words_of(clause).first().is_some_and(|word| word.text == "there");
            let by_speaker =
                ["i", "could", "can", "unable", "sorry", "failed"].iter().any(|word| says(word));
            self.refuses(clause) && (by_speaker || begins) && !says("which")
        });
        // `I turned it on, but I can't dim it` reports the act and refuses something else.
        let clause = denies.filter(|_| !claims)?;
        Some(loss(Cause::FalseClaim, "done", self.quote(clause)))
    }

    /// Whether a clause says that something which a call named was left out: `but not the coffee`, `I
    /// couldn't invite Carla`.
    fn leaves_out(&self, clause: &super::clause::Clause, context: &Context<'_>) -> bool {
        let words = self.words_of(clause);
        let text = |at: usize| words.get(at).map_or("", |word| word.text.as_str());
        let start = usize::from(matches!(text(0), "but" | "just" | "though" | "and"));
        let is_alone = text(start) == "not";
        let is_speaker = text(start) == "i";
        let is_inability = is_speaker
            && matches!(text(start + 1), "could" | "can" | "did" | "was")
            && text(start + 2) == "not";
        let is_left = is_speaker
            && text(start + 1) == "left"
            && words.iter().any(|word| matches!(&*word.text, "alone" | "unchanged"));
        let is_negated = context.request().iter().any(|word| word == "not");
        if clause.is_question || is_negated || !(is_alone || is_inability || is_left) {
            return false;
        }
        let called = context.words_of_calls();
        let mut named = words[start + 1..]
            .iter()
            .map(|word| word.text.as_str())
            .filter(|word| !super::context::is_function_word(word))
            .filter(|word| {
                !matches!(*word, "left" | "alone" | "unchanged" | "could" | "can" | "not")
            })
            .filter(|word| !(0..3).any(|form| super::pattern::is_act(word, form)))
            .peekable();
        named.peek().is_some() && named.all(|word| called.iter().any(|own| own == word))
    }

    /// Whether a clause is a no and nothing else: `No, it is not.`
    fn is_bare_no(&self, clause: &super::clause::Clause) -> bool {
        let is_no = |word: &super::Word| {
            matches!(word.text.as_str(), "no" | "nope" | "not" | "it" | "is" | "i" | "do" | "did")
        };
        self.has_denial(clause) && self.words_of(clause).iter().all(is_no)
    }

    /// Whether a clause says that there was nothing to do: `so there was nothing to stop`.
    fn finds_nothing_to_do(&self, clause: &super::clause::Clause, context: &Context<'_>) -> bool {
        let is_said = self.words_of(clause).windows(3).any(|three| {
            three[0].text == "nothing"
                && three[1].text == "to"
                && super::pattern::is_act(&three[2].text, 0)
        });
        is_said && context.changes.and_then(Value::as_object).is_some_and(|all| !all.is_empty())
    }

    /// `Off` or a share of the whole where no call sets it, in a world that tells nothing but the
    /// calls that were made.
    fn unset_level(&self, context: &Context<'_>) -> Option<Loss> {
        let has_states = !context.things.is_empty() || context.changes.is_some();
        if has_states
            || context.calls.is_empty()
            || context.calls.iter().any(|call| call.arguments.as_object().is_none())
        {
            return None;
        }
        let said = |clause: &&super::clause::Clause| {
            !self.is_beside_the_report(clause)
                && !self.has_denial(clause)
                && !self.tells_of_the_rest(clause)
        };
        let values = || {
            let all = context.calls.iter().filter_map(|call| call.arguments.as_object());
            all.flat_map(serde_json::Map::values)
        };
        let is_zero = |value: &Value| value.as_f64().is_some_and(|number| is_same(number, 0.0));
        let turns_off = values().any(|value| *value == Value::Bool(false) || is_zero(value));
        let asks_off = context.request().iter().any(|word| {
            matches!(&**word, "off" | "out" | "stop" | "cancel" | "pause" | "quiet" | "dark")
        });
        let lit = |value: &Value| *value == Value::Bool(true) || value.as_f64().is_some();
        let is_light = |call: &&toolgauge_core::ToolCall| {
            super::words::tool_words(&call.name).iter().any(|word| word.starts_with("light"))
        };
        let lights = context.calls.iter().copied().any(|call| is_light(&call));
        let sets_level = !turns_off && !asks_off && (lights || values().any(lit));
        let off = self.clauses.iter().filter(said).find(|clause| {
            self.words_of(clause).windows(2).any(|pair| {
                matches!(&*pair[0].text, "is" | "are" | "turned" | "switched")
                    && pair[1].text == "off"
            })
        });
        if let Some(clause) = off.filter(|_| sets_level) {
            return Some(loss(Cause::FalseClaim, "what was set", self.quote(clause)));
        }
        let is_dim = |word: &super::Word| matches!(&*word.text, "dimmed" | "dim" | "brighter");
        let dim = self.clauses.iter().filter(said);
        let dim = dim.filter(|clause| self.words_of(clause).iter().any(is_dim)).last();
        let only_off = lights && !values().any(lit);
        if let Some(clause) = dim.filter(|_| only_off) {
            return Some(loss(Cause::FalseClaim, "what was set", self.quote(clause)));
        }
        let percent = |said: &super::value::Given<NumberWithUnit>| {
            said.value.unit == Some(MeasureUnit::PERCENT)
                && !said.is_set_aside
                && said.value.value < 100.0
                && !self.is_beside_the_report(&self.clauses[said.clause])
        };
        let tells_level = values().any(|value| value.as_f64().is_some())
            || context.request().iter().any(|word| word == "percent" || word.ends_with('%'));
        let wrong = self.numbers().into_iter().find(percent).filter(|_| !tells_level)?;
        Some(loss(Cause::FalseClaim, "what was set", &self.plain[wrong.place]))
    }

    /// A mode that was neither asked for nor set: `in boost mode`.
    fn other_mode(&self, context: &Context<'_>) -> Option<Loss> {
        const PLAIN: [&str; 8] = ["the", "a", "this", "that", "its", "new", "right", "same"];
        let said = self.clauses.iter().filter(|clause| !self.is_beside_the_report(clause));
        let said = said.filter(|clause| !self.has_denial(clause));
        let mut modes = said.flat_map(|clause| self.words_of(clause).windows(2));
        // What modes there are is told by lists; the one that is set, by a plain value.
        let set = context.calls.iter().filter_map(|call| call.arguments.as_object());
        let own = context.topic_things().iter().map(|thing| &thing.attributes);
        let set = set.flat_map(serde_json::Map::values).chain(own.flat_map(|all| all.values()));
        let set: Vec<String> =
            set.filter_map(Value::as_str).flat_map(WorldThing::words_of).collect();
        let is_known = |word: &super::Word| {
            PLAIN.contains(&word.text.as_str())
                || set.contains(&word.text)
                || context.request().contains(&word.text)
        };
        let wrong = modes.find(|pair| pair[1].text == "mode" && !is_known(&pair[0]))?;
        Some(loss(Cause::FalseClaim, "the mode that was set", wrong[0].text.as_str()))
    }

    /// Whether a clause says that a thing did not do what it was told: `the left one didn't react`.
    fn does_not_react(&self, clause: &super::clause::Clause) -> bool {
        let mut words = self.words_of(clause).windows(3);
        let is_still = words.any(|three| {
            matches!(three[0].text.as_str(), "did" | "does")
                && three[1].text == "not"
                && matches!(three[2].text.as_str(), "react" | "respond")
        });
        is_still && !clause.is_question && !self.is_conditional(clause)
    }

    /// Whether a clause says of a thing that was changed that it was left as it is.
    fn leaves_as_it_was(&self, clause: &super::clause::Clause, context: &Context<'_>) -> bool {
        let says = |names: &[&str]| {
            self.words_of(clause).iter().any(|word| names.contains(&word.text.as_str()))
        };
        let changed =
            |thing: &&WorldThing| context.changes.is_some_and(|all| all.get(&thing.id).is_some());
        says(&["left", "leaving", "leave"])
            && says(&["alone", "unchanged", "untouched"])
            && !clause.is_question
            && !self.has_denial(clause)
            && !self.things_meant(clause, context).is_empty()
            && self.things_meant(clause, context).iter().all(changed)
    }

    /// Says nothing but what could be said at any time, or tells the person how to do it: `To turn it
    /// off, you can use the command …`
    fn idle_talk(&self) -> Option<Loss> {
        let is_idle = |clause: &super::clause::Clause| self.has(clause, &super::LEXICON.idle);
        let tells_how = |clause: &super::clause::Clause| {
            self.words_of(clause).windows(3).any(|three| {
                three[0].text == "you"
                    && matches!(&*three[1].text, "can" | "could" | "should" | "may" | "need")
                    && matches!(&*three[2].text, "use" | "say" | "run" | "call" | "type" | "enter")
            })
        };
        let claims = self.clauses.iter().any(|clause| self.claimed_act(clause).is_some());
        let is_lesson = !claims
            && self.clauses.first().is_some_and(|first| {
                let begins = self.words_of(first).first().is_some_and(|word| word.text == "to");
                begins && self.clauses.iter().any(tells_how)
            });
        let is_idle = !self.clauses.is_empty() && self.clauses.iter().all(is_idle);
        (is_idle || is_lesson)
            .then(|| loss(Cause::NotAnAnswer, "what was done", self.plain.as_str()))
    }

    /// A room of a house that is neither asked for nor touched.
    fn other_room(&self, context: &Context<'_>) -> Option<Loss> {
        let known = LazyCell::new(|| context.places_acted_on());
        let room = self
            .clauses
            .iter()
            .filter(|clause| !clause.is_question && !self.has_denial(clause))
            .filter(|clause| !self.offers(clause) && !self.is_conditional(clause))
            .find_map(|clause| {
                let words = self.words_of(clause);
                let (start, end) = super::LEXICON.rooms.iter().find_map(|room| room.find(words))?;
                let stays = self.tells_of_the_rest(clause);
                let room: Vec<&str> = words[start..end].iter().map(|w| w.text.as_str()).collect();
                let room = room.join(" ");
                // A hallway is a hall.
                let is_known = known.iter().any(|text| text.contains(room.trim_end_matches("way")));
                (!stays && !is_known).then_some(room)
            })?;
        Some(loss(Cause::FalseClaim, "the place that was asked for", room))
    }

    /// Whether a clause tells of what was not touched: `the hall stays on`. In `the left blind`
    /// nothing was left.
    pub(super) fn tells_of_the_rest(&self, clause: &super::clause::Clause) -> bool {
        let words = self.words_of(clause);
        (0..words.len()).any(|at| match words[at].text.as_str() {
            "stays" | "stay" | "staying" | "still" | "except" | "apart" | "remains" | "already"
            | "before" | "was" | "were" | "unchanged" | "untouched" => true,
            "left" => !self.is_side(clause.words.start + at),
            _ => false,
        })
    }

    /// Whether `left` or `right` tells one thing from another: `the left blind`.
    fn is_side(&self, at: usize) -> bool {
        let before = at.checked_sub(1).map_or("", |at| self.words[at].text.as_str());
        let behind = self.words.get(at + 1).map_or("", |word| word.text.as_str());
        let is_other = matches!(
            behind,
            "now" | "away" | "here" | "there" | "it" | "them" | "as" | "the" | "everything" | "all"
        );
        let begins = self.clauses.iter().any(|clause| clause.words.start == at);
        !is_other
            && (begins && !behind.is_empty()
                || matches!(before, "the" | "your" | "my" | "of" | "on" | "to" | "a"))
    }

    /// The other one of two sides: `the left blind` where the right one was asked for.
    fn other_side(&self, context: &Context<'_>) -> Option<Loss> {
        let clause = self.clauses.iter().find(|clause| {
            !clause.is_question
                && !self.has_denial(clause)
                && !self.tells_of_the_rest(clause)
                && self.is_of_other_side(clause, context)
        })?;
        Some(loss(Cause::FalseClaim, "the side that was asked for", self.quote(clause)))
    }

    /// Whether a clause speaks of the left one where the right one was asked for, or the reverse.
    pub(super) fn is_of_other_side(
        &self,
        clause: &super::clause::Clause,
        context: &Context<'_>,
    ) -> bool {
        // Most requests name no side, and every clause of every reply is asked this.
        if !context.meant().iter().any(|word| matches!(word.as_str(), "left" | "right")) {
            return false;
        }
        let asked = Self::read(&context.meant().join(" "));
        let asks = |side: &str| {
            (0..asked.words.len()).any(|at| asked.words[at].text == side && asked.is_side(at))
        };
        let other = match (asks("left"), asks("right")) {
            (true, false) => "right",
            (false, true) => "left",
            _ => return false,
        };
        clause.words.clone().any(|at| self.words[at].text == other && self.is_side(at))
    }

    /// Asks for what was done already.
    fn asked_after_the_act(&self) -> Option<Loss> {
        let is_question =
            !self.clauses.is_empty() && self.clauses.iter().all(|clause| clause.is_question);
        let asks = self.clauses.iter().any(|clause| self.asks(clause) || self.offers(clause));
        (is_question && asks).then(|| {
            loss(Cause::WrongResponseKind, ResponseKind::Action.name(), self.plain.as_str())
        })
    }

    /// Says the opposite of what was asked for and done.
    fn turned_round(&self, context: &Context<'_>) -> Option<Loss> {
        let clause = self.opposite_of_request(context)?;
        Some(loss(Cause::FalseClaim, "what was asked for", self.quote(&self.clauses[clause])))
    }

    /// A number that neither the request nor the things it is about have.
    pub(crate) fn wrong_amount(&self, context: &Context<'_>, with_limits: bool) -> Option<Loss> {
        let (numbers, lengths) = (self.numbers(), self.durations());
        // Most reports tell no amount, and what may be told is costly to gather.
        if numbers.is_empty() && lengths.is_empty() {
            return None;
        }
        let known = context.amounts(with_limits);
        if let Some(wrong) = self.wrong_length(&lengths, context, &known) {
            return Some(wrong);
        }
        if known.is_empty() {
            return None;
        }
        let in_length = |place: &std::ops::Range<usize>| {
            lengths
                .iter()
                .any(|length| length.place.start <= place.start && place.start < length.place.end)
        };
        let is_relative = context.request().iter().any(|word| RELATIVE.contains(&word.as_str()));
        let wrong = numbers.into_iter().filter(|said| !in_length(&said.place)).find(|said| {
            let clause = &self.clauses[said.clause];
            let words: Vec<&str> =
                self.words_of(clause).iter().map(|word| word.text.as_str()).collect();
            // `The right one is still at 30 percent.`
            let is_other =
                words.iter().any(|word| matches!(*word, "one" | "other" | "others" | "one's"));
            let of_the_rest = self.tells_of_the_rest(clause) && is_other;
            let tells_of_old = words.iter().any(|word| {
                matches!(
                    *word,
                    "from"
                        | "was"
                        | "were"
                        | "had"
                        | "before"
                        | "previously"
                        | "previous"
                        | "earlier"
                        | "ago"
                        | "than"
                )
            });
            let at = self.words.partition_point(|word| word.place.start < said.place.start);
            let before = at.checked_sub(1).map_or("", |at| self.words[at].text.as_str());
            // `von 18 auf 16`, put into English word for word.
            let goes_on = self.words.get(at + 1).map_or("", |word| word.text.as_str());
            let tells_of_old =
                tells_of_old || before == "of" && matches!(goes_on, "on" | "to" | "at" | "a");
            let counts = said.value.unit.is_none()
                && said.value.value <= 3.0
                // Behind these words a small number is a level and no count of things.
                && !matches!(before, "at" | "to" | "by" | "of");
            // `One degree colder` asks for a step, which is no level.
            let is_step =
                |known: &Amount| !known.is_property && is_relative && matches!(before, "at" | "to");
            let behind = self.words.partition_point(|word| word.place.start < said.place.end);
            let behind = self.words.get(behind).map_or("", |word| word.text.as_str());
            // A step is told behind `by`, or in front of `warmer`; elsewhere a number is a level.
            let tells_step = before == "by" || RELATIVE.contains(&behind);
            let fits = |known: &Amount| {
                known.is_near(&said.value)
                    && !is_step(known)
                    && (known.of != AmountOf::Change || tells_step)
                    && (known.of != AmountOf::Old || tells_of_old || with_limits)
            };
            !counts
                && !of_the_rest
                && !self.is_own_value(clause, said.value.value, context)
                && !said.is_set_aside
                && !known.iter().any(fits)
                && !context.has_length(&said.value)
                && !context.is_measured(&said.value)
                && !context.counts_changes(&said.value)
                && !context.counts_a_kind(&said.value, behind)
        })?;
        Some(loss(
            Cause::FalseClaim,
            "an amount that was set or asked for",
            &self.plain[wrong.place],
        ))
    }

    /// Whether a thing that the clause names has this value, so that it is told of that thing: `the
    /// office ceiling light burns at 70 percent`.
    fn is_own_value(
        &self,
        clause: &super::clause::Clause,
        value: f64,
        context: &Context<'_>,
    ) -> bool {
        let named = self.things_named(clause, context);
        let is_changed =
            |thing: &WorldThing| context.changes.is_some_and(|all| all.get(&thing.id).is_some());
        named.iter().filter(|thing| !is_changed(thing)).any(|thing| {
            let values = super::detail::values(&thing.state, &thing.attributes);
            values.iter().any(|own| (own - value).abs() < 0.51)
        })
    }

    /// A length of time that was neither asked for nor set.
    fn wrong_length(
        &self,
        lengths: &[super::duration::Duration],
        context: &Context<'_>,
        known: &[Amount],
    ) -> Option<Loss> {
        let asked = Self::read(&context.request().join(" ")).durations();
        let set: Vec<f64> = context.calls.iter().filter_map(|call| length_of(call)).collect();
        let is_set = |length: &super::duration::Duration| {
            let at = self.words.partition_point(|word| word.place.start < length.place.start);
            let before = at.checked_sub(1).map_or("", |at| self.words[at].text.as_str());
            // Elsewhere a length is a detail that nothing here can prove or disprove.
            !(set.is_empty() && asked.is_empty()) || matches!(before, "for" | "lasts")
        };
        let all = || asked.iter().map(|length| length.seconds).chain(set.iter().copied());
        let seconds =
            |amount: &Amount| amount.number.unit.map(|unit| amount.number.value * unit.factor());
        let wrong = lengths.iter().filter(|length| is_set(length)).find(|length| {
            !all().any(|other| is_same(other, length.seconds))
                && !known.iter().filter_map(seconds).any(|other| is_same(other, length.seconds))
        })?;
        Some(loss(
            Cause::FalseClaim,
            "the time that was set or asked for",
            &self.plain[wrong.place.clone()],
        ))
    }

    /// A thing that was not touched and is not spoken of in the request.
    fn wrong_thing(&self, context: &Context<'_>) -> Option<Loss> {
        let topic = context.topic_things();
        if topic.is_empty() {
            return None;
        }
        let is_topic = |thing: &&WorldThing| {
            topic.iter().any(|own| own.names.iter().any(|name| thing.names.contains(name)))
        };
        let is_asked = |thing: &&WorldThing| {
            let asked = |name: &String| {
                WorldThing::words_of(name).iter().all(|word| context.meant().contains(word))
            };
            thing.names.iter().any(asked)
        };
        for clause in &self.clauses {
            let is_aside = self
                .words_of(clause)
                .iter()
                .any(|word| matches!(word.text.as_str(), "only" | "too" | "also" | "was" | "were"));
            if clause.is_question
                || is_aside
                || self.tells_of_the_rest(clause)
                || self.has_denial(clause)
                || self.offers(clause)
            {
                continue;
            }
            let other = self.things_named(clause, context).into_iter().find(|thing| {
                let is_routine = matches!(thing.kind(), "script" | "scene");
                let has_value = |said: &super::value::Given<NumberWithUnit>| {
                    clause.place.contains(&said.place.start)
                        && self.is_own_value(clause, said.value.value, context)
                };
                !is_routine
                    && !is_topic(thing)
                    && !is_asked(thing)
                    && !self.numbers().iter().any(has_value)
            });
            if let Some(other) = other {
                return Some(loss(Cause::FalseClaim, "what was asked for", other.names[0].clone()));
            }
        }
        None
    }

    /// A room in which nothing was done and of which nothing was said.
    fn wrong_place(&self, context: &Context<'_>) -> Option<Loss> {
        let topic = context.topic_things();
        if topic.is_empty() {
            return None;
        }
        let tells = |clause: &&super::clause::Clause| {
            !clause.is_question && !self.has_denial(clause) && !self.tells_of_the_rest(clause)
        };
        for clause in self.clauses.iter().filter(tells) {
            let words: Vec<String> =
                self.words_of(clause).iter().map(|word| word.text.clone()).collect();
            let holds = |name: &Vec<String>| words.windows(name.len()).any(|window| window == name);
            let asked = |name: &Vec<String>| {
                context.meant().windows(name.len()).any(|window| window == name)
            };
            let own = |name: &Vec<String>| {
                let changed = |thing: &&&WorldThing| {
                    context.changes.is_some_and(|all| all.get(&thing.id).is_some())
                };
                // Where something was changed, only its places are right; else those of all things
                // asked about.
                let any_changed = topic.iter().any(|thing| changed(&thing));
                topic.iter().filter(|thing| !any_changed || changed(thing)).any(|thing| {
                    let of = thing.all_place_names().chain(&thing.names);
                    of.map(|text| WorldThing::words_of(text))
                        .any(|text| text.windows(name.len()).any(|window| window == name))
                })
            };
            let mut areas = context.place_words().iter();
            if let Some(area) = areas.find(|area| holds(area) && !asked(area) && !own(area)) {
                return Some(loss(
                    Cause::FalseClaim,
                    "the place that was asked for",
                    area.join(" "),
                ));
            }
        }
        None
    }
}

/// An amount that may be told: as it is written, or what a property of a thing comes to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Amount {
    number: NumberWithUnit,
    is_property: bool,
    /// Whether it was asked for as a number, so that it is not rounded.
    is_exact: bool,
    of: AmountOf,
}

/// What an amount is an amount of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AmountOf {
    /// What holds now, or was asked for.
    Now,
    /// What held before the calls were made, and no longer does.
    Old,
    /// By how much something changed.
    Change,
}

impl Amount {
    /// Whether a number that was said is this one, rounded as people round.
    fn is_near(&self, said: &NumberWithUnit) -> bool {
        let value = self.number.value;
        let scale = |number: &NumberWithUnit| number.unit.map_or(1.0, MeasureUnit::factor);
        // Whoever sets 18.5 means it; a measured value may be rounded.
        let rounds = self.is_property && (!self.is_exact || (value * 2.0).fract() != 0.0);
        let is_part = |said: f64| (said * 2.0).fract() != 0.0;
        // A half is rounded to the next half.
        let room = |said: f64| if is_same(said.fract(), 0.5) { 0.25 } else { 0.5 };
        let close = |a: f64, b: f64| {
            is_same(a, b) || (a - b).abs() <= room(b) + 1e-9 && (rounds || is_part(b))
        };
        match (self.number.unit, said.unit) {
            (Some(own), Some(unit)) => {
                own.is_alike(unit) && is_same(value * scale(&self.number), said.value * scale(said))
            }
            _ => {
                close(value, said.value)
                    || self.is_property && close(value, said.value * scale(said))
                    || close(value.abs(), said.value.abs())
            }
        }
    }
}

/// Words of a request that ask for a change from what is, and not for a value.
const RELATIVE: [&str; 18] = [
    "more", "less", "warmer", "colder", "cooler", "hotter", "louder", "quieter", "brighter",
    "dimmer", "darker", "by", "longer", "shorter", "faster", "slower", "higher", "lower",
];

impl Context<'_> {
    /// Whether something in the world was measured at just this value, which nobody sets: `with
    /// 11.3 degrees in there`.
    pub(super) fn is_measured(&self, said: &NumberWithUnit) -> bool {
        let is_own = |thing: &WorldThing| {
            let values = super::detail::values(&thing.state, &thing.attributes);
            values.iter().any(|value| is_same(*value, said.value))
        };
        said.value.fract() != 0.0 && self.things.iter().any(|thing| is_own(thing))
    }

    /// Whether a number is that of the things that were changed: `all four televisions`.
    fn counts_changes(&self, said: &NumberWithUnit) -> bool {
        let changed = self.changes.and_then(Value::as_object).map_or(0, serde_json::Map::len);
        #[expect(clippy::cast_precision_loss, reason = "a handful of things")]
        let count = changed as f64;
        said.unit.is_none() && changed > 1 && is_same(said.value, count)
    }

    /// Whether so many things of the kind behind the number are in the world: `all four televisions`.
    fn counts_a_kind(&self, said: &NumberWithUnit, noun: &str) -> bool {
        let kind = stem(noun);
        let is_kind = |thing: &&std::sync::Arc<WorldThing>| {
            super::state_claim::kinds_of(thing).iter().any(|own| stem(own) == kind)
        };
        let count = self.things.iter().filter(is_kind).count();
        said.unit.is_none() && u32::try_from(count).is_ok_and(|n| is_same(said.value, n.into()))
    }

    /// Whether a number without a unit is a length that was set, in hours, minutes or seconds:
    /// `eight minutes for the fish, twelve for the rice`.
    fn has_length(&self, said: &NumberWithUnit) -> bool {
        let is_length = |seconds: f64| {
            [1.0, 60.0, 3600.0].iter().any(|unit| is_same(said.value * unit, seconds))
        };
        said.unit.is_none() && self.lengths().into_iter().any(is_length)
    }

    /// The words of the values and the tools of all calls.
    fn words_of_calls(&self) -> Vec<String> {
        let values = self.calls.iter().filter_map(|call| call.arguments.as_object());
        let values = values.flat_map(serde_json::Map::values).map(Value::to_string);
        let tools = self.calls.iter().map(|call| super::words::tool_words(&call.name).join(" "));
        values.chain(tools).flat_map(|text| WorldThing::words_of(&text.to_lowercase())).collect()
    }

    /// Every length of time in seconds that was asked for, set, or runs.
    pub(super) fn lengths(&self) -> Vec<f64> {
        let asked = Reply::read(&self.request().join(" ")).durations();
        let mut lengths: Vec<f64> = asked.into_iter().map(|length| length.seconds).collect();
        lengths.extend(self.calls.iter().filter_map(|call| length_of(call)));
        let mut running = Vec::new();
        if let Some(changes) = self.changes {
            collect(changes, "", AmountOf::Now, &mut running);
        }
        let seconds = |amount: &Amount| {
            let unit = amount.number.unit?;
            let unit = unit.is_alike(unit_named("seconds")?).then_some(unit)?;
            Some(amount.number.value * unit.factor())
        };
        lengths.extend(running.iter().filter_map(seconds));
        lengths
    }

    /// The amounts that a report may hold: those of the request, unless it corrects itself, and
    /// those of the things it is about, before and after.
    fn amounts(&self, with_limits: bool) -> Vec<Amount> {
        let mut amounts = Vec::new();
        let corrects = ["no", "wait", "actually", "sorry", "mean", "uh", "er"];
        // A request that corrects itself holds a number that was taken back, and which one is not
        // known.
        let is_corrected = self.question.iter().any(|word| corrects.contains(&word.as_str()));
        if !is_corrected {
            let read = Reply::read(&self.question.join(" "));
            let lengths = read.durations();
            let in_length = |place: &std::ops::Range<usize>| {
                lengths.iter().any(|length| length.place.contains(&place.start))
            };
            // A part of a length is another length: `twenty minutes` of an hour and twenty.
            let numbers = read.numbers().into_iter().filter(|said| !in_length(&said.place));
            amounts.extend(numbers.map(|said| Amount {
                number: said.value,
                is_property: false,
                is_exact: false,
                of: AmountOf::Now,
            }));
        }
        let is_exact = !amounts.is_empty();
        if let Some(changes) = self.changes {
            collect(changes, "", AmountOf::Now, &mut amounts);
        }
        for call in &self.calls {
            let arguments = call.arguments.as_object().into_iter().flatten();
            for (name, value) in arguments.filter(|(name, _)| unit_of_argument(name).is_none()) {
                // A call gives a brightness or a volume in percent already.
                let is_step = name.ends_with("step");
                let key = if !is_step && (name.contains("bright") || name.contains("volume")) {
                    ""
                } else {
                    name.as_str()
                };
                collect(value, key, AmountOf::Now, &mut amounts);
            }
            amounts.extend(length_of(call).map(Amount::seconds));
        }
        for thing in self.topic_things() {
            let told = thing.attributes.iter().filter(|(name, _)| with_limits || !is_limit(name));
            told.for_each(|(name, value)| collect(value, name, AmountOf::Now, &mut amounts));
            if let Ok(state) = thing.state.parse::<f64>() {
                amounts.push(Amount::property(state, AmountOf::Now));
            }
        }
        if !amounts.is_empty() {
            let old: Vec<f64> = amounts
                .iter()
                .filter(|amount| amount.of == AmountOf::Old)
                .map(|amount| amount.number.value)
                .collect();
            let is_old = |value: &f64| old.iter().any(|other| is_same(*other, *value));
            // What a tool returned after the calls may be the old value, which must not be told as
            // the new one.
            let returned =
                self.returned().into_iter().filter(|value| with_limits || !is_old(value));
            amounts.extend(returned.map(|value| Amount::property(value, AmountOf::Now)));
        }
        for amount in &mut amounts {
            amount.is_exact = is_exact;
        }
        amounts
    }
}

/// Whether an attribute says what a thing can do, not what it does.
fn is_limit(name: &str) -> bool {
    name.starts_with("min") || name.starts_with("max") || name.ends_with("step")
}

impl Amount {
    fn seconds(value: f64) -> Self {
        let mut amount = Self::property(value, AmountOf::Now);
        amount.number.unit = unit_named("seconds");
        amount
    }

    fn property(value: f64, of: AmountOf) -> Self {
        Self { number: NumberWithUnit::plain(value), is_property: true, is_exact: false, of }
    }
}

/// Every number in a value, as people tell it: shares of a whole in percent, times with their
/// unit. A pair of plain values is what was before and what is now.
fn collect(value: &Value, key: &str, of: AmountOf, into: &mut Vec<Amount>) {
    match value {
        Value::Number(number) => {
            let Some(number) = number.as_f64() else { return };
            let told = match key {
                "brightness" => number / 255.0 * 100.0,
                "volume_level" => number * 100.0,
                _ => number,
            };
            // A short key such as `min` is a limit or a letter more often than a unit.
            let unit = unit_named(key).filter(|_| key.len() > 3);
            let mut amount =
                Amount::property(told, if key.ends_with("step") { AmountOf::Change } else { of });
            amount.number.unit = unit;
            into.push(amount);
        }
        Value::Array(items) => {
            let is_pair = items.len() == 2 && items.iter().all(|item| !item.is_object());
            if let ([before, after], true) = (&items[..], is_pair) {
                let start = into.len();
                collect(before, key, AmountOf::Old, into);
                collect(after, key, of, into);
                if let [before, after] = into[start..] {
                    let change = after.number.value - before.number.value;
                    into.push(Amount::property(change, AmountOf::Change));
                }
                return;
            }
            #[expect(clippy::cast_precision_loss, reason = "a handful of items")]
            into.push(Amount::property(items.len() as f64, of));
            for item in items {
                collect(item, key, of, into);
            }
        }
        Value::Object(object) => {
            object.iter().for_each(|(key, value)| collect(value, key, of, into));
        }
        Value::String(text) => {
            into.extend(text.parse().ok().map(|value| Amount::property(value, of)));
        }
        Value::Null | Value::Bool(_) => {}
    }
}
