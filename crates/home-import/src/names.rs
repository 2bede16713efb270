//! Names and places as Home Assistant derives them from its registries.

use crate::records::{DeviceRecord, EntityRecord, HomeRecords, StateRecord};

impl HomeRecords {
    /// Every name an entity answers to, in Home Assistant's order.
    pub(crate) fn names(&self, state: &StateRecord) -> Vec<String> {
        let called = state.name();
        let Some(entry) = self.entries.get(&state.entity_id) else {
            return vec![called.trim().to_owned()];
        };
        if !self.has_computed_names() {
            let aliases = entry.aliases.iter().flatten().cloned();
            return std::iter::once(called).chain(aliases).collect();
        }
        let name = |alias: &Option<String>| match alias {
            Some(alias) => alias.trim().to_owned(),
            None => self.full_name(entry).trim().to_owned(),
        };
        entry.aliases.iter().map(name).collect()
    }

    /// Since 2026.4 the list of aliases says where the entity's own name stands in it.
    fn has_computed_names(&self) -> bool {
        self.version.as_deref().and_then(year_and_month).is_none_or(|version| version >= (2026, 4))
    }

    /// The name of an entity with what it hangs on: its device and that device's parent, unless
    /// one of them has been given a place of its own.
    pub(crate) fn full_name(&self, entry: &EntityRecord) -> String {
        if let Some(name) = entry.name.as_ref().filter(|name| !name.is_empty()) {
            return name.clone();
        }
        let mut parts = Vec::new();
        if entry.area_id.is_none()
            && let Some(device) = self.device(entry)
        {
            if device.area_id.is_none()
                && let Some(parent) = self.parent(device)
            {
                parts.extend(parent.called());
            }
            parts.extend(device.called());
        }
        // A name of "" hides the one the integration gave.
        parts.extend(entry.name.as_deref().or(entry.original_name.as_deref()));
        parts.retain(|part| !part.is_empty());
        parts.join(" ")
    }

    /// The id of the area an entity is in: its own, its device's, or that of the device's parent.
    pub(crate) fn area_of<'r>(&'r self, entry: &'r EntityRecord) -> Option<&'r str> {
        let own = entry.area_id.as_deref().filter(|id| self.has_area(id));
        own.or_else(|| self.area_of_device(self.device(entry)?))
    }

    pub(crate) fn area_of_device<'r>(&'r self, device: &'r DeviceRecord) -> Option<&'r str> {
        let area = match &device.area_id {
            Some(area) => Some(area),
            None => self.parent(device).and_then(|parent| parent.area_id.as_ref()),
        };
        area.map(String::as_str).filter(|id| self.has_area(id))
    }

    pub(crate) fn device(&self, entry: &EntityRecord) -> Option<&DeviceRecord> {
        self.devices.get(entry.device_id.as_ref()?)
    }

    fn parent(&self, device: &DeviceRecord) -> Option<&DeviceRecord> {
        self.devices.get(device.parent_device_id.as_ref()?)
    }

    fn has_area(&self, id: &str) -> bool {
        self.areas.iter().any(|area| area.area_id == id)
    }
}

/// Year and month of a version such as `2026.10.4`.
pub(crate) fn year_and_month(version: &str) -> Option<(u32, u32)> {
    let mut parts = version.split('.');
    let year = parts.next()?.parse().ok()?;
    let month: String = parts.next()?.chars().take_while(char::is_ascii_digit).collect();
    Some((year, month.parse().ok()?))
}

impl HomeRecords {
    /// The friendly name of an entity, which always has the device in front and never its parent.
    pub(crate) fn friendly_name(&self, entry: &EntityRecord) -> String {
        if let Some(name) = entry.name.as_ref().filter(|name| !name.is_empty()) {
            return name.clone();
        }
        let device = self.device(entry).and_then(DeviceRecord::called);
        let own = entry.name.as_deref().or(entry.original_name.as_deref());
        let parts = [device, own].into_iter().flatten().filter(|part| !part.is_empty());
        parts.collect::<Vec<_>>().join(" ")
    }
}

/// The name of an entity without that of its device in front, if it stands there.
///
/// Home Assistant takes it off for integrations that put it there themselves: "Roller shutter" of
/// the device "Roller" becomes "Shutter".
pub(crate) fn without_device_name(name: &str, device: &str) -> Option<String> {
    if device.is_empty() {
        return None;
    }
    let wanted = device.to_lowercase();
    // Folding may change how many letters there are, so that the end is looked for.
    let ends = name.char_indices().map(|(at, letter)| at + letter.len_utf8());
    let end = ends.into_iter().find(|&end| name[..end].to_lowercase() == wanted)?;
    let rest = &name[end..];
    let bare = rest.trim_start_matches([' ', '-', ':']);
    if bare.is_empty() {
        return Some(String::new());
    }
    // Without a separator it is another word: "Lampshade" is not a "shade" of the "Lamp".
    if bare.len() == rest.len() {
        return None;
    }
    let first = bare.split(' ').next().unwrap_or_default();
    let lower = first.chars().any(char::is_lowercase) && !first.chars().any(char::is_uppercase);
    let mut letters = bare.chars();
    match letters.next() {
        Some(letter) if lower => Some(letter.to_uppercase().chain(letters).collect()),
        _ => Some(bare.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::{without_device_name, year_and_month};

    #[test]
    fn a_device_name_in_front_is_taken_off() {
        for (name, device, expected) in [
            ("Roller shutter", "Roller", Some("Shutter")),
            ("ROLLER: Own", "Roller", Some("Own")),
            ("Lampshade", "Lamp", None),
            ("Roller", "Roller", Some("")),
            ("Kettle", "Roller", None),
        ] {
            assert_eq!(without_device_name(name, device).as_deref(), expected, "{name}");
        }
    }

    #[test]
    fn versions_are_read_up_to_the_month() {
        assert_eq!(year_and_month("2026.10.4"), Some((2026, 10)));
        assert_eq!(year_and_month("2026.11.0b1"), Some((2026, 11)));
        assert_eq!(year_and_month("dev"), None);
    }
}
