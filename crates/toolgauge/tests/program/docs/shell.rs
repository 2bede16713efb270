//! A shell that types the commands of a page in a fresh folder, as a reader would.

use std::fmt::Write as _;
use std::fs::Permissions;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use indexmap::IndexMap;
use regex::Regex;
use tokio::runtime::Runtime;
use toolgauge_testkit::home_assistant::{HomeServer, HomeServerChanges, TOKEN};

use super::example::{Step, Typed};
use super::pages::repository;

/// Stands behind a command's output and status; no program prints it.
const END: char = '\u{1e}';

/// Stands between a command's output and status.
const STATUS: char = '\u{1f}';

/// The Home Assistant of the pages.
const HOME: &str = "http://homeassistant.local:8123";

/// Longer than any page takes on a busy machine.
const PATIENCE: Duration = Duration::from_mins(10);

/// `cargo`, which would build the program that is tested here.
const CARGO: &str = "#!/bin/sh\nwhile [ \"$1\" = run ] || [ \"$1\" = --release ]; do run=1; shift; \
                     done\n[ -z \"$run\" ] || { shift; exec toolgauge \"$@\"; }\n";

/// What a command printed, on both streams, and its exit status.
pub(super) struct Printed {
    pub(super) text: String,
    pub(super) status: i32,
}

/// Does what a page says, in a fresh folder that holds the demo logs of the repository as a clone
/// would. The result has an entry for each command.
pub(super) fn follow(steps: &[Step]) -> Vec<Printed> {
    let folder = tempfile::tempdir().unwrap();
    let aside = tempfile::tempdir().unwrap();
    let demo = folder.path().join("docs/demo");
    std::fs::create_dir_all(&demo).unwrap();
    for log in std::fs::read_dir(repository().join("docs/demo")).unwrap().map(Result::unwrap) {
        std::fs::copy(log.path(), demo.join(log.file_name())).unwrap();
    }
    let mut used = Replacements::default();
    let script = script(steps, aside.path(), &mut used);
    let path = aside.path().join("script.sh");
    std::fs::write(&path, script).unwrap();
    let text = run(&path, folder.path(), aside.path());
    let commands = steps.iter().filter(|step| step.typed().is_some()).count();
    let printed: Vec<Printed> =
        text.split_terminator(END).map(|part| used.as_shown(part)).collect();
    assert_eq!(printed.len(), commands, "the shell ended early:\n{text}");
    printed
}

fn run(script: &Path, folder: &Path, aside: &Path) -> String {
    let bin = aside.join("bin");
    std::fs::create_dir(&bin).unwrap();
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_toolgauge"), bin.join("toolgauge")).unwrap();
    std::fs::write(bin.join("cargo"), CARGO).unwrap();
    std::fs::set_permissions(bin.join("cargo"), Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    let mut command = Command::new("sh");
    command.arg(script).current_dir(folder).env("PATH", path).env("HOME", aside);
    command.env("NO_COLOR", "1").env("TZ", "UTC").env("COLUMNS", "80");
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("TOOLGAUGE_")) {
        command.env_remove(name);
    }
    command.env_remove("OPENAI_API_KEY").stdin(Stdio::null()).stdout(Stdio::piped());
    // A group of its own: servers in the background are ended with it.
    let child = command.process_group(0).spawn().unwrap();
    let group = format!("-{}", child.id());
    let (done, waiting) = std::sync::mpsc::channel::<()>();
    let watch = std::thread::spawn(move || {
        let _ = waiting.recv_timeout(PATIENCE);
        let _ = Command::new("kill").args(["-KILL", "--", &group]).stderr(Stdio::null()).status();
    });
    let output = child.wait_with_output().unwrap();
    drop(done);
    watch.join().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

/// The whole page as one script, so that variables, folders and `$?` are those of the command before.
fn script(steps: &[Step], aside: &Path, used: &mut Replacements) -> String {
    let mut script = "status=0\n".to_owned();
    for (number, step) in steps.iter().enumerate() {
        match step {
            Step::Write { file, text } => {
                let content = aside.join(format!("file-{number}"));
                std::fs::write(&content, used.in_use(text)).unwrap();
                let content = content.display();
                writeln!(script, "mkdir -p \"$(dirname '{file}')\" && cp {content} '{file}'")
                    .unwrap();
            }
            Step::Run(Typed { command, .. }) => {
                let command = used.in_use(command);
                let (command, background) = match command.trim_end().strip_suffix('&') {
                    Some(command) => (command.to_owned(), true),
                    None => (command, false),
                };
                if background {
                    let output = aside.join(format!("output-{number}")).display().to_string();
                    // A server is ready when it says so; a reader sees that too.
                    write!(
                        script,
                        "{{ {command}\n}} >{output} 2>&1 &\ntries=0\n\
                         until [ -s {output} ] || [ $tries = 300 ]; do sleep 0.1; tries=$((tries+1)); done\n\
                         cat {output}\nstatus=$?\n"
                    )
                    .unwrap();
                } else {
                    write!(script, "(exit $status)\n{{ {command}\n}} 2>&1\nstatus=$?\n").unwrap();
                }
                writeln!(script, "printf '\\037%s\\036' \"$status\"").unwrap();
            }
        }
    }
    script
}

/// What a page names, and what stands in its place here: free ports, and a Home Assistant that
/// answers as a real one was recorded to answer.
#[derive(Default)]
struct Replacements {
    ports: IndexMap<String, String>,
    home: Option<(HomeServer, Runtime)>,
}

impl Replacements {
    fn in_use(&mut self, text: &str) -> String {
        let port = Regex::new(r"(:|--port )(7878|80\d\d)\b").unwrap();
        let used = port.replace_all(text, |found: &regex::Captures<'_>| {
            let free = self.ports.entry(found[2].to_owned()).or_insert_with(free_port);
            format!("{}{free}", &found[1])
        });
        if !used.contains(HOME) {
            return used.replace("paste-your-token-here", TOKEN);
        }
        let (server, _) = self.home.get_or_insert_with(|| {
            let runtime = Runtime::new().unwrap();
            (runtime.block_on(HomeServer::start(HomeServerChanges::default())), runtime)
        });
        used.replace(HOME, &server.url)
    }

    /// What a command printed, with the names of the page.
    fn as_shown(&self, printed: &str) -> Printed {
        let (text, status) = printed.split_once(STATUS).unwrap();
        let mut text = text.to_owned();
        for (shown, used) in &self.ports {
            text = text.replace(&format!(":{used}"), &format!(":{shown}"));
        }
        if let Some((server, _)) = &self.home {
            text = text.replace(&server.url, HOME);
        }
        Printed { text, status: status.parse().unwrap() }
    }
}

fn free_port() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().port().to_string()
}
