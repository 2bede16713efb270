//! How much a report says was done: all things or one, which items of a list, from what to what.

use serde_json::Value;
use toolgauge_core::{Cause, Loss, WorldThing};

use super::clause::Clause;
use super::context::Context;
use super::duration::length_of;
use super::list::items;
use super::words::phrase_at;
use super::{Reply, loss};
use crate::reading::{is_same, stem};

impl Reply {
    /// More or other than was done.
    pub(super) fn wrong_extent(&self, context: &Context<'_>) -> Option<Loss> {
        let clause = self.clauses.iter().find(|clause| {
            !clause.is_question
                && !self.is_conditional(clause)
                && !self.offers(clause)
                && (self.miscounts(clause, context)
                    || self.tells_of_all(clause, context) != Some(true)
                        && self.says_more_than_done(clause, context))
        })?;
        Some(loss(Cause::FalseClaim, "what was done", self.quote(clause)))
    }

    fn says_more_than_done(&self, clause: &Clause, context: &Context<'_>) -> bool {
        self.says_too_many(clause, context)
            || self.is_called_the_only_one(clause, context)
            || self.counts_all_of_them(clause, context)
            || self.leaves_out_some(clause, context)
            || self.levels(clause, context)
            || self.is_wrong_about_list(clause, context)
            || self.changes_nothing(clause)
            || self.says_too_much(clause, context)
            || self.did_the_item(clause, context)
            || self.is_partial(clause, context)
    }

    /// `All the lights are red` where one is.
    fn says_too_many(&self, clause: &Clause, context: &Context<'_>) -> bool {
        let count = match context.changes.and_then(Value::as_object) {
            Some(changes) => changes.len(),
            None => context.calls.len(),
        };
        let request: Vec<&str> = context.request().iter().map(String::as_str).collect();
        let whole = |words: &[&str]| {
            words.windows(2).any(|pair| matches!(pair, ["the" | "whole", "house"]))
                || words.contains(&"everywhere")
        };
        let own = self.texts_of(clause);
        if whole(&own) && !whole(&request) && own.contains(&"all") {
            return true;
        }
        let is_idiom = request.windows(3).any(|words| words == ["all", "the", "way"]);
        // A long word that ends in `s` is most likely a plural, and then many were asked for.
        let asked = context.request().iter().any(|word| {
            !(is_idiom && word == "all")
                && (matches!(
                    word.as_str(),
                    "all" | "both" | "every" | "everything" | "everywhere" | "and"
                ) || word.ends_with('s') && word.len() > 4)
        });
        let words = self.words_of(clause);
        let text = |at: usize| words.get(at).map_or("", |word| word.text.as_str());
        let many = (0..words.len()).any(|at| {
            let next = text(at + 1);
            match text(at) {
                "all" => {
                    matches!(next, "the" | "your" | "of" | "my")
                        || next.ends_with('s') && next != "yours"
                }
                "both" | "every" => !next.is_empty(),
                _ => false,
            }
        });
        let excepts = words.iter().any(|word| matches!(word.text.as_str(), "except" | "but"));
        let is_way = own.windows(3).any(|words| words == ["all", "the", "way"]);
        let is_both = own.contains(&"both") && self.is_so_of_both(clause, context);
        many && !asked && !excepts && !is_way && !is_both && count == 1
    }

    /// Whether `both blinds are down now` is so, where one of two was changed.
    fn is_so_of_both(&self, clause: &Clause, context: &Context<'_>) -> bool {
        let touched = context.touched_things();
        let [own] = touched[..] else { return false };
        let named = self.things_named(clause, context);
        let shares_a_name = |thing: &WorldThing| {
            let is_side = |word: &String| matches!(&**word, "left" | "right");
            let mut words = thing.name_words.iter().flatten().filter(|word| !is_side(word));
            words.any(|word| own.name_words.iter().flatten().any(|other| other == word))
        };
        let is_kin = |thing: &&WorldThing| {
            thing.kind() == own.kind()
                && thing.place_names() == own.place_names()
                && shares_a_name(thing)
        };
        let things = context.named_things().map(|(thing, _)| thing);
        let both: Vec<&WorldThing> =
            if named.len() == 2 { named } else { things.filter(is_kin).collect() };
        let words = self.texts_of(clause);
        let moved = |thing: &WorldThing| match &*thing.state {
            "closed" => words.contains(&"down"),
            "open" => words.contains(&"up"),
            _ => false,
        };
        let is_so = |thing: &&WorldThing| {
            moved(thing)
                || super::state_claim::STATES.iter().any(|said| {
                    said.is_said(self.words_of(clause), thing) && said.is_true_of(thing)
                })
                || words.contains(&"dark") && thing.kind() == "light" && thing.state == "off"
        };
        both.len() == 2 && both.iter().all(is_so)
    }

