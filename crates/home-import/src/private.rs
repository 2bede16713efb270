//! A home under other names, so that it can be shown to others.
//!
//! Every word of a name is replaced by another of its kind (a room by a room, a person by a
//! person), the same one everywhere: in names, aliases, ids, descriptions and lists. Words that are
//! of no known kind become invented ones of the same shape. No word of the home is used as a
//! replacement, so that nothing of it comes back by chance.

mod invent;
mod words;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use crate::HomeDocument;
use crate::document::EntityDocument;
use invent::Invention;
use words::{KEPT, KINDS, STATES};

/// Attributes that say what a device can do or how it stands, and nothing of whose it is.
const KEPT_ATTRIBUTES: &[&str] = &[
    "assumed_state",
    "available_modes",
    "brightness",
    "code_arm_required",
    "color_mode",
    "color_temp_kelvin",
    "current_humidity",
    "current_position",
    "current_temperature",
    "current_tilt_position",
    "device_class",
    "direction",
    "fan_mode",
    "fan_modes",
    "hs_color",
    "humidity",
    "hvac_action",
    "hvac_modes",
    "is_closed",
    "is_volume_muted",
    "max",
    "max_color_temp_kelvin",
    "max_humidity",
    "max_temp",
    "min",
    "min_color_temp_kelvin",
    "min_humidity",
    "min_temp",
    "mode",
    "oscillating",
    "percentage",
    "percentage_step",
    "precipitation_unit",
    "pressure_unit",
    "repeat",
    "rgb_color",
    "rgbw_color",
    "rgbww_color",
    "shuffle",
    "state_class",
    "step",
    "supported_color_modes",
    "supported_features",
    "swing_mode",
    "swing_modes",
    "target_humidity",
    "target_temp_high",
    "target_temp_low",
    "target_temp_step",
    "temperature",
    "temperature_unit",
    "unit_of_measurement",
    "visibility_unit",
    "volume_level",
    "wind_speed_unit",
    "xy_color",
];

/// Attributes whose text is shown to a model and is somebody's own.
const RENAMED_ATTRIBUTES: &[&str] = &["media_title", "media_artist", "media_album_name"];

/// Gives a home other names; the same seed gives the same ones.
pub fn make_private(home: &HomeDocument, seed: u64) -> HomeDocument {
    let mut renamer = Renamer::new(home, seed);
    let mut home = home.clone();
    // A zone tells where somebody lives.
    home.zone = home.zone.map(|_| "UTC".to_owned());
    home.clock = home.clock.map(|clock| format!("{}+00:00", clock.get(..19).unwrap_or(&clock)));
    for floor in &mut home.floors {
        renamer.id(&mut floor.id);
        renamer.text(&mut floor.name);
        floor.aliases.iter_mut().for_each(|alias| renamer.text(alias));
    }
    for area in &mut home.areas {
        renamer.id(&mut area.id);
        renamer.text(&mut area.name);
        area.floor_id.iter_mut().for_each(|id| renamer.id(id));
        area.aliases.iter_mut().for_each(|alias| renamer.text(alias));
    }
    let satellites = std::mem::take(&mut home.satellites);
    for (mut name, mut satellite) in satellites {
        renamer.text(&mut name);
        satellite.area_id.iter_mut().for_each(|id| renamer.id(id));
        satellite.entity_id.iter_mut().for_each(|id| renamer.entity_id(id));
        home.satellites.insert(name, satellite);
    }
    home.entities.iter_mut().for_each(|entity| renamer.entity(entity));
    // What is unknown names things by their old names.
    home.unknown = vec!["what it was called: every name was replaced".to_owned()];
    home
}

/// Replaces words, each by the same one wherever it stands.
struct Renamer {
    replaced: BTreeMap<String, String>,
    /// Words that must not come up as replacements, because they stand in the home.
    taken: BTreeSet<String>,
    /// Words that are usually kept, but are all that a name consists of.
    forced: BTreeSet<String>,
    invention: Invention,
}

