//! Starts a llama.cpp server for a GGUF file, warms it, asks it once and stops it:
//! `cargo run --example managed_llama -- MODEL.gguf [PATH/TO/llama-server] [FLAG…]`.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "an example, not a library")]

use std::error::Error;
use std::sync::Arc;
use std::time::Instant;

use serde_json::json;
use toolgauge_core::{Briefing, Request, Subject};
use toolgauge_core::{Message, Tool, TrialId};
use toolgauge_model::{Connection, LlamaServer, LlamaSettings, OpenAi, OpenAiSettings};

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let model = words.next().ok_or("which model? give the path of a GGUF file")?;
    let mut settings = LlamaSettings::new(model);
    settings.program = words.next().map(Into::into);
    settings.flags = words.collect();
    let start = Instant::now();
    let server = LlamaServer::start(&settings).await?;
    eprintln!("ready at {} after {:.1?}: {:?}", server.endpoint(), start.elapsed(), server.facts());
    let mut openai = OpenAiSettings::new(Connection::to(server.endpoint().clone()), "local");
    openai.stream = true;
    openai.max_tokens = Some(100);
    openai.temperature = Some(0.0);
    let subject = OpenAi::new(openai)?;
    for warning in subject.preflight().await?.warnings("local") {
        eprintln!("warning: {warning}");
    }
    let briefing = briefing();
    let start = Instant::now();
    subject.warm(&briefing, 1).await.map_err(|failure| failure.message)?;
    eprintln!("warm after {:.1?}", start.elapsed());
    for question in ["Turn on the kitchen light.", "Which is the capital of France?"] {
        let conversation = [Message::user(question)];
        let trial = TrialId { case: "example".into(), trial: 1 };
        let request = Request {
            briefing: &briefing,
            conversation: &conversation,
            trial: &trial,
            seed: Some(1),
        };
        let reply = subject.answer(request).await.map_err(|failure| failure.message)?;
        println!("{question}\n  {:?}\n  {:?}", reply.message, reply.turn);
    }
    server.stop().await;
    Ok(())
}

fn briefing() -> Arc<Briefing> {
    let tool = Tool {
        name: "turn_on".into(),
        description: "Turns on a device by its name.".into(),
        parameters: json!({
            "type": "object",
            "properties": {"name": {"type": "string", "description": "The device"}},
            "required": ["name"],
        }),
    };
    let system = "You control a house with tools. Devices: Kitchen Light, Bedroom Lamp.";
    Arc::new(Briefing { system: Some(system.into()), tools: Arc::new([tool]) })
}
