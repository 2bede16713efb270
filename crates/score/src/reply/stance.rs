//! Refusals, questions back, small talk, and the form of a reply.

use std::collections::HashSet;
use std::sync::LazyLock;

use regex::Regex;
use serde_json::{Value, json};
use toolgauge_core::{Cause, Loss, ResponseKind};

use super::clause::Clause;
use super::context::Context;
use super::plain_words::is_function_word;
use super::words::{phrase_at, word_texts};
use super::{Reply, loss, pattern};
use crate::evidence::Evidence;
use crate::reading::stem;

/// Words a request for information begins with.
pub(super) const QUESTION_WORDS: [&str; 24] = [
    "is", "are", "was", "were", "do", "does", "did", "has", "have", "can", "could", "what",
    "which", "who", "when", "where", "why", "how", "will", "would", "any", "whose", "may",
    "should",
];

/// Words a question begins with that is answered by yes or no.
const YES_OR_NO: [&str; 16] = [
    "is", "are", "was", "were", "do", "does", "did", "has", "have", "had", "will", "would", "can",
    "could", "may", "should",
];

/// Words that tell what the records hold, or where else to look.
static OF_RECORDS: LazyLock<HashSet<&str>> =
    LazyLock::new(|| pattern::word_set(include_str!("tables/records.txt")));

impl Reply {
    /// What is wrong with a reply that should refuse.
    pub(super) fn refusal(&self, about: &[String], context: &Context<'_>) -> Option<Loss> {
        let kind = ResponseKind::Error.name();
        if let Some(claim) = self.false_act(context) {
            return Some(claim);
        }
        let asked =
            context.question.first().is_some_and(|word| QUESTION_WORDS.contains(&word.as_str()));
        let refuses = |clause: &Clause| {
            let denies = !self.is_bare_denial(clause) && self.refuses(clause)
                || self.denies_something(clause);
            denies && !self.only_denies_the_question(clause, context)
                || asked && (self.says_unknown(clause) || self.does_not_know(clause))
        };
        let declines =
            |clause: &&Clause| refuses(clause) && !self.is_ignorance_alone(clause, asked);
        let alternative = || self.clauses.iter().any(|clause| self.suggests(clause, context));
        if !self.clauses.iter().any(|clause| declines(&clause)) && !alternative() {
            return Some(loss(Cause::WrongResponseKind, kind, self.plain.as_str()));
        }
        self.not_about(about).map(|words| loss(Cause::MissingAnswer, words, self.plain.as_str()))
    }

    /// `It is not.`: an answer to a question, and no refusal of anything.
    fn is_bare_denial(&self, clause: &Clause) -> bool {
        let words = self.words_of(clause);
        let first = words.first().map_or("", |word| word.text.as_str());
        words.len() <= 3 && matches!(first, "it" | "that" | "this" | "they" | "he" | "she")
    }

    /// `It will not rain.` to `Will it rain?`: an answer in the words of the question.
    fn only_denies_the_question(&self, clause: &Clause, context: &Context<'_>) -> bool {
        let first = context.question.first().map_or("", String::as_str);
        let is_not = |word: &&str| matches!(*word, "not" | "never");
        let is_asked = |word: &str| context.question.iter().any(|asked| stem(asked) == stem(word));
        let mut words = self.words_of(clause).iter().map(|word| word.text.as_str());
        YES_OR_NO.contains(&first)
            && words.clone().any(|word| is_not(&word))
            && words.all(|word| is_not(&word) || word == "no" || is_asked(word))
    }

    /// Whether a clause denies something, in more words than a bare no or `it is not`.
    fn denies_something(&self, clause: &Clause) -> bool {
        !clause.is_question && self.has_denial(clause) && self.words_of(clause).len() > 3
    }

    /// Whether a clause says that the speaker does not know, to somebody who did not ask.
    fn is_ignorance_alone(&self, clause: &Clause, asked: bool) -> bool {
        let words = self.texts_of(clause);
        !asked
            && matches!(
                words[..],
                ["i", "do", "not", "know"]
                    | ["i", "do", "not", "know", "that" | "this" | "it"]
                    | ["not", "sure"]
                    | ["i", "am", "not", "sure"]
            )
    }

