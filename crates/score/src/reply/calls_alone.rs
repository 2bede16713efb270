//! Reports in a world that tells nothing but the calls that were made.

use std::collections::HashSet;
use std::sync::LazyLock;

use serde_json::Value;
use toolgauge_core::{Cause, Loss, ToolCall};

use super::clause::Clause;
use super::context::Context;
use super::pattern::{self, Phrase};
use super::sorts::KINDS;
use super::value::Given;
use super::words::{Word, phrase_at, tool_words};
use super::{Reply, loss};
use crate::reading::{MeasureUnit, NumberWithUnit, is_same, stem};

/// What a report may tell only if certain words of the request or the calls speak of it.
struct Beyond {
    phrases: Vec<Phrase>,
    supporting: Vec<String>,
}

static BEYOND: LazyLock<Vec<Beyond>> = LazyLock::new(|| {
    let read = |line: &'static str| {
        let (phrases, words) = line.split_once('|')?;
        let phrases = phrases.split(',').map(|words| Phrase::new(words.trim())).collect();
        Some(Beyond { phrases, supporting: words.split_whitespace().map(stem).collect() })
    };
    pattern::lines(include_str!("tables/beyond_calls.txt")).filter_map(read).collect()
});

/// Words by which an act is put off that was carried out.
const PUT_OFF: [&[&str]; 8] = [
    &["still", "have", "to"],
    &["still", "need", "to"],
    &["as", "soon", "as"],
    &["once", "you"],
    &["when", "you", "confirm"],
    &["will", "start", "after"],
    &["will", "begin", "after"],
    &["starts", "after"],
];

impl Reply {
    /// What is said against the calls, where nothing else is known.
    pub(super) fn false_of_calls(&self, context: &Context<'_>) -> Option<Loss> {
        if !context.has_calls_alone() {
            return None;
        }
        let said = self
            .clauses
            .iter()
            .filter(|clause| !self.is_beside_the_report(clause) && !self.has_denial(clause));
        let wrong = said.clone().find(|clause| {
            self.tells_of_before(clause)
                || self.is_list_turned(clause, context)
                || self.miscounts_calls(clause, context)
                || self.names_other_device(clause, context)
                || self.is_more_of_too_much(clause, context)
        });
        if let Some(clause) = wrong {
            return Some(loss(Cause::FalseClaim, "what was done", self.quote(clause)));
        }
        self.off_told_of_lit(context)
            .or_else(|| self.unset_level(context))
            .or_else(|| self.beyond_the_calls(context))
            .or_else(|| self.against_the_calls(context))
            .or_else(|| self.act_of_recipient(context))
            .or_else(|| self.other_recipient(context))
            .or_else(|| self.wrong_about_set_timers(context))
            .or_else(|| self.other_of_list(context))
            .or_else(|| self.moved_by_message(context))
    }

    /// `Lunch with Ben is now at one`, where he was only written to.
    fn moved_by_message(&self, context: &Context<'_>) -> Option<Loss> {
        let sends = |call: &&ToolCall| tool_words(&call.name).iter().any(|word| word == "send");
        if !context.calls.iter().copied().all(|call| sends(&call)) {
            return None;
        }
        let names: HashSet<String> =
            context.all_lists().flatten().flatten().map(|name| name.to_lowercase()).collect();
        let tells = |clause: &Clause| {
            self.texts_of(clause).iter().any(|word| {
                matches!(
                    *word,
                    "told"
                        | "tell"
                        | "texted"
                        | "wrote"
                        | "written"
                        | "know"
                        | "knows"
                        | "sent"
                        | "message"
                        | "messages"
                        | "text"
                        | "texts"
                        | "informed"
                        | "notified"
                        | "messaged"
                        | "note"
                        | "word"
                )
            })
        };
        let tells_so =
            |sentence: usize| self.clauses.iter().filter(|own| own.sentence == sentence).any(tells);
        let clause = self.clauses.iter().find(|clause| {
            let words = self.texts_of(clause);
            let is_named = words.iter().take(3).any(|word| names.contains(*word));
            let is_so = words.iter().any(|word| matches!(*word, "is" | "are" | "has"));
            is_named && is_so && self.is_plain_statement(clause) && !tells_so(clause.sentence)
        })?;
        Some(loss(Cause::FalseClaim, "what was done", self.quote(clause)))
    }