impl Renamer {
    fn new(home: &HomeDocument, seed: u64) -> Self {
        let mut renamer = Self {
            replaced: BTreeMap::new(),
            taken: BTreeSet::new(),
            forced: BTreeSet::new(),
            invention: Invention::new(seed),
        };
        let names = all_texts(home);
        for name in &names {
            let words: Vec<String> = words_of(name).map(str::to_lowercase).collect();
            if words.iter().all(|word| is_kept(word)) {
                renamer.forced.extend(words.iter().cloned());
            }
            renamer.taken.extend(words);
        }
        renamer
    }

    fn entity(&mut self, entity: &mut EntityDocument) {
        self.entity_id(&mut entity.entity_id);
        self.text(&mut entity.name);
        entity.names.iter_mut().for_each(|name| self.text(name));
        entity.area_id.iter_mut().for_each(|id| self.id(id));
        entity.description.iter_mut().for_each(|text| self.text(text));
        if !is_common_state(&entity.state) {
            self.text(&mut entity.state);
        }
        let attributes = std::mem::take(&mut entity.attributes);
        for (name, mut value) in attributes {
            if RENAMED_ATTRIBUTES.contains(&name.as_str()) {
                self.value(&mut value);
            } else if !KEPT_ATTRIBUTES.contains(&name.as_str()) {
                continue;
            }
            entity.attributes.insert(name, value);
        }
        if let Some(fields) = entity.fields.take() {
            entity.fields = Some(self.fields(fields));
        }
        for item in entity.items.iter_mut().flatten() {
            self.item(item);
        }
    }

    fn fields(&mut self, fields: Map<String, Value>) -> Map<String, Value> {
        let field = |(mut name, field): (String, Value)| {
            self.id(&mut name);
            let mut kept = Map::new();
            for (key, mut value) in field.as_object().cloned().unwrap_or_default() {
                match key.as_str() {
                    "name" | "description" => self.value(&mut value),
                    "selector" => self.selector(&mut value),
                    "required" | "advanced" => {}
                    _ => continue,
                }
                kept.insert(key, value);
            }
            (name, Value::Object(kept))
        };
        fields.into_iter().map(field).collect()
    }

    /// Choices are somebody's words; the rest of a selector is Home Assistant's.
    fn selector(&mut self, selector: &mut Value) {
        for settings in selector.as_object_mut().into_iter().flat_map(Map::values_mut) {
            for key in ["options", "value", "label"] {
                if let Some(words) = settings.get_mut(key) {
                    self.value(words);
                }
            }
        }
    }

    fn item(&mut self, item: &mut Value) {
        let mut kept = json!({});
        for key in ["summary", "description"] {
            if let Some(mut words) = item.get(key).cloned() {
                self.value(&mut words);
                kept[key] = words;
            }
        }
        for key in ["status", "due"] {
            if let Some(value) = item.get(key) {
                kept[key] = value.clone();
            }
        }
        *item = kept;
    }

