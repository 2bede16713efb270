//! Questions back: whether they ask for what a request leaves open, and offer what there is.

use toolgauge_core::{Cause, Loss, ResponseKind, WorldThing};

use super::clause::Clause;
use super::context::Context;
use super::detail::values;
use super::plain_words::is_function_word;
use super::words::same_word;
use super::{Reply, loss};
use crate::reading::is_same;

impl Reply {
    /// What is wrong with a reply that should ask back.
    pub(super) fn question(&self, about: &[String], context: &Context<'_>) -> Option<Loss> {
        if let Some(claim) = self.false_act(context) {
            return Some(claim);
        }
        let offers_lengths = self.offers_lengths(about);
        let asks = offers_lengths
            || self.clauses.iter().any(|clause| self.asks(clause))
            || self.clauses.iter().any(|clause| self.offers_things(clause, context))
            || self.clauses.iter().any(|clause| self.asks_by_naming(clause, about));
        if !asks {
            let kind = ResponseKind::Clarification.name();
            return Some(loss(Cause::WrongResponseKind, kind, self.plain.as_str()));
        }
        let wrong = self
            .unknown_choice(context)
            .or_else(|| self.choice_not_there(context))
            .or_else(|| self.other_value_taken(context))
            .or_else(|| self.asked_amiss(about, context))
            .or_else(|| self.asks_for_what_is_given(context));
        if wrong.is_some() || offers_lengths {
            return wrong;
        }
        let names_choices = self.clauses.iter().any(|clause| {
            let offers_two = clause.is_question
                && !self.has(clause, &super::LEXICON.closers)
                && self.words_of(clause).iter().any(|word| word.text == "or");
            offers_two || self.offers_things(clause, context) || self.asks_which(clause, context)
        });
        // Which thing is meant may be what is open, and then any way to ask it is right.
        let asks_which = about.is_empty()
            || about.iter().any(|word| matches!(&**word, "which" | "what" | "where" | "who"));
        if names_choices && asks_which {
            return None;
        }
        let others: Vec<String> = about.iter().flat_map(|word| in_other_words(word)).collect();
        let amiss = self.not_about(&others).and_then(|_| self.not_about(about));
        amiss.map(|words| loss(Cause::MissingAnswer, words, self.plain.as_str()))
    }

    /// Whether a question offers lengths of time to choose from: `One minute, ten, an hour?`
    fn offers_lengths(&self, about: &[String]) -> bool {
        let is_open =
            about.iter().any(|word| matches!(&**word, "long" | "how long" | "length" | "minutes"));
        let is_asked = |at: usize| {
            let own = self.clauses.iter().find(|clause| clause.place.contains(&at));
            own.is_some_and(|own| self.is_in_question(own))
        };
        let lengths = self.durations().into_iter().filter(|own| is_asked(own.place.start));
        is_open && lengths.count() > 1
    }

    /// Whether the sentence of a clause is a question.
    fn is_in_question(&self, clause: &Clause) -> bool {
        let mut own = self.clauses.iter().filter(|other| other.sentence == clause.sentence);
        own.any(|other| other.is_question)
    }

    /// Whether a clause tells what is done once the person has answered: `Just give me a name and I'll
    /// send it.`
    pub(super) fn waits_for_answer(&self, clause: &Clause) -> bool {
        const LEADS: [&str; 10] =
            ["just", "please", "so", "gladly", "then", "sure", "okay", "ok", "only", "simply"];
        let asks = |own: &Clause| {
            let words = self.texts_of(own);
            let first = words.iter().position(|word| !LEADS.contains(word));
            first.is_some_and(|first| match words[first] {
                "tell" | "give" => words.get(first + 1) == Some(&"me"),
                "let" => words[first + 1..].starts_with(&["me", "know"]),
                "name" | "say" | "specify" | "pick" | "choose" => true,
                _ => false,
            })
        };
        let first = self.words_of(clause).first().map_or("", |word| word.text.as_str());
        let before =
            |own: &&Clause| own.sentence == clause.sentence && own.words.end <= clause.words.start;
        matches!(first, "and" | "then") && self.clauses.iter().filter(before).any(asks)
    }