    /// What nobody asked for or called: `I've sent her an email`, `repeating every week`.
    fn beyond_the_calls(&self, context: &Context<'_>) -> Option<Loss> {
        let mut known: HashSet<String> = context.request().iter().map(|word| stem(word)).collect();
        known.extend(context.words_of_calls().iter().map(|word| stem(word)));
        known.extend(
            context.arguments().flat_map(|(name, _)| tool_words(name)).map(|word| stem(&word)),
        );
        let clause = self.clauses.iter().find(|clause| {
            let words = self.words_of(clause);
            let says = |beyond: &&Beyond| {
                beyond.phrases.iter().any(|phrase| phrase.find(words).is_some())
                    && !beyond.supporting.iter().any(|word| known.contains(word))
            };
            !self.is_beside_the_report(clause)
                && !self.has_denial(clause)
                && BEYOND.iter().any(|beyond| says(&beyond))
        })?;
        Some(loss(Cause::FalseClaim, "what was done", self.quote(clause)))
    }

    /// What the calls themselves deny, or could not tell.
    fn against_the_calls(&self, context: &Context<'_>) -> Option<Loss> {
        let is_plain = |clause: &&Clause| !self.is_conditional(clause) && !clause.is_question;
        let clause = self.clauses.iter().filter(is_plain).find(|clause| {
            self.leaves_for_later(clause)
                || self.tells_what_was(clause, context)
                || self.finds_out_of_reach(clause, context)
                || self.tells_of_all_of_a_kind(clause, context)
                || self.tells_of_others(clause, context)
                || self.reminds_before(clause, context)
                || self.holds_back_message(clause, context)
        })?;
        Some(loss(Cause::FalseClaim, "what was done", self.quote(clause)))
    }

    /// `I still have to text her`, `I'll tell her as soon as you confirm`.
    fn leaves_for_later(&self, clause: &Clause) -> bool {
        let words = self.texts_of(clause);
        PUT_OFF.iter().any(|phrase| phrase_at(&words, phrase).is_some())
            && !self.offers(clause)
            && !words.contains(&"if")
    }

    /// `It had three minutes left`: how something was before nobody can know.
    fn tells_what_was(&self, clause: &Clause, context: &Context<'_>) -> bool {
        let words = self.texts_of(clause);
        let is_told = words.windows(2).any(|pair| {
            pair[1] == "had"
                && !matches!(pair[0], "you" | "i" | "if" | "as" | "and" | "is" | "has" | "have")
        });
        is_told && !context.request().iter().any(|word| word == "had")
    }

    /// `Music isn't available`, where no tool told of an error.
    fn finds_out_of_reach(&self, clause: &Clause, context: &Context<'_>) -> bool {
        let words = self.texts_of(clause);
        let is_gone = words.contains(&"unavailable")
            || self.has_denial(clause)
                && words.iter().any(|word| {
                    matches!(*word, "available" | "reachable" | "responding" | "supported")
                });
        let failed = |text: &str| text.contains("rror") || text.contains("ail");
        is_gone && !self.offers(clause) && !context.returned_texts().any(failed)
    }

    /// `All the lights are on`, where those of one room were called.
    fn tells_of_all_of_a_kind(&self, clause: &Clause, context: &Context<'_>) -> bool {
        let [call] = context.calls[..] else { return false };
        let asks_all = |word: &String| matches!(&**word, "all" | "every" | "everything");
        let values: Vec<String> = call
            .arguments
            .as_object()
            .into_iter()
            .flatten()
            .filter_map(|(_, value)| value.as_str().map(str::to_lowercase))
            .collect();
        let own = self.quote(clause).to_lowercase();
        let tool = tool_words(&call.name);
        let is_kind = |word: &str| tool.iter().any(|own| stem(own) == stem(word));
        let words = self.texts_of(clause);
        let tells_all = words.iter().enumerate().any(|(at, word)| {
            let behind = words[at + 1..].iter().take(2);
            matches!(*word, "all" | "every") && behind.into_iter().any(|noun| is_kind(noun))
        });
        tells_all
            && !values.is_empty()
            && !values.iter().any(|value| own.contains(value.as_str()))
            && !context.question.iter().any(asks_all)
            && !self.has_denial(clause)
    }

