//! Prompts that do not fit the model's context, in the words of the servers in use.
//!
//! Some servers name this error by a type of its own; most only say it. It matters to tell it
//! apart: another attempt would fail the same way, and the remedy is a larger context.

use crate::error_report::ErrorReport;

/// The names servers give to the error.
const NAMES: [&str; 2] = ["exceed_context_size_error", "context_length_exceeded"];

/// What servers say: pieces that stand in a message in this order, in lower case.
///
/// Each is as long as it must be not to be met elsewhere: a limit on tokens a minute, on the length
/// of an answer or on bytes is not the context, and neither is Go's "context deadline exceeded".
const WORDS: [&[&str]; 21] = [
    // llama.cpp, and LM Studio on top of it.
    &["exceed", "available context size"],
    &["context size has been exceeded"],
    // llama-cpp-python; OpenAI's newer models.
    &["exceed", "context window of"],
    // Ollama, SGLang.
    &["exceed", "context length"],
    // OpenAI, vLLM, DeepSeek, OpenRouter.
    &["maximum context length is", "tokens"],
    // vLLM: the engine's own check, and what is left for an answer when nothing is.
    &["longer than the maximum model length"],
    &["max_tokens must be at least 1, got -"],
    // SGLang.
    &["longer than the model's context length"],
    // Mistral.
    &["too large for model with", "maximum context length"],
    // Anthropic.
    &["prompt is too long"],
    &["exceed context limit"],
    // Ollama.
    &["prompt too long"],
    // Amazon Bedrock.
    &["input is too long for requested model"],
    // Google.
    &["input token count", "exceeds the maximum number of tokens"],
    // xAI.
    &["maximum prompt length is", "tokens"],
    // LM Studio.
    &["loaded with context length of only", "not enough"],
    &["reached context length of"],
    &["greater than the context length"],
    // Hugging Face's text-generation-inference.
    &["`inputs` tokens + `max_new_tokens` must be <="],
    &["`inputs` must have less than", "tokens"],
    // LiteLLM, whatever stands behind it.
    &["contextwindowexceedederror"],
];

/// Whether an error says that the prompt does not fit the model's context.
///
/// Words count only with a status that a server uses for it: 400 as most do, 413 and 422, and 500
/// as some do (also for an error in a stream, which has no status of its own). A limit that is told
/// with 429 passes.
pub(crate) fn is_overflow(report: &ErrorReport, status: u16) -> bool {
    if NAMES.iter().any(|name| report.is(name)) {
        return true;
    }
    if !matches!(status, 400 | 413 | 422 | 500) {
        return false;
    }
    let message = report.message.to_lowercase();
    WORDS.iter().any(|pieces| stand_in_order(&message, pieces))
}

