//! `bitmesh audit`, as an arbiter runs it.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command as Process, Stdio};
use std::time::{Duration, Instant};

use assert_cmd::Command;
use predicates::prelude::PredicateBooleanExt as _;
use predicates::str::contains;
use serde_json::Value;

const GAMES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/audit/games.pgn");

fn audit(arguments: &[&str]) -> Command {
    let mut command = Command::cargo_bin("bitmesh").unwrap();
    command.arg("audit").args(arguments);
    command
}

fn parsed(text: &[u8]) -> Vec<Value> {
    let text = String::from_utf8(text.to_vec()).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn rows(arguments: &[&str]) -> Vec<Value> {
    parsed(&audit(arguments).assert().code(0).get_output().stdout)
}

/// The rows of games given as one text.
fn rows_of(games: &str) -> Vec<Value> {
    parsed(&audit(&["-"]).write_stdin(games).assert().code(0).get_output().stdout)
}

#[test]
fn each_game_of_the_example_has_its_finding() {
    let rows = rows(&[GAMES, "--tags", "Round,Result"]);
    assert!(rows.iter().all(|row| row["Result"].is_string() && row["Result"] == row["result"]));
    let said: Vec<_> = rows.iter().map(|row| (row["Round"].as_str(), row["finding"].as_str())).collect();
    assert_eq!(
        said,
        [
            (Some("1"), Some("flag-fall-should-be-draw")),
            (Some("2"), Some("played-on-when-dead")),
            (Some("3"), Some("mate-claimed-but-not")),
        ]
    );
    assert_eq!(rows[0]["schema"], "bitmesh.audit.v1");
    assert_eq!(
        (&rows[0]["decided_white"], &rows[0]["unwinnable_white_since"]),
        (&"unwinnable".into(), &0.into())
    );
    // A knight is left after the first ply, and four more were played.
    assert_eq!((&rows[1]["dead_since"], &rows[1]["plies_after_dead"]), (&1.into(), &4.into()));
    assert_eq!(rows[2]["dead_since"], Value::Null);
}

#[test]
fn the_summary_counts_every_game_once_and_can_be_quoted() {
    let broken = "[Result \"1-0\"]\n\n1. e4 e5 2. Ke3 1-0\n";
    audit(&[GAMES, "-"])
        .write_stdin(broken)
        .assert()
        .code(2)
        .stderr(contains("audited: 4 games in "))
        .stderr(contains(
            "games: 4 = 1 flag-fall-should-be-draw + 1 mate-claimed-but-not + 1 played-on-when-dead + 0 undecided \
             + 0 fine + 1 not read to the end",
        ))
        .stderr(contains("1 game was scored as a win on time for a side that could not have given mate"))
        .stderr(contains("1 game went on after neither side could give mate any more"))
        .stderr(contains("error: -, game 1, ply 3: illegal move Ke3 [pgn/illegal-move]"));
    audit(&["-"]).write_stdin("1. e4 *\n").assert().code(0).stderr(contains("audited: 1 game in "));
}

#[test]
fn a_game_that_breaks_off_has_an_error_and_no_finding() {
    let broken = "[Result \"1-0\"]\n[Termination \"Time forfeit\"]\n\n1. e4 e5 2. Ke3 1-0\n\n[Result \"*\"]\n\n1. e4 *\n";
    let rows = parsed(&audit(&["-"]).write_stdin(broken).assert().code(2).get_output().stdout);
    assert_eq!(rows[0]["error_code"], "pgn/illegal-move");
    assert_eq!((&rows[0]["finding"], &rows[1]["finding"]), (&Value::Null, &"fine".into()));
}

#[test]
fn the_rows_can_be_a_table() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let written = |name: &str| audit(&[GAMES, "--tags", "Event", "-o", &path(name)]).assert();
    written("audit.csv").code(0);
    let table = fs::read_to_string(path("audit.csv")).unwrap();
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!(lines.len(), 4);
    assert!(lines[0].starts_with("source,game,plies,result,termination,ended_by,decided_white,"), "{table}");
    assert!(lines[1].contains(",flag-fall-should-be-draw,,,8/8/5k2/8/8/3BK3/8/r7 w - - 0 1,"), "{table}");
    assert!(lines[1].ends_with(",A flag falls against a bare king"), "{table}");

    written("audit.parquet").code(0);
    let bytes = fs::read(path("audit.parquet")).unwrap();
    assert!(bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1"));
    written("audit.jsonl").code(0);
    assert_eq!(fs::read_to_string(path("audit.jsonl")).unwrap().lines().count(), 3);
    written("audit.txt").code(2);
    audit(&[GAMES, "--tags", "finding"]).assert().code(2).stderr(contains("the name finding"));
}

#[test]
fn mate_on_the_board_comes_before_any_flag() {
    for (result, finding) in [("0-1", "fine"), ("1-0", "mate-claimed-but-not")] {
        let mated = format!(
            "[Result \"{result}\"]\n[Termination \"Time forfeit\"]\n\n1. f3 e5 2. g4 Qh4# {result}\n"
        );
        let row = rows_of(&mated).remove(0);
        assert_eq!((&row["ended_by"], &row["finding"]), (&"time".into(), &finding.into()));
        assert_eq!(row["decided_white"], "unwinnable");
    }
}

/// Mate by White in two moves of each side, and what the tags and comments say about it.
fn scholars_mate(result: &str, termination: &str, comment: &str) -> String {
    let moves = "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7#";
    format!("[Result \"{result}\"]\n[Termination \"{termination}\"]\n\n{moves} {comment} {result}\n\n")
}

/// Black is stalemated after White's move.
fn stalemate(result: &str, termination: &str) -> String {
    let fen = "7k/8/5KQ1/8/8/8/8/8 w - - 0 1";
    format!("[Result \"{result}\"]\n[Termination \"{termination}\"]\n[FEN \"{fen}\"]\n\n1. Kf7 {result}\n\n")
}

#[test]
fn a_result_that_contradicts_mate_or_stalemate_is_found() {
    for (game, finding) in [
        (scholars_mate("1-0", "Normal", ""), "fine"),
        (scholars_mate("1-0", "Time forfeit", ""), "fine"),
        (scholars_mate("*", "Normal", ""), "fine"),
        (scholars_mate("*", "White won by checkmate", ""), "fine"),
        (scholars_mate("0-1", "Normal", ""), "mate-claimed-but-not"),
        (scholars_mate("0-1", "Time forfeit", ""), "mate-claimed-but-not"),
        (scholars_mate("1/2-1/2", "Normal", ""), "mate-claimed-but-not"),
        (stalemate("1/2-1/2", "Normal"), "fine"),
        (stalemate("*", "Normal"), "fine"),
        (stalemate("1-0", "Normal"), "mate-claimed-but-not"),
        (stalemate("1-0", "White won by checkmate"), "mate-claimed-but-not"),
        (stalemate("1-0", "Time forfeit"), "mate-claimed-but-not"),
    ] {
        let rows = rows_of(&game);
        assert_eq!(rows[0]["finding"], finding, "{game}");
    }
}

#[test]
fn a_win_on_time_is_judged_only_where_it_is_clear_who_won() {
    let names = "[White \"Bishop\"]\n[Black \"Rook\"]\n";
    for (result, termination, finding) in [
        ("1-0", "Time forfeit", "flag-fall-should-be-draw"),
        ("1-0", "Bishop won on time", "flag-fall-should-be-draw"),
        (" 1 - 0 ", "Time forfeit", "flag-fall-should-be-draw"),
        ("1\u{2013}0", "Time forfeit", "flag-fall-should-be-draw"),
        ("1-0", "Black forfeits on time", "flag-fall-should-be-draw"),
        ("1-0", "Rook won on time", "undecided"),
        ("1-0", "White forfeits on time", "undecided"),
        ("?", "Time forfeit", "undecided"),
        ("White wins", "Time forfeit", "undecided"),
        ("0-1", "Rook won on time", "fine"),
        ("1/2-1/2", "Time forfeit", "fine"),
        ("*", "Time forfeit", "fine"),
        ("1-0", "Won by resignation, no timeout", "fine"),
        ("?", "Normal", "fine"),
    ] {
        // Without a result after the moves.
        let game = format!(
            "[Result \"{result}\"]\n[Termination \"{termination}\"]\n{names}\
             [FEN \"6k1/8/8/8/8/3B4/8/r3K3 w - - 0 1\"]\n\n1. Kd2 Kf7 *\n\n"
        );
        assert_eq!(rows_of(&game)[0]["finding"], finding, "{result} {termination}");
    }
    // The names are there without being columns, and can be columns.
    let game = format!("[Result \"1-0\"]\n{names}\n1. e4 1-0\n");
    assert!(rows_of(&game)[0].get("White").is_none());
    let output = audit(&["--tags", "White", "-"]).write_stdin(game).assert().code(0);
    assert_eq!(parsed(&output.get_output().stdout)[0]["White"], "Bishop");
}

#[test]
fn a_game_that_a_damaged_file_cuts_off_is_not_judged() {
    let games = "[Result \"1-0\"]\n\n1. e4 1-0\n\n\
                 [Result \"1-0\"]\n[Termination \"White won by checkmate\"]\n\n1. e4 e5 2. Qh5 Nc6 ";
    for (games, whole) in [(games.to_owned(), 1), (format!("{games}3. Bc4 Nf6 4. Qxf7# 1-0\n"), 2)] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("cut.pgn.gz");
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::none());
        packed.write_all(games.as_bytes()).unwrap();
        let mut packed = packed.finish().unwrap();
        packed.truncate(packed.len() - 8);
        fs::write(&path, packed).unwrap();
        let output = audit(&[path.to_str().unwrap()]).assert().code(2);
        let rows = parsed(&output.get_output().stdout);
        let judged = rows.iter().filter(|row| row["finding"] == "fine").count();
        assert_eq!((judged, rows.len()), (whole, 3), "{rows:?}");
        assert_eq!(rows[1]["error_code"] == "pgn/cut-off", whole == 1, "{rows:?}");
        assert_eq!(rows[2]["error_code"], "stream/truncated");
    }
}

