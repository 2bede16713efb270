//! Requests that are met by an answer, a question back or a refusal.

use serde_json::json;

use super::calls::{call, look, turn};
use super::draft::Draft;
use super::maker::{Maker, Recipe};
use super::vocabulary::{ITEMS, OUT_OF_SCOPE, UNKNOWN, spoken};

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

fn measured(maker: &mut Maker<'_>) -> Option<Draft> {
    let device = maker.device("sensor", |_| true)?;
    let say = maker.pick(&["what does the {} say", "how warm is it by the {}"])?;
    let say = say.replace("{}", &device.name);
    Some(Draft::ask("sensor", say, &[look(device)], &[device.state.as_str()]))
}

fn locked(maker: &mut Maker<'_>) -> Option<Draft> {
    let device = maker.device("lock", |_| true)?;
    let says: &[&str] = if device.state == "locked" {
        &["locked", "yes"]
    } else {
        &["unlocked", "not locked", "isn't locked", "no"]
    };
    Some(Draft::ask("lock", format!("is the {} locked", device.name), &[look(device)], says))
}

fn open(maker: &mut Maker<'_>) -> Option<Draft> {
    let device = maker.device("binary_sensor", |_| true)?;
    let says: &[&str] = if device.state == "on" {
        &["open", "yes"]
    } else {
        &["closed", "not open", "isn't open", "no", "shut"]
    };
    let say = format!("is the {} open", device.name);
    Some(Draft::ask("binary_sensor", say, &[look(device)], says))
}

fn clock(maker: &mut Maker<'_>) -> Option<Draft> {
    let (say, says): (&str, &[&str]) = maker.pick(&[
        ("what time is it", &["18:42", "6:42", "six forty two"][..]),
        ("tell me the time", &["18:42", "6:42", "six forty two"][..]),
        ("which day of the week is it", &["thursday"][..]),
        ("what weekday do we have", &["thursday"][..]),
    ])?;
    Some(Draft::ask("none", say.to_owned(), &[call("llm__GetDateTime", json!({}))], says))
}

fn conditional(maker: &mut Maker<'_>) -> Option<Draft> {
    let sensor = maker.device("sensor", |_| true)?;
    let light = maker.device("light", |device| device.state == "off")?;
    let value: f64 = sensor.state.parse().ok()?;
    let say = |limit: u32| {
        let limit = spoken(limit);
        format!("if the {} is above {limit} degrees turn on the {}", sensor.name, light.name)
    };
    if value > 15.0 {
        let calls = [look(sensor), turn(true, light)];
        return Some(Draft::act("light", say(10), &calls));
    }
    let expect = json!({"calls": [look(sensor)], "response": "query"});
    let draft = Draft::ask("light", say(25), &[look(sensor)], &[]);
    Some(Draft { expect, ..draft })
}

fn unavailable(maker: &mut Maker<'_>) -> Option<Draft> {
    let home = maker.home;
    let device = home.devices.iter().find(|device| device.state == "unavailable")?;
    let say = maker.pick(&["is the {} working", "can you reach the {}", "is the {} on"])?;
    let says =
        ["unavailable", "offline", "not available", "not responding", "unreachable", "not working"];
    Some(Draft::ask("light", say.replace("{}", &device.name), &[look(device)], &says))
}

fn ambiguous(maker: &mut Maker<'_>) -> Option<Draft> {
    let number = maker.number(2..99);
    let say =
        maker.pick(&["set it to {n} percent", "turn that one on", "make it {n}", "switch it"])?;
    Some(Draft::refuse("mixed", say.replace("{n}", &spoken(number)), "clarification"))
}

fn unknown(maker: &mut Maker<'_>) -> Option<Draft> {
    let thing = maker.pick(&UNKNOWN)?;
    let say = maker.pick(&["turn on the {}", "switch off the {}", "start the {}"])?;
    Some(Draft::refuse("none", say.replace("{}", thing), "error"))
}

fn unexposed(maker: &mut Maker<'_>) -> Option<Draft> {
    let home = maker.home;
    let device = home.devices.iter().find(|device| !device.exposed)?;
    let say = maker.pick(&["turn off the {}", "switch the {} on"])?;
    Some(Draft::refuse("switch", say.replace("{}", &device.name), "error"))
}

fn out_of_scope(maker: &mut Maker<'_>) -> Option<Draft> {
    let item = maker.pick(&ITEMS)?;
    let number = spoken(maker.number(2..9));
    let say = maker.pick(&OUT_OF_SCOPE)?.replace("{item}", item).replace("{n}", &number);
    Some(Draft::refuse("none", say, "error"))
}
