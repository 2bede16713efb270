//! A home made at random.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use rand::RngExt as _;
use rand::seq::{IndexedRandom, SliceRandom};
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use super::vocabulary::{FIRST, FLOORS, ROOMS, nouns};
use crate::clock::Clock;

/// When everything happens in a home made by chance.
const MOMENT: &str = "2026-11-19T18:42:00+01:00";
const ZONE: &str = "CET";

/// A home: rooms with devices in them.
pub(super) struct GeneratedHome {
    /// The names of each floor.
    pub(super) floors: Vec<Vec<String>>,
    pub(super) rooms: Vec<GeneratedRoom>,
    pub(super) devices: Vec<Device>,
    /// Where people speak. The first is where they speak unless a case says otherwise.
    pub(super) speakers: Vec<Speaker>,
    pub(super) clock: Clock,
    /// Names that do not tell one thing from all others, in lower case.
    pub(super) shared: BTreeSet<String>,
}

pub(super) struct GeneratedRoom {
    pub(super) name: String,
    /// The position of its floor.
    pub(super) floor: Option<usize>,
}

/// A satellite.
pub(super) struct Speaker {
    pub(super) name: String,
    pub(super) room: Option<usize>,
    pub(super) timers: bool,
}

#[derive(Clone, Debug)]
pub(super) struct Device {
    pub(super) id: String,
    pub(super) domain: String,
    /// The name to call it by.
    pub(super) name: String,
    pub(super) aliases: Vec<String>,
    /// The position of its room.
    pub(super) room: Option<usize>,
    pub(super) state: String,
    pub(super) attributes: Value,
    pub(super) exposed: bool,
}

/// What every home has, before the rest is drawn.
const ALWAYS: [&str; 18] = [
    "light",
    "light",
    "light",
    "light",
    "cover",
    "cover",
    "switch",
    "switch",
    "sensor",
    "binary_sensor",
    "climate",
    "climate",
    "fan",
    "media_player",
    "lock",
    "lock",
    "scene",
    "switch",
];

/// What the rest is drawn from.
const MIX: [(&str, u32); 10] = [
    ("light", 30),
    ("cover", 11),
    ("switch", 15),
    ("sensor", 14),
    ("binary_sensor", 10),
    ("climate", 6),
    ("fan", 5),
    ("media_player", 5),
    ("lock", 3),
    ("scene", 1),
];

impl GeneratedHome {
    /// A home of so many entities.
    pub(super) fn build(random: &mut ChaCha8Rng, entities: usize) -> Self {
        let mut names: Vec<&'static str> = ROOMS.to_vec();
        names.shuffle(random);
        let count = (entities / 8).clamp(4, ROOMS.len());
        let rooms = names[..count].iter().enumerate();
        let rooms = rooms.map(|(at, name)| GeneratedRoom {
            name: (*name).to_owned(),
            floor: Some(at % FLOORS.len()),
        });
        let rooms = rooms.collect();
        let mut builder = Builder { random, taken: BTreeSet::new(), rooms, devices: Vec::new() };
        builder.fill(entities);
        let speaker = |name: &str, room, timers| Speaker { name: name.into(), room, timers };
        let floor = |(name, alias): &(&str, &str)| vec![(*name).to_owned(), (*alias).to_owned()];
        let mut home = Self {
            floors: FLOORS.iter().map(floor).collect(),
            rooms: builder.rooms,
            devices: builder.devices,
            speakers: vec![speaker("hub", Some(0), true), speaker("far", Some(1), false)],
            clock: Clock::new(MOMENT, Some(ZONE)).unwrap_or_else(|_| Clock::recorded()),
            shared: BTreeSet::new(),
        };
        home.find_shared();
        home
    }

    /// Notes the names that several exposed devices have, or a device and a place.
    pub(super) fn find_shared(&mut self) {
        let mut taken = BTreeSet::new();
        let mut shared = BTreeSet::new();
        let rooms = self.rooms.iter().map(|room| &room.name);
        taken.extend(rooms.chain(self.floors.iter().flatten()).map(|name| name.to_lowercase()));
        for device in self.devices.iter().filter(|device| device.exposed) {
            let own: BTreeSet<String> = device.names().map(|name| name.to_lowercase()).collect();
            shared.extend(own.into_iter().filter(|name| !taken.insert(name.clone())));
        }
        self.shared = shared;
    }