#[test]
fn how_a_game_ended_is_read_from_comments_at_its_end_too() {
    let flagged = |tags: &str, comments: &str| {
        format!(
            "[Result \"1-0\"]\n{tags}[FEN \"6k1/8/8/8/8/3B4/8/r3K3 w - - 0 1\"]\n\n\
             1. Kd2 {{Black forfeits on time}} Kf7 {comments}\n\n"
        )
    };
    let normal = "[Termination \"Normal\"]\n";
    for (tags, comments, ended_by) in [
        (normal, "1-0", "other"),
        (normal, "{Black forfeits on time} 1-0", "time"),
        (normal, "{[%clk 0:00:00]} {White wins on time.} 1-0", "time"),
        (normal, "1-0 {White wins on time}", "time"),
        (normal, "; Black forfeits on time\n1-0", "time"),
        (normal, "(1... Kh7 {Black forfeits on time}) 1-0", "other"),
        (normal, "{+0.10/12 1.5s, Black loses on time} 1-0", "time"),
        (normal, "{White checkmated} 1-0", "mate"),
        ("[Termination \"A won by resignation\"]\n", "1-0", "other"),
        ("[ICCResult \"Black forfeits on time\"]\n", "1-0", "time"),
        ("[Termination \"Time forfeit\"]\n", "{Black checkmated} 1-0", "time"),
        ("", "{Black forfeits on time} 1-0", "time"),
    ] {
        let rows = rows_of(&flagged(tags, comments));
        let finding = match ended_by {
            "time" => "flag-fall-should-be-draw",
            "mate" => "mate-claimed-but-not",
            _ => "fine",
        };
        assert_eq!(rows[0]["ended_by"], ended_by, "{tags} {comments}");
        assert_eq!(rows[0]["finding"], finding, "{tags} {comments}");
    }
    // One game's comment is not the next one's.
    let both = flagged("", "{Black forfeits on time} 1-0") + &flagged("", "1-0");
    assert_eq!(rows_of(&both)[1]["ended_by"], "other");
}

