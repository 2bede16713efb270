//! Requests that are met by an answer, a question back or a refusal.

use serde_json::json;

use super::calls::{call, look, turn};
use super::draft::CaseDraft;
use super::home::Device;
use super::maker::{CaseMaker, Recipe};
use super::vocabulary::{ITEMS, OUT_OF_SCOPE, UNKNOWN, spoken};
use crate::clock::Clock;

pub(super) const RECIPES: &[Recipe] = &[
    ("state-question", measured),
    ("state-question", locked),
    ("state-question", open),
    ("clock", clock),
    ("conditional", conditional),
    ("unavailable", unavailable),
    ("ambiguous", ambiguous),
    ("unknown-target", unknown),
    ("unknown-target", unexposed),
    ("out-of-scope", out_of_scope),
];

/// Whether it says how warm it is, in a figure people would repeat as it is.
fn is_thermometer(device: &Device) -> bool {
    let decimals = device.state.split_once('.').map_or(0, |(_, behind)| behind.len());
    device.class() == Some("temperature") && device.state.parse::<f64>().is_ok() && decimals <= 1
}

fn measured(maker: &mut CaseMaker<'_>) -> Option<CaseDraft> {
    let device = maker.device("sensor", is_thermometer)?;
    let say = maker.pick(&["what does the {} say", "how warm is it by the {}"])?;
    let say = say.replace("{}", &device.name);
    Some(CaseDraft::ask("sensor", say, &[look(device)], &[device.state.as_str()]))
}

fn locked(maker: &mut CaseMaker<'_>) -> Option<CaseDraft> {
    let known = |device: &Device| matches!(device.state.as_str(), "locked" | "unlocked");
    let device = maker.device("lock", known)?;
    let says: &[&str] = if device.state == "locked" {
        &["locked", "yes"]
    } else {
        &["unlocked", "not locked", "isn't locked", "no"]
    };
    Some(CaseDraft::ask("lock", format!("is the {} locked", device.name), &[look(device)], says))
}

fn open(maker: &mut CaseMaker<'_>) -> Option<CaseDraft> {
    let opens = |device: &Device| {
        matches!(device.class(), Some("window" | "door" | "opening" | "garage_door"))
            && matches!(device.state.as_str(), "on" | "off")
    };
    let device = maker.device("binary_sensor", opens)?;
    let says: &[&str] = if device.state == "on" {
        &["open", "yes"]
    } else {
        &["closed", "not open", "isn't open", "no", "shut"]
    };
    let say = format!("is the {} open", device.name);
    Some(CaseDraft::ask("binary_sensor", say, &[look(device)], says))
}

fn clock(maker: &mut CaseMaker<'_>) -> Option<CaseDraft> {
    let (say, is_time) = maker.pick(&[
        ("what time is it", true),
        ("tell me the time", true),
        ("which day of the week is it", false),
        ("what weekday do we have", false),
    ])?;
    let clock = &maker.home.clock;
    let says = if is_time { times(clock) } else { vec![clock.weekday().to_lowercase()] };
    let says: Vec<&str> = says.iter().map(String::as_str).collect();
    Some(CaseDraft::ask("none", say.to_owned(), &[call("llm__GetDateTime", json!({}))], &says))
}

/// The ways to tell the time of a clock.
fn times(clock: &Clock) -> Vec<String> {
    let time = clock.time();
    let part = |at: usize| time.split(':').nth(at).and_then(|part| part.parse().ok()).unwrap_or(0);
    let (hour, minute): (u32, u32) = (part(0), part(1));
    let twelve = if hour % 12 == 0 { 12 } else { hour % 12 };
    let mut ways = vec![format!("{hour:02}:{minute:02}"), format!("{twelve}:{minute:02}")];
    if minute >= 10 {
        ways.push(format!("{} {}", spoken(twelve), spoken(minute)));
    }
    ways
}

fn conditional(maker: &mut CaseMaker<'_>) -> Option<CaseDraft> {
    let sensor = maker.device("sensor", is_thermometer)?;
    if sensor.attributes["unit_of_measurement"].as_str() != Some("°C") {
        return None;
    }
    let light = maker.device("light", |device| device.state == "off")?;
    let value: f64 = sensor.state.parse().ok()?;
    let say = |limit: u32| {
        let limit = spoken(limit);
        format!("if the {} is above {limit} degrees turn on the {}", sensor.name, light.name)
    };
    // Each limit is at least five degrees away, so that no rounding decides.
    if value > 15.0 {
        let calls = [look(sensor), turn(true, light)];
        return Some(CaseDraft::act("light", say(10), &calls));
    }
    let expect = json!({"calls": [look(sensor)], "response": "query"});
    let draft = CaseDraft::ask("light", say(25), &[look(sensor)], &[]);
    Some(CaseDraft { expect, ..draft })
}

fn unavailable(maker: &mut CaseMaker<'_>) -> Option<CaseDraft> {
    let home = maker.home;
    let away = |device: &&Device| {
        let is_away = device.exposed && device.state == "unavailable" && home.is_unique(device);
        is_away && matches!(device.domain.as_str(), "light" | "switch" | "fan" | "media_player")
    };
    let device = maker.any(&home.devices.iter().filter(away).collect::<Vec<_>>())?;
    let say = maker.pick(&["is the {} working", "can you reach the {}", "is the {} on"])?;
    let says =
        ["unavailable", "offline", "not available", "not responding", "unreachable", "not working"];
    let say = say.replace("{}", &device.name);
    Some(CaseDraft::ask(&device.domain, say, &[look(device)], &says))
}

fn ambiguous(maker: &mut CaseMaker<'_>) -> Option<CaseDraft> {
    let number = maker.number(2..99);
    let say =
        maker.pick(&["set it to {n} percent", "turn that one on", "make it {n}", "switch it"])?;
    Some(CaseDraft::refuse("mixed", say.replace("{n}", &spoken(number)), "clarification"))
}

fn unknown(maker: &mut CaseMaker<'_>) -> Option<CaseDraft> {
    let thing = maker.pick(&UNKNOWN)?;
    let say = maker.pick(&["turn on the {}", "switch off the {}", "start the {}"])?;
    Some(CaseDraft::refuse("none", say.replace("{}", thing), "error"))
}

fn unexposed(maker: &mut CaseMaker<'_>) -> Option<CaseDraft> {
    let home = maker.home;
    let hidden = |device: &&Device| {
        let switched = matches!(device.domain.as_str(), "light" | "switch" | "fan");
        let exposed = || home.devices.iter().filter(|other| other.exposed);
        let named =
            |other: &Device| other.names().any(|name| name.eq_ignore_ascii_case(&device.name));
        !device.exposed && switched && !exposed().any(named)
    };
    let device = maker.any(&home.devices.iter().filter(hidden).collect::<Vec<_>>())?;
    let say = maker.pick(&["turn off the {}", "switch the {} on"])?;
    Some(CaseDraft::refuse(&device.domain, say.replace("{}", &device.name), "error"))
}

fn out_of_scope(maker: &mut CaseMaker<'_>) -> Option<CaseDraft> {
    let item = maker.pick(&ITEMS)?;
    let number = spoken(maker.number(2..9));
    let say = maker.pick(&OUT_OF_SCOPE)?.replace("{item}", item).replace("{n}", &number);
    Some(CaseDraft::refuse("none", say, "error"))
}
