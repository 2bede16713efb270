//! Reading the text of a prompt, as Home Assistant's debug view shows it.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use indexmap::IndexMap;
use regex::Regex;
use serde::Deserialize;
use serde_json::Value;

use crate::HomeImportError;
use crate::default_state::default_state;
use crate::document::{
    AreaDocument, EntityDocument, FloorDocument, HomeDocument, SatelliteDocument,
};

/// The sentence that stands before the list of entities.
const OPENING: &str = "An overview of the areas and the devices in this smart home:";

/// Where the device stands that was spoken to.
static PLACE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"You are in area (.+?)(?: \(floor (.+?)\))? and all generic commands")
        .expect("the pattern is valid")
});

/// An entity as a prompt lists it.
#[derive(Deserialize)]
struct ListedEntity {
    #[serde(default)]
    names: Option<String>,
    domain: Option<String>,
    areas: Option<String>,
    state: Option<Value>,
    #[serde(default)]
    attributes: Option<serde_json::Map<String, Value>>,
}

/// Reads a home from a prompt. Names, domains and areas are all that a prompt tells.
pub fn read_prompt(text: &str) -> Result<HomeDocument, HomeImportError> {
    let unescaped;
    let text = if text.contains(OPENING) && !text.contains('\n') {
        unescaped = text.replace("\\n", "\n").replace("\\\"", "\"");
        &unescaped
    } else {
        text
    };
    let entities = listed(&overview(text)?)?;
    let mut home = HomeDocument::default();
    let mut ids = BTreeSet::new();
    for (id, entity) in entities {
        add(&mut home, &mut ids, id, entity);
    }
    if home.entities.is_empty() {
        return Err(HomeImportError::NoOverview {
            why: "the list of entities is empty".to_owned(),
        });
    }
    add_satellite(&mut home, text);
    home.unknown = [
        "the ids of the entities (made from their names)",
        "the states of the entities (they are made up: change `state` and `attributes`)",
        "what the devices can do (taken as the usual of their kind)",
        "entities that are not exposed, floors other than the one you spoke on, scripts, calendars",
        "names that hold a comma (each part is taken as a name)",
    ]
    .map(str::to_owned)
    .to_vec();
    Ok(home)
}

/// The lines of the list, without the indentation a copy may have brought along.
fn overview(text: &str) -> Result<String, HomeImportError> {
    let missing = || HomeImportError::NoOverview { why: format!("there is no line `{OPENING}`") };
    let mut lines = text.lines();
    let opening = lines.find(|line| line.trim_end().ends_with(OPENING)).ok_or_else(missing)?;
    let indent = opening.len() - opening.trim_start().len();
    let mut overview = String::new();
    for line in lines {
        let line = line.get(indent..).unwrap_or_else(|| line.trim_start());
        let goes_on = line.is_empty() || line.starts_with([' ', '-']) || is_entity(line);
        if !goes_on {
            break;
        }
        overview.push_str(line);
        overview.push('\n');
    }
    Ok(overview)
}

/// Whether a line opens an entity of the older form: `light.lamp:`.
fn is_entity(line: &str) -> bool {
    let id = line.trim_end().strip_suffix(':').and_then(|id| id.split_once('.'));
    id.is_some_and(|(domain, object)| !domain.contains(' ') && !object.contains(' '))
}

fn listed(yaml: &str) -> Result<Vec<(Option<String>, ListedEntity)>, HomeImportError> {
    let unread = |error: yaml_serde::Error| HomeImportError::NoOverview { why: error.to_string() };
    if yaml.trim().is_empty() {
        return Ok(Vec::new());
    }
    if yaml.trim_start().starts_with('-') {
        let list: Vec<ListedEntity> = yaml_serde::from_str(yaml).map_err(unread)?;
        return Ok(list.into_iter().map(|entity| (None, entity)).collect());
    }
    let by_id: IndexMap<String, ListedEntity> = yaml_serde::from_str(yaml).map_err(unread)?;
    Ok(by_id.into_iter().map(|(id, entity)| (Some(id), entity)).collect())
}

