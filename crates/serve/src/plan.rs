//! The fault plan: what goes wrong, how often, drawn from a seed.

use std::time::Duration;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::Deserialize;

use super::delay::Delay;
use super::span::PlanDuration;

/// What can go wrong with one request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Status 429, with a Retry-After header.
    RateLimited {
        /// What the header says; whole seconds.
        retry_after: Duration,
    },
    /// An error status with a JSON body.
    Error {
        /// Which status.
        status: u16,
    },
    /// The connection is reset before anything is answered.
    Reset,
    /// The connection is reset in the middle of the body.
    ResetMidBody,
    /// The body ends in its middle, and so does the connection.
    Truncated,
    /// The body is whole, but not JSON.
    MalformedJson,
    /// A proxy's error page in HTML, with status 502.
    HtmlPage,
    /// A good answer under a wrong content type.
    WrongContentType,
    /// Nothing is answered for a long time; then the connection is closed.
    Hang {
        /// How long.
        lasting: Duration,
    },
    /// Half of the body, and then nothing for a long time; then the connection is closed.
    Stall {
        /// How long.
        lasting: Duration,
    },
    /// A good answer that comes in small pieces.
    SlowStream {
        /// How long all pieces take together.
        over: Duration,
    },
}

impl Fault {
    /// The name used in plans and statistics.
    pub fn name(self) -> &'static str {
        match self {
            Self::RateLimited { .. } => "rate_limited",
            Self::Error { .. } => "error",
            Self::Reset => "reset",
            Self::ResetMidBody => "reset_mid_body",
            Self::Truncated => "truncated",
            Self::MalformedJson => "malformed_json",
            Self::HtmlPage => "html_page",
            Self::WrongContentType => "wrong_content_type",
            Self::Hang { .. } => "hang",
            Self::Stall { .. } => "stall",
            Self::SlowStream { .. } => "slow_stream",
        }
    }
}

/// What goes wrong, and how often.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FaultPlan {
    /// What everything is drawn from.
    pub seed: u64,
    /// How long each answer takes.
    pub latency: Delay,
    /// The faults, each with the share of requests it befalls.
    pub faults: Vec<(Fault, f64)>,
}

/// What was drawn for one request.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DrawnFaults {
    /// What goes wrong, if anything does.
    pub fault: Option<Fault>,
    /// How long the answer is held back.
    pub delay: Duration,
}

/// Why a plan cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// It is not a plan.
    #[error("line {line}: {reason}")]
    Unreadable {
        /// Which line, counted from 1.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// More faults are planned than there are requests.
    #[error("the rates of the faults add up to {0}, which is more than 1")]
    TooManyFaults(String),
}

