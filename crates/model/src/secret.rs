//! Keys and passwords.

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};
use secrecy::{ExposeSecret, SecretString};
use toolgauge_core::REDACTED;

/// Shorter names of users are not taken for keys.
const SHORTEST_USER: usize = 6;

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

/// The secrets in a login: the password, the user where it may be a key, and both as they are
/// sent.
pub(crate) fn login_secrets(user: &str, password: &str) -> Vec<Secret> {
    let mut secrets = vec![Secret::new(STANDARD_NO_PAD.encode(format!("{user}:{password}")))];
    secrets.push(Secret::new(URL_SAFE_NO_PAD.encode(format!("{user}:{password}"))));
    secrets.extend(Secret::unless_empty(password));
    // Some services take the key for a user and want no password.
    let is_word = user.chars().all(char::is_alphabetic);
    if password.is_empty() || (!is_word && user.len() >= SHORTEST_USER) {
        secrets.extend(Secret::unless_empty(user));
    }
    secrets
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
