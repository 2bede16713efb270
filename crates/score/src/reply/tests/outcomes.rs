//! Reports of acts in a home: what follows from an act, what was before it, and what nobody knows.

use super::statements::thing;
use super::*;

/// A home after one act.
struct Act {
    request: &'static str,
    things: Vec<std::sync::Arc<WorldThing>>,
    changes: Value,
    calls: Vec<(&'static str, Value)>,
}

impl Act {
    fn is_false(&self, reply: &str) -> bool {
        let mut case = Case::new("c", self.request);
        let more = json!({"now": "18:42", "today": "2026-11-19"});
        case.expectation.more.insert("reply".into(), more);
        let call = |(tool, arguments): &(&str, Value)| {
            toolgauge_core::ToolCall::new(*tool, arguments.as_object().unwrap().clone())
        };
        let calls = self.calls.iter().map(call).collect();
        let transcript = Transcript::of(AssistantMessage { calls, ..AssistantMessage::default() });
        let mut states = EndStates { things: self.things.clone(), ..EndStates::default() };
        states.actual.changes = self.changes.clone().into();
        let evidence = Evidence::new(&case, &[], &transcript).with_states(Some(&states));
        let context = Context::new(&evidence);
        if Reply::is_glossed(reply) {
            return Reply::read_glossed(reply).false_gloss(&context).is_some();
        }
        Reply::read(reply).false_report(&context).is_some()
    }

