//! The screen of whole positions: en passant is seen, nothing that is accepted can break, and diagnoses are complete.

use bitmesh::shakmaty::{
    Bitboard, Board, CastlingMode, Chess, Color, EnPassantMode, FromSetup as _, Position as _, Rank, Role,
    Setup, Square, attacks,
};
use bitmesh::{
    ConservativeLegalIndependenceError as BoardError, DecompositionCertificate, DecompositionComponent,
    Input, Position, PositionBinding, PositionIndependenceError as Error, certify_decomposition,
    certify_position, diagnose_independence, diagnose_position_independence,
    position_bound_decomposition_certificate_digest, read_position, verify_conservative_legal_independence,
    verify_position_independence,
};
use proptest::prelude::*;

use bitmesh_lab::properties::assert_nothing_breaks;

fn position(fen: &str) -> Position {
    match read_position(fen).map(|reading| reading.input) {
        Ok(Input::Position(position)) => position,
        other => panic!("{fen}: {other:?}"),
    }
}

fn walls() -> Vec<Position> {
    let rows: Vec<_> = bitmesh_lab::cases::WALL_EN_PASSANT
        .lines()
        .skip(1)
        .map(|row| position(row.split_once('\t').unwrap().1))
        .collect();
    assert_eq!(rows.len(), 250);
    rows
}

/// The same board without the en-passant square.
fn without_en_passant(position: &Position) -> Position {
    let mut setup = position.chess().to_setup(EnPassantMode::Legal);
    setup.ep_square = None;
    Position::new(Chess::from_setup(setup, CastlingMode::Chess960).unwrap())
}

#[test]
fn every_wall_that_en_passant_breaks_is_refused() {
    for wall in walls() {
        let text = wall.canonical_text();
        let board = certify_decomposition(wall.board());
        assert!(
            verify_conservative_legal_independence(wall.board(), &board).is_ok(),
            "{text}: the board passes"
        );
        let error = certify_position(&wall).unwrap_err();
        let Error::BarrierPawnCanCaptureEnPassant { square, target, captured_square } = error else {
            panic!("{text}: {error}");
        };
        assert_eq!(Some(target), wall.chess().legal_ep_square());
        assert!(board.barrier.contains(square) && board.barrier.contains(captured_square), "{text}");
        let all = diagnose_position_independence(&wall, &board);
        assert_eq!(all[0], error, "{text}");
        assert!(all.contains(&Error::BarrierPawnCanBeCapturedEnPassant {
            attacker_square: square,
            barrier_square: captured_square,
            target,
        }));
        let quiet = without_en_passant(&wall);
        assert!(certify_position(&quiet).is_ok(), "{text}: without the square it passes");
        assert_nothing_breaks(&quiet, &board);
    }
}

/// All boards of eight rams side by side, each one rank above or below the one before: the full-width pawn walls.
fn full_width_walls() -> Vec<Board> {
    let mut walls: Vec<Vec<i32>> = (2..=6).map(|rank| vec![rank]).collect();
    for _ in 1..8 {
        walls = walls
            .into_iter()
            .flat_map(|wall| {
                let last = wall[wall.len() - 1];
                [last - 1, last + 1].map(|next| [wall.as_slice(), &[next]].concat())
            })
            .filter(|wall| (2..=6).contains(&wall[wall.len() - 1]))
            .collect();
    }
    walls
        .into_iter()
        .map(|wall| {
            let mut board = Board::empty();
            for (file, rank) in wall.into_iter().enumerate() {
                let white = Square::new(8 * (rank as u32 - 1) + file as u32);
                board.set_piece_at(white, Color::White.pawn());
                board.set_piece_at(white.offset(8).unwrap(), Color::Black.pawn());
            }
            board
        })
        .collect()
}

