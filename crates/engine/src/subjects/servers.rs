//! What all subjects of a run know of its servers: the slots of each, what each has under way, and
//! which of them answers.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use toolgauge_core::{Briefing, PromptReads};
use toolgauge_model::PromptSlots;

/// How long a server is left alone after it did not answer. Each further time it is twice as long.
const FIRST_PAUSE: Duration = Duration::from_secs(2);
const LONGEST_PAUSE: Duration = Duration::from_secs(30);
/// After so many requests in a row that ran out of time, a server counts as gone. A single one may
/// have been a long answer.
const MOST_TIMEOUTS: u32 = 3;

/// The servers of a run, shared by the subjects of all its variants.
#[derive(Debug, Default)]
pub struct Servers {
    states: Mutex<Vec<ServerState>>,
}

#[derive(Debug, Default)]
struct ServerState {
    slots: Arc<PromptSlots>,
    /// How many requests are under way.
    under_way: usize,
    /// How many were answered.
    answered: u64,
    /// The prompt of the request that it got last.
    briefing: Option<Arc<Briefing>>,
    /// Until when it is left alone, and for how long in all.
    away: Option<Away>,
    /// How often it was found to be away after it had answered.
    absences: u32,
    timeouts: u32,
}

#[derive(Clone, Copy, Debug)]
struct Away {
    until: Instant,
    pause: Duration,
}

/// What one server did in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ServerShare {
    /// How many requests it answered.
    pub answered: u64,
    /// How often it stopped answering.
    pub absences: u32,
}

/// Among how many servers requests are spread.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spread {
    /// How many servers there are.
    pub(super) servers: usize,
    /// How many requests each is to have under way.
    pub(super) share: usize,
}

/// How a request to a server ended, as far as it shows whether the server is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    /// It answered, be it with an error.
    Answer,
    /// Nobody was there, or it said that it is not ready.
    Nobody,
    /// It did not answer in time.
    Timeout,
}

impl Servers {
    /// How many slots all of them have; `None` if one is not known to have any.
    pub fn slots(&self) -> Option<usize> {
        let states = self.lock();
        let slots = states.iter().map(|state| state.slots.count()).sum::<Option<usize>>();
        slots.filter(|slots| *slots > 0)
    }

    /// What they read of prompts, as far as they count it.
    pub fn prompt_reads(&self) -> Option<PromptReads> {
        let states = self.lock();
        states.iter().filter_map(|state| state.slots.reads()).reduce(PromptReads::plus)
    }

    /// What each of them did.
    pub fn shares(&self) -> Vec<ServerShare> {
        let share = |state: &ServerState| ServerShare {
            answered: state.answered,
            absences: state.absences,
        };
        self.lock().iter().map(share).collect()
    }

    /// The slots of one server.
    pub(super) fn slots_of(&self, number: usize) -> Arc<PromptSlots> {
        Arc::clone(&at(&mut self.lock(), number).slots)
    }

    /// The server for a request that is made `now`, out of those that were not `tried`; `None` if
    /// all of them were. A server gets more than its share only if others are away.
    pub(super) fn choose(
        self: &Arc<Self>,
        spread: Spread,
        briefing: &Arc<Briefing>,
        tried: &[usize],
        now: Instant,
    ) -> Option<UnderWay> {
        let mut states = self.lock();
        at(&mut states, spread.servers.saturating_sub(1));
        let rank = |state: &ServerState| {
            let holds = state.briefing.as_ref().is_some_and(|held| Arc::ptr_eq(held, briefing));
            // A server that is away gets one request when its pause is over. If all are away, the
            // one whose pause ends first is asked, because somebody has to be.
            let wait = state.away.map(|away| away.until.saturating_duration_since(now));
            let is_away = wait.is_some_and(|wait| !wait.is_zero() || state.under_way > 0);
            let keeps_prompt = holds && state.under_way < spread.share;
            (is_away, wait.filter(|_| is_away), !keeps_prompt, state.under_way, state.answered)
        };
        let candidates = states.iter().enumerate().take(spread.servers);
        let untried = candidates.filter(|(number, _)| !tried.contains(number));
        let number = untried.min_by_key(|(_, state)| rank(state))?.0;
        Some(self.start(&mut states, number, briefing))
    }

    /// A place for a request at this very server.
    pub(super) fn at(self: &Arc<Self>, number: usize, briefing: &Arc<Briefing>) -> UnderWay {
        self.start(&mut self.lock(), number, briefing)
    }

