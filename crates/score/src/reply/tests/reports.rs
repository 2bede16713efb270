//! Reports of acts in a home: what stands beside the act.

use super::statements::{thing, with};
use super::*;

/// A home in which the left blind was opened, and nothing else touched.
fn home() -> EndStates {
    let things = [
        with(thing("cover.left", "Left blind", "Kitchen", "open"), "current_position", json!(40)),
        with(
            thing("cover.right", "Right blind", "Kitchen", "closed"),
            "current_position",
            json!(0),
        ),
        thing("light.corner_kitchen", "Corner lamp", "Kitchen", "off"),
        thing("light.corner_bedroom", "Corner lamp", "Bedroom", "on"),
        thing("climate.bedroom", "Bedroom radiator", "Bedroom", "heat"),
        thing("switch.kettle", "Kettle", "Kitchen", "off"),
    ];
    let mut states = EndStates { things: things.into(), ..EndStates::default() };
    let changes = json!({"cover.left": {"state": ["closed", "open"], "current_position": [0, 40]}});
    states.actual.changes = changes.into();
    states
}

/// Whether a report is false that the left blind was opened.
fn is_false(reply: &str) -> bool {
    let case = Case::new("c", "open the left blind in the kitchen to forty percent");
    let call = toolgauge_core::ToolCall::new(
        "set_position",
        json!({"name": "Left blind", "position": 40}).as_object().unwrap().clone(),
    );
    let made = AssistantMessage { calls: vec![call], ..AssistantMessage::default() };
    let transcript = Transcript::of(made);
    let states = home();
    let evidence = Evidence::new(&case, &[], &transcript).with_states(Some(&states));
    let context = Context::new(&evidence);
    let read = Reply::read(reply);
    if Reply::is_glossed(reply) {
        return Reply::read_glossed(reply).false_gloss(&context).is_some();
    }
    read.false_report(&context).is_some()
}

/// Right and wrong reports of it.
fn reports(right: &[&str], wrong: &[&str]) {
    tell_apart(|reply| !is_false(reply), right, wrong);
}

#[test]
fn a_report_does_not_take_itself_back() {
    reports(
        &[
            "The left blind is at 40 percent.",
            "Done. Nothing else was changed.",
            "The left blind is open. Everything else stays as it was.",
            "It's open, and I only touched that one.",
        ],
        &[
            "The left blind is open. Actually, nothing happened.",
            "The left blind is open. It didn't work, though.",
            "Done, but I couldn't do it.",
            "It's open. I still have to do it.",
            "It's open. I'll do it later.",
            "It's open. That will take effect tomorrow.",
            "It's open. Shall I do it now?",
            "Offen. Es hat nicht geklappt.",
        ],
    );
}

#[test]
fn what_people_did_is_not_known_to_a_home() {
    reports(
        &[
            "The left blind is open, so nobody has to sit in the dark.",
            "The left blind is open. Your guests can see more now.",
        ],
        &[
            "The left blind is open, and your visitor has just stepped inside.",
            "The left blind is open. The first guests will arrive soon.",
            "The left blind is open. It will rain tonight.",
            "The left blind is open. You last did that on Monday.",
            "The left blind is open. Your phone is nearly empty.",
            "The left blind is open. She wrote back that it's fine.",
        ],
    );
}

#[test]
fn acts_on_other_things_are_not_claimed_beside() {
    reports(
        &["The left blind is open. The kettle is still off."],
        &[
            "The left blind is open. I've also turned on the kettle.",
            "The left blind is open and I turned the kettle on.",
            "Done. I've switched on the kettle while I was at it.",
            "The left blind is open. The radiator is off.",
            "The left blind is open. I've opened the right blind.",
        ],
    );
}

#[test]
fn a_part_is_not_the_most_there_is() {
    reports(
        &["The left blind is at 40 percent, far from its highest position."],
        &[
            "The left blind is at 40 percent, its highest setting.",
            "The left blind is at 40 percent. It can't go any higher.",
            "The left blind is at 40 percent, the lowest position.",
        ],
    );
}

#[test]
fn the_side_that_was_changed_is_told() {
    reports(
        &["The left blind is open, I didn't touch the right one."],
        &["The right blind is open.", "You'd like the left blind open, is that right?"],
    );
}