#[test]
fn of_a_folder_only_games_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("a.pgn", "1. e4 *\n");
    write("b.fen", "8/8/8/4k3/8/2K5/3p4/6B1 w - - 0 1\n");
    write("c.csv", "fen\n8/8/8/4k3/8/2K5/3p4/6B1 w - - 0 1\n");
    write("d.txt", "notes\n");
    let folder = folder.path().to_str().unwrap();
    let output = audit(&[folder]).assert().code(0);
    assert_eq!(parsed(&output.get_output().stdout).len(), 1);
    output.stderr(contains("files passed over: 1 .csv, 1 .fen, 1 .txt"));

    let empty = tempfile::tempdir().unwrap();
    let empty = empty.path().to_str().unwrap();
    audit(&[empty]).assert().code(2).stderr(contains("holds no file with the name of games (.pgn)"));
}

#[test]
fn an_input_that_is_not_there_costs_only_itself() {
    let output = audit(&["nowhere.pgn", GAMES]).assert().code(2);
    let rows = parsed(&output.get_output().stdout);
    assert_eq!(rows.len(), 4);
    assert_eq!((&rows[0]["source"], &rows[0]["error_code"]), (&"nowhere.pgn".into(), &"scan/input".into()));
    for column in ["game", "plies", "ended_by", "finding", "fen"] {
        assert_eq!(rows[0][column], Value::Null, "{column}");
    }
    output
        .stderr(contains("error: nowhere.pgn: cannot read: "))
        .stderr(contains("1 input does not exist"))
        .stderr(contains("could not be read, or not to the end").not())
        .stderr(contains("games: 3 = "));
    audit(&["nowhere.pgn"]).assert().code(2).stdout("").stderr(contains("cannot read nowhere.pgn: "));
}

