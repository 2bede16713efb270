//! Files to keep: sent piece by piece, so that none is in memory as a whole.

use std::io::{self, Write};

use axum::body::{Body, Bytes};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use tokio::sync::mpsc;

/// How many bytes are sent at once.
const PIECE: usize = 64 << 10;
/// How many pieces may wait for who reads slowly.
const WAITING: usize = 4;

/// A body that `write` writes on a thread of its own. It stops when nobody reads any more.
pub(crate) fn streamed(
    write: impl FnOnce(&mut dyn Write) -> io::Result<()> + Send + 'static,
) -> Body {
    let (sender, receiver) = mpsc::channel(WAITING);
    tokio::task::spawn_blocking(move || {
        let mut out = io::BufWriter::with_capacity(PIECE, PieceWriter(sender.clone()));
        let written = write(&mut out).and_then(|()| out.flush());
        // A file that ends early must not look whole: the connection breaks instead.
        if let Err(error) = written {
            let _ = sender.blocking_send(Err(error));
        }
    });
    let pieces = futures_util::stream::unfold(receiver, async |mut receiver| {
        let piece = receiver.recv().await?;
        Some((piece, receiver))
    });
    Body::from_stream(pieces)
}

struct PieceWriter(mpsc::Sender<io::Result<Bytes>>);

impl Write for PieceWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let piece = Bytes::copy_from_slice(bytes);
        self.0.blocking_send(Ok(piece)).map_err(|_| io::ErrorKind::BrokenPipe)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// An answer that browsers keep as a file of this name.
pub(crate) fn attachment(kind: &'static str, name: &str, body: Body) -> Response {
    // Other characters would have to be encoded, or could end the header.
    let plain = |c: char| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '_' };
    let name: String = name.chars().map(plain).take(120).collect();
    let how = format!("attachment; filename=\"{name}\"");
    ([(header::CONTENT_TYPE, kind.to_owned()), (header::CONTENT_DISPOSITION, how)], body)
        .into_response()
}
