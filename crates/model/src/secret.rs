//! Keys and passwords, and the broom that sweeps them out of messages.

use std::fmt;

use secrecy::{ExposeSecret, SecretString};

/// What stands in the place of a secret wherever one would have been shown.
const REDACTED: &str = "[redacted]";

/// The shortest secret that is searched for in messages. Shorter ones are dummies such as `x`,
/// and taking them out would only make a message unreadable.
const SHORTEST_SEARCHED: usize = 4;

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

/// Takes known secrets out of texts that come from elsewhere, such as a server's own error
/// message, which may repeat the key it did not like.
#[derive(Clone, Debug, Default)]
pub(crate) struct Redactor {
    secrets: Vec<Secret>,
}

impl Redactor {
    /// Learns a secret.
    pub(crate) fn learn(&mut self, secret: &Secret) {
        if secret.expose().len() >= SHORTEST_SEARCHED {
            self.secrets.push(secret.clone());
        }
    }

    /// The text without any secret in it.
    pub(crate) fn clean(&self, text: String) -> String {
        self.secrets.iter().fold(text, |text, secret| {
            if text.contains(secret.expose()) {
                text.replace(secret.expose(), REDACTED)
            } else {
                text
            }
        })
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

    #[test]
    fn known_secrets_are_swept_out_of_messages() {
        let mut redactor = Redactor::default();
        redactor.learn(&Secret::new("sk-hunter2"));
        redactor.learn(&Secret::new("x"));
        let cleaned = redactor.clean("bad key sk-hunter2, next: sk-hunter2x".into());
        assert_eq!(cleaned, "bad key [redacted], next: [redacted]x");
    }
}
