//! Reports where nothing is known but the calls, and what is told where nothing was called.

use toolgauge_core::{ResponseKind, ToolCall};

use super::*;

/// Whether a report is false of the calls, in a suite that says what time it is and what a calendar
/// could hold.
fn is_false(request: &str, calls: &[(&str, Value)], reply: &str) -> bool {
    let mut case = Case::new("c", request);
    let settings = json!({
        "today": "2026-03-12",
        "now": "14:30",
        "candidates": {"appointments": ["Dentist", "Lunch", "Meeting", "Party", "Call"]},
    });
    case.expectation.more.insert("reply".into(), settings);
    let call = |(name, arguments): &(&str, Value)| {
        ToolCall::new(*name, arguments.as_object().unwrap().clone())
    };
    let calls = calls.iter().map(call).collect();
    let made = AssistantMessage { calls, ..AssistantMessage::default() };
    let mut transcript = Transcript::of(made);
    let said = AssistantMessage { content: reply.into(), ..AssistantMessage::default() };
    transcript.messages.push(toolgauge_core::Message::Assistant(said));
    let evidence = Evidence::new(&case, &[], &transcript);
    Reply::read(reply).false_report(&Context::new(&evidence)).is_some()
}

/// Checks reports of the same calls.
fn check_reports(request: &str, calls: &[(&str, Value)], right: &[&str], wrong: &[&str]) {
    tell_apart(|reply| !is_false(request, calls, reply), right, wrong);
}

#[test]
fn what_somebody_answers_is_not_known() {
    let text = "I'm running ten minutes late.";
    check_reports(
        "Tell Anna I'm running ten minutes late.",
        &[("send_message", json!({"to": "Anna", "text": text}))],
        &[
            "I've texted Anna that you're running ten minutes late.",
            "Anna has been told that you're ten minutes late.",
            "Anna has your message: \"I'm running ten minutes late.\"",
            "I've told Anna that she is to expect you ten minutes late.",
            "She's had a text about it.",
            "Anna will know that you're ten minutes late.",
        ],
        &[
            "I told Anna you're ten minutes late, and she's fine with that.",
            "Anna has read your message about being ten minutes late.",
            "Anna knows you're running late. She's late too.",
            "Your message was read.",
            "I emailed Anna that you're running ten minutes late.",
            "I'll tell Anna you're ten minutes late as soon as you confirm.",
            "I've scheduled your message to Anna for the evening.",
            "I've told the dentist that you're ten minutes late.",
            "Message sent to Anna: \"I'm running a bit early.\"",
        ],
    );
}

#[test]
fn a_message_is_told_as_it_was_sent() {
    check_reports(
        "Message Ben exactly this: Don't forget the keys!",
        &[("send_message", json!({"to": "Ben", "text": "Don't forget the keys!"}))],
        &[
            "I've sent Ben \"Don't forget the keys!\"",
            "I told Ben not to forget the keys.",
            "Ben has been reminded of the keys.",
        ],
        &[
            "I told Ben that you forgot the keys.",
            "I've messaged Ben: \"Forget the keys!\"",
            "Ben has the keys.",
            "I told Ben at 8 pm not to forget the keys.",
        ],
    );
    check_reports(
        "Text Anna and Ben that the party is moved to Sunday.",
        &[
            ("send_message", json!({"to": "Anna", "text": "The party is moved to Sunday."})),
            ("send_message", json!({"to": "Ben", "text": "The party is moved to Sunday."})),
        ],
        &[
            "Anna and Ben have both been told that the party is moved to Sunday.",
            "Both know that the party is on Sunday now.",
        ],
        &[
            "I texted Anna and Ben that the meeting is moved to Sunday.",
            "Anna and Ben have both confirmed for Sunday.",
            "Anna and Ben know the party is moved to Sunday at 8 pm.",
            "The party is now on Sunday.",
        ],
    );
}

#[test]
fn timers_that_were_set_run_in_their_order() {
    check_reports(
        "Rice takes twelve minutes and the fish eight, start both timers.",
        &[
            ("set_timer", json!({"seconds": 720, "label": "rice"})),
            ("set_timer", json!({"seconds": 480, "label": "fish"})),
        ],
        &[
            "Both timers are running. The fish will be done first, in eight minutes.",
            "Twelve minutes for the rice and eight for the fish. The rice is ready last.",
            "Rice at 14:42, fish at 14:38.",
        ],
        &[
            "Both timers are running: rice 12, fish 8. The rice is done first.",
            "Twelve minutes for the rice and eight for the fish. They'll ring at the same time.",
            "I've started the rice timer for twelve minutes. The fish timer will start after it.",
            "Rice and fish timers are going. The fish is done.",
            "Both timers are running, the fish will be ready at 14:50.",
        ],
    );
    check_reports(
        "Cancel the pasta timer.",
        &[("cancel_timer", json!({"label": "pasta"}))],
        &["The pasta timer is cancelled.", "No more pasta timer."],
        &[
            "I've restarted the pasta timer.",
            "The pasta timer has been extended.",
            "The pasta timer is cancelled. It had three minutes left.",
            "Pasta timer cancelled. No other timers are running.",
        ],
    );
}

