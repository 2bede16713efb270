//! Acts, lengths and ways that a reply tells beside the calls that were made: `I'll start it again when
//! your call is over`, `I've told the others`, `23 minutes on foot` for a bike.

use serde_json::Value;
use toolgauge_core::{Cause, Loss, ToolCall, english};

use super::clause::Clause;
use super::context::Context;
use super::words::{phrase_at, tool_words};
use super::{Reply, loss, pattern};

/// Ways to go, each with the words for it. The first word is what tools call it.
const WAYS: [&[&[&str]]; 4] = [
    &[&["walk"], &["on", "foot"], &["by", "foot"], &["walking"]],
    &[&["bike"], &["by", "bike"], &["by", "bicycle"], &["cycling"], &["to", "cycle"]],
    &[&["car"], &["by", "car"], &["driving"], &["to", "drive"]],
    &[&["transit"], &["by", "tram"], &["by", "bus"], &["by", "train"], &["by", "public"]],
];

impl Reply {
    /// What a report adds that no call does.
    pub(super) fn beyond_what_was_called(&self, context: &Context<'_>) -> Option<Loss> {
        let told = self.clauses.iter().filter(|clause| {
            !clause.is_question && !self.is_conditional(clause) && !self.offers(clause)
        });
        let clause = told.into_iter().find(|clause| {
            self.plans_beyond_calls(clause, context)
                || self.tells_somebody(clause, context)
                || self.tells_a_length(clause, context)
        })?;
        Some(loss(Cause::FalseClaim, "what was done", self.quote(clause)))
    }

    /// `I'll start it again when your call is over`: what the speaker plans to do of itself. What the
    /// person has to ask for first is an offer.
    fn plans_beyond_calls(&self, clause: &Clause, context: &Context<'_>) -> bool {
        let words = self.texts_of(clause);
        let by_you = words.windows(2).any(|pair| {
            pair[0] == "you"
                && matches!(
                    pair[1],
                    "say" | "tell" | "ask" | "want" | "like" | "wish" | "need" | "give" | "let"
                )
        });
        let will = phrase_at(&words, &["i", "will"]).map(|at| &words[at + 2..]);
        let Some(behind) = will.filter(|_| !by_you && !self.has_denial(clause)) else {
            return false;
        };
        let asked = |verb: &str| context.request().iter().any(|word| word == verb);
        let ends_timer = context.calls.iter().all(|call| {
            let tool = tool_words(&call.name);
            tool.iter().any(|word| matches!(&**word, "cancel" | "stop" | "delete"))
                && tool.iter().any(|word| word.starts_with("timer") || word.starts_with("alarm"))
        });
        let rings = behind.iter().take(2).any(|word| matches!(*word, "let" | "ring" | "wake"));
        let acts = behind.iter().take(2).any(|verb| {
            pattern::is_act(verb, 0)
                && !matches!(*verb, "ring" | "remind" | "wake" | "notify" | "call" | "announce")
                && !asked(verb)
        });
        let is_later = words.iter().any(|word| {
            matches!(
                *word,
                "again" | "back" | "when" | "once" | "later" | "afterwards" | "tomorrow"
            )
        }) || phrase_at(&words, &["as", "soon"]).is_some();
        acts && is_later || ends_timer && rings
    }

    /// `I've told the others`, where no call sends anything.
    fn tells_somebody(&self, clause: &Clause, context: &Context<'_>) -> bool {
        let sends = |call: &&ToolCall| {
            tool_words(&call.name).iter().any(|word| {
                matches!(
                    &**word,
                    "send"
                        | "message"
                        | "text"
                        | "mail"
                        | "email"
                        | "notify"
                        | "announce"
                        | "broadcast"
                        | "call"
                        | "tell"
                        | "say"
                        | "invite"
                )
            }) || call.arguments.as_object().is_some_and(|all| {
                all.keys().any(|name| matches!(&**name, "attendees" | "guests" | "recipients"))
            })
        };
        let tells = self.speaker_acted(clause).is_some_and(|at| {
            let verb = self.words[at.end - 1].text.as_str();
            let object = self.words.get(at.end).map_or("", |word| word.text.as_str());
            matches!(verb, "told" | "texted" | "messaged" | "informed" | "notified" | "emailed")
                && !matches!(object, "you" | "the" | "it")
                || matches!(verb, "told" | "informed" | "notified") && object == "the"
        });
        tells && !context.calls.iter().copied().any(|call| sends(&call))
    }

    /// `It'll take 34 minutes`, where neither the request nor a call has a length.
    fn tells_a_length(&self, clause: &Clause, context: &Context<'_>) -> bool {
        let takes = self
            .words_of(clause)
            .iter()
            .any(|word| matches!(&*word.text, "take" | "takes" | "last" | "lasts" | "long"));
        let mut lengths = self.durations().into_iter().filter(|own| {
            clause.place.contains(&own.place.start)
                && !self.plain[own.place.clone()].to_lowercase().starts_with("a ")
        });
        takes && context.lengths().is_empty() && lengths.next().is_some()
    }

