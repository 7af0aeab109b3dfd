//! What a checker of permanent independence may rest on: nothing of the producers.

use std::fs;
use std::path::{Path, PathBuf};

/// Files of `persistent` that find proofs. Mistakes in them cost time and make no claim true.
const PRODUCERS: [&str; 7] = ["expand", "prove", "quick", "retreat", "reversible", "roaming", "single"];

/// The others, which a checked claim rests on, besides the folder `check`.
const TRUSTED: [&str; 12] = [
    "certificate",
    "check",
    "checked",
    "expansion",
    "homes",
    "material",
    "roam",
    "states",
    "verdict",
    "walk",
    "wire",
    "witness",
];

fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src/persistent").join(name)
}

/// The producers whose modules a source names in a path.
fn named(text: &str) -> Vec<&'static str> {
    let module = |name: &&str| {
        ["super::", "persistent::"].iter().any(|parent| text.contains(&format!("{parent}{name}::")))
    };
    PRODUCERS.into_iter().filter(|name| module(name)).collect()
}

#[test]
fn checkers_import_no_producer() {
    let mut files: Vec<PathBuf> = TRUSTED.iter().map(|name| source(&format!("{name}.rs"))).collect();
    let folder = fs::read_dir(source("check")).unwrap().map(|entry| entry.unwrap().path());
    files.extend(folder.filter(|path| !path.to_str().unwrap().ends_with("tests.rs")));
    assert!(files.len() >= 19, "{files:?}");
    for file in files {
        assert_eq!(named(&fs::read_to_string(&file).unwrap()), [""; 0], "{}", file.display());
    }
    // The look itself sees something.
    assert_eq!(named(&fs::read_to_string(source("single.rs")).unwrap()), ["expand", "prove"]);
}
