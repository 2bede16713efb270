//! Numbers and times: whether a reply gives the right one as its answer.

use serde_json::{Value, json};
use toolgauge_core::{Cause, Loss};

use super::context::Context;
use super::truth::alike;
use super::value::{Given, TimeOfDay};
use super::words::word_texts;
use super::{Reply, loss};
use crate::reading::{MeasureUnit, NumberWithUnit, is_same, unit_named};

/// How far a number may be off that is called a rounded one, as a share.
const ROUNDED: f64 = 0.05;
/// How far a number may be off that leaves out its last digits without saying so.
const SHORTENED: f64 = 0.005;

/// Below this, a number without a unit counts things.
const COUNTED: f64 = 100.0;
/// How much farther from a label a number counts that stands behind a comma, in letters.
const OTHER_CLAUSE: usize = 20;

/// A number that a fact wants, and what sets it apart from others in the reply.
pub(super) struct WantedNumber<'a> {
    pub(super) number: f64,
    pub(super) unit: Option<&'a str>,
    pub(super) tolerance: f64,
    pub(super) about: &'a [String],
    pub(super) not: &'a [f64],
    /// Numbers that other facts of the case want.
    pub(super) others: &'a [f64],
}

impl WantedNumber<'_> {
    fn is_met_by(&self, said: &Given<NumberWithUnit>) -> bool {
        let value = self.scaled(&said.value);
        // `A loss of $250` for -250.
        let value = if self.number < 0.0 && said.is_loss { -value.abs() } else { value };
        // `Half of them` for 0.5.
        let is_share = self.unit.is_none() && said.value.unit == Some(MeasureUnit::PERCENT);
        if is_share && is_same(value / 100.0, self.number) {
            return true;
        }
        let off = (value - self.number).abs();
        if off <= self.tolerance + 1e-9 || is_same(value, self.number) {
            return true;
        }
        // Whoever tells as many digits as there are means them.
        let is_exact = self.number.fract() != 0.0 && said.value.step < 1.0 && !said.is_rounded;
        if is_exact && off > said.value.step / 2.0 + 1e-9 {
            return false;
        }
        // Nobody rounds to nine digits: such a number names an account or a telephone.
        if said.value.whole.is_some_and(|whole| whole >= 100_000_000 && !whole.is_multiple_of(1000))
        {
            return false;
        }
        let size = self.number.abs().max(1e-9);
        let rounds = off <= said.value.step / 2.0 + 1e-9;
        // `about 430` for 442 rounds its own last digit; beyond that only two per cent are
        // forgiven.
        (said.is_rounded && off / size <= ROUNDED && rounds.max(off / size <= 0.02))
            || (rounds && off / size <= SHORTENED)
    }

    /// The value in the unit that is wanted.
    fn scaled(&self, said: &NumberWithUnit) -> f64 {
        match (self.unit.and_then(|unit| unit_named(&unit.to_lowercase())), said.unit) {
            (Some(wanted), Some(unit)) if wanted.is_alike(unit) => {
                said.value * unit.in_units_of(wanted)
            }
            _ => said.value,
        }
    }

    /// Whether a length of time is wanted that clocks show.
    fn is_length(&self) -> bool {
        let unit = self.unit.and_then(|unit| unit_named(&unit.to_lowercase()));
        unit.zip(unit_named("seconds")).is_some_and(|(unit, second)| unit.is_alike(second))
    }

    /// Whether a number is no year, or a year is wanted.
    fn is_counted(&self, said: &NumberWithUnit) -> bool {
        !is_year(said)
            || is_year(&NumberWithUnit::plain(self.number))
            || is_same(said.value, self.number)
    }

    /// Whether a number could be meant as this one: it counts the same, or does not say what.
    fn is_alike(&self, said: Option<MeasureUnit>) -> bool {
        match (self.unit.and_then(|unit| unit_named(&unit.to_lowercase())), said) {
            (Some(wanted), Some(said)) => wanted.is_alike(said),
            // What is counted is no money.
            (None, Some(said)) => !said.is_money() || self.number.abs() >= COUNTED,
            _ => true,
        }
    }
}