    fn reports(&self, right: &[&str], wrong: &[&str]) {
        for reply in right {
            assert!(!self.is_false(reply), "right: {reply}");
        }
        for reply in wrong {
            assert!(self.is_false(reply), "wrong: {reply}");
        }
    }
}

/// A thing with one property beside its state.
fn with(
    id: &str,
    name: &str,
    place: &str,
    state: &str,
    property: (&str, Value),
) -> std::sync::Arc<WorldThing> {
    let mut thing = WorldThing::clone(&thing(id, name, place, state));
    thing.attributes.insert(property.0.into(), property.1);
    thing.into()
}

/// The ceiling light was turned off, the lamp beside it was on before.
fn light_off() -> Act {
    Act {
        request: "turn off the ceiling light",
        things: vec![
            thing("light.ceiling", "Ceiling light", "Kitchen", "off"),
            thing("light.corner", "Corner lamp", "Kitchen", "on"),
            thing("lock.front", "Front door", "Hall", "locked"),
        ],
        changes: json!({"light.ceiling": {"state": ["on", "off"]}}),
        calls: vec![("turn_off", json!({"name": "Ceiling light"}))],
    }
}

/// The radiator was set from 20 to 21 degrees.
fn warmer() -> Act {
    Act {
        request: "set the radiator to 21 degrees",
        things: vec![with(
            "climate.radiator",
            "Radiator",
            "Kitchen",
            "heat",
            ("temperature", json!(21.0)),
        )],
        changes: json!({"climate.radiator": {"temperature": [20.0, 21.0]}}),
        calls: vec![("set_temperature", json!({"name": "Radiator", "temperature": 21}))],
    }
}

#[test]
fn what_follows_from_an_act_is_no_opposite() {
    light_off().reports(
        &[
            "The ceiling light is off, so it's darker in there now.",
            "The ceiling light is off, so it's not so bright any more.",
            "Ceiling light off. Sleep well!",
        ],
        &[
            "The ceiling light is off, so the kitchen is well lit now.",
            "The ceiling light is off, so you can see what you're cooking.",
            "The ceiling light is off, so you can go on reading.",
            "The ceiling light is off, lighting up the room.",
        ],
    );
    warmer().reports(
        &[
            "The radiator is at 21 degrees, so it'll get a bit warmer.",
            "The radiator is at 21 degrees, so you won't be cold.",
        ],
        &[
            "The radiator is at 21 degrees, so it'll get colder.",
            "The radiator is at 21 degrees, so it won't get any warmer.",
        ],
    );
    let unlocked = Act {
        request: "unlock the front door",
        things: vec![thing("lock.front", "Front door", "Hall", "unlocked")],
        changes: json!({"lock.front": {"state": ["locked", "unlocked"]}}),
        calls: vec![("unlock", json!({"name": "Front door"}))],
    };
    unlocked.reports(
        &["The front door is unlocked, so you can come in."],
        &[
            "The front door is unlocked, so nobody can come in.",
            "The front door is unlocked. You need a key to get in.",
        ],
    );
}

#[test]
fn what_was_before_tells_the_way() {
    warmer().reports(
        &[
            "The radiator is at 21 degrees, one degree more than before.",
            "The radiator is at 21 degrees, it was at 20 before.",
        ],
        &[
            "The radiator is at 21 degrees, one degree less than before.",
            "The radiator is at 21 degrees, one below what it was.",
            "The radiator is at 21 degrees, so nothing has changed.",
            "The radiator is at 21. Its temperature hasn't changed.",
        ],
    );
    light_off().reports(
        &["The ceiling light is off. It was on to begin with."],
        &["The ceiling light is off. It was off to begin with."],
    );
}

#[test]
fn what_no_home_tells_is_made_up() {
    light_off().reports(
        &[
            "The ceiling light is off. I'll turn it back on when you tell me.",
            "The ceiling light is off. Just say so when you need it.",
            "The ceiling light is off. Just a second and it's dark.",
        ],
        &[
            "The ceiling light is off. I'll turn it back on at ten.",
            "The ceiling light is off. It'll take ten minutes to cool down.",
            "The ceiling light is off. Its battery is low.",
            "The ceiling light is off. That's the second time today.",
            "The ceiling light is off. The sun is coming in.",
            "The ceiling light is off until eleven.",
            "The ceiling light is off and he's already in the kitchen.",
            "The ceiling light is off, and so is the reading lamp.",
        ],
    );
}

#[test]
fn of_several_things_each_is_told_as_it_is() {
    let swap = Act {
        request: "washing machine off and dryer on",
        things: vec![
            thing("switch.washer", "Washing machine", "Cellar", "off"),
            thing("switch.dryer", "Tumble dryer", "Cellar", "on"),
        ],
        changes: json!({
            "switch.washer": {"state": ["on", "off"]}, "switch.dryer": {"state": ["off", "on"]},
        }),
        calls: vec![
            ("turn_off", json!({"name": "Washing machine"})),
            ("turn_on", json!({"name": "Tumble dryer"})),
        ],
    };
    swap.reports(
        &["Dryer on, washing machine off.", "The washing machine is off and the dryer is on."],
        &[
            "Dryer off, washing machine on.",
            "The washing machine is off and the dryer is on. Both machines are off now.",
        ],
    );
    let lights = Act {
        request: "turn on all the lights in the kitchen",
        things: vec![
            thing("light.ceiling", "Ceiling light", "Kitchen", "on"),
            thing("light.corner", "Corner lamp", "Kitchen", "on"),
        ],
        changes: json!({
            "light.ceiling": {"state": ["off", "on"]}, "light.corner": {"state": ["off", "on"]},
        }),
        calls: vec![("turn_on", json!({"area": "Kitchen"}))],
    };
    lights.reports(
        &["All the lights in the kitchen are on.", "Both lights in the kitchen are on now."],
        &[
            "All the lights are on. The kitchen stays dark.",
            "All the lights are on except the corner lamp.",
            "The lights are on. The corner lamp was skipped.",
            "I turned on the ceiling light, the only light in there.",
            "The lights are on, all three of them.",
        ],
    );
}

#[test]
fn timers_ring_unless_they_were_cancelled() {
    let timer = |name: &str| json!({"name": name, "seconds": 300, "is_active": true});
    let cancelled = Act {
        request: "cancel the egg timer",
        things: vec![thing("light.ceiling", "Ceiling light", "Kitchen", "off")],
        changes: json!({"timers": [[timer("egg"), timer("bread")], [timer("bread")]]}),
        calls: vec![("CancelTimer", json!({"name": "egg"}))],
    };
    cancelled.reports(
        &["The egg timer is cancelled, so it won't ring."],
        &[
            "The egg timer is cancelled, so it'll ring as planned.",
            "Cancelled. I'll let you know when it's up.",
            "The egg timer is cancelled and it keeps counting.",
            "I've cancelled both your timers.",
        ],
    );
}

#[test]
fn a_list_is_told_as_it_is_since() {
    let added = Act {
        request: "put butter on the shopping list",
        things: vec![thing("todo.list", "Shopping list", "Kitchen", "3")],
        changes: json!({"todo.list": {"items": [["Milk", "Bread"], ["Milk", "Bread", "Butter"]]}}),
        calls: vec![("ListAddItem", json!({"item": "Butter", "name": "Shopping list"}))],
    };
    added.reports(
        &["Butter's on the list, so you still need to buy it.", "I added butter to the list."],
        &[
            "Butter's on the list, so you don't need to buy any.",
            "I added butter. Butter still isn't on the list.",
            "I added butter, it's the only thing on the list.",
            "I added butter. Milk is crossed off already.",
        ],
    );
}

#[test]
fn a_routine_is_told_as_it_was_asked_for() {
    let night = Act {
        request: "run good night in ten minutes and leave the bedroom lit",
        things: vec![
            thing("script.night", "Good night", "Hall", "off"),
            thing("light.bedroom", "Bedroom lamp", "Bedroom", "on"),
            thing("light.kitchen", "Kitchen lamp", "Kitchen", "on"),
        ],
        changes: json!({"runs": [[], ["script.night"]]}),
        calls: vec![("script__night", json!({"room": "Bedroom", "delay_minutes": 10}))],
    };
    night.reports(
        &["Good night starts in ten minutes, and the bedroom stays lit."],
        &[
            "Good night starts in ten minutes and leaves the kitchen lit.",
            "Good night starts right away, and the bedroom stays lit.",
        ],
    );
}
