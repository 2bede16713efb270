//! The last test binary of a test run: cargo takes the packages by name. It reports which checks
//! the binaries before it left out.

use std::io::Write as _;

use toolgauge_testkit::skipped_checks;

#[test]
fn skipped_checks_are_counted_and_named() {
    let skipped = skipped_checks();
    let mut report = format!("\n{} checks were skipped on this machine", skipped.len());
    if skipped.is_empty() {
        report = "\nno check was skipped".to_owned();
    }
    for check in &skipped {
        report += &format!("\n  {check}");
    }
    // Not by a macro: the test harness keeps back what those of a passing test print.
    std::io::stderr().write_all((report + "\n").as_bytes()).expect("stderr can be written");
}
