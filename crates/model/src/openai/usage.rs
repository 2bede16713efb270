//! What an answer took, as its server counts it.

use toolgauge_core::{ServerTimings, Usage};

use crate::loose::Loose;

/// Token counts: the protocol's, or those in llama.cpp's timings where it sends no others.
pub(super) fn usage(json: &Loose<'_>) -> Usage {
    let (usage, timings) = (json.get("usage"), json.get("timings"));
    // llama.cpp counts the cached part of a prompt apart, so the two are added up.
    if !usage.is_object() && timings.is_object() {
        let (fresh, cached) = (timings.get("prompt_n").count(), timings.get("cache_n").count());
        return Usage {
            input: fresh.map(|fresh| fresh.saturating_add(cached.unwrap_or(0))),
            output: timings.get("predicted_n").count(),
            cached,
            reasoning: None,
        };
    }
    let inside = |outer: &str, inner: &str| usage.get(outer).get(inner).count();
    Usage {
        input: usage.first_of(&["prompt_tokens", "input_tokens"]).count(),
        output: usage.first_of(&["completion_tokens", "output_tokens"]).count(),
        cached: inside("prompt_tokens_details", "cached_tokens")
            .or_else(|| usage.get("prompt_cache_hit_tokens").count())
            .or_else(|| timings.get("cache_n").count()),
        reasoning: inside("completion_tokens_details", "reasoning_tokens"),
    }
}

/// What llama.cpp says about its own speed.
pub(crate) fn server_timings(timings: &Loose<'_>) -> Option<ServerTimings> {
    timings.is_object().then(|| ServerTimings {
        prompt_per_second: timings.get("prompt_per_second").number(),
        generated_per_second: timings.get("predicted_per_second").number(),
    })
}
