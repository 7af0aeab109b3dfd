//! What readers of collections forgive, and what they still refuse.

use bitmesh::{
    Note, OperationProblem, ReadPositionProblem, Reading, Tolerances, read_position, read_position_with,
};

const BOARD: &str = "4k3/8/8/8/8/8/4P3/4K3";

fn with_text(text: &str) -> Result<Reading, ReadPositionProblem> {
    let mut tolerances = Tolerances::default();
    tolerances.text_after = true;
    read_position_with(text, tolerances).map_err(|error| error.problem())
}

/// Text after the fields: what is left, and the counters.
#[test]
fn text_after_the_fields_is_passed_over() {
    for (fields, rest, counters) in [
        ("w - - 1 47", " qwerTYUI", (1, 47)),
        ("w - - 0 1", " 25", (0, 1)),
        ("w - - 0 1", " [0.5] 25", (0, 1)),
        ("w - - 3 9", " | 25 | 0.5", (3, 9)),
        ("w - - 3 9", "|25|0.5", (3, 9)),
        ("w - - 3 9", ", White to play", (3, 9)),
        ("w - - 3 9", " (White wins)", (3, 9)),
        ("w - - 3 9", " // a comment", (3, 9)),
        ("w - - 3 9", " 1/2-1/2", (3, 9)),
        ("w - - 3 9", " -0.35", (3, 9)),
        ("w - - 3 9", " +25", (3, 9)),
        ("w - - 3 9", " Weiß gewinnt", (3, 9)),
        ("w - - 7", " 0.25", (7, 1)),
        ("w - -", ", draws", (0, 1)),
        ("w - -", " | 25", (0, 1)),
        ("w - -", " 0.5", (0, 1)),
        ("w - -", " -35", (0, 1)),
        ("w - -", " +0.5", (0, 1)),
        ("w - -", " 1/2-1/2", (0, 1)),
        ("w - -", " [1.0]", (0, 1)),
        ("w - -", " \"a draw\"", (0, 1)),
        ("w - -", " Белые выигрывают", (0, 1)),
    ] {
        let line = format!("{BOARD} {fields}{rest}");
        let reading = with_text(&line).unwrap_or_else(|problem| panic!("{line}: {problem}"));
        assert!(reading.notes.contains(&Note::TextAfter), "{line}: {:?}", reading.notes);
        assert_eq!(line[reading.fields_end..].trim(), rest.trim(), "{line}");
        assert_eq!((reading.halfmove_clock, reading.fullmove_number.get()), counters, "{line}");
        assert!(reading.operations.is_empty(), "{line}");
        assert!(read_position(&line).is_err(), "{line}: only where it is asked for");
    }
}

#[test]
fn operations_are_kept_wherever_they_begin() {
    for (fields, rest, expected) in [
        ("w - - 0 1", " bm e2e4", &["bm e2e4"][..]),
        ("w - - 0 1", " bm e4; id \"a\";", &["bm e4", "id \"a\""]),
        ("w - - 0 1", " id \"b\"", &["id \"b\""]),
        ("w - - - -", " bm e4;", &["bm e4"]),
        ("w - - -", " bm e4;", &["bm e4"]),
        ("w - - 5", " c0 \"x\";", &["c0 \"x\""]),
        ("w - - ", "; bm e4; id T.1", &["bm e4", "id T.1"]),
        ("w - -", "; draw", &["draw"]),
        ("w - - 0 1", ";0.5", &["0.5"]),
    ] {
        let line = format!("{BOARD} {fields}{rest}");
        let reading = with_text(&line).unwrap_or_else(|problem| panic!("{line}: {problem}"));
        let texts: Vec<_> = reading.operations.iter().map(|operation| operation.text()).collect();
        assert_eq!(texts, expected, "{line}");
        assert_eq!(line[reading.fields_end..].trim(), rest.trim(), "{line}");
        assert!(!reading.notes.contains(&Note::TextAfter), "{line}");
    }
    let notes = with_text(&format!("{BOARD} w - - 0 1 bm e2e4")).unwrap().notes;
    let no_semicolon = Note::Operation { index: 0, problem: OperationProblem::NoSemicolon };
    assert_eq!(notes, [no_semicolon, Note::OperationsAfterCounters]);
}

#[test]
fn what_changes_the_position_is_still_refused() {
    for (text, problem) in [
        ("w - - 3+3 0 1", ReadPositionProblem::CheckCount),
        ("w - - 0 1 +0+0", ReadPositionProblem::CheckCount),
        (
            "w - - 0 4294967296 x",
            ReadPositionProblem::CounterOutOfRange { field: bitmesh::Field::MoveNumber },
        ),
        ("w KQ, - 0 1", ReadPositionProblem::UnexpectedCharacter { found: ',', suggestion: None }),
        (
            "w - - 0 \u{2013}",
            ReadPositionProblem::UnexpectedCharacter { found: '\u{2013}', suggestion: Some("-") },
        ),
        ("w - - +0+0", ReadPositionProblem::CheckCount),
        ("w -", ReadPositionProblem::MissingField),
        ("white - - 0 1 id", ReadPositionProblem::InvalidSide { suggestion: Some("w") }),
    ] {
        assert_eq!(with_text(&format!("{BOARD} {text}")).unwrap_err(), problem, "{text}");
    }
    assert!(with_text("4k3/8/8/8/8/8/4P3/4K3 junk").is_err());
    assert!(with_text("4k3/8/8/8/8/8/4P3/4K3_w_-_-_0_1_junk").is_err());
}

