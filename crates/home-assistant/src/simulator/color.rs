//! Colours in the spaces lights speak, converted as Home Assistant converts them.

mod names;
mod whites;

use serde_json::{Value, json};

use crate::python::{round, round_to};
pub(super) use whites::Whites;

/// A colour by its name; spaces and case do not matter.
pub(super) fn named(name: &str) -> Option<[u8; 3]> {
    let name = name.replace(' ', "").to_lowercase();
    let at = names::NAMES.binary_search_by(|(known, _)| (*known).cmp(&name)).ok()?;
    Some(names::NAMES[at].1)
}

/// Hue in degrees and saturation in percent, from red, green and blue up to 255.
///
/// The usual hexagonal hue and saturation; see Smith (1978), "Color gamut transform pairs".
pub(super) fn rgb_to_hs(rgb: [f64; 3]) -> [f64; 2] {
    let [red, green, blue] = rgb.map(|part| part / 255.0);
    let most = red.max(green).max(blue);
    let least = red.min(green).min(blue);
    if most.total_cmp(&least).is_eq() {
        return [0.0, 0.0];
    }
    let range = most - least;
    let [from_red, from_green, from_blue] = [red, green, blue].map(|part| (most - part) / range);
    let sixths = if red.total_cmp(&most).is_eq() {
        from_blue - from_green
    } else if green.total_cmp(&most).is_eq() {
        2.0 + from_red - from_blue
    } else {
        4.0 + from_green - from_red
    };
    let hue = (sixths / 6.0).rem_euclid(1.0);
    [round_to(hue * 360.0, 3), round_to(range / most * 100.0, 3)]
}

/// Red, green and blue up to 255, at full value.
#[expect(clippy::cast_possible_truncation, reason = "a sector is between 0 and 6")]
#[expect(clippy::many_single_char_names, reason = "the letters are those of the formula")]
pub(super) fn hs_to_rgb([hue, saturation]: [f64; 2]) -> [i64; 3] {
    let s = saturation / 100.0;
    let h = hue / 360.0 * 6.0;
    let f = h - h.trunc();
    let (p, q, t) = (1.0 - s, 1.0 - s * f, 1.0 - s * (1.0 - f));
    let rgb = match (h.trunc() as i64).rem_euclid(6) {
        _ if s == 0.0 => [1.0, 1.0, 1.0],
        0 => [1.0, t, p],
        1 => [q, 1.0, p],
        2 => [p, 1.0, t],
        3 => [p, q, 1.0],
        4 => [t, p, 1.0],
        _ => [1.0, p, q],
    };
    rgb.map(|part| round(part * 255.0))
}

/// CIE 1931 xy with the wide-gamut D65 matrix Philips publishes for its lights.
pub(super) fn rgb_to_xy(rgb: [f64; 3]) -> [f64; 2] {
    if rgb.iter().sum::<f64>() == 0.0 {
        return [0.0, 0.0];
    }
    let [red, green, blue] = rgb.map(|part| {
        let part = part / 255.0;
        if part > 0.04045 { ((part + 0.055) / (1.0 + 0.055)).powf(2.4) } else { part / 12.92 }
    });
    let x = red * 0.664_511 + green * 0.154_324 + blue * 0.162_028;
    let y = red * 0.283_881 + green * 0.668_433 + blue * 0.047_685;
    let z = red * 0.000_088 + green * 0.072_310 + blue * 0.986_039;
    [round_to(x / (x + y + z), 3), round_to(y / (x + y + z), 3)]
}

/// Red, green and blue of a point in the xy plane at full brightness: the inverse matrix.
#[expect(clippy::cast_possible_truncation, reason = "Home Assistant truncates here")]
pub(super) fn xy_to_rgb([x, y]: [f64; 2]) -> [i64; 3] {
    let y = if y == 0.0 { 1e-11 } else { y };
    let (big_x, big_z) = (x / y, (1.0 - x - y) / y);
    let linear = [
        big_x * 1.656_492 - 0.354_851 - big_z * 0.255_038,
        -big_x * 0.707_196 + 1.655_397 + big_z * 0.036_152,
        big_x * 0.051_713 - 0.121_364 + big_z * 1.011_530,
    ];
    let rgb = linear.map(|part| {
        let part = if part <= 0.003_130_8 {
            12.92 * part
        } else {
            (1.0 + 0.055) * part.powf(1.0 / 2.4) - 0.055
        };
        part.max(0.0)
    });
    let most = rgb.iter().copied().fold(1.0, f64::max);
    rgb.map(|part| (part / most * 255.0) as i64)
}

