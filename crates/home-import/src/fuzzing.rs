//! The reader of a home's messages, open to fuzz targets. Nothing here makes a connection.

use std::collections::VecDeque;
use std::pin::Pin;
use std::task::{Context, Poll};

use futures_util::{Sink, Stream};
use tokio_tungstenite::tungstenite::{Error, Message};

use crate::live::read_over;
use crate::socket::HomeSocket;
use crate::{HomeImportError, HomeRecords, HomeToken};

/// Messages that are there already; what is sent goes nowhere.
struct Recorded(VecDeque<Message>);

impl Stream for Recorded {
    type Item = Result<Message, Error>;

    fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        Poll::Ready(self.0.pop_front().map(Ok))
    }
}

impl Sink<Message> for Recorded {
    type Error = Error;

    fn poll_ready(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Result<(), Error>> {
        Poll::Ready(Ok(()))
    }

    fn start_send(self: Pin<&mut Self>, _: Message) -> Result<(), Error> {
        Ok(())
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Result<(), Error>> {
        Poll::Ready(Ok(()))
    }

    fn poll_close(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Result<(), Error>> {
        Poll::Ready(Ok(()))
    }
}

/// Reads a home from the messages of a connection, from its greeting on.
pub async fn read_messages<'a>(
    messages: impl Iterator<Item = &'a str>,
    token: &HomeToken,
) -> Result<HomeRecords, HomeImportError> {
    let recorded = Recorded(messages.map(Message::text).collect());
    read_over(HomeSocket::over(recorded, "http://home", token).await?).await
}
