//! Reads a trial from the first parts of a sample in the very form in which toolgauge writes them,
//! in less than half of the time that it takes to read any JSON into records.
//!
//! What is asked for is not which key stands there, but whether the one does that must come next.
//! Whatever is otherwise ends the reading: older logs, those that others changed, and trials of
//! several turns. The caller then reads the sample as any JSON, which is right for all of them.

use std::borrow::Cow;
use std::time::Duration;

use jiff::Timestamp;
use serde::Deserialize;
use serde::de::value::{Error, StrDeserializer};
use toolgauge_core::{Timings, Verdict};

use super::lenient::{LentName, OWN_RECORD};
use super::message::ChatMessageRecord;
use super::own::InputRecord;
use super::record::{ShownBackground, TurnRecord, UsageRecord, insert_unscored};
use crate::message_record::is_plain_object;
use crate::trial_record::{NamedRecords, ScoredRecord};
use crate::{AssistantRecord, CallRecord, MessageRecord, OutcomeRecord, TrialRecord};

/// The trial in the first parts of a sample.
pub(crate) fn read_written(text: &str) -> Option<TrialRecord<'_>> {
    Written { rest: text }.sample()
}

/// As deep as `serde_json` goes.
const DEEPEST: usize = 128;

/// What is left of a text.
struct Written<'a> {
    rest: &'a str,
}