/// A legal position on the board in which an en-passant capture is legal, kings wherever they stand well.
fn with_en_passant(board: &Board, turn: Color, ep_square: Square) -> Option<Position> {
    if attacks::pawn_attacks(!turn, ep_square).is_disjoint(board.by_piece(turn.pawn())) {
        return None;
    }
    let free = || (!board.occupied()).into_iter();
    free().flat_map(|white| free().map(move |black| (white, black))).find_map(|(white, black)| {
        let mut setup = Setup { board: board.clone(), turn, ep_square: Some(ep_square), ..Setup::empty() };
        setup.board.set_piece_at(black, Color::Black.king());
        setup.board.set_piece_at(white, Color::White.king());
        let chess = Chess::from_setup(setup, CastlingMode::Standard).ok()?;
        chess.legal_ep_square().map(|_| Position::new(chess))
    })
}

#[test]
fn en_passant_breaks_all_but_four_of_the_full_width_walls() {
    let walls = full_width_walls();
    let mut broken = 0;
    for board in &walls {
        let squares = [Rank::Third, Rank::Sixth].into_iter().flat_map(Bitboard::from_rank);
        let positions: Vec<_> = squares
            .filter_map(|square| {
                let turn = if square.rank() == Rank::Third { Color::Black } else { Color::White };
                with_en_passant(board, turn, square)
            })
            .collect();
        broken += usize::from(!positions.is_empty());
        for position in positions {
            let text = position.canonical_text();
            let certificate = certify_decomposition(position.board());
            assert_eq!(certificate.barrier, board.occupied(), "{text}");
            let error = certify_position(&position).unwrap_err();
            match verify_conservative_legal_independence(position.board(), &certificate) {
                Ok(_) => {
                    assert_eq!(error.code(), "position-independence/barrier-pawn-can-capture-en-passant")
                }
                // The kings stand on one side, or one of them beside a pawn that it can take.
                Err(board_error) => assert_eq!(error, Error::Board(board_error), "{text}"),
            }
        }
    }
    assert_eq!((walls.len(), broken), (216, 212));
}

#[test]
fn a_capture_of_a_barrier_pawn_by_a_free_pawn_is_seen() {
    let free = position("4k3/8/8/4p3/3pP3/8/8/4K3 b - e3 0 1");
    let certificate = certify_decomposition(free.board());
    let en_passant: Vec<_> = diagnose_position_independence(&free, &certificate)
        .into_iter()
        .filter(|error| !matches!(error, Error::Board(_)))
        .collect();
    assert_eq!(
        en_passant,
        [Error::BarrierPawnCanBeCapturedEnPassant {
            attacker_square: Square::D4,
            barrier_square: Square::E4,
            target: Square::E3,
        }],
    );
    assert_eq!(en_passant[0].to_string(), "pawn on d4 can capture the barrier pawn on e4 en passant");
    assert_eq!(en_passant[0].code(), "position-independence/barrier-pawn-can-be-captured-en-passant");
}

#[test]
fn each_capturing_pawn_is_reported() {
    let free = position("4k3/8/8/2p1p1p1/1pPpPpPp/pP1P1P1P/P7/4K3 b - g3 0 1");
    let certificate = certify_decomposition(free.board());
    let all = diagnose_position_independence(&free, &certificate);
    let captures: Vec<_> = all
        .iter()
        .map(|error| match error {
            Error::BarrierPawnCanCaptureEnPassant { square, .. } => (*square, "captures"),
            Error::BarrierPawnCanBeCapturedEnPassant { attacker_square, .. } => {
                (*attacker_square, "is captured")
            }
            other => panic!("{other}"),
        })
        .collect();
    assert_eq!(
        captures,
        [
            (Square::F4, "captures"),
            (Square::F4, "is captured"),
            (Square::H4, "captures"),
            (Square::H4, "is captured"),
        ]
    );
}

#[test]
fn an_illegal_en_passant_capture_breaks_nothing() {
    // f4xe3 would leave the king on g6 in check by the bishop on c2.
    let pinned = position("8/8/6k1/p1p1p3/P1P1Pp1p/5P1P/2B5/4K3 b - e3 0 50");
    assert!(pinned.canonical_text().ends_with(" b - - 0 1"));
    let certificate = certify_decomposition(pinned.board());
    let en_passant = |error: &Error| !matches!(error, Error::Board(_));
    assert!(!diagnose_position_independence(&pinned, &certificate).iter().any(en_passant));
    // Whoever has only the canonical text comes to the same answer.
    let again = position(&pinned.canonical_text());
    assert_eq!(certify_position(&again), certify_position(&pinned));
}