/// What stands before a `one` that counts.
const ONE_FOLLOWS: [&str; 14] = [
    "only", "just", "exactly", "is", "was", "are", "were", "has", "have", "had", "there's",
    "found", "with", "yes",
];

/// What stands behind a `one` that does not count.
const ONE_PRECEDES: [&str; 8] =
    ["moment", "second", "thing", "more", "another", "day", "time", "sec"];

/// How many words before a number may say that it is a part of another.
const REACH_OF_SHARE: usize = 6;

impl Reply {
    /// What is wrong with the number a reply gives.
    pub(super) fn number(&self, wanted: &WantedNumber<'_>, context: &Context<'_>) -> Option<Loss> {
        let given = if wanted.is_length() { self.numbers_with_lengths() } else { self.numbers() };
        // What is counted is no money, unless money is all that the reply tells of.
        let is_money =
            |said: &Given<NumberWithUnit>| said.value.unit.is_some_and(MeasureUnit::is_money);
        let takes_money = wanted.unit.is_none() && given.iter().all(is_money);
        let alike: Vec<&Given<NumberWithUnit>> = given
            .iter()
            .filter(|said| takes_money || wanted.is_alike(said.value.unit))
            .filter(|said| wanted.is_counted(&said.value))
            .collect();
        let is_held = |said: &&Given<NumberWithUnit>| {
            !said.is_set_aside || self.counts_what_is_not(said, context)
        };
        let held: Vec<&Given<NumberWithUnit>> = alike.iter().copied().filter(is_held).collect();
        let right: Vec<&Given<NumberWithUnit>> =
            held.iter().copied().filter(|said| wanted.is_met_by(said)).collect();
        if right.is_empty() {
            // Where several numbers are wanted, one is often told by comparing it with another.
            let compared =
                wanted.others.len() > 1 && alike.iter().any(|said| wanted.is_met_by(said));
            let is_told = compared || self.says_in_words(wanted, &held, context);
            let cause = if held.is_empty() { Cause::MissingAnswer } else { Cause::WrongAnswer };
            return (!is_told).then(|| loss(cause, shown(wanted), self.plain.as_str()));
        }
        let wrong = self
            .misplaced(wanted, &held, &right, context)
            .or_else(|| self.other_amount(wanted, &given, (&held, &right), context))?;
        Some(loss(Cause::WrongAnswer, shown(wanted), wrong))
    }

    /// Whether the reply says none or one in other words than a number.
    fn says_in_words(
        &self,
        wanted: &WantedNumber<'_>,
        held: &[&Given<NumberWithUnit>],
        context: &Context<'_>,
    ) -> bool {
        // People say `none` or `no` rather than `zero`.
        wanted.number == 0.0 && self.says_none(held, context) && !self.says_one()
            || is_same(wanted.number, 1.0) && held.is_empty() && self.counts_one()
    }

    /// What shows that the right number is not said of what was asked for: another one stands in its
    /// place, it is only a bound, it is of another period, or the reply concludes that there is none.
    fn misplaced(
        &self,
        wanted: &WantedNumber<'_>,
        held: &[&Given<NumberWithUnit>],
        right: &[&Given<NumberWithUnit>],
        context: &Context<'_>,
    ) -> Option<String> {
        let labelled = self.labelled_otherwise(wanted, held);
        let labelled = labelled.map(|wrong| &self.plain[wrong.place.clone()]);
        let nothing = || {
            let concludes = |clause: &&super::clause::Clause| {
                wanted.number != 0.0 && self.concludes_nothing(clause, context)
            };
            self.clauses.iter().find(concludes).map(|clause| self.quote(clause))
        };
        labelled
            .or_else(|| self.open_range(right, wanted.number, context))
            .or_else(nothing)
            .map(str::to_owned)
            .or_else(|| self.wrong_period(right, context))
    }

