//! The last test binary of a test run: cargo takes the packages by name. It reports which checks
//! the binaries before it left out.

use std::io::Write as _;

use toolgauge_testkit::skipped_checks;

#[test]
fn skipped_checks_are_counted_and_named() {
    let skipped = skipped_checks();
    let report = match skipped.as_slice() {
        [] => "\nno check was skipped\n".to_owned(),
        checks => {
            let (count, names) = (checks.len(), checks.join("\n  "));
            format!("\n{count} checks were skipped on this machine:\n  {names}\n")
        }
    };
    // Not by a macro: the test harness keeps back what those of a passing test print.
    std::io::stderr().write_all(report.as_bytes()).expect("stderr can be written");
}