    fn value(&mut self, value: &mut Value) {
        match value {
            Value::String(text) => self.text(text),
            Value::Array(items) => items.iter_mut().for_each(|item| self.value(item)),
            Value::Object(map) => map.values_mut().for_each(|item| self.value(item)),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    /// Replaces every word of a text; what stands between them stays.
    fn text(&mut self, text: &mut String) {
        let mut renamed = String::new();
        let mut rest = text.as_str();
        while let Some(start) = rest.find(char::is_alphanumeric) {
            let end = rest[start..]
                .find(|c: char| !c.is_alphanumeric())
                .map_or(rest.len(), |n| start + n);
            renamed.push_str(&rest[..start]);
            renamed.push_str(&self.word(&rest[start..end]));
            rest = &rest[end..];
        }
        renamed.push_str(rest);
        *text = renamed;
    }

    fn entity_id(&mut self, id: &mut String) {
        if let Some((domain, object)) = id.split_once('.') {
            let mut object = object.to_owned();
            self.id(&mut object);
            *id = format!("{domain}.{object}");
        }
    }

    /// Replaces the words of an id, which stand between underscores in plain letters.
    fn id(&mut self, id: &mut String) {
        let words = id.split('_').map(|word| match word {
            "" => String::new(),
            word => ascii(&self.word(word)),
        });
        *id = words.collect::<Vec<_>>().join("_");
    }

    fn word(&mut self, word: &str) -> String {
        let lower = word.to_lowercase();
        if is_kept(&lower) && !self.forced.contains(&lower) {
            return word.to_owned();
        }
        // Ids spell "Küche" as "kuche": both are to become the same.
        let spelled = ascii(&lower);
        let has_all = spelled.len() >= lower.chars().count();
        let key = if has_all { spelled } else { lower.clone() };
        let known = self.replaced.get(&key).cloned();
        let replacement = known.unwrap_or_else(|| self.replacement(&lower));
        self.replaced.insert(key, replacement.clone());
        in_the_case_of(word, &replacement)
    }

    fn replacement(&self, word: &str) -> String {
        let (stem, ending) = split_plural(word);
        let kind = KINDS.iter().find(|kind| kind.contains(&stem) || kind.contains(&word));
        let used: BTreeSet<&String> = self.replaced.values().collect();
        let free = |candidate: &str| {
            let candidate = candidate.to_owned();
            !used.contains(&candidate) && self.is_free(&candidate)
        };
        if let Some(kind) = kind {
            let choices: Vec<String> = kind.iter().map(|word| format!("{word}{ending}")).collect();
            let free: Vec<&String> = choices.iter().filter(|choice| free(choice)).collect();
            if !free.is_empty() {
                return free[self.invention.pick(word, free.len())].clone();
            }
        }
        // Words grow with every twenty attempts, so that one is free long before.
        (0..100_000)
            .map(|attempt| self.invention.word(word, attempt))
            .find(|invented| free(invented))
            .unwrap_or_default()
    }

    /// Whether no word of the home stands in this one.
    fn is_free(&self, candidate: &str) -> bool {
        !self.taken.iter().any(|word| {
            *word == candidate || (word.chars().count() >= 3 && candidate.contains(word.as_str()))
        })
    }
}

/// Every text that somebody wrote, but for ids.
fn all_texts(home: &HomeDocument) -> Vec<String> {
    let mut texts: Vec<String> = Vec::new();
    for floor in &home.floors {
        texts.push(floor.name.clone());
        texts.extend(floor.aliases.clone());
        texts.push(floor.id.replace('_', " "));
    }
    for area in &home.areas {
        texts.push(area.name.clone());
        texts.extend(area.aliases.clone());
        texts.push(area.id.replace('_', " "));
    }
    texts.extend(home.satellites.keys().cloned());
    for entity in &home.entities {
        texts.push(entity.name.clone());
        texts.extend(entity.names.clone());
        let object = entity.entity_id.split_once('.').map_or("", |(_, object)| object);
        texts.push(object.replace('_', " "));
        texts.extend(
            entity
                .items
                .iter()
                .flatten()
                .filter_map(|item| Some(item.get("summary")?.as_str()?.to_owned())),
        );
    }
    texts.retain(|text| !text.trim().is_empty());
    texts
}

fn words_of(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// Whether a word says nothing of anybody: little words, letters, small numbers.
fn is_kept(word: &str) -> bool {
    let digits = word.chars().all(|c| c.is_ascii_digit());
    KEPT.contains(&word) || (digits && word.len() < 4) || word.chars().count() == 1
}

fn is_common_state(state: &str) -> bool {
    STATES.contains(&state)
        || state.is_empty()
        || state.starts_with(['-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9'])
}

/// A word without its plural, and the plural.
fn split_plural(word: &str) -> (&str, &'static str) {
    match word.strip_suffix('s') {
        Some(stem) if stem.len() > 2 && !stem.ends_with('s') => (stem, "s"),
        _ => (word, ""),
    }
}

/// A replacement written as the word was: lower case, capitals, or a capital in front.
fn in_the_case_of(word: &str, replacement: &str) -> String {
    let mut letters = word.chars().filter(|c| c.is_alphabetic());
    let first = letters.next().is_some_and(char::is_uppercase);
    let all = first && word.chars().count() > 1 && letters.all(char::is_uppercase);
    if all {
        return replacement.to_uppercase();
    }
    let mut rest = replacement.chars();
    match rest.next() {
        Some(letter) if first => letter.to_uppercase().chain(rest).collect(),
        _ => replacement.to_owned(),
    }
}

/// A word in the letters ids have.
fn ascii(word: &str) -> String {
    crate::prompt_text::slug(word)
}
