//! What in a home will confuse any model: names that are shared, mistaken or unspeakable.

mod kinds;

use std::collections::BTreeMap;
use std::fmt;

use crate::inventory::{Contents, Effect, Entity, Inventory, casefold};
use kinds::kind_named;

/// The longest name people still say, in letters.
const LONG_NAME: usize = 40;
/// The most words of a name people still say.
const MANY_WORDS: usize = 6;
/// Beyond so many entities a prompt is long enough to slow down small models.
const MANY_ENTITIES: usize = 150;

/// How many names are compared with each other; no home has as many, and pairs take their square.
const MOST_COMPARED: usize = 5_000;

/// Something in a home that will confuse a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Confusion {
    /// What kind of thing it is.
    pub kind: ConfusionKind,
    /// What is confusing, in a sentence.
    pub message: String,
    /// What to do about it.
    pub advice: &'static str,
}

/// The kinds of confusion, in the order they are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ConfusionKind {
    /// Several things answer to one name.
    SharedName,
    /// Two areas or floors answer to one name.
    SharedPlace,
    /// A thing answers to the name of a place.
    PlaceName,
    /// A thing is called by the name of another kind of thing.
    WrongKind,
    /// Two names differ by one letter.
    NearlyAlike,
    /// A thing answers to no name, or to one that cannot be passed.
    Unnamed,
    /// A name is too long to say.
    LongName,
    /// Something that is not exposed is mentioned.
    NotExposed,
    /// There is more than a small model can look through.
    ManyEntities,
}

impl fmt::Display for Confusion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// All that will confuse a model in this home, the gravest kinds first.
pub fn confusions(inventory: &Inventory) -> Vec<Confusion> {
    let exposed: Vec<&Entity> = inventory.entities().iter().filter(|e| e.exposed).collect();
    let mut found = Vec::new();
    shared_names(inventory, &exposed, &mut found);
    places(inventory, &exposed, &mut found);
    wrong_kinds(&exposed, &mut found);
    nearly_alike(&exposed, &mut found);
    unspeakable(&exposed, &mut found);
    not_exposed(inventory, &exposed, &mut found);
    if exposed.len() > MANY_ENTITIES {
        let message =
            format!("{} entities are exposed, and every request lists all of them", exposed.len());
        add(&mut found, ConfusionKind::ManyEntities, message, "expose only what is asked for");
    }
    found.sort_by_key(|confusion| confusion.kind);
    found
}

fn add(found: &mut Vec<Confusion>, kind: ConfusionKind, message: String, advice: &'static str) {
    found.push(Confusion { kind, message, advice });
}

/// Names as they are compared, with the things that answer to each.
fn by_name<'e>(entities: &[&'e Entity]) -> BTreeMap<String, Vec<&'e Entity>> {
    let mut named: BTreeMap<String, Vec<&Entity>> = BTreeMap::new();
    for entity in entities {
        for name in &entity.names {
            let things = named.entry(casefold(name.trim())).or_default();
            // All names of one thing come after each other, so that only the last can be it.
            if things.last().is_none_or(|thing| thing.id != entity.id) {
                things.push(entity);
            }
        }
    }
    named
}

fn shared_names(inventory: &Inventory, exposed: &[&Entity], found: &mut Vec<Confusion>) {
    for (name, things) in by_name(exposed) {
        if things.len() < 2 || name.is_empty() {
            continue;
        }
        let place = |entity: &&Entity| match inventory.area_of(entity) {
            Some(area) => format!("`{}` in {}", entity.id, area.name),
            None => format!("`{}` in no area", entity.id),
        };
        let list: Vec<String> = things.iter().map(place).collect();
        let message = format!("{} things are called \"{name}\": {}", things.len(), list.join(", "));
        let advice = "rename all but one; a call by this name fails unless the speaker is near one";
        add(found, ConfusionKind::SharedName, message, advice);
    }
}

fn places(inventory: &Inventory, exposed: &[&Entity], found: &mut Vec<Confusion>) {
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for area in inventory.areas() {
        for name in std::iter::once(&area.name).chain(&area.aliases) {
            places
                .entry(casefold(name.trim()))
                .or_default()
                .push(format!("the area {}", area.name));
        }
    }
    for floor in inventory.floors() {
        for name in std::iter::once(&floor.name).chain(&floor.aliases) {
            let whose = format!("the floor {}", floor.name);
            places.entry(casefold(name.trim())).or_default().push(whose);
        }
    }
    for (name, owners) in &mut places {
        // An alias that repeats the name of its own place is listed next to it.
        owners.dedup();
        if owners.len() > 1 {
            let message = format!("\"{name}\" is a name of {}", owners.join(" and of "));
            add(found, ConfusionKind::SharedPlace, message, "give each place names of its own");
        }
    }
    for (name, things) in by_name(exposed) {
        let Some(owner) = places.get(&name).and_then(|owners| owners.first()) else { continue };
        for thing in things {
            let message =
                format!("`{}` is called \"{name}\", which is a name of {owner}", thing.id);
            let advice = "rename it: a model cannot tell the thing from the place";
            add(found, ConfusionKind::PlaceName, message, advice);
        }
    }
}