    /// Whether a clause asks whether something else was meant or would do.
    fn suggests(&self, clause: &Clause, context: &Context<'_>) -> bool {
        let words = self.words_of(clause);
        let starts =
            ["did you mean", "do you mean", "would you like", "shall i", "should i", "do you want"];
        let text: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
        let text = text.join(" ");
        // A suggestion must name something that the request does not, or it only asks back.
        let new = words
            .iter()
            .filter(|word| !is_function_word(&word.text) && !context.question.contains(&word.text))
            .count();
        // `Which size would you like?` takes for granted that it can be done.
        let first = words.first().map_or("", |word| word.text.as_str());
        let asks_details = matches!(first, "which" | "what" | "how" | "when" | "where" | "who");
        clause.is_question
            && !asks_details
            && !self.has(clause, &super::LEXICON.closers)
            && starts.iter().any(|start| text.contains(start))
            && new >= 2
    }

    /// Words that claim or promise an act that did not happen.
    pub(super) fn false_act(&self, context: &Context<'_>) -> Option<Loss> {
        // `The left one is shut` tells a state, where it is so; `it is on now` tells of a change.
        let is_act = |clause: &Clause| {
            let words = self.words_of(clause);
            let is_right_now = words
                .windows(2)
                .any(|pair| matches!(&*pair[0].text, "right" | "for") && pair[1].text == "now");
            let tells_a_change = |word: &super::Word| {
                matches!(&*word.text, "i" | "its" | "so") || word.text == "now" && !is_right_now
            };
            words.iter().any(tells_a_change) || !self.is_true_state(clause, context)
        };
        let claim = |clause: &Clause| {
            let words = self.claimed_act(clause).or_else(|| self.promised_act(clause));
            words.filter(|_| is_act(clause))
        };
        let by_words = self.clauses.iter().find_map(claim);
        let words = by_words
            .or_else(|| self.clauses.iter().find_map(|clause| self.speaker_acted(clause)))
            .or_else(|| self.clauses.iter().find_map(|clause| self.asked_state(clause, context)))
            .or_else(|| self.clauses.iter().find_map(|clause| self.changed_now(clause)));
        words.map(|words| {
            let quote = &self.plain
                [self.words[words.start].place.start..self.words[words.end - 1].place.end];
            Loss { actual: Some(json!(quote)), ..Loss::new(Cause::FalseClaim, 0.0) }
        })
    }

    /// Words that claim or promise an act, in a reply that should do neither.
    pub(crate) fn claims_an_act(&self, context: &Context<'_>) -> Option<Loss> {
        self.false_act(context)
    }

    /// Words that say that something is another now: `It now has four items.`
    fn changed_now(&self, clause: &Clause) -> Option<std::ops::Range<usize>> {
        let words = self.words_of(clause);
        let text = |at: usize| words.get(at).map_or("", |word| word.text.as_str());
        let now = (1..words.len()).find(|at| {
            let is_aside =
                matches!(text(at - 1), "right" | "for" | "until" | "by" | "just" | "but");
            text(*at) == "now" && !is_aside && *at + 1 < words.len()
        })?;
        let is_verb = text(now + 1).ends_with('s') || matches!(text(now + 1), "on" | "off" | "at");
        let is_quiet = clause.is_question
            || self.is_conditional(clause)
            || self.has_denial(clause)
            || self.offers(clause);
        (is_verb && !is_quiet).then(|| clause.words.clone())
    }

    /// What is wrong with a refusal that was put into English word for word: nothing in it denies,
    /// regrets or asks.
    pub(crate) fn no_refusal_in_gloss(&self, evidence: &Evidence<'_>) -> Option<Loss> {
        const REGRETS: [&str; 6] =
            ["sorry", "unfortunately", "only", "impossible", "unable", "unavailable"];
        let regrets = |clause: &Clause| {
            self.words_of(clause).iter().any(|word| REGRETS.contains(&word.text.as_str()))
        };
        let refuses = self.clauses.iter().any(|clause| {
            clause.is_question && !self.has(clause, &super::LEXICON.closers)
                || self.has_denial(clause)
                || self.refuses(clause)
                || regrets(clause)
        });
        let text = evidence.transcript.final_text();
        let is_known = Self::is_glossed(evidence.case.sentence()) || Self::is_glossed(text);
        let kind = ResponseKind::Error.name();
        (is_known && !refuses).then(|| loss(Cause::WrongResponseKind, kind, self.plain.as_str()))
    }

