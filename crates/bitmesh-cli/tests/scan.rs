//! `bitmesh scan`, as a user runs it.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command as Process, Stdio};
use std::time::{Duration, Instant};

use assert_cmd::Command;
use predicates::prelude::*;
use predicates::str::{contains, is_empty};
use serde_json::Value;

const WALL: &str = "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1";
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

fn scan() -> Command {
    let mut command = Command::cargo_bin("bitmesh").unwrap();
    command.arg("scan");
    command
}

fn rows(text: &[u8]) -> Vec<Value> {
    String::from_utf8(text.to_vec())
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn with(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }
}

#[test]
fn every_position_is_a_row_of_json() {
    let output = scan().arg("-").write_stdin(format!("{WALL}\n\n# comment\n{START}\n")).assert().code(0);
    let rows = rows(&output.get_output().stdout);
    assert_eq!(rows.len(), 2);
    let wall = &rows[0];
    assert_eq!(wall["schema"], "bitmesh.scan.v1");
    assert_eq!((&wall["source"], &wall["line"]), (&"-".into(), &1.into()));
    assert_eq!((&wall["game"], &wall["ply"]), (&Value::Null, &Value::Null));
    assert_eq!(
        (&wall["status"], &wall["one_ply"], &wall["dead"]),
        (&"strict".into(), &"accepted".into(), &true.into())
    );
    assert_eq!(wall["digest"], "7e300b3e0b7901942161a58eb284b87134be7f26484561f2bbc142d1010465bf");
    assert_eq!(wall["position_digest"], "89a8a8bbbf2228493c063dbffb0c1ab33a2fbe939cabbe48ea054040ef64e0f8");
    assert_eq!(rows[1]["line"], 4);
    assert_eq!(rows[1]["rejection_reason"], "no_locked_barrier");
    output
        .stderr(contains("records: 4 = 2 read + 2 skipped + 0 failed"))
        .stderr(contains("rows: 2 = 2 positions and boards - 0 duplicates - 0 filtered + 0 errors"));
}

#[test]
fn what_cannot_be_read_is_a_row_and_exit_code_2() {
    let output = scan().arg("-").write_stdin(format!("rubbish\n{WALL}\n")).assert().code(2);
    let rows = rows(&output.get_output().stdout);
    assert_eq!(rows[0]["error_code"], "position/unexpected-character");
    assert_eq!((&rows[0]["fen"], &rows[1]["error"]), (&Value::Null, &Value::Null));
    output.stderr(contains("error: -, line 1: ")).stderr(contains("1 read + 0 skipped + 1 failed"));
}

#[test]
fn the_name_of_the_output_says_its_form() {
    let folder = Folder::new();
    let input = folder.with("walls.fen", format!("{WALL}\n"));
    for name in ["rows.jsonl", "rows.csv", "rows.parquet", "rows"] {
        let output = folder.path(name);
        scan().arg(&input).arg("-o").arg(&output).assert().code(0).stdout(is_empty());
        let bytes = fs::read(&output).unwrap();
        let begins: &[u8] = match name {
            "rows.csv" => b"source,line,game,ply,fen,",
            "rows.parquet" => b"PAR1",
            _ => b"{\"schema\":",
        };
        assert!(bytes.starts_with(begins), "{name}");
    }
    scan()
        .arg(&input)
        .args(["-o", "rows.xlsx"])
        .assert()
        .code(2)
        .stderr(contains("name it .jsonl, .csv or .parquet"));
    scan().arg(&input).args(["--to", "csv"]).assert().code(0).stdout(contains("source,line,game,ply,fen,"));
    let left: Vec<_> = fs::read_dir(folder.0.path()).unwrap().collect();
    assert_eq!(left.len(), 5, "only the outputs and the input are left: {left:?}");
}

