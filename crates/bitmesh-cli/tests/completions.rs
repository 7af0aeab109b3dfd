//! `bitmesh completions` and `bitmesh manual`.

use assert_cmd::Command;
use predicates::str::contains;

#[test]
fn completions_know_the_subcommands() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        Command::cargo_bin("bitmesh")
            .unwrap()
            .args(["completions", shell])
            .assert()
            .code(0)
            .stdout(contains("certify"))
            .stdout(contains("explain"));
    }
}

#[test]
fn the_manual_has_a_page_for_each_subcommand() {
    let folder = tempfile::tempdir().unwrap();
    Command::cargo_bin("bitmesh").unwrap().arg("manual").arg(folder.path()).assert().code(0);
    let page = std::fs::read_to_string(folder.path().join("bitmesh-prove.1")).unwrap();
    assert!(page.contains(".TH"));
    assert!(page.contains("not\\-proved"));
    Command::cargo_bin("bitmesh").unwrap().args(["manual", "no/such/folder"]).assert().code(2);
}