fn add(
    home: &mut HomeDocument,
    ids: &mut BTreeSet<String>,
    id: Option<String>,
    listed: ListedEntity,
) {
    let names: Vec<String> = parts(listed.names.as_deref());
    let of_id = id.as_ref().and_then(|id| id.split_once('.')).map(|(domain, _)| domain.to_owned());
    let Some(domain) = listed.domain.or(of_id) else { return };
    let name = names.first().cloned().unwrap_or_else(|| domain.clone());
    let id = id.unwrap_or_else(|| format!("{domain}.{}", slug(&name)));
    let numbered = (2..).map(|number| format!("{id}_{number}"));
    let Some(entity_id) =
        std::iter::once(id.clone()).chain(numbered).find(|id| ids.insert(id.clone()))
    else {
        return;
    };
    let area_id = area(home, &parts(listed.areas.as_deref()));
    let (made_up, defaults) = default_state(&domain);
    let state = match listed.state {
        Some(Value::String(state)) => state,
        Some(other @ (Value::Number(_) | Value::Bool(_))) => other.to_string(),
        _ => made_up.to_owned(),
    };
    let attributes = listed.attributes.unwrap_or(defaults);
    home.entities.push(EntityDocument {
        entity_id,
        name,
        names,
        area_id,
        state,
        attributes,
        exposed: true,
        ..EntityDocument::default()
    });
}

/// The id of the area with these names, which is added if it is new.
fn area(home: &mut HomeDocument, names: &[String]) -> Option<String> {
    let (name, aliases) = names.split_first()?;
    if let Some(known) = home.areas.iter().find(|area| area.name == *name) {
        return Some(known.id.clone());
    }
    let id = slug(name);
    let area = AreaDocument {
        id: id.clone(),
        name: name.clone(),
        floor_id: None,
        aliases: aliases.to_vec(),
    };
    home.areas.push(area);
    Some(id)
}

fn add_satellite(home: &mut HomeDocument, text: &str) {
    let Some(place) = PLACE.captures(text) else { return };
    let area_id = area(home, &[place[1].to_owned()]);
    if let Some(floor) = place.get(2) {
        let floor = FloorDocument {
            id: slug(floor.as_str()),
            name: floor.as_str().to_owned(),
            aliases: vec![],
        };
        if let Some(area) = home.areas.iter_mut().find(|area| Some(&area.id) == area_id.as_ref()) {
            area.floor_id = Some(floor.id.clone());
        }
        home.floors.push(floor);
    }
    let supports_timers = !text.contains("This device is not able to start timers");
    let satellite = SatelliteDocument { area_id, supports_timers, entity_id: None };
    home.satellites.insert("satellite".to_owned(), satellite);
}

fn parts(joined: Option<&str>) -> Vec<String> {
    let names = joined.unwrap_or_default().split(", ").map(str::to_owned);
    names.filter(|name| !name.is_empty()).collect()
}

/// A name as part of an id, in the letters ids have.
pub(crate) fn slug(name: &str) -> String {
    let mut slug = String::new();
    for character in name.to_lowercase().chars() {
        match character {
            'a'..='z' | '0'..='9' => slug.push(character),
            'ö' | 'ø' => slug.push('o'),
            'ü' => slug.push('u'),
            'ß' => slug.push_str("ss"),
            'é' | 'è' | 'ê' | 'ë' => slug.push('e'),
            'ä' | 'á' | 'à' | 'â' | 'å' => slug.push('a'),
            'ñ' => slug.push('n'),
            'ç' => slug.push('c'),
            _ if slug.ends_with('_') => {}
            _ => slug.push('_'),
        }
    }
    match slug.trim_matches('_') {
        "" => "unnamed".to_owned(),
        slug => slug.to_owned(),
    }
}
