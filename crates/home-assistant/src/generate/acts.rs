//! Requests that something be done.

use serde_json::json;

use super::calls::{call, look, name_of, turn, turn_room};
use super::draft::CaseDraft;
use super::home::Device;
use super::maker::{CaseMaker, Recipe};
use super::vocabulary::{COLORS, ITEMS, spoken};

pub(super) const RECIPES: &[Recipe] = &[
    ("exact-name", exact_name),
    ("alias", alias),
    ("area-and-kind", area_and_kind),
    ("floor", floor),
    ("satellite-area", satellite_area),
    ("same-name-rooms", same_name),
    ("lock-direction", lock_direction),
    ("open-close", open_close),
    ("position-words", position),
    ("brightness-absolute", brightness),
    ("brightness-relative", brighter),
    ("colour", colour),
    ("temperature", temperature),
    ("volume", volume),
    ("playback", playback),
    ("toggle", toggle),
    ("several-commands", several),
    ("correction", correction),
    ("follow-up", follow_up),
    ("timers", timer),
    ("lists-and-routines", list),
    ("garbled-speech", garbled),
    ("whole-house", whole_house),
    ("other-language", other_language),
];

fn is(state: &'static str) -> impl Fn(&Device) -> bool {
    move |device| device.state == state
}

/// Whether it is on or off, and nothing in between.
fn is_switched(device: &Device) -> bool {
    matches!(device.state.as_str(), "on" | "off")
}

/// Whether it opens and closes what people call a blind.
fn is_blind(device: &Device) -> bool {
    matches!(device.class(), Some("blind" | "shade" | "shutter" | "curtain"))
}

/// Whether one of its modes is among these.
fn has_mode(device: &Device, modes: &[&str]) -> bool {
    let own = device.attributes["supported_color_modes"].as_array();
    own.into_iter().flatten().any(|mode| mode.as_str().is_some_and(|mode| modes.contains(&mode)))
}

/// Whether a light can be dimmed.
fn can_dim(device: &Device) -> bool {
    has_mode(device, &["brightness", "color_temp", "white", "hs", "xy", "rgb", "rgbw", "rgbww"])
}

/// A switch, light or fan, and the state it does not have.
fn switchable(maker: &mut CaseMaker<'_>) -> Option<(&'static str, bool, Device)> {
    let domain = maker.pick(&["light", "switch", "fan"])?;
    let device = maker.device(domain, is_switched)?.clone();
    let on = device.state == "off";
    Some((domain, on, device))
}

fn word(on: bool) -> &'static str {
    if on { "on" } else { "off" }
}

fn exact_name(maker: &mut CaseMaker<'_>) -> Option<CaseDraft> {
    let (domain, on, device) = switchable(maker)?;
    let (name, word) = (&device.name, word(on));
    let say = maker.pick(&[0, 1, 2]).map(|way| match way {
        0 => format!("turn {word} the {name}"),
        1 => format!("{name} {word}"),
        _ => format!("could you switch the {name} {word} please"),
    })?;
    Some(CaseDraft::act(domain, say, &[turn(on, &device)]))
}

fn alias(maker: &mut CaseMaker<'_>) -> Option<CaseDraft> {
    let domain = maker.pick(&["light", "switch", "fan"])?;
    let has_alias = |device: &Device| !device.aliases.is_empty() && is_switched(device);
    let device = maker.device(domain, has_alias)?;
    let on = device.state == "off";
    let alias = device.aliases.first()?;
    Some(CaseDraft::act(domain, format!("put the {alias} {}", word(on)), &[turn(on, device)]))
}

fn area_and_kind(maker: &mut CaseMaker<'_>) -> Option<CaseDraft> {
    let domain = maker.pick(&["light", "fan"])?;
    let room = maker.room_with(domain)?;
    let home = maker.home;
    let on = home.of(domain).any(|device| home.room(device) == Some(room) && device.state == "off");
    let kind = if domain == "light" { "lights" } else { "fans" };
    let say = format!("turn {} the {kind} in the {room}", word(on));
    Some(CaseDraft::act(domain, say, &[turn_room(on, room, domain)]))
}

