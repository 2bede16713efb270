//! What a clause does: claims to have acted, promises, refuses, asks, offers.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::LazyLock;

use super::clause::Clause;
use super::lexicon::LEXICON;
use super::{Phrase, Reply, pattern};

/// Words between `I have` and its verb.
const BETWEEN: &[&str] = &[
    "just",
    "now",
    "also",
    "already",
    "gone",
    "ahead",
    "and",
    "then",
    "even",
    "instead",
    "since",
    "therefore",
    "gladly",
    "successfully",
];

/// Past forms without `-ed` of verbs that change something.
const PARTICIPLES: &[&str] = &[
    "told", "let", "given", "undone", "redone", "taken", "brought", "written", "paid", "sold",
    "woken", "spoken", "begun", "driven", "held", "fed",
];

/// Past forms of verbs that change nothing: to look, to think, to calculate, to tell, and to leave
/// alone.
static LOOKING: LazyLock<HashSet<&str>> =
    LazyLock::new(|| pattern::word_set(include_str!("tables/looking.txt")));

impl Reply {
    /// The words by which a clause claims that something was done.
    pub(super) fn claimed_act(&self, clause: &Clause) -> Option<Range<usize>> {
        self.claim(clause, &LEXICON.done)
    }

    /// The words by which a clause promises to do something.
    pub(super) fn promised_act(&self, clause: &Clause) -> Option<Range<usize>> {
        self.claim(clause, &LEXICON.promise)
    }

    fn claim(&self, clause: &Clause, phrases: &[Phrase]) -> Option<Range<usize>> {
        if clause.is_question || self.is_conditional(clause) || self.is_about_an_act(clause) {
            return None;
        }
        let words = self.words_of(clause);
        let place = |(start, end)| clause.words.start + start..clause.words.start + end;
        let found = phrases.iter().filter_map(|phrase| phrase.find(words)).map(place);
        let mut held = found.filter(|found: &Range<usize>| {
            let denied = self.is_denied(clause, found.end) || self.is_nothing(found.end);
            // `Shall I turn it off` holds the words of a claim behind those of an offer.
            let offered = self.find(clause, &LEXICON.offers).is_some_and(|at| at.start < found.end);
            !denied && !offered
        });
        held.next()
    }

    /// The words by which the speaker says to have done something, by any verb but those of looking
    /// and thinking: `I've booked both`.
    pub(super) fn speaker_acted(&self, clause: &Clause) -> Option<Range<usize>> {
        if clause.is_question || self.is_conditional(clause) || self.offers(clause) {
            return None;
        }
        let words = self.words_of(clause);
        let text = |at: usize| words.get(at).map_or("", |word| word.text.as_str());
        (0..words.len()).filter(|at| text(*at) == "i").find_map(|at| {
            let is_perfect = text(at + 1) == "have";
            let behind = at + 1 + usize::from(is_perfect);
            let verb = (behind..words.len()).find(|at| !BETWEEN.contains(&text(*at)))?;
            let is_past = super::pattern::is_act(text(verb), 1)
                || text(verb).len() > 4 && text(verb).ends_with("ed")
                || is_perfect && PARTICIPLES.contains(&text(verb));
            let is_talk = match text(verb) {
                "added" => matches!(text(verb + 1), "up" | "together"),
                "made" => text(verb + 1) == "sure",
                "let" => !words.iter().any(|word| word.text == "know"),
                word => LOOKING.contains(word),
            };
            let place = clause.words.start + at..clause.words.start + verb + 1;
            let denied = self.is_denied(clause, place.end) || self.is_nothing(place.end);
            (is_past && !is_talk && !denied).then_some(place)
        })
    }

    /// Whether the object of the verb before this word is nothing: `so I changed nothing`.
    fn is_nothing(&self, at: usize) -> bool {
        self.words.get(at).is_some_and(|word| word.text == "nothing")
    }

