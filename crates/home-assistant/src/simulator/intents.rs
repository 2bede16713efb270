//! Intents that call a service on everything they match.

use super::effects::Service;
use super::matching::{Constraints, Features, Match, Preferences, Reason};
use super::refusal::ServiceRefusal;
use super::reply::{CallAnswer, CallFailure, CallOutcome, IntentAnswer, Target, TargetKind};
use super::slots::Slots;
use crate::catalogue::ToolKind;
use crate::features::{self, lawn_mower, media_player, vacuum};
use crate::inventory::Area;
use crate::profile::Profile;
use crate::python;
use crate::state::HomeState;
use crate::state::{Happening, LastPaused};

/// What an intent demands of its targets by itself.
struct IntentDemands {
    domains: Option<Vec<&'static str>>,
    features: Option<Features>,
    states: &'static [&'static str],
}

impl HomeState {
    /// Matches targets and calls the intent's service on each of them.
    pub(super) fn run_service(
        &mut self,
        kind: ToolKind,
        intent: &str,
        slots: &Slots<'_>,
    ) -> CallOutcome {
        if slots.is_broken("device_class") {
            return Err(CallFailure::unexpected(intent));
        }
        let demands = demands(kind, self.setting.profile);
        let domains = slots.texts("domain");
        let called = self.is_called_by_script(slots);
        let constraints = Constraints {
            name: slots.text("name").filter(|name| *name != "all"),
            area: slots.text("area"),
            floor: slots.text("floor"),
            domains: domains.or_else(|| demands.domains.clone()),
            device_classes: slots.texts("device_class"),
            features: demands.features.filter(|_| !called),
            states: if called { &[] } else { demands.states },
            ..Constraints::default()
        };
        if !constraints.any() {
            return Err(CallFailure::handle("Service handler cannot target all devices"));
        }
        let preferences = slots.preferences();
        let mut found = self.find(&constraints, &preferences).map_err(|reason| {
            if slots.unlistable {
                return CallFailure::unlistable();
            }
            self.unmatched(reason, &constraints, Some(&preferences))
        })?;
        match kind {
            ToolKind::MediaPause => {
                // For a later call that resumes what was paused without naming it.
                let players = found.entities.clone();
                self.last_paused = Some(LastPaused { at_call: self.call_number(), players });
            }
            ToolKind::MediaUnpause if constraints.name.is_none() => {
                self.narrow_to_paused(&mut found);
            }
            _ => {}
        }
        self.serve(kind, slots, &found)
    }

    /// Whether a script calls a service on what it names: then nobody looks beforehand for what
    /// the thing can do and how it is, and the service refuses what the thing lacks.
    pub(super) fn is_called_by_script(&self, slots: &Slots<'_>) -> bool {
        !self.running.is_empty() && slots.has("name")
    }

    /// Calls the service on everything that matched, and sums up.
    fn serve(&mut self, kind: ToolKind, slots: &Slots<'_>, found: &Match) -> CallOutcome {
        // All services are worked out before the first is called: one that cannot be stops them
        // all.
        let mut services = Vec::with_capacity(found.entities.len());
        for &at in &found.entities {
            services.push(Service::of(kind, slots, self.view(at).entity.domain())?);
        }
        // Before 2026.10 no intent looked at what a service raised; scripts always did.
        let in_script = !self.running.is_empty();
        let swallows = !self.setting.profile.is_current() && !in_script;
        let outcomes: Vec<Result<(), ServiceRefusal>> = found
            .entities
            .iter()
            .zip(&services)
            .map(|(&at, service)| self.call_service(*service, at))
            .map(
                |outcome| {
                    if swallows { outcome.or_else(ServiceRefusal::swallowed) } else { outcome }
                },
            )
            .collect();
        let mut answer = IntentAnswer { success: self.places(found), ..IntentAnswer::default() };
        for (&at, went_well) in found.entities.iter().zip(in_completion_order(&outcomes)) {
            let target = self.entity_target(at);
            if went_well { &mut answer.success } else { &mut answer.failed }.push(target);
        }
        if answer.success.is_empty() {
            let first = found.entities.first().zip(outcomes.into_iter().next());
            match first.filter(|_| in_script) {
                Some((_, Err(ServiceRefusal::Raised(failure)))) => return Err(failure),
                Some((&at, Err(ServiceRefusal::Unsupported(action)))) => {
                    // A service passes over what nobody named and cannot do it.
                    return match slots.text("name") {
                        Some(_) => Err(CallFailure::unsupported(self.view(at).entity, action)),
                        None => Ok(CallAnswer::Intent(IntentAnswer::default())),
                    };
                }
                _ => {}
            }
            // The error names one service, which is that of the last target.
            let last = found.entities.last().zip(services.last());
            let service =
                last.map_or("", |(&at, service)| service.name(self.view(at).entity.domain()));
            let ids = python::list(answer.failed.iter().map(|target| target.id.as_str()));
            return Err(CallFailure::handle(format!("Failed to call {service} for: {ids}")));
        }
        Ok(CallAnswer::Intent(answer))
    }

