use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use super::*;

const NO_INPUTS: &[&Path] = &[];

/// The names in a folder, in order.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("the folder is there");
    let mut names: Vec<_> =
        entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn a_file_is_replaced_only_when_the_new_one_is_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.md");
    fs::write(&path, "old").unwrap();
    let mut file = OutputFile::create(&path, NO_INPUTS).unwrap();
    file.write_all(b"new").unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "old");
    drop(file);
    assert_eq!(
        (names(folder.path()), fs::read_to_string(&path).unwrap()),
        (vec!["out.md".into()], "old".into())
    );
    replace_file(&path, "new").unwrap();
    assert_eq!(
        (names(folder.path()), fs::read_to_string(&path).unwrap()),
        (vec!["out.md".into()], "new".into())
    );
}

#[test]
fn two_writers_of_one_file_do_not_meet() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.md");
    let mut both = [(); 2].map(|()| OutputFile::create(&path, NO_INPUTS).unwrap());
    both[0].write_all(b"one").unwrap();
    both[1].write_all(b"other").unwrap();
    for file in both {
        file.finish().unwrap();
    }
    assert_eq!(
        (names(folder.path()), fs::read_to_string(&path).unwrap()),
        (vec!["out.md".into()], "other".into())
    );
}

#[test]
fn permissions_stay_as_they_were() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.md");
    for mode in [0o600, 0o640, 0o666, 0o755] {
        fs::write(&path, "old").unwrap();
        fs::set_permissions(&path, Permissions::from_mode(mode)).unwrap();
        replace_file(&path, "new").unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, mode);
    }
}

#[test]
fn a_link_stays_and_its_target_changes() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at("deep")).unwrap();
    fs::write(at("deep/there"), "old").unwrap();
    symlink("deep/there", at("direct")).unwrap();
    symlink("direct", at("twice")).unwrap();
    symlink("deep/new", at("dangling")).unwrap();
    symlink("itself", at("itself")).unwrap();
    for (link, target) in
        [("direct", "deep/there"), ("twice", "deep/there"), ("dangling", "deep/new")]
    {
        replace_file(&at(link), link).unwrap();
        assert!(fs::symlink_metadata(at(link)).unwrap().is_symlink());
        assert!(!fs::symlink_metadata(at(target)).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(at(target)).unwrap(), link);
    }
    assert!(replace_file(&at("itself"), "x").is_err());
    assert_eq!(names(&at("deep")), ["new", "there"]);
}

#[test]
fn an_input_is_refused_by_whatever_name() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("in.json"), "[]").unwrap();
    symlink("in.json", at("soft")).unwrap();
    fs::hard_link(at("in.json"), at("hard")).unwrap();
    for input in ["in.json", "soft", "hard"] {
        for path in ["in.json", "soft", "hard", "./in.json"] {
            let error = OutputFile::create(&at(path), &[at(input)]).unwrap_err();
            assert!(matches!(error, OutputError::Input { .. }), "{error}");
            assert!(OutputFile::check(&at(path), &[at("other"), at(input)]).is_err());
        }
    }
    assert!(OutputFile::check(&at("other"), &[at("in.json"), at("missing")]).is_ok());
}

#[test]
fn a_log_is_never_replaced_by_something_else() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("renamed"), b"PK\x03\x04 and more").unwrap();
    fs::write(at("log.json"), "{\n  \"version\": 2,\n  \"status\": \"success\",\n  \"eval\": {}}")
        .unwrap();
    fs::write(at("report.json"), "{\"runs\": []}").unwrap();
    symlink("missing.eval", at("link.md")).unwrap();
    for path in ["new.eval", "NEW.EVAL", "renamed", "log.json", "link.md"] {
        let error = replace_file(&at(path), "x").unwrap_err();
        assert!(matches!(error, OutputError::Log { .. } | OutputError::LogName { .. }), "{error}");
    }
    replace_file(&at("report.json"), "x").unwrap();
}

#[test]
fn folders_and_missing_folders_are_named_as_such() {
    let folder = tempfile::tempdir().unwrap();
    for (path, kind) in [
        (folder.path().to_owned(), io::ErrorKind::IsADirectory),
        (folder.path().join(".."), io::ErrorKind::IsADirectory),
        (folder.path().join("none/out.md"), io::ErrorKind::NotFound),
    ] {
        let OutputError::Io { source, .. } = replace_file(&path, "x").unwrap_err() else {
            panic!()
        };
        assert_eq!(source.kind(), kind);
    }
}
