//! Texts in, positions out: every tolerance, every refusal, and one canonical text.

use bitmesh::shakmaty::fen::Fen;
use bitmesh::shakmaty::{
    Bitboard, Board, CastlingMode, CastlingSide, Chess, Color, Piece, Position as _, Rank, Role, Setup,
    Square,
};
use bitmesh::{
    BOARD_CONTEXT, BoardOnlyReason, FEN_CONTEXT, Field, Input, Note, OperationProblem, Position,
    ReadPositionProblem as Problem, Reading, read_board_text, read_position,
};
use proptest::prelude::*;

const WALL: &str = "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7";
const WALL_FEN: &str = "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1";

#[track_caller]
fn read(text: &str) -> Reading {
    match read_position(text) {
        Ok(reading) => reading,
        Err(error) => panic!("{text:?}: {error}"),
    }
}

/// The text is a position with this FEN, and these tolerances were used.
#[track_caller]
fn position(text: &str, fen: &str, notes: &[Note]) {
    let reading = read(text);
    assert!(reading.input.position().is_some(), "{text:?} is no position");
    assert_eq!(reading.fen(), fen, "{text:?}");
    assert_eq!(reading.notes, notes, "{text:?}");
    assert_eq!(reading.input.context(), FEN_CONTEXT);
    let canonical = reading.input.canonical_text();
    assert_eq!(canonical, format!("{} 0 1", fen.rsplitn(3, ' ').last().unwrap()));
    assert_eq!(read(&canonical).input.canonical_text(), canonical);
    assert_eq!(notes_besides_rooks(&read(&canonical)), []);
}

/// An unusual castling rook is noted in canonical texts too.
fn notes_besides_rooks(reading: &Reading) -> Vec<Note> {
    reading.notes.iter().copied().filter(|note| !matches!(note, Note::CastlingRook { .. })).collect()
}

/// The text is a board for these reasons.
#[track_caller]
fn board_only(text: &str, placement: &str, reasons: &[BoardOnlyReason], notes: &[Note]) {
    let reading = read(text);
    let Input::Board(board) = &reading.input else { panic!("{text:?} is a position") };
    assert_eq!(board.canonical_text(), placement, "{text:?}");
    assert_eq!(board.reasons(), reasons, "{text:?}");
    assert_eq!(reading.notes, notes, "{text:?}");
    assert_eq!(reading.fen(), placement);
    assert_eq!(reading.input.context(), BOARD_CONTEXT);
    assert_eq!(read(placement).input.canonical_text(), placement);
}

/// The text is refused, with this problem in this field at this character.
#[track_caller]
fn refused(text: &str, field: Field, column: usize, problem: Problem, message: &str) {
    let error = match read_position(text) {
        Ok(reading) => panic!("{text:?} was read as {}", reading.fen()),
        Err(error) => error,
    };
    assert_eq!(
        (error.problem(), error.field(), error.column()),
        (problem, field, column),
        "{text:?}: {error}"
    );
    assert_eq!(error.offset(), text.char_indices().nth(column - 1).map_or(text.len(), |(offset, _)| offset));
    assert_eq!(error.to_string(), message);
    assert!(error.code().starts_with("position/"));
}

const MISSING_COUNTERS: [Note; 2] =
    [Note::CounterMissing { field: Field::HalfmoveClock }, Note::CounterMissing { field: Field::MoveNumber }];

const fn unexpected(found: char, suggestion: Option<&'static str>) -> Problem {
    Problem::UnexpectedCharacter { found, suggestion }
}

mod tolerances {
    use super::*;

    #[test]
    fn a_plain_fen_has_no_notes() {
        position(WALL_FEN, WALL_FEN, &[]);
        position("8/8/8/8/8/2k5/8/6K1 w - - 1766 1176", "8/8/8/8/8/2k5/8/6K1 w - - 1766 1176", &[]);
        position("k6K/8/8/8/8/8/8/8 w - - 0 1", "k6K/8/8/8/8/8/8/8 w - - 0 1", &[]);
        let largest = format!("{WALL} w - - 4294967295 4294967295");
        position(&largest, &largest, &[]);
    }

    #[test]
    fn byte_order_mark() {
        position(
            include_str!("../cases/inputs/fen-bom.fen"),
            WALL_FEN,
            &[Note::ByteOrderMark, Note::LineEnd],
        );
        let twice = format!("\u{feff}\u{feff}{WALL_FEN}");
        let problem = unexpected('\u{feff}', Some("nothing (the character is invisible)"));
        refused(
            &twice,
            Field::Placement,
            2,
            problem,
            "placement at character 2: unexpected character U+FEFF; did you mean nothing (the character is invisible)?",
        );
    }

    #[test]
    fn line_ends() {
        position(
            include_str!("../cases/inputs/fen-cr.fen"),
            "knbrqbnr/ppp4p/4ppp1/3p4/4P3/1P4PP/P1PP1P2/RNBQRBNK w - - 0 15",
            &[Note::LineEnd],
        );
    }

