//! Lights: brightness, colour and colour temperature, in whatever a light can do of it.

use serde_json::{Map, Value, json};

use super::color::{self, Whites, floats};
use super::refusal::ServiceRefusal;
use super::reply::CallFailure;
use super::slots::Slots;
use crate::features::light;
use crate::profile::Profile;
use crate::python::round;
use crate::state::EntityView;
use crate::state::HomeState;

/// A colour temperature in mireds, a million over kelvins, which lights had before 2026.10.
const MIREDS: &str = "color_temp";

/// The attributes by which a scene keeps a colour, in the order in which they count.
const KEPT_COLORS: [&str; 6] =
    ["hs_color", "color_temp_kelvin", "rgb_color", "rgbw_color", "rgbww_color", "xy_color"];

/// What a light is told to become; nothing means just on.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LightSettings {
    percent: Option<i64>,
    color: Option<[u8; 3]>,
    kelvin: Option<i64>,
}

/// A colour in the mode a light takes it in.
enum Paint {
    Hs([f64; 2]),
    Rgb([i64; 3]),
    Rgbw([i64; 4]),
    Rgbww([i64; 5]),
    Xy([f64; 2]),
    Kelvin(i64),
}

impl LightSettings {
    pub(super) fn from_slots(slots: &Slots<'_>) -> Self {
        Self {
            percent: slots.whole("brightness"),
            color: slots.color(),
            kelvin: slots.whole("temperature"),
        }
    }

    /// Whether the service refuses the settings whatever the light: it takes one description of
    /// a colour, not two, and before 2026.10 divided by the temperature.
    pub(super) fn is_invalid(self, profile: Profile) -> bool {
        (self.color.is_some() && self.kelvin.is_some())
            || (self.kelvin == Some(0) && !profile.is_current())
    }
}

/// What a light can do. One that does not say can do everything.
struct Modes<'a> {
    modes: Option<Vec<&'a str>>,
    whites: Whites,
}

impl<'a> Modes<'a> {
    fn of(view: &EntityView<'a>) -> Self {
        let modes = view.remembered("supported_color_modes").and_then(Value::as_array);
        let modes = modes.map(|modes| modes.iter().filter_map(Value::as_str).collect());
        let kelvin = |name: &str, usual: i64| {
            view.remembered(name).and_then(Value::as_i64).filter(|k| *k > 0).unwrap_or(usual)
        };
        let whites = Whites::between(
            kelvin("min_color_temp_kelvin", 2000),
            kelvin("max_color_temp_kelvin", 6535),
        );
        Self { modes, whites }
    }

    fn has(&self, mode: &str) -> bool {
        match &self.modes {
            Some(modes) => modes.contains(&mode),
            None => matches!(mode, "hs" | "color_temp"),
        }
    }

    fn can_dim(&self) -> bool {
        self.modes.as_ref().is_none_or(|modes| modes.iter().any(|mode| *mode != "onoff"))
    }

    fn has_color(&self) -> bool {
        ["hs", "rgb", "rgbw", "rgbww", "xy"].iter().any(|mode| self.has(mode))
    }

    /// The mode of a light that remembers none.
    fn first(&self) -> &'static str {
        let order = ["hs", "rgb", "rgbw", "rgbww", "xy", "color_temp", "white", "brightness"];
        order.into_iter().find(|mode| self.has(mode)).unwrap_or("onoff")
    }
}

impl HomeState {
    /// Turns a light on with settings; a brightness of 0 turns it off.
    pub(super) fn set_light(
        &mut self,
        at: usize,
        settings: LightSettings,
    ) -> Result<(), ServiceRefusal> {
        #[expect(clippy::cast_precision_loss, reason = "a percentage")]
        let brightness = settings.percent.map(|percent| round(255.0 * percent as f64 / 100.0));
        let view = self.view(at);
        // Before the light is turned off at brightness 0, because a colour may be refused even
        // then.
        let paint = paint(&Modes::of(&view), settings, brightness.or_else(|| level(&view)))?;
        self.light_up(at, brightness, paint.as_ref());
        Ok(())
    }

    /// Turns a light on as a scene keeps it: the brightness out of 255, and a colour by the name
    /// of its attribute.
    pub(super) fn restore_light(
        &mut self,
        at: usize,
        kept: &Map<String, Value>,
    ) -> Result<(), ServiceRefusal> {
        let color = kept_color(kept);
        if matches!(color, Some((_, None))) {
            // A mode without its colour: Home Assistant leaves such a light alone.
            return Ok(());
        }
        let brightness = kept.get("brightness").and_then(Value::as_i64);
        let view = self.view(at);
        let modes = Modes::of(&view);
        let level = brightness.or_else(|| level(&view));
        let paint = match color {
            Some((name, Some(value))) => restored(&modes, name, value, level)?,
            _ => None,
        };
        let has_effects = view.entity.supports(light::EFFECT);
        self.light_up(at, brightness, paint.as_ref());
        if let Some(effect) = kept.get("effect").filter(|e| has_effects && !e.is_null()) {
            self.set(at, "effect", effect.clone());
        }
        Ok(())
    }