    /// Another number of the same kind beside the right one that is not so.
    fn other_amount(
        &self,
        wanted: &WantedNumber<'_>,
        given: &[Given<NumberWithUnit>],
        (held, right): (&[&Given<NumberWithUnit>], &[&Given<NumberWithUnit>]),
        context: &Context<'_>,
    ) -> Option<String> {
        let is_known = |said: &Given<NumberWithUnit>| {
            wanted.is_met_by(said)
                || wanted.others.iter().any(|other| is_same(*other, said.value.value))
        };
        let same_unit = |said: &Given<NumberWithUnit>| match (right[0].value.unit, said.value.unit)
        {
            (None, None) => true,
            (Some(one), Some(other)) => one.is_alike(other),
            _ => false,
        };
        let about_right = |said: &Given<NumberWithUnit>| {
            said.is_rounded
                && (wanted.scaled(&said.value) - wanted.number).abs() <= 0.1 * wanted.number.abs()
        };
        let is_other = |said: &&&Given<NumberWithUnit>| {
            let corrects = said.value.unit.is_none() && self.is_correction(said, right);
            !is_known(said) && (same_unit(said) || corrects) && !about_right(said)
        };
        let wrong = held.iter().filter(is_other).find(|said| {
            wanted.not.iter().any(|not| is_same(*not, wanted.scaled(&said.value)))
                && !self.tells_of_past(said.clause)
                && !self.is_replaced(&said.place, right)
                || self.is_alternative(said, right)
                || self.is_correction(said, right)
                || (context.has_sources
                    && self.is_in_sentence_of(said, right)
                    && !self.may_be_added(said, wanted, given)
                    && !self.is_part_in_books(said, wanted.number, context)
                    && !self.is_of_a_thing(said.value.value, context)
                    && !context.supports(&said.value, &pool(wanted, said, given)))
        })?;
        Some(self.plain[wrong.place.clone()].to_owned())
    }

    /// Whether a value stands in the same sentence as a right one. In another sentence it is told of
    /// something else, which nobody has to have looked up: `The other $238,500 came from the bank.`
    pub(super) fn is_in_sentence_of<T, U>(&self, said: &Given<T>, right: &[&Given<U>]) -> bool {
        let sentence = |clause: usize| self.clauses[clause].sentence;
        right.iter().any(|right| sentence(right.clause) == sentence(said.clause))
    }

    /// Whether a number counts things of which something is denied that nobody asked for: `4 repairs
    /// are not finished yet` tells how many are open. In `3 windows are not open` the count is of
    /// others than those that were asked for, and in `the $2,100 are not in force` nothing is counted.
    fn counts_what_is_not(&self, said: &Given<NumberWithUnit>, context: &Context<'_>) -> bool {
        let clause = &self.clauses[said.clause];
        let Some(denial) = self.denial_behind(clause, &said.place) else { return false };
        let behind = self.word_at(said.place.end);
        // Between the number and `are not` stands what is counted.
        let counts = said.value.unit.is_none() && said.value.value.fract() == 0.0;
        let is_asked = |word: &super::Word| context.topic().any(|asked| alike(&word.text, asked));
        counts
            && behind + 1 < denial
            && (context.asks_for_denial()
                || !self.words[denial..clause.words.end].iter().any(is_asked))
            && !self.is_set_aside_before(clause, &said.place)
    }

