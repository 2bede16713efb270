//! What to do about trials that could not be scored, and about odd answers.

use toolgauge_core::FailureKind;

/// What helps against a reason for which trials are unscored, by its name; short enough for a line.
pub fn advice(reason: &str) -> Option<&'static str> {
    let known = [
        (
            FailureKind::ContextOverflow,
            "prompt too long: load the model with more context (llama.cpp: -c)",
        ),
        (
            FailureKind::World,
            "a tool's server broke, or a call was not recorded: --replay live records it",
        ),
        (FailureKind::Timeout, "too slow, or silent: see --attempt-timeout and --idle-timeout"),
    ];
    known.into_iter().find(|(kind, _)| kind.name() == reason).map(|(_, advice)| advice)
}

/// What helps against something odd about the answers, by its name.
pub(crate) fn oddity_advice(oddity: &str) -> Option<&'static str> {
    match oddity {
        "calls_in_text" => Some(
            "calls came as text: the server's chat template or parser missed them (llama.cpp: \
             --jinja, --chat-template-file; vLLM: --tool-call-parser)",
        ),
        "score_is_a_word" => {
            Some("a score that is a word and no number counts as 0, as Inspect AI counts it")
        }
        "other_prompt" => Some(
            "the home sent another prompt than the simulator would: import it again, and put the \
             agent's own instructions into the suite",
        ),
        "other_effect" => Some(
            "states changed otherwise in the real home than in the simulator; the log has both",
        ),
        "nearest_reply" => Some(
            "calls that were not recorded got the reply of the nearest one: --replay live records them",
        ),
        _ => None,
    }
}
