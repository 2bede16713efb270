//! Bringing the real home into the states of a case.

use serde_json::{Map, Value};

use crate::EntityState;
use crate::observed::States;

/// Entities whose state is not ours to set: it follows from a list, or tells of an assistant.
const LEFT_ALONE: [&str; 4] = ["assist_satellite", "calendar", "conversation", "todo"];

/// The entities that are not as a case wants them.
pub(crate) fn differing<'w>(wanted: &'w [EntityState], now: &States) -> Vec<&'w EntityState> {
    let differs = |wanted: &&EntityState| {
        !LEFT_ALONE.contains(&wanted.domain())
            && now.get(&wanted.entity_id).is_some_and(|now| !wanted.is_met_by(now))
    };
    wanted.iter().filter(differs).collect()
}

/// The data of `scene.apply`, by which Home Assistant brings its devices into states.
pub(crate) fn scene(wanted: &[&EntityState]) -> Value {
    let entity = |wanted: &&EntityState| {
        let mut state = wanted.attributes.clone();
        state.retain(|_, value| !value.is_null());
        state.insert("state".to_owned(), wanted.state.as_str().into());
        (wanted.entity_id.clone(), Value::Object(state))
    };
    let entities: Map<String, Value> = wanted.iter().map(entity).collect();
    Value::Object(Map::from_iter([("entities".to_owned(), Value::Object(entities))]))
}

/// The state to report for an entity that its device cannot be brought into: what is wanted, and
/// the attributes of which nothing is said.
pub(crate) fn reported(wanted: &EntityState, now: &States) -> EntityState {
    let mut attributes =
        now.get(&wanted.entity_id).map(|now| now.attributes.clone()).unwrap_or_default();
    attributes.extend(wanted.attributes.clone());
    EntityState { attributes, ..wanted.clone() }
}