    fn start(
        self: &Arc<Self>,
        states: &mut Vec<ServerState>,
        number: usize,
        briefing: &Arc<Briefing>,
    ) -> UnderWay {
        let state = at(states, number);
        state.under_way += 1;
        state.briefing = Some(Arc::clone(briefing));
        UnderWay { servers: Arc::clone(self), number }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<ServerState>> {
        self.states.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The state of one server, made where it is new.
fn at(states: &mut Vec<ServerState>, number: usize) -> &mut ServerState {
    if states.len() <= number {
        states.resize_with(number + 1, ServerState::default);
    }
    &mut states[number]
}

/// A request that is under way at a server. It has ended when this is dropped.
#[derive(Debug)]
pub(super) struct UnderWay {
    servers: Arc<Servers>,
    number: usize,
}

impl UnderWay {
    /// The server that is asked.
    pub(super) fn number(&self) -> usize {
        self.number
    }

    /// Takes note of how the request ended `now`.
    pub(super) fn note(&self, sign: Sign, now: Instant) {
        let mut states = self.servers.lock();
        let state = at(&mut states, self.number);
        let is_gone = match sign {
            Sign::Answer => {
                state.answered += 1;
                (state.away, state.timeouts) = (None, 0);
                return;
            }
            Sign::Nobody => true,
            Sign::Timeout => {
                state.timeouts += 1;
                state.timeouts >= MOST_TIMEOUTS
            }
        };
        if !is_gone {
            return;
        }
        let pause = match state.away {
            // Requests that were under way when it went away tell nothing new.
            Some(away) if now < away.until => return,
            Some(away) => (away.pause * 2).min(LONGEST_PAUSE),
            None => {
                state.absences += 1;
                FIRST_PAUSE
            }
        };
        state.away = Some(Away { until: now + pause, pause });
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        at(&mut self.servers.lock(), self.number).under_way -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Servers that are asked at chosen times.
    struct Asked {
        servers: Arc<Servers>,
        briefing: Arc<Briefing>,
        now: Instant,
    }

    impl Asked {
        fn new() -> Self {
            Self { servers: Arc::default(), briefing: briefing(), now: Instant::now() }
        }

        fn choose(&self, count: usize, tried: &[usize]) -> Option<UnderWay> {
            let spread = Spread { servers: count, share: 1 };
            self.servers.choose(spread, &self.briefing, tried, self.now)
        }

        fn numbers(&self, count: usize, requests: usize) -> Vec<usize> {
            let taken: Vec<_> = (0..requests).filter_map(|_| self.choose(count, &[])).collect();
            taken.iter().map(UnderWay::number).collect()
        }

        fn note(&self, server: usize, sign: Sign) {
            self.servers.at(server, &self.briefing).note(sign, self.now);
        }
    }

    fn briefing() -> Arc<Briefing> {
        Arc::new(Briefing { system: None, tools: Arc::new([]) })
    }

    #[test]
    fn requests_go_where_the_fewest_are_under_way() {
        let mut numbers = Asked::new().numbers(3, 6);
        numbers.sort_unstable();
        assert_eq!(numbers, [0, 0, 1, 1, 2, 2]);
    }

    #[test]
    fn requests_with_one_prompt_stay_together_while_there_is_room() {
        let (servers, one, other) = (Arc::<Servers>::default(), briefing(), briefing());
        let spread = Spread { servers: 2, share: 2 };
        let choose = |briefing| servers.choose(spread, briefing, &[], Instant::now()).unwrap();
        let taken = [&one, &other, &one, &other].map(choose);
        assert_eq!(taken.each_ref().map(UnderWay::number), [0, 1, 0, 1]);
    }

    #[test]
    fn a_server_that_is_gone_is_left_alone_then_tried_once_and_taken_back() {
        let mut asked = Asked::new();
        asked.note(0, Sign::Nobody);
        assert_eq!(asked.numbers(2, 4), [1, 1, 1, 1]);
        asked.now += FIRST_PAUSE;
        assert_eq!(asked.numbers(2, 2), [0, 1], "one request looks whether it is there");
        asked.note(0, Sign::Nobody);
        asked.now += FIRST_PAUSE;
        assert_eq!(asked.numbers(2, 1), [1], "the second pause is twice as long");
        asked.now += FIRST_PAUSE;
        assert_eq!(asked.numbers(2, 1), [0]);
        asked.note(0, Sign::Answer);
        assert_eq!(asked.numbers(2, 1), [1], "which has answered fewer");
        assert_eq!(asked.servers.shares()[0], ServerShare { answered: 1, absences: 1 });
    }

    #[test]
    fn a_server_that_is_gone_is_asked_if_no_other_is_left() {
        let asked = Asked::new();
        asked.note(0, Sign::Nobody);
        assert_eq!(asked.choose(2, &[1]).unwrap().number(), 0);
        assert!(asked.choose(2, &[0, 1]).is_none());
    }

    #[test]
    fn one_long_answer_does_not_make_a_server_gone_and_three_in_a_row_do() {
        let asked = Asked::new();
        for sign in [Sign::Timeout, Sign::Timeout, Sign::Answer, Sign::Timeout, Sign::Timeout] {
            asked.note(0, sign);
        }
        assert_eq!(asked.servers.shares()[0].absences, 0);
        asked.note(0, Sign::Timeout);
        assert_eq!(asked.servers.shares()[0].absences, 1);
    }
}