#[test]
fn nothing_changes_where_nothing_follows() {
    for fields in
        ["w - -", "b - - 3 4", "w - - - -", "w - - hmvc 3; fmvn 4;", "w - - 0 1;", "w - - 0 1 ;D1 5"]
    {
        let line = format!("{BOARD} {fields}");
        assert_eq!(with_text(&line).ok(), read_position(&line).ok(), "{line}");
    }
}

#[test]
fn a_right_without_its_rook_is_dropped_where_that_is_asked_for() {
    let mut tolerances = Tolerances::default();
    tolerances.odds_castling = true;
    let odds = |text: &str| read_position_with(text, tolerances).map_err(|error| error.code());
    let line = "rnbqkbnr/pppppppp/8/8/8/8/1PPPPPPP/1NBQKBNR w KQkq - 0 1";
    let reading = odds(line).unwrap();
    assert_eq!(reading.notes, [Note::CastlingDropped { right: 'Q' }]);
    assert_eq!(reading.input.canonical_text(), line.replace("KQkq", "Kkq"));
    assert_eq!(read_position(line).unwrap_err().code(), "position/castling-without-rook");

    let nobody = odds("4k3/8/8/8/8/8/4P3/4K3 w KQkq - 0 1").unwrap();
    assert_eq!(nobody.input.canonical_text(), "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
    assert_eq!(nobody.notes.len(), 4);
    // A king that is not at home, and a file of Chess960, are mistakes and not odds.
    assert_eq!(odds("3k4/8/8/8/8/8/8/R2K4 w K - 0 1").unwrap_err(), "position/castling-without-rook");
    assert_eq!(odds("4k3/8/8/8/8/8/8/R3K2R w B - 0 1").unwrap_err(), "position/castling-without-rook");
    assert_eq!(odds("3k4/8/8/8/8/8/8/8 w K - 0 1").unwrap_err(), "position/castling-without-king");
}

/// What `bitmesh draw` prints, in letters and in figures, from both sides.
#[test]
fn printed_boards_are_read_back() {
    let letters = "Structure: strict, 2 regions\n\
        8   .B  .B  .B  .B  .B  .B  .B  kB\n7   .B  .B  .B  .B  .B  .B  .B  .B\n\
        6   .B  .B  .B  .B  .B  .B  .B  .B\n5  #p#  .B #p#  .B #p#  .B #p#  .B\n\
        4  #P# #p# #P# #p# #P# #p# #P# #p#\n3   .A #P#  .A #P#  .A #P#  .A #P#\n\
        2   .A  .A  .A  .A  .A  .A  .A  .A\n1   KA  .A  .A  .A  .A  .A  .A  .A\n\
        \u{20}   a   b   c   d   e   f   g   h\n#: 16 locked pawns\nA: 20 squares, Ka1\nB: 28 squares, kh8\n";
    let wall = "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7";
    let read =
        |text: &str| read_position(text).map(|reading| (reading.input.canonical_text(), reading.notes));
    assert_eq!(read(letters), Ok((wall.to_owned(), vec![Note::Drawing])));

    // Each square in six columns: mark, side, figure, a blank, region, a blank.
    let empty = "  .   ";
    let rank = |number: u8, cells: &[&str]| {
        let rest = empty.repeat(8 - cells.len());
        format!("{number}  {}{rest}\n", cells.concat())
    };
    let above = rank(1, &[" b\u{265a}   ", " w\u{2654}  !"]) + &rank(2, &["#w\u{2659}\u{fe0e} # "]);
    let below: String = (3..=8).map(|number| rank(number, &[])).collect();
    let text = format!("{above}{below}     h     g     f     e     d     c     b     a\n");
    let black = Ok(("8/8/8/8/8/8/7P/6Kk".to_owned(), vec![Note::Drawing, Note::DrawnForBlack]));
    assert_eq!(read(&text), black, "{text}");

    // Another side than the figure, a rank that is not there, and a mark that nothing prints.
    for bad in
        [text.replace("b\u{265a}", "w\u{265a}"), text.replacen('1', "2", 1), text.replacen('#', "x", 1)]
    {
        assert!(read(&bad).is_err(), "{bad}");
    }
    assert!(read(&letters.replace("a   b", "b   a")).is_err());
}
