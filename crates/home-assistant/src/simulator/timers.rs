//! Timers: started, found again by name, place or duration, changed and told about.

use serde_json::{Value, json};

use super::command::is_understood;
use super::reply::{CallAnswer, CallFailure, CallOutcome, IntentAnswer};
use super::slots::Slots;
use crate::catalogue::ToolKind;
use crate::state::Happening;
use crate::state::HomeState;
use crate::timer::{Timer, normalized};

const NOT_FOUND: (&str, &str) = ("TimerNotFoundError", "Timer not found");
const SEVERAL: (&str, &str) = ("MultipleTimersMatchedError", "Multiple timers matched");

impl HomeState {
    pub(super) fn run_timer(
        &mut self,
        kind: ToolKind,
        intent: &str,
        slots: &Slots<'_>,
    ) -> CallOutcome {
        match kind {
            ToolKind::StartTimer => return self.start_timer(slots),
            ToolKind::TimerStatus => return Ok(self.timer_status(slots)),
            ToolKind::CancelAllTimers => return self.cancel_all_timers(intent, slots),
            _ => {}
        }
        let must_be_active = match kind {
            ToolKind::PauseTimer => Some(true),
            ToolKind::UnpauseTimer => Some(false),
            _ => None,
        };
        let at = self.timer(slots, must_be_active)?;
        let timer = &mut self.timers[at];
        match kind {
            ToolKind::CancelTimer => drop(self.timers.remove(at)),
            ToolKind::IncreaseTimer => timer.seconds = timer.seconds.saturating_add(total(slots)),
            ToolKind::DecreaseTimer => {
                timer.seconds = timer.seconds.saturating_sub(total(slots)).max(0);
            }
            _ => timer.is_active = kind == ToolKind::UnpauseTimer,
        }
        self.end_timers();
        Ok(CallAnswer::done())
    }

    /// A timer that runs and has no time left is over at once. One that is paused waits.
    fn end_timers(&mut self) {
        self.timers.retain(|timer| !timer.is_active || timer.seconds > 0);
    }

    fn start_timer(&mut self, slots: &Slots<'_>) -> CallOutcome {
        let command = slots.text("conversation_command").map(str::trim);
        let command = command.filter(|command| !command.is_empty()).map(str::to_owned);
        let seconds = total(slots);
        // Nothing is started for a command that would not be understood later.
        if let Some(command) = command.as_deref()
            && !is_understood(command, self.inventory())
        {
            let text = format!("Intent not recognized: {command}");
            return Err(CallFailure::raised("NoTimerCommandError", text));
        }
        if let Some(command) = command.clone() {
            self.happenings.push(Happening::DelayedCommand { command, seconds });
        }
        self.timers_started += 1;
        self.timers.push(Timer {
            id: format!("01M7EEXG{:0>18}", self.timers_started),
            name: slots.text("name").map(str::to_owned),
            start: ["hours", "minutes", "seconds"].map(|name| slots.whole(name)),
            seconds,
            is_active: true,
            device: self.device_id(),
            area: self.setting.satellite_area(),
            floor: self.setting.satellite_floor(),
            command,
        });
        self.end_timers();
        Ok(CallAnswer::done())
    }

    /// An id for the satellite in the shape of Home Assistant's device ids.
    fn device_id(&self) -> Option<String> {
        let satellite = self.setting.satellite.as_ref()?;
        Some(format!("{:016x}{:016x}", fnv(&satellite.name, 0), fnv(&satellite.name, 1)))
    }

    fn timer_status(&self, slots: &Slots<'_>) -> CallAnswer {
        let timers: Vec<Value> =
            self.timers_matching(slots).into_iter().map(|at| self.timers[at].status()).collect();
        speech_answer(json!({ "timers": timers }))
    }

    fn cancel_all_timers(&mut self, intent: &str, slots: &Slots<'_>) -> CallOutcome {
        // A name or an area that no timer has ends the search before anything else is read.
        let mut left = self.running();
        let ends = |step: TimerFilter, left: &mut Vec<usize>| {
            self.narrow(left, step, slots) && left.is_empty()
        };
        let found_none = ends(TimerFilter::Name, &mut left) || ends(TimerFilter::Area, &mut left);
        let start_breaks = STARTS.iter().any(|name| slots.is_broken(name));
        if slots.is_broken("name") || (start_breaks && !found_none) {
            return Err(CallFailure::unexpected(intent));
        }
        let canceled = self.timers_matching(slots);
        let count = canceled.len();
        let mut at = 0;
        self.timers.retain(|_| {
            at += 1;
            !canceled.contains(&(at - 1))
        });
        let mut told_slots = json!({ "canceled": count });
        if let Some(area) = slots.text("area") {
            told_slots["area"] = json!(area);
        }
        Ok(speech_answer(told_slots))
    }

