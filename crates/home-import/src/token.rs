//! The token that opens somebody's home.

use secrecy::{ExposeSecret, SecretString};

use crate::HomeImportError;

/// A long-lived access token, which is never printed.
#[derive(Debug)]
pub struct HomeToken(SecretString);

impl HomeToken {
    /// A token as it was given.
    pub fn new(token: &str) -> Self {
        Self(SecretString::from(token))
    }

    /// The token in an environment variable.
    pub fn from_environment(variable: &str) -> Result<Self, HomeImportError> {
        let token = std::env::var(variable).unwrap_or_default();
        match token.trim() {
            "" => Err(HomeImportError::NoToken { variable: variable.to_owned() }),
            token => Ok(Self::new(token)),
        }
    }

    /// The token itself, to be sent and nothing else.
    pub fn expose(&self) -> &str {
        self.0.expose_secret()
    }
}
