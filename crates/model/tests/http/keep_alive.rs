//! Connections that a server closes while the client is about to use them again.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use toolgauge_core::FailureKind;
use toolgauge_model::OpenAi;

use crate::support::{ask, briefing, settings};

const ANSWER: &str = "data: {\"choices\":[{\"delta\":{\"content\":\"on\"},\"finish_reason\":\"stop\"}]}\n\n\
     data: [DONE]\n\n";

/// A server that promises to keep a connection and closes it when it is used again, as if it had
/// been closed just before. It answers on so many connections, and then on none.
struct Closing {
    url: String,
    connections: Arc<AtomicUsize>,
}

impl Closing {
    fn start(answering: usize) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/v1", listener.local_addr().unwrap());
        let connections = Arc::new(AtomicUsize::new(0));
        let count = connections.clone();
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let answers = count.fetch_add(1, Ordering::SeqCst) < answering;
                thread::spawn(move || serve(stream, answers));
            }
        });
        Self { url, connections }
    }
}

fn serve(mut stream: TcpStream, answers: bool) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    read_request(&mut reader)?;
    if answers {
        let (head, length) =
            ("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n", ANSWER.len());
        write!(
            stream,
            "{head}Keep-Alive: timeout=5, max=100\r\nTransfer-Encoding: chunked\r\n\r\n"
        )?;
        write!(stream, "{length:x}\r\n{ANSWER}\r\n0\r\n\r\n")?;
        read_request(&mut reader)?;
    }
    Ok(())
}

fn read_request(reader: &mut impl BufRead) -> std::io::Result<()> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 || line == "\r\n" {
            break;
        }
        if let Some(told) = line.to_lowercase().strip_prefix("content-length:") {
            length = told.trim().parse().unwrap();
        }
    }
    reader.read_exact(&mut vec![0; length])
}

#[tokio::test]
async fn a_request_that_meets_a_closed_connection_is_sent_again_and_that_is_no_retry() {
    let server = Closing::start(usize::MAX);
    let subject = OpenAi::new(settings(&server.url, true)).unwrap();
    for _ in 0..3 {
        let reply = ask(&subject, &Arc::new(briefing(&["turn_on"]))).await.unwrap();
        assert_eq!((reply.message.content.as_str(), reply.turn.attempts), ("on", 1));
    }
    assert_eq!(server.connections.load(Ordering::SeqCst), 3);
}

#[tokio::test]
async fn a_server_that_only_hangs_up_is_asked_once_more_and_no_oftener() {
    let server = Closing::start(1);
    let subject = OpenAi::new(settings(&server.url, true)).unwrap();
    let briefing = Arc::new(briefing(&["turn_on"]));
    ask(&subject, &briefing).await.unwrap();
    let failure = ask(&subject, &briefing).await.unwrap_err();
    assert_eq!(failure.kind, FailureKind::Connection);
    assert!(failure.message.contains("broke before an answer came"), "{failure:?}");
    assert_eq!(server.connections.load(Ordering::SeqCst), 2);
}
