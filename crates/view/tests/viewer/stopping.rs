//! The viewer ends when it is told to, and no other program holds it up.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use tokio::net::TcpListener;
use tokio::sync::oneshot;
use toolgauge_view::{Viewer, serve};

use crate::logs::{self, A};
use crate::shown::Shown;

/// A viewer over a folder that can be told to stop, and says when it has.
fn stoppable(folder: &Path) -> (SocketAddr, oneshot::Sender<()>, mpsc::Receiver<()>) {
    let viewer = Viewer::new(folder);
    let (stop, stopped) = oneshot::channel::<()>();
    let ((tell, told), (end, ended)) = (mpsc::channel(), mpsc::channel());
    thread::spawn(move || {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        runtime.block_on(async {
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            tell.send(listener.local_addr().unwrap()).unwrap();
            let stop = async { drop(stopped.await) };
            serve(listener, viewer, stop).await.unwrap();
        });
        end.send(()).unwrap();
    });
    (told.recv().unwrap(), stop, ended)
}

#[test]
fn connections_that_hang_do_not_hold_up_the_end() {
    let folder = tempfile::tempdir().unwrap();
    logs::two_runs(folder.path());
    let (address, stop, ended) = stoppable(folder.path());
    let send = |text: String| {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.write_all(text.as_bytes()).unwrap();
        stream
    };
    let head = format!("GET / HTTP/1.1\r\nhost: {address}\r\n");
    let form = format!("POST /feedback HTTP/1.1\r\nhost: {address}\r\ncontent-length: 999\r\n\r\n");
    // Half a head, half a body, and answers that nobody reads.
    let unread = format!("{head}\r\n").repeat(5_000);
    let hanging = [send(head), send(form), send(unread)];
    thread::sleep(Duration::from_millis(300));
    stop.send(()).unwrap();
    // Two seconds are promised; the machine may be busy.
    assert_eq!(ended.recv_timeout(Duration::from_secs(6)), Ok(()));
    drop(hanging);
}

#[test]
fn an_answer_that_is_under_way_is_given_before_the_end() {
    let folder = tempfile::tempdir().unwrap();
    logs::two_runs(folder.path());
    let (address, stop, ended) = stoppable(folder.path());
    let mut stream = TcpStream::connect(address).unwrap();
    write!(stream, "GET / HTTP/1.1\r\nhost: {address}\r\n\r\n").unwrap();
    let mut first = [0; 1];
    stream.read_exact(&mut first).unwrap();
    stop.send(()).unwrap();
    let mut rest = Vec::new();
    stream.read_to_end(&mut rest).unwrap();
    assert!(String::from_utf8_lossy(&rest).contains("</html>"));
    assert_eq!(ended.recv_timeout(Duration::from_secs(6)), Ok(()));
}

#[test]
fn a_locked_file_of_feedback_is_told_and_holds_up_no_other_page() {
    let shown = Shown::over(logs::two_runs);
    let page = shown.page(&format!("/run/{A}/case?id=lamp-3&trial=1"));
    let (_, token) = page.split_once(r#"name="token" value=""#).unwrap();
    let token = token.split('"').next().unwrap();
    let form = format!("token={token}&log={A}&id=lamp-3&trial=1&thumb=up");
    let origin = format!("http://{}", shown.host());
    let origin = [("origin", &*origin), ("content-type", "application/x-www-form-urlencoded")];
    assert_eq!(shown.post("/feedback", &origin, &form).status, 303);
    let file = shown.folder.path().join(toolgauge_feedback::FILE_NAME);
    let lock = rusqlite::Connection::open(file).unwrap();
    lock.execute_batch("BEGIN EXCLUSIVE").unwrap();
    thread::scope(|scope| {
        let writers: Vec<_> =
            (0..4).map(|_| scope.spawn(|| shown.post("/feedback", &origin, &form))).collect();
        thread::sleep(Duration::from_millis(200));
        let began = Instant::now();
        assert_eq!(shown.get("/").status, 200);
        assert!(began.elapsed() < Duration::from_millis(1_500), "{:?}", began.elapsed());
        for writer in writers {
            let answer = writer.join().unwrap();
            assert_eq!(answer.status, 503, "{}", answer.body);
            assert!(answer.body.contains("Another program is writing feedback"));
        }
    });
    drop(lock);
    assert_eq!(shown.post("/feedback", &origin, &form).status, 303);
}