    /// The one timer that is meant. Each step may already leave just one; what is left over is
    /// told apart by the device, its area and its floor.
    fn timer(&self, slots: &Slots<'_>, must_be_active: Option<bool>) -> Result<usize, CallFailure> {
        let mut left = self.running();
        if let Some(active) = must_be_active {
            left.retain(|&at| self.timers[at].is_active == active);
            if let [only] = left[..] {
                return Ok(only);
            }
        }
        for step in STEPS {
            if self.narrow(&mut left, *step, slots)
                && let [only] = left[..]
            {
                return Ok(only);
            }
        }
        if let [only] = left[..]
            && must_be_active.is_none()
            && !STEPS.iter().any(|step| step.is_given(slots))
        {
            return Ok(only);
        }
        self.nearest(&left).ok_or_else(|| {
            let (error, text) = if left.is_empty() { NOT_FOUND } else { SEVERAL };
            CallFailure::raised(error, text)
        })
    }

    fn nearest(&self, left: &[usize]) -> Option<usize> {
        let device = self.device_id()?;
        let only = |fits: &dyn Fn(&Timer) -> bool| {
            let mut fitting = left.iter().copied().filter(|&at| fits(&self.timers[at]));
            fitting.next().filter(|_| fitting.next().is_none())
        };
        let (area, floor) = (self.setting.satellite_area(), self.setting.satellite_floor());
        only(&|timer| timer.device.as_deref() == Some(&device)).or_else(|| {
            area.and_then(|area| {
                only(&|timer| timer.area == Some(area))
                    .or_else(|| only(&|timer| timer.floor == floor))
            })
        })
    }

    /// All timers that fit, the nearest first.
    fn timers_matching(&self, slots: &Slots<'_>) -> Vec<usize> {
        let mut left = self.running();
        for step in STEPS {
            self.narrow(&mut left, *step, slots);
        }
        let (area, floor) = (self.setting.satellite_area(), self.setting.satellite_floor());
        if area.is_some() {
            left.sort_by_key(|&at| {
                let timer = &self.timers[at];
                if timer.area == area {
                    0
                } else if timer.floor == floor {
                    1
                } else {
                    2
                }
            });
        }
        left
    }

    /// Timers proper: commands that were put off cannot be changed any more.
    fn running(&self) -> Vec<usize> {
        (0..self.timers.len()).filter(|&at| self.timers[at].command.is_none()).collect()
    }

    fn narrow(&self, left: &mut Vec<usize>, step: TimerFilter, slots: &Slots<'_>) -> bool {
        if !step.is_given(slots) {
            return false;
        }
        let inventory = self.inventory();
        match step {
            TimerFilter::Name => {
                let name = normalized(slots.text("name").unwrap_or_default());
                left.retain(|&at| {
                    normalized(self.timers[at].name.as_deref().unwrap_or_default()) == name
                });
            }
            TimerFilter::Area => {
                let name = normalized(slots.text("area").unwrap_or_default());
                left.retain(|&at| {
                    let area = self.timers[at].area.map(|area| &inventory.areas()[area]);
                    area.is_some_and(|area| normalized(&area.name) == name)
                });
            }
            TimerFilter::Start => {
                let start = STARTS.map(|name| slots.whole(name));
                left.retain(|&at| self.timers[at].start == start);
            }
        }
        true
    }
}

/// A way to tell timers apart.
#[derive(Clone, Copy)]
enum TimerFilter {
    Name,
    Area,
    Start,
}

const STEPS: &[TimerFilter] = &[TimerFilter::Name, TimerFilter::Area, TimerFilter::Start];
const STARTS: [&str; 3] = ["start_hours", "start_minutes", "start_seconds"];

impl TimerFilter {
    fn is_given(self, slots: &Slots<'_>) -> bool {
        match self {
            Self::Name => slots.has("name"),
            Self::Area => slots.has("area"),
            Self::Start => STARTS.iter().any(|name| slots.has(name)),
        }
    }
}

fn speech_answer(speech_slots: Value) -> CallAnswer {
    let speech_slots = Some(speech_slots);
    CallAnswer::Intent(IntentAnswer { speech_slots, ..IntentAnswer::default() })
}

fn total(slots: &Slots<'_>) -> i64 {
    let part =
        |name: &str, seconds: i64| slots.whole(name).unwrap_or_default().saturating_mul(seconds);
    part("hours", 3600).saturating_add(part("minutes", 60)).saturating_add(part("seconds", 1))
}

/// FNV-1a, to make ids of names; nothing depends on its strength.
fn fnv(text: &str, seed: u64) -> u64 {
    let start = 0xCBF2_9CE4_8422_2325_u64 ^ seed;
    text.bytes().fold(start, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3))
}