/// A bishop against a rook: White can never mate.
fn on_time(tags: &str, moves: &str) -> Value {
    let fen = "8/8/5k2/8/8/3BK3/8/r7 w - - 0 1";
    rows_of(&format!("{tags}\n[FEN \"{fen}\"]\n\n{moves}\n")).remove(0)
}

#[test]
fn a_result_counts_where_it_stands_and_not_where_another_one_does() {
    let time = "[Termination \"Time forfeit\"]";
    for (result, end, finding) in [
        ("1-0", "1-0", "flag-fall-should-be-draw"),
        ("1-0", "", "flag-fall-should-be-draw"),
        ("1-0", "*", "flag-fall-should-be-draw"),
        ("", "1-0", "flag-fall-should-be-draw"),
        ("?", "1-0", "flag-fall-should-be-draw"),
        ("0-1", "0-1", "fine"),
        ("", "0-1", "fine"),
        ("\u{bd}-\u{bd}", "\u{bd}-\u{bd}", "fine"),
        ("1/2", "1/2-1/2", "fine"),
        ("*", "*", "fine"),
        // Who has won?
        ("1-0", "0-1", "undecided"),
        ("0-1", "1-0", "undecided"),
        ("1-0", "1/2-1/2", "undecided"),
        ("*", "1-0", "undecided"),
        ("", "", "undecided"),
        ("", "*", "undecided"),
    ] {
        let tag = if result.is_empty() { String::new() } else { format!("[Result \"{result}\"]\n") };
        let row = on_time(&format!("{tag}{time}"), &format!("1. Kd2 Ra2+ {end}"));
        assert_eq!(row["finding"], finding, "{result} {end}");
        assert_eq!(row["result"].as_str().unwrap_or_default(), result);
    }
    // Where both could mate it does not matter, and in a variation it is another game's.
    let row = rows_of(&format!("[Result \"1-0\"]\n{time}\n\n1. e4 e5 0-1\n")).remove(0);
    assert_eq!(row["finding"], "fine");
    let row = on_time(&format!("[Result \"1-0\"]\n{time}"), "1. Kd2 Ra2+ (1... Ra3 0-1) 1-0");
    assert_eq!(row["finding"], "flag-fall-should-be-draw");
    // Mate on the board, and only the text after the moves says who won.
    assert_eq!(rows_of("1. f3 e5 2. g4 Qh4# 1-0\n")[0]["finding"], "mate-claimed-but-not");
}