    /// The home as an inventory file.
    pub(super) fn to_yaml(&self) -> String {
        let mut text = format!("clock: \"{MOMENT}\"\ntimezone: {ZONE}\n\nfloors:\n");
        for (name, alias) in FLOORS {
            let _ = writeln!(text, "  - {}", json!({"name": name, "aliases": [alias]}));
        }
        text.push_str("\nareas:\n");
        for room in &self.rooms {
            let area = json!({"name": room.name, "floor": self.floors[room.floor.unwrap_or(0)][0]});
            let _ = writeln!(text, "  - {area}");
        }
        text.push_str("\nsatellites:\n");
        let hub = json!({"area": self.rooms[0].name, "timers": true});
        let far = json!({"area": self.rooms[1].name, "timers": false});
        let _ = writeln!(text, "  hub: {hub}\n  far: {far}\n\nentities:");
        for device in &self.devices {
            let _ = writeln!(text, "  - {}", device.to_json(&self.rooms));
        }
        text
    }

    /// The exposed and available devices of a domain.
    pub(super) fn of<'h>(&'h self, domain: &'h str) -> impl Iterator<Item = &'h Device> {
        self.devices.iter().filter(move |device| {
            device.exposed && device.domain == domain && device.state != "unavailable"
        })
    }

    pub(super) fn room(&self, device: &Device) -> Option<&str> {
        device.room.map(|at| self.rooms[at].name.as_str())
    }

    /// Whether a device can be told from all others by its name.
    pub(super) fn is_unique(&self, device: &Device) -> bool {
        device.names().all(|name| !self.shared.contains(&name.to_lowercase()))
    }

    /// Exposed lights that share their name with one in another room.
    pub(super) fn twins(&self) -> Vec<&Device> {
        let twin = |device: &&Device| {
            let same = |other: &&Device| other.name.eq_ignore_ascii_case(&device.name);
            let others: Vec<&Device> =
                self.devices.iter().filter(|d| d.exposed).filter(same).collect();
            let here = others.iter().filter(|other| other.room == device.room).count();
            others.len() > 1 && here == 1 && device.room.is_some()
        };
        self.of("light").filter(twin).collect()
    }
}

impl Device {
    /// Every name it answers to.
    pub(super) fn names(&self) -> impl Iterator<Item = &String> {
        std::iter::once(&self.name).chain(&self.aliases)
    }

    /// The kind of device within its domain.
    pub(super) fn class(&self) -> Option<&str> {
        self.attributes["device_class"].as_str()
    }

    fn to_json(&self, rooms: &[GeneratedRoom]) -> Value {
        let mut value = json!({"entity_id": self.id, "name": self.name, "state": self.state});
        if !matches!(self.domain.as_str(), "todo" | "scene") {
            value["area"] = json!(rooms[self.room.unwrap_or(0)].name);
        }
        if !self.aliases.is_empty() {
            value["aliases"] = json!(self.aliases);
        }
        if self.domain == "todo" {
            value["items"] = json!(["Milk", "Bread"]);
        } else if self.attributes != json!({}) {
            value["attributes"] = self.attributes.clone();
        }
        if !self.exposed {
            value["exposed"] = json!(false);
        }
        value
    }
}

struct Builder<'r> {
    random: &'r mut ChaCha8Rng,
    taken: BTreeSet<String>,
    rooms: Vec<GeneratedRoom>,
    devices: Vec<Device>,
}