/// The colour temperature of a point in the xy plane, by `McCamy`'s cubic (1992).
#[expect(clippy::cast_possible_truncation, reason = "Home Assistant truncates here")]
pub(super) fn xy_to_kelvin([x, y]: [f64; 2]) -> i64 {
    let n = (x - 0.3320) / (0.1858 - y);
    (437.0 * n.powi(3) + 3601.0 * n.powi(2) + 6861.0 * n + 5517.0) as i64
}

/// Red, green and blue of a black body, by Helland's approximation (2012).
pub(super) fn kelvin_to_rgb(kelvin: f64) -> [f64; 3] {
    let t = kelvin.clamp(1000.0, 40_000.0) / 100.0;
    let clamp = |part: f64| part.clamp(0.0, 255.0);
    let red =
        if t <= 66.0 { 255.0 } else { clamp(329.698_727_446 * (t - 60.0).powf(-0.133_204_759_2)) };
    let green = if t <= 66.0 {
        clamp(99.470_802_586_1 * t.ln() - 161.119_568_166_1)
    } else {
        clamp(288.122_169_528_3 * (t - 60.0).powf(-0.075_514_849_2))
    };
    let blue = if t >= 66.0 {
        255.0
    } else if t <= 19.0 {
        0.0
    } else {
        clamp(138.517_731_223_1 * (t - 10.0).ln() - 305.044_792_730_7)
    };
    [red, green, blue]
}

/// Red, green, blue and white: what all three share becomes white.
pub(super) fn rgb_to_rgbw(rgb: [i64; 3]) -> [i64; 4] {
    let [red, green, blue] = rgb;
    let white = red.min(green).min(blue);
    scaled(&floats(rgb), floats([red - white, green - white, blue - white, white]))
}

/// Back from red, green, blue and white.
pub(super) fn rgbw_to_rgb(rgbw: [i64; 4]) -> [i64; 3] {
    let [red, green, blue, white] = rgbw;
    scaled(&floats(rgbw), floats([red + white, green + white, blue + white]))
}

/// Scales the output so that its largest part is the input's.
fn scaled<const N: usize>(input: &[f64], output: [f64; N]) -> [i64; N] {
    let largest = |parts: &[f64]| parts.iter().copied().fold(0.0, f64::max);
    let most = largest(&output);
    let factor = if most == 0.0 { 0.0 } else { largest(input) / most };
    output.map(|part| round(part * factor))
}

#[expect(clippy::cast_precision_loss, reason = "parts are at most 255")]
pub(super) fn floats<const N: usize>(parts: [i64; N]) -> [f64; N] {
    parts.map(|part| part as f64)
}

/// The three descriptions every colour light shows, from hue and saturation.
pub(super) fn shown_from_hs(hs: [f64; 2]) -> [(&'static str, Value); 3] {
    let rgb = hs_to_rgb(hs);
    [
        ("hs_color", json!(hs.map(|part| round_to(part, 3)))),
        ("rgb_color", json!(rgb)),
        ("xy_color", json!(rgb_to_xy(floats(rgb)))),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted_and_found_however_they_are_written() {
        assert!(names::NAMES.is_sorted_by(|left, right| left.0 < right.0));
        assert_eq!(names::NAMES.len(), 149);
        assert_eq!(named("Dark Sea Green"), Some([143, 188, 143]));
        assert_eq!(named("warm white"), None);
    }

    /// Values from the recordings.
    #[test]
    #[expect(clippy::float_cmp, reason = "values are rounded to three digits")]
    fn conversions_agree_with_the_recordings() {
        assert_eq!(rgb_to_hs([0.0, 0.0, 255.0]), [240.0, 100.0]);
        assert_eq!(rgb_to_xy([0.0, 0.0, 255.0]), [0.136, 0.04]);
        let hs = rgb_to_hs(kelvin_to_rgb(9000.0));
        assert_eq!(hs, [222.461, 17.81]);
        assert_eq!(hs_to_rgb(hs), [210, 223, 255]);
        assert_eq!(rgb_to_xy(floats(hs_to_rgb(hs))), [0.285, 0.293]);
    }

    /// Values from `homeassistant.util.color` 2026.8.
    #[test]
    fn other_spaces_agree_with_home_assistant() {
        assert_eq!(rgb_to_rgbw([255, 128, 64]), [255, 85, 0, 85]);
        assert_eq!(rgbw_to_rgb([255, 85, 0, 85]), [255, 128, 64]);
        assert_eq!(xy_to_rgb([0.136, 0.04]), [11, 0, 255]);
        assert_eq!(xy_to_kelvin([0.4573, 0.41]), 2731);
    }
}
