//! Ctrl-C: once to stop gently, twice to stop now.

use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use toolgauge_runner::Stop;

use crate::stage::Stage;

/// Listens for Ctrl-C (and a polite kill) for as long as the returned task lives. The first one
/// stops the run from starting trials and gives those under way `grace` to end; the second one
/// ends it at once.
pub(crate) fn listen(stop: &Stop, grace: Duration, stage: &Stage) {
    let (stop, stage) = (stop.clone(), stage.clone());
    tokio::spawn(async move {
        interrupted().await;
        stop.gently.cancel();
        stage.tell("stopping: trials under way may end; press Ctrl-C again to stop now");
        tokio::select! {
            () = interrupted() => {}
            () = tokio::time::sleep(grace) => stage.tell("trials under way took too long and are dropped"),
        }
        stop.now.cancel();
    });
}

/// Says so when Ctrl-C or a polite kill comes, to work that does not wait for anything else. When
/// there is no way to listen, the system's own way of stopping stays in force.
pub(crate) fn noticed() -> Receiver<()> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build();
        match runtime {
            Ok(runtime) => runtime.block_on(interrupted()),
            // The receiver would take a sender that is gone for an interrupt.
            Err(_) => loop {
                thread::park();
            },
        }
        let _ = sender.send(());
    });
    receiver
}

/// Waits for Ctrl-C or a polite kill.
#[cfg(unix)]
pub(crate) async fn interrupted() {
    use tokio::signal::unix::{SignalKind, signal};
    let Ok(mut terminate) = signal(SignalKind::terminate()) else {
        return std::future::pending().await;
    };
    tokio::select! {
        _ = tokio::signal::ctrl_c() => {}
        _ = terminate.recv() => {}
    }
}

/// Waits for Ctrl-C.
#[cfg(not(unix))]
pub(crate) async fn interrupted() {
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}