fn floor(maker: &mut CaseMaker<'_>) -> Option<CaseDraft> {
    let home = maker.home;
    let at = maker.pick(&(0..home.floors.len()).collect::<Vec<_>>())?;
    let names = &home.floors[at];
    let name = names.first()?;
    let here =
        |device: &&Device| device.room.is_some_and(|room| home.rooms[room].floor == Some(at));
    let lights = home.of("light").filter(here);
    let states: Vec<&str> = lights.map(|device| device.state.as_str()).collect();
    // Turning on lights that are all on would change nothing.
    let on = states.contains(&"off");
    states.first()?;
    let tool = if on { "intent__HassTurnOn" } else { "intent__HassTurnOff" };
    let arguments = json!({"floor": {"$any_of": names}, "domain": ["light"]});
    let say = format!("all the lights on the {name} {}", word(on));
    Some(CaseDraft::act("light", say, &[call(tool, arguments)]))
}

fn satellite_area(maker: &mut CaseMaker<'_>) -> Option<CaseDraft> {
    let home = maker.home;
    let at = maker.pick(&(0..home.speakers.len()).collect::<Vec<_>>())?;
    let (satellite, room) = (&home.speakers[at].name, home.speakers[at].room?);
    let room = &home.rooms[room].name;
    let say = maker.pick(&["turn on the lights", "lights on", "i need the lights on in here"])?;
    let draft = CaseDraft::act("light", say.to_owned(), &[turn_room(true, room, "light")]);
    Some(draft.at(Some(satellite)))
}

fn same_name(maker: &mut CaseMaker<'_>) -> Option<CaseDraft> {
    let home = maker.home;
    let twin = maker.pick(&home.twins())?;
    let room = home.room(twin)?;
    let arguments = json!({"name": twin.name, "area": room});
    let say = format!("turn on the {} in the {room}", twin.name);
    let speakers = home.speakers.iter().map(|speaker| Some(speaker.name.as_str()));
    let satellite = maker.pick(&speakers.chain([None]).collect::<Vec<_>>())?;
    let say = if satellite.is_none() { format!("{say} please") } else { say };
    Some(CaseDraft::act("light", say, &[call("intent__HassTurnOn", arguments)]).at(satellite))
}

/// Whether a lock or a cover stands as one expects, and does not move or jam.
fn is_shut_or_not(device: &Device) -> bool {
    matches!(device.state.as_str(), "locked" | "unlocked" | "open" | "closed")
}

fn lock_direction(maker: &mut CaseMaker<'_>) -> Option<CaseDraft> {
    let device = maker.device("lock", is_shut_or_not)?;
    let lock = device.state == "unlocked";
    let verb = if lock { "lock" } else { "unlock" };
    let polite = maker.pick(&["", " now", " please"])?;
    Some(CaseDraft::act(
        "lock",
        format!("{verb} the {}{polite}", device.name),
        &[turn(lock, device)],
    ))
}

fn open_close(maker: &mut CaseMaker<'_>) -> Option<CaseDraft> {
    let device = maker.device("cover", is_shut_or_not)?;
    let open = device.state == "closed";
    let verb = if open { "open" } else { "close" };
    Some(CaseDraft::act("cover", format!("{verb} the {}", device.name), &[turn(open, device)]))
}

fn position(maker: &mut CaseMaker<'_>) -> Option<CaseDraft> {
    let device =
        maker.device("cover", |device| device.attributes["current_position"].is_number())?;
    let (words, percent) = maker.pick(&[
        ("halfway", 50),
        ("a quarter", 25),
        ("three quarters", 75),
        ("a tenth", 10),
    ])?;
    let draft = CaseDraft::act(
        "cover",
        format!("open the {} {words}", device.name),
        &[call("intent__HassSetPosition", json!({"name": name_of(device), "position": percent}))],
    );
    Some(draft.setup(device, json!({"state": "closed", "current_position": 0, "is_closed": true})))
}

fn brightness(maker: &mut CaseMaker<'_>) -> Option<CaseDraft> {
    let device = maker.device("light", can_dim)?;
    let percent = maker.number(1..20) * 5 + 1;
    let say = format!("set the {} to {} percent", device.name, spoken(percent));
    let arguments = json!({"name": name_of(device), "brightness": percent});
    Some(CaseDraft::act("light", say, &[call("light__HassLightSet", arguments)]))
}