#[test]
fn a_player_named_in_a_comment_is_a_side() {
    let names = "[White \"Anna\"]\n[Black \"Guest1\"]\n[Result \"1-0\"]";
    let row = on_time(names, "1. Kd2 Ra2+ {Guest1 forfeits on time} 1-0");
    assert_eq!((&row["ended_by"], &row["finding"]), (&"time".into(), &"flag-fall-should-be-draw".into()));
    let row = on_time(names, "1. Kd2 Ra2+ {Anna forfeits on time} 1-0");
    assert_eq!(row["finding"], "undecided");
}

/// White must take the rook, and then nobody can mate; but the turn is passed.
#[test]
fn nothing_is_dead_that_can_be_won_after_a_passed_turn() {
    let game = "[Result \"0-1\"]\n[FEN \"7k/8/8/8/8/8/1r6/K7 w - - 0 1\"]\n\n1. -- Rb8 2. -- 0-1\n";
    let row = rows_of(game).remove(0);
    assert_eq!((&row["decided_black"], &row["unwinnable_black_since"]), (&"winnable".into(), &Value::Null));
    assert_eq!((&row["dead_since"], &row["finding"]), (&Value::Null, &"fine".into()));
    assert_eq!(row["unwinnable_white_since"], 0);
}

#[test]
fn what_is_not_games_is_named_with_its_line_and_not_audited() {
    let wall = "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1";
    for (text, message) in [
        (format!("# Walls\n\n{wall}\n"), "line 3 is a position (FEN), not a game"),
        (
            format!("{wall}\n\n{wall}\n"),
            "lines 1 to 3 are positions (FEN), not games; scan and decide read positions",
        ),
        // In PGN, this would be a comment, and the game around it would be fine.
        (format!("{{\"fen\":\"{wall}\"}}\n"), "line 1 is a JSON object, not a game"),
        (format!("fen,eval\n{wall},3\n"), "line 1 is a row of a table, not a game"),
        (format!("fen {wall}\nmove a1b1\nscore 0\nply 0\nresult 0\ne\n"), "line 1 is a block"),
    ] {
        let output = audit(&["-"]).write_stdin(text).assert().code(2);
        let rows = parsed(&output.get_output().stdout);
        assert_eq!((rows.len(), &rows[0]["error_code"]), (1, &"stream/not-games".into()));
        assert_eq!((&rows[0]["game"], &rows[0]["finding"]), (&Value::Null, &Value::Null));
        output.stderr(contains(message)).stderr(contains("audited: 0 games"));
    }
    // The other inputs are audited all the same.
    let output = audit(&["-", GAMES]).write_stdin(wall).assert().code(2);
    output.stderr(contains("audited: 3 games")).stderr(contains("error: -: line 1 is a position"));
}