    #[test]
    fn blanks() {
        let notes = [Note::LineEnd, Note::Blanks];
        position(include_str!("../cases/inputs/fen-tabs.fen"), WALL_FEN, &notes);
        position(include_str!("../cases/inputs/fen-nbsp.fen"), WALL_FEN, &notes);
        position(&format!("  {}", WALL_FEN.replace(' ', " \t ")), WALL_FEN, &[Note::Blanks]);
        // One rule in one place: no other blank counts as one.
        let wide = WALL_FEN.replacen(' ', "\u{3000}", 1);
        let problem = unexpected('\u{3000}', Some("a blank"));
        refused(
            &wide,
            Field::Placement,
            39,
            problem,
            "placement at character 39: unexpected character U+3000; did you mean a blank?",
        );
    }

    #[test]
    fn quotes() {
        position(&format!("\"{WALL_FEN}\""), WALL_FEN, &[Note::Quotes { quote: '"' }]);
        position(
            &format!("' {WALL_FEN}'\n"),
            WALL_FEN,
            &[Note::LineEnd, Note::Quotes { quote: '\'' }, Note::Blanks],
        );
        refused(
            &format!("\"{WALL_FEN}"),
            Field::Placement,
            1,
            unexpected('"', None),
            "placement at character 1: unexpected character `\"`",
        );
        refused(
            &format!("{WALL_FEN}'"),
            Field::MoveNumber,
            49,
            unexpected('\'', None),
            "move number at character 49: unexpected character `'`",
        );
        assert!(read_position(&format!("\"\"{WALL_FEN}\"\"")).is_err());
        assert!(read_position("\"").is_err());
        assert_eq!(read_position("\"\"").unwrap_err().problem(), Problem::Empty);
    }

    #[test]
    fn separators_of_addresses() {
        for separator in ["_", "%20", "+"] {
            let text = WALL_FEN.replace(' ', separator);
            position(&text, WALL_FEN, &[Note::Separator { separator }]);
        }
        // Only when there is no blank at all, and only one kind.
        for text in [
            format!("{WALL}_w - - 0 1"),
            format!("{WALL}+w - - 0 1"),
            format!("{WALL}_w+-+-"),
            format!("{WALL}%20w_-_-"),
            format!("{WALL}_w_-_-_bm_b1a2;"),
            format!("{WALL}_w_-_-_0_1_bm_b1a2;"),
        ] {
            assert!(read_position(&text).is_err(), "{text}");
        }
    }

    #[test]
    fn semicolon_at_the_end() {
        position(
            "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1;",
            "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1",
            &[Note::Semicolon],
        );
        position(
            &format!("{WALL} w - - ;"),
            WALL_FEN,
            &[MISSING_COUNTERS[0], MISSING_COUNTERS[1], Note::Semicolon],
        );
        board_only(&format!("{WALL};"), WALL, &[BoardOnlyReason::SideToMoveNotGiven], &[Note::Semicolon]);
    }

    #[test]
    fn numbers_side_by_side() {
        let start = Position::default_start();
        position(
            "rnbqkbnr/pppppppp/44/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            &start.canonical_text(),
            &[Note::SplitNumber { rank: Rank::Sixth }],
        );
        refused(
            "rnbqkbnr/pppppppp/45/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            Field::Placement,
            19,
            Problem::RankLength { rank: Rank::Sixth, files: 9 },
            "placement at character 19: rank 6 has 9 files",
        );
    }

    #[test]
    fn castling_in_another_order_or_by_file() {
        let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        position("r3k2r/8/8/8/8/8/8/R3K2R w qkQK - 0 1", fen, &[Note::CastlingOrder]);
        position("r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1", fen, &[]);
        position("r3k2r/8/8/8/8/8/8/R3K2R w AHah - 0 1", fen, &[Note::CastlingOrder]);
        // The inner rook keeps its letter, the outer one does not.
        let inner = "4k3/8/8/8/8/8/8/RR2K3 w B - 0 1";
        position(inner, inner, &[]);
        position("4k3/8/8/8/8/8/8/RR2K3 w A - 0 1", "4k3/8/8/8/8/8/8/RR2K3 w Q - 0 1", &[]);
        // An orthodox king with a rook that is not in the corner: said aloud, it may be a mistake.
        position(
            "4k3/8/8/8/8/8/8/1R2K3 w Q - 0 1",
            "4k3/8/8/8/8/8/8/1R2K3 w Q - 0 1",
            &[Note::CastlingRook { right: 'Q', rook: Square::B1 }],
        );
    }

    #[test]
    fn counters() {
        let fen = "r1bqkbnr/pp1ppppp/2n5/2p5/2P1PP2/8/PP1P2PP/RNBQKBNR b KQkq - 0 1";
        position("r1bqkbnr/pp1ppppp/2n5/2p5/2P1PP2/8/PP1P2PP/RNBQKBNR b KQkq -", fen, &MISSING_COUNTERS);
        position(
            &format!("{WALL} w - - 7"),
            &format!("{WALL} w - - 7 1"),
            &[Note::CounterMissing { field: Field::MoveNumber }],
        );
        position(
            "2rq1rk1/pp2ppbp/1n4p1/3pP3/2P5/1P2B3/P2NQPPP/2R2RK1 b - - - -",
            "2rq1rk1/pp2ppbp/1n4p1/3pP3/2P5/1P2B3/P2NQPPP/2R2RK1 b - - 0 1",
            &[
                Note::CounterDash { field: Field::HalfmoveClock },
                Note::CounterDash { field: Field::MoveNumber },
            ],
        );
        position(&format!("{WALL} w - - 3 0"), &format!("{WALL} w - - 3 1"), &[Note::MoveNumberZero]);
        position(&format!("{WALL} w - - 003 007"), &format!("{WALL} w - - 3 7"), &[]);
    }

