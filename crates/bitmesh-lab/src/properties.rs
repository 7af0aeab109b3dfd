//! What must hold for any bytes: shared by the fuzz targets and by the tests that replay what they found.

use bitmesh::decision::MateLine;
use bitmesh::persistent::{PersistentCertificate, check};
use bitmesh::shakmaty::{
    Bitboard, Board, CastlingMode, Chess, Color, File, FromSetup as _, Move, Piece, Position as _, Role,
    Setup, Square,
};
use bitmesh::{
    CompositionCertificate, DecompositionCertificate, DecompositionComponent, DecompositionRejectionReason,
    DecompositionStatus, Input, Position, PositionBinding, Reading, certify_decomposition, certify_position,
    compare_decomposition, diagnose_independence, diagnose_position_independence, read_board_text,
    read_placement, read_position, verify_conservative_legal_independence, verify_position_independence,
};

/// A text is refused at a place inside it, or read, and then printed and read again as the same thing.
pub fn read_print_read(bytes: &[u8]) {
    let Ok(text) = core::str::from_utf8(bytes) else { return };
    for result in [read_position(text), read_board_text(text)] {
        match result {
            Ok(reading) => check_reading(text, &reading),
            Err(error) => {
                assert!(text.is_char_boundary(error.offset()), "{text:?}: {error}");
                assert!(error.line() >= 1 && error.column() >= 1, "{text:?}: {error}");
                assert!(!error.to_string().is_empty() && error.code().starts_with("position/"));
            }
        }
    }
}

fn check_reading(text: &str, reading: &Reading) {
    let canonical = reading.input.canonical_text();
    let again = Input::from_canonical_text(reading.input.context(), &canonical);
    assert_eq!(again.as_ref(), Ok(&same_board_only(&reading.input)), "{text:?} gives {canonical:?}");
    assert!(canonical.len() < 100);
    let with_counters = read_position(&reading.fen()).expect("what is printed can be read");
    assert_eq!(with_counters.fen(), reading.fen(), "{text:?}");
    for operation in &reading.operations {
        assert!(text.contains(operation.text()), "{text:?} does not have {operation:?}");
        assert!(
            operation.text().starts_with(operation.opcode())
                && operation.text().ends_with(operation.operands())
        );
    }
    for note in &reading.notes {
        assert!(!note.to_string().is_empty() && note.code().starts_with("note/"));
    }
    if let Input::Board(board) = &reading.input {
        assert!(!board.reasons().is_empty(), "{text:?}");
    }
}

/// What a board is when only its placement is known.
fn same_board_only(input: &Input) -> Input {
    match input {
        Input::Board(board) => Input::Board(board.board().clone().into()),
        Input::Position(position) => Input::Position(position.clone()),
    }
}

/// The fast reader finds a placement where the full reader and shakmaty find one, the same, and leaves the rest.
pub fn read_placement_as_others_do(bytes: &[u8]) {
    let is_of_placement = |byte: &u8| b"/12345678pnbrqkPNBRQK".contains(byte);
    let length = bytes.iter().position(|byte| !is_of_placement(byte)).unwrap_or(bytes.len());
    let (written, rest) = bytes.split_at(length);
    let text = core::str::from_utf8(written).expect("all of it is ascii");
    let expected = Board::from_ascii_board_fen(written).ok();
    let reading = read_position(text).ok();
    assert_eq!(reading.as_ref().map(|reading| reading.input.board()), expected.as_ref(), "{text:?}");

    let found = read_placement(bytes);
    assert_eq!(found.as_ref().map(|placement| &placement.board), expected.as_ref(), "{text:?}");
    if let Some(placement) = found {
        assert_eq!(placement.rest, rest, "{text:?}");
        assert_eq!(placement.is_canonical, placement.board.board_fen().to_string() == text, "{text:?}");
    }
}

/// Bytes are refused inside their length, or are the payload of what was read from them.
pub fn decode_encode_decomposition(bytes: &[u8]) {
    match DecompositionCertificate::from_canonical_payload(bytes) {
        Ok(certificate) => {
            assert_eq!(certificate.canonical_payload().as_deref(), Ok(bytes));
            assert_eq!(certificate.validate(), Ok(()));
            let _ = compare_decomposition(&certificate, None);
        }
        Err(error) => assert!(error.offset() <= bytes.len() && !error.code().is_empty()),
    }
}