    /// `All the televisions apart from the one in the gym`, where nothing was to be left out.
    fn leaves_out_some(&self, clause: &Clause, context: &Context<'_>) -> bool {
        let asked = |words: &[&str]| context.request().iter().any(|own| words.contains(&&**own));
        let words = self.texts_of(clause);
        let is_said = |phrase: &[&str]| phrase_at(&words, phrase).is_some();
        let excepts = words.contains(&"except")
            || [["apart", "from"], ["other", "than"], ["all", "but"]]
                .iter()
                .any(|two| is_said(two));
        let is_gone = |thing: &WorldThing| matches!(&*thing.state, "unavailable" | "unknown");
        let names_a_thing_gone = self.things_named(clause, context).into_iter().any(is_gone);
        excepts
            && asked(&["all", "every", "everything", "both", "whole"])
            && !context.asks_for_exceptions()
            && !asked(&["if", "only", "just"])
            && !words.contains(&"unavailable")
            && !names_a_thing_gone
    }

    /// `The three kitchen lights` where two were changed: as many as no place has of that kind.
    fn miscounts(&self, clause: &Clause, context: &Context<'_>) -> bool {
        let changed: Vec<&WorldThing> = context
            .touched_things()
            .into_iter()
            .filter(|thing| context.is_changed(thing))
            .collect();
        let told = self.numbers_in(clause);
        let words = self.words_of(clause);
        told.filter(|said| said.value.unit.is_none() && said.value.value >= 2.0).any(|said| {
            let behind = words.iter().filter(|word| word.place.start >= said.place.end).take(3);
            let is_kind = |word: &str, thing: &WorldThing| {
                super::sorts::kinds_of(thing).iter().any(|kind| stem(kind) == stem(word))
            };
            let noun = behind.into_iter().find(|word| {
                word.text.ends_with('s') && changed.iter().any(|thing| is_kind(&word.text, thing))
            });
            let Some(noun) = noun else { return false };
            let count = changed.iter().filter(|thing| is_kind(&noun.text, thing)).count();
            let is_count = |count: usize| {
                u32::try_from(count).is_ok_and(|count| is_same(count.into(), said.value.value))
            };
            let all: Vec<&WorldThing> = context
                .named_things()
                .map(|(thing, _)| thing)
                .filter(|thing| is_kind(&noun.text, thing))
                .collect();
            let is_in = |thing: &WorldThing, place: &String| {
                thing.all_place_names().any(|own| own == place)
            };
            let is_all_of =
                |place: &String| is_count(all.iter().filter(|thing| is_in(thing, place)).count());
            let told = super::places::places_in(&self.texts_of(clause), context);
            let is_there = |place: &Vec<String>| {
                is_count(all.iter().filter(|thing| super::places::is_in(thing, place)).count())
            };
            if !told.is_empty() {
                return !is_count(count) && !told.iter().any(is_there);
            }
            let mut places = changed.iter().flat_map(|thing| thing.all_place_names());
            !is_count(count) && !is_count(all.len()) && !places.any(is_all_of)
        })
    }

    /// `The only light in there`, where there are two.
    fn is_called_the_only_one(&self, clause: &Clause, context: &Context<'_>) -> bool {
        let words = self.texts_of(clause);
        let touched = context.touched_things();
        let is_there = |at: usize| {
            words.get(at).is_none_or(|word| {
                matches!(*word, "in" | "there" | "here" | "at" | "up" | "down" | "out")
            })
        };
        let is_shared = |noun: &str| {
            let is_kind = |thing: &WorldThing| {
                super::sorts::kinds_of(thing).iter().any(|kind| stem(kind) == stem(noun))
            };
            touched.iter().filter(|own| is_kind(own)).any(|own| {
                let things = context.named_things().map(|(thing, _)| thing);
                let beside = things
                    .filter(|thing| is_kind(thing) && thing.place_names() == own.place_names());
                beside.count() > 1
            })
        };
        (0..words.len()).any(|at| {
            phrase_at(&words[at..], &["the", "only"]) == Some(0)
                && is_there(at + 3)
                && words.get(at + 2).is_some_and(|noun| is_shared(noun))
        })
    }

