//! Whatever a server or a command repeats of what it was given: no output of any command holds a
//! secret in any form.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use toolgauge_testkit::{Received, Response, Server};

use crate::run::{suite, toolgauge};

/// The secrets of a run, in every place a user can put one.
struct Secrets(Vec<String>);

impl Secrets {
    /// Others for every seed, of the letters that keys and passwords are made of.
    fn drawn(seed: u64) -> Self {
        let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        let mut below = |most: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            usize::try_from(state % most as u64).unwrap()
        };
        let letters = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.~!/+";
        let mut draw = || {
            let length = 9 + below(24);
            let mut secret: String =
                (0..length).map(|_| char::from(letters[below(letters.len())])).collect();
            // A digit at the end: no secret is an ordinary word.
            secret.push(char::from(b'0' + u8::try_from(below(10)).unwrap()));
            secret
        };
        Self((0..7).map(|_| draw()).collect())
    }

    fn get(&self, which: usize) -> &str {
        &self.0[which]
    }

    /// The secrets as servers write them.
    fn forms(&self) -> Vec<String> {
        self.0.iter().flat_map(|secret| forms(secret)).collect()
    }
}

fn forms(secret: &str) -> Vec<String> {
    let slashed = secret.replace('/', "\\/");
    let escaped = secret.chars().map(|c| format!("\\u{:04x}", u32::from(c)));
    let escaped = escaped.collect::<Vec<_>>().concat();
    let spread = secret.chars().flat_map(|c| [c, '\u{2}']).collect();
    let login = |user: &str| base64(format!("{user}:{secret}").as_bytes());
    vec![
        secret.to_owned(),
        percent(secret),
        slashed,
        escaped,
        spread,
        base64(secret.as_bytes()),
        login("me"),
        login("you"),
        login("me").replace('+', "-").replace('/', "_"),
    ]
}

fn percent(secret: &str) -> String {
    let keep = |byte: u8| byte.is_ascii_alphanumeric();
    let encode =
        |byte| if keep(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    secret.bytes().map(encode).collect()
}

/// By hand, so that what is looked for is not written by what is tested.
fn base64(bytes: &[u8]) -> String {
    let letters = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for chunk in bytes.chunks(3) {
        let at = |i: usize| u32::from(chunk.get(i).copied().unwrap_or(0));
        let all = at(0) << 16 | at(1) << 8 | at(2);
        for i in 0..4 {
            let letter = char::from(letters[(all >> (18 - 6 * i)) as usize & 63]);
            out.push(if i <= chunk.len() { letter } else { '=' });
        }
    }
    out
}

/// The secrets that a request holds, in every form.
fn given(request: &Received, secrets: &[String]) -> Vec<String> {
    let headers = request.headers.iter().map(|(_, value)| value.as_str()).collect::<String>();
    let held = format!("{} {headers} {}", request.path, String::from_utf8_lossy(&request.body));
    let is_given = |secret: &&String| forms(secret).iter().any(|form| held.contains(form));
    secrets.iter().filter(is_given).flat_map(|secret| forms(secret)).collect()
}

/// A server that repeats every secret it was given, each time in another way.
fn gossip(secrets: Vec<String>) -> impl Fn(&Received) -> Response + Send + Sync + 'static {
    move |request| {
        let words = format!("you gave {} and that is all", given(request, &secrets).join(" , "));
        if request.method == "GET" {
            return Response::json(200, &json!({"data": [{"id": words}]}));
        }
        if request.path.starts_with("/chat") {
            let tool = json!({"name": "say", "arguments": {"n": words}, "result": words});
            let answer = json!({"answer": words, "tools_used": [tool], "sources": [words]});
            return match request.number % 3 {
                0 => Response::json(200, &answer),
                1 => Response::json(200, &json!({"answer": null, "error": words})),
                _ => Response::new(500, "text/plain", &words),
            };
        }
        if request.json()["stream"] == true {
            let split: Vec<String> = words.chars().map(String::from).collect();
            return streamed(&split);
        }
        let call = json!({"id": words, "type": "function", "function":
            {"name": "say", "arguments": json!({"n": words, (words.clone()): 1}).to_string()}});
        let message = json!({"role": "assistant", "content": words, "tool_calls": [call]});
        let whole =
            json!({"model": words, "choices": [{"message": message}], (words.clone()): words});
        match request.number % 4 {
            0 | 1 => Response::json(200, &whole),
            2 => Response::json(400, &json!({"error": {"message": words}})),
            _ => Response::new(401, "text/html", format!("<title>{words}</title>")),
        }
    }
}