    /// Whether nobody needs to have told a number: a year, a small count, a share in words, or a
    /// part of what is wanted.
    fn may_be_added(
        &self,
        said: &Given<NumberWithUnit>,
        wanted: &WantedNumber<'_>,
        given: &[Given<NumberWithUnit>],
    ) -> bool {
        let is_count = said.value.unit.is_none()
            && said.value.value <= 12.0
            && said.value.value.fract() == 0.0
            && wanted.unit.is_none();
        let is_word = !self.plain[said.place.clone()].contains(|c: char| c.is_ascii_digit());
        let text = &self.plain[said.place.clone()];
        let is_share = is_word
            && ["half", "quarter", "third", "fifth", "tenth"]
                .iter()
                .any(|part| text.contains(part));
        let is_supposed = self
            .words_of(&self.clauses[said.clause])
            .iter()
            .any(|word| matches!(word.text.as_str(), "would" | "including"));
        // Beside a large amount a small number counts something: `in seven distributions`.
        let counts = |said: &NumberWithUnit| {
            said.unit.is_none() && said.value <= 12.0 && said.value.fract() == 0.0
        };
        let is_small = counts(&said.value) && wanted.number.abs() >= COUNTED;
        is_year(&said.value)
            || self.is_of_other_period(said, wanted)
            || is_small
            || counts(&said.value) && self.is_part_of_them(said)
            || self.is_share_of_it(said)
            || is_supposed
            || is_count && self.tells_of_past(said.clause)
            || is_share
            || self.adds_up(wanted, given)
            || is_term(said, wanted, given)
    }

    /// Whether a number is what the wanted one comes to in a year, or in a month of it: `$1,800 per
    /// month, which is $21,600 a year`.
    fn is_of_other_period(&self, said: &Given<NumberWithUnit>, wanted: &WantedNumber<'_>) -> bool {
        let value = wanted.scaled(&said.value);
        match self.period(&said.place).as_deref() {
            Some("year") => is_same(value, wanted.number * 12.0),
            Some("month") => is_same(value * 12.0, wanted.number),
            _ => false,
        }
    }

    /// Whether a number tells of some of what was counted: `Two of them are urgent.`
    fn is_part_of_them(&self, said: &Given<NumberWithUnit>) -> bool {
        let at = self.word_at(said.place.end);
        let text = |at: usize| self.text_at(at);
        text(at) == "of" && matches!(text(at + 1), "them" | "these" | "those" | "which")
    }

    /// Whether the words before a number say that it is a part of another or a limit beside it: `most
    /// of it for Cedar Point ($27,575)`, `above the required $75,000`.
    fn is_share_of_it(&self, said: &Given<NumberWithUnit>) -> bool {
        const MARKS: [&str; 13] = [
            "share",
            "part",
            "portion",
            "most",
            "remainder",
            "rest",
            "other",
            "required",
            "minimum",
            "maximum",
            "limit",
            "after",
            "less",
        ];
        let at = self.word_at(said.place.start);
        let before = &self.words[at.saturating_sub(REACH_OF_SHARE)..at];
        let of_which = |pair: &[super::Word]| pair[0].text == "of" && pair[1].text == "which";
        // `Two months at $1,075`.
        let is_rate = before.last_chunk().is_some_and(|[counted, at]| {
            at.text == "at" && matches!(&*counted.text, "months" | "years" | "units" | "forms")
        });
        is_rate
            || before.windows(2).any(of_which)
            || before.iter().any(|word| MARKS.contains(&word.text.as_str()))
    }

    /// Whether the other numbers of the reply come to the wanted one: `1,075 each and 1,290`.
    fn adds_up(&self, wanted: &WantedNumber<'_>, given: &[Given<NumberWithUnit>]) -> bool {
        let is_money = |said: &Given<NumberWithUnit>| {
            // Without a currency a small number counts things, and another may be a year.
            let is_amount = || said.value.value.abs() >= COUNTED && !is_year(&said.value);
            said.value.unit.map_or_else(is_amount, MeasureUnit::is_money) && !wanted.is_met_by(said)
        };
        let parts: Vec<&Given<NumberWithUnit>> =
            given.iter().filter(|said| is_money(said)).collect();
        let shares = given.iter().filter(|said| said.value.unit == Some(MeasureUnit::PERCENT));
        let is_share = |share: &Given<NumberWithUnit>| {
            let of = |part: &&Given<NumberWithUnit>| part.value.value * share.value.value / 100.0;
            parts.iter().any(|part| is_same(of(part), wanted.number))
        };
        let sum = |times: f64| -> f64 {
            let part = |said: &&Given<NumberWithUnit>| {
                let behind = self.plain[said.place.end..].trim_start();
                let is_each = behind.starts_with("each") || behind.starts_with("apiece");
                let counted = self.count_before(said, given).unwrap_or(1.0);
                said.value.value * if is_each { times } else { counted }
            };
            parts.iter().map(part).sum()
        };
        // `each` does not say how many; a handful is tried.
        let sums_up = (1_u8..6).any(|times| is_same(sum(times.into()), wanted.number));
        sums_up || shares.into_iter().any(is_share) || is_difference(&parts, wanted)
    }

