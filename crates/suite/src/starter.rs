//! A small working suite to start from, with comments that explain it.

/// The files of a small working suite, by name. The suite gets the given name.
pub fn starter(name: &str) -> Vec<(&'static str, String)> {
    let suite = include_str!("../template/suite.yaml");
    vec![
        ("suite.yaml", suite.replace("name: my-suite", &format!("name: {name}"))),
        ("cases.csv", include_str!("../template/cases.csv").to_owned()),
    ]
}
