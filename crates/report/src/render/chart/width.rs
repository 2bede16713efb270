//! How much room a chart is drawn for.

/// What is left free between a line and the words beside it.
const GAP: f64 = 5.0;

/// The room a chart is drawn for. Pages scale drawings to their place, and words with them; so
/// that they stay readable, a page shows the drawing that is nearest to its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ChartWidth {
    /// A page on a desk, or a file.
    Wide,
    /// A phone, or a column.
    Narrow,
}

impl ChartWidth {
    /// The name that the style sheet knows it by.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Wide => "drawn-wide",
            Self::Narrow => "drawn-narrow",
        }
    }

    /// How wide the drawing is.
    pub(super) fn width(self) -> f64 {
        match self {
            Self::Wide => 720.0,
            Self::Narrow => 340.0,
        }
    }

    /// How high letters are. A narrow drawing is shrunk further on the smallest phones.
    pub(super) fn letters(self) -> u32 {
        match self {
            Self::Wide => 11,
            Self::Narrow => 12,
        }
    }

    /// How wide words are, about. Letters of East Asian scripts are as wide as they are high.
    pub(super) fn pixels(self, words: &str) -> f64 {
        let width = |letter: char| if letter < '\u{1100}' { 0.56 } else { 1.0 };
        words.chars().map(width).sum::<f64>() * f64::from(self.letters())
    }

    /// How much of an axis words take, about.
    pub(super) fn width_of(self, words: &str) -> f64 {
        self.pixels(words) / self.axis()
    }

    /// How long an axis is, about.
    fn axis(self) -> f64 {
        match self {
            Self::Wide => 610.0,
            Self::Narrow => 260.0,
        }
    }

    /// Where the middle of words beside a line is, if the line is at such a share of the axis: to
    /// its right, or to its left where the axis would end before the words do.
    pub(super) fn beside(self, line: f64, words: &str) -> f64 {
        let (width, gap) = (self.width_of(words), GAP / self.axis());
        if line + width + gap > 1.0 { line - width / 2.0 - gap } else { line + width / 2.0 + gap }
    }
}
