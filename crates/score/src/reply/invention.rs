//! What a reply to a question adds to the answer: acts that nobody carried out, and values that
//! nothing returned holds.

use std::sync::LazyLock;

use regex::Regex;
use toolgauge_core::{Cause, ExpectedFact, Loss, english};

use super::context::{Context, is_function_word};
use super::judge::numbers;
use super::value::{Given, TimeOfDay};
use super::{Reply, loss};

/// The time in a timestamp, which has no space before it.
static TIMESTAMP: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"T(\d{2}:\d{2})").expect("the expression is valid"));

impl Reply {
    /// What a reply to a question claims beside the answer that is not so.
    pub(crate) fn invented(&self, facts: &[ExpectedFact], context: &Context<'_>) -> Option<Loss> {
        // `I sent the command, but the lamp is unreachable` reports what was to be done.
        let is_command =
            context.question.first().is_some_and(|word| super::pattern::is_act(word, 0));
        let is_condition = context.question.iter().any(|word| word == "if" || word == "when");
        let act = if is_command && !is_condition { None } else { self.act_in_answer() };
        act.or_else(|| self.unsupported_number(facts, context))
            .or_else(|| self.unsupported_time(facts, context))
            .or_else(|| self.strange_name(facts, context))
            .or_else(|| self.strange_thing(facts, context))
            .or_else(|| self.foretold(context))
            .or_else(|| self.wrong_detail(facts, context))
    }

    /// An act of the speaker, where nothing was to be done.
    pub(super) fn act_in_answer(&self) -> Option<Loss> {
        let clause = self.clauses.iter().find(|clause| {
            let by_speaker = self.words_of(clause).iter().any(|word| word.text == "i");
            let skips = self.words_of(clause).iter().any(|word| word.text == "skipped");
            by_speaker && !skips && self.claimed_act(clause).is_some()
        })?;
        Some(loss(Cause::FalseClaim, "nothing was done", self.quote(clause)))
    }

    /// A thing in an answer that neither the request nor what was looked up speaks of: `it ran out
    /// of paper`.
    fn strange_thing(&self, facts: &[ExpectedFact], context: &Context<'_>) -> Option<Loss> {
        let mut known = context.vocabulary();
        let wanted = serde_json::to_string(facts).unwrap_or_default();
        let texts = context.returned_texts().chain([wanted.as_str()]);
        for word in texts.flat_map(toolgauge_core::WorldThing::words_of) {
            known.insert(crate::reading::stem(&word));
            known.insert(word);
        }
        for thing in context.things {
            let names = thing.names.iter().chain(thing.all_place_names());
            known.extend(names.flat_map(|name| toolgauge_core::WorldThing::words_of(name)));
        }
        let is_list = facts.iter().any(|fact| matches!(fact, ExpectedFact::Set { .. }));
        // The answer itself may be put in any words; what is added, and what is listed, must be
        // known.
        let is_claim = |clause: &&super::clause::Clause| {
            !self.is_beside_the_report(clause) && !self.is_hedged(clause)
        };
        let wrong = self
            .clauses
            .iter()
            .filter(is_claim)
            .flat_map(|clause| {
                // Behind a piece of advice anything may be named: `so take a coat`.
                let advises = |at: &usize| super::vocabulary::is_wish(&self.words[*at].text);
                let goes_on = |at: &usize| {
                    clause.words.start == 0
                        && !is_list
                        && !matches!(self.words[*at].text.as_str(), "and" | "because" | "with")
                };
                clause.words.clone().take_while(move |at| !advises(at)).skip_while(goes_on)
            })
            .find(|at| {
                let before = at.checked_sub(1).map_or("", |at| self.words[at].text.as_str());
                !super::vocabulary::is_known(&self.words[*at], &known)
                    && !super::vocabulary::is_akin(&self.words[*at], &known)
                    && !super::pattern::is_act(before, 1)
                    && self.names_a_thing(*at, &known)
            })?;
        let word = self.words[wrong].text.as_str();
        Some(loss(Cause::UnsupportedClaim, "what was looked up", word))
    }