    /// `Two other timers are still running`, `You have nothing else that day`: what else there is no
    /// call tells.
    fn tells_of_others(&self, clause: &Clause, context: &Context<'_>) -> bool {
        let words = self.texts_of(clause);
        let is_other = |word: &&str| matches!(*word, "other" | "others" | "else");
        let mut exists = words.windows(2).any(|pair| {
            matches!(pair, ["you", "have"] | ["there", "is" | "are"] | ["is" | "are", "still"])
        });
        exists |= words.windows(2).any(|pair| {
            matches!(pair[0], "timers" | "lights" | "one" | "appointments" | "events")
                && matches!(pair[1], "are" | "is" | "keeps" | "keep")
        });
        let asked = context.request().iter().any(|word| is_other(&word.as_str()));
        words.iter().any(is_other) && exists && !asked && !self.offers(clause)
    }

    /// `I'll remind you an hour before`, where nobody asked for it.
    fn reminds_before(&self, clause: &Clause, context: &Context<'_>) -> bool {
        let words = self.texts_of(clause);
        let reminds = words
            .iter()
            .any(|word| matches!(*word, "remind" | "reminder" | "notify" | "notification"));
        let is_before =
            |word: &str| matches!(word, "before" | "beforehand" | "ahead" | "advance" | "prior");
        reminds
            && words.iter().any(|word| is_before(word))
            && !context.request().iter().any(|word| is_before(word))
            && !self.offers(clause)
    }

    /// `I've scheduled your message for tomorrow`, where it was sent.
    fn holds_back_message(&self, clause: &Clause, context: &Context<'_>) -> bool {
        let words = self.texts_of(clause);
        let sends = |call: &&ToolCall| tool_words(&call.name).iter().any(|word| word == "send");
        let is_held = words.iter().any(|word| {
            matches!(*word, "scheduled" | "drafted" | "prepared" | "queued" | "delayed" | "saved")
        });
        let is_message = words.iter().any(|word| matches!(*word, "message" | "text" | "texts"));
        context.calls.iter().copied().all(|call| sends(&call)) && is_held && is_message
    }

    /// Another thing of a list of the suite than the one that is spoken of: `the meeting is moved`
    /// for a party.
    fn other_of_list(&self, context: &Context<'_>) -> Option<Loss> {
        let mut known: HashSet<String> = context.request().iter().map(|word| stem(word)).collect();
        known.extend(context.words_of_calls().iter().map(|word| stem(word)));
        let is_known = |names: &[String]| {
            names.iter().any(|name| {
                super::words::word_texts(name).iter().any(|word| known.contains(&stem(word)))
            })
        };
        let lists = context.all_lists().filter(|list| list.iter().any(|names| is_known(names)));
        let others: HashSet<String> = lists
            .flatten()
            .filter(|names| !is_known(names))
            .flatten()
            .map(|name| name.to_lowercase())
            .collect();
        let clause = self.clauses.iter().find(|clause| {
            let words = self.words_of(clause);
            let names = words.windows(2).any(|pair| {
                let leads = matches!(&*pair[0].text, "the" | "your" | "a" | "an" | "my");
                (leads || known.contains(&stem(&pair[0].text)) && pair[0].text.len() > 4)
                    && others.contains(&pair[1].text)
            });
            names && self.is_plain_statement(clause) && !self.is_beside_the_report(clause)
        })?;
        Some(loss(Cause::FalseClaim, "what was asked for", self.quote(clause)))
    }

