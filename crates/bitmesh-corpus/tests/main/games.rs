//! Games: what is read of them, and a second opinion.

use std::io::Cursor;
use std::ops::ControlFlow;

use bitmesh_corpus::Options;
use bitmesh_lab::games::random_ply;
use bitmesh_lab::random::Rng;
use pgn_reader::{Reader, SanPlus, Skip, Visitor};
use shakmaty::fen::Fen;
use shakmaty::san::SanPlus as San;
use shakmaty::{Chess, EnPassantMode, Position};

use crate::support::{scan, scan_with};

/// The positions of well-formed games, as `pgn-reader` and shakmaty see them.
fn second_opinion(pgn: &str) -> Vec<String> {
    struct Positions(Vec<String>);

    impl Positions {
        fn push(&mut self, chess: &Chess) {
            let mut setup = chess.to_setup(EnPassantMode::Legal);
            setup.halfmoves = 0;
            setup.fullmoves = core::num::NonZeroU32::MIN;
            self.0.push(Fen::try_from(setup).unwrap().to_string());
        }
    }

    impl Visitor for Positions {
        type Tags = ();
        type Movetext = Chess;
        type Output = ();

        fn begin_tags(&mut self) -> ControlFlow<()> {
            ControlFlow::Continue(())
        }

        fn begin_movetext(&mut self, (): ()) -> ControlFlow<(), Chess> {
            self.push(&Chess::default());
            ControlFlow::Continue(Chess::default())
        }

        fn san(&mut self, chess: &mut Chess, san: SanPlus) -> ControlFlow<()> {
            chess.play_unchecked(san.san.to_move(chess).unwrap());
            self.push(chess);
            ControlFlow::Continue(())
        }

        fn begin_variation(&mut self, _: &mut Chess) -> ControlFlow<(), Skip> {
            ControlFlow::Continue(Skip(true))
        }

        fn end_game(&mut self, _: Chess) {}
    }

    let mut positions = Positions(Vec::new());
    Reader::new(Cursor::new(pgn)).visit_all_games(&mut positions).unwrap();
    positions.0
}

/// Random games with everything around the moves that the standard allows.
fn random_games(count: usize, rng: &mut Rng) -> String {
    let mut pgn = String::new();
    for game in 0..count {
        pgn.push_str(&format!("[Event \"random {game}\"]\n[White \"a \\\"b\\\" c\"]\n[Result \"*\"]\n\n"));
        let mut chess = Chess::default();
        for ply in 0..20 + rng.below(160) {
            let before = chess.clone();
            let Some(played) = random_ply(&mut chess, rng) else { break };
            if ply % 2 == 0 {
                pgn.push_str(&format!("{}. ", ply / 2 + 1));
            }
            pgn.push_str(&San::from_move(before.clone(), played).to_string());
            pgn.push_str(
                [
                    " ",
                    "\n",
                    "\r\n",
                    " $3 ",
                    "!? ",
                    " { a [b] (c } ",
                    " ; rest } of line\n",
                    " (1. e4 {)} (2. d4)) ",
                ][rng.below(8)],
            );
        }
        pgn.push_str("*\n\n");
    }
    pgn
}

#[test]
fn well_formed_games_are_read_as_by_pgn_reader() {
    let pgn = random_games(60, &mut Rng::new(1));
    let report = scan("random.pgn", pgn.as_bytes());
    assert!(report.counts.all_read(), "{:?}", report.remarks);
    assert_eq!(report.notice_codes(), [""; 0]);
    assert_eq!(report.counts.games, 60);
    assert_eq!(report.fens(), second_opinion(&pgn));
}

#[test]
fn an_open_comment_costs_its_own_game_only() {
    let pgn = "[Event \"1\"]\n\n1. e4 e5 {never closed 2. Nf3\n\n[Event \"2\"]\n\n1. d4 {closed} d5 *\n";
    let report = scan("x.pgn", pgn);
    assert_eq!(report.errors(), [("pgn/unterminated-comment", 1, 3)]);
    assert_eq!(report.plies(), [2, 2]);
    assert_eq!((report.counts.games, report.counts.failed), (2, 1));
}

