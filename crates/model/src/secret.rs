//! Keys and passwords.

use std::fmt;

use secrecy::{ExposeSecret, SecretString};
use toolgauge_core::REDACTED;

/// An API key or a password: wiped from memory when dropped, and never shown.
#[derive(Clone)]
pub struct Secret(SecretString);

impl Secret {
    /// Wraps a secret; white space around it goes, because key files end in a line break.
    pub fn new(text: impl Into<String>) -> Self {
        let text: String = text.into();
        Self(SecretString::from(text.trim()))
    }

    /// The same, where an empty text is no secret.
    pub fn unless_empty(text: impl Into<String>) -> Option<Self> {
        let secret = Self::new(text);
        (!secret.expose().is_empty()).then_some(secret)
    }

    /// The secret itself, for the one header it belongs in.
    pub(crate) fn expose(&self) -> &str {
        self.0.expose_secret()
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(REDACTED)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_never_shown() {
        let secret = Secret::new("sk-hunter2\n");
        assert_eq!(secret.expose(), "sk-hunter2");
        assert_eq!(format!("{secret:?}"), "[redacted]");
        assert!(!format!("{:?}", Some(&secret)).contains("hunter2"));
    }
}
