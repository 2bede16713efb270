//! Reports and answers of a suite in which nothing is known but calls and what tools returned.

use serde_json::json;
use toolgauge_core::{ResponseKind, ToolCall, ToolMessage};

use super::calls::check_reports;
use super::*;

/// Whether an answer adds something false to what a tool returned.
fn adds_something_false(
    request: &str,
    call: &(&str, Value),
    returned: &Value,
    fact: &Value,
    reply: &str,
) -> bool {
    let mut case = Case::new("c", request);
    case.expectation.more.insert("reply".into(), json!({"today": "2026-03-12", "now": "14:30"}));
    let calls = vec![ToolCall::new(call.0, call.1.as_object().unwrap().clone())];
    let made = AssistantMessage { calls, ..AssistantMessage::default() };
    let mut transcript = Transcript::of(made);
    let returned = ToolMessage {
        call_id: String::new(),
        name: call.0.to_owned(),
        content: returned.to_string(),
        failed: false,
    };
    transcript.messages.push(toolgauge_core::Message::Tool(returned));
    let said = AssistantMessage { content: reply.into(), ..AssistantMessage::default() };
    transcript.messages.push(toolgauge_core::Message::Assistant(said));
    let evidence = Evidence::new(&case, &[], &transcript);
    let facts = [serde_json::from_value(fact.clone()).unwrap()];
    let context = Context::new(&evidence);
    let read = Reply::read(reply);
    !read.held_against(&facts, &context).is_empty() || read.invented(&facts, &context).is_some()
}

#[test]
fn what_calls_leave_behind_is_not_denied() {
    check_reports(
        "turn off the kitchen light",
        &[("set_light", json!({"room": "kitchen", "on": false}))],
        &[
            "The kitchen light is off, so it's dark in there now.",
            "Nothing is burning in the kitchen any more.",
            "The kitchen light isn't on any more.",
        ],
        &[
            "The kitchen light is off now. It's still burning, though.",
            "The kitchen light is off, so it's nice and bright in there.",
            "The kitchen light is off. It had been on for three hours.",
            "The kitchen light is off now. You forgot it again.",
            "Turning off lights saves energy.",
            "I can control the lights in your kitchen.",
        ],
    );
    check_reports(
        "cancel the pasta timer",
        &[("cancel_timer", json!({"label": "pasta"}))],
        &[
            "The pasta timer is cancelled, so it won't ring.",
            "There's no pasta timer running any more.",
        ],
        &[
            "The pasta timer is cancelled. It will ring as planned.",
            "The pasta timer is cancelled. It's still counting down.",
            "The pasta timer is cancelled. I'll let you know when it's up.",
            "The pasta timer is cancelled. There were two minutes left.",
        ],
    );
    check_reports(
        "quiet please, I'm on the phone",
        &[("pause_music", json!({}))],
        &[
            "The music is paused, so you can talk in peace.",
            "It's quiet now. Tell me when you want the music back.",
            "Paused. Nothing is playing now.",
        ],
        &[
            "The music is paused. You can still hear it.",
            "Paused. The song goes on.",
            "The music is paused, and I'll start it again when your call is over.",
            "Music paused. I've told the others to be quiet too.",
            "Phone calls can be so important, can't they?",
        ],
    );
}

#[test]
fn timers_are_told_in_their_order() {
    check_reports(
        "Rice takes twelve minutes and the fish eight, start both timers.",
        &[
            ("set_timer", json!({"seconds": 720, "label": "rice"})),
            ("set_timer", json!({"seconds": 480, "label": "fish"})),
        ],
        &[
            "Rice twelve minutes, fish eight. The fish will be ready first.",
            "Both timers are running: the rice takes four minutes longer than the fish.",
        ],
        &[
            "Rice for twelve minutes and fish for eight, so the fish takes longer.",
            "Rice is at twelve and fish at eight, so the rice will be ready before the fish.",
            "Twelve minutes for rice and eight for fish, so they ring together.",
        ],
    );
}