    #[test]
    fn en_passant_square_without_a_capture() {
        let start = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq";
        let dropped = |square| [Note::EnPassantDropped { square }];
        position(&format!("{start} e3 0 1"), &format!("{start} - 0 1"), &dropped(Square::E3));
        // The capture would uncover an attack on the king along the rank.
        let pinned = "1nbqkbnr/1pp1pppp/8/r1Pp3K/p7/5P2/PP1PP1PP/RNBQ1BNR w k";
        position(&format!("{pinned} d6 0 8"), &format!("{pinned} - 0 8"), &dropped(Square::D6));
        let stalemate = "k7/1R1RN3/p3p3/P3P2p/1PP4P/3K1PP1/8/8 b -";
        position(&format!("{stalemate} h3 0 1"), &format!("{stalemate} - 0 1"), &dropped(Square::H3));
        let kept = format!("{WALL} b - a3 0 1");
        position(&kept, &kept, &[]);
    }
}

mod epd {
    use super::*;

    #[test]
    fn counters_from_operations() {
        let reading = read(include_str!("../cases/inputs/epd-hmvc.epd"));
        assert_eq!(reading.fen(), format!("{WALL} b - a3 0 21"));
        assert_eq!(reading.notes, [Note::LineEnd]);
        let texts: Vec<_> = reading.operations.iter().map(|operation| operation.text()).collect();
        assert_eq!(texts, ["hmvc 0", "fmvn 21", "id \"wall with e.p.\""]);
        assert_eq!((reading.halfmove_clock, reading.fullmove_number.get()), (0, 21));
    }

    #[test]
    fn six_field_fen_in_an_epd_file() {
        let reading = read(include_str!("../cases/inputs/epd-is-fen.epd"));
        assert_eq!(reading.fen(), format!("{WALL} w - - 12 13"));
        assert_eq!(reading.operations, []);
    }

    #[test]
    fn operations_are_carried_verbatim() {
        let lines: Vec<_> = include_str!("../cases/inputs/epd-comments.epd")
            .lines()
            .filter(|line| !line.is_empty() && !line.starts_with('#'))
            .map(read)
            .collect();
        let operations = |reading: &Reading| {
            let parts = reading.operations.iter();
            parts.map(|part| (part.opcode().to_owned(), part.operands().to_owned())).collect::<Vec<_>>()
        };
        let pair = |opcode: &str, operands: &str| (opcode.to_owned(), operands.to_owned());
        assert_eq!(
            operations(&lines[0]),
            [pair("c0", "\"50% \\\"quoted\\\"\""), pair("acd", "12"), pair("ce", "-35"),]
        );
        assert_eq!(operations(&lines[1]), [pair("bm", "b1a2"), pair("pv", "Kb1 Kg8")]);
        for line in lines {
            assert_eq!(line.fen(), WALL_FEN);
            assert_eq!(line.notes, MISSING_COUNTERS);
        }
    }

    #[test]
    fn a_line_of_several_kib() {
        let moves = "Qa8b8 ".repeat(2_000);
        let reading = read(&format!("2Q4Q/R4Q2/3Q4/1Q4Q1/4Q3/2Q4K/Q4RNp/3B1Nkq w - - acd 5; bm {moves};"));
        assert!(reading.input.position().is_some(), "nine queens are eight promotions");
        assert_eq!(reading.operations[1].operands(), moves.trim_end());
    }

    #[test]
    fn operations_behind_a_fen() {
        let reading = read(&format!("{WALL} w - - 3 4 ;D1 20 ;D2 400"));
        assert_eq!(reading.fen(), format!("{WALL} w - - 3 4"));
        let texts: Vec<_> = reading.operations.iter().map(|operation| operation.text()).collect();
        assert_eq!(texts, ["D1 20", "D2 400"]);
        assert_eq!(
            reading.notes,
            [
                Note::Operation { index: 0, problem: OperationProblem::Empty },
                Note::Operation { index: 1, problem: OperationProblem::NoSemicolon },
                Note::OperationsAfterCounters,
            ]
        );
        assert_eq!(read_position(&format!("{WALL} w - - 3 4 5")).unwrap_err().problem(), Problem::ExtraField,);
    }

    #[test]
    fn malformed_operations_are_noted() {
        let note = |index, problem| Note::Operation { index, problem };
        let notes = |operations: &str| read(&format!("{WALL} w - - {operations}")).notes;
        for (operations, expected) in [
            ("hmvc 1; fmvn 2; id \"open;", note(2, OperationProblem::OpenQuote)),
            ("hmvc 1; fmvn 2; id \"x\"", note(2, OperationProblem::NoSemicolon)),
            ("hmvc 1; fmvn 2;;", note(2, OperationProblem::Empty)),
            ("hmvc 1; fmvn 2; 7up;", note(2, OperationProblem::Name)),
            ("hmvc 1; fmvn 2; a23456789012345;", note(3, OperationProblem::Empty)),
            ("hmvc 1; fmvn 2; a234567890123456;", note(2, OperationProblem::Name)),
            ("hmvc 1; fmvn 2; hmvc 3;", note(2, OperationProblem::Repeated)),
            ("hmvc x; fmvn 2;", note(0, OperationProblem::Counter)),
            ("hmvc 1; fmvn 4294967296;", note(1, OperationProblem::Counter)),
            ("hmvc 1; fmvn 0;", Note::MoveNumberZero),
        ] {
            if operations.contains("a23456789012345;") {
                assert_eq!(notes(operations), [], "fifteen characters are allowed");
            } else {
                assert_eq!(notes(operations), [expected], "{operations}");
            }
        }
        assert_eq!(read(&format!("{WALL} w - - hmvc 3; fmvn 4; hmvc 5;")).halfmove_clock, 3);
    }
}