#[test]
fn a_folder_is_scanned_in_the_order_of_its_names() {
    let folder = Folder::new();
    folder.with("collection/b/games.pgn", "1. e4 *\n");
    folder.with("collection/a.fen", format!("{WALL}\n"));
    folder.with("collection/c.csv", format!("fen\n{WALL}\n"));
    folder.with("collection/notes.txt", "not a collection\n");
    folder.with("collection/.hidden.fen", "hidden\n");
    let output = folder.path("collection/rows.csv");
    for _ in 0..2 {
        // The output of the first time is no input of the second.
        scan().arg(folder.path("collection")).arg("-o").arg(&output).assert().code(0);
        let text = fs::read_to_string(&output).unwrap();
        let names: Vec<&str> = text.lines().skip(1).map(|line| line.split(',').next().unwrap()).collect();
        let names: Vec<&str> = names.iter().map(|name| name.rsplit('/').next().unwrap()).collect();
        assert_eq!(names, ["a.fen", "games.pgn", "games.pgn", "c.csv"]);
    }
    fs::create_dir(folder.path("empty")).unwrap();
    scan()
        .arg(folder.path("empty"))
        .assert()
        .code(2)
        .stderr(contains("holds no file with the name of a collection"));
}

#[test]
fn filters_thin_the_rows_out_and_keep_the_counts() {
    let text = format!("{WALL}\n{START}\n{WALL}\n");
    let summary = Folder::new();
    let path = summary.path("summary.json");
    let output = scan()
        .args(["--only", "dead,persistent", "--unique", "-", "--summary"])
        .arg(&path)
        .write_stdin(text)
        .assert()
        .code(0);
    assert_eq!(rows(&output.get_output().stdout).len(), 1);
    let summary: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    assert_eq!(summary["schema"], "bitmesh.scan-summary.v1");
    assert_eq!(summary["complete"], true);
    for (name, number) in [("positions", 3), ("rows", 1), ("duplicates", 1), ("filtered", 1), ("dead", 1)] {
        assert_eq!(summary[name], number, "{name}");
    }
    scan().args(["--only", "alive", "-"]).assert().code(2).stderr(contains("alive is not a claim"));
}

/// As every other output: what the process does not mask, and not for the owner alone.
#[cfg(unix)]
#[test]
fn certificates_of_a_scan_are_ordinary_files() {
    use std::os::unix::fs::PermissionsExt as _;

    let folder = Folder::new();
    let (input, certificates) = (folder.with("wall.fen", WALL), folder.path("certificates"));
    let command = assert_cmd::cargo::cargo_bin("bitmesh");
    let script = "umask 027; exec \"$0\" scan \"$1\" --certificates \"$2\"";
    let arguments = [&command, &input, &certificates];
    let status =
        Process::new("sh").args(["-c", script]).args(arguments).stdout(Stdio::null()).status().unwrap();
    assert!(status.success());
    let mut endings: Vec<_> = fs::read_dir(&certificates)
        .unwrap()
        .map(|entry| {
            let entry = entry.unwrap();
            assert_eq!(entry.metadata().unwrap().permissions().mode() & 0o777, 0o640, "{entry:?}");
            entry.path().extension().unwrap().to_str().unwrap().to_owned()
        })
        .collect();
    endings.sort();
    assert_eq!(endings, ["bmdcert", "bmdposcert", "bmpersist"]);
}

#[test]
fn certificates_of_a_scan_can_be_verified() {
    let folder = Folder::new();
    let evidence = folder.path("evidence");
    scan()
        .arg("-")
        .arg("--certificates")
        .arg(&evidence)
        .write_stdin(format!("{WALL}\n{START}\n"))
        .assert()
        .code(0);
    let mut kept: Vec<PathBuf> = fs::read_dir(evidence).unwrap().map(|entry| entry.unwrap().path()).collect();
    kept.sort_by_key(|path| path.extension().map(ToOwned::to_owned));
    let extensions: Vec<_> = kept.iter().map(|path| path.extension().unwrap().to_str().unwrap()).collect();
    assert_eq!(extensions, ["bmdcert", "bmdposcert", "bmpersist"]);
    for path in kept {
        Command::cargo_bin("bitmesh").unwrap().arg("verify").arg(path).assert().code(0);
    }
}