#[test]
fn no_token_is_passed_over_in_silence() {
    for (token, code) in [
        ("Sf3", "pgn/unreadable-move"),
        ("Nf3xyz", "pgn/unreadable-move"),
        ("\u{fffd}f3", "pgn/unreadable-move"),
        ("[%clk 1:00]", "pgn/unreadable-text"),
        ("}", "pgn/unmatched-brace"),
        ("e4, e5", "pgn/unreadable-text"),
        ("N@f3", "pgn/other-variant"),
        ("Ke7", "pgn/illegal-move"),
        ("(1. c4", "pgn/unterminated-variation"),
    ] {
        let report = scan("x.pgn", format!("[Event \"?\"]\n\n1. {token} Nf6 2. Nc3 *\n"));
        assert_eq!(report.error_codes(), [code], "{token}");
        assert!(report.plies()[0] <= 1, "{token}");
    }
}

#[test]
fn signs_about_positions_are_no_moves() {
    let pgn = "1. e4 N e5 += 2. Nf3 +- Nc6 = 3. Bb5 \u{2a72} a6 -+ 4. Ba4 D Nf6 \u{b1} 1/2\n";
    let report = scan("x.pgn", pgn);
    assert_eq!(report.plies(), [8]);
    assert!(report.counts.all_read());
}

#[test]
fn en_passant_may_be_marked() {
    for mark in ["exd6 e.p.", "exd6e.p.", "exd6ep", "exd6 e.p", "exd6"] {
        let report = scan("x.pgn", format!("1. e4 a6 2. e5 d5 3. {mark} Nc6 *"));
        assert_eq!((report.error_codes().len(), report.plies()), (0, vec![6]), "{mark}");
    }
}

#[test]
fn text_that_is_no_game_gives_no_position() {
    let report = scan("x.pgn", "hello world\n");
    assert_eq!(report.errors(), [("pgn/unreadable-move", 1, 1)]);
    assert!(report.findings().is_empty());
    let report = scan("x.pgn", "\n\u{1a}\n  \n");
    assert_eq!(report.counts.records, 0);
}

#[test]
fn variations_are_played_on_request() {
    let pgn = "1. e4 e5 (1... c5 2. Nf3 (2. Nc3 Nc6) 2... d6) (1... e6) 2. Nf3 *\n";
    assert_eq!(scan("x.pgn", pgn).rows.len(), 4);
    let mut options = Options::default();
    options.variations = true;
    let report = scan_with("x.pgn", pgn, options);
    let plies: Vec<u32> = report.rows.iter().map(|row| row.place.ply.unwrap()).collect();
    assert_eq!(plies, [0, 1, 2, 2, 3, 3, 4, 4, 2, 3]);
    // After the variations the main line goes on from where it was.
    assert_eq!(report.last_fen(), "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 0 1");
    assert!(report.counts.all_read());
}

#[test]
fn a_bad_move_in_a_variation_ends_that_variation() {
    let mut options = Options::default();
    options.variations = true;
    let report = scan_with("x.pgn", "1. e4 e5 (1... Kd4 (1... c5) 2. Nf3) 2. Nf3 *\n", options);
    assert_eq!(report.errors(), [("pgn/illegal-move", 1, 2)]);
    assert_eq!(report.counts.positions, 4);
    assert_eq!(report.counts.failed, 1);
}

#[test]
fn variations_may_be_as_deep_as_they_like() {
    let mut options = Options::default();
    options.variations = true;
    let deep = format!("1. e4 {}{} *\n", "(1. d4 ".repeat(2000), ")".repeat(2000));
    let report = scan_with("x.pgn", deep, options);
    assert!(report.counts.all_read());
    assert_eq!(report.counts.positions, 2 + 256);
}

