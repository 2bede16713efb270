//! The slots of a llama.cpp server, and which prompt each of them has at hand.
//!
//! A slot keeps what it read last. A request that starts the same reads only the rest, so that a
//! prompt of thousands of tokens is read once for each slot and not once for each request, if
//! requests go where their prompt already is.

use std::fmt::Write as _;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use toolgauge_core::{Briefing, PromptReads, Request, TrialId, Usage};

/// About how many tokens of a request that only says "Hello" are not the prompt: the word itself
/// and what a chat template writes around it.
const GREETING_TOKENS: u64 = 8;

/// The slots of one server, shared by all who ask it. Does nothing until it is told that the
/// server has slots.
#[derive(Debug, Default)]
pub struct PromptSlots {
    state: Mutex<SlotTable>,
}

#[derive(Debug, Default)]
struct SlotTable {
    slots: Vec<Slot>,
    /// Counts requests, to find the slot that was not used for longest.
    requests: u64,
    reads: PromptReads,
    /// Every prompt that some slot has read, with its tokens.
    known: Vec<KnownPrompt>,
    /// The longest reading so far.
    longest: Option<Reading>,
}

/// So many tokens, read from no cache in so much time.
#[derive(Clone, Copy, Debug)]
struct Reading {
    tokens: u64,
    time: Duration,
}

impl Reading {
    /// How long so many tokens would take; `None` if the reading was too short to tell. A few
    /// tokens take about as long as one, whatever the speed is.
    fn scaled(self, tokens: u64) -> Option<Duration> {
        let is_enough = self.tokens > 0 && self.tokens.saturating_mul(2) >= tokens;
        #[expect(clippy::cast_precision_loss, reason = "a context is far shorter")]
        let share = tokens as f64 / self.tokens as f64;
        let seconds = is_enough.then_some(self.time.as_secs_f64() * share)?;
        Duration::try_from_secs_f64(seconds).ok()
    }
}

#[derive(Debug, Default)]
struct Slot {
    /// The prompt it has at hand.
    briefing: Option<Arc<Briefing>>,
    /// The trial it served last, and the tokens of that request.
    last: Option<(TrialId, u64)>,
    /// How many requests are under way in it.
    under_way: usize,
    last_used: u64,
}

#[derive(Debug)]
struct KnownPrompt {
    briefing: Arc<Briefing>,
    slot: usize,
    tokens: u64,
    /// What was read of it when it was read first.
    reading: Reading,
}

impl PromptSlots {
    /// Takes note that the server has so many slots.
    pub(crate) fn know(&self, count: usize) {
        let mut state = self.lock();
        // A second look at the same server must not forget what its slots hold.
        if state.slots.len() != count {
            state.slots = std::iter::repeat_with(Slot::default).take(count).collect();
        }
    }

    /// How many slots there are; `None` for a server that is not known to have any.
    pub fn count(&self) -> Option<usize> {
        Some(self.lock().slots.len()).filter(|count| *count > 0)
    }

    /// What was read so far, if the server counts it.
    pub fn reads(&self) -> Option<PromptReads> {
        Some(self.lock().reads).filter(|reads| reads.anew > 0)
    }

    /// Takes note that the server may have been restarted: no slot holds anything any more.
    pub(crate) fn forget(&self) {
        for slot in &mut self.lock().slots {
            slot.briefing = None;
            slot.last = None;
        }
    }

    /// A slot for a request: one that has its prompt at hand, if there is one.
    pub(crate) fn reserve(self: &Arc<Self>, request: &Request<'_>) -> Option<SlotReservation> {
        let mut state = self.lock();
        let slot = state.best_for(request)?;
        state.requests += 1;
        let (number, requests) = (slot, state.requests);
        let slot = &mut state.slots[number];
        slot.under_way += 1;
        slot.last_used = requests;
        Some(SlotReservation { slots: Arc::clone(self), number })
    }

    fn lock(&self) -> MutexGuard<'_, SlotTable> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SlotTable {
    fn best_for(&self, request: &Request<'_>) -> Option<usize> {
        let rank = |slot: &Slot| {
            let same_trial = slot.last.as_ref().is_some_and(|(trial, _)| trial == request.trial);
            let same_prompt = slot.holds(request.briefing);
            // A slot that is busy makes the request wait; one that must read the prompt anew makes
            // it wait longer, but only once.
            let order = match (slot.under_way, same_prompt) {
                (0, true) if same_trial => 0,
                (0, true) => 1,
                (0, false) if slot.briefing.is_none() => 2,
                (0, false) => 3,
                (_, true) => 4,
                (_, false) => 5,
            };
            // Of equal slots the one that waited longest, so that prompts are kept as long as
            // possible.
            (order, slot.under_way, slot.last_used)
        };
        let ranked = self.slots.iter().enumerate().min_by_key(|(_, slot)| rank(slot));
        ranked.map(|(number, _)| number)
    }