#[test]
fn a_report_tells_nothing_beyond_the_calls() {
    check_reports(
        "Play some jazz in the kitchen.",
        &[("play_music", json!({"query": "jazz", "room": "kitchen"}))],
        &["Jazz is playing in the kitchen.", "Here's some jazz for the kitchen. Enjoy!"],
        &[
            "Jazz is playing in the kitchen at full volume.",
            "Jazz is playing quietly in the kitchen.",
            "Jazz is playing in the kitchen at volume 40.",
            "Jazz is playing in the kitchen for the next hour.",
            "Jazz is playing in the kitchen and I've set a timer.",
        ],
    );
    check_reports(
        "Beethoven's fifth in the bedroom at half volume",
        &[("play_music", json!({"query": "Beethoven fifth", "room": "bedroom", "volume": 50}))],
        &["Beethoven's No. 5 in the bedroom at 50 percent.", "Beethoven's fifth at half volume."],
        &["Beethoven's No. 9 in the bedroom at 50 percent.", "It's on at volume 60."],
    );
    check_reports(
        "It's far too bright in the bedroom, make it a fifth of that.",
        &[("set_light", json!({"room": "bedroom", "brightness": 20}))],
        &["The bedroom is dimmed to 20 percent.", "Bedroom lights lowered to 20%."],
        &["The bedroom is dimmed by 20 percent.", "All the lights are at 20 percent."],
    );
    check_reports(
        "Put the dentist into my calendar for Friday at 10:15.",
        &[("create_event", json!({"title": "Dentist", "date": "2026-03-13", "time": "10:15"}))],
        &[
            "The dentist is in your calendar for Friday at 10:15.",
            "Dentist, Friday from 10:15 to 11:15.",
        ],
        &[
            "Dentist, Friday at 10:15, repeating every week.",
            "Dentist, Friday at 10:15. You have nothing else that day.",
            "Dentist, Friday at 10:15. I'll remind you an hour before.",
        ],
    );
}

/// Whether something is told beside a reply without calls that nobody knows.
fn is_unfounded(request: &str, kind: ResponseKind, reply: &str) -> bool {
    let case = Case::new("c", request);
    let transcript = Transcript::of(AssistantMessage::default());
    let evidence = Evidence::new(&case, &[], &transcript);
    Reply::read(reply).unfounded(kind, &Context::new(&evidence)).is_some()
}

#[test]
fn a_refusal_tells_nothing_that_nobody_looked_up() {
    for (request, reply) in [
        ("Unlock the front door.", "I can't unlock doors."),
        ("Unlock the front door.", "I can't, because I have no access to your locks."),
        ("Is the garage light on?", "I can't tell whether the garage light is on."),
        ("Is the garage light on?", "I was never connected to the garage."),
        ("Order a pizza.", "Ordering food is beyond me. Your list is on the fridge, I think."),
    ] {
        assert!(!is_unfounded(request, ResponseKind::Error, reply), "{reply}");
    }
    for (request, reply) in [
        ("Unlock the front door.", "I can't unlock it, it's already unlocked."),
        ("Unlock the front door.", "I can't, the lock is jammed."),
        ("Unlock the front door.", "I can't, because Anna locked it from inside."),
        ("Is the garage light on?", "I can't check, but it's probably off."),
        ("Is the garage light on?", "I can't check it. Ben turned it off an hour ago."),
        ("Is the garage light on?", "I can't check the garage, but it was dark this morning."),
        ("Order a pizza.", "I can't order food, but the pizzeria will deliver in 20 minutes."),
    ] {
        assert!(is_unfounded(request, ResponseKind::Error, reply), "{reply}");
    }
    let asked = ("Why do people complain about the weather?", ResponseKind::Text);
    assert!(is_unfounded(asked.0, asked.1, "Because it's raining in Zurich today."));
    assert!(!is_unfounded(asked.0, asked.1, "Because rain spoils everybody's plans."));
    let asked = ("Set a timer.", ResponseKind::Clarification);
    assert!(is_unfounded(asked.0, asked.1, "For how long? Two timers are already running."));
    assert!(!is_unfounded(asked.0, asked.1, "For how long should it run?"));
}
