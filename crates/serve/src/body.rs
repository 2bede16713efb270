//! Bodies that come whole, in pieces over time, or break off.

use std::collections::VecDeque;
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use hyper::body::{Body, Frame, SizeHint};
use tokio::time::{Instant, Sleep};

/// What was written before a body breaks off needs this long to reach the other side.
const SETTLE: Duration = Duration::from_millis(20);

/// The body of an answer.
#[derive(Debug)]
pub(super) struct AnswerBody {
    pieces: VecDeque<Bytes>,
    /// How long to wait before each piece but the first.
    pace: Option<Duration>,
    /// What the headers promise; `None` leaves the length open.
    length: Option<u64>,
    /// How long after the last piece the connection ends before the body does.
    breaks_off: Option<Duration>,
    waiting: Option<Pin<Box<Sleep>>>,
    begun: bool,
}

impl AnswerBody {
    /// A body of known length, sent at once.
    pub(super) fn whole(bytes: Vec<u8>) -> Self {
        let length = u64::try_from(bytes.len()).ok();
        Self::new(VecDeque::from([Bytes::from(bytes)]), length)
    }

    /// A body of open length: the events of a stream.
    pub(super) fn stream(pieces: &[Vec<u8>]) -> Self {
        Self::new(VecDeque::from([Bytes::from(pieces.concat())]), None)
    }

    fn new(pieces: VecDeque<Bytes>, length: Option<u64>) -> Self {
        Self { pieces, pace: None, length, breaks_off: None, waiting: None, begun: false }
    }

    /// The same body in pieces of a few dozen bytes, spread over a time.
    pub(super) fn slowly(mut self, over: Duration) -> Self {
        let bytes = self.all();
        let size = bytes.len().div_ceil(20).max(1);
        let pieces: VecDeque<Bytes> = bytes.chunks(size).map(Bytes::copy_from_slice).collect();
        let steps = u32::try_from(pieces.len().saturating_sub(1).max(1)).unwrap_or(u32::MAX);
        self.pace = Some(over / steps);
        self.pieces = pieces;
        self
    }

    /// The first half of the body, and then the end of the connection.
    pub(super) fn broken_off(self) -> Self {
        self.stalled(SETTLE)
    }

    /// The first half of the body, nothing for so long, and then the end of the connection.
    pub(super) fn stalled(mut self, lasting: Duration) -> Self {
        let bytes = self.all();
        self.pieces = VecDeque::from([Bytes::copy_from_slice(&bytes[..bytes.len() / 2])]);
        self.breaks_off = Some(lasting);
        self
    }

    /// A body as long as before that is not JSON: every brace is a bracket.
    pub(super) fn garbled(mut self) -> Self {
        let mut bytes = self.all();
        bytes.iter_mut().filter(|byte| **byte == b'}').for_each(|byte| *byte = b']');
        self.pieces = VecDeque::from([Bytes::from(bytes)]);
        self
    }

    fn all(&self) -> Vec<u8> {
        self.pieces.iter().flat_map(|piece| piece.iter().copied()).collect()
    }

    /// Waits until it is time for the next step.
    fn wait(&mut self, time: Duration, context: &mut Context<'_>) -> Poll<()> {
        let waiting = self
            .waiting
            .get_or_insert_with(|| Box::pin(tokio::time::sleep_until(Instant::now() + time)));
        let done = waiting.as_mut().poll(context);
        if done.is_ready() {
            self.waiting = None;
        }
        done
    }
}

impl Body for AnswerBody {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        if self.pieces.is_empty() {
            let Some(after) = self.breaks_off else { return Poll::Ready(None) };
            std::task::ready!(self.wait(after, context));
            return Poll::Ready(Some(Err(io::ErrorKind::ConnectionAborted.into())));
        }
        if let Some(pace) = self.pace.filter(|_| self.begun) {
            std::task::ready!(self.wait(pace, context));
        }
        self.begun = true;
        Poll::Ready(self.pieces.pop_front().map(|piece| Ok(Frame::data(piece))))
    }

    fn is_end_stream(&self) -> bool {
        self.pieces.is_empty() && self.breaks_off.is_none()
    }

    fn size_hint(&self) -> SizeHint {
        match self.length {
            Some(length) if !self.begun => SizeHint::with_exact(length),
            _ => SizeHint::default(),
        }
    }
}