    /// Words that say that what was asked for is so: `The cat flap is locked.`
    fn asked_state(
        &self,
        clause: &Clause,
        context: &Context<'_>,
    ) -> Option<std::ops::Range<usize>> {
        if clause.is_question
            || self.is_conditional(clause)
            || self.has_denial(clause)
            || self.offers(clause)
            || self.refuses(clause)
        {
            return None;
        }
        let words = self.words_of(clause);
        let says = |names: &[&str]| words.iter().any(|word| names.contains(&word.text.as_str()));
        if says(&["already", "still", "currently", "or", "says", "seems"]) {
            return None;
        }
        let is = words.iter().position(|word| matches!(word.text.as_str(), "is" | "are"))?;
        let state = words[is + 1..].iter().take(3).position(|word| {
            pattern::is_act(&word.text, 1)
                || pattern::is_act(&word.text, 2)
                || matches!(
                    word.text.as_str(),
                    "on" | "off" | "open" | "up" | "down" | "ready" | "set" | "booked"
                )
        });
        let is_known =
            !self.things_named(clause, context).is_empty() || self.is_true_state(clause, context);
        // A thing that exists has a real state, which `false_state` judges; here none can be known.
        (state.is_some() && !is_known).then(|| clause.words.clone())
    }

    /// The words of which one should be there, if none is.
    pub(super) fn not_about(&self, about: &[String]) -> Option<Value> {
        let said = |words: &String| !self.places_of(&word_texts(words)).is_empty();
        (!about.is_empty() && !about.iter().any(said)).then(|| json!(about.join(" or ")))
    }

    /// What is wrong with a reply that should say that something is not known.
    pub(super) fn unknown(&self, about: &[String], context: &Context<'_>) -> Option<Loss> {
        if context.calls.is_empty() && context.shelf().is_none() && !context.has_sources {
            let acted = self.clauses.iter().find_map(|clause| self.speaker_acted(clause));
            if let Some(words) = acted {
                let place =
                    self.words[words.start].place.start..self.words[words.end - 1].place.end;
                return Some(loss(Cause::FalseClaim, "nothing was done", &self.plain[place]));
            }
        }
        if !self.clauses.iter().any(|clause| self.says_unknown(clause)) {
            return Some(loss(Cause::WrongAnswer, "not known", self.plain.as_str()));
        }
        if let Some(words) = self.not_about(about) {
            return Some(loss(Cause::MissingAnswer, words, self.plain.as_str()));
        }
        if let Some(clause) =
            self.clauses.iter().find(|clause| self.concludes_none(clause, context))
        {
            return Some(loss(Cause::WrongAnswer, "not known", self.quote(clause)));
        }
        let told = self.told_all_the_same(context)?;
        Some(loss(Cause::UnsupportedClaim, "not known", self.quote(told)))
    }

    /// What is told all the same behind the words that it is not known: `There is no copy of the
    /// policy. It excludes fences.` What the records hold instead may be told.
    fn told_all_the_same(&self, context: &Context<'_>) -> Option<&Clause> {
        let names_records = |clause: &Clause| self.is_of_records(clause);
        let first = self.clauses.iter().position(|clause| self.says_unknown(clause))?;
        let sentence = self.clauses[first].sentence;
        let of_sentence = |at: usize| {
            let own = self.clauses[at].sentence;
            self.clauses.iter().filter(move |clause| clause.sentence == own)
        };
        (first + 1..self.clauses.len()).find_map(|at| {
            let clause = &self.clauses[at];
            let head = self.words_of(clause).first().map_or("", |word| word.text.as_str());
            let is_apart = clause.sentence != sentence
                || matches!(head, "and" | "but" | "though" | "although" | "however");
            let is_plain = self.is_plain_statement(clause) && !self.offers(clause);
            let of_records = of_sentence(at)
                .any(|own| names_records(own) || self.says_unknown(own) || self.has_denial(own));
            let of_records =
                if clause.sentence == sentence { names_records(clause) } else { of_records };
            let is_claim = is_apart && is_plain && !of_records && self.is_told_at_length(clause);
            (is_claim
                && !self.is_of_another_year(clause, context)
                && !self.stands_in_the_books(clause, context))
            .then_some(clause)
        })
    }

