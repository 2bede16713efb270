//! A folder of logs with a viewer over it.

use std::net::SocketAddr;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;
use tokio::net::TcpListener;
use toolgauge_view::{RerunCommand, Viewer, serve};

use crate::http::{Answer, send};

/// A viewer over a folder, for as long as the test lives.
pub(crate) struct Shown {
    pub(crate) folder: TempDir,
    pub(crate) address: SocketAddr,
}

impl Shown {
    /// A viewer over what `fill` puts into a folder.
    pub(crate) fn over(fill: impl FnOnce(&Path)) -> Self {
        Self::set_up(fill, |_| {})
    }

    /// The same, of a viewer that `change` sets up.
    pub(crate) fn set_up(fill: impl FnOnce(&Path), change: impl FnOnce(&mut Viewer)) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fill(folder.path());
        let mut viewer = Viewer::new(folder.path());
        viewer.command = |run, case, _| {
            let arguments = ["run", &run.suite.name, "--case", case.as_str()];
            let arguments = arguments.map(str::to_owned).into();
            Some(RerunCommand { arguments, refusal: None })
        };
        change(&mut viewer);
        let (tell, told) = std::sync::mpsc::channel();
        thread::spawn(move || {
            let runtime = tokio::runtime::Runtime::new().unwrap();
            runtime.block_on(async {
                let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
                tell.send(listener.local_addr().unwrap()).unwrap();
                serve(listener, viewer, std::future::pending()).await.unwrap();
            });
        });
        Self { folder, address: told.recv().unwrap() }
    }

    /// The name the server has for itself.
    pub(crate) fn host(&self) -> String {
        self.address.to_string()
    }

    /// The answer to a plain request.
    pub(crate) fn get(&self, path: &str) -> Answer {
        send(self.address, &format!("GET {path}"), &[("host", &self.host())], "")
    }

    /// The body of a page that must be there, once it is not being read any more.
    pub(crate) fn page(&self, path: &str) -> String {
        let began = Instant::now();
        loop {
            let answer = self.get(path);
            assert_eq!(answer.status, 200, "{path}: {}", answer.body);
            if !answer.body.contains(r#"data-version="building""#)
                && !answer.body.contains("being read …")
            {
                return answer.body;
            }
            assert!(began.elapsed() < Duration::from_mins(1), "{path} is never ready");
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Sends a form.
    pub(crate) fn post(&self, path: &str, headers: &[(&str, &str)], form: &str) -> Answer {
        let host = self.host();
        let mut all = vec![("host", host.as_str())];
        all.extend_from_slice(headers);
        send(self.address, &format!("POST {path}"), &all, form)
    }
}
