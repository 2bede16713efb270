//! Reports of acts: whether what a reply says was done is what was done.

use std::cell::LazyCell;

use serde_json::Value;
use toolgauge_core::{Cause, Loss, WorldThing};

use super::context::Context;
use super::words::phrase_at;
use super::{Reply, loss};
use crate::reading::NumberWithUnit;

impl Reply {
    /// What is wrong with a reply that reports an act which was carried out. An act needs no
    /// words, but those that are said must fit it.
    pub(crate) fn false_report(&self, context: &Context<'_>) -> Option<Loss> {
        if self.words.is_empty() {
            return None;
        }
        self.form(context)
            .or_else(|| self.denied_act(context))
            .or_else(|| self.taken_back_act(context))
            .or_else(|| self.asked_after_the_act())
            .or_else(|| self.idle_talk())
            .or_else(|| self.turned_round(context))
            .or_else(|| self.false_state(context))
            .or_else(|| self.false_change(context))
            .or_else(|| self.wrong_about_timers(context))
            .or_else(|| self.wrong_about_list(context))
            .or_else(|| self.wrong_amount(context, false))
            .or_else(|| self.other_mode(context))
            .or_else(|| self.other_option(context))
            .or_else(|| self.false_of_calls(context))
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
            .or_else(|| self.wrong_message(context))
            .or_else(|| self.wrong_end(context))
            .or_else(|| self.other_act(context))
            .or_else(|| self.turned_comparison(&self.numbers()))
            .or_else(|| self.wild_consequence(context))
            .or_else(|| self.wrong_beside_the_act(context))
            .or_else(|| self.wrong_of_a_kind(context))
            .or_else(|| self.against_the_routine(context))
            .or_else(|| self.wrong_of_a_room(context))
            .or_else(|| self.made_up(context))
            .or_else(|| self.wrong_limit(context))
            .or_else(|| self.acts_on_another(context))
            .or_else(|| self.unknown_happening(context))
            .or_else(|| self.unknown_past(context))
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
            .or_else(|| self.taken_back_act(context))
            .or_else(|| self.could_not_in_gloss(context))
            .or_else(|| self.asked_after_the_act())
            .or_else(|| self.idle_talk())
            .or_else(|| self.turned_round(context))
            .or_else(|| self.false_state(context))
            .or_else(|| self.moved_the_other_way(context))
            .or_else(|| self.other_colour_in_gloss(context))
            .or_else(|| self.unknown_happening(context))
            .or_else(|| self.wrong_amount(context, false))
            .or_else(|| self.wrong_thing(context))
            .or_else(|| self.wrong_place(context))
            .or_else(|| self.other_side(context))
            .or_else(|| self.wrong_end(context))
            .or_else(|| self.unlisted_item(context))
            .or_else(|| self.other_act(context))
            .or_else(|| self.false_move(context))
            .or_else(|| self.wrong_about_timers(context))
            .or_else(|| self.wrong_about_list(context))
            .or_else(|| self.false_of_calls(context))
            .or_else(|| self.swapped_amount(context))
            .or_else(|| self.untold_act(context))
            .or_else(|| self.wrong_extent(context))
            .or_else(|| self.wrong_moment(context))
            .or_else(|| self.other_home_word(context))
            .or_else(|| self.other_pair(context))
            .or_else(|| self.other_owner(context))
            .or_else(|| self.other_thing_in_gloss(context))
            .or_else(|| self.turned_comparison(&self.numbers()))
            .or_else(|| self.wild_consequence(context))
            .or_else(|| self.wrong_beside_the_act(context))
            .or_else(|| self.wrong_of_a_kind(context))
            .or_else(|| self.made_up(context))
            .or_else(|| self.wrong_of_a_room(context))
            .or_else(|| self.item_in_gloss(context))
    }