    /// How many times an amount is counted: `two rents of $1,075`, `two months at $1,075`.
    fn count_before(
        &self,
        said: &Given<NumberWithUnit>,
        given: &[Given<NumberWithUnit>],
    ) -> Option<f64> {
        let at = self.word_at(said.place.start);
        let is_of =
            at.checked_sub(1).is_some_and(|at| matches!(self.words[at].text.as_str(), "of" | "at"));
        let from = self.words.get(at.saturating_sub(4)).map_or(0, |word| word.place.start);
        let count = given.iter().rev().find(|count| {
            count.place.start >= from
                && count.place.end <= said.place.start
                && count.value.unit.is_none_or(|unit| !unit.is_money())
                && count.value.value <= 12.0
        })?;
        is_of.then_some(count.value.value)
    }

    /// Whether words between a value and the right one behind it say that this one took its place.
    pub(super) fn is_replaced<T>(
        &self,
        said: &std::ops::Range<usize>,
        right: &[&Given<T>],
    ) -> bool {
        const MARKS: [&str; 20] = [
            "extended",
            "replaced",
            "replaces",
            "superseded",
            "amended",
            "changed",
            "raised",
            "lowered",
            "increased",
            "reduced",
            "now",
            "later",
            "then",
            "since",
            "today",
            "currently",
            "postponed",
            "moved",
            "applies",
            "counts",
        ];
        let last = right.iter().map(|right| right.place.start).max().unwrap_or_default();
        let between = self.words.iter().filter(|word| (said.end..last).contains(&word.place.start));
        between.into_iter().any(|word| MARKS.contains(&word.text.as_str()))
    }

    /// Whether a clause speaks of what was.
    pub(super) fn tells_of_past(&self, clause: usize) -> bool {
        self.words_of(&self.clauses[clause]).iter().any(|word| {
            matches!(word.text.as_str(), "was" | "were" | "had" | "used" | "earlier" | "old")
        })
    }

    /// Whether a reply says that there is none, and gives no number.
    fn says_none(&self, held: &[&Given<NumberWithUnit>], context: &Context<'_>) -> bool {
        let is_bare = |clause: &super::clause::Clause| matches!(self.words_of(clause), [word] if word.text == "none");
        let begins_so = self.clauses.first().is_some_and(is_bare);
        held.iter().all(|said| self.is_supposed(said) || begins_so && said.value.unit.is_none())
            && !self.is_bare_verdict()
            && self.clauses.iter().any(|clause| {
                !clause.is_question
                    && self.has_denial(clause)
                    && !self.says_unknown(clause)
                    && self.denies_what_is_counted(clause, context)
            })
    }

    /// Whether a clause says that there is none: by a word for it, or by denying what was asked for.
    /// `The database is not responding` denies something else.
    fn denies_what_is_counted(
        &self,
        clause: &super::clause::Clause,
        context: &Context<'_>,
    ) -> bool {
        let words = self.words_of(clause);
        let text = |at: usize| words.get(at).map_or("", |word| word.text.as_str());
        let is_asked = |word: &super::Word| context.topic().any(|asked| alike(&word.text, asked));
        let by_speaker = text(0) == "i";
        let is_short = words.len() <= 2 && matches!(text(0), "no" | "none" | "never");
        let says_so = (0..words.len()).any(|at| match text(at) {
            "none" | "nobody" | "never" => true,
            "nothing" => matches!(text(at + 1), "has" | "was" | "is" | "at" | "so"),
            "no" => text(at + 1) == "one",
            "not" => matches!(text(at + 1), "any" | "anyone" | "anybody" | "one" | "a"),
            _ => false,
        });
        is_short || !by_speaker && (says_so || words.iter().any(is_asked))
    }