#[test]
fn a_position_among_games_is_named_with_its_line() {
    let wall = "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1";
    let games = format!(
        "[Event \"a\"]\n\n1. e4 *\n\n[Event \"b\"]\n\n1. e4 e5\n{wall}\n\n[Event \"c\"]\n\n1. d4 *\n"
    );
    let output = audit(&["-"]).write_stdin(games).assert().code(2);
    let rows = parsed(&output.get_output().stdout);
    let codes: Vec<_> = rows.iter().map(|row| row["error_code"].as_str()).collect();
    assert_eq!(codes, [None, Some("pgn/unreadable-move"), Some("pgn/not-a-game"), None]);
    output
        .stderr(contains(
            "game 2, ply 3: a position (FEN) in line 8 where a move is expected: 7k/8/8/p1p1p1p1",
        ))
        .stderr(contains("game 3: line 8 is a position (FEN), not a game [pgn/not-a-game]"));
}

/// Many lines are one error, wherever they stand, and no game is lost.
#[test]
fn games_among_positions_are_audited() {
    let wall = "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1";
    let lines = format!("{wall}\n").repeat(20_000);
    let mate = "[Result \"1-0\"]\n\n1. f3 e5 2. g4 Qh4# 1-0\n";
    let text = format!("# Walls\n{lines}\n{lines}{mate}{wall}\n\n1. e4 e5 *\n# the end\n{lines}");
    for threads in ["1", "3"] {
        let output = audit(&["--threads", threads, "-"]).write_stdin(text.clone()).assert().code(2);
        let rows = parsed(&output.get_output().stdout);
        let told: Vec<_> = rows
            .iter()
            .map(|row| (row["finding"].as_str(), row["error"].as_str().unwrap_or_default()))
            .collect();
        assert_eq!(
            told,
            [
                (None, "lines 2 to 40002 are positions (FEN), not games"),
                (Some("mate-claimed-but-not"), ""),
                (None, "line 40006 is a position (FEN), not a game"),
                (Some("fine"), ""),
                (None, "lines 40010 to 60009 are positions (FEN), not games"),
            ]
        );
        output.stderr(contains("error: -, game 1 and 2 more: lines 2 to 40002 are positions"));
    }
}

#[test]
fn an_empty_input_among_others_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs::write(path("empty.pgn"), "").unwrap();
    fs::write(path("blank.pgn"), "\n \n% nothing\n# nothing\n").unwrap();
    let output = audit(&[&path("empty.pgn"), GAMES, &path("blank.pgn")]).assert().code(0);
    assert_eq!(parsed(&output.get_output().stdout).len(), 3);
    output
        .stderr(contains(format!("notice: {}: is empty [stream/empty]", path("empty.pgn"))))
        .stderr(contains(format!("notice: {}: holds nothing to read [stream/empty]", path("blank.pgn"))))
        .stderr(contains("notices: stream/empty 2"))
        .stderr(contains("nothing to read: the input is empty").not());
}

#[test]
fn an_empty_input_is_read_and_said_to_be_empty() {
    for text in ["", "\n \n"] {
        let output = audit(&["-"]).write_stdin(text).assert().code(0).stdout("");
        output.stderr(contains("nothing to read: the input is empty"));
    }
    audit(&["-"]).write_stdin("1. e4 *\n").assert().code(0).stderr(contains("nothing to read").not());
}

/// Games with long comments: many blocks, few rows. One is broken.
fn long_games() -> String {
    let comment = "word ".repeat(800);
    let game = |number: usize| {
        let moves = if number == 500 { "1. e4 e5 2. Ke3" } else { "1. e4 e5 2. Nf3" };
        format!("[Event \"{number}\"]\n[Result \"1-0\"]\n\n{{{comment}}} {moves} 1-0\n\n")
    };
    (0..600).map(game).collect()
}

