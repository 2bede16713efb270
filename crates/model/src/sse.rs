//! Server-sent events: bytes in, events out, however the bytes are cut.
//!
//! Written here because an evaluation must not lose what the usual decoders drop: an event at
//! the end without its blank line, `error:` lines, a bare JSON error in place of a stream, and
//! everything after one byte that is not UTF-8.

use std::time::Duration;

use memchr::memchr2;
use tokio::time::Instant;

/// One thing a stream said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SsePiece<'a> {
    /// An event: its name (empty for the usual kind) and its data.
    Event {
        name: &'a str,
        /// The data, its lines joined.
        data: &'a str,
    },
    /// A line that starts with `error:`, which no standard knows and several servers send.
    Error(&'a str),
    /// What is no field of an event at all, all of it together, told at the end.
    Stray(&'a str),
}

/// Takes a stream apart.
#[derive(Clone, Debug, Default)]
pub(crate) struct Decoder {
    line: Vec<u8>,
    after_carriage_return: bool,
    past_first_line: bool,
    name: String,
    data: String,
    has_data: bool,
    stray: String,
}

impl Decoder {
    /// Takes in the next bytes and tells what they complete.
    pub(crate) fn push(&mut self, mut bytes: &[u8], tell: &mut dyn FnMut(SsePiece<'_>)) {
        while !bytes.is_empty() {
            // A line may end in CR, LF or both, and the two may come in different chunks.
            if std::mem::take(&mut self.after_carriage_return) && bytes[0] == b'\n' {
                bytes = &bytes[1..];
                continue;
            }
            let Some(end) = memchr2(b'\n', b'\r', bytes) else {
                self.line.extend_from_slice(bytes);
                return;
            };
            self.after_carriage_return = bytes[end] == b'\r';
            // Nearly every line comes whole, and is then read where it lies without a copy.
            if self.line.is_empty() {
                self.take_line(&bytes[..end], tell);
            } else {
                let mut line = std::mem::take(&mut self.line);
                line.extend_from_slice(&bytes[..end]);
                self.take_line(&line, tell);
                // The room is kept: a stream that is cut into many chunks needs it for each line.
                line.clear();
                self.line = line;
            }
            bytes = &bytes[end + 1..];
        }
    }

    /// Whether an event has begun that is not whole yet.
    pub(crate) fn is_within_event(&self) -> bool {
        self.has_data || !self.line.is_empty()
    }

    /// Tells what is left when no more bytes come: a last line without its end, a last event
    /// without its blank line, and whatever was no event.
    pub(crate) fn finish(&mut self, tell: &mut dyn FnMut(SsePiece<'_>)) {
        let line = std::mem::take(&mut self.line);
        if !line.is_empty() {
            self.take_line(&line, tell);
        }
        self.dispatch(tell);
        let stray = std::mem::take(&mut self.stray);
        if !stray.is_empty() {
            tell(SsePiece::Stray(stray.trim_end()));
        }
    }

    fn take_line(&mut self, line: &[u8], tell: &mut dyn FnMut(SsePiece<'_>)) {
        let first = !std::mem::replace(&mut self.past_first_line, true);
        let line = if first { line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line) } else { line };
        if line.is_empty() {
            return self.dispatch(tell);
        }
        // Line by line, so that one byte which is not UTF-8 costs a letter and not the stream.
        let text = String::from_utf8_lossy(line);
        let (field, value) = text.split_once(':').unwrap_or((&text, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            // Comments keep a connection open, and nobody reconnects here.
            "" | "id" | "retry" => {}
            "data" => {
                if std::mem::replace(&mut self.has_data, true) {
                    self.data.push('\n');
                }
                self.data.push_str(value);
            }
            "event" => value.clone_into(&mut self.name),
            "error" => tell(SsePiece::Error(value)),
            _ => {
                // A server that fails before it streams may send a JSON error, which is told as a
                // whole.
                self.stray.push_str(&text);
                self.stray.push('\n');
            }
        }
    }

    fn dispatch(&mut self, tell: &mut dyn FnMut(SsePiece<'_>)) {
        // An event without data is none by the standard; one with empty data is.
        if std::mem::take(&mut self.has_data) {
            tell(SsePiece::Event { name: &self.name, data: &self.data });
        }
        self.name.clear();
        self.data.clear();
    }
}

/// What an event means for the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StreamMark {
    Nothing,
    /// A piece of the answer.
    Token,
    /// The end of the answer.
    End,
}

/// Watches a stream go by for the moment its first token comes and the moment it is done.
#[derive(Debug)]
pub(crate) struct FirstToken {
    decoder: Decoder,
    judge: fn(&str, &str, bool) -> StreamMark,
    first: Option<Duration>,
    done: Option<Duration>,
}

impl FirstToken {
    /// A watch that knows the events of one protocol. `judge` is given an event's name, its
    /// data, and whether a token was seen before (so that it need not look for one).
    pub(crate) fn new(judge: fn(&str, &str, bool) -> StreamMark) -> Self {
        Self { decoder: Decoder::default(), judge, first: None, done: None }
    }

    /// Sees the next bytes of an answer to a request that was sent then.
    pub(crate) fn see(&mut self, bytes: &[u8], sent: Instant) {
        let (judge, mut first, mut done) = (self.judge, self.first, self.done);
        self.decoder.push(bytes, &mut |piece| {
            let SsePiece::Event { name, data } = piece else { return };
            match judge(name, data, first.is_some()) {
                StreamMark::Nothing => {}
                StreamMark::Token => first = first.or_else(|| Some(sent.elapsed())),
                StreamMark::End => done = done.or_else(|| Some(sent.elapsed())),
            }
        });
        (self.first, self.done) = (first, done);
    }

    /// How long after the request the first token came.
    pub(crate) fn first_after(&self) -> Option<Duration> {
        self.first
    }

    /// Whether the server is past reading the prompt: a token came, or an event is half sent.
    pub(crate) fn has_begun(&self) -> bool {
        self.first.is_some() || self.decoder.is_within_event()
    }

    /// How long after the request the stream said it was done.
    pub(crate) fn done_after(&self) -> Option<Duration> {
        self.done
    }
}

/// What a stream that comes in these chunks tells, piece by piece.
pub(crate) fn decode(chunks: &[&[u8]]) -> Vec<String> {
    let mut told = Vec::new();
    let mut tell = |piece: SsePiece<'_>| told.push(format!("{piece:?}"));
    let mut decoder = Decoder::default();
    for chunk in chunks {
        decoder.push(chunk, &mut tell);
    }
    decoder.finish(&mut tell);
    told
}

#[cfg(test)]
mod tests {
    use super::*;

    fn data(data: &str) -> String {
        format!("{:?}", SsePiece::Event { name: "", data })
    }

    #[test]
    fn events_are_told_whatever_ends_their_lines() {
        for text in
            ["data: a\n\ndata: b\n\n", "data:a\r\n\r\ndata: b\r\n\r\n", "data: a\r\rdata: b\r\r"]
        {
            assert_eq!(decode(&[text.as_bytes()]), [data("a"), data("b")], "{text:?}");
        }
    }

    #[test]
    fn comments_identifiers_and_empty_events_say_nothing() {
        assert_eq!(
            decode(&[b": ping\nid: 3\nretry: 10\n\n\n\nevent: x\n\ndata: a\n\n"]),
            [data("a")]
        );
    }

    #[test]
    fn lines_of_data_are_joined() {
        assert_eq!(decode(&[b"data: a\ndata\ndata:  b\n\n"]), [data("a\n\n b")]);
    }

    #[test]
    fn names_belong_to_one_event_only() {
        let named = format!("{:?}", SsePiece::Event { name: "ping", data: "a" });
        assert_eq!(decode(&[b"event: ping\ndata: a\n\ndata: b\n\n"]), [named, data("b")]);
    }

    #[test]
    fn a_byte_order_mark_is_no_part_of_the_first_line() {
        assert_eq!(decode(&[b"\xEF\xBB\xBFdata: a\n\n"]), [data("a")]);
        assert_eq!(decode(&[b"\xEF", b"\xBB", b"\xBF", b"data: a\n\n"]), [data("a")]);
    }

    #[test]
    fn the_last_event_is_told_without_its_blank_line() {
        assert_eq!(decode(&[b"data: a\n\ndata: b"]), [data("a"), data("b")]);
        assert_eq!(decode(&[b"data: a\n"]), [data("a")]);
    }

    #[test]
    fn error_lines_and_bare_bodies_are_not_lost() {
        let told = decode(&[b"error: {\"code\":500}\n\n"]);
        assert_eq!(told, [format!("{:?}", SsePiece::Error(r#"{"code":500}"#))]);
        let told = decode(&[b"{\"error\":\n {\"code\":500}}\n"]);
        assert_eq!(told, [format!("{:?}", SsePiece::Stray("{\"error\":\n {\"code\":500}}"))]);
    }

    #[test]
    fn a_byte_that_is_not_utf8_is_replaced_and_the_stream_goes_on() {
        let mut decoder = Decoder::default();
        let mut told = Vec::new();
        decoder.push(b"data: a\xFFb\n\ndata: c\n\n", &mut |piece| told.push(format!("{piece:?}")));
        assert_eq!(told, [data("a\u{FFFD}b"), data("c")]);
    }

    #[test]
    fn a_recorded_stream_reads_the_same_wherever_it_is_cut() {
        let file = include_str!("../tests/fixtures/llama/fc-qwen1.5b-d-stream-auto.json");
        let recording: serde_json::Value = serde_json::from_str(file).unwrap();
        let body = recording["body"].as_str().unwrap().as_bytes();
        // The beginning is enough: every kind of line comes in it.
        let body = &body[..4000];
        let whole = decode(&[body]);
        assert!(whole.len() > 10);
        for at in 0..body.len() {
            let (head, tail) = body.split_at(at);
            assert_eq!(decode(&[head, tail]), whole, "cut at {at}");
        }
    }

    #[test]
    fn a_cut_at_any_byte_changes_nothing() {
        let text =
            "\u{FEFF}: hi\r\nevent: é\r\ndata: {\"a\": \"ü\"}\r\n\r\ndata: b\rdata: c\n\nstray\n";
        let whole = decode(&[text.as_bytes()]);
        for first in 0..text.len() {
            for second in first..text.len() {
                let (head, tail) = text.as_bytes().split_at(second);
                let (head, middle) = head.split_at(first);
                assert_eq!(decode(&[head, middle, tail]), whole, "cut at {first} and {second}");
            }
        }
    }
}