#[test]
fn a_passed_turn_in_check_is_an_error() {
    let report = scan("x.pgn", "1. e4 e5 2. Qh5 Nc6 3. Qxf7+ -- *\n");
    assert_eq!(report.errors(), [("pgn/illegal-null-move", 1, 6)]);
}

#[test]
fn chess960_is_played_by_its_rules() {
    let pgn = "[Variant \"Chess960\"]\n[FEN \"nrk2brq/pppppppp/8/8/8/8/PPPPPPPP/NRK2BRQ w GBgb - 0 1\"]\n\n1. O-O-O *\n";
    let report = scan("x.pgn", pgn);
    assert!(report.counts.all_read(), "{:?}", report.remarks);
    assert_eq!(report.last_fen().split(' ').next(), Some("nrk2brq/pppppppp/8/8/8/8/PPPPPPPP/N1KR1BRQ"));
    let report = scan("x.pgn", "[Variant \"Chess960\"]\n\n1. e4 *\n");
    assert_eq!(report.error_codes(), ["pgn/no-start-position"]);
}

#[test]
fn a_game_that_is_too_long_costs_itself_only() {
    let comment = "word ".repeat(1000);
    let long = format!("[Event \"2\"]\n\n1. e4 {}*\n\n", format!("{{ {comment} }}\n").repeat(1200));
    assert!(long.len() > 5_000_000);
    let pgn = format!("[Event \"1\"]\n\n1. e4 *\n\n{long}[Event \"3\"]\n\n1. d4 d5 *\n");
    let report = scan("x.pgn", pgn);
    assert_eq!(report.errors(), [("pgn/game-too-long", 2, 0)]);
    assert_eq!(report.plies(), [1, 0, 2]);
}

#[test]
fn a_position_between_moves_is_named_with_its_line_wherever_it_stands() {
    let wall = "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1";
    // Several blocks of text, blank lines between games and a game that is too long to be read.
    let long = format!("[Event \"long\"]\n\n1. e4 {{{}}} *\n\n\n", "words and\n".repeat(500_000));
    let game = |number: usize| match number {
        300 => long.clone(),
        number if number % 97 == 0 => {
            format!("\n[Event \"{number}\"]\n[Site \"?\"]\n\n1. e4 e5\n2. Nf3\n{wall}\n\n")
        }
        number => format!("[Event \"{number}\"]\n\n{{{}}}\n1. e4 *\n\n", "word ".repeat(200)),
    };
    let text: String = (1..=600).map(game).collect();
    let lines: Vec<String> = (1..)
        .zip(text.lines())
        .filter(|(_, line)| *line == wall)
        .map(|(line, _)| format!(" in line {line} "))
        .collect();
    assert_eq!(lines.len(), 6);
    for threads in [1, 3] {
        let mut options = Options::default();
        options.threads = std::num::NonZeroUsize::new(threads).unwrap();
        let report = scan_with("x.pgn", text.as_bytes(), options);
        let problems = report.rows.iter().filter_map(|row| row.problem.as_ref());
        let told: Vec<&str> = problems
            .filter(|problem| problem.code() == "pgn/unreadable-move")
            .map(|problem| problem.message())
            .collect();
        assert_eq!(told.len(), lines.len());
        for (message, line) in told.iter().zip(&lines) {
            assert!(message.contains(line), "{message}, not{line}");
        }
    }
    // A game in the cell of a table has no lines of its own.
    let table = scan("x.csv", format!("movetext,x\n\"1. e4 e5 {wall}\",1\n"));
    let problem = table.rows.iter().find_map(|row| row.problem.as_ref()).unwrap();
    assert!(
        problem.message().starts_with("a position (FEN) where a move is expected: 7k/8/8/p1p1p1p1"),
        "{problem}"
    );
}