impl<'a> Written<'a> {
    fn sample(&mut self) -> Option<TrialRecord<'a>> {
        self.next("{\"id\":")?;
        let case = self.text()?;
        self.next(",\"epoch\":")?;
        let number = self.count()?;
        self.next(",\"uuid\":")?;
        self.text()?;
        self.next(",\"input\":")?;
        let input = self.input()?;
        self.next(",\"output\":")?;
        let messages = self.output()?;
        self.next(",\"metadata\":")?;
        let mut tags = NamedRecords::default();
        let mut own = None;
        self.entries(|it, name| {
            if name == OWN_RECORD {
                own = Some(it.extras()?);
            } else {
                tags.insert(name, it.text()?);
            }
            Some(())
        })?;
        let own = own?;
        if let Some(tag) = own.tag {
            tags.insert(OWN_RECORD.into(), tag);
        }
        self.next(",\"scores\":")?;
        let mut outcomes = self.outcomes()?;
        insert_unscored(&mut outcomes, own.unscored, |reason| {
            OutcomeRecord::Unscored(Cow::Owned(reason))
        });
        Some(TrialRecord {
            case,
            number,
            input,
            tags,
            group: own.group,
            started: own.started,
            ended: own.ended,
            messages,
            turns: own.turns,
            failure: own.failure,
            tool_times: own.background.tool_times,
            outcomes,
        })
    }

    fn input(&mut self) -> Option<Vec<MessageRecord<'a>>> {
        if self.rest.starts_with('"') {
            return Some(vec![MessageRecord::User { content: self.text()? }]);
        }
        Some(self.json::<InputRecord<'_>>()?.into_records())
    }

    /// What the subject said: one message, or none.
    fn output(&mut self) -> Option<Vec<MessageRecord<'a>>> {
        self.next("{\"model\":")?;
        self.text()?;
        self.next(",\"choices\":[")?;
        let mut messages = Vec::new();
        if !self.is_next("]") {
            self.next("{\"message\":")?;
            let before = self.rest;
            messages.push(self.said().or_else(|| {
                self.rest = before;
                Some(self.json::<ChatMessageRecord<'_>>()?.by_subject().into_record())
            })?);
            self.next(",\"stop_reason\":")?;
            self.text()?;
            self.next("}]")?;
        }
        if self.is_next(",\"usage\":") {
            self.value()?;
        }
        if self.is_next(",\"time\":") {
            self.number()?;
        }
        self.next("}")?;
        Some(messages)
    }

    /// A message whose calls are all as they should be, without reasoning.
    fn said(&mut self) -> Option<MessageRecord<'a>> {
        self.next("{\"role\":\"assistant\",\"content\":")?;
        let content = self.text()?;
        self.next(",\"source\":\"generate\",\"model\":")?;
        self.text()?;
        let mut calls = Vec::new();
        if self.is_next(",\"tool_calls\":") {
            self.items(|it| {
                it.next("{\"id\":")?;
                let id = Some(it.text()?).filter(|id| !id.is_empty());
                it.next(",\"function\":")?;
                let name = it.text()?;
                it.next(",\"arguments\":")?;
                let arguments = it.value().filter(|json| is_plain_object(json))?;
                it.next(",\"type\":\"function\"}")?;
                calls.push(CallRecord::plain(id, name, arguments));
                Some(())
            })?;
        }
        self.next("}")?;
        Some(MessageRecord::Assistant(AssistantRecord { content, reasoning: None, calls }))
    }

    /// toolgauge's own record, as far as tables show it.
    fn extras(&mut self) -> Option<Extras<'a>> {
        self.next("{\"started\":")?;
        let started = self.time()?;
        self.next(",\"ended\":")?;
        let ended = self.time()?;
        self.next(",\"said\":\"output\"")?;
        let mut own = Extras {
            started,
            ended,
            group: None,
            turns: Vec::new(),
            failure: None,
            background: ShownBackground::default(),
            tag: None,
            unscored: Vec::new(),
        };
        while self.is_next(",") {
            let key = self.text()?;
            self.next(":")?;
            match &*key {
                "group" => own.group = Some(self.text()?),
                "turns" => self.items(|it| {
                    own.turns.push(it.turn()?);
                    Some(())
                })?,
                "failure" => own.failure = Some(self.json()?),
                "background" => own.background = self.json()?,
                "tag" => own.tag = Some(self.text()?),
                "unscored" => own.unscored = self.json()?,
                _ => drop(self.value()?),
            }
        }
        self.next("}")?;
        Some(own)
    }

    fn turn(&mut self) -> Option<TurnRecord<'a>> {
        let mut turn = TurnRecord::default();
        self.next("{")?;
        if self.is_next("\"model\":") {
            turn.model = Some(LentName(self.text()?));
            self.next(",")?;
        }
        if self.is_next("\"address\":") {
            turn.address = Some(LentName(self.text()?));
            self.next(",")?;
        }
        self.next("\"timings\":{\"queued\":")?;
        turn.timings = self.timings()?;
        if self.is_next(",\"server\":") {
            turn.server = self.json()?;
        }
        self.next(",\"usage\":")?;
        turn.usage = self.usage()?;
        self.next(",\"stop\":")?;
        turn.stop = self.named()?;
        self.next(",\"attempts\":")?;
        turn.attempts = self.count()?;
        if self.is_next(",\"repeated\":") {
            turn.repeated = self.json()?;
        }
        if self.is_next(",\"oddities\":") {
            turn.oddities = self.json()?;
        }
        if self.is_next(",\"request\":") {
            turn.request = self.named()?;
        }
        if self.is_next(",\"response\":") {
            turn.response = self.named()?;
        }
        self.next("}")?;
        Some(turn)
    }

    fn usage(&mut self) -> Option<UsageRecord> {
        let mut usage = UsageRecord::default();
        self.entries(|it, key| {
            let count = Some(it.digits()?.parse().ok()?);
            match &*key {
                "input" => usage.input = count,
                "output" => usage.output = count,
                "cached" => usage.cached = count,
                "reasoning" => usage.reasoning = count,
                _ => return None,
            }
            Some(())
        })?;
        Some(usage)
    }

    /// The times of a turn, from the first one on.
    fn timings(&mut self) -> Option<Timings> {
        let queued = self.seconds()?;
        let mut optional = |key: &str| {
            if self.is_next(key) { self.seconds().map(Some) } else { Some(None) }
        };
        let first_token = optional(",\"first_token\":")?;
        let total = optional(",\"total\":")??;
        let first_word = optional(",\"first_word\":")?;
        let last_act = optional(",\"last_act\":")?;
        let cold_prompt = optional(",\"cold_prompt\":")?;
        self.next("}")?;
        Some(Timings { queued, first_token, total, first_word, last_act, cold_prompt })
    }

    fn outcomes(&mut self) -> Option<NamedRecords<'a, OutcomeRecord<'a>>> {
        let mut outcomes = NamedRecords::default();
        self.entries(|it, scorer| {
            it.next("{\"value\":")?;
            // A dimension has a score of its own, which is a letter.
            if it.rest.starts_with('"') {
                it.verdict()?;
                return it.next("}");
            }
            outcomes.insert(scorer, OutcomeRecord::Scored(it.score()?));
            Some(())
        })?;
        Some(outcomes)
    }

    /// A score from its value on.
    fn score(&mut self) -> Option<ScoredRecord<'a>> {
        let value = self.number()?;
        if self.is_next(",\"answer\":") {
            self.value()?;
        }
        let explained = self.is_next(",\"explanation\":");
        let explanation = if explained { self.text()? } else { Cow::default() };
        let (mut dimensions, mut losses) = (Vec::new(), Vec::new());
        self.next(",\"metadata\":{\"toolgauge\":")?;
        self.entries(|it, key| {
            match &*key {
                "dimensions" => {
                    // Room for what most scorers judge on its own.
                    dimensions.reserve(8);
                    it.entries(|it, name| {
                        let name = StrDeserializer::<Error>::new(&name);
                        dimensions.push((Deserialize::deserialize(name).ok()?, it.verdict()?));
                        Some(())
                    })?;
                }
                "losses" => losses = it.json()?,
                _ => drop(it.value()?),
            }
            Some(())
        })?;
        self.next("}}")?;
        Some(ScoredRecord { value, dimensions, losses: losses.into(), explanation })
    }

    /// Goes through an object, of whose entries the name is read already.
    fn entries(
        &mut self,
        mut read: impl FnMut(&mut Self, Cow<'a, str>) -> Option<()>,
    ) -> Option<()> {
        self.next("{")?;
        if self.is_next("}") {
            return Some(());
        }
        loop {
            let name = self.text()?;
            self.next(":")?;
            read(self, name)?;
            if self.is_next("}") {
                return Some(());
            }
            self.next(",")?;
        }
    }

    /// Goes through a list.
    fn items(&mut self, mut read: impl FnMut(&mut Self) -> Option<()>) -> Option<()> {
        self.next("[")?;
        if self.is_next("]") {
            return Some(());
        }
        loop {
            read(self)?;
            if self.is_next("]") {
                return Some(());
            }
            self.next(",")?;
        }
    }

    #[expect(clippy::inline_always, reason = "a text that is known takes a few comparisons")]
    #[inline(always)]
    fn next(&mut self, expected: &str) -> Option<()> {
        self.rest = self.rest.strip_prefix(expected)?;
        Some(())
    }

    #[expect(clippy::inline_always, reason = "a text that is known takes a few comparisons")]
    #[inline(always)]
    fn is_next(&mut self, expected: &str) -> bool {
        self.next(expected).is_some()
    }

    fn text(&mut self) -> Option<Cow<'a, str>> {
        let text = self.rest.strip_prefix('"')?;
        let length = until_special(text.as_bytes());
        if text.as_bytes().get(length)? == &b'"' {
            self.rest = &text[length + 1..];
            return Some(Cow::Borrowed(&text[..length]));
        }
        self.json().map(Cow::Owned)
    }

    fn count(&mut self) -> Option<u32> {
        self.digits()?.parse().ok()
    }

    fn number(&mut self) -> Option<f64> {
        self.digits()?.parse().ok().filter(|number: &f64| number.is_finite())
    }

    fn seconds(&mut self) -> Option<Duration> {
        Duration::try_from_secs_f64(self.number()?).ok()
    }

    fn time(&mut self) -> Option<Timestamp> {
        self.text()?.parse().ok()
    }

    /// The letter of a verdict.
    fn verdict(&mut self) -> Option<Verdict> {
        let all = [Verdict::Correct, Verdict::Incorrect, Verdict::NotApplicable];
        let letter = self.rest.strip_prefix('"')?;
        let verdict = all.into_iter().find(|verdict| letter.starts_with(verdict.letter()))?;
        self.rest = letter[1..].strip_prefix('"')?;
        Some(verdict)
    }

    /// One of several things that have names.
    fn named<T: Deserialize<'a>>(&mut self) -> Option<T> {
        T::deserialize(StrDeserializer::<Error>::new(&self.text()?)).ok()
    }

    /// Something that is rare, or written by others.
    fn json<T: Deserialize<'a>>(&mut self) -> Option<T> {
        serde_json::from_str(self.value()?).ok()
    }

    /// Any value as it stands there.
    fn value(&mut self) -> Option<&'a str> {
        let before = self.rest;
        self.pass(DEEPEST)?;
        Some(&before[..before.len() - self.rest.len()])
    }

    /// Passes over a value in which others are so deep at most.
    fn pass(&mut self, deepest: usize) -> Option<()> {
        let deeper = deepest.checked_sub(1)?;
        match self.rest.as_bytes().first()? {
            b'"' => self.pass_text(),
            b'[' => self.items(|it| it.pass(deeper)),
            b'{' => {
                self.next("{")?;
                let mut more = !self.is_next("}");
                while more {
                    self.pass_text()?;
                    self.next(":")?;
                    self.pass(deeper)?;
                    more = self.is_next(",");
                    if !more {
                        self.next("}")?;
                    }
                }
                Some(())
            }
            b't' => self.next("true"),
            b'f' => self.next("false"),
            b'n' => self.next("null"),
            _ => self.digits().map(drop),
        }
    }

    fn pass_text(&mut self) -> Option<()> {
        self.next("\"")?;
        loop {
            self.rest = &self.rest[until_special(self.rest.as_bytes())..];
            if self.is_next("\"") {
                return Some(());
            }
            let escaped = match self.rest.as_bytes() {
                [b'\\', b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't', ..] => 2,
                [b'\\', b'u', a, b, c, d, ..]
                    if [a, b, c, d].iter().all(|digit| digit.is_ascii_hexdigit()) =>
                {
                    6
                }
                _ => return None,
            };
            self.rest = &self.rest[escaped..];
        }
    }

    /// A number as it stands there.
    fn digits(&mut self) -> Option<&'a str> {
        fn some_digits(text: &mut &str) -> Option<()> {
            let rest = text.trim_start_matches(|letter: char| letter.is_ascii_digit());
            let some = rest.len() < text.len();
            *text = rest;
            some.then_some(())
        }
        let before = self.rest;
        self.is_next("-");
        // No other digit follows a zero at the beginning.
        if !self.is_next("0") {
            some_digits(&mut self.rest)?;
        }
        if self.is_next(".") {
            some_digits(&mut self.rest)?;
        }
        if self.is_next("e") || self.is_next("E") {
            let _ = self.is_next("-") || self.is_next("+");
            some_digits(&mut self.rest)?;
        }
        Some(&before[..before.len() - self.rest.len()])
    }
}