    /// A question for what the request gives: `Which room?`, where it names one of the rooms that the
    /// tools know.
    fn asks_for_what_is_given(&self, context: &Context<'_>) -> Option<Loss> {
        let request = context.question.join(" ");
        let options = || {
            let tools =
                context.tools.iter().filter_map(|tool| tool.parameters["properties"].as_object());
            tools.flat_map(serde_json::Map::values).filter_map(|it| it["enum"].as_array())
        };
        // `The bedroom or the kitchen?`, where the request names the bedroom.
        let offers_given = |clause: &Clause| {
            let own = self.quote(clause).to_lowercase();
            options().any(|options| {
                let texts = options.iter().filter_map(|option| option.as_str());
                let said = texts.filter(|text| own.contains(&text.to_lowercase()));
                let said: Vec<&str> = said.collect();
                said.len() > 1 && said.iter().any(|text| request.contains(&text.to_lowercase()))
            })
        };
        let is_given = |name: &str| {
            context.tools.iter().any(|tool| {
                let options = tool.parameters["properties"][name]["enum"].as_array();
                let mut texts = options.into_iter().flatten().filter_map(|own| own.as_str());
                texts.any(|text| request.contains(&text.to_lowercase()))
            })
        };
        let clause = self.clauses.iter().find(|clause| {
            let asks = self
                .words_of(clause)
                .windows(2)
                .any(|pair| matches!(&*pair[0].text, "which" | "what") && is_given(&pair[1].text));
            clause.is_question && (asks || offers_given(clause))
        })?;
        Some(loss(Cause::WrongAnswer, "a question about what is open", self.quote(clause)))
    }

    /// Whether a short clause asks by a word of what is open alone: `All of them, everywhere?`
    fn asks_by_naming(&self, clause: &Clause, about: &[String]) -> bool {
        let words = self.words_of(clause);
        let begins = words
            .first()
            .is_some_and(|word| super::stance::QUESTION_WORDS.contains(&word.text.as_str()));
        let names = |word: &String| !self.places_within(clause, word).is_empty();
        self.is_in_question(clause)
            && !begins
            && words.len() <= 8
            && !self.has(clause, &super::LEXICON.closers)
            && about.iter().any(names)
    }

    /// Whether a clause asks what was meant, of the things the request speaks of.
    fn asks_which(&self, clause: &Clause, context: &Context<'_>) -> bool {
        let says = |text: &str| self.words_of(clause).iter().any(|word| word.text == text);
        let asks = says("mean") || says("name") || says("which") || says("or");
        let kinds = context.things.iter().flat_map(|thing| super::sorts::kinds_of(thing));
        let is_kind = |word: &str| {
            let bare = word.strip_suffix('s').unwrap_or(word);
            kinds.clone().any(|kind| *kind == bare)
        };
        let named = |word: &&super::Word| {
            !is_function_word(&word.text)
                && (context.question.contains(&word.text) || is_kind(&word.text))
        };
        self.asks(clause) && asks && self.words_of(clause).iter().any(|word| named(&word))
    }

    /// A thing offered to choose from that the home does not have: `Dusty or Bertha?`
    pub(super) fn unknown_choice(&self, context: &Context<'_>) -> Option<Loss> {
        if context.things.is_empty() {
            return None;
        }
        let known = |word: &str| {
            let bare = word.strip_suffix("'s").unwrap_or(word);
            context.request().iter().any(|asked| asked == bare)
                || context.named_things().any(|(thing, names)| {
                    let places = thing.all_place_names();
                    names.iter().flatten().any(|name| name == bare || name == word)
                        || places
                            .flat_map(|place| toolgauge_core::WorldThing::words_of(place))
                            .any(|place| place == bare)
                })
        };
        let clause = self.clauses.iter().filter(|clause| clause.is_question);
        let mut words = clause.flat_map(|clause| clause.words.clone().skip(1));
        let wrong = words.find(|at| {
            let before = self.words[at - 1].text.as_str();
            let is_choice = matches!(before, "or" | "mean" | "the" | "and");
            is_choice
                && self.is_capital(*at)
                && !super::plain_words::is_common(&self.words[*at].text)
                && !known(&self.words[*at].text)
        })?;
        let name = self.words[wrong].text.as_str();
        Some(loss(Cause::FalseClaim, "a thing that there is", name))
    }