impl Builder<'_> {
    fn fill(&mut self, entities: usize) {
        for (at, domain) in ALWAYS.into_iter().enumerate() {
            // The first rooms get the lights, so that the satellites stand among them.
            let room = if at < 4 { at % 2 } else { at % self.rooms.len() };
            self.add(domain, room);
        }
        self.twins();
        // Recipes need a thing that cannot be reached and one that is not exposed.
        self.add("light", 2);
        if let Some(device) = self.devices.last_mut() {
            device.state = "unavailable".into();
        }
        self.add("switch", 3);
        if let Some(device) = self.devices.last_mut() {
            device.exposed = false;
        }
        self.list();
        while self.devices.len() < entities {
            let domain = MIX.choose_weighted(self.random, |(_, weight)| *weight);
            let domain = domain.map_or("light", |(domain, _)| domain);
            let room = self.random.random_range(0..self.rooms.len());
            self.add(domain, room);
        }
    }

    /// Two lights of one name, in the rooms of the two satellites.
    fn twins(&mut self) {
        let name = self.name("light", 0);
        for room in [0, 1] {
            let id = format!("light.twin_{room}");
            let (_, attributes) = self.state("light");
            let (state, attributes) = ("off".to_owned(), dark(attributes));
            let name = name.clone();
            let exposed = true;
            self.devices.push(Device {
                id,
                domain: "light".into(),
                name,
                aliases: vec![],
                room: Some(room),
                state,
                attributes,
                exposed,
            });
        }
    }

    fn list(&mut self) {
        self.devices.push(Device {
            id: "todo.pantry_list".into(),
            domain: "todo".into(),
            name: "Pantry list".into(),
            aliases: vec![],
            room: Some(0),
            state: "2".into(),
            attributes: json!({}),
            exposed: true,
        });
    }

    fn add(&mut self, domain: &'static str, room: usize) {
        let name = self.name(domain, room);
        let (state, attributes) = self.state(domain);
        let alias = self.random.random_bool(0.2).then(|| self.name(domain, room));
        let aliases = alias.into_iter().collect();
        let id = format!("{domain}.{}", slug(&name));
        let (domain, room, exposed) = (domain.to_owned(), Some(room), true);
        self.devices.push(Device { id, domain, name, aliases, room, state, attributes, exposed });
    }

    /// A name nothing else has.
    fn name(&mut self, domain: &str, room: usize) -> String {
        let nouns = nouns(domain);
        for attempt in 1.. {
            let noun = nouns.choose(self.random).copied().unwrap_or("device");
            let in_room = self.random.random_bool(0.4);
            let first = FIRST.choose(self.random).copied().unwrap_or("Far");
            let first = if in_room { self.rooms[room].name.as_str() } else { first };
            // Once the words are used up, names are numbered.
            let name = match attempt {
                ..40 => format!("{first} {noun}"),
                _ => format!("{first} {noun} {}", super::vocabulary::spoken(attempt % 100)),
            };
            if self.taken.insert(name.to_lowercase()) {
                return name;
            }
        }
        unreachable!("there is always another number")
    }

    fn state(&mut self, domain: &str) -> (String, Value) {
        let random = &mut *self.random;
        let coin = random.random_bool(0.5);
        let percent = random.random_range(2..10_u32) * 10;
        let on_off = if coin { "on" } else { "off" };
        match domain {
            "light" => {
                let level = (f64::from(percent) * 2.55).round();
                let attributes = json!({
                    "brightness": level, "supported_color_modes": ["color_temp", "hs"],
                    "color_mode": "color_temp", "color_temp_kelvin": 3000,
                });
                (on_off.into(), if coin { whole(attributes) } else { dark(attributes) })
            }
            "cover" => {
                let position = if coin { percent } else { 0 };
                let state = if coin { "open" } else { "closed" };
                (
                    state.into(),
                    json!({"current_position": position, "is_closed": !coin, "device_class": "blind"}),
                )
            }
            "climate" => {
                let target = f64::from(random.random_range(16..23_u32));
                let attributes = json!({"hvac_modes": ["off", "heat"], "min_temp": 7, "max_temp": 30,
                    "temperature": target, "current_temperature": target - 0.5});
                ("heat".into(), attributes)
            }
            "fan" => (on_off.into(), json!({"percentage": if coin { percent } else { 0 }})),
            "media_player" => (
                if coin { "playing" } else { "paused" }.into(),
                json!({"volume_level": f64::from(percent) / 100.0, "is_volume_muted": false,
                    "device_class": "speaker", "media_title": "Evening Songs"}),
            ),
            "sensor" => {
                let value = f64::from(random.random_range(50..290_u32)) / 10.0;
                let attributes =
                    json!({"device_class": "temperature", "unit_of_measurement": "°C"});
                (format!("{value:.1}"), attributes)
            }
            "binary_sensor" => (on_off.into(), json!({"device_class": "window"})),
            "lock" => (if coin { "locked" } else { "unlocked" }.into(), json!({})),
            "scene" => ("unknown".into(), json!({})),
            _ => (on_off.into(), json!({"device_class": "outlet"})),
        }
    }
}

/// A light that is off shows no brightness.
fn dark(mut attributes: Value) -> Value {
    attributes["brightness"] = Value::Null;
    attributes["color_mode"] = Value::Null;
    attributes["color_temp_kelvin"] = Value::Null;
    attributes
}

#[expect(clippy::cast_possible_truncation, reason = "a brightness is at most 255")]
fn whole(mut attributes: Value) -> Value {
    let level = attributes["brightness"].as_f64().unwrap_or_default();
    attributes["brightness"] = json!(level as i64);
    attributes
}

fn slug(name: &str) -> String {
    name.to_lowercase().replace(|c: char| !c.is_ascii_alphanumeric(), "_")
}