mod boards {
    use super::*;
    use BoardOnlyReason::{
        ImpossibleCheck, NoKing, PawnsOnBackRanks, SideToMoveNotGiven, TooManyKings, TooMuchMaterial,
    };

    #[test]
    fn a_bare_placement_is_a_board() {
        board_only(WALL, WALL, &[SideToMoveNotGiven], &[]);
        board_only(
            "8/8/8/8/8/8/8/8",
            "8/8/8/8/8/8/8/8",
            &[SideToMoveNotGiven, NoKing { color: Color::White }, NoKing { color: Color::Black }],
            &[],
        );
        board_only(
            "KK6/8/8/8/8/8/8/k7",
            "KK6/8/8/8/8/8/8/k7",
            &[SideToMoveNotGiven, TooManyKings { color: Color::White }],
            &[],
        );
    }

    #[test]
    fn pieces_that_are_no_position() {
        let kept = [Note::FieldsNotKept];
        board_only(
            &format!("{} w - - 0 1", WALL.replace('k', "1").replace("71", "8")),
            "8/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7",
            &[NoKing { color: Color::Black }],
            &kept,
        );
        board_only(
            "P6k/8/8/8/8/8/8/K6p w - - 0 1",
            "P6k/8/8/8/8/8/8/K6p",
            &[PawnsOnBackRanks { pawns: Bitboard::from(Square::A8) | Square::H1 }],
            &kept,
        );
        board_only(
            "k7/pppppppp/p7/8/8/8/8/K7 w - - 0 1",
            "k7/pppppppp/p7/8/8/8/8/K7",
            &[TooMuchMaterial { color: Color::Black }],
            &kept,
        );
        board_only("4k3/8/3N1N2/8/8/8/8/K7 b - - 0 1", "4k3/8/3N1N2/8/8/8/8/K7", &[ImpossibleCheck], &kept);
        board_only(
            "8/8/8/8/8/8/PPPPPPPP/PPPPPPPP w - - 0 1",
            "8/8/8/8/8/8/PPPPPPPP/PPPPPPPP",
            &[
                NoKing { color: Color::White },
                NoKing { color: Color::Black },
                PawnsOnBackRanks { pawns: Bitboard::from_rank(Rank::First) },
                TooMuchMaterial { color: Color::White },
            ],
            &kept,
        );
    }

    #[test]
    fn the_boundary_of_material() {
        // Two bishops on one colour of squares are a promotion, two on both are not.
        assert!(read("4k3/8/8/8/8/2B5/PPPPPPPP/B3K3 w - - 0 1").input.position().is_none());
        assert!(read("4k3/8/8/8/8/3B4/PPPPPPPP/B3K3 w - - 0 1").input.position().is_some());
        assert!(read("4k3/8/8/8/8/2B5/1PPPPPPP/B3K3 w - - 0 1").input.position().is_some());
    }

    #[test]
    fn reasons_in_words() {
        let words = |text: &str| {
            let Input::Board(board) = read(text).input else { panic!("{text} is a position") };
            board.reasons().iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
        };
        assert_eq!(words("P7/8/8/8/8/8/8/7p w - -"), "white has no king; black has no king; pawn on h1, a8");
        assert_eq!(
            words("8/8/8/8/8/8/8/KK6"),
            "side to move not given; white has more than one king; black has no king"
        );
        assert_eq!(words("4k3/8/3N1N2/8/8/8/8/K7 b - -"), "no move can have given this check");
    }
}

mod refusals {
    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

    #[test]
    fn nothing() {
        for text in ["", "  \t", "\n\n", "\u{feff}", "\"\""] {
            assert_eq!(read_position(text).unwrap_err().problem(), Problem::Empty, "{text:?}");
        }
        assert_eq!(read_position("").unwrap_err().to_string(), "text at character 1: nothing to read");
    }

