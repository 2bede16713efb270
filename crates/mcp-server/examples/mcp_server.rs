//! The server alone, for its tests: `mcp_server PROGRAM FOLDER [MODEL]…`. The environment's
//! `COMMAND_SECONDS` says how long a command may take.
#![expect(clippy::expect_used, reason = "a wrong call of an example may end in a panic")]

use std::path::Path;
use std::time::Duration;

use toolgauge_mcp_server::{McpServer, serve_stdio};

#[tokio::main]
async fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [program, folder, models @ ..] = arguments.as_slice() else {
        panic!("give the program and the folder")
    };
    let server = McpServer::new(Path::new(program), Path::new(folder), models.to_vec());
    let mut server = server.expect("the folder exists");
    if let Ok(seconds) = std::env::var("COMMAND_SECONDS") {
        let seconds = seconds.parse().expect("a number of seconds");
        server = server.with_limit(Duration::from_secs(seconds));
    }
    serve_stdio(server).await.expect("the client hangs up");
}