    /// Says that what was done was not.
    fn denied_act(&self, context: &Context<'_>) -> Option<Loss> {
        let undone = self.clauses.iter().find(|clause| {
            self.denies_effect(clause, context)
                || self.finds_nothing_to_do(clause, context)
                || self.leaves_as_it_was(clause, context)
                || self.does_not_react(clause)
                || self.leaves_out(clause, context)
        });
        if let Some(clause) = undone {
            return Some(loss(Cause::FalseClaim, "done", self.quote(clause)));
        }
        // `The TV is silent` tells what was done.
        let says_unknown =
            |clause| self.says_unknown(clause) && self.things_meant(clause, context).is_empty();
        let tells_of_nothing = |clause| says_unknown(clause) || self.is_bare_no(clause);
        if self.clauses.iter().all(tells_of_nothing) {
            return Some(loss(Cause::FalseClaim, "done", self.plain.as_str()));
        }
        let claims = self.clauses.iter().any(|clause| self.claimed_act(clause).is_some());
        let denies = self.clauses.iter().find(|clause| {
            let says = |text: &str| self.words_of(clause).iter().any(|word| word.text == text);
            let begins = self.words_of(clause).first().is_some_and(|word| word.text == "there");
            let by_speaker =
                ["i", "could", "can", "unable", "sorry", "failed"].iter().any(|word| says(word));
            // `I only touched that one.`
            let leaves_the_rest = says("only") && (says("touched") || says("changed"));
            self.refuses(clause) && (by_speaker || begins) && !says("which") && !leaves_the_rest
        });
        // `I turned it on, but I can't dim it` reports the act and refuses something else.
        let clause = denies.filter(|_| !claims)?;
        Some(loss(Cause::FalseClaim, "done", self.quote(clause)))
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
                && (super::pattern::is_act(&three[2].text, 0) || three[2].text == "do")
        });
        is_said && context.changes.and_then(Value::as_object).is_some_and(|all| !all.is_empty())
    }

    /// A mode that was neither asked for nor set: `in boost mode`.
    fn other_mode(&self, context: &Context<'_>) -> Option<Loss> {
        const PLAIN: [&str; 8] = ["the", "a", "this", "that", "its", "new", "right", "same"];
        let said = self.clauses.iter().filter(|clause| !self.is_beside_the_report(clause));
        let said = said.filter(|clause| !self.has_denial(clause));
        let mut modes = said.flat_map(|clause| self.words_of(clause).windows(2));
        // What modes there are is told by lists; the one that is set, by a plain value.
        let own = context.topic_things().iter().map(|thing| &thing.attributes);
        let set = context.values_called().chain(own.flat_map(|all| all.values()));
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

    /// Another of the options that a tool names than the one that was called: `a normal portion`
    /// for a large one.
    fn other_option(&self, context: &Context<'_>) -> Option<Loss> {
        let says = |words: &[&str], option: &str| {
            let option: Vec<String> = WorldThing::words_of(&option.replace('_', " "));
            let option: Vec<&str> = option.iter().map(String::as_str).collect();
            !option.is_empty() && phrase_at(words, &option).is_some()
        };
        for (name, own, others) in context.options_called() {
            let clause = self.clauses.iter().find(|clause| {
                let words = self.texts_of(clause);
                let other = others.iter().find(|other| says(&words, other));
                other.is_some_and(|other| says(&words, &format!("{other} {name}")))
                    && !says(&words, own)
                    && self.is_plain_statement(clause)
            });
            if let Some(clause) = clause {
                return Some(loss(Cause::FalseClaim, own, self.quote(clause)));
            }
        }
        None
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
        let changed = |thing: &&WorldThing| context.is_changed(thing);
        // `It stays where it was`.
        let stays = self.words_of(clause).windows(3).any(|three| {
            matches!(&*three[0].text, "stays" | "stay" | "remains" | "stayed" | "remained")
                && matches!(&*three[1].text, "where" | "as" | "the")
                && matches!(&*three[2].text, "it" | "they" | "same")
        });
        // `So I've left it at 19`, but not `dimmed it and left it at 20`, which was set.
        let mut told = self.numbers_in(clause);
        let kept = self.words_of(clause).windows(4).any(|four| {
            matches!(&*four[0].text, "left" | "kept" | "leave" | "keep")
                && matches!(&*four[1].text, "it" | "them")
                && match &*four[2].text {
                    "at" => told.any(|said| !context.is_set(&said.value)),
                    "as" | "where" => matches!(&*four[3].text, "it" | "they" | "is" | "are"),
                    _ => false,
                }
        });
        // `Everything else stays as it was.`
        let is_of_the_rest = says(&["else", "rest", "other", "others"]);
        let stays = (stays || kept && context.changes.is_some()) && !is_of_the_rest;
        let is_left = says(&["left", "leaving", "leave"]);
        let as_it_was = phrase_at(&self.texts_of(clause), &["as", "it", "was"]).is_some();
        (stays || is_left && (as_it_was || says(&["alone", "unchanged", "untouched"])))
            && !clause.is_question
            && !self.has_denial(clause)
            && (stays && self.things_meant(clause, context).is_empty()
                || !self.things_meant(clause, context).is_empty()
                    && self.things_meant(clause, context).iter().all(changed)
                || is_left && self.leaves_a_part_alone(clause, context))
    }

    /// `Locked the workshop door and left the pool house door alone`, where that was locked.
    fn leaves_a_part_alone(&self, clause: &super::clause::Clause, context: &Context<'_>) -> bool {
        let changed =
            |thing: &WorldThing| context.changes.is_some_and(|all| all.get(&thing.id).is_some());
        let parts = self.parts_of(clause);
        parts.len() > 1
            && parts.iter().any(|part| {
                let words = self.texts_of(part);
                let is_left = words.contains(&"left")
                    && words
                        .iter()
                        .any(|word| matches!(*word, "alone" | "untouched" | "unchanged"));
                let named = self.things_named(part, context);
                is_left && !named.is_empty() && named.into_iter().all(changed)
            })
    }

    /// A room of a house that is neither asked for nor touched.
    fn other_room(&self, context: &Context<'_>) -> Option<Loss> {
        let known = LazyCell::new(|| context.places_acted_on());
        let room = self
            .clauses
            .iter()
            .filter(|clause| !clause.is_question && !self.has_denial(clause))
            .filter(|clause| !self.offers(clause) && !self.is_conditional(clause))
            .filter(|clause| !self.tells_of_the_rest(clause))
            .find_map(|clause| {
                let words = self.words_of(clause);
                let named = super::LEXICON.rooms.iter().filter_map(|room| room.find(words));
                let name = |(start, end): (usize, usize)| {
                    let room = words[start..end].iter().map(|word| word.text.as_str());
                    room.collect::<Vec<&str>>().join(" ")
                };
                // A hallway is a hall.
                let is_known = |room: &String| {
                    known.iter().any(|text| text.contains(room.trim_end_matches("way")))
                };
                named.map(name).find(|room| !is_known(room))
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
        let before = self.text_before(at, 1);
        let behind = self.text_at(at + 1);
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
                && !self.tells_of_another(clause, context)
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
        let other = |side: &str| if side == "left" { "right" } else { "left" };
        let says = |side: &str| {
            clause.words.clone().any(|at| self.words[at].text == side && self.is_side(at))
        };
        if let Some(side) = context.side_changed() {
            return says(other(side));
        }
        // Most requests name no side, and every clause of every reply is asked this.
        if !context.meant().iter().any(|word| matches!(word.as_str(), "left" | "right")) {
            return false;
        }
        let asked = Self::read(&context.meant().join(" "));
        let asks = |side: &str| {
            (0..asked.words.len()).any(|at| asked.words[at].text == side && asked.is_side(at))
        };
        match (asks("left"), asks("right")) {
            (true, false) => says("right"),
            (false, true) => says("left"),
            _ => false,
        }
    }

    /// Says the opposite of what was asked for and done.
    fn turned_round(&self, context: &Context<'_>) -> Option<Loss> {
        let clause = self.opposite_of_request(context)?;
        Some(loss(Cause::FalseClaim, "what was asked for", self.quote(&self.clauses[clause])))
    }

    /// Whether a further clause tells how another thing is, and it is so.
    fn tells_a_true_state_beside(
        &self,
        clause: &super::clause::Clause,
        context: &Context<'_>,
    ) -> bool {
        let is_opening = clause.is_first && clause.sentence == 0;
        // `Okay, I've turned off the lamp` tells what was done.
        let by_speaker = self.words_of(clause).first().is_some_and(|word| word.text == "i");
        let is_report = by_speaker && self.claimed_act(clause).is_some();
        !is_opening && !is_report && self.is_true_state(clause, context)
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
                || self.tells_a_true_state_beside(clause, context)
                || self.tells_of_the_rest(clause)
                || self.has_denial(clause)
                || self.offers(clause)
            {
                continue;
            }
            let other = self.things_named(clause, context).into_iter().find(|thing| {
                let is_routine = matches!(thing.kind(), "script" | "scene");
                let has_value = |said: super::value::Given<NumberWithUnit>| {
                    self.is_own_value(clause, said.value.value, context)
                };
                !is_routine
                    && !is_topic(thing)
                    && !is_asked(thing)
                    && !self.numbers_in(clause).any(has_value)
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
            !clause.is_question
                && !self.has_denial(clause)
                && !self.tells_of_the_rest(clause)
                && !self.tells_a_true_state_beside(clause, context)
        };
        for clause in self.clauses.iter().filter(tells) {
            let words: Vec<String> =
                self.words_of(clause).iter().map(|word| word.text.clone()).collect();
            let holds = |name: &Vec<String>| words.windows(name.len()).any(|window| window == name);
            let asked = |name: &Vec<String>| {
                context.meant().windows(name.len()).any(|window| window == name)
            };
            let own = |name: &Vec<String>| {
                let changed = |thing: &&&WorldThing| context.is_changed(thing);
                // Where something was changed, only its places are right; else those of all things
                // asked about.
                let any_changed = topic.iter().any(|thing| changed(&thing));
                // What a call for all means may be told too, changed or not: `the garden gate`.
                let is_meant = |thing: &&&WorldThing| {
                    let asked = |name: &Vec<String>| {
                        name.iter().all(|word| context.question.contains(word))
                    };
                    !thing.name_words.iter().any(asked)
                };
                let is_own =
                    |thing: &&&WorldThing| !any_changed || changed(thing) || is_meant(thing);
                topic.iter().filter(is_own).any(|thing| {
                    let of = thing.all_place_names().chain(&thing.names);
                    of.map(|text| WorldThing::words_of(text))
                        .any(|text| text.windows(name.len()).any(|window| window == name))
                })
            };
            let called = || context.places_called();
            let is_called = |area: &Vec<String>| {
                called().iter().any(|place| WorldThing::words_of(place) == **area)
            };
            let mut areas = context.place_words().iter();
            let is_other =
                |area: &Vec<String>| holds(area) && !asked(area) && !own(area) && !is_called(area);
            if let Some(area) = areas.find(|area| is_other(area)) {
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

impl Context<'_> {
    /// The one side that the names of all changed things tell: `left` where the left blind was moved.
    fn side_changed(&self) -> Option<&'static str> {
        let changed: Vec<&WorldThing> = self
            .named_things()
            .map(|(thing, _)| thing)
            .filter(|thing| self.is_changed(thing))
            .collect();
        let is_of = |thing: &WorldThing, side: &str| {
            thing.name_words.iter().flatten().any(|word| word == side)
        };
        let all = |side: &str, other: &str| {
            !changed.is_empty()
                && changed.iter().all(|thing| is_of(thing, side) && !is_of(thing, other))
        };
        match (all("left", "right"), all("right", "left")) {
            (true, _) => Some("left"),
            (_, true) => Some("right"),
            _ => None,
        }
    }

    /// The arguments of all calls for which their tools name options: the name, the option that was
    /// called, and the others.
    fn options_called(&self) -> Vec<(String, &str, Vec<&str>)> {
        let mut found = Vec::new();
        for call in &self.calls {
            let tool = self.tools.iter().find(|tool| tool.name == call.name);
            let properties = tool.map(|tool| &tool.parameters["properties"]);
            for (name, value) in call.arguments.as_object().into_iter().flatten() {
                let options = properties.and_then(|all| all[name]["enum"].as_array());
                let (Some(options), Some(own)) = (options, value.as_str()) else { continue };
                let others = options.iter().filter_map(Value::as_str).filter(|other| *other != own);
                found.push((name.replace('_', " "), own, others.collect()));
            }
        }
        found
    }

    /// The words of the values and the tools of all calls, and the names of what was set.
    pub(super) fn words_of_calls(&self) -> Vec<String> {
        // Of `snacks: true` the name tells more than the value.
        let set = self.arguments().filter(|(_, value)| **value == Value::Bool(true));
        let values = set.map(|(name, _)| name.replace('_', " "));
        let values = values.chain(self.values_called().map(Value::to_string));
        let tools = self.calls.iter().map(|call| super::words::tool_words(&call.name).join(" "));
        values.chain(tools).flat_map(|text| WorldThing::words_of(&text.to_lowercase())).collect()
    }
}
