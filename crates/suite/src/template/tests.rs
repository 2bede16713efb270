//! Tests of prompts.

use super::*;
use crate::source::{EmbeddedFiles, SuiteSource};

fn suite(head: &str) -> Suite {
    let text = format!(
        "name: t\ntools: [{{name: a, description: does <b> & 'c'}}]\n{head}\n\
         cases:\n  - {{id: one, say: hello, tags: {{tier: small}}, expect: {{call: a}}}}\n"
    );
    let files = [("suite.yaml".to_owned(), text.into_bytes().into())];
    crate::load(&SuiteSource::embedded("t", EmbeddedFiles::from(files))).unwrap()
}

fn render(suite: &Suite, variant: Option<&str>) -> Result<Option<String>, TemplateError> {
    render_system(suite, variant, suite.cases.first().map(AsRef::as_ref), &suite.tools)
}

#[test]
fn a_suite_without_a_prompt_has_none() {
    assert_eq!(render(&suite(""), None), Ok(None));
}

#[test]
fn json_is_written_for_models_and_not_for_browsers() {
    let suite =
        suite("system: '{{ tools[0].description | tojson }} {{ [1, {\"a\": 2}] | tojson }}'");
    let prompt = render(&suite, None).unwrap().unwrap();
    assert_eq!(prompt, r#""does <b> & 'c'" [1, {"a": 2}]"#);
}

#[test]
fn a_variant_changes_words_or_the_whole_prompt() {
    let suite = suite(
        "system: 'be {{ manner }}'\nvariables: {manner: kind}\n\
         variants: {terse: {variables: {manner: brief}}, silent: {system: hush}}",
    );
    assert_eq!(render(&suite, None).unwrap().unwrap(), "be kind");
    assert_eq!(render(&suite, Some("terse")).unwrap().unwrap(), "be brief");
    assert_eq!(render(&suite, Some("silent")).unwrap().unwrap(), "hush");
    assert!(matches!(
        render(&suite, Some("terze")),
        Err(TemplateError::UnknownVariant { known, .. }) if known == ["terse", "silent"]
    ));
}

#[test]
fn a_prompt_may_depend_on_the_case() {
    let suite = suite("system: 'tier {{ case.tags.tier | upper }}, {{ case.say.split()[0] }}'");
    assert!(system_depends_on_case(&suite, None).unwrap());
    assert_eq!(render(&suite, None).unwrap().unwrap(), "tier SMALL, hello");
    assert!(render_system(&suite, None, None, &[]).is_err());
}

#[test]
fn an_unknown_name_is_an_error_with_its_line() {
    let suite = suite("system: |\n  one\n  {{ nobody }}");
    let Err(TemplateError::Template { line, .. }) = render(&suite, None) else { panic!() };
    assert_eq!(line, Some(2));
}

#[test]
fn a_template_that_never_ends_is_stopped() {
    let text = "system: '{% for a in range(9999) %}{% for b in range(9999) %}\
                {% for c in range(9999) %}{% endfor %}{% endfor %}{% endfor %}'";
    let error = render(&suite(text), None).unwrap_err();
    assert!(error.to_string().contains("takes too long"), "{error}");
}

#[test]
fn a_template_that_makes_much_of_little_is_refused() {
    let start = std::time::Instant::now();
    for source in [
        "{{ \"%1000000000d\" | format(1) }}",
        "{{ \"{:1000000000}\".format(1) }}",
        "{{ range(90000) | join(\"%90000d\" | format(1)) }}",
        "{{ (\"%90000d\" | format(1)) | replace(\" \", \"%90000d\" | format(1)) }}",
        "{{ (\"%90000d\" | format(1)).replace(\" \", \"%90000d\" | format(1)) }}",
        "{{ [1] | batch(1000000000, 0) }}",
        "{{ [1] | slice(1000000000) }}",
        "{% for n in range(9999) %}{{ \"%90000d\" | format(1) }}{% endfor %}",
    ] {
        let error = render(&suite(&format!("system: '{source}'")), None).unwrap_err().to_string();
        assert!(error.contains("too large") || error.contains("more than"), "{source}: {error}");
    }
    assert!(start.elapsed() < std::time::Duration::from_secs(30), "{:?}", start.elapsed());
    let little = suite("system: '{{ [1, 2] | join(\"-\") }}{{ \"%03d\" | format(7) }}'");
    assert_eq!(render(&little, None).unwrap().unwrap(), "1-2007");
}
