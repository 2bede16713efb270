//! What changed in the real home, and whether it is what the simulator says.

use std::collections::BTreeSet;

use indexmap::IndexMap;
use serde_json::{Map, Value};
use toolgauge_core::StateChange;

use crate::EntityState;
use crate::entity_state::same;

/// States by entity, in Home Assistant's order.
pub(crate) type States = IndexMap<String, EntityState>;

/// Entities whose state is the moment of their last use: the clocks of the two homes differ.
const LAST_USED: [&str; 4] = ["button", "input_button", "event", "scene"];

/// What changed of these entities between two moments.
pub(crate) fn changes(
    watched: &[EntityState],
    before: &States,
    after: &States,
) -> Vec<StateChange> {
    let mut found = Vec::new();
    for wanted in watched {
        let id = &wanted.entity_id;
        let (Some(then), Some(now)) = (before.get(id), after.get(id)) else { continue };
        let mut note = |property: &str, before: &Value, after: &Value| {
            if !same(before, after) {
                found.push(StateChange {
                    thing: id.clone(),
                    property: property.to_owned(),
                    before: before.clone(),
                    after: after.clone(),
                    expected: None,
                });
            }
        };
        note("state", &Value::from(&*then.state), &Value::from(&*now.state));
        let names: BTreeSet<&String> =
            then.attributes.keys().chain(now.attributes.keys()).collect();
        for name in names {
            let value = |state: &EntityState| state.attributes.get(name).cloned();
            note(name, &value(then).unwrap_or_default(), &value(now).unwrap_or_default());
        }
    }
    found
}

/// Whether the states of the two homes changed alike. Attributes are left out: devices round
/// them, each in its own way.
pub(crate) fn agrees(observed: &[StateChange], simulated: &Map<String, Value>) -> bool {
    let real = observed.iter().filter(|change| change.property == "state");
    let real: IndexMap<&str, String> =
        real.map(|change| (change.thing.as_str(), shown(&change.thing, &change.after))).collect();
    let after = |change: &Value| change.get("state").and_then(|both| both.get(1)).cloned();
    let played: IndexMap<&str, String> = simulated
        .iter()
        .filter_map(|(thing, change)| Some((thing.as_str(), shown(thing, &after(change)?))))
        .collect();
    real == played
}

fn shown(thing: &str, state: &Value) -> String {
    let domain = thing.split_once('.').map_or(thing, |(domain, _)| domain);
    let state = state.as_str().map_or_else(|| state.to_string(), str::to_owned);
    if LAST_USED.contains(&domain) { String::new() } else { state }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn lamp(state: &str, brightness: Value) -> EntityState {
        let attributes = Map::from_iter([("brightness".to_owned(), brightness)]);
        EntityState { entity_id: "light.lamp".into(), state: state.into(), attributes }
    }

    #[test]
    fn a_device_that_rounds_does_what_the_simulator_says_and_one_that_stays_off_does_not() {
        let states = |lamp: EntityState| States::from([(lamp.entity_id.clone(), lamp)]);
        let (off, on) = (lamp("off", Value::Null), lamp("on", json!(254)));
        let watched = [off.clone()];
        let (before, after) = (states(off), states(on));
        let simulated = json!({"light.lamp": {"state": ["off", "on"], "brightness": [null, 255]}});
        let simulated = simulated.as_object().unwrap();
        let seen = changes(&watched, &before, &after);
        assert_eq!(seen.len(), 2);
        assert!(agrees(&seen, simulated));
        assert!(!agrees(&changes(&watched, &before, &before), simulated));
        assert!(!agrees(&seen, &Map::new()));
    }

    #[test]
    fn moments_of_use_are_not_compared() {
        let change = StateChange {
            thing: "button.bell".into(),
            property: "state".into(),
            before: json!("unknown"),
            after: json!("2026-11-17T02:00:00+00:00"),
            expected: None,
        };
        let simulated = json!({"button.bell": {"state": ["unknown", "2026-11-15T02:59:57+00:00"]}});
        assert!(agrees(&[change], simulated.as_object().unwrap()));
    }
}
