//! One command of `toolgauge` as a child process, bounded in time and in what it may print.

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::process::{Child, Command};

use crate::error::McpServerError;

/// The most bytes of an answer: about 6,000 tokens of an agent's context.
const MOST_BYTES: usize = 24_000;

/// How long a command may take until it is asked to stop.
pub(crate) const USUAL_LIMIT: Duration = Duration::from_mins(15);

/// How long it may then take to finish what it has begun, and to say what it has.
const GRACE: Duration = Duration::from_secs(30);

/// What a command printed, and whether it could do what it was asked for.
#[derive(Debug)]
pub(crate) struct Printed {
    pub(crate) text: String,
    pub(crate) is_error: bool,
}

/// Runs a command to its end, or until its time is over: then with what it has by then. The process
/// ends when the returned future is dropped.
pub(crate) async fn run(
    program: &Path,
    folder: &Path,
    arguments: &[String],
    limit: Duration,
) -> Result<Printed, McpServerError> {
    let mut child = Command::new(program)
        .args(["--color", "never", "--quiet"])
        .args(arguments)
        .current_dir(folder)
        // Without a terminal the width comes from here; tables of 100 columns are cut less.
        .env("COLUMNS", "100")
        // An agent can write suites: no folder is trusted on its behalf.
        .env("TOOLGAUGE_FOR_AGENT", "1")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .map_err(McpServerError::Program)?;
    let (out, err) = (child.stdout.take(), child.stderr.take());
    let watched = async {
        if let Ok(status) = tokio::time::timeout(limit, child.wait()).await {
            return Ok((status, false));
        }
        // A run that is asked to stop keeps its log and prints the summary of what was done.
        ask_to_stop(&mut child);
        tokio::time::timeout(GRACE, child.wait()).await.map(|status| (status, true))
    };
    // All at once: a child whose errors nobody reads would wait for ever.
    let reading = async { tokio::join!(read(out), read(err)) };
    let Ok(((status, is_cut), (out, err))) = tokio::try_join!(watched, async { Ok(reading.await) })
    else {
        return Err(McpServerError::Timeout(limit.as_secs()));
    };
    let status = status.map_err(McpServerError::Program)?;
    // 1 is a gate that failed and 3 a run with unscored trials: both have results to read.
    let is_error = is_cut || !matches!(status.code(), Some(0 | 1 | 3));
    let mut parts = vec![out?, err?];
    parts.retain(|part| !part.is_empty());
    let mut text = shortened(parts.join("\n"));
    if is_cut {
        let seconds = limit.as_secs();
        text = format!("{text}\n[stopped after {seconds} s: ask for fewer cases]\n");
    }
    Ok(Printed { text, is_error })
}

/// Asks a process to stop, as Ctrl-C would; where a system has no such message, ends it.
fn ask_to_stop(child: &mut Child) {
    #[cfg(unix)]
    if let Some(id) = child.id().and_then(|id| rustix::process::Pid::from_raw(id.cast_signed())) {
        // A process that ended meanwhile needs no message.
        let _ = rustix::process::kill_process(id, rustix::process::Signal::TERM);
    }
    #[cfg(not(unix))]
    let _ = child.start_kill();
}

/// What a pipe gives, up to a little more than is ever shown; the rest is read and dropped, so that
/// the child can end.
async fn read(pipe: Option<impl AsyncRead + Unpin>) -> Result<String, McpServerError> {
    let Some(mut pipe) = pipe else { return Ok(String::new()) };
    let mut bytes = Vec::new();
    let most = MOST_BYTES as u64 + 1;
    (&mut pipe).take(most).read_to_end(&mut bytes).await.map_err(McpServerError::Program)?;
    tokio::io::copy(&mut pipe, &mut tokio::io::sink()).await.map_err(McpServerError::Program)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// A text of at most [`MOST_BYTES`], cut at the end of a line, that says so if it was cut.
fn shortened(mut text: String) -> String {
    if text.len() <= MOST_BYTES {
        return text;
    }
    let end = text.floor_char_boundary(MOST_BYTES);
    let end = text[..end].rfind('\n').unwrap_or(end);
    text.truncate(end);
    text.push_str("\n[cut here: ask for fewer cases or a part of them]\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_answer_is_cut_at_a_line_and_says_so() {
        let long = "ä line\n".repeat(10_000);
        let cut = shortened(long);
        assert!(cut.len() < MOST_BYTES + 100);
        assert!(cut.contains("line\n[cut here"), "{}", &cut[cut.len() - 100..]);
        assert_eq!(shortened("short".to_owned()), "short");
    }
}