#[test]
fn wrong_arguments_end_before_anything_is_written() {
    let folder = Folder::new();
    let output = folder.path("rows.jsonl");
    let missing = folder.path("missing.pgn");
    scan().arg(&missing).arg("-o").arg(&output).assert().code(2).stderr(contains("cannot read"));
    assert!(!output.exists() && fs::read_dir(folder.0.path()).unwrap().count() == 0);
    scan().args(["-", "-"]).assert().code(2).stderr(contains("standard input can be read once only"));
    scan().args(["-", "--delimiter", "ab"]).assert().code(2).stderr(contains("one ASCII character"));
    for threads in ["0", "1000000", "-1", "many"] {
        let threads = format!("--threads={threads}");
        scan().args(["-", &threads]).assert().code(2).stderr(contains("give 1 to 1024 threads"));
    }
    scan().args(["-", "--resume"]).assert().code(2);
    scan().assert().code(2);
    scan().args(["-", "-o", "/no/such/folder/rows.jsonl"]).assert().code(2).stderr(contains("cannot write"));
}

#[test]
fn an_input_that_is_not_there_costs_only_itself() {
    let folder = Folder::new();
    let (wall, missing) = (folder.with("wall.fen", format!("{WALL}\n")), folder.path("missing.pgn"));
    fs::create_dir(folder.path("empty")).unwrap();
    let output = folder.path("rows.jsonl");
    let run = |arguments: &[&str]| {
        scan()
            .args([&missing, &wall, &folder.path("empty")])
            .arg("-o")
            .arg(&output)
            .args(arguments)
            .assert()
            .code(2)
    };
    run(&[])
        .stderr(contains("missing.pgn: cannot read: "))
        .stderr(contains("empty: "))
        .stderr(contains("1 input does not exist"))
        .stderr(contains("1 input could not be read, or not to the end"))
        .stderr(contains("rows: 3 = 1 positions and boards - 0 duplicates - 0 filtered + 2 errors"));
    let codes: Vec<_> =
        rows(&fs::read(&output).unwrap()).into_iter().map(|row| row["error_code"].clone()).collect();
    assert_eq!(codes, ["scan/input".into(), Value::Null, "scan/empty-folder".into()]);
    // Alone they are nothing to read.
    scan().args([&missing, &folder.path("empty")]).assert().code(2).stdout(is_empty());
}

#[cfg(unix)]
#[test]
fn a_link_that_leads_nowhere_is_an_error_and_not_passed_over() {
    let folder = Folder::new();
    folder.with("collection/wall.fen", format!("{WALL}\n"));
    std::os::unix::fs::symlink("nowhere", folder.path("collection/games.pgn")).unwrap();
    std::os::unix::fs::symlink("nowhere", folder.path("collection/notes.txt")).unwrap();
    scan()
        .arg(folder.path("collection"))
        .assert()
        .code(2)
        .stderr(contains("games.pgn: cannot read: "))
        .stderr(contains("files passed over: 1 .txt"));
}

#[test]
fn an_empty_input_is_an_empty_output() {
    scan().arg("-").write_stdin("").assert().code(0).stdout(is_empty());
    let header = scan().args(["--to", "csv", "-"]).write_stdin("").assert().code(0);
    assert_eq!(String::from_utf8(header.get_output().stdout.clone()).unwrap().lines().count(), 1);
    let parquet = scan().args(["--to", "parquet", "-"]).write_stdin("").assert().code(0);
    assert!(parquet.get_output().stdout.starts_with(b"PAR1"));
}

