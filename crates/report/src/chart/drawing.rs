//! The one place that knows the drawing library: its layout, its colours, and what is taken
//! from its output.

use kuva::backend::svg::SvgBackend;
use kuva::render::annotations::{ReferenceLine, TextAnnotation};
use kuva::render::layout::{AxisLabelOverlap, Layout, TickFormat};
use kuva::render::plots::Plot;
use kuva::render::render::render_multiple;
use kuva::render::theme::Theme;

use super::room::Room;
use crate::harmless;

/// How many characters of a label are drawn.
const LONGEST_LABEL: usize = 44;

/// Stands where the name of the drawing's clip path goes, which has to be unique in its page.
pub(super) const CLIP: &str = "@clip@";

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

/// The elements and the attributes a drawing may have. Anything else would be a defect of the
/// library, and could be somebody's markup.
const ELEMENTS: [&str; 10] =
    ["rect", "line", "path", "circle", "polygon", "g", "text", "tspan", "defs", "clipPath"];
const ATTRIBUTES: [&str; 28] = [
    "x",
    "y",
    "x1",
    "y1",
    "x2",
    "y2",
    "cx",
    "cy",
    "r",
    "d",
    "points",
    "width",
    "height",
    "fill",
    "fill-opacity",
    "opacity",
    "stroke",
    "stroke-width",
    "stroke-dasharray",
    "stroke-opacity",
    "stroke-linejoin",
    "stroke-linecap",
    "font-size",
    "font-weight",
    "text-anchor",
    "transform",
    "id",
    "clip-path",
];

/// What is inside a chart's SVG element.
#[derive(Clone, Debug)]
pub(crate) struct Drawing {
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) body: String,
}

/// How a chart is laid out.
pub(super) struct Frame {
    layout: Layout,
    room: Room,
    height: f64,
}

impl Frame {
    /// A frame for these series, so high.
    pub(super) fn of(plots: &[Plot], room: Room, height: f64) -> Self {
        let letters = room.letters();
        let layout = Layout::auto_from_plots(plots)
            .with_theme(theme())
            .with_width(room.width())
            .with_height(height)
            .with_x_label_overlap(AxisLabelOverlap::Thin)
            .with_label_size(12)
            .with_tick_size(letters)
            .with_body_size(letters);
        Self { layout, room, height }
    }

    /// The same frame, its layout changed.
    pub(super) fn with(mut self, change: impl FnOnce(Layout) -> Layout) -> Self {
        self.layout = change(self.layout);
        self
    }

    /// The same frame, with a dashed line across.
    pub(super) fn marked(self, line: ReferenceLine) -> Self {
        self.with(|layout| layout.with_reference_line(line.with_color("var(--ink-soft)")))
    }

    /// The same frame, with words around a point.
    pub(super) fn noted(self, words: &str, (x, y): (f64, f64)) -> Self {
        let note = TextAnnotation::new(words, x, y).with_font_size(self.room.letters());
        self.with(|layout| layout.with_annotation(note))
    }

    /// Draws.
    pub(super) fn draw(self, plots: Vec<Plot>) -> Drawing {
        let (width, height) = (self.room.width(), self.height);
        let svg = SvgBackend::new().render_scene(&render_multiple(plots, self.layout));
        let body = inside(&svg).map(anonymous).filter(|body| is_plain(body));
        let body = body.unwrap_or_else(|| "<text x=\"12\" y=\"24\">not drawn</text>".to_owned());
        Drawing { width, height, body }
    }
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

/// A name for the library to draw, without what it would take for mathematics.
pub(super) fn label(text: &str) -> String {
    name(text).replace('$', "\\$")
}

/// Ticks by a function of their value.
pub(super) fn ticks(shown: impl Fn(f64) -> String + Send + Sync + 'static) -> TickFormat {
    TickFormat::Custom(std::sync::Arc::new(shown))
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

fn theme() -> Theme {
    Theme {
        background: "none".to_owned(),
        axis_color: "var(--ink-soft)".to_owned(),
        grid_color: "var(--line)".to_owned(),
        tick_color: "var(--ink-soft)".to_owned(),
        text_color: "var(--ink)".to_owned(),
        legend_bg: "none".to_owned(),
        legend_border: "none".to_owned(),
        ..Theme::light()
    }
}

/// What stands between the outermost tags. Attributes of the library hold no `>` unescaped.
fn inside(svg: &str) -> Option<&str> {
    let start = svg.find('>')? + 1;
    let inner = svg[start..].trim_end().strip_suffix("</svg>")?;
    let inner = inner.trim_start();
    let stamp = inner.strip_prefix("<!--").and_then(|rest| Some(rest.split_once("-->")?.1));
    Some(stamp.unwrap_or(inner))
}

/// The drawing without the number that the library gives its clip path, which counts every
/// chart the process has drawn.
fn anonymous(body: &str) -> String {
    let body = body.replace("<rect width=\"100%\" height=\"100%\" fill=\"none\" />", "");
    let Some((_, after)) = body.split_once("<clipPath id=\"") else { return body };
    let Some((id, _)) = after.split_once('"') else { return body };
    let (definition, use_of_it) = (format!("id=\"{id}\""), format!("url(#{id})"));
    body.replace(&definition, &format!("id=\"{CLIP}\""))
        .replace(&use_of_it, &format!("url(#{CLIP})"))
        .replace("stroke=\"#999999\"", "stroke=\"var(--ink-soft)\"")
}

/// Whether a drawing holds nothing but shapes and words.
fn is_plain(body: &str) -> bool {
    body.split('<').skip(1).all(|part| {
        let Some((tag, _)) = part.split_once('>') else { return false };
        let tag = tag.trim_end_matches('/').trim_end();
        if let Some(name) = tag.strip_prefix('/') {
            return ELEMENTS.contains(&name);
        }
        let (name, attributes) = tag.split_once(' ').unwrap_or((tag, ""));
        ELEMENTS.contains(&name) && are_plain(attributes)
    })
}

/// Whether `a="…" b="…"` is all there is, of attributes that drawings have.
fn are_plain(mut attributes: &str) -> bool {
    loop {
        attributes = attributes.trim_start();
        if attributes.is_empty() {
            return true;
        }
        let Some((name, rest)) = attributes.split_once("=\"") else { return false };
        let Some((value, rest)) = rest.split_once('"') else { return false };
        let here = !value.contains("url(") || value == format!("url(#{CLIP})");
        if !ATTRIBUTES.contains(&name) || !here {
            return false;
        }
        attributes = rest;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_shapes_and_words_are_plain() {
        assert!(is_plain(
            "<g clip-path=\"url(#@clip@)\"><rect x=\"1\" /></g><text y=\"2\">a</text>"
        ));
        assert!(!is_plain("<script>alert(1)</script>"));
        assert!(!is_plain("<rect onload=\"x\" />"));
        assert!(!is_plain("<rect fill=\"url(http://elsewhere/)\" />"));
        assert!(!is_plain("<image x=\"1\" />"));
        assert!(!is_plain("<rect x=\"1"));
    }

    #[test]
    fn labels_are_short_and_no_mathematics() {
        assert_eq!(label("costs $x^2$"), "costs \\$x^2\\$");
        assert_eq!(label(&"a".repeat(1000)).chars().count(), LONGEST_LABEL + 1);
        assert_eq!(label("a\u{1b}[0m"), "a\\x1b[0m");
    }
}
