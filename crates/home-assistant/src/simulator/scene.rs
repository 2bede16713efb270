//! Bringing entities into states, as scenes and scripts do: by the services that each kind has.
//!
//! Home Assistant has a file `reproduce_state.py` for each kind that knows how; the functions here
//! follow those files.

mod appliances;
mod helpers;
mod movers;
mod player;

use serde_json::{Map, Value};

use super::refusal::ServiceRefusal;
use super::reply::CallFailure;
use crate::inventory::state_text;
use crate::state::HomeState;

/// The state that a scene keeps of an entity, with what it keeps of its attributes.
struct KeptState<'a> {
    state: &'a str,
    attributes: &'a Map<String, Value>,
}

impl<'a> KeptState<'a> {
    /// What is kept of an attribute, if anything.
    fn get(&self, name: &str) -> Option<&'a Value> {
        self.attributes.get(name).filter(|value| !value.is_null())
    }

    fn whole(&self, name: &str) -> Option<i64> {
        self.get(name)?.as_i64()
    }

    fn text(&self, name: &str) -> Option<&'a str> {
        self.get(name)?.as_str()
    }
}

impl HomeState {
    /// Brings entities into states. What is not in the home or unavailable stays as it is, and so
    /// do things of kinds that Home Assistant cannot bring into a state, such as sensors. All are
    /// tried, also when one refuses; the first that does is told of.
    pub(super) fn restore(&mut self, states: &Map<String, Value>) -> Result<(), CallFailure> {
        let mut outcome = Ok(());
        for (id, kept) in by_domain(states) {
            let Some(at) = self.inventory().index.entity(id) else { continue };
            let nothing = Map::new();
            let attributes = kept.as_object().unwrap_or(&nothing);
            let Some(state) = state_text(kept.get("state").unwrap_or(kept)) else { continue };
            if self.view(at).is_available() {
                let kept = KeptState { state: &state, attributes };
                let restored = self.restore_entity(at, &kept);
                outcome = outcome.and(restored.map_err(|refusal| self.refused(refusal, at)));
            }
        }
        outcome
    }

    /// Why a service did not do its work, in words for a model.
    pub(super) fn refused(&self, refusal: ServiceRefusal, at: usize) -> CallFailure {
        match refusal {
            ServiceRefusal::Unsupported(action) => {
                CallFailure::unsupported(self.view(at).entity, action)
            }
            ServiceRefusal::Raised(failure) => failure,
            ServiceRefusal::AtOnce | ServiceRefusal::ByService => {
                CallFailure::uncaught("TypeError", "the service cannot do this")
            }
        }
    }

    fn restore_entity(&mut self, at: usize, kept: &KeptState<'_>) -> Result<(), ServiceRefusal> {
        let domain = self.inventory().entities()[at].domain().to_owned();
        let differs = self.view(at).state != kept.state;
        match (domain.as_str(), kept.state) {
            ("light", "on") => self.restore_light(at, kept.attributes),
            ("light", "off") => self.turn(at, false),
            ("switch" | "remote" | "input_boolean" | "automation" | "alert", "on" | "off")
                if differs =>
            {
                self.turn(at, kept.state == "on")
            }
            ("lock", _) if differs => self.restore_lock(at, kept.state),
            ("cover", _) => {
                self.restore_cover(at, kept);
                Ok(())
            }
            ("fan", "on" | "off") => self.restore_fan(at, kept),
            ("climate", _) => self.restore_climate(at, kept),
            ("humidifier", "on" | "off") => self.restore_humidifier(at, kept),
            ("water_heater", _) => self.restore_water_heater(at, kept),
            ("media_player", _) => self.restore_player(at, kept),
            ("vacuum", _) => self.restore_vacuum(at, kept),
            (helper, _) if differs => self.restore_helper(at, helper, kept),
            _ => Ok(()),
        }
    }

    /// Whether an entity shows what is kept of an attribute.
    fn shows(&self, at: usize, kept: &KeptState<'_>, name: &str) -> bool {
        self.view(at).shown(name).filter(|value| !value.is_null()) == kept.get(name)
    }

    /// What an entity has to say of its limits, or what Home Assistant says in its place.
    fn limit(&self, at: usize, name: &str, usual: i64) -> Value {
        self.view(at).remembered(name).cloned().unwrap_or_else(|| usual.into())
    }

    /// Refuses a mode that is not on the list an entity has of them.
    fn check_mode(
        &self,
        at: usize,
        list: &str,
        mode: &str,
        invalid: impl FnOnce(&str) -> ServiceRefusal,
    ) -> Result<(), ServiceRefusal> {
        let unknown = self.modes(at, list).filter(|modes| !modes.contains(&mode));
        unknown.map_or(Ok(()), |modes| Err(invalid(&modes.join(", "))))
    }

    /// The modes on a list that an entity has of them.
    fn modes(&self, at: usize, list: &str) -> Option<Vec<&str>> {
        let modes = self.view(at).remembered(list)?.as_array()?;
        Some(modes.iter().filter_map(Value::as_str).collect())
    }
}

/// The states by kind of entity, since Home Assistant hands them to one kind after the other.
fn by_domain(states: &Map<String, Value>) -> Vec<(&String, &Value)> {
    fn domain(id: &str) -> Option<&str> {
        id.split('.').next()
    }
    let mut ordered: Vec<(&String, &Value)> = states.iter().collect();
    ordered
        .sort_by_cached_key(|(id, _)| states.keys().position(|other| domain(other) == domain(id)));
    ordered
}