    #[test]
    fn placement() {
        let place = Field::Placement;
        refused(
            "nbqkbnr/pp1ppppp/8/2p5/4PP2/8/PPPP2PP/RNBQKBNR b KQkq - 0 2",
            place,
            1,
            Problem::RankLength { rank: Rank::Eighth, files: 7 },
            "placement at character 1: rank 8 has 7 files",
        );
        refused(
            "8/8/8/8/8/8/8 w - - 0 1",
            place,
            14,
            Problem::TooFewRanks { ranks: 7 },
            "placement at character 14: placement has 7 ranks, expected 8",
        );
        let ninth = "placement has more than 8 ranks (a ninth one holds pieces in hand in a chess variant)";
        for text in
            ["8/8/8/8/8/8/8/8/ w - - 0 1", "8/8/8/8/8/8/8/8/8 w - - 0 1", "8/8/8/8/8/8/8/8/Qn w - - 0 1"]
        {
            refused(text, place, 16, Problem::TooManyRanks, &format!("placement at character 16: {ninth}"));
        }
        refused(
            "r1bqkbnr/pp1ppppp/2n5/2p5/2P1PP2/8/PP1P2PP/RNBQKBNR/ b KQkq - 0 0",
            place,
            52,
            Problem::TooManyRanks,
            &format!("placement at character 52: {ninth}"),
        );
        refused(
            &format!("{START}[Qn] w KQkq - 0 1"),
            place,
            44,
            Problem::Pocket,
            "placement at character 44: pieces in hand belong to a chess variant, not to chess",
        );
        refused(
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQ~KBNR w KQkq - 0 1",
            place,
            40,
            Problem::PromotedMark,
            "placement at character 40: marks of promoted pieces belong to a chess variant, not to chess",
        );
        for (found, character) in [
            ('9', "character `9`"),
            ('0', "character `0`"),
            ('x', "character `x`"),
            ('\0', "character U+0000"),
        ] {
            refused(
                &format!("{found}/8/8/8/8/8/8/8 w - - 0 1"),
                place,
                1,
                unexpected(found, None),
                &format!("placement at character 1: unexpected {character}"),
            );
        }
        refused(
            "♜7/8/8/8/8/8/8/8 w - - 0 1",
            place,
            1,
            unexpected('♜', Some("r")),
            "placement at character 1: unexpected character U+265C; did you mean r?",
        );
    }

    #[test]
    fn side() {
        let message = |end: &str| format!("side to move at character 40: side must be w or b{end}");
        for (side, suggestion, end) in [
            ("W", Some("w"), "; did you mean w?"),
            ("white", Some("w"), "; did you mean w?"),
            ("Black", Some("b"), "; did you mean b?"),
            ("x", None, ""),
            ("-", None, ""),
            ("wb", None, ""),
        ] {
            refused(
                &format!("{WALL} {side} - - 0 1"),
                Field::SideToMove,
                40,
                Problem::InvalidSide { suggestion },
                &message(end),
            );
        }
    }

    #[test]
    fn missing_fields() {
        refused(
            "4k3/8/8/8/8/8/8/4K3 w",
            Field::Castling,
            22,
            Problem::MissingField,
            "castling at character 22: the field is missing",
        );
        refused(
            "4k3/8/8/8/8/8/8/4K3 w -",
            Field::EnPassant,
            24,
            Problem::MissingField,
            "en passant at character 24: the field is missing",
        );
    }

    #[test]
    fn characters_that_look_alike() {
        let text = include_str!("../cases/inputs/fen-endash.fen").trim_end();
        refused(
            text,
            Field::Castling,
            42,
            unexpected('\u{2013}', Some("-")),
            "castling at character 42: unexpected character U+2013; did you mean -?",
        );
    }

    #[test]
    fn castling() {
        let castling = Field::Castling;
        refused(
            "1nbqkbnr/1ppppppp/8/8/2PP4/B4N2/P3PPPP/RN1QKB1R b KQkq -",
            castling,
            54,
            Problem::CastlingWithoutRook {
                right: 'q',
                color: Color::Black,
                side: CastlingSide::QueenSide,
                expected: Some(Square::A8),
            },
            "castling at character 54: castling right q has no black rook on a8",
        );
        refused(
            "8/3r4/8/8/8/2R5/1Q6/8 b KQkq - 0 1",
            castling,
            25,
            Problem::CastlingWithoutKing { right: 'K', color: Color::White },
            "castling at character 25: castling right K has no white king on rank 1",
        );
        refused(
            "4k3/8/8/8/8/8/4K3/R6R w KQ - 0 1",
            castling,
            25,
            Problem::CastlingWithoutKing { right: 'K', color: Color::White },
            "castling at character 25: castling right K has no white king on rank 1",
        );
        refused(
            "3k4/8/8/8/8/8/8/R2K4 w K - 0 1",
            castling,
            24,
            Problem::CastlingWithoutRook {
                right: 'K',
                color: Color::White,
                side: CastlingSide::KingSide,
                expected: None,
            },
            "castling at character 24: castling right K has no white rook on the king side",
        );
        refused(
            "4k3/8/8/8/8/8/8/R3K2R w B - 0 1",
            castling,
            25,
            Problem::CastlingWithoutRook {
                right: 'B',
                color: Color::White,
                side: CastlingSide::QueenSide,
                expected: Some(Square::B1),
            },
            "castling at character 25: castling right B has no white rook on b1",
        );
        refused(
            "4k3/8/8/8/8/8/8/R3K2R w KQK - 0 1",
            castling,
            27,
            Problem::DuplicateCastlingRight { right: 'K' },
            "castling at character 27: castling right K is given twice",
        );
        refused(
            "4k3/8/8/8/8/8/8/R3K2R w KH - 0 1",
            castling,
            26,
            Problem::DuplicateCastlingRight { right: 'H' },
            "castling at character 26: castling right H is given twice",
        );
        refused(
            "4k3/8/8/8/8/8/8/4K1RR w KG - 0 1",
            castling,
            26,
            Problem::ConflictingCastlingRight {
                right: 'G',
                color: Color::White,
                side: CastlingSide::KingSide,
            },
            "castling at character 26: castling right G is the second one of white on the king side",
        );
        refused(
            "4k3/8/8/8/8/8/8/R3K2R w KQ- - 0 1",
            castling,
            27,
            unexpected('-', None),
            "castling at character 27: unexpected character `-`",
        );
        refused(
            "k7/1R1RN3/p3p3/P3P2p/1PP4P/3K1PP1/8/8 b KQkq h3 0 1",
            castling,
            41,
            Problem::CastlingWithoutKing { right: 'K', color: Color::White },
            "castling at character 41: castling right K has no white king on rank 1",
        );
    }

