//! Judges the trials of a log that another program wrote, and keeps everything that is in it.
//!
//! What toolgauge knows nothing of (targets, events, other scores) must not be lost by judging. So
//! the members are copied as text, and only the scores are added to: in each sample, in the list
//! of summaries and in the header.

mod score_names;

use std::collections::HashMap;

use indexmap::IndexMap;
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Value, json};
use toolgauge_core::json::STAND_IN;
use toolgauge_core::{Judgement, Outcome, Trial};

use self::score_names::ScoreNames;
use crate::archive::Unpacker;
use crate::inspect::{plain_json, score_records};
use crate::source::{
    HEADER, HEADER_LIMIT, LogSource, SAMPLE_LIMIT, SUMMARIES, SUMMARIES_LIMIT, TrialReader,
};
use crate::{Damage, Log, LogError, RawLogWriter, TrialSummary};

/// An object whose values stay as they are written.
type Members = IndexMap<String, Box<RawValue>>;

/// Judges every trial of a log again and adds the scores to a copy of it. `judge` may have votes
/// cast on a trial, which are kept beside the score that is made of them. Samples that cannot be
/// read are left out and told at the end.
pub fn rescore_foreign(
    log: &Log,
    writer: &mut RawLogWriter,
    mut judge: impl FnMut(&mut Trial) -> IndexMap<String, Outcome>,
    mut note: impl FnMut(&TrialSummary),
) -> Result<Damage, LogError> {
    let source = log.source();
    let mut damage = Damage::default();
    let (mut reader, mut unpacker) = (TrialReader::new(), Unpacker::new());
    let names = ScoreNames::in_log(source, &mut unpacker);
    let mut added = AddedScores { names, ..AddedScores::default() };
    for (name, entry) in &source.entries {
        // Written last, because their figures depend on all samples.
        if matches!(&**name, HEADER | SUMMARIES) {
            continue;
        }
        if !LogSource::is_sample(name) {
            let text = source.unpack(&mut unpacker, name, entry, SUMMARIES_LIMIT)?;
            writer.add(name, text)?;
            continue;
        }
        let mut trial = match reader.read(source, name, entry) {
            Ok(trial) => trial,
            Err(error) if error.is_damage() => {
                damage.note(&error);
                continue;
            }
            Err(error) => return Err(error),
        };
        let outcomes = judge(&mut trial);
        let mut scores = score_records(&outcomes);
        add_votes(&mut scores, &trial.transcript.background.judgements);
        // The trial holds only what toolgauge understands; the text holds everything.
        let text = source.unpack(&mut unpacker, name, entry, SAMPLE_LIMIT)?;
        let json = LogError::json(&source.path, name);
        writer.add(name, &added.add_to_sample(text, &scores).map_err(json)?)?;
        trial.outcomes = outcomes;
        note(&TrialSummary::taking(&mut trial));
    }
    if let Some(entry) = source.entries.get(SUMMARIES) {
        let text = source.unpack(&mut unpacker, SUMMARIES, entry, SUMMARIES_LIMIT)?;
        let json = LogError::json(&source.path, SUMMARIES);
        writer.add(SUMMARIES, &added.to_summaries(text).map_err(json)?)?;
    }
    if let Some(entry) = source.entries.get(HEADER) {
        let text = source.unpack(&mut unpacker, HEADER, entry, HEADER_LIMIT)?;
        let json = LogError::json(&source.path, HEADER);
        writer.add(HEADER, &added.to_header(text).map_err(json)?)?;
    }
    source.losses(log.is_own()).for_each(|error| damage.note(&error));
    Ok(damage)
}

/// The score that is made of votes.
const VOTED: &str = "judge";

/// What was added to the samples so far.
#[derive(Default)]
struct AddedScores {
    names: ScoreNames,
    /// By identifier and epoch of the sample, as they are written.
    samples: HashMap<(String, String), Vec<(String, Value)>>,
    /// The sum of the values and their number, by the name of the score.
    sums: IndexMap<String, (f64, u32)>,
    /// How many samples there are, and how many of them came to an end.
    count: u32,
    completed: u32,
}

impl AddedScores {
    /// The text of a sample with scores beside those it has.
    fn add_to_sample(
        &mut self,
        text: &[u8],
        scores: &IndexMap<String, Value>,
    ) -> Result<Vec<u8>, serde_json::Error> {
        let plain = plain_json(text)?;
        let mut sample: Members = serde_json::from_str(&plain)?;
        self.count += 1;
        let has_failed = sample.get("error").is_some_and(|error| error.get() != "null");
        self.completed += u32::from(!has_failed);
        if scores.is_empty() {
            return Ok(text.to_vec());
        }
        // Compared as written: an identifier may be a number or a text in another program's log.
        let written = |key: &str| sample.get(key).map(|value| value.get().to_owned());
        let key = (written("id").unwrap_or_default(), written("epoch").unwrap_or_default());
        let mut all = members_at(&sample, "scores")?;
        let mut named = Vec::new();
        for (scorer, score) in scores {
            let name = self.names.free(scorer);
            let value = score.get("value").and_then(Value::as_f64).unwrap_or_default();
            let sum = self.sums.entry(name.clone()).or_default();
            *sum = (sum.0 + value, sum.1 + 1);
            all.insert(name.clone(), to_raw_value(score)?);
            named.push((name, score.clone()));
        }
        sample.insert("scores".into(), to_raw_value(&all)?);
        self.samples.insert(key, named);
        Ok(python_json(serde_json::to_vec(&sample)?))
    }