/// `sample.metadata.toolgauge`, as far as tables show it.
struct Extras<'a> {
    started: Timestamp,
    ended: Timestamp,
    group: Option<Cow<'a, str>>,
    turns: Vec<TurnRecord<'a>>,
    failure: Option<toolgauge_core::TrialFailure>,
    background: ShownBackground,
    tag: Option<Cow<'a, str>>,
    unscored: Vec<super::record::UnscoredRecord>,
}

/// How many bytes come before the first that is not simply part of a text in JSON: a quote, a
/// backslash or a control character. Eight are looked at together.
fn until_special(bytes: &[u8]) -> usize {
    const ONES: u64 = u64::MAX / 255;
    // The highest bit is set in each byte below the limit, and perhaps in some above the first.
    let below = |word: u64, limit: u64| word.wrapping_sub(ONES * limit) & !word;
    let (words, rest) = bytes.as_chunks::<8>();
    for (nth, word) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*word);
        let quote = below(word ^ (ONES * u64::from(b'"')), 1);
        let backslash = below(word ^ (ONES * u64::from(b'\\')), 1);
        let special = (quote | backslash | below(word, 0x20)) & (ONES << 7);
        if special != 0 {
            return 8 * nth + special.trailing_zeros() as usize / 8;
        }
    }
    let is_special = |byte: &u8| matches!(byte, b'"' | b'\\' | ..0x20);
    8 * words.len() + rest.iter().position(is_special).unwrap_or(rest.len())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::archive::{FIRST_PARTS, Unpacker};
    use crate::inspect::{FIRST_PARTS_END, WantedParts, read_first_parts, readable};
    use crate::source::LogSource;
    use crate::{Log, LogWriter, RunStatus};

    #[test]
    fn what_toolgauge_writes_of_one_turn_is_read_here() {
        let demo = "../../docs/demo/everyday-qwen2.5-coder-0.5b.eval";
        let demo = Log::open(&Path::new(env!("CARGO_MANIFEST_DIR")).join(demo)).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let mut writer = LogWriter::create(&folder.path().join("anew.eval"), demo.run()).unwrap();
        demo.trials().for_each(|trial| writer.append(&trial.unwrap()).unwrap());
        let source = LogSource::open(&writer.finish(&RunStatus::Success).unwrap()).unwrap();
        let mut unpacker = Unpacker::new();
        let mut read = 0;
        for (_, entry) in source.samples() {
            let start = unpacker.start(&*source.file, entry, FIRST_PARTS, FIRST_PARTS_END);
            let text = readable(start.unwrap().unwrap());
            let record = read_written(text);
            assert_eq!(record.is_some(), text.contains(r#""said":"output""#), "{text}");
            if let Some(record) = record {
                let parts = read_first_parts(text, WantedParts::WithoutBodies).unwrap();
                assert_eq!(record, parts.into_record().unwrap());
                read += 1;
            }
        }
        assert!(read > 40, "{read}");
    }

    #[test]
    fn values_are_passed_over_as_far_as_they_are_json() {
        for json in [
            "0",
            "-1.5e+300",
            r#""é\\\"\u00e9\n long enough for words""#,
            r#"{"a":[1,{"b":null}],"c":{},"d":[true,false]}"#,
        ] {
            assert_eq!(Written { rest: &format!("{json},") }.value(), Some(json));
        }
        let deep = "[".repeat(1000);
        for wrong in
            ["", "01", "1.", ".5", "+1", "1e", r#""\q""#, r#""\u12""#, "\"\n\"", "\"", "nul", &deep]
        {
            // A zero is a number, and what must not follow it is left where it is.
            let value = Written { rest: wrong }.value();
            assert!(value.is_none() || value == Some("0"), "{wrong}");
        }
        for wrong in ["[1,]", "[1 ]", "{\"a\":1,}", "{a:1}", "{\"a\"}", "{\"a\":1", "[}"] {
            assert_eq!(Written { rest: wrong }.value(), None, "{wrong}");
        }
    }
}
