//! A client that sends exactly what it is told to: hosts that lie, paths that climb.

use std::fmt::Write as _;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

/// An answer.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Answer {
    /// The value of a header.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| {
            let (key, value) = line.split_once(':')?;
            key.eq_ignore_ascii_case(name).then_some(value.trim())
        })
    }
}

/// Sends a request with these lines of a head, and a body.
pub(crate) fn send(to: SocketAddr, line: &str, headers: &[(&str, &str)], body: &str) -> Answer {
    let mut stream = TcpStream::connect(to).unwrap();
    stream.set_read_timeout(Some(Duration::from_mins(3))).unwrap();
    let mut head = format!("{line} HTTP/1.1\r\nconnection: close\r\n");
    for (name, value) in headers {
        write!(head, "{name}: {value}\r\n").unwrap();
    }
    if !body.is_empty() {
        write!(head, "content-length: {}\r\n", body.len()).unwrap();
    }
    stream.write_all(format!("{head}\r\n{body}").as_bytes()).unwrap();
    let text = String::from_utf8(whole(&mut stream)).unwrap();
    let (head, body) = text.split_once("\r\n\r\n").unwrap();
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap();
    Answer { status, head: head.to_owned(), body: body.to_owned() }
}

/// All bytes of an answer. Not every server closes the connection when it is asked to.
fn whole(stream: &mut TcpStream) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut piece = [0; 8_192];
    loop {
        let count = stream.read(&mut piece).unwrap();
        bytes.extend_from_slice(&piece[..count]);
        if count == 0 || wanted(&bytes).is_some_and(|wanted| bytes.len() >= wanted) {
            return bytes;
        }
    }
}

/// How long an answer will be, once its head says so.
fn wanted(bytes: &[u8]) -> Option<usize> {
    let head = bytes.windows(4).position(|part| part == b"\r\n\r\n")?;
    let text = String::from_utf8_lossy(&bytes[..head]).to_lowercase();
    let length = text.lines().find_map(|line| line.strip_prefix("content-length:"))?;
    Some(head + 4 + length.trim().parse::<usize>().ok()?)
}

/// Everything that a server sends for a page, as it comes.
pub(crate) fn bytes(to: SocketAddr, path: &str, host: &str) -> Vec<u8> {
    let mut stream = TcpStream::connect(to).unwrap();
    stream.set_read_timeout(Some(Duration::from_mins(3))).unwrap();
    let head = format!("GET {path} HTTP/1.1\r\nconnection: close\r\nhost: {host}\r\n\r\n");
    stream.write_all(head.as_bytes()).unwrap();
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).unwrap();
    bytes
}