#[cfg(unix)]
#[test]
fn a_full_device_is_an_error_and_a_closed_pipe_is_not() {
    if Path::new("/dev/full").exists() {
        for to in ["jsonl", "csv", "parquet"] {
            scan()
                .args(["-", "-o", "/dev/full", "--to", to])
                .write_stdin(format!("{WALL}\n"))
                .assert()
                .code(2)
                .stderr(contains("cannot write /dev/full: No space left"));
        }
    }
    let mut child = spawn(&["-".as_ref()]);
    drop(child.stdout.take());
    let mut input = child.stdin.take().unwrap();
    // The pipe into the scan may close too, as soon as it has noticed.
    let _ = input.write_all(format!("{WALL}\n").repeat(20_000).as_bytes());
    drop(input);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(!String::from_utf8_lossy(&output.stderr).contains("error"));
}

fn spawn(arguments: &[&std::ffi::OsStr]) -> Child {
    Process::new(assert_cmd::cargo::cargo_bin("bitmesh"))
        .arg("scan")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Longer than any scan here takes on a slow and busy machine.
const PATIENCE: Duration = Duration::from_secs(600);

/// Waits until the journal of an output says that the scan has come to a record.
fn wait_for_entry(output: &Path) {
    let mut journal = output.as_os_str().to_owned();
    journal.push(".journal");
    let began = Instant::now();
    loop {
        let text = fs::read_to_string(&journal).unwrap_or_default();
        let mut entries = text.lines().skip(1).filter_map(|line| serde_json::from_str::<Value>(line).ok());
        if entries.any(|entry| entry["mark"]["record"].as_u64() > Some(0)) {
            return;
        }
        assert!(began.elapsed() < PATIENCE, "no entry in the journal");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Games with long comments: many blocks, few rows.
fn games() -> String {
    let comment = "word ".repeat(200);
    let game =
        |number: usize| format!("[Event \"{number}\"]\n\n1. e4 {{{comment}}} e5 2. Nf3 Nc6 3. Ke3 *\n\n");
    (0..2000).map(game).collect()
}

/// Kills a scan that waits for more of its input, then resumes it.
#[test]
fn a_killed_scan_goes_on_without_losing_or_doubling_a_row() {
    let folder = Folder::new();
    let text = games();
    let half = text.len() / 2;
    for name in ["rows.jsonl", "rows.csv", "rows.parquet"] {
        let whole = folder.path(&format!("whole-{name}"));
        scan().args(["-", "-o"]).arg(&whole).write_stdin(text.clone()).assert().code(2);

        let output = folder.path(name);
        let mut child = spawn(&["-".as_ref(), "-o".as_ref(), output.as_ref()]);
        child.stdin.as_mut().unwrap().write_all(&text.as_bytes()[..half]).unwrap();
        wait_for_entry(&output);
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(!output.exists(), "{name} has its name before it is complete");

        let resumed =
            scan().args(["-", "--resume", "-o"]).arg(&output).write_stdin(text.clone()).assert().code(2);
        resumed.stderr(contains("records: 2000 = 0 read + 0 skipped + 2000 failed"));
        assert!(same_rows(&output, &whole), "{name}");
        let again = scan().args(["-", "--resume", "-o"]).arg(&output).write_stdin("").assert().code(0);
        again.stderr(contains("is complete: nothing to resume"));
    }
}

/// Parquet files differ where their row groups end: their rows are compared by scanning them.
fn same_rows(one: &Path, other: &Path) -> bool {
    if one.extension().is_some_and(|extension| extension == "parquet") {
        let positions = |path: &Path| {
            let output = scan().args(["--to", "csv", "--column", "fen"]).arg(path).assert();
            let text = String::from_utf8(output.get_output().stdout.clone()).unwrap();
            text.replace(&path.display().to_string(), "")
        };
        return positions(one) == positions(other);
    }
    fs::read(one).unwrap() == fs::read(other).unwrap()
}

#[cfg(unix)]
#[test]
fn an_interruption_leaves_whole_rows_to_go_on_with() {
    let folder = Folder::new();
    let text = games();
    let output = folder.path("rows.jsonl");
    let mut child = spawn(&["-".as_ref(), "-o".as_ref(), output.as_ref()]);
    child.stdin.as_mut().unwrap().write_all(&text.as_bytes()[..text.len() / 2]).unwrap();
    wait_for_entry(&output);
    let killed = Process::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    // Standard input stays open: the scan must not wait for it.
    let began = Instant::now();
    while child.try_wait().unwrap().is_none() {
        assert!(began.elapsed() < PATIENCE, "the scan does not end");
        std::thread::sleep(Duration::from_millis(20));
    }
    let ended = child.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(2));
    let stderr = String::from_utf8(ended.stderr).unwrap();
    assert!(stderr.contains("interrupted: ") && stderr.contains("continue with --resume"), "{stderr}");
    let partial = fs::read(folder.path("rows.jsonl.partial")).unwrap();
    assert!(partial.ends_with(b"}\n") && !rows(&partial).is_empty());

    scan().args(["-", "--resume", "-o"]).arg(&output).write_stdin(text.clone()).assert().code(2);
    let whole = scan().arg("-").write_stdin(text).assert().code(2);
    assert!(fs::read(&output).unwrap() == whole.get_output().stdout);
}

#[test]
fn going_on_asks_for_the_same_scan() {
    let folder = Folder::new();
    let output = folder.path("rows.jsonl");
    let mut child = spawn(&["-".as_ref(), "-o".as_ref(), output.as_ref()]);
    child.stdin.as_mut().unwrap().write_all(games().as_bytes()).unwrap();
    wait_for_entry(&output);
    child.kill().unwrap();
    child.wait().unwrap();
    scan()
        .args(["-", "--resume", "--only", "dead", "-o"])
        .arg(&output)
        .write_stdin(games())
        .assert()
        .code(2)
        .stderr(contains("begun with other inputs or options (then: only all rows; now: only dead)"));

    let partial = folder.path("rows.jsonl.partial");
    let rows = fs::read(&partial).unwrap();
    let refused = scan().args(["-", "-o"]).arg(&output).write_stdin(games()).assert().code(2);
    refused.stderr(contains("--resume").and(contains("--restart")));
    assert!(fs::read(&partial).unwrap() == rows);
    let restarted = scan().args(["-", "--restart", "-o"]).arg(&output).write_stdin(WALL).assert().code(0);
    restarted.stderr(contains("scanned: 1 position, 0 boards, 0 games in"));
    assert!(!partial.exists() && fs::read_to_string(&output).unwrap().lines().count() == 1);
}

#[cfg(unix)]
#[test]
fn rows_go_where_a_link_points() {
    let folder = Folder::new();
    let link = folder.path("rows.jsonl");
    std::os::unix::fs::symlink("elsewhere/target.jsonl", &link).unwrap();
    folder.with("elsewhere/other", "");
    for _ in 0..2 {
        scan().args(["-", "-o"]).arg(&link).write_stdin(WALL).assert().code(0);
        assert!(link.is_symlink());
        assert_eq!(fs::read_to_string(folder.path("elsewhere/target.jsonl")).unwrap().lines().count(), 1);
    }
    assert_eq!(fs::read_dir(folder.path("elsewhere")).unwrap().count(), 2);
}

#[test]
fn options_that_have_no_meaning_for_a_format_are_refused() {
    for (format, options, message) in [
        ("fen", &["--variations"][..], "--variations is for games, and --format says fen"),
        ("csv", &["--variations"], "--variations is for games"),
        ("pgn", &["--column", "fen"], "--column is for tables, and --format says pgn"),
        ("pgn", &["--first-move"], "--first-move is for tables"),
        ("parquet", &["--delimiter", "tab"], "--delimiter is for tables of text"),
    ] {
        let refused = scan().args(["-", "--format", format]).args(options).assert().code(2);
        refused.stderr(contains(message));
    }
    scan().args(["-", "--format", "tsv", "--column", "1", "--first-move"]).write_stdin("").assert().code(0);
}