    #[test]
    fn en_passant() {
        let ep = Field::EnPassant;
        refused(
            "rnbqkbnr/pppp2pp/5p2/3Pp3/8/8/PPP1PPPP/RNBQKBNR w KQkq e5 0 1",
            ep,
            56,
            Problem::EnPassantRank { square: Square::E5, turn: Color::White, suggestion: Some(Square::E6) },
            "en passant at character 56: e.p. square must be on rank 6 when white moves; did you mean e6?",
        );
        refused(
            "rnbqkbnr/pppppppp/8/8/P7/8/1PPPPPPP/RNBQKBNR w KQkq a3 0 1",
            ep,
            53,
            Problem::EnPassantRank { square: Square::A3, turn: Color::White, suggestion: None },
            "en passant at character 53: e.p. square must be on rank 6 when white moves",
        );
        refused(
            "rnbqkb1r/ppp3pp/3p1n2/3P4/8/2P5/PP3PPP/RNBQKB1R w KQkq e6",
            ep,
            56,
            Problem::EnPassantWithoutPawn { square: Square::E6, pawn: Square::E5, color: Color::Black },
            "en passant at character 56: e.p. square e6 has no black pawn on e5",
        );
        refused(
            "4k3/8/8/8/4P3/4N3/8/4K3 b - e3 0 1",
            ep,
            29,
            Problem::EnPassantBlocked { square: Square::E3, occupied: Square::E3 },
            "en passant at character 29: e.p. square e3 is impossible because e3 is occupied",
        );
        refused(
            "4k3/8/8/8/4P3/8/4N3/4K3 b - e3 0 1",
            ep,
            29,
            Problem::EnPassantBlocked { square: Square::E3, occupied: Square::E2 },
            "en passant at character 29: e.p. square e3 is impossible because e2 is occupied",
        );
        for text in ["e", "e33", "E3", "i3", "e9", "ab", "--"] {
            refused(
                &format!("{WALL} b - {text} 0 1"),
                ep,
                44,
                Problem::InvalidEnPassantField,
                "en passant at character 44: en-passant square must be - or a square such as e3",
            );
        }
        // Kings are not needed to see that a field is wrong.
        assert!(read_position("8/8/8/8/8/8/8/8 w - e6 0 1").is_err());
    }

    #[test]
    fn counters() {
        let number = Field::MoveNumber;
        refused(
            "4k3/8/8/8/8/8/8/4K3 w - - 0 4294967296",
            number,
            29,
            Problem::CounterOutOfRange { field: number },
            "move number at character 29: move number is out of range",
        );
        refused(
            "4k3/8/8/8/8/8/8/4K3 w - - 4294967296 1",
            Field::HalfmoveClock,
            27,
            Problem::CounterOutOfRange { field: Field::HalfmoveClock },
            "half-move clock at character 27: half-move clock is out of range",
        );
        refused(
            "4k3/8/8/8/8/8/8/4K3 w - - 0 -1",
            number,
            29,
            unexpected('-', None),
            "move number at character 29: unexpected character `-`",
        );
        refused(
            "4k3/8/8/8/8/8/8/4K3 w - - 0 1\0junk",
            number,
            30,
            unexpected('\0', None),
            "move number at character 30: unexpected character U+0000",
        );
        refused(
            "4k3/8/8/8/8/8/8/4K3 w - - 0 1 junk",
            Field::Text,
            31,
            Problem::ExtraField,
            "text at character 31: unexpected text after the last field",
        );
    }

    #[test]
    fn counts_of_checks() {
        let message = "a count of checks belongs to a chess variant, not to chess";
        refused(
            "r1b2rk1/ppp2p1p/4p1p1/4Bn2/1b2N3/3B4/PPP3PP/R2Q1R1K b - - 0 15 +0+0",
            Field::Text,
            64,
            Problem::CheckCount,
            &format!("text at character 64: {message}"),
        );
        refused(
            "rkrbbnqn/pppppppp/8/8/8/8/PPPPPPPP/RKRBBNQN w CAca - 161+0 0 1",
            Field::HalfmoveClock,
            54,
            Problem::CheckCount,
            &format!("half-move clock at character 54: {message}"),
        );
        refused(
            &format!("{WALL} w - - 3+3 0 1"),
            Field::HalfmoveClock,
            46,
            Problem::CheckCount,
            &format!("half-move clock at character 46: {message}"),
        );
    }

