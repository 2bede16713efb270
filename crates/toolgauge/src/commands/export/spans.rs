//! Spans sent to a collector of OpenTelemetry.

use percent_encoding::percent_decode_str;
use serde_json::{Value, json};
use toolgauge_engine::EngineError;
use toolgauge_import::ExportForm;
use toolgauge_log::{Damage, Log};
use toolgauge_model::{Endpoint, JsonPoster, Secret};
use toolgauge_report::number::counted;

use crate::failure::Failure;
use crate::printer::Printer;

/// How many bytes of spans are sent at once. Collectors refuse bodies of more than some megabytes.
const AT_ONCE: usize = 1 << 20;

/// Where a collector takes spans, by the protocol.
const PATH: &str = "/v1/traces";

/// The variable that every exporter of OpenTelemetry takes its headers from.
const HEADERS: &str = "OTEL_EXPORTER_OTLP_HEADERS";

/// Sends each trial that can be read; gives what cannot be, and how many were sent.
pub(super) fn send(
    log: &Log,
    address: &str,
    printer: &mut Printer,
) -> Result<(Damage, usize), Failure> {
    let endpoint = Endpoint::page(address).map_err(EngineError::from)?.or_path(PATH);
    let shown = endpoint.to_string();
    let headers = headers(&std::env::var(HEADERS).unwrap_or_default()).into_iter();
    let headers = headers.map(|(name, value)| (name, Secret::new(value))).collect();
    let poster = JsonPoster::new(endpoint, headers).map_err(EngineError::from)?;
    let runtime = tokio::runtime::Runtime::new()?;
    let (mut damage, mut sent, mut rejected) = (Damage::default(), 0, 0);
    let mut batch = Batch::default();
    for trial in log.trials() {
        match trial {
            Ok(trial) => {
                batch.add(ExportForm::Otlp.line(log.run(), &trial, &|_, mark| mark >= 1.0));
                sent += 1;
            }
            Err(error) => damage.note(&error),
        }
        if batch.bytes >= AT_ONCE {
            rejected += runtime.block_on(batch.post(&poster))?;
        }
    }
    rejected += runtime.block_on(batch.post(&poster))?;
    let rejected = usize::try_from(rejected).unwrap_or(usize::MAX);
    if rejected > 0 {
        printer.warning(format!("`{shown}` refused {}", counted(rejected, "span")));
    }
    let were = if sent == 1 { "was" } else { "were" };
    printer.note(format!("{} {were} sent to {shown}", counted(sent, "trace")));
    Ok((damage, sent))
}

/// Headers as the variable writes them: `name=value`, separated by commas, both percent-encoded.
fn headers(text: &str) -> Vec<(String, String)> {
    let decoded = |text: &str| percent_decode_str(text.trim()).decode_utf8_lossy().into_owned();
    let pairs = text.split(',').filter_map(|pair| pair.split_once('='));
    pairs.map(|(name, value)| (decoded(name), decoded(value))).collect()
}

/// Spans that are sent together.
#[derive(Default)]
struct Batch {
    spans: Vec<Value>,
    bytes: usize,
}

impl Batch {
    fn add(&mut self, mut line: Value) {
        self.bytes += line.to_string().len();
        if let Some(Value::Array(spans)) = line.get_mut("resourceSpans") {
            self.spans.append(spans);
        }
    }

    /// Sends what was gathered; gives how many spans the collector did not take.
    async fn post(&mut self, poster: &JsonPoster) -> Result<u64, Failure> {
        let spans = std::mem::take(&mut self.spans);
        self.bytes = 0;
        if spans.is_empty() {
            return Ok(0);
        }
        let answer = poster.post(json!({"resourceSpans": spans}).to_string().into_bytes()).await?;
        let answer: Value = serde_json::from_str(&answer).unwrap_or_default();
        let rejected = answer.pointer("/partialSuccess/rejectedSpans");
        // Whole numbers of 64 bits are written as text.
        let text = rejected.and_then(Value::as_str).and_then(|text| text.parse().ok());
        Ok(rejected.and_then(Value::as_u64).or(text).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_read_as_exporters_write_them() {
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let plain = headers("authorization=Basic abc==, x-id = 7,odd");
        assert_eq!(plain, [pair("authorization", "Basic abc=="), pair("x-id", "7")]);
        let encoded = headers("Authorization=Basic%20YWJj");
        assert_eq!(encoded, [pair("Authorization", "Basic YWJj")]);
    }
}