#[test]
fn proofs_are_bound_to_the_position() {
    let wall = position("7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 12 13");
    let proof = certify_position(&wall).unwrap();
    let certificate = certify_decomposition(wall.board());
    assert_eq!(proof.proof_kind, "bitmesh:position_independence:v1");
    assert_eq!(proof.position, "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1");
    assert_eq!(proof.barrier, certificate.barrier);
    assert_eq!(proof.component_count, 2);
    assert_eq!(Ok(proof.decomposition_digest), certificate.digest());
    assert_eq!(
        Ok(proof.position_digest),
        position_bound_decomposition_certificate_digest(&certificate, &proof.position, "bitmesh:fen:v1"),
    );
    assert_eq!(proof.binding().unwrap().digest(), proof.position_digest);
    assert_eq!(proof.binding().unwrap().read(), Ok(Input::Position(wall.clone())));
    let black = position("7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 b - - 12 13");
    let other = certify_position(&black).unwrap();
    assert_eq!(other.decomposition_digest, proof.decomposition_digest, "the structure is shared");
    assert_ne!(other.position_digest, proof.position_digest, "the position is not");
    let swapped = position("7K/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/k7 w - - 0 1");
    assert_ne!(certify_position(&swapped).unwrap().position_digest, proof.position_digest);
}

#[test]
fn bindings_of_boards_have_their_own_context() {
    let reading = read_position("7n/8/8/PPPPPPPP/PPPPPPPP/8/8/N7").unwrap();
    let certificate = certify_decomposition(reading.input.board());
    let binding = PositionBinding::of_input(certificate.digest().unwrap(), &reading.input);
    assert_eq!(
        (binding.context(), binding.position()),
        ("bitmesh:board:v1", "7n/8/8/PPPPPPPP/PPPPPPPP/8/8/N7")
    );
    assert_eq!(binding.read(), Ok(reading.input));
}

/// The answer to a tampered certificate is the board's; a valid one for another board is refused.
#[test]
fn certificates_of_other_boards_are_refused() {
    let wall = position("7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 b - a3 0 1");
    let certificate = certify_decomposition(wall.board());
    let mut invalid = certificate.clone();
    invalid.strict = false;
    let all = diagnose_position_independence(&wall, &invalid);
    assert_eq!(all.len(), 1, "nothing is measured by an invalid certificate");
    assert_eq!(all[0].code(), "independence/invalid-decomposition-certificate");
    assert_eq!(verify_position_independence(&wall, &invalid), Err(all[0].clone()));

    let other = position("6k1/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1");
    assert!(matches!(
        verify_position_independence(&other, &certificate),
        Err(Error::Board(BoardError::ActiveMaskDoesNotMatchBoard { .. })),
    ));
}

#[test]
fn castling_stays_in_its_region() {
    let wall = position("r3k2r/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/R3K2R w KQkq - 0 1");
    // Rooks on the a- and h-files take nothing: pawns of their own stand in front.
    let certificate = certify_decomposition(wall.board());
    match certify_position(&wall) {
        Ok(_) => assert_nothing_breaks(&wall, &certificate),
        Err(error) => panic!("{error}: the case is meant to be accepted"),
    }
}

