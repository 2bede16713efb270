//! A program on a terminal: a pseudo-terminal of the system, and a screen that shows what a person
//! would see.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::num::NonZero;
use std::os::unix::ffi::OsStrExt;
use std::process::{Child, Command, ExitStatus};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

use crate::patience::PATIENCE;

/// A program that runs on a terminal of its own.
#[derive(Debug)]
pub struct Terminal {
    master: File,
    child: Child,
    seen: Arc<Mutex<Seen>>,
    reader: Option<JoinHandle<()>>,
}

/// What has come so far: as bytes, and as a screen.
struct Seen {
    bytes: Vec<u8>,
    screen: vt100::Parser,
}

impl std::fmt::Debug for Seen {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.screen.screen().contents())
    }
}

impl Terminal {
    /// Runs a program with all its streams on a new terminal of so many rows and columns, which
    /// is also the one its signals come from.
    ///
    /// # Panics
    ///
    /// When the system has no pseudo-terminal left, or the program cannot be started.
    pub fn run(program: &Command, rows: u16, columns: u16) -> Self {
        let (master, slave) = pair(rows, columns).expect("the system has pseudo-terminals");
        let mut command = on_own_terminal(program);
        let stream = || slave.try_clone().expect("a terminal can be opened again");
        command.env("TERM", "xterm-256color").env_remove("NO_COLOR");
        command.stdin(stream()).stdout(stream()).stderr(stream());
        let child = command.spawn().expect("the program is there");
        // What the command holds of the terminal must go, or its end is never seen.
        drop((command, slave));
        let size = |n| NonZero::new(n).expect("a terminal has rows and columns");
        let screen = vt100::Parser::new(size(rows), size(columns), 0);
        let seen = Arc::new(Mutex::new(Seen { bytes: Vec::new(), screen }));
        let (source, shared) = (master.try_clone().expect("a file can be cloned"), seen.clone());
        let reader = Some(thread::spawn(move || watch(source, &shared)));
        Self { master, child, seen, reader }
    }

    /// What a person sees, row by row, without what is blank at the end.
    pub fn screen(&self) -> String {
        self.with(|seen| seen.screen.screen().contents())
    }

    /// Everything that was written so far, escapes and all.
    pub fn written(&self) -> String {
        self.with(|seen| String::from_utf8_lossy(&seen.bytes).into_owned())
    }

    /// The row and column of the cursor, counted from 0, and whether it can be seen.
    pub fn cursor(&self) -> (u16, u16, bool) {
        self.with(|seen| {
            let (row, column) = seen.screen.screen().cursor_position();
            (row, column, !seen.screen.screen().hide_cursor())
        })
    }

    fn with<T>(&self, look: impl FnOnce(&Seen) -> T) -> T {
        look(&self.seen.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Waits until the screen is as wanted, and gives it.
    ///
    /// # Panics
    ///
    /// When it does not come to that in a minute.
    pub fn wait_for(&self, wanted: impl Fn(&str) -> bool) -> String {
        let start = Instant::now();
        loop {
            let screen = self.screen();
            if wanted(&screen) {
                return screen;
            }
            assert!(start.elapsed() < PATIENCE, "the screen stays at:\n{screen}");
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Types these characters; `\u{3}` is Ctrl-C.
    ///
    /// # Panics
    ///
    /// When the terminal is gone.
    pub fn press(&mut self, keys: &str) {
        self.master.write_all(keys.as_bytes()).expect("the terminal is there");
    }

    /// Waits for the program to end, and for all it wrote.
    ///
    /// # Panics
    ///
    /// When it does not end in a minute; it is killed then.
    pub fn end(&mut self) -> ExitStatus {
        let start = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().expect("a child can be waited for") {
                break status;
            }
            if start.elapsed() > PATIENCE {
                let _ = self.child.kill();
                panic!("the program does not end; the screen:\n{}", self.screen());
            }
            thread::sleep(Duration::from_millis(20));
        };
        if let Some(reader) = self.reader.take() {
            reader.join().expect("reading does not panic");
        }
        status
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Both ends of a new pseudo-terminal.
fn pair(rows: u16, columns: u16) -> io::Result<(File, File)> {
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY)?;
    grantpt(&master)?;
    unlockpt(&master)?;
    let name = ptsname(&master, Vec::new())?;
    let name = std::ffi::OsStr::from_bytes(name.as_bytes());
    let slave = OpenOptions::new().read(true).write(true).open(name)?;
    tcsetwinsize(&slave, Winsize { ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 })?;
    Ok((File::from(master), slave))
}

/// The command in a session of its own, so that Ctrl-C reaches it from its terminal. Nothing but
/// another program can do that without unsafe code.
fn on_own_terminal(program: &Command) -> Command {
    let mut command = Command::new("setsid");
    command.args(["--ctty", "--wait"]).arg(program.get_program()).args(program.get_args());
    for (name, value) in program.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    if let Some(folder) = program.get_current_dir() {
        command.current_dir(folder);
    }
    command
}

/// Reads until the last one who has the terminal open is gone.
fn watch(mut source: File, seen: &Mutex<Seen>) {
    let mut buffer = [0; 4096];
    while let Ok(read @ 1..) = source.read(&mut buffer) {
        let mut seen = seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.bytes.extend_from_slice(&buffer[..read]);
        seen.screen.process(&buffer[..read]);
    }
}