/// As for decompositions.
pub fn decode_encode_composition(bytes: &[u8]) {
    match CompositionCertificate::from_canonical_payload(bytes) {
        Ok(composition) => assert_eq!(composition.canonical_payload().as_deref(), Ok(bytes)),
        Err(error) => assert!(error.offset() <= bytes.len() && !error.code().is_empty()),
    }
}

/// As for decompositions.
pub fn decode_encode_binding(bytes: &[u8]) {
    match PositionBinding::from_canonical_payload(bytes) {
        Ok(binding) => {
            assert_eq!(binding.canonical_payload(), bytes);
            if let Ok(input) = binding.read() {
                assert_eq!(input.canonical_text(), binding.position());
            }
        }
        Err(error) => assert!(error.offset() <= bytes.len() && !error.code().is_empty()),
    }
}

/// As for decompositions; the checker then comes to an answer.
pub fn decode_encode_persistent(bytes: &[u8]) {
    match PersistentCertificate::decode(bytes) {
        Ok(certificate) => {
            assert_eq!(certificate.canonical_payload(), bytes);
            if let Ok(conclusions) = check(&certificate) {
                assert_eq!(conclusions, certificate.claims());
            }
        }
        Err(error) => assert!(error.code().starts_with("persistent/")),
    }
}

/// What is read as BMMATE has these bytes, every move of it is legal, and the last one gives mate.
pub fn decode_encode_mate(bytes: &[u8]) {
    match MateLine::decode(bytes) {
        Ok(line) => {
            assert_eq!(line.canonical_payload(), bytes);
            let mut position = line.position().clone();
            for &played in line.moves() {
                assert!(position.is_legal(played));
                position.play_unchecked(played);
            }
            assert!(position.is_checkmate() && position.turn() != line.winner());
        }
        Err(error) => assert!(error.code().starts_with("mate/")),
    }
}

/// Nothing panics on any certificate against any board; what is accepted does not break with the next move.
pub fn validate_and_screen(bytes: &[u8]) {
    let mut script = Script { bytes };
    let board = script.board();
    let certificate = script.certificate(&board);

    let valid = certificate.validate();
    assert_eq!(certificate.canonical_payload().is_ok(), valid.is_ok());
    assert_eq!(certificate.digest().err(), valid.err());
    if let Ok(payload) = certificate.canonical_payload() {
        let decoded =
            DecompositionCertificate::from_canonical_payload(&payload).expect("a payload can be read");
        assert_eq!(decoded.digest(), certificate.digest());
        let findings = compare_decomposition(&certificate, Some(&board));
        let own = certify_decomposition(&board);
        assert_eq!(findings.is_empty(), own.digest() == certificate.digest(), "{findings:?}");
    }
    let violations = diagnose_independence(&board, &certificate);
    let proof = verify_conservative_legal_independence(&board, &certificate);
    assert_eq!(violations.first(), proof.as_ref().err());

    let setup = Setup {
        board: board.clone(),
        turn: Color::from_white(script.byte().is_multiple_of(2)),
        ep_square: Square::try_from(script.byte()).ok(),
        castling_rights: board.rooks() & Bitboard::BACKRANKS & Bitboard(script.word()),
        ..Setup::empty()
    };
    if let Ok(chess) = Chess::from_setup(setup, CastlingMode::Chess960) {
        let position = Position::new(chess);
        let all = diagnose_position_independence(&position, &certificate);
        let verdict = verify_position_independence(&position, &certificate);
        assert_eq!(all.first(), verdict.as_ref().err());
        if verdict.is_ok() {
            assert_nothing_breaks(&position, &certificate);
        }
        if certify_position(&position).is_ok() {
            assert_nothing_breaks(&position, &certify_decomposition(position.board()));
        }
    }
}

