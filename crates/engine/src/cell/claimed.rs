//! A cell whose chunks are taken one after another, while other workers take others.

use toolgauge_core::ShardNumber;
use toolgauge_log::LogError;
use toolgauge_model::LlamaServer;
use toolgauge_runner::{Ending, StopSignal};

use super::{Cell, Finished};
use crate::claims::{ClaimRequest, ClaimedChunk, Claims, NextChunk};
use crate::error::EngineError;
use crate::invocation::Invocation;
use crate::observer::Observer;
use crate::subjects::llama;
use crate::waiting::Waiting;

impl Cell {
    /// Runs chunks of the plan until all are finished, here or elsewhere. Each one leaves the log of
    /// a shard. Gives what came of those that were run here.
    pub async fn run_claimed(
        &self,
        request: &ClaimRequest,
        stop: &StopSignal,
        observer: &dyn Observer,
    ) -> Result<Vec<Finished>, EngineError> {
        self.home()?;
        let of = request.chunks(self.cases.len());
        if of as usize > self.cases.len() {
            return Err(EngineError::TooManyShards { of, cases: self.cases.len() });
        }
        let plan = self.plan_hash(self.variants.first().and_then(Option::as_deref))?;
        let mut claims = Claims::new(request, &plan, of);
        let mut server = None;
        let ended = self.run_chunks(&mut claims, &mut server, (request, stop, observer)).await;
        llama::stop(server.and_then(|(_, llama)| llama)).await;
        ended
    }

    async fn run_chunks(
        &self,
        claims: &mut Claims,
        server: &mut Option<(Invocation, Option<LlamaServer>)>,
        (request, stop, observer): (&ClaimRequest, &StopSignal, &dyn Observer),
    ) -> Result<Vec<Finished>, EngineError> {
        let failed = |error| EngineError::file("use claims in", &request.place, error);
        let (mut results, mut waits) = (Vec::new(), false);
        while !stop.gently.is_cancelled() {
            let claimed = match claims.take(stop).map_err(failed)? {
                NextChunk::Taken(claimed) => claimed,
                NextChunk::AllDone => break,
                NextChunk::Held => {
                    if !std::mem::replace(&mut waits, true) {
                        observer.note("other workers have the chunks that are left");
                    }
                    tokio::time::sleep(claims.pause()).await;
                    continue;
                }
            };
            // Asked for once, and only by a worker that has something to do.
            if server.is_none() {
                *server = Some(self.serve(&Waiting::new(stop, observer)).await?);
            }
            let Some((served, _)) = server.as_ref() else { break };
            let number = claimed.number;
            observer.note(&format!("chunk {} of {}", number.index, number.of));
            let ran = self.chunk(number).run_on(served, &claimed.stop, observer).await;
            let done = matches!(&ran, Ok(finished) if finished.ending == Ending::Complete);
            let held = release(claimed, done, observer);
            match ran {
                Ok(finished) => {
                    if done && held {
                        claims.finished(number.index);
                    }
                    let gone = matches!(finished.ending, Ending::ServerGone(_));
                    // What another worker took over is for that one to tell.
                    if held {
                        results.push(finished);
                    }
                    if gone {
                        break;
                    }
                }
                // A worker whose lease ended may still have the file open.
                Err(EngineError::Log(LogError::Busy { .. })) => {
                    tokio::time::sleep(claims.pause()).await;
                }
                Err(error) => return Err(error),
            }
        }
        Ok(results)
    }

    /// The cell that runs one chunk.
    fn chunk(&self, number: ShardNumber) -> Self {
        Self {
            suite: self.suite.clone(),
            cases: self.cases.clone(),
            invocation: Invocation { shard: Some(number), ..self.invocation.clone() },
            variants: self.variants.clone(),
            key: self.key.clone(),
        }
    }
}

/// Ends a claim; whether it held until now.
fn release(claimed: ClaimedChunk, done: bool, observer: &dyn Observer) -> bool {
    let number = claimed.number;
    let held = claimed.release(done).unwrap_or_else(|error| {
        // The lease runs out by itself, and whoever takes the chunk finds its log.
        observer.warning(&format!("the claim of chunk {} stays: {error}", number.index));
        true
    });
    if !held {
        observer.warning(&format!("chunk {} was lost to another worker", number.index));
    }
    held
}
