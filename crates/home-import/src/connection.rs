//! A connection that can send anything: for a Home Assistant that is marked as a test instance.

use std::time::Duration;

use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::wire::{Refusal, Wire};
use crate::{HomeImportError, HomeToken};

/// A connection to the WebSocket API, logged in. Imports have no use for it: they only read.
pub struct HomeConnection {
    wire: Wire,
}

impl HomeConnection {
    /// Connects and logs in. Each answer is waited for as long as `patience`.
    pub async fn open(
        url: &str,
        token: &HomeToken,
        patience: Duration,
    ) -> Result<Self, HomeImportError> {
        let mut wire = Wire::open(url, token).await?;
        wire.patience = patience;
        Ok(Self { wire })
    }

    /// The version Home Assistant says it has.
    pub fn version(&self) -> &str {
        &self.wire.version
    }

    /// Sends a request and reads the answer.
    pub async fn ask<T: DeserializeOwned>(
        &mut self,
        kind: &'static str,
        message: Value,
    ) -> Result<Result<T, Refusal>, HomeImportError> {
        let unread = |source| HomeImportError::Answer { request: kind, source };
        Ok(match self.wire.ask(kind, message).await? {
            Ok(answer) => Ok(T::deserialize(answer).map_err(unread)?),
            Err(refusal) => Err(refusal),
        })
    }

    /// Sends a request and hands over every event that comes of it, until one is the last.
    pub async fn events(
        &mut self,
        kind: &'static str,
        message: Value,
        mut is_last: impl FnMut(Value) -> bool,
    ) -> Result<Result<(), Refusal>, HomeImportError> {
        if let Err(refusal) = self.wire.ask(kind, message).await? {
            return Ok(Err(refusal));
        }
        while !is_last(self.wire.next_event(kind).await?) {}
        Ok(Ok(()))
    }

    /// Subscribes, reads the first event and ends the subscription.
    pub async fn first_event<T: DeserializeOwned>(
        &mut self,
        kind: &'static str,
        message: Value,
    ) -> Result<Result<T, Refusal>, HomeImportError> {
        let subscribed = self.wire.ask(kind, message).await?;
        if let Err(refusal) = subscribed {
            return Ok(Err(refusal));
        }
        let subscription = self.wire.last_id();
        let event = self.wire.next_event(kind).await?;
        let end = json!({"subscription": subscription});
        // Without it the subscription ends with the connection; nothing is lost.
        let _ = self.wire.ask("unsubscribe_events", end).await?;
        let unread = |source| HomeImportError::Answer { request: kind, source };
        T::deserialize(event).map(Ok).map_err(unread)
    }
}
