//! What a server writes, line by line, within limits.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWriteExt, BufReader};

/// How long one line may be.
const LONGEST_LINE: usize = 4 << 20;
/// How much may be written during one call.
const MOST_PER_CALL: usize = 32 << 20;
/// How much of what a server complains about is kept.
const COMPLAINT: usize = 4096;

/// What was seen of a server beside its answers.
#[derive(Debug, Default)]
pub(super) struct Observed {
    /// Whether it says that its tools changed.
    pub(super) tools_changed: AtomicBool,
    /// Whether it is being waited for.
    is_asked: AtomicBool,
    written: AtomicUsize,
    fault: Mutex<Option<String>>,
    complaint: Mutex<Vec<u8>>,
}

impl Observed {
    /// Notes that an answer is being waited for, or no longer.
    pub(super) fn asked(&self, is_asked: bool) {
        self.written.store(0, Ordering::Relaxed);
        self.is_asked.store(is_asked, Ordering::Relaxed);
    }

    /// What it did that ended the connection.
    pub(super) fn fault(&self) -> Option<String> {
        self.fault.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn set_fault(&self, why: String) {
        *self.fault.lock().unwrap_or_else(PoisonError::into_inner) = Some(why);
    }

    /// The last line of what it complained about.
    pub(super) fn last_words(&self) -> Option<String> {
        let complaint = self.complaint.lock().unwrap_or_else(PoisonError::into_inner);
        let text = String::from_utf8_lossy(&complaint);
        let last = text.lines().rev().find(|line| !line.trim().is_empty())?;
        Some(last.trim().chars().take(300).collect())
    }
}

/// Passes on the lines of a server that are messages. What is none is passed over between calls,
/// as a banner is, and ends the connection during one: nobody knows what it answers.
pub(super) async fn pass_on(
    from: impl AsyncRead + Unpin,
    mut to: impl tokio::io::AsyncWrite + Unpin,
    observed: Arc<Observed>,
) {
    let mut from = BufReader::new(from);
    let mut line = Vec::new();
    loop {
        line.clear();
        let mut limited = (&mut from).take(LONGEST_LINE as u64 + 1);
        match limited.read_until(b'\n', &mut line).await {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        let written = observed.written.fetch_add(line.len(), Ordering::Relaxed) + line.len();
        if line.len() > LONGEST_LINE || written > MOST_PER_CALL {
            let most = (if line.len() > LONGEST_LINE { LONGEST_LINE } else { MOST_PER_CALL }) >> 20;
            return observed.set_fault(format!("wrote more than {most} MB"));
        }
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        if !is_message(&line) {
            if observed.is_asked.load(Ordering::Relaxed) {
                let text = String::from_utf8_lossy(&line);
                let start: String = text.trim().chars().take(80).collect();
                return observed.set_fault(format!("wrote what is no message: {start}"));
            }
            continue;
        }
        if to.write_all(&line).await.is_err() {
            return;
        }
    }
}

fn is_message(line: &[u8]) -> bool {
    let value = serde_json::from_slice::<Value>(line).ok();
    value.is_some_and(|value| value.get("jsonrpc") == Some(&Value::from("2.0")))
}

/// Keeps the end of what a server complains about, so that it is never made to wait.
pub(super) async fn keep_complaints(mut from: impl AsyncRead + Unpin, observed: Arc<Observed>) {
    let mut buffer = [0; 4096];
    while let Ok(read) = from.read(&mut buffer).await {
        if read == 0 {
            return;
        }
        let mut kept = observed.complaint.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend_from_slice(&buffer[..read]);
        let too_many = kept.len().saturating_sub(COMPLAINT);
        kept.drain(..too_many);
    }
}
