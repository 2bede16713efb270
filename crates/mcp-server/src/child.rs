//! One command of `toolgauge` as a child process, bounded in time and in what it may print.

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::process::Command;

use crate::error::McpServerError;

/// The most bytes of an answer: about 6,000 tokens of an agent's context.
const MOST_BYTES: usize = 24_000;

/// How long a command may take.
const MOST_SECONDS: u64 = 900;

/// What a command printed, and whether it could do what it was asked for.
#[derive(Debug)]
pub(crate) struct Printed {
    pub(crate) text: String,
    pub(crate) is_error: bool,
}

/// Runs a command to its end. The process ends when the returned future is dropped.
pub(crate) async fn run(
    program: &Path,
    folder: &Path,
    arguments: &[String],
) -> Result<Printed, McpServerError> {
    let mut child = Command::new(program)
        .args(["--color", "never", "--quiet"])
        .args(arguments)
        .current_dir(folder)
        // Without a terminal the width comes from here; tables of 100 columns are cut less.
        .env("COLUMNS", "100")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .map_err(McpServerError::Program)?;
    let (out, err) = (child.stdout.take(), child.stderr.take());
    // Both are read at once: a child whose errors nobody reads would wait for ever.
    let finished = async { tokio::join!(read(out), read(err), child.wait()) };
    let limit = Duration::from_secs(MOST_SECONDS);
    let Ok((out, err, status)) = tokio::time::timeout(limit, finished).await else {
        return Err(McpServerError::Timeout(MOST_SECONDS));
    };
    let status = status.map_err(McpServerError::Program)?;
    // 1 is a gate that failed and 3 a run with unscored trials: both have results to read.
    let is_error = !matches!(status.code(), Some(0 | 1 | 3));
    let mut text = out?;
    let warnings = err?;
    if !warnings.is_empty() {
        text.push_str(if text.is_empty() { "" } else { "\n" });
        text.push_str(&warnings);
    }
    Ok(Printed { text: shortened(text), is_error })
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