    /// What is yet to come, where nobody asked for it: `it will finish in 20 minutes`.
    fn foretold(&self, context: &Context<'_>) -> Option<Loss> {
        const LATER: [&str; 12] = [
            "will", "tomorrow", "next", "when", "until", "later", "soon", "going", "forecast",
            "calendar", "upcoming", "tonight",
        ];
        let asked = |word: &String| LATER.contains(&word.as_str()) || word.starts_with("tomorrow");
        let told = |text: &str| text.contains("\"start") || text.contains("forecast");
        if context.request().iter().any(asked) || context.returned_texts().any(told) {
            return None;
        }
        let clause = self.clauses.iter().find(|clause| {
            let words = self.words_of(clause);
            let at = words.iter().position(|word| word.text == "will");
            let subject = at.and_then(|at| at.checked_sub(1)).map(|at| words[at].text.as_str());
            let is_thing = subject.is_some_and(|word| !matches!(word, "i" | "you" | "we" | "that"));
            is_thing
                && !clause.is_question
                && !self.is_conditional(clause)
                && !self.has_denial(clause)
        })?;
        Some(loss(Cause::UnsupportedClaim, "what was looked up", self.quote(clause)))
    }

    /// A name that neither the request, nor what was said or returned, nor the world has.
    fn strange_name(&self, facts: &[ExpectedFact], context: &Context<'_>) -> Option<Loss> {
        if context.things.is_empty() {
            return self.other_partner(context);
        }
        let wanted = serde_json::to_string(facts).unwrap_or_default();
        let texts = context.all_texts().chain([wanted.as_str()]);
        let mut known: std::collections::HashSet<String> =
            texts.flat_map(toolgauge_core::WorldThing::words_of).collect();
        for thing in context.things {
            let names = thing.names.iter().chain(thing.all_place_names());
            known.extend(names.flat_map(|name| toolgauge_core::WorldThing::words_of(name)));
        }
        let is_known = |word: &str| {
            let bare = word.strip_suffix("'s").unwrap_or(word);
            known.contains(bare) || known.contains(word)
        };
        let wrong = (1..self.words.len()).find(|at| {
            let word = &self.words[*at];
            let is_inside = self.clauses.iter().any(|clause| {
                !clause.is_question && !clause.is_first && clause.words.contains(at)
                    || clause.words.start < *at && *at < clause.words.end
            });
            is_inside
                && self.is_capital(*at)
                && !super::lexicon::is_common(&word.text)
                && !english::WEEKDAYS.contains(&word.text.as_str())
                && self.plain[word.place.clone()].chars().any(char::is_lowercase)
                && !is_known(&word.text)
        })?;
        let name = &self.plain[self.words[wrong].place.clone()];
        Some(loss(Cause::UnsupportedClaim, "what was looked up", name))
    }

    /// Another name in the place of one that was asked for or returned: `lunch with Anna` for lunch
    /// with Ben, Oslo where Bergen was asked for.
    fn other_partner(&self, context: &Context<'_>) -> Option<Loss> {
        let told: Vec<Self> =
            context.said().chain(context.returned_texts()).map(Self::read).collect();
        // A whole home read aloud has every name in every place.
        if told.iter().map(|text| text.words.len()).sum::<usize>() > 400 {
            return None;
        }
        let names = |text: &Self, at: usize| at > 0 && text.is_capital(at);
        let follows = |text: &Self, before: &str, name: &str| {
            text.words.windows(2).any(|pair| pair[0].text == before && pair[1].text == name)
        };
        let is_told =
            |name: &str| told.iter().any(|text| text.words.iter().any(|word| word.text == name));
        let wrong = (1..self.words.len()).find(|at| {
            let (before, name) = (&self.words[at - 1].text, &self.words[*at].text);
            let is_name = names(self, *at) && !super::lexicon::is_common(name);
            let replaces = told.iter().any(|text| {
                (1..text.words.len()).any(|other| {
                    names(text, other)
                        && text.words[other - 1].text == *before
                        && text.words[other].text != *name
                        && matches!(before.as_str(), "with" | "to" | "from" | "for")
                })
            });
            // `tram 1` for tram 11.
            let numbers = |text: &str| text.chars().all(|c| c.is_ascii_digit());
            let is_number = numbers(name)
                && !is_function_word(before)
                && !told.iter().any(|text| follows(text, before, name))
                && told.iter().any(|text| {
                    text.words.windows(2).any(|pair| {
                        pair[0].text == *before && numbers(&pair[1].text) && pair[1].text != *name
                    })
                });
            is_name && replaces && !is_told(name) || is_number
        });
        if let Some(wrong) = wrong {
            return Some(loss(
                Cause::WrongAnswer,
                "the name that was looked up",
                self.words[wrong].text.as_str(),
            ));
        }
        self.other_than_asked(is_told, context)
    }

