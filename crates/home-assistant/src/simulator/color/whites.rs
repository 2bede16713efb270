//! Lights with a cold and a warm white beside red, green and blue.

use super::{floats, kelvin_to_rgb, scaled};
use crate::python::round;

/// The temperatures of the two whites of a light, in mireds (a million over kelvins).
#[derive(Clone, Copy, Debug)]
pub(in crate::simulator) struct Whites {
    coldest: i64,
    warmest: i64,
}

#[expect(clippy::cast_precision_loss, reason = "mireds, levels and parts are small")]
impl Whites {
    /// The whites of a light that goes from one temperature to another, in kelvins.
    pub(in crate::simulator) fn between(least: i64, most: i64) -> Self {
        Self { coldest: 1_000_000 / most, warmest: 1_000_000 / least }
    }

    /// Red, green, blue, cold and warm white: the white both lamps make together is taken out
    /// of the colour.
    pub(in crate::simulator) fn rgb_to_rgbww(self, rgb: [i64; 3]) -> [i64; 5] {
        let rgb = floats(rgb);
        let white = self.white(0.5);
        let share = |(part, white): (f64, f64)| if white == 0.0 { 0.0 } else { part / white };
        let level = rgb.into_iter().zip(white).map(share).fold(f64::INFINITY, f64::min);
        let [red, green, blue] = std::array::from_fn(|at| rgb[at] - white[at] * level);
        let lamp = round(level * 255.0) as f64;
        scaled(&rgb, [red, green, blue, lamp, lamp])
    }

    /// Back from red, green, blue, cold and warm white.
    pub(in crate::simulator) fn rgbww_to_rgb(self, rgbww: [i64; 5]) -> [i64; 3] {
        let parts = floats(rgbww);
        let [red, green, blue, cold, warm] = parts;
        let white = self.white(if cold + warm == 0.0 { 0.5 } else { warm / (cold + warm) });
        let level = cold.max(warm) / 255.0;
        let lit = [red, green, blue];
        scaled(&parts, std::array::from_fn::<f64, 3, _>(|at| lit[at] + white[at] * level))
    }

    /// The two whites that make a temperature in kelvins at a brightness up to 255. `None` for a
    /// temperature of nothing.
    pub(in crate::simulator) fn kelvin_to_rgbww(
        self,
        kelvin: i64,
        brightness: i64,
    ) -> Option<[i64; 5]> {
        let mireds = 1_000_000_i64.checked_div(kelvin)?;
        let range = (self.warmest - self.coldest) as f64;
        let cold = (self.warmest - mireds) as f64 / range * brightness as f64;
        Some([0, 0, 0, round(cold), round(brightness as f64 - cold)])
    }

    /// The colour of white light, by the share of warm white in it.
    fn white(self, warm: f64) -> [f64; 3] {
        let range = (self.warmest - self.coldest) as f64;
        let mireds = self.coldest as f64 + warm * range;
        kelvin_to_rgb((1_000_000.0 / mireds).floor())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values from `homeassistant.util.color` 2026.10.
    #[test]
    fn conversions_agree_with_home_assistant() {
        let whites = Whites::between(2000, 6535);
        assert_eq!(whites.rgb_to_rgbww([0, 0, 255]), [0, 0, 255, 0, 0]);
        assert_eq!(whites.rgbww_to_rgb([0, 0, 255, 0, 0]), [0, 0, 255]);
        assert_eq!(whites.rgb_to_rgbww([255, 128, 64]), [200, 49, 0, 255, 255]);
        assert_eq!(whites.rgbww_to_rgb([200, 49, 0, 255, 255]), [255, 128, 64]);
        assert_eq!(whites.rgb_to_rgbww([255, 255, 255]), [0, 76, 141, 255, 255]);
        assert_eq!(whites.rgbww_to_rgb([0, 76, 141, 255, 255]), [255, 255, 255]);
        assert_eq!(whites.rgb_to_rgbww([143, 188, 143]), [0, 115, 104, 188, 188]);
        assert_eq!(whites.rgbww_to_rgb([0, 115, 104, 188, 188]), [143, 188, 143]);
        assert_eq!(whites.rgb_to_rgbww([0, 0, 0]), [0, 0, 0, 0, 0]);
        assert_eq!(whites.rgbww_to_rgb([0, 0, 0, 0, 0]), [0, 0, 0]);
        assert_eq!(whites.kelvin_to_rgbww(2700, 200), Some([0, 0, 0, 75, 125]));
        assert_eq!(whites.kelvin_to_rgbww(9000, 255), Some([0, 0, 0, 286, -31]));
        assert_eq!(whites.kelvin_to_rgbww(1000, 3), Some([0, 0, 0, -4, 7]));
        assert_eq!(whites.kelvin_to_rgbww(0, 255), None);
    }
}