#[test]
fn the_time_of_an_event_is_told_again_as_it_is() {
    check_reports(
        "Dr. Meyer, 4.5. at 8 in the morning, put that in the calendar (day first, I'm Swiss).",
        &[("create_event", json!({"title": "Dr. Meyer", "date": "2026-05-04", "time": "08:00"}))],
        &[
            "Dr. Meyer is in your calendar for Monday, May 4, at 8:00.",
            "Dr. Meyer, 4 May, eight in the morning. I read it day first, as you said.",
        ],
        &[
            "Dr. Meyer is in your calendar for May 4 at 8:00 in the morning, so in April.",
            "Dr. Meyer is in your calendar for 4 May at 8:00, which is in the afternoon.",
            "Dr. Meyer is in your calendar for May 4 at 8 am. That's next week.",
            "Dr. Meyer is in your calendar for May 4 at 8. It's your third appointment this year.",
        ],
    );
    check_reports(
        "Schedule a planning meeting with Ben and Carla on Monday at 2 pm.",
        &[(
            "create_event",
            json!({"title": "Planning meeting", "date": "2026-03-16", "time": "14:00",
                "attendees": ["Ben", "Carla"]}),
        )],
        &["The planning meeting is set for Monday at 2 pm, and Ben and Carla are invited."],
        &[
            "The planning meeting is on Monday at 2 pm, and both of them have already accepted.",
            "The planning meeting with Ben and Carla is on Monday at 2 pm, they're both free then.",
            "Planning meeting with Ben on Monday at 2 pm. I couldn't invite Carla.",
            "The planning meeting is on Monday at 2 pm, and the room on the third floor is yours.",
        ],
    );
}

#[test]
fn a_figure_told_again_fits_the_first_one() {
    let fact = json!({"number": 42.16, "unit": "km", "tolerance": 0.2});
    let is_false = |reply: &str| {
        let call = ("convert_units", json!({"amount": 26.2, "from": "mi", "to": "km"}));
        let returned = json!({"error": "not available offline"});
        adds_something_false("how many kilometres are 26.2 miles", &call, &returned, &fact, reply)
    };
    for right in [
        "26.2 miles are about 42.2 kilometres, a little more than 42.",
        "26.2 miles is 42.16 km, just over 42.",
        "A bit over 42 kilometres, more than 40 in any case.",
    ] {
        assert!(!is_false(right), "{right}");
    }
    for wrong in [
        "26.2 miles is about 42.2 kilometres, so just under 40.",
        "26.2 miles are about 42 kilometres, so more than fifty.",
        "26.2 miles are 42.2 kilometres, so there are fewer kilometres than miles in it.",
        "26.2 miles are 42.16 km. A kilometre is longer than a mile.",
        "26.2 miles is 42.2 kilometres, according to the converter.",
    ] {
        assert!(is_false(wrong), "{wrong}");
    }
}

#[test]
fn the_weather_is_told_as_it_was_forecast() {
    let fact = json!({"phrase": ["cloudy"]});
    let is_false = |reply: &str| {
        let call = ("get_weather", json!({"city": "Zurich"}));
        let returned =
            json!({"sky": "partly cloudy", "high_c": 14, "low_c": 6, "chance_of_rain": 0.2});
        adds_something_false("what's the weather like today", &call, &returned, &fact, reply)
    };
    for right in [
        "Partly cloudy, 6 to 14 degrees, with a 20 percent chance of rain, so it will probably stay dry.",
        "Partly cloudy, up to 14 degrees. Rain is unlikely, at 20 percent.",
        "Partly cloudy, 14 degrees at most, with one chance in five of rain.",
    ] {
        assert!(!is_false(right), "{right}");
    }
    for wrong in [
        "Partly cloudy with a 20 percent chance of rain, so you'll certainly get wet.",
        "Partly cloudy, 6 to 14 degrees, so it'll freeze.",
        "Partly cloudy, high 14, low 6, and a 2 percent chance of rain.",
        "Partly cloudy today, so not a cloud in the sky.",
        "Partly cloudy, 20 percent chance of rain, mostly in the evening.",
        "Partly cloudy, up to 14 degrees. Yesterday it was warmer.",
    ] {
        assert!(is_false(wrong), "{wrong}");
    }
}

