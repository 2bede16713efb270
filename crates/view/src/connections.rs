//! Connections: taken, bounded in time, and ended when the viewer stops.

use std::future::Future;
use std::pin::pin;
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use axum::http::StatusCode;
use axum::middleware::Next;
use axum::response::Response;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio_io_timeout::TimeoutStream;

use crate::layout::sorry;

/// How long the head of a request may take to come; a connection that is idle ends after it, too.
const HEAD: Duration = Duration::from_secs(20);

/// How long a request may take, its body included.
const REQUEST: Duration = Duration::from_secs(30);

/// How long whoever asked may take none of the answer. Without an end to that, connections that
/// nobody reads would hold all file handles for ever.
const UNREAD: Duration = Duration::from_secs(30);

/// How long answers that are under way may take when the viewer stops.
const FAREWELL: Duration = Duration::from_millis(1_500);

/// How long to wait when no connection can be taken, as when file handles have run out.
const PAUSE: Duration = Duration::from_millis(200);

/// Serves connections until `stop` is done; answers under way then have a moment to end.
pub(crate) async fn serve_connections(
    listener: TcpListener,
    app: Router,
    stop: impl Future<Output = ()>,
) {
    let mut stop = pin!(stop);
    let (stopping, stopped) = watch::channel(false);
    let mut connections = JoinSet::new();
    loop {
        let accepted = tokio::select! {
            () = &mut stop => break,
            accepted = listener.accept() => accepted,
            Some(_) = connections.join_next() => continue,
        };
        match accepted {
            Ok((stream, _)) => {
                connections.spawn(serve_connection(stream, app.clone(), stopped.clone()));
            }
            Err(_) => tokio::time::sleep(PAUSE).await,
        }
    }
    drop(listener);
    let _ = stopping.send(true);
    // Whoever neither sends nor reads is dropped with the set.
    let all = async { while connections.join_next().await.is_some() {} };
    let _ = tokio::time::timeout(FAREWELL, all).await;
}

async fn serve_connection(stream: TcpStream, app: Router, mut stopped: watch::Receiver<bool>) {
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(UNREAD));
    let stream = TokioIo::new(Box::pin(stream));
    let mut server = http1::Builder::new();
    server.timer(TokioTimer::new()).header_read_timeout(HEAD);
    let connection = server.serve_connection(stream, TowerToHyperService::new(app));
    let mut connection = pin!(connection);
    tokio::select! {
        // A connection that breaks concerns nobody but its other end.
        _ = connection.as_mut() => return,
        _ = stopped.wait_for(|stopped| *stopped) => connection.as_mut().graceful_shutdown(),
    }
    let _ = connection.await;
}

/// Gives up on requests that take too long, such as those whose body never ends.
pub(crate) async fn bounded(request: Request, next: Next) -> Response {
    tokio::time::timeout(REQUEST, next.run(request)).await.unwrap_or_else(|_| {
        let why = "The request took too long to come or to be answered.";
        sorry(StatusCode::REQUEST_TIMEOUT, "Too late", why)
    })
}

#[cfg(test)]
mod tests {
    use axum::routing::{get, post};
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::time::Instant;

    use super::*;

    /// More than the buffers between two sockets hold.
    const LARGE: usize = 64 << 20;

    /// A connection to a server that takes bodies and gives a large answer.
    async fn connected() -> TcpStream {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let app = Router::new()
            .route("/", get(|| async { vec![b'x'; LARGE] }))
            .route("/form", post(|_body: String| async { "taken" }))
            .layer(axum::middleware::from_fn(bounded));
        tokio::spawn(serve_connections(listener, app, std::future::pending()));
        TcpStream::connect(address).await.unwrap()
    }

    /// What comes back for these bytes when nothing more is sent, and how long it took.
    async fn answer_to(sent: &str) -> (String, Duration) {
        let mut stream = connected().await;
        let begun = Instant::now();
        stream.write_all(sent.as_bytes()).await.unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        (answer, begun.elapsed())
    }

    #[tokio::test(start_paused = true)]
    async fn half_a_head_is_waited_for_no_longer_than_its_time() {
        let (answer, taken) = answer_to("GET / HTTP/1.1\r\nhost: a\r\n").await;
        assert_eq!(answer, "");
        assert!(taken >= HEAD && taken < HEAD * 2, "{taken:?}");
    }

    #[tokio::test(start_paused = true)]
    async fn half_a_body_is_answered_when_its_time_is_over() {
        let head = "POST /form HTTP/1.1\r\nhost: a\r\ncontent-length: 99\r\n\r\nhalf";
        let (answer, taken) = answer_to(head).await;
        assert!(answer.starts_with("HTTP/1.1 408 "), "{answer}");
        assert!(taken >= REQUEST && taken < REQUEST * 2, "{taken:?}");
    }

    #[tokio::test(start_paused = true)]
    async fn an_answer_that_nobody_reads_is_given_up() {
        let mut stream = connected().await;
        stream.write_all(b"GET / HTTP/1.1\r\nhost: a\r\n\r\n").await.unwrap();
        tokio::time::sleep(UNREAD * 2).await;
        let mut answer = Vec::new();
        // What was on its way comes, then the end or word that the connection was reset.
        let _ = stream.read_to_end(&mut answer).await;
        assert!(answer.len() < LARGE, "{} bytes came after a minute", answer.len());
    }
}
