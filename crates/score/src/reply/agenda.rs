//! What a reply says of a day, held against the appointments that a tool returned for it: `the dentist
//! at nine and lunch at half past twelve, so your morning is free`.

use serde_json::Value;
use toolgauge_core::{Cause, Loss, english};

use super::clause::Clause;
use super::context::{Context, minutes_of_day};
use super::plain_words::is_function_word;
use super::words::{phrase_at, word_texts};
use super::{Reply, loss};

/// Something that is on that day: when it begins, and the words that name it.
struct Appointment {
    minutes: u32,
    words: Vec<String>,
}

impl Appointment {
    /// The one that an object of a tool describes by a title and a time.
    fn read(value: &Value) -> Option<Self> {
        let text = |names: &[&str]| names.iter().find_map(|name| value.get(name)?.as_str());
        let title = text(&["title", "summary", "name", "subject"])?;
        let time = text(&["time", "start", "start_time", "begin", "begins", "from"])?;
        // Behind the day, if there is one.
        let time = time.rsplit(['T', ' ']).next()?.get(..5)?;
        let words = word_texts(title);
        let words = words.iter().filter(|word| !is_function_word(word)).cloned();
        Some(Self { minutes: minutes_of_day(time)?, words: words.collect() })
    }

    fn is_in(&self, part: &Part) -> bool {
        (part.from..part.to).contains(&self.minutes)
    }
}

/// A part of the day that may be called free or empty, in minutes.
struct Part {
    words: &'static [&'static str],
    from: u32,
    to: u32,
}

const PARTS: [Part; 10] = [
    Part { words: &["free", "day"], from: 0, to: 1440 },
    Part { words: &["before", "noon"], from: 0, to: 720 },
    Part { words: &["morning"], from: 300, to: 720 },
    Part { words: &["afternoon"], from: 780, to: 1080 },
    Part { words: &["evening"], from: 1080, to: 1440 },
    Part { words: &["whole", "day"], from: 0, to: 1440 },
    Part { words: &["entire", "day"], from: 0, to: 1440 },
    Part { words: &["all", "day"], from: 0, to: 1440 },
    Part { words: &["day", "is"], from: 0, to: 1440 },
    Part { words: &["tomorrow"], from: 0, to: 1440 },
];

/// What calendars hold.
const NOUNS: [&str; 12] = [
    "appointment",
    "appointments",
    "event",
    "events",
    "thing",
    "things",
    "entry",
    "entries",
    "meeting",
    "meetings",
    "item",
    "items",
];

impl Reply {
    /// What a reply says of a day that its appointments deny.
    pub(super) fn against_the_agenda(&self, context: &Context<'_>) -> Option<Loss> {
        let days: Vec<Vec<Appointment>> =
            context.returned_texts().filter_map(appointments).collect();
        let [day] = &days[..] else { return None };
        if day.is_empty() {
            return None;
        }
        let told = self.clauses.iter().filter(|clause| {
            !clause.is_question && !self.is_conditional(clause) && !self.is_hedged(clause)
        });
        let clause = told.into_iter().find(|clause| {
            self.calls_free(clause, day)
                || self.counts_day_wrong(clause, day)
                || self.turns_order(clause, day)
                || self.puts_in_other_part(clause, day)
        })?;
        Some(loss(Cause::WrongAnswer, "what is on that day", self.quote(clause)))
    }