fn brighter(maker: &mut CaseMaker<'_>) -> Option<CaseDraft> {
    let device = maker.device("light", |device| device.state == "on" && can_dim(device))?;
    let (word, target) = maker.pick(&[("brighter", 60), ("darker", 25)])?;
    let arguments =
        json!({"name": name_of(device), "brightness": {"$number": target, "tolerance": 12}});
    let say = format!("make the {} a bit {word}", device.name);
    let draft =
        CaseDraft::act("light", say, &[look(device), call("light__HassLightSet", arguments)]);
    Some(draft.setup(device, json!({"brightness": 107})))
}

fn colour(maker: &mut CaseMaker<'_>) -> Option<CaseDraft> {
    let colours = ["hs", "xy", "rgb", "rgbw", "rgbww"];
    let device = maker.device("light", |device| has_mode(device, &colours))?;
    let color = maker.pick(&COLORS)?;
    let arguments = json!({"name": name_of(device), "color": color});
    let say = format!("make the {} {color}", device.name);
    Some(CaseDraft::act("light", say, &[call("light__HassLightSet", arguments)]))
}

fn temperature(maker: &mut CaseMaker<'_>) -> Option<CaseDraft> {
    let device = maker.device("climate", |_| true)?;
    // A home that goes beyond 50 degrees counts in Fahrenheit.
    let fahrenheit = device.attributes["max_temp"].as_f64().is_some_and(|most| most > 50.0);
    let degrees = maker.number(if fahrenheit { 74..79 } else { 24..29 });
    let arguments = json!({"name": name_of(device), "temperature": degrees});
    let say = format!("set the {} to {} degrees", device.name, spoken(degrees));
    Some(CaseDraft::act("climate", say, &[call("climate__HassClimateSetTemperature", arguments)]))
}

fn volume(maker: &mut CaseMaker<'_>) -> Option<CaseDraft> {
    let device = maker.device("media_player", |_| true)?;
    let percent = maker.number(1..20) * 5 + 1;
    let arguments = json!({"name": name_of(device), "volume_level": percent});
    let say = format!("{} volume to {}", device.name, spoken(percent));
    Some(CaseDraft::act("media_player", say, &[call("media_player__HassSetVolume", arguments)]))
}

fn playback(maker: &mut CaseMaker<'_>) -> Option<CaseDraft> {
    let plays = |device: &Device| matches!(device.state.as_str(), "playing" | "paused");
    let device = maker.device("media_player", plays)?;
    let (verb, tool) = if device.state == "playing" {
        ("pause", "media_player__HassMediaPause")
    } else {
        ("resume", "media_player__HassMediaUnpause")
    };
    let calls = [call(tool, json!({"name": name_of(device)}))];
    Some(CaseDraft::act("media_player", format!("{verb} the {}", device.name), &calls))
}

fn toggle(maker: &mut CaseMaker<'_>) -> Option<CaseDraft> {
    let (domain, on, device) = switchable(maker)?;
    let calls = [look(&device), turn(on, &device)];
    Some(CaseDraft::act(domain, format!("toggle the {}", device.name), &calls))
}

fn several(maker: &mut CaseMaker<'_>) -> Option<CaseDraft> {
    let light = maker.device("light", is("off"))?;
    let lock = maker.device("lock", is_shut_or_not)?;
    let locks = lock.state == "unlocked";
    let verb = if locks { "lock" } else { "unlock" };
    let say = format!("turn on the {} and {verb} the {}", light.name, lock.name);
    Some(CaseDraft::act("lock", say, &[turn(true, light), turn(locks, lock)]))
}

fn correction(maker: &mut CaseMaker<'_>) -> Option<CaseDraft> {
    let meant = maker.device("light", is("off"))?;
    let other = maker.device("light", |device| device.id != meant.id)?;
    let say = format!("turn on the {} no wait the {}", other.name, meant.name);
    Some(CaseDraft::act("light", say, &[turn(true, meant)]))
}

fn follow_up(maker: &mut CaseMaker<'_>) -> Option<CaseDraft> {
    let device = maker.device("switch", is("off"))?;
    let say = maker.pick(&["turn it off again", "off again please", "no switch it off again"])?;
    let success = json!([{"name": device.name, "type": "entity", "id": device.id}]);
    let result = json!({"speech": {}, "response_type": "action_done",
        "data": {"success": success, "failed": []}});
    let mut draft = CaseDraft::act("switch", say.to_owned(), &[turn(false, device)]);
    draft.context = vec![
        json!({"user": format!("turn on the {}", device.name.to_lowercase())}),
        json!({"call": call("intent__HassTurnOn", json!({"name": device.name})),
            "reply": json!({"data": result, "error": false}).to_string()}),
        json!({"assistant": format!("The {} is on.", device.name)}),
    ];
    Some(draft)
}