    /// Whether a clause concludes that there is nothing of what was asked: `so nothing is open`,
    /// `paying it off is therefore free`.
    fn concludes_nothing(&self, clause: &super::clause::Clause, context: &Context<'_>) -> bool {
        let words = self.words_of(clause);
        let says = |names: &[&str]| words.iter().any(|word| names.contains(&word.text.as_str()));
        let first = words.first().map_or("", |word| word.text.as_str());
        let has_figure = || {
            let numbers = self.numbers();
            numbers.iter().any(|said| clause.place.contains(&said.place.start))
        };
        (first == "so" || says(&["therefore", "thus", "hence", "consequently"]))
            && (says(&["nothing", "none", "nobody"]) || says(&["free"]) && !has_figure())
            && !says(&["else", "other", "more", "further", "left", "changed", "changes"])
            && context.topic().any(|asked| words.iter().any(|word| word.text == asked))
    }

    /// Whether a number is told of what may come: `only if it is not fixed by then, $250`.
    fn is_supposed(&self, said: &Given<NumberWithUnit>) -> bool {
        let sentence = self.clauses[said.clause].sentence;
        let clauses = self.clauses.iter().filter(|clause| clause.sentence == sentence);
        clauses.flat_map(|clause| self.words_of(clause)).any(|word| {
            matches!(word.text.as_str(), "if" | "would" | "could" | "may" | "might" | "unless")
        })
    }

    /// `One of them was evicted`, which is not none.
    fn says_one(&self) -> bool {
        self.clauses.iter().any(|clause| {
            let words = self.words_of(clause);
            let counts = |pair: &[super::Word]| {
                pair[0].text == "one" && matches!(pair[1].text.as_str(), "of" | "was" | "tenant")
            };
            !self.has_denial(clause) && !clause.is_question && words.windows(2).any(counts)
        })
    }

    /// `One.`, `only one`, `there is one`: an amount, unlike `the bedroom one` and `one moment`.
    fn counts_one(&self) -> bool {
        self.clauses.iter().any(|clause| {
            let words = self.words_of(clause);
            let text = |at: usize| words.get(at).map_or("", |word| word.text.as_str());
            let counts = |at: usize| {
                let before = at.checked_sub(1).map_or("", text);
                let is_amount = before.is_empty() || ONE_FOLLOWS.contains(&before);
                text(at) == "one" && is_amount && !ONE_PRECEDES.contains(&text(at + 1))
            };
            !self.has_denial(clause) && !clause.is_question && (0..words.len()).any(counts)
        })
    }