/// A stream that spreads its words over as many events as there are letters.
fn streamed(letters: &[String]) -> Response {
    let event = |delta: Value| format!("data: {}\n\n", json!({"choices": [{"delta": delta}]}));
    let said = letters.iter().map(|letter| event(json!({"content": letter})));
    let called = letters.iter().map(|letter| {
        let function = json!({"name": null, "arguments": letter});
        event(json!({"tool_calls": [{"index": 0, "id": null, "function": function}]}))
    });
    let named = json!({"tool_calls": [{"index": 0, "id": "c", "function": {"name": "say"}}]});
    let all = said.chain([event(named)]).chain(called).chain(["data: [DONE]\n\n".to_owned()]);
    Response::stream(vec![all.collect::<String>()])
}

/// Everything a user can do with secrets, in one folder.
struct Scene {
    folder: tempfile::TempDir,
    secrets: Secrets,
    server: Server,
    shown: Vec<(String, Vec<u8>)>,
}

impl Scene {
    fn run(&mut self, arguments: &[&str]) {
        let mut command = toolgauge(self.folder.path(), arguments);
        // Servers that only repeat things fail every trial, and are run to their end.
        if arguments[0] == "run" {
            command.args(["--same-failures", "0", "--any-model"]);
        }
        command.env("OPENAI_API_KEY", self.secrets.get(0)).env("BOT_KEY", self.secrets.get(5));
        let output = command.output().unwrap();
        self.shown.push((arguments.join(" "), [output.stdout, output.stderr].concat()));
    }

    /// The address with a login and a query that are secrets.
    fn url(&self, path: &str) -> String {
        let (password, query) = (percent(self.secrets.get(1)), percent(self.secrets.get(2)));
        let host = self.server.url().replace("http://", "");
        format!("http://me:{password}@{host}{path}?key={query}")
    }

    /// Every way to run, each into logs.
    fn run_all(&mut self) {
        let folder = self.folder.path().to_owned();
        let url = self.url("/v1");
        let body = format!("api_key={}", json!(self.secrets.get(3)));
        let ask = ["run", ".", "-m", "any", "--base-url", &url, "--body", &body, "--retries", "0"];
        self.run(&ask);
        self.run(&[&ask[..], &["--stream", "--judge", "any", "--judge-base-url", &url]].concat());
        let anthropic = [&ask[..], &["--protocol", "anthropic"]].concat();
        self.run(&anthropic);
        self.run(&["prompt", ".", "--base-url", &url, "--body", &body]);
        let chat = self.url("/chat");
        self.run(&["run", ".", "-m", &format!("chatbot:{chat}"), "--retries", "0"]);
        let bot = json!({
            "http": {"url": chat, "headers": {"x-key": "Bearer ${BOT_KEY}"},
                "body": {"question": "{{ question }}", "token": self.secrets.get(4)}},
        });
        fs::write(folder.join("bot.yaml"), bot.to_string()).unwrap();
        self.run(&["run", ".", "-m", "chatbot:bot.yaml", "--retries", "0"]);
        let bot = "read question\necho \"$OPENAI_API_KEY $BOT_KEY $3\"\necho \"it was \
                   $OPENAI_API_KEY $3\" >&2\ncase \"$question\" in *1) exit 3;; esac\n";
        fs::write(folder.join("bot.sh"), bot).unwrap();
        let bot = json!({"command": ["sh", "bot.sh", "quiet", "--key", self.secrets.get(6)]});
        fs::write(folder.join("command.yaml"), bot.to_string()).unwrap();
        self.run(&["run", ".", "-m", "chatbot:command.yaml", "--retries", "0"]);
        let settings = format!("[server]\nbase_url = {}\n", json!(self.url("/v1")));
        fs::write(folder.join("toolgauge.toml"), settings).unwrap();
        self.run(&["config"]);
    }