#[test]
fn a_day_is_told_by_its_appointments() {
    let fact = json!({"phrase": ["dentist"]});
    let is_false = |reply: &str| {
        let call = ("list_events", json!({"date": "2026-03-13"}));
        let returned = json!([{"title": "Dentist", "time": "09:00"},
            {"title": "Lunch with Ben", "time": "12:30"}]);
        adds_something_false("What have I got on tomorrow?", &call, &returned, &fact, reply)
    };
    for right in [
        "Two appointments tomorrow: the dentist at 9:00 and lunch with Ben at 12:30.",
        "The dentist at nine and lunch with Ben at half past twelve. The afternoon is free.",
        "Nothing before nine, then the dentist, and lunch with Ben at 12:30.",
        "The dentist at nine and lunch with Ben at half past twelve. After that you're free.",
    ] {
        assert!(!is_false(right), "{right}");
    }
    for wrong in [
        "The dentist at nine and lunch with Ben at half past twelve, so your morning is free.",
        "The dentist at nine and lunch with Ben at half past twelve, so four appointments.",
        "The dentist at 9 and lunch with Ben at 12:30. You have no appointments tomorrow.",
        "The dentist at nine and lunch with Ben at 12:30, so you see Ben before the dentist.",
        "The dentist at nine and lunch with Ben at half past twelve. Ben confirmed it.",
    ] {
        assert!(is_false(wrong), "{wrong}");
    }
}

/// Whether a reply without calls is wrong of its kind.
fn is_wrong(request: &str, kind: ResponseKind, fact: &Value, reply: &str) -> bool {
    let case = Case::new("c", request);
    let transcript = Transcript::of(AssistantMessage::default());
    let evidence = Evidence::new(&case, &[], &transcript);
    let context = Context::new(&evidence);
    let facts = [serde_json::from_value(fact.clone()).unwrap()];
    let read = Reply::read(reply);
    !read.wrong_kind(kind, &facts, &context).is_empty() || read.unfounded(kind, &context).is_some()
}

#[test]
fn a_question_back_may_name_what_is_open() {
    let fact = json!({"question": ["long", "length", "minutes", "time", "when"]});
    let is_wrong =
        |reply: &str| is_wrong("Set a timer.", ResponseKind::Clarification, &fact, reply);
    for right in [
        "One minute, ten, an hour? Your call.",
        "Happy to. The length, please?",
        "Tell me the length and it's running.",
        "Gladly, I'm only short of one thing: the number of minutes.",
        "Three minutes, thirty, three hours? Say which and I'll start it.",
    ] {
        assert!(!is_wrong(right), "{right}");
    }
    for wrong in [
        "Okay, timer set. How long?",
        "What is the timer for?",
        "A timer is running. How long should it be?",
        "I can set timers of any length.",
    ] {
        assert!(is_wrong(wrong), "{wrong}");
    }
}

#[test]
fn small_talk_tells_no_news() {
    let fact = json!({"small_talk": true});
    let is_wrong = |reply: &str| is_wrong("thanks, that's all", ResponseKind::Text, &fact, reply);
    for right in [
        "You're welcome! Have a nice day.",
        "Any time. I'm here if you need anything else.",
        "Not at all. I can't complain about work like this.",
    ] {
        assert!(!is_wrong(right), "{right}");
    }
    for wrong in [
        "You're welcome! Your timer is still running.",
        "You're welcome. Don't forget your appointment at three.",
        "Glad to help! Anna is waiting for you.",
        "You're welcome. By the way, Ben sent you a message.",
        "Sorry, none of my tools can do that. Please try asking in a different way.",
        "You're welcome. You asked me 14 things today.",
    ] {
        assert!(is_wrong(wrong), "{wrong}");
    }
}

#[test]
fn a_refusal_blames_nothing_that_nobody_knows() {
    let fact = json!({"refusal": true});
    let is_wrong =
        |reply: &str| is_wrong("unlock the front door", ResponseKind::Error, &fact, reply);
    for right in [
        "I can't unlock doors.",
        "I'm afraid there's no lock I can control. You'd have to do it by hand.",
    ] {
        assert!(!is_wrong(right), "{right}");
    }
    for wrong in [
        "I can't unlock the front door, its battery is at four percent.",
        "I can't unlock the front door, somebody bolted it from inside.",
        "I can't open doors. The key is under the mat.",
    ] {
        assert!(is_wrong(wrong), "{wrong}");
    }
}
