//! The business world holds: nothing can be changed, nothing outside read, nothing goes on forever.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};
use tempfile::TempDir;
use toolgauge_business::{
    BusinessWorld, Database, DatabaseError, DocumentError, Documents, QueryError, QueryLimits,
};
use toolgauge_core::{Case, Proof, ToolCall};
use toolgauge_world::{ToolReply, World};

const SCRIPT: &str = "
CREATE TABLE tenants (tenant_id INTEGER PRIMARY KEY, full_name TEXT NOT NULL, rent NUMERIC);
INSERT INTO tenants VALUES (1, 'Ada Lund', 1450), (2, 'Ben Ortiz', 1210.5), (3, 'Cy ''O'' Neil', NULL);
CREATE TABLE numbers (n INTEGER);
WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 1000)
INSERT INTO numbers SELECT n FROM c;
";

/// Time enough for any of these queries on the slowest machine.
fn limits() -> QueryLimits {
    QueryLimits { time: Duration::from_mins(1), ..QueryLimits::default() }
}

/// As [`in_memory`], for queries that would go on for ever.
fn impatient() -> Database {
    let limits = QueryLimits { time: Duration::from_millis(300), ..QueryLimits::default() };
    Database::from_bytes("database.sql", SCRIPT.into(), limits).unwrap()
}

fn in_memory() -> Database {
    Database::from_bytes("database.sql", SCRIPT.into(), limits()).unwrap()
}

/// The same data in a file on disk.
fn on_disk(folder: &Path) -> Database {
    let file = folder.join("company.db");
    let connection = rusqlite::Connection::open(&file).unwrap();
    connection.execute_batch(SCRIPT).unwrap();
    drop(connection);
    Database::open(&file, limits()).unwrap()
}