    /// Names other than those that were asked for, or only some of these.
    fn other_than_asked(
        &self,
        is_told: impl Fn(&str) -> bool,
        context: &Context<'_>,
    ) -> Option<Loss> {
        let asked = Self::read(context.sentence());
        let of = |text: &Self| -> Vec<String> {
            let named = (0..text.words.len()).filter(|at| text.is_capital(*at) && *at > 0);
            named.map(|at| text.words[at].text.trim_end_matches("'s").to_owned()).collect()
        };
        let wanted = of(&asked);
        let said: Vec<&str> = self.words.iter().map(|word| word.text.as_str()).collect();
        let is_said =
            |name: &&String| said.iter().any(|word| word.trim_end_matches("'s") == name.as_str());
        let missing = wanted.iter().filter(|name| !is_said(name)).count();
        let is_all = said.iter().any(|word| {
            matches!(*word, "both" | "same" | "all" | "each" | "either" | "neither" | "alike")
        });
        let others = of(self).into_iter().filter(|name| !wanted.contains(name)).count();
        let is_part = missing > 0 && missing < wanted.len() && !is_all && wanted.len() > 1;
        let is_other = !wanted.is_empty() && missing == wanted.len() && others > 0;
        let is_other = is_other && of(self).iter().any(|name| is_told(name));
        // Only where the names are places or people that tools were asked for.
        let is_argument = context.calls.iter().any(|call| {
            let values = call.arguments.as_object().into_iter().flatten();
            let texts = values.filter_map(|(_, value)| value.as_str().map(str::to_lowercase));
            texts.into_iter().any(|text| wanted.iter().any(|name| text.contains(name.as_str())))
        });
        (is_argument && (is_part || is_other))
            .then(|| loss(Cause::WrongAnswer, wanted.join(", "), self.plain.as_str()))
    }

    fn unsupported_number(&self, facts: &[ExpectedFact], context: &Context<'_>) -> Option<Loss> {
        let wanted = numbers(facts);
        let wrong = self.numbers().into_iter().find(|said| {
            let end = self.words.partition_point(|word| word.place.start < said.place.end);
            let is_time = self
                .words
                .get(end)
                .is_some_and(|word| matches!(word.text.as_str(), "past" | "to" | "ago"));
            let counts = said.value.unit.is_none()
                && said.value.value.abs() <= 12.0
                && !self.counts_unknown(end, context)
                || is_time;
            !counts
                && !said.is_set_aside
                && !said.is_rounded
                && !context.supports_closely(said.value.value, &wanted)
        })?;
        Some(loss(Cause::UnsupportedClaim, "what was looked up", &self.plain[wrong.place]))
    }

    /// Whether the word behind a count is a time, or a thing that nobody spoke of: `three letters`.
    fn counts_unknown(&self, end: usize, context: &Context<'_>) -> bool {
        let text = |at: usize| self.words.get(at).map_or("", |word| word.text.as_str());
        let at = end + usize::from(matches!(text(end), "more" | "other" | "new" | "further"));
        let noun = text(at);
        let is_time = matches!(noun, "minutes" | "hours" | "seconds" | "days" | "weeks");
        let is_plural = noun.ends_with('s') && noun.len() > 4;
        let is_told = context
            .all_texts()
            .any(|told| told.to_lowercase().contains(noun.trim_end_matches('s')));
        is_time || is_plural && !super::lexicon::is_common(noun) && !is_told
    }

    fn unsupported_time(&self, facts: &[ExpectedFact], context: &Context<'_>) -> Option<Loss> {
        let wanted = facts.iter().filter_map(|fact| match fact {
            ExpectedFact::Time { time, .. } => Some(time.as_str()),
            _ => None,
        });
        let known: Vec<Given<TimeOfDay>> = context
            .all_texts()
            .chain(wanted)
            .flat_map(|text| Reply::read(&TIMESTAMP.replace_all(text, " $1")).times())
            .collect();
        if known.is_empty() {
            return None;
        }
        let is_known = |said: &TimeOfDay, room: u32| {
            known.iter().any(|known| {
                // A time may be told from the clock, and roughly.
                let same = |minutes: u32| minutes.abs_diff(known.value.minutes) <= room;
                same(said.minutes) || said.either_half && same((said.minutes + 720) % 1440)
            })
        };
        let wrong = self
            .times()
            .into_iter()
            .find(|said| !is_known(&said.value, if said.is_rounded { 45 } else { 15 }))?;
        Some(loss(Cause::UnsupportedClaim, "what was looked up", &self.plain[wrong.place]))
    }
}
