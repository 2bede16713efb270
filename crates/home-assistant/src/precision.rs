//! How many digits a sensor shows when nobody has chosen.
//!
//! Home Assistant gives each kind of measurement a unit in which it needs no digits (or one), and
//! a larger unit as many more as it is powers of ten larger, two at most.

use super::inventory::Entity;

/// The most digits a larger unit adds.
const MOST_EXTRA: usize = 2;

/// The digits behind the point, where there is a rule.
pub(crate) fn of(entity: &Entity) -> Option<usize> {
    if entity.display_precision.is_some() {
        return entity.display_precision;
    }
    let unit = entity.attributes.get("unit_of_measurement")?.as_str()?;
    let (base, powers) = match entity.device_class()? {
        "temperature" | "temperature_delta" => (1, powers(TEMPERATURE, unit)?),
        "apparent_power" => (0, powers(&[("VA", 0), ("kVA", 3)], unit)?),
        "power" => (0, powers(&[("mW", 0), ("W", 0), ("kW", 3), ("MW", 6)], unit)?),
        "energy" | "energy_storage" => (0, powers(ENERGY, unit)?),
        "voltage" => (0, powers(&[("µV", 0), ("mV", 0), ("V", 0), ("kV", 3)], unit)?),
        "current" => (0, powers(&[("mA", 0), ("A", 3)], unit)?),
        "pressure" | "atmospheric_pressure" => (0, powers(PRESSURE, unit)?),
        "distance" => (0, powers(DISTANCE, unit)?),
        "speed" | "wind_speed" => (0, powers(SPEED, unit)?),
        "precipitation" => (0, powers(&[("mm", 0), ("cm", 0), ("in", 0)], unit)?),
        "precipitation_intensity" => (0, powers(&[("mm/h", 0), ("in/h", 1)], unit)?),
        "volume" | "volume_storage" | "water" | "gas" => (0, powers(VOLUME, unit)?),
        "weight" => (0, powers(&[("mg", 0), ("g", 0), ("kg", 3), ("oz", 1), ("lb", 2)], unit)?),
        "duration" => (0, powers(&[("ms", 0), ("s", 3), ("min", 4), ("h", 6), ("d", 7)], unit)?),
        "frequency" => (0, powers(&[("Hz", 0), ("kHz", 3), ("MHz", 6), ("GHz", 9)], unit)?),
        "data_rate" => (0, powers(DATA_RATE, unit)?),
        "data_size" => (0, powers(DATA_SIZE, unit)?),
        "irradiance" => (0, powers(&[("W/m²", 0)], unit)?),
        "sound_pressure" => (0, powers(&[("dB", 0), ("dBA", 0)], unit)?),
        "reactive_power" => (0, powers(&[("var", 0), ("kvar", 3)], unit)?),
        _ => return None,
    };
    Some(base + powers.min(MOST_EXTRA))
}

/// Whole powers of ten by which each unit is larger than the one without digits.
type Units = &'static [(&'static str, usize)];

const TEMPERATURE: Units = &[("°C", 0), ("°F", 0), ("K", 0)];
const ENERGY: Units = &[("mWh", 0), ("Wh", 0), ("kWh", 3), ("MWh", 6), ("GWh", 9), ("MJ", 2)];
const PRESSURE: Units = &[
    ("Pa", 0),
    ("hPa", 2),
    ("kPa", 3),
    ("mbar", 2),
    ("cbar", 3),
    ("bar", 5),
    ("mmHg", 2),
    ("inHg", 3),
    ("psi", 3),
];
const DISTANCE: Units =
    &[("mm", 0), ("cm", 0), ("m", 2), ("km", 5), ("in", 0), ("ft", 1), ("yd", 1), ("mi", 5)];
const SPEED: Units =
    &[("mm/s", 0), ("m/s", 3), ("km/h", 2), ("mph", 2), ("kn", 2), ("ft/s", 2), ("in/s", 1)];
const VOLUME: Units =
    &[("mL", 0), ("L", 3), ("m³", 6), ("ft³", 4), ("CCF", 6), ("gal", 3), ("fl. oz.", 1)];
const DATA_RATE: Units = &[
    ("bit/s", 0),
    ("kbit/s", 0),
    ("Mbit/s", 3),
    ("Gbit/s", 6),
    ("B/s", 0),
    ("kB/s", 0),
    ("MB/s", 3),
    ("GB/s", 6),
];
const DATA_SIZE: Units = &[
    ("bit", 0),
    ("kbit", 0),
    ("Mbit", 3),
    ("Gbit", 6),
    ("B", 0),
    ("kB", 0),
    ("MB", 3),
    ("GB", 6),
    ("TB", 9),
    ("KiB", 0),
    ("MiB", 3),
    ("GiB", 6),
    ("TiB", 9),
];

fn powers(units: &[(&str, usize)], unit: &str) -> Option<usize> {
    units.iter().find(|(known, _)| *known == unit).map(|(_, powers)| *powers)
}

/// A number with so many digits, never a negative zero.
pub(crate) fn rounded(number: f64, digits: usize) -> String {
    let text = format!("{number:.digits$}");
    let is_zero = text.bytes().all(|byte| matches!(byte, b'-' | b'0' | b'.'));
    if is_zero { text.trim_start_matches('-').to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn digits(class: &str, unit: &str) -> Option<usize> {
        let attributes = json!({"device_class": class, "unit_of_measurement": unit});
        let serde_json::Value::Object(attributes) = attributes else { unreachable!("an object") };
        of(&Entity::new("sensor.x".into(), "X".into(), "1".into(), attributes))
    }

    #[test]
    fn larger_units_show_more_digits_up_to_two() {
        assert_eq!(digits("temperature", "°F"), Some(1));
        assert_eq!(digits("power", "W"), Some(0));
        assert_eq!(digits("energy", "kWh"), Some(2));
        assert_eq!(digits("humidity", "%"), None);
    }

    #[test]
    fn zero_has_no_sign() {
        assert_eq!(rounded(-0.04, 1), "0.0");
        assert_eq!(rounded(12.345, 1), "12.3");
        assert_eq!(rounded(-1.25, 1), "-1.2");
    }
}
