//! Small bars beside numbers, drawn as SVG so that no inline style is needed.
//!
//! A bar repeats what the number beside it says, so that who listens is spared it.

use maud::{Markup, html};

use crate::rate::Rate;

/// A mean from 0 to 1 with its interval.
pub fn rate_bar(rate: &Rate) -> Markup {
    let (low, high) = (percent(rate.low), percent(rate.high));
    html! {
        svg.bar viewBox="0 0 100 12" preserveAspectRatio="none" aria-hidden="true" focusable="false" {
            rect.bar-track x="0" y="3" width="100" height="6" {}
            rect.bar-fill x="0" y="3" width=(shown(percent(rate.mean))) height="6" {}
            rect.bar-doubt x=(shown(low)) y="5" width=(shown((high - low).max(0.6))) height="2" {}
        }
    }
}

/// A share of something, without doubt.
pub fn share_bar(share: f64) -> Markup {
    html! {
        svg.bar viewBox="0 0 100 12" preserveAspectRatio="none" aria-hidden="true" focusable="false" {
            rect.bar-track x="0" y="3" width="100" height="6" {}
            rect.bar-loss x="0" y="3" width=(shown(percent(share))) height="6" {}
        }
    }
}

/// A difference from −`scale` to `scale` around zero, with its interval.
pub fn difference_bar(difference: f64, low: Option<f64>, high: Option<f64>, scale: f64) -> Markup {
    let at = |value: f64| 50.0 + 50.0 * (value / scale).clamp(-1.0, 1.0);
    let centre = at(difference);
    html! {
        svg.bar viewBox="0 0 100 12" preserveAspectRatio="none" aria-hidden="true" focusable="false" {
            rect.bar-track x="0" y="5.5" width="100" height="1" {}
            @if let (Some(low), Some(high)) = (low, high) {
                rect.bar-doubt x=(shown(at(low))) y="5" width=(shown((at(high) - at(low)).max(0.6))) height="2" {}
            }
            rect.bar-zero x="49.7" y="0" width="0.6" height="12" {}
            rect.bar-point x=(shown(centre - 1.2)) y="2.5" width="2.4" height="7" {}
        }
    }
}

fn percent(share: f64) -> f64 {
    if share.is_finite() { share.clamp(0.0, 1.0) * 100.0 } else { 0.0 }
}

/// Two digits are finer than a screen, and keep the bytes the same everywhere.
fn shown(value: f64) -> String {
    format!("{value:.2}")
}