    /// The floor that was named, else the area: either counts as a success of its own.
    fn places(&self, found: &Match) -> Vec<Target> {
        if found.floors.is_empty() {
            found.areas.iter().map(|&at| self.area_target(at)).collect()
        } else {
            found.floors.iter().map(|&at| self.floor_target(at)).collect()
        }
    }

    pub(super) fn area_target(&self, at: usize) -> Target {
        let area = &self.inventory().areas()[at];
        Target { name: area.name.clone(), kind: TargetKind::Area, id: area.id.clone() }
    }

    pub(super) fn floor_target(&self, at: usize) -> Target {
        let floor = &self.inventory().floors()[at];
        Target { name: floor.name.clone(), kind: TargetKind::Floor, id: floor.id.clone() }
    }

    pub(super) fn entity_target(&self, at: usize) -> Target {
        let entity = &self.inventory().entities()[at];
        Target { name: entity.name.clone(), kind: TargetKind::Entity, id: entity.id.clone() }
    }

    /// Resuming without a name means the players that were paused by voice, unless another one
    /// has changed since.
    fn narrow_to_paused(&mut self, found: &mut Match) {
        let Some(paused) = self.last_paused.take() else { return };
        let changed = |at: &usize| self.changed_at(*at);
        let recent = found.entities.iter().copied().filter(|at| changed(at) > paused.at_call);
        if let Some(recent) = recent.max_by_key(|at| (changed(at), usize::MAX - at)) {
            found.entities = vec![recent];
        } else if found.entities.iter().any(|at| paused.players.contains(at)) {
            found.entities.retain(|at| paused.players.contains(at));
        }
    }

    /// Says something through every satellite but the one that is spoken to.
    pub(super) fn broadcast(&mut self, slots: &Slots<'_>) -> CallAnswer {
        let own = self.setting.satellite.as_ref().and_then(|own| own.entity_id.as_deref());
        let speakers = self.inventory().index.domain("assist_satellite").iter().copied();
        let heard: Vec<usize> = speakers
            .filter(|&at| {
                let entity = &self.inventory().entities()[at];
                entity.supports(features::ANNOUNCE) && Some(entity.id.as_str()) != own
            })
            .collect();
        let success = heard.into_iter().map(|at| self.entity_target(at)).collect();
        let message = slots.text("message").unwrap_or_default().to_owned();
        self.happenings.push(Happening::Broadcast(message));
        CallAnswer::Intent(IntentAnswer { success, ..IntentAnswer::default() })
    }

    /// Sends vacuums to an area, which is an argument here and no filter.
    pub(super) fn clean_area(&mut self, slots: &Slots<'_>) -> CallOutcome {
        let name = slots.text("area").unwrap_or_default();
        let mut areas = self.inventory().index.areas_named(name);
        if areas.is_empty() {
            let asked = Constraints { area: Some(name), ..Constraints::default() };
            return Err(self.unmatched(Reason::InvalidArea, &asked, None));
        }
        let here = slots.preferences();
        self.prefer(&mut areas, |area| Some(&area.id) == here.area.as_ref());
        self.prefer(&mut areas, |area| {
            let floor = self.inventory().floor_of(area);
            floor.is_some_and(|floor| Some(&floor.id) == here.floor.as_ref())
        });
        let constraints = Constraints {
            name: slots.filled("name"),
            domains: Some(vec!["vacuum"]),
            features: Some(Features {
                bits: vacuum::CLEAN_AREA,
                name: "VacuumEntityFeature.CLEAN_AREA",
            }),
            ..Constraints::default()
        };
        let target = &self.inventory().areas()[areas[0]];
        let floor = self.inventory().floor_of(target).map(|floor| floor.id.clone());
        // Of vacuums that share a name, the one in the area to be cleaned is meant, wherever the
        // speaker is.
        let preferences = Preferences { area: Some(target.id.clone()), floor };
        let found = self
            .find(&constraints, &preferences)
            .map_err(|reason| self.unmatched(reason, &constraints, Some(&preferences)))?;
        for &at in &found.entities {
            if self.view(at).is_available() {
                self.set_state(at, "cleaning");
            }
        }
        let mut success: Vec<Target> = areas.iter().map(|&at| self.area_target(at)).collect();
        let places = success.iter().map(|target| target.id.clone()).collect();
        success.extend(found.entities.iter().map(|&at| self.entity_target(at)));
        let vacuums = success[areas.len()..].iter().map(|target| target.id.clone()).collect();
        self.happenings.push(Happening::CleanArea { vacuums, areas: places });
        Ok(CallAnswer::Intent(IntentAnswer { success, ..IntentAnswer::default() }))
    }