fn stand_in_order(text: &str, pieces: &[&str]) -> bool {
    let mut rest = Some(text);
    for piece in pieces {
        rest = rest.and_then(|rest| rest.split_once(piece)).map(|(_, after)| after);
    }
    rest.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loose::Loose;

    fn is_told(status: u16, body: &str) -> bool {
        let report = ErrorReport::of(&Loose::parse(body).unwrap()).unwrap();
        is_overflow(&report, status)
    }

    /// Who says it, with which status, in which body.
    const OVERFLOWS: [(&str, u16, &str); 29] = [
        (
            "llama.cpp",
            400,
            r#"{"error":{"code":400,"message":"request (15953 tokens) exceeds the available context size (8192 tokens), try increasing it","type":"exceed_context_size_error","n_prompt_tokens":15953,"n_ctx":8192}}"#,
        ),
        (
            "llama.cpp without the type",
            500,
            r#"{"error":{"code":500,"message":"the request exceeds the available context size. try increasing the context size or enable context shift","type":"server_error"}}"#,
        ),
        (
            "llama.cpp while it writes",
            500,
            r#"{"error":{"code":500,"message":"Context size has been exceeded.","type":"server_error"}}"#,
        ),
        (
            "llama-cpp-python",
            500,
            r#"{"error":{"message":"Requested tokens (2285) exceed context window of 2048","type":"internal_server_error","param":null,"code":null}}"#,
        ),
        (
            "OpenAI",
            400,
            r#"{"error":{"message":"This model's maximum context length is 4097 tokens. However, you requested 4120 tokens (3120 in the messages, 1000 in the completion). Please reduce the length of the messages or completion.","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}"#,
        ),
        (
            "OpenAI, newer",
            400,
            r#"{"error":{"message":"Your input exceeds the context window of this model. Please adjust your input and try again.","type":"invalid_request_error","param":"input","code":null}}"#,
        ),
        (
            "vLLM",
            400,
            r#"{"object":"error","message":"This model's maximum context length is 16384 tokens. However, you requested 122946 tokens (112946 in the messages, 10000 in the completion). Please reduce the length of the messages or completion.","type":"BadRequestError","param":null,"code":400}"#,
        ),
        (
            "vLLM, newer",
            400,
            r#"{"error":{"message":"This model's maximum context length is 2048 tokens. However, your request has 8 input tokens plus 2045 'max_tokens'. Please reduce one or the other.","type":"BadRequestError","param":"input_tokens, max_tokens","code":400}}"#,
        ),
        (
            "vLLM about the answer",
            400,
            r#"{"object":"error","message":"'max_tokens' or 'max_completion_tokens' is too large: 2000. This model's maximum context length is 4096 tokens and your request has 2104 input tokens (2000 > 4096 - 2104).","type":"BadRequestError","param":null,"code":400}"#,
        ),
        (
            "vLLM with nothing left",
            400,
            r#"{"object":"error","message":"max_tokens must be at least 1, got -186.","type":"BadRequestError","param":null,"code":400}"#,
        ),
        (
            "vLLM's engine",
            400,
            r#"{"object":"error","message":"The decoder prompt (length 5000) is longer than the maximum model length of 4096. Make sure that `max_model_len` is no smaller than the number of text tokens.","type":"BadRequestError","param":null,"code":400}"#,
        ),
        (
            "SGLang",
            400,
            r#"{"object":"error","message":"The input (9000 tokens) is longer than the model's context length (8192 tokens).","type":"BadRequestError","param":null,"code":400}"#,
        ),
        (
            "SGLang about both",
            400,
            r#"{"object":"error","message":"Requested token count exceeds the model's maximum context length of 8192 tokens. You requested a total of 9000 tokens.","type":"BadRequestError","param":null,"code":400}"#,
        ),
        ("Ollama", 400, r#"{"error":"the input length exceeds the context length"}"#),
        (
            "Ollama, in OpenAI's form",
            500,
            r#"{"error":{"message":"prompt too long; exceeded max context length by 512 tokens","type":"api_error","param":null,"code":null}}"#,
        ),
        (
            "LM Studio",
            400,
            r#"{"error":"Trying to keep the first 15857 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough. Try to load the model with a larger context length, or provide a shorter input."}"#,
        ),
        (
            "LM Studio while it writes",
            500,
            r#"{"error":{"message":"Reached context length of 4096 tokens with model (arch: qwen3vlmoe) that does not currently support mid-generation context overflow. Try reloading with a larger context length or shortening the prompt/chat."}}"#,
        ),
        (
            "LM Studio, newer",
            400,
            r#"{"error":"The number of tokens to keep from the initial prompt is greater than the context length (n_keep: 9000 >= n_ctx: 8192). Try to load the model with a larger context length, or provide a shorter input."}"#,
        ),
        (
            "Anthropic",
            400,
            r#"{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 213462 tokens > 200000 maximum"}}"#,
        ),
        (
            "Anthropic about both",
            400,
            r#"{"type":"error","error":{"type":"invalid_request_error","message":"input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000, decrease input length or `max_tokens` and try again"}}"#,
        ),
        (
            "OpenRouter",
            400,
            r#"{"error":{"message":"This endpoint's maximum context length is 131072 tokens. However, you requested about 200000 tokens (199000 of text input, 1000 in the output). Please reduce the length of either one, or use the \"middle-out\" transform to compress your prompt automatically.","code":400}}"#,
        ),
        (
            "OpenRouter for another",
            400,
            r#"{"error":{"message":"Provider returned error","code":400,"metadata":{"raw":"{\"type\":\"error\",\"error\":{\"type\":\"invalid_request_error\",\"message\":\"prompt is too long: 213462 tokens > 200000 maximum\"}}","provider_name":"Anthropic"}}}"#,
        ),
        (
            "text-generation-inference",
            422,
            r#"{"error":"Input validation error: `inputs` tokens + `max_new_tokens` must be <= 2048. Given: 3474 `inputs` tokens and 60 `max_new_tokens`","error_type":"validation"}"#,
        ),
        (
            "text-generation-inference about the prompt",
            422,
            r#"{"error":"Input validation error: `inputs` must have less than 1024 tokens. Given: 1168","error_type":"validation"}"#,
        ),
        (
            "Google",
            400,
            r#"{"error":{"code":400,"message":"The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).","status":"INVALID_ARGUMENT"}}"#,
        ),
        (
            "Mistral",
            400,
            r#"{"object":"error","message":"Prompt contains 36000 tokens and 0 draft tokens, too large for model with 32768 maximum context length","type":"invalid_request_error","code":3051}"#,
        ),
        (
            "Amazon Bedrock",
            400,
            r#"{"message":"x","error":"Input is too long for requested model."}"#,
        ),
        (
            "xAI",
            400,
            r#"{"code":"Client specified an invalid argument","error":"This model's maximum prompt length is 131072 but the request contains 537812 tokens."}"#,
        ),
        (
            "LiteLLM",
            400,
            r#"{"error":{"message":"litellm.BadRequestError: litellm.ContextWindowExceededError: the request was too much","type":null,"param":null,"code":"400"}}"#,
        ),
    ];

    /// What sounds alike and is something else.
    const OTHERS: [(u16, &str); 13] = [
        (
            429,
            r#"{"error":{"message":"Request too large for gpt-4o on tokens per min (TPM): Limit 30000, Requested 41000. The input or output tokens must be reduced in order to run successfully.","type":"tokens","code":"rate_limit_exceeded"}}"#,
        ),
        (
            413,
            r#"{"error":{"message":"Request too large for model `x` on tokens per minute (TPM): Limit 6000, Requested 9000, please reduce your message size and try again.","type":"tokens","code":"rate_limit_exceeded"}}"#,
        ),
        (
            429,
            r#"{"error":{"message":"You exceed the quota of this model's maximum context length is 8192 tokens tier"}}"#,
        ),
        (
            400,
            r#"{"error":{"message":"max_tokens is too large: 100000. This model supports at most 16384 completion tokens, whereas you provided 100000.","type":"invalid_request_error","param":"max_tokens","code":"invalid_value"}}"#,
        ),
        (
            400,
            r#"{"object":"error","message":"max_tokens must be at least 1, got 0.","type":"BadRequestError","param":null,"code":400}"#,
        ),
        (
            400,
            r#"{"type":"error","error":{"type":"invalid_request_error","message":"max_tokens: 100000 > 8192, which is the maximum allowed number of output tokens for this model"}}"#,
        ),
        (
            422,
            r#"{"error":"Input validation error: `max_new_tokens` must be <= 192. Given: 512","error_type":"validation"}"#,
        ),
        (
            413,
            r#"{"type":"error","error":{"type":"request_too_large","message":"Request exceeds the maximum size"}}"#,
        ),
        (
            400,
            r#"{"error":{"message":"Invalid 'tools[0].function.description': string too long. Expected a string with maximum length 1024, but got a string with length 4000 instead.","type":"invalid_request_error","code":"string_above_max_length"}}"#,
        ),
        (500, r#"{"error":"context deadline exceeded"}"#),
        (500, r#"{"error":"post predict: context canceled"}"#),
        (
            500,
            r#"{"error":{"code":500,"message":"input (700 tokens) is too large to process. increase the physical batch size (current batch size: 512)","type":"server_error"}}"#,
        ),
        (
            503,
            r#"{"error":{"message":"Loading model with a context length of 8192","type":"unavailable_error"}}"#,
        ),
    ];

    #[test]
    fn a_prompt_that_does_not_fit_is_told_by_the_words_of_every_server() {
        for (server, status, body) in OVERFLOWS {
            assert!(is_told(status, body), "{server}");
        }
    }

    #[test]
    fn a_prompt_that_does_not_fit_is_told_by_the_type_of_error() {
        for body in [
            r#"{"error":{"message":"x","type":"exceed_context_size_error","code":400}}"#,
            r#"{"error":{"message":"x","type":"e","code":"context_length_exceeded"}}"#,
        ] {
            assert!(is_told(400, body), "{body}");
        }
    }

    #[test]
    fn what_only_sounds_alike_is_something_else() {
        for (status, body) in OTHERS {
            assert!(!is_told(status, body), "{body}");
        }
    }
}