    /// Every way to look at what was run.
    fn look_at_all(&mut self) {
        let logs = self.logs();
        assert!(logs.len() >= 6, "{logs:?}");
        let names: Vec<&str> = logs.iter().map(|log| log.to_str().unwrap()).collect();
        for name in &names {
            self.run(&["summary", "-v", name]);
            for format in ["html", "md", "csv", "json", "junit", "svg"] {
                self.run(&["report", name, "-o", "-", "--format", format]);
            }
        }
        self.run(&[&["summary", "--format", "json"], &names[..]].concat());
        self.run(&["summary", names[0], "--markdown", "gates.md", "--junit", "gates.xml"]);
        self.run(&[&["cases"], &names[..]].concat());
        self.run(&[&["compare"], &names[..2]].concat());
        self.run(&["history", "numbers"]);
        self.run(&["score", names[0], "--log-dir", "again"]);
        self.view(&names);
    }

    fn logs(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.folder.path().join("logs")).unwrap();
        let paths = entries.map(|entry| entry.unwrap().path());
        let mut logs: Vec<PathBuf> = paths.filter(|path| toolgauge_log::is_log(path)).collect();
        logs.sort();
        logs
    }

    fn view(&mut self, names: &[&str]) {
        let mut command = toolgauge(self.folder.path(), &["view", "--port", "0", "--no-cache"]);
        let mut child = command.stdout(std::process::Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        let mut out = std::io::BufReader::new(child.stdout.take().unwrap());
        std::io::BufRead::read_line(&mut out, &mut line).unwrap();
        let host = line.trim().replace("listening on http://", "").replace('/', "");
        let mut paths = vec!["/".to_owned()];
        for name in names {
            let log = Path::new(name).file_name().unwrap().to_str().unwrap();
            let page = |rest: &str| format!("/run/{log}{rest}");
            paths.extend([page(""), page("/case?id=n-0&trial=1"), page("/case?id=n-1&trial=1")]);
            paths.push(page("/raw?id=n-0&trial=1&what=response&turn=0"));
        }
        for path in paths {
            let mut stream = TcpStream::connect(&host).unwrap();
            write!(stream, "GET {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n")
                .unwrap();
            let mut page = Vec::new();
            stream.read_to_end(&mut page).unwrap();
            self.shown.push((path, page));
        }
        child.kill().unwrap();
        child.wait().unwrap();
    }

    /// All that was left in the folder, members of logs unpacked, but for what the user wrote.
    fn collect_files(&mut self) {
        let own = ["toolgauge.toml", "bot.yaml", "command.yaml"];
        let mut folders = vec![self.folder.path().to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                let name = path.file_name().unwrap().to_string_lossy().into_owned();
                if path.is_dir() {
                    folders.push(path);
                } else if toolgauge_log::is_log(&path) {
                    let mut archive = zip::ZipArchive::new(fs::File::open(&path).unwrap()).unwrap();
                    for index in 0..archive.len() {
                        let mut member = Vec::new();
                        archive.by_index(index).unwrap().read_to_end(&mut member).unwrap();
                        self.shown.push((format!("{name}, member {index}"), member));
                    }
                } else if !own.contains(&&*name) {
                    self.shown.push((name, fs::read(&path).unwrap()));
                }
            }
        }
    }

    fn assert_clean(&self) {
        let forms = self.secrets.forms();
        assert!(self.shown.len() > 60, "{}", self.shown.len());
        for (place, held) in &self.shown {
            let held = String::from_utf8_lossy(held);
            for form in &forms {
                let form = form.trim_end_matches('=');
                let at = held.find(form).map(|at| {
                    let start =
                        (0..=at.saturating_sub(80)).rev().find(|i| held.is_char_boundary(*i));
                    held[start.unwrap_or(0)..].chars().take(300).collect::<String>()
                });
                assert_eq!(at, None, "`{form}` is in {place}");
            }
        }
    }
}

#[test]
#[cfg(unix)]
fn no_output_holds_a_secret_in_any_form() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    for seed in [1, 2] {
        let secrets = Secrets::drawn(seed);
        let server = runtime.block_on(Server::start(gossip(secrets.0.clone())));
        let mut scene = Scene { folder: suite(2), secrets, server, shown: Vec::new() };
        scene.run_all();
        scene.look_at_all();
        scene.collect_files();
        scene.assert_clean();
        // It was not clean because nothing was said.
        let said: Vec<String> = scene.shown.iter().map(|(_, held)| text_of(held)).collect();
        assert!(said.iter().filter(|held| held.contains("[redacted]")).count() > 20);
    }
}

fn text_of(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