    /// `All three of them`, where one was changed.
    fn counts_all_of_them(&self, clause: &Clause, context: &Context<'_>) -> bool {
        let Some(changes) = context.changes.and_then(Value::as_object) else { return false };
        let of_list = changes.values().any(|change| change.get("items").is_some());
        let words = self.texts_of(clause);
        let is_other = |count: usize| {
            count > 1 && count != changes.len() && count != context.touched_things().len()
        };
        let told = words.windows(4).find_map(|four| match four {
            ["all", number, "of", "them"] => toolgauge_core::english::small_number(number),
            _ => None,
        });
        !of_list && !changes.is_empty() && told.is_some_and(|count| is_other(count.into()))
    }

    /// `Both timers run for twelve minutes` where one runs for eight.
    fn levels(&self, clause: &Clause, context: &Context<'_>) -> bool {
        let is_each = |word: &super::Word| matches!(&*word.text, "both" | "all" | "each" | "every");
        let own = self.durations();
        let own: Vec<f64> = own
            .iter()
            .filter(|length| clause.place.contains(&length.place.start))
            .map(|length| length.seconds)
            .collect();
        let told = self.numbers_in(clause).count();
        let [length] = own[..] else { return false };
        if told > 1 {
            return false;
        }
        let mut set = context.calls.iter().filter_map(|call| length_of(call)).peekable();
        self.words_of(clause).iter().any(is_each)
            && set.peek().is_some()
            && set.any(|other| !is_same(other, length))
    }

    /// `Bread is on the list` where it was taken off, `was already on it` where it was not.
    fn is_wrong_about_list(&self, clause: &Clause, context: &Context<'_>) -> bool {
        let words = self.texts_of(clause);
        let says = |word: &str| words.contains(&word);
        let at = |phrase: &[&str]| phrase_at(&words, phrase).is_some();
        let on_list = ["the", "your", "my", "it", "our"].iter().any(|word| at(&["on", word]));
        context.changed_lists().any(|change| {
            let items = |at: usize| items(change, at).unwrap_or_default();
            let (before, after) = (items(0), items(1));
            let named = |item: &&&str| {
                let item = item.trim_end_matches(" (completed)");
                WorldThing::words_of(item).last().is_some_and(|last| says(last))
            };
            let mut gone = before.iter().filter(|item| !after.contains(item));
            let mut new = after.iter().filter(|item| !before.contains(item));
            let is_gone = gone.any(|item| named(&item));
            let is_new = new.any(|item| named(&item));
            let denied = self.has_denial(clause);
            let already = words.iter().position(|word| *word == "already");
            let already_denied = already.map(|at| self.is_denied(clause, clause.words.start + at));
            let off_list = ["the", "your", "my", "it", "our"].iter().any(|word| at(&["off", word]));
            is_new && !is_gone && off_list && !denied
                || is_gone && !is_new && on_list && !denied && !says("was")
                || is_new && !is_gone && already_denied == Some(false)
                || is_new && is_gone && says("still") && !denied
        })
    }

    /// `He says that suits him`: an answer of somebody who was only told something.
    pub(super) fn reported_answer(&self, context: &Context<'_>) -> Option<Loss> {
        const ANSWERS: [&str; 17] = [
            "wrote",
            "writes",
            "texted",
            "phoned",
            "rang",
            "waved",
            "thanked",
            "says",
            "said",
            "replied",
            "replies",
            "answered",
            "answers",
            "confirmed",
            "agreed",
            "accepted",
            "thanks",
        ];
        let clause = self.clauses.iter().find(|clause| {
            let words = self.words_of(clause);
            let is_plain =
                !clause.is_question && !self.is_conditional(clause) && !self.offers(clause);
            let text = |at: usize| words.get(at).map_or("", |word| word.text.as_str());
            is_plain
                && (0..words.len()).any(|at| {
                    let by_other = matches!(text(at), "he" | "she" | "they")
                        || text(at) != "i"
                            && self.plain[words[at].place.clone()].starts_with(char::is_uppercase)
                            && context.request().iter().any(|word| word == text(at));
                    // `Ben has agreed`.
                    let verb = at + 1 + usize::from(matches!(text(at + 1), "has" | "have"));
                    let comes = text(at + 1) == "are" && text(at + 2) == "coming";
                    (by_other && ANSWERS.contains(&text(verb)))
                        || comes && matches!(text(at), "both" | "they")
                })
        })?;
        Some(loss(Cause::FalseClaim, "what was done", self.quote(clause)))
    }