    fn known(&self, briefing: &Arc<Briefing>, slot: usize) -> Option<&KnownPrompt> {
        let known = self.known.iter().rev();
        let mut same = known.filter(|known| Arc::ptr_eq(&known.briefing, briefing));
        same.find(|known| known.slot == slot)
    }

    /// How long reading all of a prompt takes: by its own reading, or where most of it was in the
    /// cache even then, by the longest one of another prompt.
    fn cold_prompt(&self, briefing: &Arc<Briefing>, slot: usize) -> Option<Duration> {
        let known = self.known(briefing, slot)?;
        let own = known.reading.scaled(known.tokens);
        own.or_else(|| self.longest?.scaled(known.tokens))
    }
}

impl Slot {
    fn holds(&self, briefing: &Arc<Briefing>) -> bool {
        self.briefing.as_ref().is_some_and(|held| Arc::ptr_eq(held, briefing))
    }
}

/// A slot that a request goes to. It is free again when this is dropped.
#[derive(Debug)]
pub(crate) struct SlotReservation {
    slots: Arc<PromptSlots>,
    number: usize,
}

impl SlotReservation {
    /// The fields by which llama.cpp takes a request to this slot, to stand at the end of a body;
    /// none where there is only one slot. Fields that somebody asked for are left to them.
    pub(crate) fn fields(&self, asked_for: impl Fn(&str) -> bool) -> String {
        let several = self.slots.lock().slots.len() > 1;
        let fields = [("id_slot", self.number.to_string()), ("cache_prompt", "true".to_owned())];
        let mut text = String::new();
        for (name, value) in fields.into_iter().filter(|(name, _)| several && !asked_for(name)) {
            // Writing to a string cannot fail.
            let _ = write!(text, ",\"{name}\":{value}");
        }
        text
    }

    /// Whether the slot has this prompt at hand. If not it is taken to have it from now on, since
    /// whoever asks reads it next.
    pub(crate) fn claim(&self, briefing: &Arc<Briefing>) -> bool {
        let mut state = self.slots.lock();
        let slot = &mut state.slots[self.number];
        let held = slot.holds(briefing);
        slot.briefing = Some(Arc::clone(briefing));
        held
    }

    /// Takes note that the slot has nothing at hand after all.
    pub(crate) fn release(&self) {
        self.slots.lock().slots[self.number].briefing = None;
    }

    /// Counts what was read for a prompt in advance, and how long that took.
    pub(crate) fn note_prompt(&self, briefing: &Arc<Briefing>, usage: Usage, time: Duration) {
        let (Some(input), Some(cached)) = (usage.input, usage.cached) else { return };
        let mut state = self.slots.lock();
        let anew = input.saturating_sub(cached);
        state.reads.anew = state.reads.anew.saturating_add(anew);
        let reading = Reading { tokens: anew, time };
        if state.longest.is_none_or(|longest| longest.tokens < anew) {
            state.longest = Some(reading);
        }
        if state.known(briefing, self.number).is_none() {
            // What another prompt began with already was not read again, and need not be.
            state.reads.least = state.reads.least.saturating_add(anew);
            let (briefing, slot) = (Arc::clone(briefing), self.number);
            state.known.push(KnownPrompt { briefing, slot, tokens: input, reading });
        }
    }

    /// Counts what was read for a request of a trial. Returns how long its prompt takes to read
    /// where it is in no cache: for the first request of a trial, since later ones follow at once.
    pub(crate) fn note_request(&self, request: &Request<'_>, usage: Usage) -> Option<Duration> {
        let (input, cached) = (usage.input?, usage.cached?);
        let mut state = self.slots.lock();
        let prompt = state.known(request.briefing, self.number).map(|known| known.tokens);
        let earlier = state.slots[self.number].last.take();
        let earlier = earlier.filter(|(trial, _)| trial == request.trial).map(|(_, tokens)| tokens);
        let prompt = prompt.map(|tokens| tokens.saturating_sub(GREETING_TOKENS));
        // A later turn begins with the whole request of the turn before.
        let shared = earlier.or(prompt).unwrap_or(0);
        let anew = input.saturating_sub(cached);
        let reads = PromptReads { anew, least: anew.min(input.saturating_sub(shared)) };
        state.reads = state.reads.plus(reads);
        state.slots[self.number].last = Some((request.trial.clone(), input));
        let is_first = earlier.is_none();
        is_first.then(|| state.cold_prompt(request.briefing, self.number)).flatten()
    }
}