    /// A number that stands where the right one belongs, by the words that go with it.
    fn labelled_otherwise<'g>(
        &self,
        wanted: &WantedNumber<'_>,
        held: &[&'g Given<NumberWithUnit>],
    ) -> Option<&'g Given<NumberWithUnit>> {
        let labels = wanted.about.iter().map(|label| word_texts(label)).collect::<Vec<_>>();
        let mut nearest = Vec::new();
        let pieces = self.pieces();
        let piece_of = |at: usize| pieces.iter().position(|piece| piece.contains(&at));
        // What only counts has no unit.
        let is_candidate = |said: &&&'g Given<NumberWithUnit>| match wanted.unit {
            Some(_) => true,
            // `a year later` is no amount beside one of thousands.
            None if wanted.number >= COUNTED => said.value.value.abs() > 12.0,
            None => said.value.unit.is_none(),
        };
        let is_part_of_sum = |said: &Given<NumberWithUnit>| {
            let terms = held.iter().filter(|other| other.place != said.place);
            said.value.value.abs() >= COUNTED
                && terms
                    .into_iter()
                    .any(|other| is_same(said.value.value + other.value.value, wanted.number))
        };
        for (at, window) in labels.iter().flat_map(|label| self.places_of(label)) {
            let place = self.words[at].place.start;
            let clause = self.clauses.iter().position(|clause| clause.words.contains(&at));
            let sentence = clause.map(|clause| self.clauses[clause].sentence);
            let near = held
                .iter()
                .filter(is_candidate)
                .filter(|said| Some(self.clauses[said.clause].sentence) == sentence)
                .filter(|said| wanted.is_met_by(said) || !is_part_of_sum(said))
                .min_by_key(|said| {
                    // Within a piece of a sentence a label may stand on either side of its number;
                    // elsewhere it leads to the number behind it.
                    let is_beside = piece_of(said.place.start) == piece_of(place);
                    let gap = said.place.start.saturating_sub(place + window)
                        + place.saturating_sub(said.place.end);
                    let far = said.place.start.abs_diff(place + window);
                    let far = if is_beside { gap } else { far };
                    // `142,100 in 2024 to 149,850`: what stands behind such a word is another.
                    let number = self.words.partition_point(|w| w.place.start < said.place.start);
                    let back = |by: usize| self.text_before(number, by);
                    // `no later than 20 days` gives the value itself.
                    let compares = back(1) == "than" && !matches!(back(3), "no" | "not");
                    let is_other = said.place.start > place
                        && (back(1) == "to" && self.has_from(said.place.start)
                            || compares
                            || matches!(back(1), "against" | "versus" | "became"));
                    let far = far + if is_other { 2 * OTHER_CLAUSE } else { 0 };
                    far + if piece_of(said.place.start) == piece_of(place) {
                        0
                    } else {
                        OTHER_CLAUSE
                    }
                });
            nearest.extend(near.copied());
        }
        if nearest.is_empty() || nearest.iter().any(|said| wanted.is_met_by(said)) {
            return None;
        }
        nearest.into_iter().next()
    }

    /// Whether `from` stands before this place in its sentence, so that `to` gives the second of
    /// two values.
    fn has_from(&self, place: usize) -> bool {
        let start = self.plain[..place].rfind(['.', ';', '!', '?']).unwrap_or(0);
        let before = self.words.iter().filter(|word| (start..place).contains(&word.place.start));
        before.into_iter().any(|word| word.text == "from")
    }

    /// Where a name stands in a clause.
    pub(super) fn places_within(&self, clause: &super::clause::Clause, name: &str) -> Vec<usize> {
        let places = self.places_of(&word_texts(name)).into_iter().map(|(at, _)| at);
        places.filter(|at| clause.words.contains(at)).collect()
    }

    /// Where words stand in the reply: the number of the first, and the length in bytes.
    pub(super) fn places_of(&self, label: &[String]) -> Vec<(usize, usize)> {
        if label.is_empty() {
            return Vec::new();
        }
        let stems: Vec<_> = label.iter().map(|word| crate::reading::stem(word)).collect();
        let found = self.words.windows(label.len()).enumerate().filter(|(_, window)| {
            window.iter().zip(label.iter().zip(&stems)).all(|(word, (label, stem))| {
                word.text == *label || crate::reading::stem(&word.text) == *stem
            })
        });
        found
            .map(|(at, window)| {
                let length = window.last().map_or(0, |last| last.place.end) - window[0].place.start;
                (at, length)
            })
            .collect()
    }

    /// Whether a value is named beside the right one as another that may hold: `7 or 8`.
    pub(super) fn is_alternative<T, U>(&self, said: &Given<T>, right: &[&Given<U>]) -> bool {
        right.iter().any(|right| {
            let (one, other) = if right.place.start < said.place.start {
                (&right.place, &said.place)
            } else {
                (&said.place, &right.place)
            };
            let between = self.plain.get(one.end..other.start).unwrap_or_default().to_lowercase();
            let words: Vec<&str> = between.split_whitespace().collect();
            words.len() <= 3 && words.iter().any(|word| word.trim_matches(',') == "or")
        })
    }

    /// Whether a value takes back the right one before it: `12. Actually, 14.`
    pub(super) fn is_correction<T, U>(&self, said: &Given<T>, right: &[&Given<U>]) -> bool {
        let last = right.iter().map(|right| right.place.end).max().unwrap_or_default();
        if said.place.start < last {
            return false;
        }
        let between = self.plain.get(last..said.place.start).unwrap_or_default().to_lowercase();
        [
            "actually",
            "correction",
            "i mean",
            "rather",
            "no,",
            "wait",
            "scratch that",
            "in fact",
            "make that",
            "well,",
        ]
        .iter()
        .any(|word| between.contains(word))
    }

    /// What is wrong with the time of day a reply gives.
    pub(super) fn time(&self, time: &str, tolerance: f64) -> Option<Loss> {
        let (hour, minute) = time.split_once(':')?;
        let wanted = hour.parse::<u32>().ok()? * 60 + minute.parse::<u32>().ok()?;
        let given = self.times();
        let held: Vec<&Given<TimeOfDay>> = given.iter().filter(|said| !said.is_set_aside).collect();
        let fits =
            |said: &&&Given<TimeOfDay>| said.value.is_near(wanted, tolerance, said.is_rounded);
        if held.iter().find(fits).is_none() {
            let cause = if held.is_empty() { Cause::MissingAnswer } else { Cause::WrongAnswer };
            return Some(loss(cause, time, self.plain.as_str()));
        }
        let right: Vec<&Given<TimeOfDay>> = held.iter().filter(fits).copied().collect();
        let wrong = held
            .iter()
            .filter(|said| !fits(said))
            .find(|said| self.is_alternative(said, &right) || self.is_correction(said, &right));
        wrong.map(|wrong| loss(Cause::WrongAnswer, time, &self.plain[wrong.place.clone()]))
    }
}