/// A wall with pieces on free squares, with or without its en-passant square.
fn furnished_wall() -> impl Strategy<Value = Position> {
    let pieces = prop::collection::vec((0..64u32, 1..5usize, any::<bool>()), 0..4);
    (0..250usize, any::<bool>(), any::<bool>(), pieces, 0..64u32, 0..64u32).prop_filter_map(
        "no legal position",
        |(row, en_passant, black_to_move, pieces, white_king, black_king)| {
            let mut setup = walls_once()[row].chess().to_setup(EnPassantMode::Always);
            if !en_passant {
                setup.ep_square = None;
                setup.turn = Color::from_black(black_to_move);
            }
            for square in setup.board.kings() {
                setup.board.discard_piece_at(square);
            }
            let places = [(white_king, Color::White.king()), (black_king, Color::Black.king())];
            let pieces = pieces
                .into_iter()
                .map(|(square, role, white)| (square, Role::ALL[role].of(Color::from_white(white))));
            for (square, piece) in places.into_iter().chain(pieces) {
                let square = Square::new(square);
                if setup.board.role_at(square).is_none() {
                    setup.board.set_piece_at(square, piece);
                }
            }
            Chess::from_setup(setup, CastlingMode::Standard).ok().map(Position::new)
        },
    )
}

fn walls_once() -> &'static [Position] {
    static WALLS: std::sync::OnceLock<Vec<Position>> = std::sync::OnceLock::new();
    WALLS.get_or_init(walls)
}

fn check_diagnosis(position: &Position, certificate: &DecompositionCertificate) {
    let board = position.board();
    let violations = diagnose_independence(board, certificate);
    assert_eq!(
        violations.first(),
        verify_conservative_legal_independence(board, certificate).err().as_ref(),
        "{}",
        position.canonical_text(),
    );
    let all = diagnose_position_independence(position, certificate);
    assert_eq!(all.first(), verify_position_independence(position, certificate).err().as_ref());
    let boards = all.iter().filter(|error| matches!(error, Error::Board(_))).count();
    assert_eq!(boards, violations.len());
    for (index, violation) in violations.iter().enumerate() {
        assert!(!violations[..index].contains(violation), "{violation} is there twice");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_500))]

    #[test]
    fn accepted_positions_do_not_break(position in furnished_wall()) {
        let certificate = certify_decomposition(position.board());
        if certify_position(&position).is_ok() {
            assert_nothing_breaks(&position, &certificate);
        }
        check_diagnosis(&position, &certificate);
    }

    /// Certificates with squares added and taken away, against boards that they were not made for.
    #[test]
    fn diagnoses_begin_with_the_error(
        position in furnished_wall(),
        other in furnished_wall(),
        flips in prop::collection::vec((0..3usize, 0..4usize, 0..64u32), 0..3),
    ) {
        let mut certificate = certify_decomposition(other.board());
        for (what, component, square) in flips {
            let square = Bitboard::from(Square::new(square));
            let components = certificate.components.len().max(1);
            match (what, certificate.components.get_mut(component % components)) {
                (1, Some(DecompositionComponent { mask, .. })) => *mask ^= square,
                (2, Some(DecompositionComponent { active_mask, .. })) => *active_mask ^= square,
                _ => certificate.barrier ^= square,
            }
        }
        check_diagnosis(&position, &certificate);
    }
}

#[test]
fn the_diagnosis_lists_everything() {
    // A queen that takes two barrier pawns, and a wall pawn of Black that takes it on the way.
    let board: Board = "3kb3/8/8/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/2BQK3".parse().unwrap();
    let certificate = certify_decomposition(&board);
    let queen = attacks::queen_attacks(Square::D1, board.occupied()) & certificate.barrier & board.black();
    let expected: Vec<_> = queen
        .into_iter()
        .map(|barrier_square| BoardError::BarrierPieceCanBeCaptured {
            attacker_square: Square::D1,
            barrier_square,
        })
        .collect();
    assert_eq!(expected.len(), 2);
    assert_eq!(diagnose_independence(&board, &certificate), expected);

    let accepted: Board = "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7".parse().unwrap();
    assert_eq!(diagnose_independence(&accepted, &certify_decomposition(&accepted)), []);

    // A board without a barrier has nothing else to report.
    let empty = Board::empty();
    let violations = diagnose_independence(&empty, &certify_decomposition(&empty));
    assert_eq!(violations.len(), 1);
    assert_eq!(violations[0].code(), "independence/requires-strict-decomposition");
}
