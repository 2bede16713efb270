//! Tables as markup.

use super::*;

fn table() -> Table {
    Table::new("Lamps\u{1b}").with([
        Column::words("lamp").naming_rows(),
        Column::numbers("watts"),
        Column::bars("as a bar"),
    ])
}

#[test]
fn a_table_has_a_name_headings_and_rows() {
    let shown = table().sortable().rows([[
        Cell::of("<hall>"),
        Cell::of("1,000").sorted_by(&1000),
        Cell::of(""),
    ]]);
    let expected = "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Lamps\\x1b\">\
         <table class=\"sortable\"><caption class=\"unseen\">Lamps\\x1b</caption>\
         <thead><tr><th scope=\"col\">lamp</th><th class=\"number\" scope=\"col\">watts</th>\
         <th class=\"bar-column\" scope=\"col\"><span class=\"unseen\">as a bar</span></th>\
         </tr></thead><tbody><tr><th scope=\"row\">&lt;hall&gt;</th>\
         <td class=\"number\" data-sort=\"1000\">1,000</td><td class=\"bar-column\"></td>\
         </tr></tbody></table></div>";
    assert_eq!(shown.into_string(), expected);
}

#[test]
fn a_stacked_cell_repeats_its_heading_and_says_what_it_is() {
    let shown = table().stacked().rows([[Cell::of("hall"), Cell::of(5), Cell::of("")]]);
    let shown = shown.into_string();
    let cell = "<td class=\"number\" role=\"cell\" data-label=\"watts\">\
                <span class=\"value\">5</span></td>";
    assert!(shown.contains(cell), "{shown}");
    assert!(shown.contains("<th scope=\"row\" role=\"rowheader\">hall</th>"), "{shown}");
    assert!(shown.contains("<td class=\"bar-column\" role=\"cell\"></td>"), "{shown}");
}

#[test]
fn a_wide_cell_takes_the_place_of_several() {
    let shown = table().rows([[Cell::of("hall").across(2), Cell::of("bar")]]).into_string();
    assert!(shown.contains("<th scope=\"row\" colspan=\"2\">hall</th>"), "{shown}");
    assert!(shown.contains("<td class=\"bar-column\">bar</td>"), "{shown}");
}

#[test]
fn a_lean_table_has_no_empty_columns() {
    let rows = || [[Cell::of("hall"), Cell::of(""), Cell::of("bar")]];
    let lean = table().lean().rows(rows()).into_string();
    assert!(!lean.contains("watts") && lean.contains("<td class=\"bar-column\">bar</td>"));
    assert!(table().rows(rows()).into_string().contains("watts"));
}

#[test]
fn facts_need_no_headings() {
    let shown = Table::counts("Tokens").rows([[Cell::of("read"), Cell::of(7)]]).into_string();
    assert!(!shown.contains("thead"), "{shown}");
    let row = "<th scope=\"row\">read</th><td class=\"number\">7</td>";
    assert!(shown.contains(row), "{shown}");
}
