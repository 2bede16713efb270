//! What MCP servers said, as it was recorded.

use toolgauge_engine::server_check::{Recording, RecordingFiles, lint};

use crate::{parts, text};

/// The three files of a recording. One that can be read can be checked, and what is written of it
/// reads as the same calls.
pub(crate) fn recording(input: &[u8]) {
    let [tools, states, calls] = parts(input).map(|part| text(part).to_owned());
    let Ok(recording) = Recording::read(&RecordingFiles { tools, states, calls }) else { return };
    for problem in &lint(&recording) {
        assert!(!problem.message.is_empty() && !problem.place().is_empty());
    }
    let again = Recording::read(&recording.write()).expect("what is written can be read");
    assert_eq!(again.calls(), recording.calls());
}
