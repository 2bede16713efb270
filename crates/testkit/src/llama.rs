//! What a real llama.cpp server says of itself.

use serde_json::{Value, json};

use crate::{Received, Response};

/// The body of `/props`, as a real server sent it.
pub const PROPS: &str = include_str!("../fixtures/llama_props.json");

/// The body of `/v1/models` of the same server.
pub const MODELS: &str = include_str!("../fixtures/llama_v1_models.json");

/// The name by which that server lists its model.
pub const MODEL: &str = "qwen2.5-coder-1.5b";

/// Answers as that server does: to `/v1/models` and `/props` with what it said, to everything
/// else with a text in the name of its model, whatever model is asked for.
pub fn respond(request: &Received, props: &Value) -> Response {
    match request.path.as_str() {
        "/v1/models" => Response::new(200, "application/json", MODELS),
        "/props" => Response::json(200, props),
        _ => Response::json(200, &completion(MODEL, "stop")),
    }
}

/// A completion of a few words in the name of a model.
pub fn completion(model: &str, finish_reason: &str) -> Value {
    let message = json!({"role": "assistant", "content": "I would rather not say."});
    json!({"object": "chat.completion", "model": model, "choices":
        [{"index": 0, "message": message, "finish_reason": finish_reason}]})
}
