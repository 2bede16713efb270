//! A connection to the WebSocket API over which nothing but reads can be sent.

use serde::de::DeserializeOwned;

use crate::wire::{Connected, MessageStream, Wire};
use crate::{HomeImportError, HomeToken, ReadRequest};

/// A connection that only reads.
pub(crate) struct HomeSocket<S = Connected> {
    wire: Wire<S>,
}

/// What became of a read.
pub(crate) enum ReadAnswer<T> {
    Read(T),
    /// Only administrators may ask.
    NotAllowed,
}

impl HomeSocket {
    /// Connects and logs in.
    pub(crate) async fn open(url: &str, token: &HomeToken) -> Result<Self, HomeImportError> {
        Ok(Self { wire: Wire::open(url, token).await? })
    }
}

impl<S: MessageStream> HomeSocket<S> {
    /// Logs in over a connection that stands.
    pub(crate) async fn over(
        stream: S,
        url: &str,
        token: &HomeToken,
    ) -> Result<Self, HomeImportError> {
        Ok(Self { wire: Wire::over(stream, url, token).await? })
    }

    /// The version Home Assistant says it has.
    pub(crate) fn version(&self) -> &str {
        &self.wire.version
    }

    /// The answer to a read that anybody may make.
    pub(crate) async fn read<T: DeserializeOwned>(
        &mut self,
        request: &ReadRequest,
    ) -> Result<T, HomeImportError> {
        match self.try_read(request).await? {
            ReadAnswer::Read(answer) => Ok(answer),
            ReadAnswer::NotAllowed => Err(HomeImportError::Refused {
                request: request.kind(),
                why: "the token's owner may not ask for it".to_owned(),
            }),
        }
    }

    /// The answer to a read that may be for administrators only.
    pub(crate) async fn try_read<T: DeserializeOwned>(
        &mut self,
        request: &ReadRequest,
    ) -> Result<ReadAnswer<T>, HomeImportError> {
        let kind = request.kind();
        match self.wire.ask(kind, request.message()).await? {
            Err(refusal) if refusal.code == "unauthorized" => Ok(ReadAnswer::NotAllowed),
            Err(refusal) => Err(HomeImportError::Refused { request: kind, why: refusal.message }),
            Ok(answer) => T::deserialize(answer)
                .map(ReadAnswer::Read)
                .map_err(|source| HomeImportError::Answer { request: kind, source }),
        }
    }

    /// Takes leave.
    pub(crate) async fn close(self) {
        self.wire.close().await;
    }
}