    /// Whether a clause has more than three words, or a figure.
    fn is_told_at_length(&self, clause: &Clause) -> bool {
        self.words_of(clause).len() > 3 || self.numbers_in(clause).next().is_some()
    }

    /// Whether a clause without a pronoun gives a figure or a date of another year, so that it tells
    /// of something else: `For 2025, the total was $584,660.`
    fn is_of_another_year(&self, clause: &Clause, context: &Context<'_>) -> bool {
        const PRONOUNS: [&str; 9] =
            ["it", "they", "them", "its", "their", "he", "she", "her", "him"];
        let words = self.words_of(clause);
        let is_pronoun = |word: &super::Word| PRONOUNS.contains(&word.text.as_str());
        let year = |text: &str| text.parse::<u32>().ok().filter(|year| (1900..2100).contains(year));
        let of_sentence = self.clauses.iter().filter(|other| other.sentence == clause.sentence);
        let mut told = of_sentence.flat_map(|other| self.words_of(other));
        let is_other = |word: &super::Word| {
            year(&word.text).is_some() && !context.question.contains(&word.text)
        };
        told.any(is_other) && !words.iter().any(is_pronoun)
    }

    /// Whether a clause takes what is missing for none: `no rows, indicating that no people applied`,
    /// `so there was no income`.
    fn concludes_none(&self, clause: &Clause, context: &Context<'_>) -> bool {
        const CONCLUDING: [&str; 8] = [
            "indicating",
            "meaning",
            "suggesting",
            "implying",
            "confirming",
            "means",
            "therefore",
            "thus",
        ];
        let words = self.words_of(clause);
        let first = words.first().map_or("", |word| word.text.as_str());
        let is_asked = |word: &super::Word| {
            context.topic().any(|asked| super::truth::alike(asked, &word.text))
        };
        let is_told = |three: &[super::Word]| {
            matches!(three[0].text.as_str(), "was" | "were" | "had")
                && matches!(three[1].text.as_str(), "no" | "zero")
                && is_asked(&three[2])
        };
        let draws = matches!(first, "so" | "thus" | "therefore" | "hence");
        let is_none =
            |word: &super::Word| matches!(word.text.as_str(), "nobody" | "none" | "never" | "zero");
        let takes_for_none = words.iter().any(is_none)
            && !self.says_unknown(clause)
            && !self.does_not_know(clause)
            && !self.is_of_records(clause);
        if draws && (words.windows(3).any(is_told) || takes_for_none)
            || self.tells_of_nothing(clause, context)
        {
            return true;
        }
        let at = words.iter().position(|word| CONCLUDING.contains(&word.text.as_str()));
        let Some(at) = at.or(draws.then_some(0)) else { return false };
        // Only what was asked for counts: `meaning that no figure can be given` is right.
        let rest = &words[at..];
        let nobody = rest.windows(2).any(|pair| {
            matches!(pair[0].text.as_str(), "nobody" | "none")
                || pair[0].text == "no" && pair[1].text == "one"
        });
        let is_unknown = super::LEXICON.unknown.iter().any(|phrase| phrase.find(rest).is_some());
        nobody && rest.iter().any(is_asked) && !is_unknown
            || rest
                .windows(2)
                .any(|pair| matches!(pair[0].text.as_str(), "no" | "zero") && is_asked(&pair[1]))
                && !(draws && self.says_unknown(clause))
    }

    /// Whether a clause tells what the records hold.
    pub(super) fn is_of_records(&self, clause: &Clause) -> bool {
        self.words_of(clause).iter().any(|word| OF_RECORDS.contains(word.text.as_str()))
    }

    /// Whether a clause puts nothing in the place of what is not known: `Utilities cost us nothing.`
    fn tells_of_nothing(&self, clause: &Clause, context: &Context<'_>) -> bool {
        let words = self.words_of(clause);
        let amounts = |pair: &[super::Word]| {
            let is_verb = matches!(
                pair[0].text.as_str(),
                "cost"
                    | "costs"
                    | "paid"
                    | "pay"
                    | "spent"
                    | "owe"
                    | "owed"
                    | "got"
                    | "received"
                    | "earned"
                    | "us"
                    | "was"
                    | "were"
                    | "is"
            );
            is_verb && matches!(pair[1].text.as_str(), "nothing" | "zero" | "none" | "nil")
        };
        let is_asked = |word: &super::Word| {
            context.topic().any(|asked| super::truth::alike(asked, &word.text))
        };
        !clause.is_question
            && words.windows(2).any(amounts)
            && words.iter().any(is_asked)
            && !self.is_of_records(clause)
            && !self.says_unknown(clause)
    }