fn write(folder: &Path, file: &str, text: impl AsRef<[u8]>) {
    let path = folder.join(file);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn papers(folder: &Path) -> Documents {
    write(folder, "leases/maple-2a.md", "# Lease of 2A\n\n## Pets\n\nOne cat is allowed.\n");
    write(folder, "leases/oak-1.txt", "LEASE\n\nThe rent is due on the first of the month.\n");
    write(folder, "notice.html", "<title>Notice</title><p>The water is off on <b>Monday</b>.");
    write(folder, "tax/1099.csv", "vendor,amount\nHale Roofing,\"12,400.00\"\n");
    Documents::from_folder(folder).unwrap()
}

fn call(world: &BusinessWorld, tool: &str, arguments: Value) -> ToolReply {
    let Value::Object(arguments) = arguments else { unreachable!("tests pass objects") };
    let case = Case::new("any", "a question");
    world.enter(&case).call(&ToolCall::new(tool, arguments))
}

#[test]
fn rows_come_as_compact_json() {
    let world = BusinessWorld::new(Some(in_memory()), None);
    let sql = "SELECT full_name, rent FROM tenants ORDER BY tenant_id";
    let reply = call(&world, "query_database", json!({"sql": sql}));
    let wanted = r#"{"columns":["full_name","rent"],"rows":[["Ada Lund",1450],["Ben Ortiz",1210.5],["Cy 'O' Neil",null]],"row_count":3}"#;
    assert_eq!(reply, ToolReply::done(wanted));
}

/// Every way to change something that comes to mind, and what the answer must say.
const WRITES: [(&str, &str); 34] = [
    ("INSERT INTO tenants VALUES (9, 'x', 1)", "insert into `tenants`"),
    ("UPDATE tenants SET rent = 0", "update `tenants`"),
    ("DELETE FROM tenants", "delete from `tenants`"),
    ("REPLACE INTO tenants VALUES (1, 'x', 1)", "insert into `tenants`"),
    ("INSERT INTO tenants SELECT * FROM tenants RETURNING *", "insert into `tenants`"),
    ("WITH t AS (SELECT 1) DELETE FROM tenants RETURNING full_name", "delete from `tenants`"),
    ("DROP TABLE tenants", "read-only"),
    ("CREATE TABLE t (a)", "change the schema"),
    ("CREATE TEMP TABLE t (a)", "read-only"),
    ("CREATE TEMPORARY TABLE t AS SELECT * FROM tenants", "read-only"),
    ("CREATE VIEW v AS SELECT 1", "read-only"),
    ("CREATE INDEX i ON tenants (rent)", "read-only"),
    ("CREATE VIRTUAL TABLE f USING fts5(a)", "read-only"),
    ("CREATE TRIGGER g AFTER INSERT ON tenants BEGIN DELETE FROM tenants; END", "read-only"),
    ("ALTER TABLE tenants ADD COLUMN x", "read-only"),
    ("REINDEX", "read-only"),
    ("ANALYZE", "read-only"),
    ("VACUUM", "read-only"),
    ("VACUUM INTO 'copy.db'", "read-only"),
    ("ATTACH 'other.db' AS other", "attach a database"),
    ("ATTACH DATABASE ':memory:' AS other", "attach a database"),
    ("DETACH main", "detach a database"),
    ("BEGIN IMMEDIATE", "transaction"),
    ("SAVEPOINT s", "transaction"),
    ("PRAGMA query_only = OFF", "the pragma `query_only`"),
    ("PRAGMA writable_schema = ON", "the pragma `writable_schema`"),
    ("PRAGMA journal_mode = WAL", "the pragma `journal_mode`"),
    ("PRAGMA user_version = 7", "the pragma `user_version`"),
    ("PRAGMA hard_heap_limit = 0", "the pragma `hard_heap_limit`"),
    ("SELECT load_extension('./evil.so')", "load_extension"),
    ("SELECT fts3_tokenizer('simple', x'00')", "fts3_tokenizer"),
    ("EXPLAIN DELETE FROM tenants", "delete from `tenants`"),
    ("/* SELECT */ DELETE /* FROM */ FROM tenants -- SELECT 1", "delete from `tenants`"),
    ("SELECT writefile('x', 'y')", "no such function"),
];

#[test]
fn every_attempt_to_write_is_refused_and_nothing_changes() {
    let folder = TempDir::new().unwrap();
    let file = on_disk(folder.path());
    let before = fs::read(folder.path().join("company.db")).unwrap();
    let memory = in_memory();
    for (sql, wanted) in WRITES {
        for database in [&file, &memory] {
            let error = database.query(sql).unwrap_err().to_string();
            assert!(error.contains(wanted), "{sql}: {error}");
        }
    }
    assert_eq!(fs::read(folder.path().join("company.db")).unwrap(), before);
    let files: Vec<_> = fs::read_dir(folder.path()).unwrap().collect();
    assert_eq!(files.len(), 1, "nothing was made beside the database: {files:?}");
    for database in [file, memory] {
        let rows = database.query("SELECT count(*), sum(rent) FROM tenants").unwrap();
        assert_eq!(rows.rows, [[json!(3), json!(2660.5)]]);
    }
}

#[test]
fn one_statement_at_a_time_is_run() {
    let database = in_memory();
    assert_eq!(database.query("SELECT 1; SELECT 2"), Err(QueryError::Several));
    let error = database.query("SELECT 1; DROP TABLE tenants").unwrap_err();
    assert!(matches!(error, QueryError::NotAllowed(_)), "{error}");
    for nothing in ["", "  ", ";", "-- nothing", "/* nothing */;"] {
        assert_eq!(database.query(nothing), Err(QueryError::Empty), "{nothing:?}");
    }
    let rows = database.query("-- one\n SELECT 1; -- and no more\n ;").unwrap();
    assert_eq!(rows.rows, [[json!(1)]]);
}

#[test]
fn what_tells_of_tables_is_allowed() {
    let database = in_memory();
    for sql in [
        "PRAGMA table_info(tenants)",
        "SELECT name FROM pragma_table_info('tenants')",
        "SELECT sql FROM sqlite_master",
        "EXPLAIN QUERY PLAN SELECT * FROM tenants",
        "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 5) SELECT * FROM c",
        "SELECT strftime('%Y', '2026-03-01'), json_extract('{\"a\": 1}', '$.a'), round(2.5)",
        "VALUES (1), (2)",
    ] {
        assert!(!database.query(sql).unwrap().rows.is_empty(), "{sql}");
    }
}

#[test]
fn an_error_is_told_in_the_words_of_the_engine() {
    let database = in_memory();
    let error = |sql: &str| database.query(sql).unwrap_err().to_string();
    assert_eq!(error("SELECT name FROM tenants"), "no such column: name");
    assert_eq!(error("SELECT * FROM landlords"), "no such table: landlords");
    assert!(error("SELEC 1").contains("syntax error"));
    let world = BusinessWorld::new(Some(database), None);
    let reply = call(&world, "query_database", json!({"sql": "SELECT x FROM y"}));
    assert_eq!(reply, ToolReply::failed(r#"{"error":"no such table: y"}"#));
    assert!(call(&world, "query_database", json!({"query": "SELECT 1"})).failed);
    assert!(call(&world, "search_document_content", json!({"query": "x"})).failed);
}

/// Queries that would not end, or would fill the memory.
const GREEDY: [&str; 11] = [
    "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT count(*) FROM c",
    "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT n FROM c ORDER BY n",
    "SELECT count(*) FROM numbers a, numbers b, numbers c, numbers d",
    "SELECT a.n FROM numbers a, numbers b, numbers c, numbers d ORDER BY random()",
    "SELECT zeroblob(1000000000)",
    "SELECT length(randomblob(1000000000))",
    "SELECT printf('%*d', 1000000000, 1)",
    "SELECT group_concat(hex(zeroblob(10000))) FROM numbers a, numbers b",
    "WITH RECURSIVE c(x) AS (SELECT 'xxxxxxxxxx' UNION ALL SELECT x || x FROM c) SELECT max(x) FROM c",
    "SELECT zeroblob(900000) FROM numbers a, numbers b ORDER BY random()",
    "SELECT replace(hex(zeroblob(400000)), '00', 'xxxxxxxxxxxxxxxx')",
];

#[test]
fn no_query_goes_on_forever_or_fills_the_memory() {
    let database = impatient();
    for sql in GREEDY {
        let started = Instant::now();
        let error = database.query(sql).unwrap_err();
        let stopped =
            matches!(error, QueryError::TooSlow(_) | QueryError::TooLarge | QueryError::LongRow(_));
        assert!(stopped, "{sql}: {error}");
        assert!(started.elapsed() < Duration::from_secs(30), "{sql}: {:?}", started.elapsed());
    }
    assert_eq!(database.query("SELECT 1").unwrap().rows, [[json!(1)]]);
}

#[test]
fn a_call_that_cannot_be_interrupted_is_left_behind() {
    let database = impatient();
    // One function call that compares for minutes.
    let sql = "SELECT instr(hex(zeroblob(490000)), hex(zeroblob(240000)) || '1') \
               + instr(hex(zeroblob(490001)), hex(zeroblob(240000)) || '1')";
    let started = Instant::now();
    let answer = database.query(sql);
    assert!(started.elapsed() < Duration::from_secs(30), "{:?}", started.elapsed());
    if let Err(error) = answer {
        assert!(matches!(error, QueryError::TooSlow(_)), "{error}");
    }
    assert!(database.query("SELECT 1").is_ok());
}

#[test]
fn a_long_result_is_cut_and_says_so() {
    let database = in_memory();
    let rows = database.query("SELECT n FROM numbers ORDER BY n").unwrap();
    assert_eq!(rows.rows.len(), 200);
    assert!(rows.cut.as_ref().unwrap().contains("first 200 rows"), "{rows:?}");
    let wide = database.query("SELECT n, hex(zeroblob(2000)) FROM numbers").unwrap();
    assert!(wide.to_json().len() < 65_000, "{}", wide.to_json().len());
    assert!(wide.cut.as_ref().unwrap().contains("64000 bytes"), "{:?}", wide.cut);
    let exact = database.query("SELECT n FROM numbers LIMIT 200").unwrap();
    assert_eq!((exact.rows.len(), exact.cut), (200, None));
    let error = database.query("SELECT hex(zeroblob(100000))").unwrap_err();
    assert_eq!(error, QueryError::LongRow(64_000));
}

#[test]
fn bytes_are_told_of_and_broken_text_is_mended() {
    let rows = in_memory().query("SELECT x'00ff', CAST(x'61ff' AS TEXT)").unwrap();
    assert_eq!(rows.rows, [[json!("<2 bytes>"), json!("a\u{fffd}")]]);
}

#[test]
fn many_can_ask_at_once() {
    let folder = TempDir::new().unwrap();
    let database = on_disk(folder.path());
    let asked = |number: i64| {
        let database = database.clone();
        thread::spawn(move || {
            for at in 0..20 {
                let sql = format!("SELECT n FROM numbers WHERE n = {}", number * 20 + at + 1);
                let rows = database.query(&sql).unwrap();
                assert_eq!(rows.rows, [[json!(number * 20 + at + 1)]]);
            }
        })
    };
    let threads: Vec<_> = (0..8).map(asked).collect();
    for thread in threads {
        thread.join().unwrap();
    }
}

#[test]
fn a_file_that_others_write_to_is_read_as_it_is() {
    let folder = TempDir::new().unwrap();
    let database = on_disk(folder.path());
    let writer = rusqlite::Connection::open(folder.path().join("company.db")).unwrap();
    writer.execute("INSERT INTO tenants VALUES (4, 'Di Park', 900)", []).unwrap();
    let rows = database.query("SELECT count(*) FROM tenants").unwrap();
    assert_eq!(rows.rows, [[json!(4)]]);
}

#[test]
fn a_database_can_come_as_bytes_even_with_a_write_ahead_log() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("wal.db");
    let connection = rusqlite::Connection::open(&file).unwrap();
    connection.pragma_update(None, "journal_mode", "WAL").unwrap();
    connection.execute_batch(SCRIPT).unwrap();
    drop(connection);
    let bytes = fs::read(&file).unwrap();
    let database = Database::from_bytes("wal.db", bytes, limits()).unwrap();
    assert_eq!(database.query("SELECT count(*) FROM tenants").unwrap().rows, [[json!(3)]]);
}

#[test]
fn a_full_text_table_of_ones_own_can_be_asked() {
    let script = "CREATE VIRTUAL TABLE notes USING fts5(body); \
                  INSERT INTO notes VALUES ('roof leaks'), ('rent paid');";
    let database = Database::from_bytes("a.sql", script.into(), limits()).unwrap();
    let rows = database.query("SELECT body FROM notes WHERE notes MATCH 'roof'").unwrap();
    assert_eq!(rows.rows, [[json!("roof leaks")]]);
    assert_eq!(database.schema(), "CREATE VIRTUAL TABLE notes USING fts5(body);");
}

#[test]
fn what_is_wrong_with_a_database_is_placed() {
    let error = |file: &str, bytes: &[u8]| {
        Database::from_bytes(file, bytes.to_vec(), limits()).unwrap_err().to_string()
    };
    let found = error("database.sql", b"CREATE TABLE t (a);\nINSERT INTO u VALUES (1);\n");
    assert_eq!(found, "database.sql:2: no such table: u");
    assert_eq!(error("a.sql", b"SELECT 1;\n\xff"), "a.sql:2: the text is not UTF-8");
    assert_eq!(error("a.sql", b"-- nothing yet"), "`a.sql` has no table");
    assert!(error("a.db", b"this is no database, whatever its name says").contains("`a.db`"));
    let missing = Database::open(Path::new("no/such.db"), limits()).unwrap_err();
    assert!(matches!(missing, DatabaseError::Unreadable { .. }), "{missing}");
    let folder = TempDir::new().unwrap();
    let escape = format!("ATTACH '{}/x.db' AS x;", folder.path().display());
    assert!(error("a.sql", escape.as_bytes()).contains("not authorized"));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_database_with_a_name_that_is_no_text_is_refused_without_a_panic() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("a.db");
    let made = rusqlite::Connection::open(&path).unwrap();
    made.execute_batch("CREATE TABLE plain (zzzz INTEGER); CREATE VIEW v AS SELECT 1 AS one;")
        .unwrap();
    drop(made);
    let bytes = fs::read(&path).unwrap();
    for name in ["zzzz", "plain", "one"] {
        let mut damaged = bytes.clone();
        let places = bytes.windows(name.len()).enumerate();
        for (at, _) in places.filter(|(_, found)| *found == name.as_bytes()) {
            damaged[at] = 0xff;
        }
        let of_bytes = Database::from_bytes("a.db", damaged.clone(), limits());
        fs::write(&path, damaged).unwrap();
        for opened in [of_bytes, Database::open(&path, limits())] {
            let error = opened.unwrap_err().to_string();
            assert!(error.contains("utf-8"), "{name}: {error}");
        }
    }
}

#[test]
fn the_tools_tell_of_the_tables_and_the_folders() {
    let folder = TempDir::new().unwrap();
    let world = BusinessWorld::new(Some(in_memory()), Some(papers(folder.path())));
    let tools = world.tools(&Case::new("any", "a question"));
    let names: Vec<&str> = tools.iter().map(|tool| tool.name.as_str()).collect();
    assert_eq!(names, ["query_database", "search_document_content", "list_business_documents"]);
    assert!(tools[0].description.contains("full_name TEXT NOT NULL"), "{}", tools[0].description);
    assert!(tools[1].description.contains("4 documents"), "{}", tools[1].description);
    assert!(tools[2].description.ends_with("Folders: leases, tax."), "{}", tools[2].description);
}

#[test]
fn a_search_gives_passages_with_their_documents() {
    let folder = TempDir::new().unwrap();
    let world = BusinessWorld::new(None, Some(papers(folder.path())));
    let reply = call(&world, "search_document_content", json!({"query": "Are cats allowed?"}));
    let content: Value = serde_json::from_str(&reply.content).unwrap();
    let first = &content["results"][0];
    assert_eq!(first["document"], "leases/maple-2a.md");
    assert_eq!(first["heading"], "Lease of 2A > Pets");
    assert_eq!((&first["passage"], &first["text"]), (&json!(1), &json!("One cat is allowed.")));
    assert!(first["score"].as_f64().unwrap() > 0.0);
    assert_eq!(reply.sources, ["leases/maple-2a.md"]);

    let ask = |arguments: Value| call(&world, "search_document_content", arguments);
    assert_eq!(ask(json!({"query": "lease", "limit": 1})).sources.len(), 1);
    assert_eq!(ask(json!({"query": "MONDAYS' water"})).sources, ["notice.html"]);
    assert_eq!(ask(json!({"query": "hale 12,400"})).sources, ["tax/1099.csv"]);
    let only = ask(json!({"query": "lease cat", "document": "leases/oak-1.txt"}));
    assert_eq!(only.sources, ["leases/oak-1.txt"]);
    let nothing = ask(json!({"query": "zeppelin"}));
    assert!(!nothing.failed && nothing.content.contains("no passage"), "{nothing:?}");
    assert!(ask(json!({"query": " "})).failed);
    assert!(ask(json!({"query": "a", "limit": "lots"})).failed);
}

#[test]
fn a_list_can_be_narrowed() {
    let folder = TempDir::new().unwrap();
    let world = BusinessWorld::new(None, Some(papers(folder.path())));
    let ask = |arguments: Value| call(&world, "list_business_documents", arguments);
    let all = ask(json!({}));
    let content: Value = serde_json::from_str(&all.content).unwrap();
    assert_eq!((&content["count"], all.sources.len()), (&json!(4), 0));
    let first = json!({
        "id": "leases/maple-2a.md", "title": "Lease of 2A", "kind": "markdown", "bytes": 44,
        "first_line": "# Lease of 2A",
    });
    assert_eq!(content["documents"][0], first);
    assert_eq!(ask(json!({"folder": "leases/"})).sources.len(), 2);
    assert_eq!(ask(json!({"folder": "leases", "kind": "text"})).sources, ["leases/oak-1.txt"]);
    assert_eq!(ask(json!({"query": "the notice"})).sources, ["notice.html"]);
    for (arguments, wanted) in [
        (json!({"folder": "cellar"}), "known: leases, tax"),
        (json!({"kind": "video"}), "known: text, markdown, html, pdf, csv"),
        (json!({"folder": "../"}), "leaves the folder"),
    ] {
        let reply = ask(arguments);
        assert!(reply.failed && reply.content.contains(wanted), "{reply:?}");
    }
}

#[test]
fn no_id_leaves_the_folder() {
    let folder = TempDir::new().unwrap();
    let inside = folder.path().join("documents");
    write(folder.path(), "secret.txt", "the secret is 42");
    let world = BusinessWorld::new(None, Some(papers(&inside)));
    let absolute = folder.path().join("secret.txt").display().to_string();
    for id in
        ["../secret.txt", "leases/../../secret.txt", "..\\secret.txt", &absolute, "/etc/passwd"]
    {
        let arguments = json!({"query": "secret", "document": id});
        let reply = call(&world, "search_document_content", arguments);
        assert!(reply.failed && reply.content.contains("leaves the folder"), "{id}: {reply:?}");
    }
    let unknown = json!({"query": "secret", "document": "secret.txt"});
    let reply = call(&world, "search_document_content", unknown);
    assert!(reply.failed && reply.content.contains("there is no document"), "{reply:?}");
}

#[cfg(unix)]
#[test]
fn no_link_leads_out_of_the_folder() {
    use std::os::unix::fs::symlink;

    let folder = TempDir::new().unwrap();
    let inside = folder.path().join("documents");
    write(folder.path(), "secret.txt", "the secret is 42");
    write(&folder.path().join("more"), "secret.txt", "the secret is 43");
    fs::create_dir(&inside).unwrap();
    symlink(folder.path().join("secret.txt"), inside.join("link.txt")).unwrap();
    symlink(folder.path().join("more"), inside.join("folder")).unwrap();
    symlink(&inside, inside.join("round")).unwrap();
    let documents = papers(&inside);
    assert!(documents.search("secret", None, 10).unwrap().is_empty());
    let left_out: Vec<&str> =
        documents.warnings().iter().map(|warning| warning.file.as_str()).collect();
    assert_eq!(left_out, ["folder", "link.txt", "round"]);
}

#[test]
fn a_broken_document_is_left_out_and_the_others_serve() {
    let folder = TempDir::new().unwrap();
    write(folder.path(), "broken.pdf", "%PDF-1.7\nnot really");
    write(folder.path(), "latin.txt", b"caf\xe9");
    write(folder.path(), "empty.md", "");
    write(folder.path(), "photo.jpg", b"\xff\xd8");
    write(folder.path(), ".hidden.txt", "nothing");
    let documents = papers(folder.path());
    assert_eq!(documents.len(), 4);
    let left_out: Vec<String> = documents
        .warnings()
        .iter()
        .map(|warning| format!("{}: {}", warning.file, warning.why))
        .collect();
    assert_eq!(left_out.len(), 3, "{left_out:?}");
    assert!(left_out[0].starts_with("broken.pdf: it is no PDF that can be read"), "{left_out:?}");
    assert_eq!(
        left_out[1..],
        ["empty.md: there is no text in it", "latin.txt: line 1 is not UTF-8"]
    );
}

#[test]
fn a_folder_without_documents_is_refused() {
    let folder = TempDir::new().unwrap();
    write(folder.path(), "photo.jpg", b"\xff\xd8");
    let error = Documents::from_folder(folder.path()).unwrap_err();
    assert!(matches!(error, DocumentError::None { .. }), "{error}");
    let error = Documents::from_folder(&folder.path().join("none")).unwrap_err();
    assert!(matches!(error, DocumentError::Unreadable { .. }), "{error}");
}

/// A letter of one page, as a writer of PDF files makes them.
fn pdf(lines: &[&str]) -> Vec<u8> {
    let shown: Vec<String> = lines.iter().map(|line| format!("({line}) Tj T*\n")).collect();
    let stream = format!("BT /F1 10 Tf 14 TL 64 780 Td\n{}ET", shown.concat());
    let objects = [
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_owned(),
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 842] /Contents 4 0 R \
         /Resources << /Font << /F1 5 0 R >> >> >>"
            .to_owned(),
        format!("<< /Length {} >>\nstream\n{stream}\nendstream", stream.len()),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"
            .to_owned(),
    ];
    let mut file = String::from("%PDF-1.4\n");
    let mut starts = Vec::new();
    for (at, object) in objects.iter().enumerate() {
        starts.push(file.len());
        write!(file, "{} 0 obj\n{object}\nendobj\n", at + 1).unwrap();
    }
    let table = file.len();
    file += "xref\n0 6\n0000000000 65535 f \n";
    for start in starts {
        writeln!(file, "{start:010} 00000 n ").unwrap();
    }
    write!(file, "trailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n{table}\n%%EOF\n").unwrap();
    file.into_bytes()
}

#[test]
fn the_text_of_a_pdf_is_found() {
    let folder = TempDir::new().unwrap();
    let letter = pdf(&["First Bank", "We confirm the balance of $180,939.08."]);
    write(folder.path(), "bank/letter.pdf", letter);
    let documents = Documents::from_folder(folder.path()).unwrap();
    let document = documents.get("bank/letter.pdf").unwrap();
    assert_eq!(document.title, "First Bank");
    assert!(document.says("the balance of $180,939.08"), "{}", document.text);
    assert_eq!(documents.search("confirmed balances", None, 5).unwrap().len(), 1);
}

#[test]
fn a_proof_is_carried_out() {
    let folder = TempDir::new().unwrap();
    let world = BusinessWorld::new(Some(in_memory()), Some(papers(folder.path())));
    let prove = |value: Value| {
        let proof: Proof = serde_json::from_value(value).unwrap();
        world.evidence(&proof).unwrap()
    };
    let found =
        prove(json!({"sql": "SELECT full_name, rent FROM tenants WHERE tenant_id = 2"})).unwrap();
    assert_eq!(found.texts, ["Ben Ortiz", "1210.5"]);
    let rows = r#"{"columns":["full_name","rent"],"rows":[["Ben Ortiz",1210.5]],"row_count":1}"#;
    assert_eq!(found.rows.as_deref(), Some(rows));
    let none = "SELECT 1 FROM tenants WHERE rent > 9000";
    assert!(prove(json!({"sql": none, "empty": true})).unwrap().texts.is_empty());
    let passage = json!({"document": "leases/maple-2a.md", "passage": "One cat\n is allowed."});
    assert_eq!(prove(passage).unwrap().texts.len(), 1);
    for (proof, wanted) in [
        (json!({"sql": none}), "finds no row"),
        (json!({"sql": "SELECT 1", "empty": true}), "finds rows, and should not"),
        (json!({"sql": "SELECT wages"}), "no such column: wages"),
        (
            json!({"document": "leases/maple-2a.md", "passage": "Two cats"}),
            "does not say: Two cats",
        ),
        (json!({"document": "leases/none.md", "passage": "x"}), "there is no document"),
        (json!({"document": "../x.md", "passage": "x"}), "leaves the folder"),
        (json!({"passage": "x"}), "names no `document`"),
    ] {
        let why = prove(proof).unwrap_err();
        assert!(why.contains(wanted), "{why}");
    }
}

#[test]
fn a_case_that_names_what_is_not_there_is_complained_of() {
    let folder = TempDir::new().unwrap();
    let world = BusinessWorld::new(None, Some(papers(folder.path())));
    let mut case = Case::new("any", "a question");
    let answer = json!({
        "documents": {"notice.html": 1.0, "notices.html": 1.0},
    });
    case.expectation.answer = Some(serde_json::from_value(answer).unwrap());
    let complaints = world.complaints(&case);
    assert_eq!(complaints.len(), 1, "{complaints:?}");
    assert!(complaints[0].contains("`notices.html`"), "{complaints:?}");
}

#[test]
fn trials_share_one_world() {
    let world: Arc<dyn World> = Arc::new(BusinessWorld::new(Some(in_memory()), None));
    let case = Case::new("any", "a question");
    let threads: Vec<_> = (0..4)
        .map(|_| {
            let mut state = world.enter(&case);
            thread::spawn(move || {
                let sql =
                    Map::from_iter([("sql".to_owned(), json!("SELECT count(*) FROM numbers"))]);
                state.call(&ToolCall::new("query_database", sql))
            })
        })
        .collect();
    for thread in threads {
        assert!(thread.join().unwrap().content.contains("[[1000]]"));
    }
}

/// What one query gives, as JSON.
fn first_row(database: &Database, sql: &str) -> Value {
    json!(database.query(sql).unwrap().rows[0])
}

#[test]
fn a_database_lives_on_the_day_that_its_suite_names() {
    let limits = QueryLimits { today: Some(jiff::civil::date(2026, 3, 31)), ..limits() };
    let script = "CREATE TABLE bills (due TEXT DEFAULT CURRENT_DATE);
        INSERT INTO bills DEFAULT VALUES;
        CREATE VIEW late AS SELECT * FROM bills WHERE due < date('now', '+1 day');";
    let database = Database::from_bytes("database.sql", script.into(), limits).unwrap();
    let row = first_row(&database, "SELECT date('now', '+90 days'), date(), CURRENT_DATE");
    assert_eq!(row, json!(["2026-06-29", "2026-03-31", "2026-03-31"]));
    let row = first_row(&database, "SELECT datetime('NOW', 'localtime'), CURRENT_TIME");
    assert_eq!(row, json!(["2026-03-31 12:00:00", "12:00:00"]));
    let row = first_row(&database, "SELECT strftime('%Y-%m', 'now'), strftime('%d')");
    assert_eq!(row, json!(["2026-03", "31"]));
    let row = first_row(&database, "SELECT julianday('now') - julianday('2026-03-30 12:00')");
    assert_eq!(row, json!([1.0]));
    // Other times are computed as ever, and what the script itself calls today is the same day.
    let row = first_row(&database, "SELECT date('2024-02-28', '+1 day'), (SELECT due FROM late)");
    assert_eq!(row, json!(["2024-02-29", "2026-03-31"]));
    // What SQLite does not take for a time is none here either.
    assert_eq!(first_row(&database, "SELECT date('soon')"), json!([null]));
}