    /// Narrows several areas down to those that fit, if any do.
    fn prefer(&self, areas: &mut Vec<usize>, fits: impl Fn(&Area) -> bool) {
        let inventory = self.inventory();
        let fitting: Vec<usize> =
            areas.iter().copied().filter(|&at| fits(&inventory.areas()[at])).collect();
        if areas.len() > 1 && !fitting.is_empty() {
            *areas = fitting;
        }
    }
}

/// Home Assistant reports results in the order services finish, but names them in the order of
/// the targets: calls that are refused on the spot finish first, and the first targets take the
/// blame for them.
fn in_completion_order(outcomes: &[Result<(), ServiceRefusal>]) -> impl Iterator<Item = bool> + '_ {
    let at_once = outcomes.iter().filter(|outcome| matches!(outcome, Err(ServiceRefusal::AtOnce)));
    let later = outcomes.iter().filter(|outcome| !matches!(outcome, Err(ServiceRefusal::AtOnce)));
    at_once.chain(later).map(Result::is_ok)
}

fn demands(kind: ToolKind, profile: Profile) -> IntentDemands {
    let only = |domain| Some(vec![domain]);
    let features = |bits, name| Some(Features { bits, name });
    let none = IntentDemands { domains: None, features: None, states: &[] };
    let player = |bits, name, states| IntentDemands {
        domains: only("media_player"),
        features: features(bits, name),
        states,
    };
    match kind {
        ToolKind::FanSetSpeed => IntentDemands { domains: only("fan"), ..none },
        // Before 2026.10 a light setting was sent to whatever matched.
        ToolKind::LightSet if profile.is_current() => {
            IntentDemands { domains: only("light"), ..none }
        }
        ToolKind::StartMowing => IntentDemands {
            domains: only("lawn_mower"),
            features: features(lawn_mower::START_MOWING, "LawnMowerEntityFeature.START_MOWING"),
            ..none
        },
        ToolKind::DockMower => IntentDemands {
            domains: only("lawn_mower"),
            features: features(lawn_mower::DOCK, "LawnMowerEntityFeature.DOCK"),
            ..none
        },
        ToolKind::VacuumStart => IntentDemands {
            domains: only("vacuum"),
            features: features(vacuum::START, "VacuumEntityFeature.START"),
            ..none
        },
        ToolKind::VacuumReturn => IntentDemands {
            domains: only("vacuum"),
            features: features(vacuum::RETURN_HOME, "VacuumEntityFeature.RETURN_HOME"),
            ..none
        },
        ToolKind::MediaUnpause => IntentDemands { domains: only("media_player"), ..none },
        ToolKind::MediaPause => {
            player(media_player::PAUSE, "MediaPlayerEntityFeature.PAUSE", &["playing"])
        }
        ToolKind::MediaNext => {
            player(media_player::NEXT_TRACK, "MediaPlayerEntityFeature.NEXT_TRACK", &["playing"])
        }
        ToolKind::MediaPrevious => player(
            media_player::PREVIOUS_TRACK,
            "MediaPlayerEntityFeature.PREVIOUS_TRACK",
            &["playing"],
        ),
        ToolKind::SetVolume => {
            player(media_player::VOLUME_SET, "MediaPlayerEntityFeature.VOLUME_SET", &[])
        }
        ToolKind::Mute | ToolKind::Unmute => {
            player(media_player::VOLUME_MUTE, "MediaPlayerEntityFeature.VOLUME_MUTE", &[])
        }
        _ => none,
    }
}