    /// Whether the reply is a yes or a no and nothing else, which tells no amount and thanks nobody:
    /// `No, it is not.`
    pub(super) fn is_bare_verdict(&self) -> bool {
        self.words
            .iter()
            .all(|word| matches!(word.text.as_str(), "yes" | "no" | "it" | "is" | "not"))
    }

    /// Whether a clause says that the speaker cannot do or find something.
    pub(super) fn is_inability(&self, clause: &Clause) -> bool {
        let words = self.texts_of(clause);
        let has = |phrase: &[&str]| phrase_at(&words, phrase).is_some();
        !clause.is_question
            && (has(&["can", "not"])
                || has(&["could", "not"])
                || has(&["unable"])
                || has(&["not", "able"])
                || has(&["not", "understand"])
                || has(&["not", "know"])
                || has(&["no", "device"])
                || has(&["not", "find"]))
    }

    /// Whether one of the phrases is said and not denied, and none of the others is.
    pub(super) fn phrase(
        &self,
        phrase: &[String],
        not: &[String],
        context: &Context<'_>,
    ) -> Option<Loss> {
        // `No smoke detectors` is right where the reference says that they are missing.
        let may_lack = |words: &String| {
            let label = word_texts(words);
            context.reference().is_some_and(|reference| {
                reference.places_of(&label).iter().any(|(at, _)| {
                    let before = &reference.words[at.saturating_sub(2)..*at];
                    before.iter().any(|word| matches!(word.text.as_str(), "missing" | "lacking"))
                })
            })
        };
        let held = |words: &String| {
            let label = word_texts(words);
            // A phrase that denies (`no charge`) would count as denied by its own word.
            let denies = label.iter().any(|word| super::NEGATORS.contains(&word.as_str()))
                || may_lack(words);
            self.places_of(&label).into_iter().any(|(at, _)| {
                let clause = self.clauses.iter().find(|clause| clause.words.contains(&at));
                clause.is_some_and(|clause| {
                    !clause.is_question && (denies || !self.is_denied(clause, at))
                })
            })
        };
        let all = |words: &String, is_so: &dyn Fn(usize) -> bool| {
            self.places_of(&word_texts(words)).iter().all(|(at, _)| is_so(*at))
        };
        let is_beside = |words: &String| all(words, &|at| self.is_set_beside(at));
        if let Some(wrong) = not.iter().find(|words| held(words) && !is_beside(words)) {
            return Some(loss(Cause::WrongAnswer, json!(phrase.join(" or ")), json!(wrong)));
        }
        let follows = |words: &String| all(words, &|at| self.follows_another(at));
        let is_told =
            |words: &String| held(words) && !follows(words) || self.denies_the_rest(words);
        (!phrase.is_empty() && !phrase.iter().any(is_told))
            .then(|| loss(Cause::MissingAnswer, json!(phrase.join(" or ")), self.plain.as_str()))
    }

    /// Whether a phrase that denies is said with its denial elsewhere in the clause: `we did not make
    /// a loss` for `no loss`.
    fn denies_the_rest(&self, phrase: &str) -> bool {
        let words = word_texts(phrase);
        let rest = match &words[..] {
            [first, rest @ ..] if matches!(first.as_str(), "no" | "not" | "never") => rest,
            _ => return false,
        };
        let is_article = |word: &&String| matches!(word.as_str(), "a" | "an" | "any" | "been");
        let rest: Vec<String> = rest.iter().skip_while(is_article).cloned().collect();
        self.places_of(&rest).into_iter().any(|(at, _)| {
            let clause = self.clauses.iter().find(|clause| clause.words.contains(&at));
            clause.is_some_and(|clause| !clause.is_question && self.is_denied(clause, at))
        })
    }