impl FaultPlan {
    /// The plans that have a name.
    pub const PRESETS: [&'static str; 4] = ["none", "flaky", "busy", "slow"];

    /// A plan by its name.
    pub fn preset(name: &str) -> Option<Self> {
        let second = Duration::from_secs(1);
        let faults = match name {
            "none" => vec![],
            // Two requests in ten fail, in every way there is, and some answers are late.
            "flaky" => every_fault().into_iter().map(|fault| (fault, 0.02)).collect(),
            "busy" => vec![(Fault::RateLimited { retry_after: second }, 0.3)],
            "slow" => vec![(Fault::SlowStream { over: 5 * second }, 0.5)],
            _ => return None,
        };
        let latency = match name {
            "slow" => Delay::Lognormal(second, 0.8),
            _ => Delay::None,
        };
        Some(Self { seed: 0, latency, faults })
    }

    /// Reads a plan from YAML.
    pub fn parse(text: &str) -> Result<Self, PlanError> {
        let fields: PlanFields = yaml_serde::from_str(text).map_err(|error| {
            let line = error.location().map_or(1, |location| location.line());
            PlanError::Unreadable { line, reason: without_position(&error.to_string()) }
        })?;
        let plan = Self {
            seed: fields.seed,
            latency: fields.latency,
            faults: fields.faults.into_iter().map(|line| (line.fault, line.rate)).collect(),
        };
        let total: f64 = plan.faults.iter().map(|(_, rate)| rate).sum();
        if total > 1.0 + 1e-9 {
            return Err(PlanError::TooManyFaults(format!("{total:.3}")));
        }
        Ok(plan)
    }

    /// Whether nothing ever goes wrong and nothing is held back.
    pub fn is_empty(&self) -> bool {
        self.faults.is_empty() && self.latency == Delay::None
    }

    /// Draws what happens to a request.
    ///
    /// The draw depends on the seed, on what the request says and on how often it was made
    /// before, and on nothing else: not on the order in which requests arrive. So the same
    /// requests meet the same faults at any concurrency, and one that is tried again may get
    /// through.
    pub fn draw(&self, request: u64, attempt: u32) -> DrawnFaults {
        let mixed = mix(mix(self.seed) ^ mix(request) ^ mix(u64::from(attempt) << 32));
        let mut random = ChaCha8Rng::seed_from_u64(mixed);
        let mut left: f64 = random.random();
        let fault = self.faults.iter().find(|(_, rate)| {
            left -= rate;
            left < 0.0
        });
        DrawnFaults { fault: fault.map(|(fault, _)| *fault), delay: self.latency.draw(&mut random) }
    }
}

fn every_fault() -> [Fault; 11] {
    [
        Fault::RateLimited { retry_after: Duration::from_secs(1) },
        Fault::Error { status: 500 },
        Fault::Error { status: 503 },
        Fault::Reset,
        Fault::ResetMidBody,
        Fault::Truncated,
        Fault::MalformedJson,
        Fault::HtmlPage,
        Fault::Hang { lasting: Duration::from_secs(30) },
        Fault::Stall { lasting: Duration::from_secs(30) },
        Fault::SlowStream { over: Duration::from_millis(500) },
    ]
}

/// Spreads a number over all 64 bits (the finaliser of `SplitMix64`), so that seeds 1 and 2 have
/// nothing in common.
fn mix(number: u64) -> u64 {
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

/// A fingerprint of a request's bytes: FNV-1a, which is the same in every build.
pub(crate) fn fingerprint(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct PlanFields {
    seed: u64,
    latency: Delay,
    faults: Vec<FaultLine>,
}

#[derive(Debug)]
struct FaultLine {
    fault: Fault,
    rate: f64,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct FaultFields {
    kind: FaultKind,
    rate: f64,
    status: Option<u16>,
    retry_after: Option<PlanDuration>,
    lasting: Option<PlanDuration>,
    over: Option<PlanDuration>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum FaultKind {
    RateLimited,
    Error,
    Reset,
    ResetMidBody,
    Truncated,
    MalformedJson,
    HtmlPage,
    WrongContentType,
    Hang,
    Stall,
    SlowStream,
}

impl<'de> Deserialize<'de> for FaultLine {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        FaultFields::deserialize(from)?.read().map_err(serde::de::Error::custom)
    }
}

impl FaultFields {
    fn read(self) -> Result<FaultLine, String> {
        if !(0.0..=1.0).contains(&self.rate) {
            return Err(format!("the rate is {}; it must be between 0 and 1", self.rate));
        }
        let belongs = [
            ("status", self.status.is_some(), &[FaultKind::Error][..]),
            ("retry_after", self.retry_after.is_some(), &[FaultKind::RateLimited]),
            ("lasting", self.lasting.is_some(), &[FaultKind::Hang, FaultKind::Stall]),
            ("over", self.over.is_some(), &[FaultKind::SlowStream]),
        ];
        let misplaced =
            |(_, given, of): &&(_, bool, &[FaultKind])| *given && !of.contains(&self.kind);
        if let Some((field, ..)) = belongs.iter().find(misplaced) {
            return Err(format!("`{field}` does not belong to this kind of fault"));
        }
        let or = |span: Option<PlanDuration>, seconds| {
            span.map_or(Duration::from_secs(seconds), |s| s.0)
        };
        let fault = match self.kind {
            FaultKind::RateLimited => Fault::RateLimited { retry_after: or(self.retry_after, 1) },
            FaultKind::Error => Fault::Error { status: error_status(self.status)? },
            FaultKind::Reset => Fault::Reset,
            FaultKind::ResetMidBody => Fault::ResetMidBody,
            FaultKind::Truncated => Fault::Truncated,
            FaultKind::MalformedJson => Fault::MalformedJson,
            FaultKind::HtmlPage => Fault::HtmlPage,
            FaultKind::WrongContentType => Fault::WrongContentType,
            FaultKind::Hang => Fault::Hang { lasting: or(self.lasting, 60) },
            FaultKind::Stall => Fault::Stall { lasting: or(self.lasting, 60) },
            FaultKind::SlowStream => Fault::SlowStream { over: or(self.over, 2) },
        };
        Ok(FaultLine { fault, rate: self.rate })
    }
}

fn error_status(status: Option<u16>) -> Result<u16, String> {
    match status.unwrap_or(500) {
        status @ 400..=599 => Ok(status),
        status => Err(format!("the status is {status}; it must be between 400 and 599")),
    }
}

fn without_position(message: &str) -> String {
    message.split(" at line ").next().unwrap_or(message).to_owned()
}

#[cfg(test)]
mod tests;
