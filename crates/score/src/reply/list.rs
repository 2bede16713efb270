//! What a report tells of a list, held against its items before and after.

use serde_json::Value;
use toolgauge_core::{Cause, Loss, WorldThing};

use super::clause::Clause;
use super::context::Context;
use super::words::Word;
use super::{Reply, loss};
use crate::reading::is_same;

const REMOVING: [&str; 14] = [
    "removed",
    "removing",
    "off",
    "took",
    "taken",
    "deleted",
    "gone",
    "ticked",
    "crossed",
    "done",
    "checked",
    "completed",
    "struck",
    "bought",
];
const ADDING: [&str; 6] = ["added", "adding", "put", "noted", "on", "wrote"];
const STAYING: [&str; 7] = ["still", "left", "remain", "remains", "next", "remaining", "now"];

/// A list before and after, by the words of its items. What is ticked off is no longer on it.
struct ListChange {
    before: Vec<Vec<String>>,
    after: Vec<Vec<String>>,
}

impl ListChange {
    fn read(pair: &Value) -> Option<Self> {
        let open = |at: usize| {
            let items = items(pair, at)?.into_iter();
            let open = items.filter(|item| !item.ends_with("(completed)"));
            Some(open.map(WorldThing::words_of).collect())
        };
        Some(Self { before: open(0)?, after: open(1)? })
    }

    /// The items that words name, each by all its words; a longer one holds a shorter one: `oat
    /// milk` names no milk.
    fn named(&self, words: &[Word]) -> Vec<&[String]> {
        let mut all: Vec<&[String]> =
            self.before.iter().chain(&self.after).map(Vec::as_slice).collect();
        all.sort_by_key(|item| std::cmp::Reverse(item.len()));
        all.dedup();
        let mut taken = vec![false; words.len()];
        let mut found = Vec::new();
        for item in all.into_iter().filter(|item| !item.is_empty()) {
            let places = words.windows(item.len()).enumerate().filter(|(at, window)| {
                !taken[*at..*at + item.len()].contains(&true)
                    && window.iter().zip(item).all(|(word, own)| word.text == *own)
            });
            let places: Vec<usize> = places.map(|(at, _)| at).collect();
            for at in &places {
                taken[*at..*at + item.len()].fill(true);
            }
            if !places.is_empty() {
                found.push(item);
            }
        }
        found
    }
}

/// The items of a list before (0) or after (1) it was changed.
pub(super) fn items(change: &Value, at: usize) -> Option<Vec<&str>> {
    Some(change.get(at)?.as_array()?.iter().filter_map(Value::as_str).collect())
}

impl<'a> Context<'a> {
    /// The changes of lists, each with the items before and after.
    pub(super) fn changed_lists(&self) -> impl Iterator<Item = &'a Value> {
        let changes = self.changes.and_then(Value::as_object).into_iter().flatten();
        changes.filter_map(|(_, change)| change.get("items"))
    }
}

impl Reply {
    /// A statement about a list that was changed which is not so.
    pub(super) fn wrong_about_list(&self, context: &Context<'_>) -> Option<Loss> {
        let lists: Vec<ListChange> = context.changed_lists().filter_map(ListChange::read).collect();
        let clause = self.clauses.iter().find(|clause| {
            let is_plain =
                !clause.is_question && !self.is_conditional(clause) && !self.offers(clause);
            is_plain && lists.iter().any(|list| self.is_false_of_list(clause, list))
        })?;
        Some(loss(Cause::FalseClaim, "what was done", self.quote(clause)))
    }

    fn is_false_of_list(&self, clause: &Clause, list: &ListChange) -> bool {
        let words = self.words_of(clause);
        let says = |names: &[&str]| words.iter().any(|word| names.contains(&&*word.text));
        let was = |item: &[String]| list.before.iter().any(|own| own == item);
        let is = |item: &[String]| list.after.iter().any(|own| own == item);
        let named = list.named(words);
        if self.has_denial(clause) {
            // `Bread wasn't on the list`, `The eggs still aren't on it`.
            let is_listed = says(&["list"]) || says(&["on"]);
            return says(&["was", "were"]) && says(&["list"]) && named.iter().any(|item| was(item))
                || says(&["is", "are"]) && is_listed && named.iter().any(|item| is(item));
        }
        // `It's still on there`, where it was taken off.
        let all_gone = list.after.len() < list.before.len();
        if all_gone
            && named.is_empty()
            && says(&["it", "they"])
            && says(&["still"])
            && says(&["on"])
        {
            return true;
        }
        // `I took them off again`, where something was put on it.
        let all_new = list.before.iter().all(|item| is(item));
        if all_new
            && named.is_empty()
            && says(&["it", "them", "is", "are"])
            && says(&["ticked", "crossed", "struck", "removed", "took", "deleted"])
            && says(&["i", "already", "again"])
        {
            return true;
        }
        // `It's the only thing on the list`, `the list is empty now`.
        let is_only = super::words::phrase_at(&self.texts_of(clause), &["the", "only"]).is_some();
        if is_only && says(&["thing", "item"]) && says(&["list", "it"]) && list.after.len() > 1
            || says(&["empty"]) && !list.after.is_empty()
        {
            return true;
        }
        // `It has gone onto your list.`
        let adds = says(&ADDING) || says(&["onto"]);
        let removes = says(&REMOVING) && !says(&["onto"]);
        let told = match (removes, adds) {
            (true, false) => named.iter().any(|item| is(item)) && !says(&STAYING),
            (false, true) => {
                // What stood there before was not put there, but may be told as being on it.
                let stays = says(&STAYING) || says(&["already"]);
                let puts = says(&["added", "adding", "put"]) && !stays;
                named.iter().any(|item| !is(item) && !says(&["was"]) || puts && was(item))
            }
            _ => false,
        };
        told || self.miscounts_items(clause, list)
    }

    /// `Your list has three items` where it has six.
    fn miscounts_items(&self, clause: &Clause, list: &ListChange) -> bool {
        let new = list.after.iter().filter(|item| !list.before.contains(item)).count();
        let gone = list.before.iter().filter(|item| !list.after.contains(item)).count();
        let words = self.words_of(clause);
        let holds = words.iter().any(|word| matches!(&*word.text, "has" | "have" | "now" | "are"));
        let rests = words.iter().any(|word| matches!(&*word.text, "left" | "remain" | "remaining"));
        let puts = !rests
            && words
                .iter()
                .any(|word| ADDING[..3].contains(&&*word.text) || REMOVING.contains(&&*word.text));
        let counts: Vec<usize> = match (holds && !puts, puts && !holds) {
            (true, _) => vec![list.after.len()],
            (_, true) => vec![new, gone],
            _ => vec![list.after.len(), new, gone],
        };
        self.numbers_in(clause).any(|said| {
            let noun = self.word_behind(&said.place);
            let is_count = |count: &usize| {
                u32::try_from(*count).is_ok_and(|n| is_same(n.into(), said.value.value))
            };
            matches!(noun, "items" | "things" | "item" | "thing" | "entries")
                && !counts.iter().any(is_count)
        })
    }
}