    #[test]
    fn contradictions() {
        refused(
            "kkkkkkkk/8/8/8/8/8/8/KKKKKKKK w KQkq - 0 1",
            Field::Placement,
            1,
            Problem::TooManyKings { color: Color::White, count: 8 },
            "placement at character 1: white has 8 kings",
        );
        refused(
            "8/8/8/8/8/8/5kK1/8 w - - 0 1",
            Field::SideToMove,
            20,
            Problem::OppositeCheck { color: Color::Black, king: Square::F2, attacker: Square::G2 },
            "side to move at character 20: black is in check on f2 from g2, but white is to move",
        );
        refused(
            "1n6/8/2Q5/1rK5/8/8/8/5k2 b - - 0 1",
            Field::SideToMove,
            26,
            Problem::OppositeCheck { color: Color::White, king: Square::C5, attacker: Square::B5 },
            "side to move at character 26: white is in check on c5 from b5, but black is to move",
        );
        // The king that is missing does not hide the one that could be taken.
        assert!(read_position("8/8/8/8/8/8/R6k/8 w - - 0 1").is_err());
    }
}

mod drawings {
    use super::*;

    #[test]
    fn framed_and_gridded() {
        let reasons = [BoardOnlyReason::SideToMoveNotGiven];
        let framed = include_str!("../cases/inputs/board-chessjs.txt");
        let gridded = include_str!("../cases/inputs/board-stockfish.txt");
        for text in [framed, gridded, &framed.replace('\n', "\r\n"), &gridded.replace('\n', "\r")] {
            board_only(text, WALL, &reasons, &[Note::Drawing]);
            assert_eq!(read_board_text(text), read_position(text));
        }
    }

    #[test]
    fn bare_letters() {
        let spaced = "r . . k\n".replace("r . . k", ". . . . . . . k")
            + &". . . . . . . .\n".repeat(6)
            + "K . . . . . . .";
        let close = ".......k\n".to_owned() + &"........\n".repeat(6) + "K.......";
        for text in [spaced, close] {
            board_only(
                &text,
                "7k/8/8/8/8/8/8/K7",
                &[BoardOnlyReason::SideToMoveNotGiven],
                &[Note::Drawing, Note::DrawnWithoutNumbers],
            );
        }
    }

    #[test]
    fn from_the_side_of_black() {
        let mut lines: Vec<_> = (1..=8).map(|rank| format!("{rank} . . . . . . . .")).collect();
        lines[0] = "1 . . . K . . . .".to_owned();
        lines[7] = "8 . . . k . . . .".to_owned();
        lines.push("  h g f e d c b a".to_owned());
        let text = lines.join("\n");
        board_only(
            &text,
            "4k3/8/8/8/8/8/8/4K3",
            &[BoardOnlyReason::SideToMoveNotGiven],
            &[Note::Drawing, Note::DrawnForBlack],
        );
        let problem = |text: &str| read_board_text(text).unwrap_err().problem();
        assert_eq!(problem(&text.replace("h g f e d c b a", "a b c d e f g h")), Problem::DrawingLabels);
        assert_eq!(problem(&text.replace("  h g f e d c b a", "")), Problem::DrawingLabels);
        assert_eq!(problem(&text.replace("3 .", "  .")), Problem::DrawingLabels);
        assert_eq!(problem(&text.replace("3 .", "2 .")), Problem::DrawingLabels);
    }

    #[test]
    fn refusals_name_line_and_character() {
        let message = |text: &str| read_board_text(text).unwrap_err().to_string();
        let rank = "........\n";
        assert_eq!(message(""), "drawing at character 1: the drawing has 0 ranks, expected 8");
        assert_eq!(message(&rank.repeat(7)), "drawing at character 1: the drawing has 7 ranks, expected 8");
        assert_eq!(
            message(&rank.repeat(9)),
            "drawing at line 9, character 1: the drawing has 9 ranks, expected 8"
        );
        assert_eq!(
            message(&(rank.to_owned() + ".......\n" + &rank.repeat(6))),
            "drawing at line 2, character 1: the rank has 7 squares, expected 8",
        );
        assert_eq!(
            message(&(rank.to_owned() + "...♜....\n" + &rank.repeat(6))),
            "drawing at line 2, character 4: unexpected character U+265C; did you mean r?",
        );
        assert_eq!(
            message(&("| | |kk| | | | | |\n".to_owned() + &rank.repeat(7))),
            "drawing at character 7: unexpected character `k`",
        );
        assert_eq!(
            message(&format!("{WALL_FEN}\n{WALL_FEN}\n")),
            "drawing at character 3: unexpected character `/`",
        );
    }
}

/// Starting positions that come from nowhere else.
trait DefaultStart {
    fn default_start() -> Self;
}

impl DefaultStart for Position {
    fn default_start() -> Self {
        Self::new(Chess::default())
    }
}

fn piece() -> impl Strategy<Value = Piece> {
    (any::<bool>(), 0..6usize)
        .prop_map(|(white, role)| Piece { color: Color::from_white(white), role: Role::ALL[role] })
}

/// Boards that are often nearly positions: two kings, and pieces anywhere.
fn board() -> impl Strategy<Value = Board> {
    (prop::collection::vec((0..64u32, piece()), 0..24), prop::option::of((0..64u32, 0..64u32))).prop_map(
        |(pieces, kings)| {
            let mut board = Board::empty();
            for (square, piece) in pieces {
                if piece.role != Role::King || kings.is_none() {
                    board.set_piece_at(Square::new(square), piece);
                }
            }
            if let Some((white, black)) = kings {
                board.set_piece_at(Square::new(white), Color::White.king());
                board.set_piece_at(Square::new(black), Color::Black.king());
            }
            board
        },
    )
}