    /// `Fully open` where a tenth is.
    fn says_too_much(&self, clause: &Clause, context: &Context<'_>) -> bool {
        if self.words_of(clause).iter().any(|word| matches!(&*word.text, "was" | "were")) {
            return false;
        }
        let is_full = |word: &str| {
            matches!(
                word,
                "fully" | "full" | "completely" | "entirely" | "wide" | "maximum" | "max"
            )
        };
        let words = self.words_of(clause);
        // `At two fifths of its full brightness` says what is left.
        let is_whole = |at: usize| at >= 2 && words[at - 2].text == "of";
        let says = (0..words.len()).any(|at| is_full(&words[at].text) && !is_whole(at));
        let asks = context.request().iter().any(|word| is_full(word));
        if !says || asks || self.has_denial(clause) {
            return false;
        }
        let changes = context.changes.and_then(Value::as_object).into_iter().flatten();
        let properties = changes.filter_map(|(_, change)| change.as_object()).flatten();
        let shares: Vec<f64> = properties
            .filter_map(|(name, pair)| {
                let value = pair.get(1)?.as_f64()?;
                match name.as_str() {
                    "brightness" => Some(value / 255.0 * 100.0),
                    "volume_level" => Some(value * 100.0),
                    "current_position" | "position" | "percentage" => Some(value),
                    _ => None,
                }
            })
            .collect();
        !shares.is_empty() && shares.iter().all(|share| *share < 95.0)
    }

    /// `I've cleaned the gutters` where that was only put on a list, or ticked off.
    fn did_the_item(&self, clause: &Clause, context: &Context<'_>) -> bool {
        let words = self.words_of(clause);
        let is_list_act = words.iter().any(|word| {
            matches!(
                word.text.as_str(),
                "list"
                    | "tick"
                    | "ticked"
                    | "off"
                    | "marked"
                    | "added"
                    | "put"
                    | "crossed"
                    | "chores"
                    | "noted"
                    | "done"
                    | "complete"
                    | "completed"
                    | "removed"
            )
        });
        let Some(act) = self.speaker_acted(clause).filter(|_| !is_list_act) else { return false };
        let said: Vec<String> =
            self.words[act.end - 1..clause.words.end].iter().map(|w| stem(&w.text)).collect();
        let items = context.changed_lists().filter_map(|change| items(change, 1)).flatten();
        items
            .map(|item| WorldThing::words_of(item.trim_end_matches(" (completed)")))
            .any(|item| item.len() > 1 && item.iter().all(|word| said.contains(&stem(word))))
    }

    /// `from off to off`.
    fn changes_nothing(&self, clause: &Clause) -> bool {
        let words = self.texts_of(clause);
        words.windows(4).any(|window| match window {
            ["from", one, "to", other] => {
                one == other && toolgauge_core::english::ten(one).is_none()
            }
            _ => false,
        })
    }

    /// `I could only reach Anna.`
    fn is_partial(&self, clause: &Clause, context: &Context<'_>) -> bool {
        let words = self.texts_of(clause);
        let asked_only = context.request().iter().any(|word| {
            matches!(
                word.as_str(),
                "only" | "just" | "except" | "but" | "apart" | "leave" | "if" | "without"
            )
        });
        let several = context
            .changes
            .and_then(Value::as_object)
            .map_or(context.calls.len(), serde_json::Map::len)
            > 1;
        let limits = words.windows(2).any(|window| {
            matches!(window, ["could" | "can", "only"] | ["left", "out"] | ["not", "start"])
        });
        !asked_only && (limits || several && words.contains(&"only"))
    }
}