fn wrong_kinds(exposed: &[&Entity], found: &mut Vec<Confusion>) {
    for entity in exposed {
        for name in &entity.names {
            let Some((word, domains)) = kind_named(name) else { continue };
            if domains.contains(&entity.domain()) {
                continue;
            }
            let kind = entity.domain().replace('_', " ");
            let message = format!("`{}` is a {kind} called \"{name}\"", entity.id);
            let advice = match word {
                "light" | "lights" | "lamp" => {
                    "change its type in Home Assistant (Show as: Light), or rename it"
                }
                _ => "rename it by what it is",
            };
            add(found, ConfusionKind::WrongKind, message, advice);
        }
    }
}

fn nearly_alike(exposed: &[&Entity], found: &mut Vec<Confusion>) {
    let named = by_name(exposed);
    let names: Vec<(Vec<char>, &Vec<&Entity>)> =
        named.iter().map(|(name, things)| (name.chars().collect(), things)).collect();
    // Only names of neighbouring lengths can differ by one letter.
    let mut order: Vec<usize> = (0..names.len()).filter(|&at| names[at].0.len() >= 4).collect();
    order.sort_by_key(|&at| names[at].0.len());
    order.truncate(MOST_COMPARED);
    for (position, &left) in order.iter().enumerate() {
        for &right in &order[position + 1..] {
            if names[right].0.len() > names[left].0.len() + 1 {
                break;
            }
            if !one_letter_apart(&names[left].0, &names[right].0) {
                continue;
            }
            // Two names of one thing may be alike: both lead to it.
            let same =
                names[left].1.iter().any(|one| names[right].1.iter().any(|two| one.id == two.id));
            if !same {
                let [one, two] = [left, right].map(|at| names[at].0.iter().collect::<String>());
                let message = format!("\"{one}\" and \"{two}\" differ by one letter");
                let advice = "rename one: a voice assistant hears them alike";
                add(found, ConfusionKind::NearlyAlike, message, advice);
            }
        }
    }
}

/// Whether two texts differ by one letter that is changed, missing or added. Digits are told apart
/// when spoken.
fn one_letter_apart(shorter: &[char], longer: &[char]) -> bool {
    let Some(at) = shorter.iter().zip(longer).position(|(one, two)| one != two) else {
        return longer.len() == shorter.len() + 1 && longer[shorter.len()].is_alphabetic();
    };
    if !longer[at].is_alphabetic() {
        return false;
    }
    if shorter.len() == longer.len() {
        shorter[at].is_alphabetic() && shorter[at + 1..] == longer[at + 1..]
    } else {
        shorter[at..] == longer[at + 1..]
    }
}

fn unspeakable(exposed: &[&Entity], found: &mut Vec<Confusion>) {
    for entity in exposed {
        if entity.names.iter().all(|name| name.trim().is_empty()) {
            let message = format!("`{}` answers to no name", entity.id);
            add(found, ConfusionKind::Unnamed, message, "give it an alias, or do not expose it");
        }
        for name in &entity.names {
            if casefold(name.trim()) == "all" {
                let message =
                    format!("`{}` is called \"{name}\", which stands for everything", entity.id);
                add(found, ConfusionKind::Unnamed, message, "rename it");
            }
            if name.contains(", ") {
                let message = format!("the name \"{name}\" of `{}` holds a comma", entity.id);
                let advice = "take it out: prompts list names with commas between them";
                add(found, ConfusionKind::Unnamed, message, advice);
            }
            if name.chars().count() > LONG_NAME || name.split_whitespace().count() > MANY_WORDS {
                let message = format!("the name \"{name}\" of `{}` is very long", entity.id);
                add(found, ConfusionKind::LongName, message, "add a short alias");
            }
        }
    }
}

/// What scripts and scenes speak of or set, and no model can see.
fn not_exposed(inventory: &Inventory, exposed: &[&Entity], found: &mut Vec<Confusion>) {
    let hidden: Vec<&Entity> = inventory.entities().iter().filter(|e| !e.exposed).collect();
    for entity in exposed {
        let text = match &entity.contents {
            Contents::Script(script) => script.description.as_deref().unwrap_or_default(),
            _ => "",
        };
        let text = format!(" {} ", casefold(text));
        let set: Vec<&str> = match &entity.contents {
            Contents::Scene(Effect::Set(states)) => states.keys().map(String::as_str).collect(),
            _ => vec![],
        };
        if text.trim().is_empty() && set.is_empty() {
            continue;
        }
        for other in &hidden {
            let is_said = |name: &String| {
                let name = casefold(name.trim());
                // Shorter names are ordinary words too often.
                name.chars().count() >= 4 && holds_words(&text, &name)
            };
            if other.names.iter().any(is_said) || set.contains(&other.id.as_str()) {
                let message = format!(
                    "`{}` mentions \"{}\" (`{}`), which is not exposed",
                    entity.id, other.name, other.id
                );
                add(found, ConfusionKind::NotExposed, message, "expose it too, or reword");
            }
        }
    }
}

/// Whether a text holds these words, not as part of others.
fn holds_words(text: &str, words: &str) -> bool {
    text.match_indices(words).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + words.len()..].chars().next();
        !before.is_some_and(char::is_alphanumeric) && !after.is_some_and(char::is_alphanumeric)
    })
}