    /// `Milk is off the list` where it was put on it.
    fn is_list_turned(&self, clause: &Clause, context: &Context<'_>) -> bool {
        let words = self.texts_of(clause);
        let is_off = words.windows(3).any(|three| {
            three[0] == "off"
                && matches!(three[1], "the" | "your" | "my")
                && three[2].contains("list")
        });
        let is_empty = words.contains(&"list") && words.contains(&"empty");
        let adds = |call: &&ToolCall| tool_words(&call.name).iter().any(|word| word == "add");
        (is_off || is_empty) && context.calls.iter().copied().all(|call| adds(&call))
    }

    /// `All three timers are set` where one was.
    fn miscounts_calls(&self, clause: &Clause, context: &Context<'_>) -> bool {
        self.numbers_in(clause).any(|said| {
            let noun = self.word_behind(&said.place);
            let is_tool = |call: &ToolCall| {
                tool_words(&call.name).iter().any(|word| stem(word) == stem(noun))
            };
            let count = context.calls.iter().filter(|call| is_tool(call)).count();
            noun.ends_with('s')
                && count > 0
                && !u32::try_from(count).is_ok_and(|n| is_same(n.into(), said.value.value))
        })
    }

    /// `The kitchen light is on` where music was to be played.
    fn names_other_device(&self, clause: &Clause, context: &Context<'_>) -> bool {
        let is_known = |device: &str| {
            let device = stem(device);
            context.request().iter().any(|word| stem(word) == device)
                || context.said().any(|text| text.to_lowercase().contains(&device))
                || context.words_of_calls().iter().any(|word| stem(word) == device)
        };
        let words = self.words_of(clause);
        let tells = words.windows(2).any(|pair| {
            matches!(&*pair[0].text, "is" | "are" | "turned" | "switched")
                && matches!(&*pair[1].text, "on" | "off" | "playing" | "set")
        });
        let mut devices =
            words.iter().filter(|word| KINDS.told_by_calls.contains(&*word.text)).peekable();
        tells && devices.peek().is_some() && devices.all(|word| !is_known(&word.text))
    }

    /// `Brighter` where it is too bright.
    fn is_more_of_too_much(&self, clause: &Clause, context: &Context<'_>) -> bool {
        let mut pairs = context.request().windows(2);
        pairs.any(|pair| {
            let more = format!("{}er", pair[1]);
            pair[0] == "too" && self.words_of(clause).iter().any(|word| word.text == more)
        })
    }

    /// `The bedroom and hall lights are off` where that of the hall was dimmed.
    fn off_told_of_lit(&self, context: &Context<'_>) -> Option<Loss> {
        let is_lit = |call: &&&ToolCall| {
            let arguments = call.arguments.as_object();
            arguments.is_some_and(|all| {
                all.get("on") != Some(&Value::Bool(false))
                    && all
                        .get("brightness")
                        .and_then(Value::as_f64)
                        .is_some_and(|level| level > 0.0)
            })
        };
        let lit = context.calls.iter().filter(is_lit);
        let names: Vec<&str> = lit
            .filter_map(|call| call.arguments.as_object())
            .flat_map(serde_json::Map::values)
            .filter_map(Value::as_str)
            .collect();
        let piece = self.pieces().into_iter().find(|piece| {
            let words: Vec<&str> = self
                .words
                .iter()
                .filter(|word| piece.contains(&word.place.start))
                .map(|word| word.text.as_str())
                .collect();
            let off = words.iter().position(|word| matches!(*word, "off" | "out" | "dark"));
            let before = off.map(|off| words[..off].join(" "));
            let is_lit = |name: &&str| {
                let name = name.to_lowercase();
                !name.is_empty() && before.as_ref().is_some_and(|before| before.contains(&name))
            };
            names.iter().any(is_lit) && !words.contains(&"not")
        })?;
        Some(loss(Cause::FalseClaim, "what was set", self.plain[piece].trim()))
    }

