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
    let text = "system: '{% set all = range(9999) %}{% for a in all %}{% for b in all %}\
                {% for c in all %}{% endfor %}{% endfor %}{% endfor %}'";
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
        "{{ [\"a\", \"b\"] | join(d=\"%90000d\" | format(1)) | indent(width=1000000000) }}",
        "{{ ([\"a\"] * 90000) | map(\"replace\", \"a\", \"%900000d\" | format(1)) | list }}",
        "{{ (\"%(x)s\" * 90000) | format(x=\"%90000d\" | format(1)) }}",
        "{{ (1, 2) * 90000000 }}",
    ] {
        let error = render(&suite(&format!("system: '{source}'")), None).unwrap_err().to_string();
        assert!(error.contains("too large") || error.contains("more than"), "{source}: {error}");
    }
    assert!(start.elapsed() < std::time::Duration::from_secs(30), "{:?}", start.elapsed());
    let little = suite("system: '{{ [1, 2] | join(\"-\") }}{{ \"%03d\" | format(7) }}'");
    assert_eq!(render(&little, None).unwrap().unwrap(), "1-2007");
}

/// Every way we know to let a value grow out of itself, forty times over.
#[test]
fn no_value_on_the_way_to_a_prompt_grows_without_bound() {
    let start = std::time::Instant::now();
    let repeated = |step: &str| {
        format!(
            "{{% set n = namespace(x=\"abcdefgh\") %}}{{% for i in range(60) %}}{step}{{% endfor %}}ok"
        )
    };
    let step = |expression: &str| repeated(&format!("{{% set n.x = {expression} %}}"));
    let mut sources: Vec<String> = [
        "n.x ~ n.x",
        "n.x + n.x",
        "n.x * 2",
        "[n.x, n.x]",
        "(n.x, n.x)",
        "{\"a\": n.x, \"b\": n.x}",
        "[n.x, n.x] | string",
        "[n.x, n.x] | tojson",
        "[n.x, n.x] | pprint",
        "[n.x, n.x] | join(n.x)",
        "n.x | replace(\"a\", \"aa\") | replace(\"a\", n.x)",
        "n.x.replace(\"a\", n.x)",
        "\"%s%s\" | format(n.x, n.x)",
        "\"{0}{0}\".format(n.x)",
        "([n.x] | list) + ([n.x] | list)",
        "[n.x] * 2",
        "n.x | escape ~ n.x",
        "[n.x, n.x] | map(\"string\") | join",
    ]
    .map(step)
    .into();
    sources.push(repeated("{% set t %}{{ n.x }}{{ n.x }}{% endset %}{% set n.x = t %}"));
    sources.push(repeated("{% macro m() %}{{ n.x }}{{ n.x }}{% endmacro %}{% set n.x = m() %}"));
    sources.push(repeated("{% set t = n %}{% set n.x = [n] %}"));
    sources.push(repeated("{% set n.x = n %}"));
    sources.push(
        "{% macro m(x, n) %}{% if n %}{{ m(x ~ x, n - 1) }}{% endif %}{% endmacro %}{{ m(\"ab\", 60) }}"
            .to_owned(),
    );
    let doubled = "{% set x = x ~ x %}".repeat(60);
    sources.push(format!("{{% set x = \"ab\" %}}{doubled}"));
    let nested = "{% for i in range(99999) %}{% set n.x = [n.x] %}{% endfor %}";
    sources.push(format!("{{% set n = namespace(x=1) %}}{nested}"));
    let many = ["{% set v = [x ~ 1, v] %}"; 30].concat();
    sources.push(format!("{{% set x = \"abcdefgh\" * 400000 %}}{{% set v = 1 %}}{many}"));
    let apart = ["{% set _ = x ~ 1 %}"; 99].concat();
    sources.push(format!("{{% set x = \"abcdefgh\" * 400000 %}}{apart}"));
    for source in sources {
        let error = render(&suite(&format!("system: '{source}'")), None).unwrap_err().to_string();
        let known = ["too large", "more than", "namespace"];
        assert!(known.iter().any(|word| error.contains(word)), "{source}: {error}");
    }
    assert!(start.elapsed() < std::time::Duration::from_mins(2), "{:?}", start.elapsed());
}

/// Searching in a large text again and again makes nothing, and takes time all the same.
#[test]
fn a_template_that_makes_nothing_and_works_for_long_is_stopped() {
    let source = "system: '{% set x = \"abcdefgh\" * 500000 %}{% for a in range(99999) %}\
                  {% if \"zz\" in x or x == x ~ \"\" %}{% endif %}{% endfor %}'";
    let start = std::time::Instant::now();
    let error = render(&suite(source), None).unwrap_err().to_string();
    assert!(error.contains("too long") || error.contains("too large"), "{error}");
    assert!(start.elapsed() < std::time::Duration::from_secs(90), "{:?}", start.elapsed());
}

#[test]
fn what_templates_usually_do_stays_possible() {
    let source = "system: |\n  \
        {% macro item(d, mark=\"-\") %}{{ mark }} {{ d.name | upper }}{% endmacro %}\n  \
        {% set ns = namespace(count=0, text=\"\") %}\n  \
        {% for d in [{\"name\": \"b\"}, {\"name\": \"a\"}] | sort(attribute=\"name\") recursive %}\n  \
        {% set ns.count = ns.count + 1 %}{% set ns.text = ns.text ~ d.name %}\n  \
        {{ loop.index }}{{ item(d) }}{% if not loop.last %},{% else %}.{% endif %}\n  \
        {% endfor %}\n  \
        {{ ns.count * 2 }} {{ ns.text }} {{ \"ab\" * 2 }} {{ ([] | first) is defined }}\n  \
        {{ [1, 2] | join(d=\"-\") }} {{ \"a\\nb\" | indent(width=2) }} {{ 1 < 2 < 3 }}\n  \
        {{ \"x\" if ns.count == 2 and \"a\" in ns.text else \"y\" }}";
    let text = render(&suite(source), None).unwrap().unwrap();
    let words: Vec<&str> = text.split_whitespace().collect();
    assert_eq!(words.join(" "), "1- A,2- B.4 ab abab False 1-2 a b True x");
}