    /// Whether a name is only compared with what is told: `larger than Porto`.
    fn is_set_beside(&self, at: usize) -> bool {
        let before = &self.words[at.saturating_sub(3)..at];
        before.iter().any(|word| {
            matches!(
                word.text.as_str(),
                "followed" | "ahead" | "behind" | "unlike" | "than" | "confused"
            )
        })
    }

    /// `Porto, followed by Lisbon` names Porto. `Nothing is closer than Mercury` names Mercury.
    fn follows_another(&self, at: usize) -> bool {
        let before = |back: usize| self.text_before(at, back);
        (before(2), before(1)) == ("followed", "by")
    }

    /// What keeps a text from being a reply at all: nothing is said, raw data is, the request is
    /// read back, or there is far too much of it.
    pub(super) fn form(&self, context: &Context<'_>) -> Option<Loss> {
        if self.words.is_empty() {
            return Some(Loss::new(Cause::MissingText, 0.0));
        }
        let not_an_answer = |what: &str| Some(loss(Cause::NotAnAnswer, what, self.plain.as_str()));
        if is_raw(&self.plain) {
            return not_an_answer("words, not data");
        }
        if context.max_words.is_some_and(|most| self.words.len() > most) {
            return not_an_answer("a shorter reply");
        }
        let said: Vec<&str> = self.words.iter().map(|word| word.text.as_str()).collect();
        let asked: Vec<&str> = context.question.iter().map(String::as_str).collect();
        let greets = |word: &&str| {
            matches!(*word, "morning" | "night" | "evening" | "hello" | "hi" | "bye" | "sleep")
        };
        // A greeting is answered by itself.
        let is_greeting = asked.iter().any(greets) && asked.len() <= 6;
        // `Lights off.` tells what was done where the request has no verb either.
        let is_state = !context.calls.is_empty()
            && (asked.len() <= 4 || asked.contains(&"off"))
            && !asked.iter().any(|word| pattern::is_act(word, 0) || QUESTION_WORDS.contains(word));
        let is_read_back =
            !is_greeting && !is_state && (said == asked || is_read_back(&said, &asked));
        if is_read_back { not_an_answer("an answer, not the request") } else { None }
    }
}

/// Whether the request is read back with nothing of weight around it.
fn is_read_back(said: &[&str], asked: &[&str]) -> bool {
    const AROUND: [&str; 12] = [
        "asked",
        "want",
        "wanted",
        "know",
        "said",
        "question",
        "request",
        "heard",
        "like",
        "understood",
        "asking",
        "wants",
    ];
    let Some(at) = (asked.len() > 2)
        .then(|| said.windows(asked.len()).position(|window| window == asked))
        .flatten()
    else {
        return false;
    };
    // `I have set the light to 20 percent` reports it.
    if said[..at].ends_with(&["i", "have"]) {
        return false;
    }
    let rest = said[..at].iter().chain(&said[at + asked.len()..]);
    let is_filler = |word: &&str| {
        (is_function_word(word) || AROUND.contains(word))
            && !super::NEGATORS.contains(word)
            && *word != "yes"
    };
    let asks = rest.clone().any(|word| matches!(*word, "what" | "which" | "who" | "where" | "how"));
    !asks && rest.clone().all(is_filler)
}

/// Whether a text is data as programs write it.
pub(super) fn is_raw(text: &str) -> bool {
    let trimmed = text.trim().trim_start_matches("```json").trim_start_matches("```").trim();
    let opens = trimmed.starts_with('{') || trimmed.starts_with("[{") || trimmed.starts_with("[\"");
    let pairs = text.matches("\":").count();
    let is_list = serde_json::from_str::<Value>(trimmed)
        .is_ok_and(|value| value.is_object() || value.is_array());
    is_list
        || opens && pairs > 0
        // Quoted keys with colons do not occur in spoken sentences.
        || pairs >= 2
        || text.contains("<tool_call>")
        || text.contains("Live Context:")
        || has_columns(text)
}

/// Whether a text prints rows of a table with the names of their columns: `unit_id: 6, late_fee:
/// 50`. One such name may be quoted in a sentence; three are a row.
fn has_columns(text: &str) -> bool {
    static COLUMN: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"\b[a-z]+(?:_[a-z]+)+:").expect("the expression is valid"));
    COLUMN.find_iter(text).nth(2).is_some()
}
