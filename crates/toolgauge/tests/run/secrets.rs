//! Keys never leave memory.

use std::io::Read;

use crate::{Server, only_log, suite, text, toolgauge};

const KEY: &str = "sk-very-secret-0123456789";

#[test]
fn a_key_and_a_password_reach_neither_the_log_nor_the_terminal() {
    let folder = suite(3);
    let server = Server::start(folder.path(), &["--faults", "flaky"]);
    let base_url = server.base_url.replace("http://", "http://me:hunter2-password@");
    let arguments = ["run", ".", "-m", "any", "--base-url", &base_url, "--retries", "1"];
    let mut command = toolgauge(folder.path(), &arguments);
    let output = command.env("OPENAI_API_KEY", KEY).output().unwrap();
    let said = text(&output.stdout) + &text(&output.stderr);
    assert!(!said.contains(KEY) && !said.contains("hunter2"), "{said}");
    let log = std::fs::File::open(only_log(folder.path())).unwrap();
    let mut archive = zip::ZipArchive::new(log).unwrap();
    for index in 0..archive.len() {
        let mut member = String::new();
        archive.by_index(index).unwrap().read_to_string(&mut member).unwrap();
        assert!(!member.contains(KEY) && !member.contains("hunter2"), "member {index}");
    }
}
