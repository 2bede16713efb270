//! What all charts share: colours, and names and shares as they can be drawn.

use crate::harmless;

/// How many characters of a label are drawn.
const LONGEST_LABEL: usize = 44;

/// The colours of series. Series differ in the kind of line too.
pub(super) const SERIES: [&str; 6] = [
    "var(--chart-1)",
    "var(--chart-2)",
    "var(--chart-3)",
    "var(--chart-4)",
    "var(--chart-5)",
    "var(--chart-6)",
];

/// What the page's variables mean where there is no page.
const FIXED: [(&str, &str); 10] = [
    ("ground", "#ffffff"),
    ("line", "#c9d0d9"),
    ("ink", "#1a2129"),
    ("ink-soft", "#4c5866"),
    ("chart-1", "#0b5cad"),
    ("chart-2", "#b3440e"),
    ("chart-3", "#14652f"),
    ("chart-4", "#7d3c98"),
    ("chart-5", "#8a6d00"),
    ("chart-6", "#0f766e"),
];

/// What is inside a chart's SVG element.
#[derive(Clone, Debug)]
pub(crate) struct Drawing {
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) body: String,
}

/// A name: harmless and short.
pub(super) fn name(text: &str) -> String {
    let line = harmless::line(text);
    let mut short: String = line.chars().take(LONGEST_LABEL).collect();
    if short.len() < line.len() {
        short.push('…');
    }
    short
}

/// A share as it can be drawn, whatever a log claims.
pub(super) fn share(value: f64) -> f64 {
    if value.is_finite() { value.clamp(0.0, 1.0) } else { 0.0 }
}

/// The same drawing in colours that need no page.
pub(super) fn in_fixed_colors(svg: &str) -> String {
    let fixed = |svg: String, (name, color): &(&str, &str)| {
        // Quotes are escaped in text, so that only attributes of the drawing can match.
        svg.replace(&format!("\"var(--{name})\""), &format!("\"{color}\""))
    };
    FIXED.iter().fold(svg.to_owned(), fixed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_short_and_harmless() {
        assert_eq!(name("costs $x^2$"), "costs $x^2$");
        assert_eq!(name(&"a".repeat(1000)).chars().count(), LONGEST_LABEL + 1);
        assert_eq!(name("a\u{1b}[0m"), "a\\x1b[0m");
    }
}