/// Placement and fields as shakmaty writes them, whatever they are worth.
fn setup() -> impl Strategy<Value = Setup> {
    (board(), any::<bool>(), prop::option::weighted(0.3, 0..64u32), any::<u64>(), any::<bool>()).prop_map(
        |(board, white, ep_square, rights, castles)| {
            let rooks = board.rooks() & Bitboard::BACKRANKS;
            Setup {
                castling_rights: if castles { rooks & Bitboard(rights) } else { Bitboard::EMPTY },
                board,
                turn: Color::from_white(white),
                ep_square: ep_square.map(Square::new),
                ..Setup::empty()
            }
        },
    )
}

/// A legal position after some moves, each chosen by a number.
fn played(choices: &[u8]) -> Chess {
    let mut chess = Chess::default();
    for &choice in choices {
        let moves = chess.legal_moves();
        let Some(&played) = moves.get(usize::from(choice) % moves.len().max(1)) else { break };
        chess.play_unchecked(played);
    }
    chess
}

fn check_reading(reading: &Reading) {
    let canonical = reading.input.canonical_text();
    let again = read(&canonical);
    assert_eq!(again.input.canonical_text(), canonical);
    assert_eq!(again.input.board(), reading.input.board());
    assert_eq!(notes_besides_rooks(&again), [], "{canonical}");
    match &reading.input {
        Input::Position(position) => assert_eq!(again.input.position(), Some(position), "{canonical}"),
        Input::Board(board) => assert!(!board.reasons().is_empty(), "{canonical}"),
    }
    let mut appended = "x".to_owned();
    reading.input.write_canonical(&mut appended);
    assert_eq!(appended[1..], canonical);
    let with_counters = read(&reading.fen());
    assert_eq!(with_counters.fen(), reading.fen());
    if reading.input.position().is_some() {
        assert_eq!(with_counters.halfmove_clock, reading.halfmove_clock);
        assert_eq!(with_counters.fullmove_number, reading.fullmove_number);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn any_text_is_read_or_refused(text in any::<String>()) {
        if let Ok(reading) = read_position(&text) {
            check_reading(&reading);
        }
        let _ = read_board_text(&text);
    }

    #[test]
    fn texts_that_are_nearly_positions(
        parts in prop::collection::vec(
            prop_oneof![
                "[pnbrqkPNBRQK1-8/]{1,20}",
                "[wb]", "[KQkqA-Ha-h-]{1,5}", "[a-h][1-8]", "-", "[0-9+]{1,11}", "[ \t_;\"'\u{a0}\u{feff}\r\n%20]{1,3}",
                Just(WALL.to_owned()), Just(" ".to_owned()), Just(" ".to_owned()), "[a-z]{1,4} [^;]{0,5};",
            ],
            0..14,
        ),
    ) {
        let text = parts.concat();
        match read_position(&text) {
            Ok(reading) => check_reading(&reading),
            Err(error) => {
                prop_assert!(text.is_char_boundary(error.offset()), "{error}");
                prop_assert!(error.column() >= 1 && error.line() >= 1);
            }
        }
        let _ = read_board_text(&text);
    }

    /// The gate lets pass what shakmaty lets pass, and nothing else.
    #[test]
    fn the_gate_agrees_with_shakmaty(setup in setup()) {
        let mode = CastlingMode::Chess960;
        let expected = setup.clone().position::<Chess>(mode);
        // Repeated rights and rights of inner rooks need the letters of the files.
        let mut rights: String = setup
            .castling_rights
            .into_iter()
            .map(|rook| if rook.rank() == Rank::First { rook.file().upper_char() } else { rook.file().char() })
            .collect();
        if rights.is_empty() {
            rights.push('-');
        }
        let text = format!(
            "{} {} {rights} {} 0 1",
            setup.board.board_fen(),
            setup.turn.char(),
            setup.ep_square.map_or_else(|| "-".to_owned(), |square| square.to_string()),
        );
        let found = read_position(&text);
        match (expected, found.as_ref().map(|reading| &reading.input)) {
            (Ok(chess), Ok(Input::Position(position))) => {
                prop_assert_eq!(&chess, position.chess());
                check_reading(found.as_ref().unwrap());
            }
            (Err(_), Ok(Input::Board(board))) => {
                prop_assert!(!board.reasons().is_empty());
                check_reading(found.as_ref().unwrap());
            }
            (Err(_), Err(_)) => {}
            (expected, found) => {
                prop_assert!(false, "{text}: {found:?}, but shakmaty says {:?}", expected.map_err(|error| error.kinds()));
            }
        }
    }

    #[test]
    fn positions_of_games_have_one_text(choices in prop::collection::vec(any::<u8>(), 0..60)) {
        let chess = played(&choices);
        let position = Position::new(chess.clone());
        let reading = read(&position.canonical_text());
        prop_assert_eq!(reading.input.position(), Some(&position));
        prop_assert_eq!(notes_besides_rooks(&reading), []);
        // However another program writes the position, it is the same one.
        for mode in [bitmesh::shakmaty::EnPassantMode::Always, bitmesh::shakmaty::EnPassantMode::PseudoLegal] {
            let reading = read(&Fen::from_position(&chess, mode).to_string());
            prop_assert_eq!(reading.input.canonical_text(), position.canonical_text());
            prop_assert_eq!(reading.halfmove_clock, chess.halfmoves());
            prop_assert_eq!(reading.fullmove_number, chess.fullmoves());
            check_reading(&reading);
        }
    }
}