    fn to_summaries(&self, text: &[u8]) -> Result<Vec<u8>, serde_json::Error> {
        if self.sums.is_empty() {
            return Ok(text.to_vec());
        }
        let text = plain_json(text)?;
        let mut summaries: Vec<Members> = serde_json::from_str(&text)?;
        for summary in &mut summaries {
            let written = |key: &str| summary.get(key).map(|value| value.get().to_owned());
            let key = (written("id").unwrap_or_default(), written("epoch").unwrap_or_default());
            let Some(scores) = self.samples.get(&key) else { continue };
            let mut all = members_at(summary, "scores")?;
            for (name, score) in scores {
                all.insert(name.clone(), to_raw_value(score)?);
            }
            summary.insert("scores".into(), to_raw_value(&all)?);
        }
        Ok(python_json(serde_json::to_vec(&summaries)?))
    }

    /// The header with the figures of our scores. Where there are none it stays as it is: a run
    /// that failed has no figures at all, which is not the same as figures of nothing.
    fn to_header(&self, text: &[u8]) -> Result<Vec<u8>, serde_json::Error> {
        if self.sums.is_empty() {
            return Ok(text.to_vec());
        }
        let text = plain_json(text)?;
        let mut header: Members = serde_json::from_str(&text)?;
        let mut eval = members_at(&header, "eval")?;
        let mut scorers = list_at(&eval, "scorers")?;
        let mut results = members_at(&header, "results")?;
        if results.is_empty() {
            // Left out, they would be read as 0.
            results.insert("total_samples".into(), to_raw_value(&self.count)?);
            results.insert("completed_samples".into(), to_raw_value(&self.completed)?);
        }
        let mut scores = list_at(&results, "scores")?;
        for (name, (sum, count)) in &self.sums {
            // What an earlier judging left under this name is put in its place.
            let is_other = |entry: &RawValue| {
                let named: Result<Value, _> = serde_json::from_str(entry.get());
                named.is_ok_and(|entry| entry.get("name") != Some(&json!(name)))
            };
            scorers.retain(|entry| is_other(entry));
            scores.retain(|entry| is_other(entry));
            scorers.push(to_raw_value(&json!({"name": name}))?);
            let mean = json!({"name": "mean", "value": sum / f64::from(*count), "params": {}});
            scores.push(to_raw_value(&json!({
                "name": name, "scorer": name, "scored_samples": count, "params": {},
                "metrics": {"mean": mean},
            }))?);
        }
        eval.insert("scorers".into(), to_raw_value(&scorers)?);
        results.insert("scores".into(), to_raw_value(&scores)?);
        header.insert("eval".into(), to_raw_value(&eval)?);
        header.insert("results".into(), to_raw_value(&results)?);
        Ok(python_json(serde_json::to_vec(&header)?))
    }
}

/// Puts the votes of a judge beside the score that they give: the sample has no other place for
/// them.
fn add_votes(scores: &mut IndexMap<String, Value>, votes: &[Judgement]) {
    if let Some(Value::Object(metadata)) =
        scores.get_mut(VOTED).and_then(|score| score.get_mut("metadata"))
        && !votes.is_empty()
    {
        metadata.insert("votes".into(), json!(votes));
    }
}

/// The object under a key; an empty one where there is none.
fn members_at(object: &Members, key: &str) -> Result<Members, serde_json::Error> {
    let found = object.get(key).map(|value| serde_json::from_str::<Option<Members>>(value.get()));
    Ok(found.transpose()?.flatten().unwrap_or_default())
}

/// The list under a key; an empty one where there is none.
fn list_at(object: &Members, key: &str) -> Result<Vec<Box<RawValue>>, serde_json::Error> {
    let found = object.get(key).map(|value| serde_json::from_str::<Option<Vec<_>>>(value.get()));
    Ok(found.transpose()?.flatten().unwrap_or_default())
}

/// Turns the stand-ins for numbers that JSON proper cannot write back into what Python writes.
fn python_json(text: Vec<u8>) -> Vec<u8> {
    let mark = format!("\"{STAND_IN}");
    let finder = memchr::memmem::Finder::new(&mark);
    // Copied piece by piece: a log may hold a stand-in in every other value, and moving the rest
    // of the text for each of them takes time by the square.
    let mut written = Vec::with_capacity(text.len());
    let mut copied = 0;
    for place in finder.find_iter(&text) {
        let after = &text[place + mark.len()..];
        // The quotes belong to the stand-in, so one token cannot be found inside another.
        let token = ["NaN", "-Infinity", "Infinity"].into_iter().find(|token| {
            after.strip_prefix(token.as_bytes()).is_some_and(|rest| rest.starts_with(b"\""))
        });
        let Some(token) = token else { continue };
        written.extend_from_slice(&text[copied..place]);
        written.extend_from_slice(token.as_bytes());
        copied = place + mark.len() + token.len() + 1;
    }
    if copied == 0 {
        return text;
    }
    written.extend_from_slice(&text[copied..]);
    written
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;

    #[test]
    fn only_whole_stand_ins_become_what_python_writes() {
        let text = format!(
            "[\"{STAND_IN}NaN\",\"{STAND_IN}-Infinity\",\"{STAND_IN}NaNs\",\"NaN\",\"{STAND_IN}Infinity\"]"
        );
        let written = String::from_utf8(python_json(text.into_bytes())).unwrap();
        assert_eq!(written, format!("[NaN,-Infinity,\"{STAND_IN}NaNs\",\"NaN\",Infinity]"));
        assert_eq!(python_json(b"[1]".to_vec()), b"[1]");
    }

    #[test]
    fn very_many_numbers_of_python_are_written_in_bounded_time() {
        let text = format!("\"{STAND_IN}NaN\",").repeat(400_000);
        let begun = Instant::now();
        assert_eq!(python_json(text.into_bytes()).len(), 4 * 400_000);
        // One pass takes a fraction of a second without optimisation; squared it was a minute.
        assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
    }
}
