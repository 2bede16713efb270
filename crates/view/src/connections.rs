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

use crate::layout::sorry;

/// How long the head of a request may take to come; a connection that is idle ends after it, too.
const HEAD: Duration = Duration::from_secs(20);

/// How long a request may take, its body included.
const REQUEST: Duration = Duration::from_secs(30);

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
    let mut server = http1::Builder::new();
    server.timer(TokioTimer::new()).header_read_timeout(HEAD);
    let connection = server.serve_connection(TokioIo::new(stream), TowerToHyperService::new(app));
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