    /// `According to the converter`, where every tool returned an error.
    pub(super) fn cites_what_failed(&self, context: &Context<'_>) -> Option<Loss> {
        let mut returned = context.returned_texts().peekable();
        returned.peek()?;
        let all_failed = returned.all(|text| {
            let value = serde_json::from_str::<Value>(text).ok();
            value.is_some_and(|value| value.get("error").is_some())
        });
        let clause = self.clauses.iter().filter(|clause| self.is_plain_statement(clause)).find(
            |clause| {
                let words = self.texts_of(clause);
                ["the", "my"].iter().any(|lead| {
                    phrase_at(&words, &["according", "to", lead]).is_some_and(|at| {
                        let told = words.get(at + 3).copied().unwrap_or_default();
                        matches!(told, "converter" | "tool" | "calculator" | "app" | "service")
                    })
                })
            },
        )?;
        all_failed.then(|| loss(Cause::FalseClaim, "what the tool told", self.quote(clause)))
    }

    /// `The next one leaves in four minutes`, `every seven minutes`, where no tool told that length.
    pub(super) fn untold_interval(&self, context: &Context<'_>) -> Option<Loss> {
        if !context.has_no_world() || context.calls.is_empty() {
            return None;
        }
        let known: Vec<f64> = context
            .all_texts()
            .flat_map(|text| Self::read(text).numbers())
            .map(|number| number.value.value)
            .collect();
        let wrong = self.durations().into_iter().find(|own| {
            let at = self.words.partition_point(|word| word.place.start < own.place.start);
            let before = at.checked_sub(1).map_or("", |at| self.words[at].text.as_str());
            let is_known =
                |unit: f64| known.iter().any(|own_| (own_ * unit - own.seconds).abs() < 1.0);
            let clause = self.clauses.iter().find(|clause| clause.place.contains(&own.place.start));
            let leaves = clause.is_some_and(|clause| {
                self.is_plain_statement(clause)
                    && self.words_of(clause).iter().any(|word| {
                        matches!(
                            &*word.text,
                            "leaves" | "runs" | "goes" | "departs" | "starts" | "arrives" | "comes"
                        )
                    })
            });
            matches!(before, "in" | "every")
                && leaves
                && ![1.0, 60.0, 3600.0].into_iter().any(is_known)
        })?;
        Some(loss(Cause::UnsupportedClaim, "what was looked up", &self.plain[wrong.place]))
    }

    /// A length told of another way to go than was looked up: `23 minutes on foot` for a bike.
    pub(super) fn other_way_of_going(&self, context: &Context<'_>) -> Option<Loss> {
        let values = context.calls.iter().filter_map(|call| call.arguments.as_object());
        let mut values = values.flat_map(serde_json::Map::values).filter_map(Value::as_str);
        let called = values.find_map(|text| WAYS.iter().position(|way| way[0] == [text]))?;
        let says = |words: &[&str], way: usize| {
            WAYS[way].iter().any(|phrase| phrase_at(words, phrase).is_some())
        };
        let lengths = self.durations();
        let clause = self.clauses.iter().find(|clause| {
            let words = self.texts_of(clause);
            let has_length = lengths.iter().any(|own| clause.place.contains(&own.place.start));
            let is_other = (0..WAYS.len()).any(|way| way != called && says(&words, way));
            has_length && is_other && !says(&words, called) && self.is_plain_statement(clause)
        })?;
        (called != WAYS.len() - 1)
            .then(|| loss(Cause::WrongAnswer, WAYS[called][0][0], self.quote(clause)))
    }

    /// Another place than was looked up, which was asked for before: `in Oslo` for Bergen.
    pub(super) fn other_place_asked(&self, context: &Context<'_>) -> Option<Loss> {
        let [call] = context.calls[..] else { return None };
        let own = call.arguments.as_object()?;
        let place =
            ["city", "place", "location"].iter().find_map(|name| own.get(*name)?.as_str())?;
        let place = place.to_lowercase();
        let words: Vec<&str> = self.words.iter().map(|word| word.text.as_str()).collect();
        // The place itself may be left out, but then no other stands for it.
        if place.split_whitespace().all(|word| words.contains(&word)) {
            return None;
        }
        let is_asked_before = |word: &str| {
            let is_said = |text: &str| text.to_lowercase().contains(word);
            let earlier = context.said().count().saturating_sub(1);
            context.said().take(earlier).any(is_said)
                && !context.question.iter().any(|asked| asked == word)
        };
        let at = (1..self.words.len()).find(|at| {
            let is_led = matches!(words[at - 1], "in" | "for");
            let than = at.checked_sub(2).is_some_and(|at| matches!(words[at], "than" | "as"));
            let is_month = english::MONTHS.contains(&words[*at]);
            is_led && !than && !is_month && self.is_capital(*at) && is_asked_before(words[*at])
        })?;
        Some(loss(Cause::WrongAnswer, place, words[at]))
    }
}