/// Waits until the journal of an output says that the audit has come to a game.
fn wait_for_entry(journal: &Path) {
    let began = Instant::now();
    loop {
        let text = fs::read_to_string(journal).unwrap_or_default();
        let mut entries = text.lines().skip(1).filter_map(|line| serde_json::from_str::<Value>(line).ok());
        if entries.any(|entry| entry["mark"]["record"].as_u64() > Some(0)) {
            return;
        }
        assert!(began.elapsed() < Duration::from_secs(300), "no entry in the journal");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_killed_audit_goes_on_without_losing_or_doubling_a_game() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let text = long_games();
    // An input that is not there stays one input, so that what is gone on with is the same.
    let arguments = |output: &str, more: &[&str]| {
        let given = ["nowhere.pgn", "-", "--tags", "Event", "-o", output];
        given.iter().chain(more).map(|&argument| argument.to_owned()).collect::<Vec<String>>()
    };
    let run = |output: &str, more: &[&str]| {
        let arguments = arguments(output, more);
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        audit(&arguments).write_stdin(text.clone()).assert()
    };
    let whole = path("whole.csv");
    run(&whole, &[]).code(2);

    let output = path("audit.csv");
    let mut child = Process::new(assert_cmd::cargo::cargo_bin("bitmesh"))
        .arg("audit")
        .args(arguments(&output, &[]))
        .stdin(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    child.stdin.as_mut().unwrap().write_all(&text.as_bytes()[..text.len() / 2]).unwrap();
    wait_for_entry(&folder.path().join("audit.csv.journal"));
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(!Path::new(&output).exists(), "it has its name before it is complete");

    run(&output, &[]).code(2).stderr(contains("continue with --resume, or throw them away with --restart"));
    let other = run(&output, &["--resume", "--effort", "7"]).code(2);
    other.stderr(contains("(then: effort of decisions 400000; now: effort of decisions 7)"));
    let other = run(&output, &["--resume", "--tags", "Site"]).code(2);
    other.stderr(contains("(then: tags and columns Event; now: tags and columns Event,Site)"));
    // The work in progress of an audit is not that of a scan.
    let scan = ["scan", "nowhere.pgn", "-", "--format", "pgn", "--decide", "--resume", "-o", &output];
    let scan = Command::cargo_bin("bitmesh").unwrap().args(scan).write_stdin(text.clone()).assert();
    scan.code(2).stderr(contains("(then: rows bitmesh.audit.v1 as Csv; now: rows bitmesh.scan.v1 as Csv)"));
    run(&output, &["--resume"]).code(2).stderr(contains(
        "games: 600 = 0 flag-fall-should-be-draw + 0 mate-claimed-but-not + 0 played-on-when-dead + 0 undecided \
         + 599 fine + 1 not read to the end",
    ));
    assert!(fs::read(&output).unwrap() == fs::read(&whole).unwrap());
    run(&output, &["--resume"]).code(0).stderr(contains("is complete: nothing to resume"));
}

#[test]
fn evidence_is_kept_for_the_ends_of_games() {
    let folder = tempfile::tempdir().unwrap();
    let evidence = folder.path().join("evidence");
    let rows = rows(&[GAMES, "--certificates", evidence.to_str().unwrap()]);
    let mut names: Vec<String> = fs::read_dir(&evidence)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    // The flag: White's certificate at the start and at the end, with Black's lines. The dead game: both sides at both
    // ends. The last game: two lines.
    let decided = |name: &&String| name.contains("-white.") || name.contains("-black.");
    assert!(names.iter().filter(decided).count() <= 12, "{names:?}");
    for (row, kinds) in
        rows.iter().zip([["bmpersist", "bmmate"], ["bmpersist", "bmpersist"], ["bmmate", "bmmate"]])
    {
        for (side, kind) in ["white", "black"].into_iter().zip(kinds) {
            let name = format!("{}-{side}.{kind}", row["position_digest"].as_str().unwrap());
            assert!(names.contains(&name), "{name} of {names:?}");
            Command::cargo_bin("bitmesh").unwrap().arg("verify").arg(evidence.join(name)).assert().code(0);
        }
    }
}

#[test]
fn rows_can_have_any_form_on_standard_output() {
    audit(&[GAMES, "--to", "csv"]).assert().code(0).stdout(contains("source,game,plies,"));
    let parquet = audit(&[GAMES, "--to", "parquet"]).assert().code(0);
    assert!(parquet.get_output().stdout.starts_with(b"PAR1"));
}