impl TimeOfDay {
    fn is_near(self, wanted: u32, tolerance: f64, is_rounded: bool) -> bool {
        let room = if is_rounded { tolerance.max(5.0) } else { tolerance };
        let near = |minutes: u32| f64::from(minutes.abs_diff(wanted)) <= room;
        near(self.minutes) || (self.either_half && near((self.minutes + 720) % 1440))
    }
}

/// Whether a number is a year.
pub(super) fn is_year(number: &NumberWithUnit) -> bool {
    number.unit.is_none() && number.value.fract() == 0.0 && (1900.0..2100.0).contains(&number.value)
}

fn shown(wanted: &WantedNumber<'_>) -> Value {
    match wanted.unit {
        Some(unit) => json!(format!("{} {unit}", wanted.number)),
        None => json!(wanted.number),
    }
}

/// Whether a number and another one of the reply come to a number that is wanted: `$11,550 plus
/// $26,950, i.e. $38,500`.
fn is_term(
    said: &Given<NumberWithUnit>,
    wanted: &WantedNumber<'_>,
    given: &[Given<NumberWithUnit>],
) -> bool {
    let is_wanted = |sum: f64| {
        is_same(sum, wanted.number) || wanted.others.iter().any(|other| is_same(sum, *other))
    };
    // Small numbers add up to one another by accident.
    let is_amount = |other: &&Given<NumberWithUnit>| {
        other.place != said.place && other.value.value.abs() >= COUNTED
    };
    said.value.value.abs() >= COUNTED
        && given
            .iter()
            .filter(is_amount)
            .any(|other| is_wanted(said.value.value + other.value.value))
}

/// Whether the wanted number is the difference of two others: `$142,100 became $149,850`.
fn is_difference(parts: &[&Given<NumberWithUnit>], wanted: &WantedNumber<'_>) -> bool {
    let [one, other] = parts else { return false };
    is_same((one.value.value - other.value.value).abs(), wanted.number)
}

/// The numbers that another may follow from: those that are wanted, their sum, and the others
/// that are said.
fn pool(
    wanted: &WantedNumber<'_>,
    said: &Given<NumberWithUnit>,
    all: &[Given<NumberWithUnit>],
) -> Vec<f64> {
    let others =
        all.iter().filter(|other| other.place != said.place).map(|other| other.value.value);
    let sum = wanted.others.iter().sum::<f64>();
    wanted.others.iter().copied().chain([sum]).chain(others).collect()
}
