//! How many digits a sensor shows when nobody has chosen.
//!
//! Home Assistant gives each kind of measurement a unit in which it needs no digits (or one), and
//! a larger unit as many more as it is powers of ten larger, two at most. What that comes to for
//! every unit is data, taken from Home Assistant itself.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::inventory::Entity;

/// Digits behind the point, by device class and unit.
static DIGITS: LazyLock<HashMap<String, HashMap<String, usize>>> = LazyLock::new(|| {
    serde_json::from_str(include_str!("data/display-precision.json"))
        .expect("the built-in table is valid")
});

/// The digits behind the point, where there is a rule.
pub(crate) fn of(entity: &Entity) -> Option<usize> {
    if entity.display_precision.is_some() {
        return entity.display_precision;
    }
    let unit = entity.attributes.get("unit_of_measurement")?.as_str()?;
    DIGITS.get(entity.device_class()?)?.get(canonical_unit(unit)).copied()
}

/// A unit as Home Assistant spells it. Sensors that use the micro sign (U+00B5) get the Greek
/// letter (U+03BC), and reactive power is written small.
pub(crate) fn canonical_unit(unit: &str) -> &str {
    match unit {
        "\u{b5}Sv/h" => "μSv/h",
        "\u{b5}S/cm" => "μS/cm",
        "\u{b5}V" => "μV",
        "\u{b5}g/ft³" => "μg/ft³",
        "\u{b5}g/m³" => "μg/m³",
        "\u{b5}mol/s⋅m²" => "μmol/s⋅m²",
        "\u{b5}g" => "μg",
        "\u{b5}s" => "μs",
        "mVAr" => "mvar",
        "VAr" => "var",
        "kVAr" => "kvar",
        "VArh" => "varh",
        "kVArh" => "kvarh",
        other => other,
    }
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
        assert_eq!(digits("conductivity", "\u{b5}S/cm"), Some(1));
        assert_eq!(digits("humidity", "%"), None);
    }

    #[test]
    fn zero_has_no_sign() {
        assert_eq!(rounded(-0.04, 1), "0.0");
        assert_eq!(rounded(12.345, 1), "12.3");
        assert_eq!(rounded(-1.25, 1), "-1.2");
    }
}
