//! A share as a bar of characters.

/// A bar of so many characters, filled as far as a share of it goes.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "a small whole number of characters"
)]
pub(crate) fn bar(width: usize, share: f64) -> String {
    let full = (share.clamp(0.0, 1.0) * width as f64).round() as usize;
    format!("{}{}", "█".repeat(full), "░".repeat(width - full))
}
