//! Importing homes: over the wire from recorded answers, from files, from a prompt.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod equal;
mod private;
mod refused;
mod sources;

use toolgauge_home_import::HomeToken;
use toolgauge_testkit::home_assistant::TOKEN;

/// The token that the recorded server accepts.
fn token() -> HomeToken {
    HomeToken::new(TOKEN)
}