    /// A place that is offered to choose from where nothing of the kind is: `Living room or bathroom,
    /// which thermostat shall I raise?`
    fn choice_not_there(&self, context: &Context<'_>) -> Option<Loss> {
        let sentences = self.clauses.iter().filter(|clause| clause.is_question);
        let wrong = sentences.into_iter().find(|clause| {
            let of_sentence = self.clauses.iter().filter(|own| own.sentence == clause.sentence);
            let words: Vec<&str> = of_sentence.flat_map(|own| self.texts_of(own)).collect();
            let things = || context.named_things().map(|(thing, _)| thing);
            let is_of = |thing: &WorldThing, word: &str| {
                let mut ends = thing.name_words.iter().filter_map(|name| name.last());
                super::sorts::kinds_of(thing).iter().any(|kind| same_word(word, kind))
                    || ends.any(|end| end.len() > 3 && same_word(word, end))
            };
            let is_noun = |word: &&&str| {
                !matches!(**word, "room" | "door" | "water" | "music" | "garage")
                    && things().any(|thing| is_of(thing, word))
                    && !context.place_words().iter().flatten().any(|place| place == **word)
            };
            let nouns: Vec<&&str> = words.iter().filter(is_noun).collect();
            let Some(noun) = nouns.first() else { return false };
            let is_one_noun = nouns.iter().all(|other| same_word(other, noun));
            let offers = words.iter().any(|word| matches!(*word, "or" | "which"));
            let places = super::places::places_in(&words, context);
            // `The office curtain`, or rooms that stand first.
            let is_option = |place: &&Vec<String>| {
                let at = words
                    .windows(place.len())
                    .position(|part| part.iter().zip(*place).all(|(word, own)| word == own));
                let behind = at.and_then(|at| words.get(at + place.len()));
                behind.is_some_and(|word| same_word(word, noun))
                    || places
                        .iter()
                        .any(|first| words.first().is_some_and(|word| *word == first[0]))
            };
            let is_there = |place: &Vec<String>| {
                let in_name = |thing: &WorldThing| {
                    let mut names = thing.name_words.iter();
                    names.any(|name| name.windows(place.len()).any(|part| part == place))
                };
                things().any(|thing| {
                    is_of(thing, noun) && (super::places::is_in(thing, place) || in_name(thing))
                })
            };
            offers && is_one_noun && places.iter().filter(is_option).any(|place| !is_there(place))
        })?;
        Some(loss(Cause::FalseClaim, "a thing that there is", self.quote(wrong)))
    }

    /// Another value than the request gives: `Twelve degrees it is, but which room?` for 21.
    fn other_value_taken(&self, context: &Context<'_>) -> Option<Loss> {
        let asked = Self::read(&context.question.join(" ")).numbers();
        if asked.is_empty() {
            return None;
        }
        let wrong = self.numbers().into_iter().find(|said| {
            let clause = &self.clauses[said.clause];
            let is_asked = asked.iter().any(|own| is_same(own.value.value, said.value.value));
            let is_measured = || {
                let things = context.things.iter();
                let mut values = things.flat_map(|thing| values(&thing.state, &thing.attributes));
                values.any(|own| (own - said.value.value).abs() < 0.06)
            };
            said.value.unit.is_some()
                && !is_asked
                && !is_measured()
                && !said.is_set_aside
                && self.is_plain_statement(clause)
                && !self.is_limit(clause)
                && self.things_meant(clause, context).is_empty()
                && super::places::places_in(&self.texts_of(clause), context).is_empty()
        })?;
        Some(loss(Cause::FalseClaim, "what was asked for", &self.plain[wrong.place]))
    }

    /// Whether a clause asks by naming things of the request or the world: `The corner lamp?`
    pub(super) fn offers_things(&self, clause: &Clause, context: &Context<'_>) -> bool {
        clause.is_question
            && !self.has(clause, &super::LEXICON.closers)
            && !self.things_named(clause, context).is_empty()
    }

    /// What is wrong with a reply whose only question closes the talk: `Okay. Anything else?`
    pub(crate) fn asks_nothing_open(&self) -> Option<Loss> {
        let mut questions = self.clauses.iter().filter(|clause| clause.is_question).peekable();
        questions.peek()?;
        let closes = questions.all(|clause| self.has(clause, &super::LEXICON.closers));
        let kind = ResponseKind::Clarification.name();
        closes.then(|| loss(Cause::WrongResponseKind, kind, self.plain.as_str()))
    }
}

/// What asks for the same as a word of a case: `the name of the device` is `which`.
fn in_other_words(word: &str) -> Vec<String> {
    let others: &[&str] = match word {
        "which" | "what" => {
            &["name", "the one you mean", "the one you want", "would be", "is that"]
        }
        "who" | "whom" => &["name"],
        "how long" => &["duration", "length", "until when"],
        _ => &[],
    };
    std::iter::once(word).chain(others.iter().copied()).map(Into::into).collect()
}