    /// `So nothing before noon`, where the dentist is at nine.
    fn calls_free(&self, clause: &Clause, day: &[Appointment]) -> bool {
        let words = self.texts_of(clause);
        let says = |names: &[&str]| words.iter().any(|word| names.contains(word));
        // `Nothing else`, `free after that`, `the dentist, otherwise nothing`.
        let is_of_the_rest = says(&[
            "else",
            "other",
            "further",
            "more",
            "rest",
            "otherwise",
            "apart",
            "after",
            "afterwards",
            "until",
            "till",
            "between",
            "then",
            "from",
            "besides",
            "but",
            "except",
            "remaining",
            "only",
            "just",
            "late",
        ]);
        let is_until = words.iter().position(|word| matches!(*word, "until" | "till" | "before"));
        let until_noon = is_until.is_some_and(|at| {
            words[at..]
                .iter()
                .any(|word| matches!(*word, "noon" | "midday" | "lunch" | "afternoon"))
        });
        if words.first() == Some(&"nothing") && until_noon {
            return day.iter().any(|own| own.minutes < 720);
        }
        let names = |own: &Appointment| own.words.iter().any(|word| words.contains(&&**word));
        if is_of_the_rest || day.iter().any(names) {
            return false;
        }
        let is_empty = says(&["nothing", "none"])
            || words.windows(2).any(|pair| pair[0] == "no" && NOUNS.contains(&pair[1]));
        let is_free = says(&["free", "empty", "clear"]) && !self.has_denial(clause);
        if !is_empty && !is_free {
            return false;
        }
        let before = self.times().into_iter().find(|said| {
            let at = self.words.partition_point(|word| word.place.start < said.place.start);
            clause.place.contains(&said.place.start)
                && at.checked_sub(1).is_some_and(|at| self.words[at].text == "before")
        });
        if let Some(before) = before {
            return day.iter().any(|own| own.minutes < before.value.minutes);
        }
        let part = PARTS.iter().find(|part| phrase_at(&words, part.words).is_some());
        match part {
            Some(part) => day.iter().any(|own| own.is_in(part)),
            None => is_empty && words.windows(2).any(|pair| matches!(pair, ["you", "have"])),
        }
    }

    /// `So three things in all`, where there are two.
    fn counts_day_wrong(&self, clause: &Clause, day: &[Appointment]) -> bool {
        let words = self.texts_of(clause);
        let is_part = words.iter().any(|word| {
            matches!(*word, "more" | "other" | "before" | "after" | "first" | "another" | "of")
        });
        let wrong = words.windows(2).any(|pair| {
            let count = match pair[0] {
                "only" | "single" => (pair[1] == "one" || NOUNS.contains(&pair[1])).then_some(1),
                word => english::small_number(word).map(usize::from).or_else(|| word.parse().ok()),
            };
            let is_counted = NOUNS.contains(&pair[1]) || pair[0] == "only";
            count.is_some_and(|count| is_counted && count != day.len())
        });
        wrong && !is_part && !self.has_denial(clause)
    }

    /// `You see Ben before the dentist`, where the dentist is first.
    fn turns_order(&self, clause: &Clause, day: &[Appointment]) -> bool {
        let words = self.texts_of(clause);
        let place = |own: &Appointment| {
            words.iter().position(|word| own.words.iter().any(|name| name == word))
        };
        let orders = [("before", false), ("after", true)];
        let is_turned = orders.iter().any(|(order, is_after)| {
            let Some(at) = words.iter().position(|word| word == order) else { return false };
            day.iter().any(|one| {
                day.iter().any(|other| {
                    let (Some(first), Some(second)) = (place(one), place(other)) else {
                        return false;
                    };
                    first < at
                        && at < second
                        && (one.minutes > other.minutes) != *is_after
                        && one.minutes != other.minutes
                })
            })
        });
        is_turned && !self.has_denial(clause)
    }

    /// `Both in the morning`, where one begins at half past twelve.
    fn puts_in_other_part(&self, clause: &Clause, day: &[Appointment]) -> bool {
        let words = self.texts_of(clause);
        let is_both = words.iter().any(|word| matches!(*word, "both" | "all"));
        let part = PARTS[2..5].iter().find(|part| phrase_at(&words, part.words).is_some());
        let Some(part) = part.filter(|_| is_both && !self.has_denial(clause)) else { return false };
        // What begins at noon may be called either.
        let is_near = |own: &Appointment| own.minutes.abs_diff(part.from) <= 60;
        day.iter().any(|own| !own.is_in(part) && !is_near(own))
    }
}

/// The appointments in what a tool returned: a list of objects with titles and times.
fn appointments(text: &str) -> Option<Vec<Appointment>> {
    let value: Value = serde_json::from_str(text).ok()?;
    let items = match &value {
        Value::Array(items) => items,
        Value::Object(all) => all.values().find_map(Value::as_array)?,
        _ => return None,
    };
    items.iter().map(Appointment::read).collect()
}
