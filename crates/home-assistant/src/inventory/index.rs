//! Everything in a home by the names it can be called by.

use std::collections::HashMap;

use super::entity::Entity;
use super::place::{Area, Floor};

/// Positions of entities, areas and floors by id and by folded name.
#[derive(Clone, Debug, Default)]
pub(crate) struct Index {
    entity_ids: HashMap<String, usize>,
    entity_names: HashMap<String, Vec<usize>>,
    domains: HashMap<String, Vec<usize>>,
    area_names: HashMap<String, Vec<usize>>,
    area_ids: HashMap<String, usize>,
    floor_names: HashMap<String, Vec<usize>>,
    floor_ids: HashMap<String, usize>,
    /// All entities ordered by name, as Home Assistant lists them.
    pub(crate) by_name: Vec<usize>,
}

impl Index {
    pub(crate) fn new(entities: &[Entity], areas: &[Area], floors: &[Floor]) -> Self {
        let mut index = Self::default();
        for (at, entity) in entities.iter().enumerate() {
            index.entity_ids.insert(entity.id.clone(), at);
            index.domains.entry(entity.domain().to_owned()).or_default().push(at);
            for name in &entity.names {
                file(&mut index.entity_names, name, at);
            }
        }
        for (at, area) in areas.iter().enumerate() {
            index.area_ids.insert(area.id.clone(), at);
            file(&mut index.area_names, &area.name, at);
            area.aliases.iter().for_each(|alias| file(&mut index.area_names, alias, at));
        }
        for (at, floor) in floors.iter().enumerate() {
            index.floor_ids.insert(floor.id.clone(), at);
            file(&mut index.floor_names, &floor.name, at);
            floor.aliases.iter().for_each(|alias| file(&mut index.floor_names, alias, at));
        }
        index.by_name = (0..entities.len()).collect();
        index.by_name.sort_by(|&left, &right| entities[left].name.cmp(&entities[right].name));
        index
    }

    /// The entity with exactly this id.
    pub(crate) fn entity(&self, id: &str) -> Option<usize> {
        self.entity_ids.get(id).copied()
    }

    /// The entities that answer to a name or have it as their id, in the order of the home.
    pub(crate) fn entities_named(&self, name: &str) -> Vec<usize> {
        named(&self.entity_names, &self.entity_ids, name)
    }

    /// The entities of a domain, in the order of the home.
    pub(crate) fn domain(&self, domain: &str) -> &[usize] {
        self.domains.get(domain).map_or(&[], Vec::as_slice)
    }

    /// The areas that answer to a name or have it as their id.
    pub(crate) fn areas_named(&self, name: &str) -> Vec<usize> {
        named(&self.area_names, &self.area_ids, name)
    }

    /// The floors that answer to a name or have it as their id.
    pub(crate) fn floors_named(&self, name: &str) -> Vec<usize> {
        named(&self.floor_names, &self.floor_ids, name)
    }
}

fn file(names: &mut HashMap<String, Vec<usize>>, name: &str, at: usize) {
    let places = names.entry(casefold(name.trim())).or_default();
    if places.last() != Some(&at) {
        places.push(at);
    }
}

fn named(
    names: &HashMap<String, Vec<usize>>,
    ids: &HashMap<String, usize>,
    name: &str,
) -> Vec<usize> {
    let mut found = names.get(&casefold(name.trim())).cloned().unwrap_or_default();
    if let Some(&at) = ids.get(name)
        && !found.contains(&at)
    {
        found.push(at);
        found.sort_unstable();
    }
    found
}

/// A text for comparison without regard to case, as Python's `str.casefold` does it.
///
/// Folding spells out and merges characters that lower-casing leaves alone (`ß`, `ﬁ`, `ς`). Going
/// through upper case does the same for all but the dotless `ı`, which folding keeps.
pub(crate) fn casefold(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let mut folded = String::with_capacity(text.len());
    for character in text.chars().flat_map(char::to_lowercase) {
        match character {
            'ı' => folded.push(character),
            other => folded.extend(other.to_uppercase().flat_map(char::to_lowercase)),
        }
    }
    folded
}

#[cfg(test)]
mod tests {
    use super::casefold;

    #[test]
    fn folding_goes_beyond_lower_case() {
        assert_eq!(casefold("Große STRASSE"), "grosse strasse");
        assert_eq!(casefold("ΟΔΟΣ"), casefold("οδος"));
        assert_eq!(casefold("Küche"), "küche");
        assert_eq!(casefold("ẞﬁ\u{390}\u{1f0}ᾳı"), "ssfi\u{3b9}\u{308}\u{301}j\u{30c}αιı");
    }
}