    /// Whether a clause speaks of an act as a thing: `Setting timers is not possible.`
    fn is_about_an_act(&self, clause: &Clause) -> bool {
        const VERBS: [&str; 16] = [
            "is", "are", "was", "has", "have", "does", "do", "can", "could", "works", "work",
            "needs", "need", "requires", "takes", "would",
        ];
        let words = self.words_of(clause);
        let begins = words.first().is_some_and(|word| super::pattern::is_act(&word.text, 2));
        begins && words.iter().any(|word| VERBS.contains(&word.text.as_str()))
    }

    pub(super) fn is_conditional(&self, clause: &Clause) -> bool {
        let first = self.words_of(clause).first();
        first.is_some_and(|word| matches!(word.text.as_str(), "if" | "unless" | "once" | "when"))
    }

    /// Whether a clause says that something is not done or cannot be done.
    pub(super) fn refuses(&self, clause: &Clause) -> bool {
        let words = self.words_of(clause);
        // `Not a problem!` begins as `Not a light that I know.` does; its `not` was cleared when the
        // reply was read.
        let is_cleared = |(start, _): (usize, usize)| {
            words[start].text == "not" && !self.negators[clause.words.start + start]
        };
        let refuses = |phrase: &Phrase| phrase.find(words).is_some_and(|found| !is_cleared(found));
        !clause.is_question && LEXICON.refusal.iter().any(refuses)
    }

    /// The words by which a clause refuses.
    pub(super) fn refusing_words(&self, clause: &Clause) -> Option<Range<usize>> {
        self.find(clause, &LEXICON.refusal).filter(|_| !clause.is_question)
    }

    /// Whether a clause says that the speaker does not know.
    pub(super) fn does_not_know(&self, clause: &Clause) -> bool {
        !clause.is_question && self.has(clause, &LEXICON.ignorance)
    }

    /// Whether a clause says that something is not known or not recorded.
    pub(super) fn says_unknown(&self, clause: &Clause) -> bool {
        !clause.is_question && self.has(clause, &LEXICON.unknown)
    }

    /// Whether a clause takes back what it says.
    pub(super) fn is_hedged(&self, clause: &Clause) -> bool {
        self.has(clause, &LEXICON.hedge)
    }

    /// Whether a clause offers something, or speaks of what could be.
    pub(super) fn offers(&self, clause: &Clause) -> bool {
        self.has(clause, &LEXICON.offers)
    }

    /// Whether a clause asks for what a request leaves open. A question in the form of a request
    /// counts: `Tell me which lamp you mean.`
    pub(super) fn asks(&self, clause: &Clause) -> bool {
        if self.has(clause, &LEXICON.closers) {
            return false;
        }
        self.has(clause, &LEXICON.asking) && (clause.is_question || self.is_request(clause))
    }

    /// Whether a clause asks something of the person without a question mark.
    fn is_request(&self, clause: &Clause) -> bool {
        const STARTS: [&str; 34] = [
            "tell", "say", "specify", "clarify", "let", "name", "which", "what", "who", "whom",
            "whose", "where", "when", "how", "remind", "give", "confirm", "choose", "pick",
            "could", "can", "would", "do", "did", "should", "shall", "for", "repeat", "come", "on",
            "need", "say", "just", "missed",
        ];
        const KNOWING: [&str; 14] = [
            "need",
            "sure",
            "know",
            "wonder",
            "wondering",
            "unsure",
            "unclear",
            "tell",
            "say",
            "specify",
            "catch",
            "missed",
            "hear",
            "understand",
        ];
        let words = self.words_of(clause);
        let is_filler = |word: &&super::Word| {
            matches!(
                word.text.as_str(),
                "please" | "sorry" | "okay" | "ok" | "but" | "and" | "gladly" | "sure"
            )
        };
        let first = words.iter().find(|word| !is_filler(word));
        let begins = first.is_some_and(|word| STARTS.contains(&word.text.as_str()));
        // That it is given up is no question: `I don't know which one you mean, so no.`
        let gives_up = self.words.last().is_some_and(|word| word.text == "no");
        !gives_up && (begins || words.iter().any(|word| KNOWING.contains(&word.text.as_str())))
    }
}