    /// Turns a light on, or off at brightness 0.
    fn light_up(&mut self, at: usize, brightness: Option<i64>, paint: Option<&Paint>) {
        if brightness == Some(0) {
            self.set_state(at, "off");
            return;
        }
        let view = self.view(at);
        let modes = Modes::of(&view);
        let brightness = brightness.or_else(|| level(&view)).unwrap_or(255);
        let mode = view.remembered("color_mode").and_then(Value::as_str);
        let mode = mode.map_or_else(|| modes.first().to_owned(), str::to_owned);
        let (can_dim, whites) = (modes.can_dim(), modes.whites);
        self.set(at, "color_mode", mode);
        if can_dim {
            self.set(at, "brightness", brightness);
        }
        if let Some(paint) = paint {
            self.paint(at, paint, whites);
        }
        self.set_state(at, "on");
    }

    fn paint(&mut self, at: usize, paint: &Paint, whites: Whites) {
        let (mode, own, shown) = match *paint {
            Paint::Hs(hs) => ("hs", None, color::shown_from_hs(hs)),
            Paint::Rgb(rgb) => ("rgb", None, shown_from_rgb(rgb)),
            Paint::Rgbw(rgbw) => {
                let own = ("rgbw_color", json!(rgbw));
                ("rgbw", Some(own), shown_from_rgb(color::rgbw_to_rgb(rgbw)))
            }
            Paint::Rgbww(rgbww) => {
                let own = ("rgbww_color", json!(rgbww));
                ("rgbww", Some(own), shown_from_rgb(whites.rgbww_to_rgb(rgbww)))
            }
            Paint::Xy(xy) => ("xy", None, shown_from_xy(xy)),
            Paint::Kelvin(kelvin) => {
                let own = ("color_temp_kelvin", json!(kelvin));
                ("color_temp", Some(own), shown_from_kelvin(kelvin))
            }
        };
        // What belongs to another mode is not shown in this one.
        for name in ["color_temp_kelvin", MIREDS, "rgbw_color", "rgbww_color"] {
            self.set_known(at, name, Value::Null);
        }
        for (name, value) in shown.into_iter().chain(own) {
            self.set(at, name, value);
        }
        if let Paint::Kelvin(kelvin) = *paint
            && !self.setting.profile.is_current()
        {
            self.set(at, MIREDS, 1_000_000_i64.checked_div(kelvin));
        }
        self.set(at, "color_mode", mode);
    }
}

/// The brightness a light has or remembers.
fn level(view: &EntityView<'_>) -> Option<i64> {
    view.remembered("brightness").and_then(Value::as_i64)
}

/// The attribute by which a scene keeps the colour of a light, and the colour if it is there: that
/// of the light's mode, or without a mode the first there is.
fn kept_color(kept: &Map<String, Value>) -> Option<(&'static str, Option<&Value>)> {
    let of = |name: &str| kept.get(name).filter(|value| !value.is_null());
    let name = match kept.get("color_mode").map(|mode| mode.as_str().unwrap_or_default()) {
        None | Some("unknown") => KEPT_COLORS.into_iter().find(|name| of(name).is_some())?,
        Some("hs") => "hs_color",
        Some("color_temp") => "color_temp_kelvin",
        Some("rgb") => "rgb_color",
        Some("rgbw") => "rgbw_color",
        Some("rgbww") => "rgbww_color",
        Some("xy") => "xy_color",
        Some("white") => "brightness",
        Some(_) => return None,
    };
    Some((name, of(name)))
}

/// A colour that a scene keeps, in the first mode the light has for it.
fn restored(
    modes: &Modes<'_>,
    name: &str,
    kept: &Value,
    brightness: Option<i64>,
) -> Result<Option<Paint>, ServiceRefusal> {
    Ok(match name {
        "color_temp_kelvin" => {
            let settings = LightSettings { kelvin: kept.as_i64(), ..LightSettings::default() };
            return paint(modes, settings, brightness);
        }
        "hs_color" => parts(kept).and_then(|hs| {
            let near = from_rgb(modes, color::hs_to_rgb(hs));
            if modes.has_color() { Some(from_hs(modes, hs)) } else { near }
        }),
        "xy_color" if modes.has("xy") => parts(kept).map(Paint::Xy),
        "xy_color" if !modes.has_color() && modes.has("color_temp") => {
            parts(kept).map(|xy| Paint::Kelvin(color::xy_to_kelvin(xy)))
        }
        "xy_color" => parts(kept).and_then(|xy| {
            let rgb = color::xy_to_rgb(xy);
            let hs = modes.has("hs").then(|| Paint::Hs(color::rgb_to_hs(floats(rgb))));
            hs.or_else(|| from_rgb(modes, rgb))
        }),
        "rgbw_color" if modes.has("rgbw") => parts(kept).map(whole).map(Paint::Rgbw),
        "rgbw_color" => {
            parts(kept).map(whole).and_then(|rgbw| from_rgb(modes, color::rgbw_to_rgb(rgbw)))
        }
        "rgbww_color" if modes.has("rgbww") => parts(kept).map(whole).map(Paint::Rgbww),
        "rgbww_color" => {
            let rgb = parts(kept).map(whole).map(|rgbww| modes.whites.rgbww_to_rgb(rgbww));
            rgb.and_then(|rgb| from_rgb(modes, rgb))
        }
        _ => parts(kept).map(whole).and_then(|rgb| from_rgb(modes, rgb)),
    })
}

