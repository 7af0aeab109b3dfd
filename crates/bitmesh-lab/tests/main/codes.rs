//! Error codes of all crates are a promise: none is renamed, reused or lost.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Every code that a release of the library has had, one a line. Lines are added, never changed.
const LIBRARY: &str = include_str!("../../../bitmesh/tests/golden/error_codes.txt");

/// The same for the crates around the library.
const OTHERS: &str = include_str!("../error_codes.txt");

/// All texts of the form `area/kebab-case` in the sources below a folder.
fn codes(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            codes(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs" || extension == "py") {
            let source = fs::read_to_string(&path).unwrap();
            // Quotes may be escaped, in a text of JSON.
            let quoted = source.split('"').map(|text| text.trim_end_matches('\\'));
            found.extend(quoted.filter(|text| is_code(text)).map(str::to_owned));
        }
    }
}

/// Kinds of media look like codes.
fn is_code(text: &str) -> bool {
    let kebab = |part: &str| {
        part.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
            && part.bytes().next().is_some_and(|byte| byte.is_ascii_lowercase())
    };
    text.split_once('/').is_some_and(|(area, variant)| {
        kebab(area) && kebab(variant) && !["application", "image"].contains(&area) && text != "text/plain"
    })
}

fn published(list: &str) -> BTreeSet<String> {
    let published: BTreeSet<String> = list.lines().map(str::to_owned).collect();
    assert_eq!(published.len(), list.lines().count(), "a code is listed twice");
    published
}

fn crates() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

#[test]
fn no_code_of_the_library_is_renamed_or_lost() {
    let mut found = BTreeSet::new();
    codes(&crates().join("bitmesh/src"), &mut found);
    assert_eq!(found, published(LIBRARY));
}

#[test]
fn no_code_of_any_crate_is_renamed_or_lost() {
    let mut found = BTreeSet::new();
    for entry in fs::read_dir(crates()).unwrap() {
        let sources = entry.unwrap().path().join("src");
        if sources.is_dir() {
            codes(&sources, &mut found);
        }
    }
    codes(&crates().join("bitmesh-python/python"), &mut found);
    let published = published(OTHERS);
    let lost: Vec<_> = published.difference(&found).collect();
    assert!(lost.is_empty(), "{lost:#?}");
    let unlisted: Vec<_> =
        found.difference(&published).filter(|code| !LIBRARY.lines().any(|own| own == *code)).collect();
    assert!(unlisted.is_empty(), "not in crates/bitmesh-lab/tests/error_codes.txt: {unlisted:#?}");
}

/// The pages of the handbook that list codes list all of their kind.
#[test]
fn the_handbook_names_every_code_of_inputs_arguments_and_the_server() {
    let docs = crates().parent().unwrap().join("docs");
    let page = |name: &str| fs::read_to_string(docs.join(name)).unwrap();
    let pages = [
        (page("scan.md"), &["json", "line", "pgn", "plain", "stream", "table"][..]),
        (page("scan.md") + &page("decide.md"), &["text"]),
        (page("python.md"), &["argument"]),
        (page("server.md"), &["server"]),
    ];
    for code in published(OTHERS) {
        let area = code.split_once('/').unwrap().0;
        for (page, areas) in &pages {
            assert!(!areas.contains(&area) || page.contains(&format!("`{code}`")), "{code}");
        }
    }
    let positions = page("positions.md");
    for code in
        published(LIBRARY).iter().filter(|code| code.starts_with("board/") || code.starts_with("note/"))
    {
        assert!(positions.contains(&format!("`{code}`")), "{code}");
    }
}
