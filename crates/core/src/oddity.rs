//! What servers do that no protocol foresees.

use serde::{Deserialize, Serialize};

/// Something a server did that the protocol does not foresee; recorded, never fatal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Oddity {
    /// Arguments came as an object where the protocol has a string.
    ArgumentsAsObject,
    /// Arguments came as a string that holds JSON in a string.
    ArgumentsDoublyEncoded,
    /// Arguments came empty.
    ArgumentsEmpty,
    /// Arguments came twice in a row, as if two streams were glued together.
    ArgumentsRepeated,
    /// A call had no identifier.
    MissingCallId,
    /// Two calls had the same identifier.
    DuplicateCallId,
    /// More than one choice came back; the first was taken.
    SeveralChoices,
    /// No choice came back.
    NoChoice,
    /// The content came as a list of parts.
    ContentAsParts,
    /// Calls were found written in the text.
    CallsInText,
    /// The finish reason contradicts the message.
    FinishReasonContradicts,
    /// The finish reason is one that nobody knows.
    UnknownFinishReason,
    /// The stream ended without its closing marker.
    TruncatedStream,
    /// The body held bytes that are not UTF-8; they were replaced.
    InvalidUtf8,
    /// The content type does not fit the body.
    WrongContentType,
    /// A part of the stream was not JSON and was left out.
    UnreadableChunk,
    /// A tool the subject says it used has no name, and was left out.
    UnreadableTool,
    /// Another program's score is a word that means no number. It counts as 0.
    ScoreIsAWord,
    /// A real home sent the model another prompt than the simulator would.
    OtherPrompt,
    /// The states of a real home changed otherwise than the simulator says.
    OtherEffect,
    /// A call that was not recorded was answered as the nearest one that was.
    NearestReply,
}
