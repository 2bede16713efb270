//! The text of a PDF file.

use super::quiet;

/// How much a page may unpack to, in bytes: a small file can hold gigabytes of nothing.
const LARGEST_PAGE: usize = 16 << 20;
/// How much one table of objects may unpack to, in bytes. They are unpacked before any page.
const LARGEST_TABLE: usize = 8 << 20;
/// How much all tables of objects may unpack to, in bytes, and how much more for each byte of the
/// file: what they unpack to takes many times as much memory.
const ALL_TABLES: (usize, usize) = (32 << 20, 8);

/// Letters that are drawn as one and meant as several.
const LIGATURES: [(char, &str); 7] = [
    ('\u{fb00}', "ff"),
    ('\u{fb01}', "fi"),
    ('\u{fb02}', "fl"),
    ('\u{fb03}', "ffi"),
    ('\u{fb04}', "ffl"),
    ('\u{fb05}', "st"),
    ('\u{fb06}', "st"),
];

/// The text of all pages; the error says why there is none.
pub(super) fn text(bytes: &[u8]) -> Result<String, String> {
    // Parsers of this format meet files that their authors did not dream of.
    let read = quiet::catch(|| pages(bytes));
    read.unwrap_or_else(|_| Err("it is no PDF that can be read".to_owned()))
}

fn pages(bytes: &[u8]) -> Result<String, String> {
    let wrong = |error: lopdf::Error| format!("it is no PDF that can be read: {error}");
    let options = lopdf::LoadOptions {
        max_decompressed_size: Some(largest_table(bytes)),
        ..lopdf::LoadOptions::default()
    };
    let document = lopdf::Document::load_mem_with_options(bytes, options).map_err(wrong)?;
    if document.is_encrypted() {
        return Err("it is encrypted".to_owned());
    }
    let numbers: Vec<u32> = document.get_pages().into_keys().collect();
    let mut text = String::new();
    for number in numbers {
        let page = document.extract_text_with_limit(&[number], LARGEST_PAGE).map_err(wrong)?;
        text += page.trim_end();
        text += "\n\n";
    }
    Ok(spelled_out(&text))
}

/// How much each table of objects may unpack to, so that all together stay within their bound.
fn largest_table(bytes: &[u8]) -> usize {
    let count = |name: &[u8]| bytes.windows(name.len()).filter(|found| *found == name).count();
    let tables = (count(b"/ObjStm") + count(b"/XRef")).max(1);
    let all = ALL_TABLES.0 + ALL_TABLES.1 * bytes.len();
    (all / tables).min(LARGEST_TABLE)
}

fn spelled_out(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match LIGATURES.iter().find(|(ligature, _)| *ligature == character) {
            Some((_, letters)) => out += letters,
            None => out.push(character),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A table of objects that is all zeros, and so unpacks to a thousand times its size.
    #[test]
    fn a_table_of_objects_is_not_unpacked_beyond_its_bound() {
        let mut packed = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
        std::io::Write::write_all(&mut packed, &vec![0; 17 * 4_000_000]).expect("memory takes it");
        let packed = packed.finish().expect("memory takes it");
        let mut file = b"%PDF-1.5\n".to_vec();
        let start = file.len();
        let head = format!(
            "1 0 obj\n<</Type/XRef/Size 4000000/W[1 8 8]/Root 2 0 R/Filter/FlateDecode/Length {}>>\nstream\n",
            packed.len()
        );
        file.extend(head.as_bytes());
        file.extend(&packed);
        file.extend(format!("\nendstream\nendobj\nstartxref\n{start}\n%%EOF\n").as_bytes());
        assert!(file.len() < 1 << 20);
        let error = text(&file).expect_err("it is refused");
        assert!(error.contains("decompress"), "{error}");
    }

    #[test]
    fn many_tables_of_objects_share_one_bound() {
        assert_eq!(largest_table(b"%PDF-1.7 /ObjStm"), LARGEST_TABLE);
        let many = b"/Type/ObjStm ".repeat(1000);
        assert!(largest_table(&many) * 1000 < 64 << 20);
        // An ordinary file of some megabytes, with tables of some hundred objects.
        let ordinary = [b"/ObjStm".repeat(200), vec![b' '; 4 << 20]].concat();
        assert!(largest_table(&ordinary) > 256 << 10);
    }
}