/// What the position proof claims, move by move, without any of the code that made it.
pub fn assert_nothing_breaks(position: &Position, certificate: &DecompositionCertificate) {
    let component_of = |square: Square| certificate.components.iter().position(|c| c.mask.contains(square));
    for legal in next_moves(position) {
        let text = position.canonical_text();
        let squares: Vec<Square> = match legal {
            Move::EnPassant { from, to } => vec![from, to, Square::from_coords(to.file(), from.rank())],
            Move::Castle { king, rook } => {
                let (king_to, rook_to) =
                    if king.file() < rook.file() { (File::G, File::F) } else { (File::C, File::D) };
                let on_rank = |file| Square::from_coords(file, king.rank());
                vec![king, rook, on_rank(king_to), on_rank(rook_to)]
            }
            _ => vec![legal.from().expect("no drops in chess"), legal.to()],
        };
        let components: Vec<_> = squares.iter().map(|&square| component_of(square)).collect();
        assert!(
            squares.iter().all(|&square| !certificate.barrier.contains(square)),
            "{text}: {legal} touches the barrier"
        );
        assert!(
            components.iter().all(|component| component.is_some() && *component == components[0]),
            "{text}: {legal} leaves its region"
        );
    }
}

/// Every legal move of the side to move, and of the other side if it were its turn.
fn next_moves(position: &Position) -> Vec<Move> {
    let chess = position.chess();
    let swapped = chess.clone().swap_turn().ok();
    [Some(chess.clone()), swapped].into_iter().flatten().flat_map(|chess| chess.legal_moves()).collect()
}

/// Bytes as instructions; after their end everything is zero.
struct Script<'a> {
    bytes: &'a [u8],
}

impl Script<'_> {
    fn byte(&mut self) -> u8 {
        match self.bytes.split_first() {
            Some((&first, rest)) => {
                self.bytes = rest;
                first
            }
            None => 0,
        }
    }

    fn word(&mut self) -> u64 {
        u64::from_le_bytes(core::array::from_fn(|_| self.byte()))
    }

    /// A wall that the screen accepts, or the empty board; then any number of pieces, each a square and a role.
    fn board(&mut self) -> Board {
        const WALLS: [&str; 4] = [
            "8/8/8/8/8/8/8/8",
            "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7",
            "4k3/8/7p/6pP/1p1p1pP1/pPpPpP2/P1P1P3/4K3",
            "r3k2r/8/8/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/R3K2R",
        ];
        let first = self.byte();
        let mut board: Board = WALLS[usize::from(first % 4)].parse().expect("a placement");
        for _ in 0..first / 4 % 32 {
            let (square, piece) = (Square::new(u32::from(self.byte() % 64)), self.byte());
            match Role::ALL.get(usize::from(piece / 2 % 8)) {
                Some(&role) => {
                    board.set_piece_at(square, Piece { role, color: Color::from_white(piece % 2 == 0) })
                }
                None => board.discard_piece_at(square),
            }
        }
        board
    }

    /// The certificate of the board or an empty one; then any number of changes.
    fn certificate(&mut self, board: &Board) -> DecompositionCertificate {
        let first = self.byte();
        let start = if first.is_multiple_of(2) { board.clone() } else { Board::empty() };
        let mut certificate = certify_decomposition(&start);
        for _ in 0..first / 2 % 16 {
            let (what, which) = (self.byte(), usize::from(self.byte()));
            let count = certificate.components.len();
            let component = certificate.components.get_mut(which % count.max(1));
            match (what % 12, component) {
                (0, _) => certificate.barrier ^= Bitboard(1 << (which % 64)),
                (1, Some(component)) => component.mask ^= Bitboard(1 << (self.byte() % 64)),
                (2, Some(component)) => component.active_mask ^= Bitboard(1 << (self.byte() % 64)),
                (3, Some(component)) => component.root = self.byte(),
                (4, Some(_)) => drop(certificate.components.remove(which % count)),
                (5, _) => certificate.components.push(DecompositionComponent {
                    root: self.byte(),
                    mask: Bitboard(self.word()),
                    active_mask: Bitboard(self.word()),
                }),
                (6, _) => certificate.strict = !certificate.strict,
                (7, _) => certificate.status = DecompositionStatus::Strict,
                (8, _) => certificate.status = DecompositionStatus::Rejected,
                (9, _) => {
                    certificate.rejection_reason = match which % 3 {
                        0 => None,
                        1 => Some(DecompositionRejectionReason::NoLockedBarrier),
                        _ => Some(DecompositionRejectionReason::LessThanTwoActiveComponents),
                    }
                }
                (10, _) => certificate.active_component_count = self.byte(),
                (11, Some(_)) => certificate.components.swap(0, which % count),
                _ => certificate.barrier = Bitboard(self.word()),
            }
        }
        certificate
    }
}
