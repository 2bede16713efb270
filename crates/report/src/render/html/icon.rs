//! Small signs beside words, drawn here: no font has to have them.
//!
//! A sign repeats what the word beside it says, so that who listens is spared it, and that colour
//! is not needed to tell two of them apart.

use maud::{Markup, Render, html};

/// A sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Icon {
    /// A tick: right.
    Tick,
    /// A circle half filled: partly right.
    Half,
    /// A cross: wrong.
    Cross,
    /// A dash: no judgement.
    Dash,
    /// A thumb up.
    ThumbUp,
    /// A thumb down.
    ThumbDown,
}

/// A thumb up, in a square of sixteen.
const THUMB: &str = "M1.5 7.5h2.6v6.5H1.5z M5.6 7.4 8.5 1.8c1.3-.1 2.1.8 1.9 2L9.9 6.4h3.3\
                     c1 0 1.7.9 1.5 1.9l-1 4.4c-.2.8-.8 1.3-1.6 1.3H5.6z";

impl Render for Icon {
    fn render(&self) -> Markup {
        html! {
            svg.icon viewBox="0 0 16 16" aria-hidden="true" focusable="false" {
                @match self {
                    Self::Tick => path.icon-line d="M2.5 8.8 6.2 12.5 13.5 4" {},
                    Self::Half => {
                        circle.icon-line cx="8" cy="8" r="5.5" {}
                        path.icon-face d="M8 2.5a5.5 5.5 0 0 0 0 11z" {}
                    },
                    Self::Cross => path.icon-line d="M3.5 3.5 12.5 12.5M12.5 3.5 3.5 12.5" {},
                    Self::Dash => path.icon-line d="M3 8h10" {},
                    Self::ThumbUp => path.icon-face d=(THUMB) {},
                    Self::ThumbDown => path.icon-face d=(THUMB) transform="matrix(1 0 0 -1 0 16)" {},
                }
            }
        }
    }
}
