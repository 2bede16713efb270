//! The server alone, for its tests: `mcp_server PROGRAM FOLDER [MODEL]…`.
#![expect(clippy::expect_used, reason = "a wrong call of an example may end in a panic")]

use std::path::Path;

use toolgauge_mcp_server::{McpServer, serve_stdio};

#[tokio::main]
async fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [program, folder, models @ ..] = arguments.as_slice() else {
        panic!("give the program and the folder")
    };
    let server = McpServer::new(Path::new(program), Path::new(folder), models.to_vec());
    serve_stdio(server.expect("the folder exists")).await.expect("the client hangs up");
}