/// The numbers of a colour, if there are as many as it has.
fn parts<const N: usize>(kept: &Value) -> Option<[f64; N]> {
    let parts: Option<Vec<f64>> = kept.as_array()?.iter().map(Value::as_f64).collect();
    parts?.try_into().ok()
}

fn whole<const N: usize>(parts: [f64; N]) -> [i64; N] {
    parts.map(round)
}

/// The colour that is asked for, in the first mode the light has for it. `brightness` is what
/// the light will have, as far as anybody knows.
fn paint(
    modes: &Modes<'_>,
    settings: LightSettings,
    brightness: Option<i64>,
) -> Result<Option<Paint>, ServiceRefusal> {
    Ok(match (settings.kelvin, settings.color) {
        (Some(kelvin), _) if modes.has("color_temp") => Some(Paint::Kelvin(kelvin)),
        (Some(kelvin), _) if modes.has("rgbww") => {
            // Home Assistant divides by the temperature and multiplies by the brightness.
            let rgbww = brightness.and_then(|level| modes.whites.kelvin_to_rgbww(kelvin, level));
            let unable = || CallFailure::uncaught("TypeError", "there is no brightness");
            Some(Paint::Rgbww(rgbww.ok_or_else(|| ServiceRefusal::Raised(unable()))?))
        }
        #[expect(clippy::cast_precision_loss, reason = "a colour temperature")]
        (Some(kelvin), _) => {
            let rgb = color::kelvin_to_rgb(kelvin as f64);
            modes.has_color().then(|| from_hs(modes, color::rgb_to_hs(rgb)))
        }
        (None, Some(rgb)) => from_rgb(modes, rgb.map(i64::from)),
        (None, None) => None,
    })
}

fn from_hs(modes: &Modes<'_>, hs: [f64; 2]) -> Paint {
    let rgb = color::hs_to_rgb(hs);
    if modes.has("hs") {
        Paint::Hs(hs)
    } else if modes.has("rgb") {
        Paint::Rgb(rgb)
    } else if modes.has("rgbw") {
        Paint::Rgbw(color::rgb_to_rgbw(rgb))
    } else if modes.has("rgbww") {
        Paint::Rgbww(modes.whites.rgb_to_rgbww(rgb))
    } else {
        Paint::Xy(color::rgb_to_xy(floats(rgb)))
    }
}

fn from_rgb(modes: &Modes<'_>, rgb: [i64; 3]) -> Option<Paint> {
    let xy = color::rgb_to_xy(floats(rgb));
    // In the order in which Home Assistant tries them.
    Some(if modes.has("rgb") {
        Paint::Rgb(rgb)
    } else if modes.has("rgbw") {
        Paint::Rgbw(color::rgb_to_rgbw(rgb))
    } else if modes.has("rgbww") {
        Paint::Rgbww(modes.whites.rgb_to_rgbww(rgb))
    } else if modes.has("hs") {
        Paint::Hs(color::rgb_to_hs(floats(rgb)))
    } else if modes.has("xy") {
        Paint::Xy(xy)
    } else if modes.has("color_temp") {
        Paint::Kelvin(color::xy_to_kelvin(xy))
    } else {
        return None;
    })
}

fn shown_from_rgb(rgb: [i64; 3]) -> [(&'static str, Value); 3] {
    [
        ("hs_color", json!(color::rgb_to_hs(floats(rgb)))),
        ("rgb_color", json!(rgb)),
        ("xy_color", json!(color::rgb_to_xy(floats(rgb)))),
    ]
}

fn shown_from_xy(xy: [f64; 2]) -> [(&'static str, Value); 3] {
    let rgb = color::xy_to_rgb(xy);
    [
        ("hs_color", json!(color::rgb_to_hs(floats(rgb)))),
        ("rgb_color", json!(rgb)),
        ("xy_color", json!(xy)),
    ]
}

/// A temperature of nothing has no colour.
#[expect(clippy::cast_precision_loss, reason = "a colour temperature")]
fn shown_from_kelvin(kelvin: i64) -> [(&'static str, Value); 3] {
    if kelvin == 0 {
        return [("hs_color", Value::Null), ("rgb_color", Value::Null), ("xy_color", Value::Null)];
    }
    color::shown_from_hs(color::rgb_to_hs(color::kelvin_to_rgb(kelvin as f64)))
}
