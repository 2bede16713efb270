//! Accepts connections and answers them until it is told to stop.

use std::future::Future;
use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use toolgauge_core::Subject;

use crate::chatbot::Chatbot;
use crate::counts::ServedCounts;
use crate::plan::FaultPlan;
use crate::responder::{ConnectionOutcome, Responder};

/// How long to wait before accepting again after the system ran out of something.
const BREATHER: Duration = Duration::from_millis(20);

/// Serves a subject until `shutdown` completes, and says what was done.
///
/// Connections that are open then are closed at once, those with a request in hand included:
/// whoever waits for a server that hangs on purpose would wait for long.
pub async fn serve(
    listener: TcpListener,
    subject: Arc<dyn Subject>,
    plan: FaultPlan,
    shutdown: impl Future<Output = ()>,
) -> ServedCounts {
    serve_with(listener, Responder::new(subject, plan), shutdown).await
}

/// Serves a chatbot at `/chat` until `shutdown` completes, and the subject behind it as well.
pub async fn serve_chatbot(
    listener: TcpListener,
    chatbot: Chatbot,
    plan: FaultPlan,
    shutdown: impl Future<Output = ()>,
) -> ServedCounts {
    serve_with(listener, Responder::with_chatbot(chatbot, plan), shutdown).await
}

async fn serve_with(
    listener: TcpListener,
    responder: Responder,
    shutdown: impl Future<Output = ()>,
) -> ServedCounts {
    let responder = Arc::new(responder);
    let mut connections = JoinSet::new();
    let mut shutdown = pin!(shutdown);
    loop {
        tokio::select! {
            () = &mut shutdown => break,
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => drop(connections.spawn(converse(stream, Arc::clone(&responder)))),
                // Out of file handles, or a client that was gone before it was accepted.
                Err(_) => tokio::time::sleep(BREATHER).await,
            },
            Some(_) = connections.join_next() => {}
        }
    }
    connections.shutdown().await;
    responder.counters().counts()
}

/// Answers the requests of one connection.
async fn converse(stream: TcpStream, responder: Arc<Responder>) {
    // Small answers must not wait for an acknowledgement of the one before.
    let _ = stream.set_nodelay(true);
    let reset = AtomicBool::new(false);
    let service = service_fn(|request| {
        let (responder, reset) = (&responder, &reset);
        Box::pin(async move {
            match responder.handle(request).await? {
                ConnectionOutcome::Answer(response) => Ok(response),
                ConnectionOutcome::AnswerAndReset(response) => {
                    reset.store(true, Ordering::Relaxed);
                    Ok(response)
                }
                ConnectionOutcome::Reset => {
                    reset.store(true, Ordering::Relaxed);
                    Err(io::Error::from(io::ErrorKind::ConnectionReset))
                }
                ConnectionOutcome::Close => Err(io::Error::from(io::ErrorKind::ConnectionAborted)),
            }
        })
    });
    let mut connection = http1::Builder::new().serve_connection(TokioIo::new(stream), service);
    // Without hyper's own farewell, so that a reset can still be one.
    let ended = std::future::poll_fn(|context| connection.poll_without_shutdown(context)).await;
    let stream = connection.into_parts().io.into_inner();
    if ended.is_err() && reset.load(Ordering::Relaxed) {
        // Closing without lingering sends a reset in place of the usual farewell.
        let _ = stream.set_zero_linger();
    }
}