fn timer(maker: &mut CaseMaker<'_>) -> Option<CaseDraft> {
    if !maker.home.speakers.first().is_some_and(|speaker| speaker.timers) {
        return None;
    }
    let minutes = maker.number(2..60);
    let say =
        maker.pick(&["set a timer for {n} minutes", "{n} minute timer", "time {n} minutes"])?;
    let calls = [call("intent__HassStartTimer", json!({"minutes": minutes}))];
    Some(CaseDraft::act("timer", say.replace("{n}", &spoken(minutes)), &calls))
}

fn list(maker: &mut CaseMaker<'_>) -> Option<CaseDraft> {
    let item = maker.pick(&ITEMS)?;
    let say = maker.pick(&["add {i} to the {l}", "put {i} on the {l}"])?;
    let home = maker.home;
    let lists: Vec<&Device> = home.of("todo").filter(|list| home.is_unique(list)).collect();
    let list = maker.any(&lists)?;
    let arguments = json!({"name": name_of(list), "item": item});
    let calls = [call("todo__HassListAddItem", arguments)];
    let say = say.replace("{i}", item).replace("{l}", &list.name);
    Some(CaseDraft::act("todo", say, &calls))
}

/// Letters swapped within a word, as a bad microphone would have it.
fn garbled(maker: &mut CaseMaker<'_>) -> Option<CaseDraft> {
    let (domain, on, device) = switchable(maker)?;
    let mut letters: Vec<char> = device.name.to_lowercase().chars().collect();
    let at = maker.number(1..4) as usize;
    if letters.get(at)? == letters.get(at + 1)? || letters[at + 1] == ' ' || letters[at] == ' ' {
        return None;
    }
    letters.swap(at, at + 1);
    let heard: String = letters.into_iter().collect();
    Some(CaseDraft::act(domain, format!("turn {} uh the {heard}", word(on)), &[turn(on, &device)]))
}

fn whole_house(maker: &mut CaseMaker<'_>) -> Option<CaseDraft> {
    let (domain, kind) = maker.pick(&[("light", "light"), ("fan", "fan"), ("cover", "blind")])?;
    let (on, verb) = maker.pick(&[(true, "on"), (false, "off")])?;
    let say = match (domain, on) {
        ("cover", true) => format!("open every {kind} in the whole house"),
        ("cover", false) => format!("close every {kind} in the whole house"),
        _ => format!("turn {verb} every {kind} in the whole house"),
    };
    let stays = if domain == "cover" { ["closed", "open"] } else { ["off", "on"] };
    let state = if on { stays[0] } else { stays[1] };
    let home = maker.home;
    // Something has to be in the other state, or the request changes nothing.
    home.of(domain).find(|device| device.state == state)?;
    // A call by domain alone reaches every cover: a garage door would open with the blinds.
    if domain == "cover" && !home.of(domain).all(is_blind) {
        return None;
    }
    let tool = if on { "intent__HassTurnOn" } else { "intent__HassTurnOff" };
    let none = || json!({"$forbidden": true});
    let arguments =
        json!({"domain": [domain], "name": {"$optional": "all"}, "area": none(), "floor": none()});
    Some(CaseDraft::act(domain, say, &[call(tool, arguments)]))
}

fn other_language(maker: &mut CaseMaker<'_>) -> Option<CaseDraft> {
    let (domain, on, device) = switchable(maker)?;
    let forms: [(&str, &str, &str); 4] = [
        ("schalte {} ein", "schalte {} aus", "de"),
        ("allume {}", "éteins {}", "fr"),
        ("enciende {}", "apaga {}", "es"),
        ("accendi {}", "spegni {}", "it"),
    ];
    let (turn_on, turn_off, language) = maker.pick(&forms)?;
    let say = if on { turn_on } else { turn_off }.replace("{}", &device.name);
    let draft = CaseDraft::act(domain, say, &[turn(on, &device)]);
    Some(CaseDraft { language, ..draft })
}
