//! Error codes are a promise: none is renamed, reused or lost.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Every code that a release has had, one a line. Lines are added, never changed.
const PUBLISHED: &str = include_str!("../golden/error_codes.txt");

/// All texts of the form `area/kebab-case` in the sources below a folder.
fn codes(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            codes(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let source = fs::read_to_string(&path).unwrap();
            found.extend(source.split('"').filter(|text| is_code(text)).map(str::to_owned));
        }
    }
}

fn is_code(text: &str) -> bool {
    let kebab = |part: &str| {
        part.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
            && part.bytes().next().is_some_and(|byte| byte.is_ascii_lowercase())
    };
    text.split_once('/').is_some_and(|(area, variant)| kebab(area) && kebab(variant))
}

#[test]
fn no_code_is_renamed_or_lost() {
    let mut found = BTreeSet::new();
    codes(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut found);
    let published: BTreeSet<String> = PUBLISHED.lines().map(str::to_owned).collect();
    assert_eq!(published.len(), PUBLISHED.lines().count(), "a code is listed twice");
    assert_eq!(found, published);
}
