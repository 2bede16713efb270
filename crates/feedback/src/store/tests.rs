use super::*;

fn said(case: &str, author: &str) -> Feedback {
    Feedback {
        run: RunId::new("run-1"),
        suite: "property-manager".into(),
        case: CaseId::new(case),
        trial: 1,
        author: author.into(),
        thumb: Some(Thumb::Down),
        comment: "wrong quarter".into(),
        correction: Some("$128,450".into()),
        at: Timestamp::UNIX_EPOCH,
    }
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

#[test]
fn feedback_comes_back_as_it_was_given() {
    let folder = folder();
    let store = FeedbackStore::open(folder.path()).unwrap();
    let id = store.add(&said("fin-1", "ann")).unwrap();
    drop(store);
    let store = FeedbackStore::open_existing(folder.path()).unwrap().unwrap();
    assert_eq!(store.all().unwrap(), [FeedbackEntry { id, feedback: said("fin-1", "ann") }]);
    assert_eq!(store.get(id).unwrap().unwrap().feedback, said("fin-1", "ann"));
}

#[test]
fn another_opinion_of_the_same_person_replaces_the_first() {
    let folder = folder();
    let store = FeedbackStore::open(folder.path()).unwrap();
    let first = store.add(&said("fin-1", "ann")).unwrap();
    let changed = Feedback { thumb: Some(Thumb::Up), ..said("fin-1", "ann") };
    assert_eq!(store.add(&changed).unwrap(), first);
    store.add(&said("fin-1", "bob")).unwrap();
    let thumbs: Vec<_> = store.all().unwrap().iter().map(|entry| entry.feedback.thumb).collect();
    assert_eq!(thumbs, [Some(Thumb::Up), Some(Thumb::Down)]);
}

#[test]
fn feedback_is_found_by_run_and_by_case() {
    let folder = folder();
    let store = FeedbackStore::open(folder.path()).unwrap();
    store.add(&said("fin-1", "ann")).unwrap();
    store.add(&said("fin-2", "ann")).unwrap();
    store.add(&Feedback { run: RunId::new("run-2"), ..said("fin-1", "ann") }).unwrap();
    let run = RunId::new("run-1");
    assert_eq!(store.of_run(&run).unwrap().len(), 2);
    assert_eq!(store.of_case(&run, &CaseId::new("fin-2")).unwrap().len(), 1);
}

#[test]
fn what_is_removed_is_gone() {
    let folder = folder();
    let store = FeedbackStore::open(folder.path()).unwrap();
    let id = store.add(&said("fin-1", "ann")).unwrap();
    assert!(store.remove(id).unwrap());
    assert!(!store.remove(id).unwrap());
    assert!(store.all().unwrap().is_empty());
}

#[test]
fn looking_for_feedback_makes_no_file() {
    let folder = folder();
    assert!(FeedbackStore::open_existing(folder.path()).unwrap().is_none());
    assert!(!folder.path().join(FILE_NAME).exists());
}

#[test]
fn a_file_of_a_later_version_is_refused() {
    let folder = folder();
    drop(FeedbackStore::open(folder.path()).unwrap());
    let connection = Connection::open(folder.path().join(FILE_NAME)).unwrap();
    connection.pragma_update(None, "user_version", VERSION + 1).unwrap();
    let error = FeedbackStore::open(folder.path()).unwrap_err();
    assert!(matches!(error, FeedbackError::TooNew { found, .. } if found == VERSION + 1));
}

#[test]
fn a_file_that_is_no_database_is_an_error_and_stays_as_it_is() {
    let folder = folder();
    let file = folder.path().join(FILE_NAME);
    std::fs::write(&file, "not a database, but long enough to look at: ".repeat(20)).unwrap();
    let before = std::fs::read(&file).unwrap();
    FeedbackStore::open(folder.path()).unwrap_err();
    assert_eq!(std::fs::read(&file).unwrap(), before);
}

#[test]
fn two_writers_at_once_lose_nothing() {
    let folder = folder();
    std::thread::scope(|scope| {
        for author in ["ann", "bob"] {
            let path = folder.path();
            scope.spawn(move || {
                let store = FeedbackStore::open(path).unwrap();
                for number in 0..25 {
                    store.add(&said(&format!("case-{number}"), author)).unwrap();
                }
            });
        }
    });
    assert_eq!(FeedbackStore::open(folder.path()).unwrap().all().unwrap().len(), 50);
}

#[cfg(unix)]
#[test]
fn feedback_is_not_kept_through_a_link() {
    let (folder, elsewhere) = (folder(), folder());
    drop(FeedbackStore::open(elsewhere.path()).unwrap());
    for target in [FILE_NAME, "new.sqlite"] {
        let target = elsewhere.path().join(target);
        let before = std::fs::read(&target).ok();
        let link = folder.path().join(FILE_NAME);
        let _ = std::fs::remove_file(&link);
        std::os::unix::fs::symlink(&target, &link).unwrap();
        for error in [
            FeedbackStore::open(folder.path()).unwrap_err(),
            FeedbackStore::open_existing(folder.path()).unwrap_err(),
        ] {
            assert!(matches!(error, FeedbackError::NotAFile { .. }), "{error}");
        }
        assert_eq!(std::fs::read(&target).ok(), before);
    }
}