impl Drop for SlotReservation {
    fn drop(&mut self) {
        let mut state = self.slots.lock();
        if let Some(slot) = state.slots.get_mut(self.number) {
            slot.under_way = slot.under_way.saturating_sub(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use toolgauge_core::{CaseId, Message};

    use super::*;

    fn briefing(system: &str) -> Arc<Briefing> {
        Arc::new(Briefing { system: Some(system.into()), tools: Arc::new([]) })
    }

    struct Asked {
        briefing: Arc<Briefing>,
        trial: TrialId,
        conversation: [Message; 1],
    }

    impl Asked {
        fn new(briefing: &Arc<Briefing>, case: &str) -> Self {
            let trial = TrialId { case: CaseId::new(case), trial: 1 };
            let conversation = [Message::user("turn it on")];
            Self { briefing: Arc::clone(briefing), trial, conversation }
        }

        fn request(&self) -> Request<'_> {
            let (briefing, conversation) = (&self.briefing, &self.conversation);
            Request { briefing, conversation, trial: &self.trial, seed: None }
        }
    }

    fn slots(count: usize) -> Arc<PromptSlots> {
        let slots = Arc::new(PromptSlots::default());
        slots.know(count);
        slots
    }

    #[test]
    fn a_server_without_slots_gets_no_fields() {
        let asked = Asked::new(&briefing("a"), "one");
        assert!(Arc::new(PromptSlots::default()).reserve(&asked.request()).is_none());
        let only = slots(1).reserve(&asked.request()).unwrap().fields(|_| false);
        assert_eq!(only, "", "one slot needs no number");
    }

    #[test]
    fn requests_go_where_their_prompt_is() {
        let (a, b) = (briefing("a"), briefing("b"));
        let slots = slots(3);
        let number = |briefing: &Arc<Briefing>, case: &str| {
            let asked = Asked::new(briefing, case);
            let reserved = slots.reserve(&asked.request()).unwrap();
            reserved.claim(briefing);
            reserved.number
        };
        let (first, second) = (number(&a, "one"), number(&b, "two"));
        assert_ne!(first, second);
        for case in ["three", "four"] {
            assert_eq!((number(&a, case), number(&b, case)), (first, second));
        }
        let busy = Asked::new(&a, "five");
        let busy = slots.reserve(&busy.request()).unwrap();
        assert_ne!(number(&a, "six"), second, "a third slot is free");
        assert_eq!(busy.fields(|_| false), format!(",\"id_slot\":{first},\"cache_prompt\":true"));
        assert_eq!(busy.fields(|name| name == "cache_prompt"), format!(",\"id_slot\":{first}"));
    }

    #[test]
    fn what_is_read_twice_is_more_than_the_least() {
        let (a, slots) = (briefing("a"), slots(1));
        let usage =
            |input, cached| Usage { input: Some(input), cached: Some(cached), ..Usage::default() };
        let asked = Asked::new(&a, "one");
        let reserved = slots.reserve(&asked.request()).unwrap();
        let time = Duration::from_secs(20);
        reserved.note_prompt(&a, usage(1000, 0), time);
        reserved.note_request(&asked.request(), usage(1010, 992));
        reserved.note_request(&asked.request(), usage(1050, 1010));
        assert_eq!(slots.reads(), Some(PromptReads { anew: 1058, least: 1058 }));
        reserved.note_prompt(&a, usage(1000, 0), time);
        reserved.note_request(&Asked::new(&a, "two").request(), usage(1010, 0));
        assert_eq!(slots.reads(), Some(PromptReads { anew: 3068, least: 1076 }));
    }

    #[test]
    fn a_cold_prompt_takes_as_long_as_reading_it_did() {
        let (a, b, slots) = (briefing("a"), briefing("b"), slots(1));
        let usage =
            |input, cached| Usage { input: Some(input), cached: Some(cached), ..Usage::default() };
        let (of_a, of_b) = (Asked::new(&a, "one"), Asked::new(&b, "two"));
        let reserved = slots.reserve(&of_a.request()).unwrap();
        // The server still had most of it from an earlier run, which tells nothing of its speed.
        reserved.note_prompt(&b, usage(2000, 1999), Duration::from_secs(1));
        assert_eq!(reserved.note_request(&of_b.request(), usage(2010, 2000)), None);
        reserved.note_prompt(&a, usage(1000, 200), Duration::from_secs(8));
        let cold = reserved.note_request(&of_a.request(), usage(1010, 992));
        assert_eq!(cold, Some(Duration::from_secs(10)), "eight seconds for 800 of 1000 tokens");
        let later = reserved.note_request(&of_a.request(), usage(1050, 1010));
        assert_eq!(later, None, "later turns find everything in the cache");
        let other = Asked::new(&b, "three");
        assert_eq!(reserved.note_request(&other.request(), usage(2010, 2000)), None);
        reserved.note_prompt(&briefing("c"), usage(3000, 0), Duration::from_secs(30));
        let other = Asked::new(&b, "four");
        let cold = reserved.note_request(&other.request(), usage(2010, 2000));
        assert_eq!(cold, Some(Duration::from_secs(20)), "at the speed of another prompt");
    }

    #[test]
    fn after_a_restart_no_slot_holds_anything() {
        let (a, slots) = (briefing("a"), slots(1));
        let asked = Asked::new(&a, "one");
        let reserved = slots.reserve(&asked.request()).unwrap();
        assert!(!reserved.claim(&a));
        assert!(reserved.claim(&a));
        slots.know(1);
        assert!(reserved.claim(&a), "a second look changes nothing");
        slots.forget();
        assert!(!reserved.claim(&a));
    }
}