    /// `Off` or a share of the whole where no call sets it, in a world that tells nothing but the
    /// calls that were made.
    fn unset_level(&self, context: &Context<'_>) -> Option<Loss> {
        if let Some(clause) = self.unset_state(context).or_else(|| self.unset_share(context)) {
            return Some(loss(Cause::FalseClaim, "what was set", self.quote(clause)));
        }
        let percent = |said: &Given<NumberWithUnit>| {
            said.value.unit == Some(MeasureUnit::PERCENT)
                && !said.is_set_aside
                && said.value.value < 100.0
                && !self.is_beside_the_report(&self.clauses[said.clause])
        };
        let tells_level = context.values_called().any(|value| value.as_f64().is_some())
            || context.request().iter().any(|word| word == "percent" || word.ends_with('%'));
        let wrong = self.numbers().into_iter().find(percent).filter(|_| !tells_level)?;
        Some(loss(Cause::FalseClaim, "what was set", &self.plain[wrong.place]))
    }

    /// The clauses that tell what was done.
    fn reports_of_acts(&self) -> impl Iterator<Item = &Clause> {
        self.clauses.iter().filter(|clause| {
            !self.is_beside_the_report(clause)
                && !self.has_denial(clause)
                && !self.tells_of_the_rest(clause)
        })
    }

    /// `Off` where something was turned on, or `dimmed` where a light was only turned off.
    fn unset_state(&self, context: &Context<'_>) -> Option<&Clause> {
        let values = || context.values_called();
        let is_zero = |value: &Value| value.as_f64().is_some_and(|number| is_same(number, 0.0));
        let turns_off = values().any(|value| *value == Value::Bool(false) || is_zero(value));
        let asks_off = context.request().iter().any(|word| {
            matches!(&**word, "off" | "out" | "stop" | "cancel" | "pause" | "quiet" | "dark")
        });
        let lit = |value: &Value| *value == Value::Bool(true) || value.as_f64().is_some();
        let lights = context
            .calls
            .iter()
            .any(|call| tool_words(&call.name).iter().any(|word| word.starts_with("light")));
        let sets_level = !turns_off && !asks_off && (lights || values().any(lit));
        let off = self.reports_of_acts().find(|clause| {
            self.words_of(clause).windows(2).any(|pair| {
                matches!(&*pair[0].text, "is" | "are" | "turned" | "switched")
                    && pair[1].text == "off"
            })
        });
        let is_dim = |word: &Word| matches!(&*word.text, "dimmed" | "dim" | "brighter");
        let dim = || {
            let dim = |clause: &&Clause| self.words_of(clause).iter().any(is_dim);
            self.reports_of_acts().filter(dim).last()
        };
        let only_off = lights && !values().any(lit);
        off.filter(|_| sets_level).or_else(|| dim().filter(|_| only_off))
    }

    /// `Full brightness` where a part was set, or `by 20 percent` where that is what it was set to.
    fn unset_share(&self, context: &Context<'_>) -> Option<&Clause> {
        let is_part =
            |value: &Value| value.as_f64().is_some_and(|number| (1.0..100.0).contains(&number));
        if !context.values_called().any(is_part) {
            return None;
        }
        let says_most = |clause: &&Clause| {
            self.words_of(clause).windows(2).any(|pair| {
                matches!(&*pair[0].text, "full" | "maximum")
                    && matches!(&*pair[1].text, "brightness" | "volume" | "blast")
                    || pair[0].text == "as" && matches!(&*pair[1].text, "loud" | "bright")
            })
        };
        let says_by = |clause: &&Clause| {
            self.numbers_in(clause).any(|said| {
                self.word_before(&said.place) == "by"
                    && said.value.unit == Some(MeasureUnit::PERCENT)
            })
        };
        let asks_by = context.request().iter().any(|word| word == "by");
        let by = || self.reports_of_acts().find(says_by).filter(|_| !asks_by);
        self.reports_of_acts().find(says_most).or_else(by)
    }
}

impl Context<'_> {
    /// Whether nothing is known but the request and the calls that were made.
    pub(super) fn has_calls_alone(&self) -> bool {
        let is_readable = |call: &&ToolCall| call.arguments.as_object().is_some();
        self.things.is_empty()
            && self.changes.is_none()
            && !self.calls.is_empty()
            && self.calls.iter().all(is_readable)
    }
}
