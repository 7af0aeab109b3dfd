//! Error codes of all crates are a promise: none is renamed, reused or lost. The library guards its own.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Every code of the crates around the library, one a line. Lines are added, never changed.
const PUBLISHED: &str = include_str!("../error_codes.txt");

/// All texts of the form `area/kebab-case` in the sources below a folder.
fn codes(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            codes(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs" || extension == "py") {
            let source = fs::read_to_string(&path).unwrap();
            found.extend(source.split('"').filter(|text| is_code(text)).map(str::to_owned));
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

#[test]
fn no_code_of_any_crate_is_renamed_or_lost() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut found = BTreeSet::new();
    for entry in fs::read_dir(crates).unwrap() {
        let sources = entry.unwrap().path().join("src");
        if sources.is_dir() {
            codes(&sources, &mut found);
        }
    }
    codes(&crates.join("bitmesh-python/python"), &mut found);
    let published: BTreeSet<String> = PUBLISHED.lines().map(str::to_owned).collect();
    assert_eq!(published.len(), PUBLISHED.lines().count(), "a code is listed twice");
    let lost: Vec<_> = published.difference(&found).collect();
    assert!(lost.is_empty(), "{lost:#?}");
    let own = include_str!("../../../bitmesh/tests/golden/error_codes.txt");
    let unlisted: Vec<_> =
        found.difference(&published).filter(|code| !own.lines().any(|own| own == *code)).collect();
    assert!(unlisted.is_empty(), "not in crates/bitmesh-lab/tests/error_codes.txt: {unlisted:#?}");
}
