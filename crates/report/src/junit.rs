//! Gates as a `JUnit` report, which every build server can show.

use std::fmt::Write;

use crate::gate::GateResult;

/// The report: a test case for each gate, by the run it was judged on.
pub fn junit(results: &[GateResult]) -> String {
    let failures = results.iter().filter(|result| !result.passed).count();
    let mut xml = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let all = results.len();
    let _ = writeln!(
        xml,
        "<testsuites name=\"toolgauge\" tests=\"{all}\" failures=\"{failures}\">\n  <testsuite \
         name=\"gates\" tests=\"{all}\" failures=\"{failures}\">"
    );
    for result in results {
        test_case(&mut xml, result);
    }
    xml.push_str("  </testsuite>\n</testsuites>\n");
    xml
}

fn test_case(xml: &mut String, result: &GateResult) {
    let (run, gate) = (escaped(&result.run), escaped(&result.gate));
    let _ = write!(xml, "    <testcase classname=\"{run}\" name=\"{gate}\"");
    if result.passed {
        xml.push_str("/>\n");
        return;
    }
    let message = escaped(&result.message);
    let _ = writeln!(
        xml,
        ">\n      <failure message=\"{message}\" type=\"gate\">{}</failure>\n    </testcase>",
        escaped(&result.to_string())
    );
}

/// Text as XML has it. Characters that XML 1.0 cannot hold at all become the replacement mark.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\n' | '\t' => escaped.push(character),
            '\u{0}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            _ => escaped.push(character),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn nothing_in_a_name_can_break_the_report() {
        assert_eq!(escaped("a<b & \"c\"\u{1}>"), "a&lt;b &amp; &quot;c&quot;\u{fffd}&gt;");
    }
}
