//! Legal play from proved positions never leaves the witness, and never does what was excluded.

use std::collections::HashMap;

use bitmesh::persistent::{Conclusions, Outline, PersistentCertificate, Proof, Witness};
use shakmaty::{Bitboard, Chess, Color, EnPassantMode, Move, Piece, Position as _, Role, Setup, Square};

use super::{
    BLOCKED, DEAD, LICHESS_DEAD, MATE_POSSIBLE, Random, WALL_EN_PASSANT, place, position, proved, table,
};

type Placement = Vec<(Square, Piece)>;
type Moves = Vec<(Square, Square, Option<Role>)>;

/// A game under way, with every piece remembered by where it stood in the certified position.
#[derive(Clone)]
struct Watch<'a> {
    witness: &'a Witness,
    claims: Conclusions,
    frozen: Placement,
    movers: [Option<usize>; 64],
}

/// Which moves a component had when it looked like this.
type Memory = HashMap<(Color, u8, Placement, Bitboard), Moves>;

impl<'a> Watch<'a> {
    fn new(certificate: &'a PersistentCertificate) -> Self {
        let Proof::Witness(witness) = certificate.proof() else { panic!("not a witness") };
        let board = certificate.position().board();
        let frozen =
            board.clone().into_iter().filter(|(square, _)| witness.frozen().contains(*square)).collect();
        let mut movers = [None; 64];
        for (index, mover) in witness.movers().iter().enumerate() {
            movers[usize::from(mover.square)] = Some(index);
        }
        Self { witness, claims: certificate.claims(), frozen, movers }
    }

    fn shift(&mut self, from: Square, to: Square) {
        self.movers[usize::from(to)] = self.movers[usize::from(from)].take();
    }

    /// Follows a move that has been played.
    fn follow(&mut self, played: Move, turn: Color) {
        match played {
            Move::Castle { king, rook } => {
                let side = shakmaty::CastlingSide::from_king_side(king < rook);
                let (one, two) =
                    (self.movers[usize::from(king)].take(), self.movers[usize::from(rook)].take());
                self.movers[usize::from(side.king_to(turn))] = one;
                self.movers[usize::from(side.rook_to(turn))] = two;
            }
            Move::EnPassant { from, to } => {
                self.shift(from, to);
                self.movers[usize::from(Square::from_coords(to.file(), from.rank()))] = None;
            }
            Move::Normal { from, to, .. } => self.shift(from, to),
            Move::Put { .. } => panic!("nothing is dropped in chess"),
        }
    }

    /// Everything that the certificate says about a position that has been reached.
    fn examine(&self, position: &Chess) -> Result<(), String> {
        let board = position.board();
        for &(square, piece) in &self.frozen {
            if board.piece_at(square) != Some(piece) {
                return Err(format!("frozen {square} changed"));
            }
        }
        let mut count = self.frozen.len();
        for (square, mover) in Square::ALL.into_iter().zip(self.movers) {
            let Some(mover) = mover else { continue };
            count += 1;
            let Some(role) = board.role_at(square) else { return Err(format!("lost sight of {square}")) };
            if !self.witness.movers()[mover].reach.get(role).contains(square) {
                return Err(format!("{role:?} on {square} left its reach"));
            }
        }
        if count != board.occupied().count() {
            return Err("lost count of the pieces".into());
        }
        if position.is_check() && !self.claims.coupling.checks().get(position.turn()) {
            return Err(format!("{} is in check", position.turn()));
        }
        if position.is_checkmate() && *self.claims.unwinnable.get(!position.turn()) {
            return Err(format!("{} gave mate", !position.turn()));
        }
        if !self.claims.coupling.en_passant() && position.legal_ep_square().is_some() {
            return Err("an en-passant capture arose".into());
        }
        Ok(())
    }

    /// With the king not in check, a component in the same state always has the same moves.
    fn compare(&self, position: &Chess, memory: &mut Memory) -> Result<(), String> {
        if !self.claims.decomposed() || position.is_check() || position.legal_ep_square().is_some() {
            return Ok(());
        }
        let component = |square: Square| {
            self.movers[usize::from(square)].map(|mover| self.witness.movers()[mover].component)
        };
        let legal = position.legal_moves();
        for number in 0..self.claims.components {
            let placement: Placement = position
                .board()
                .clone()
                .into_iter()
                .filter(|(square, _)| component(*square) == Some(number))
                .collect();
            let rights = position
                .castles()
                .castling_rights()
                .into_iter()
                .filter(|square| component(*square) == Some(number))
                .collect();
            let mut moves: Moves = legal
                .iter()
                .filter(|m| m.from().and_then(component) == Some(number))
                .filter_map(|m| Some((m.from()?, m.to(), m.promotion())))
                .collect();
            moves.sort();
            let known =
                memory.entry((position.turn(), number, placement, rights)).or_insert_with(|| moves.clone());
            if *known != moves {
                return Err(format!("component {number} has {moves:?}, and had {known:?}"));
            }
        }
        Ok(())
    }
}

fn failure(certificate: &PersistentCertificate, line: &[Move], what: &str) -> ! {
    let line: Vec<_> = line.iter().map(|m| m.to_string()).collect();
    panic!("{:?}: {what} after {line:?}", certificate.position())
}

/// Random moves, captures and pawn moves preferred, until nothing is left or the limit is reached.
fn playout(certificate: &PersistentCertificate, random: &mut Random, plies: usize, memory: &mut Memory) {
    if let Err(what) = wander(certificate, random, plies, memory) {
        panic!("{what}");
    }
}

/// One random game; what went wrong, if anything did.
pub(super) fn wander(
    certificate: &PersistentCertificate,
    random: &mut Random,
    plies: usize,
    memory: &mut Memory,
) -> Result<(), String> {
    let mut watch = Watch::new(certificate);
    let mut position = certificate.position().clone();
    let mut line = Vec::new();
    for _ in 0..plies {
        let seen = watch.examine(&position).and_then(|()| watch.compare(&position, memory));
        seen.map_err(|what| format!("{:?}: {what} after {line:?}", certificate.position()))?;
        let legal = position.legal_moves();
        let sharp: Vec<Move> = legal.iter().copied().filter(|m| m.is_zeroing()).collect();
        let played = if sharp.is_empty() || random.chance(60) {
            if legal.is_empty() {
                return Ok(());
            }
            random.pick(&legal)
        } else {
            random.pick(&sharp)
        };
        let turn = position.turn();
        position = position.play(played).map_err(|error| error.to_string())?;
        watch.follow(played, turn);
        line.push(played);
    }
    watch.examine(&position)
}

fn search(
    watch: &Watch<'_>,
    certificate: &PersistentCertificate,
    position: &Chess,
    depth: usize,
    line: &mut Vec<Move>,
) -> usize {
    if let Err(what) = watch.examine(position) {
        failure(certificate, line, &what);
    }
    if depth == 0 {
        return 1;
    }
    let mut nodes = 1;
    for m in position.legal_moves() {
        let mut after = position.clone();
        let turn = after.turn();
        after.play_unchecked(m);
        let mut watch = watch.clone();
        watch.follow(m, turn);
        line.push(m);
        nodes += search(&watch, certificate, &after, depth - 1, line);
        line.pop();
    }
    nodes
}

/// Rams on some files, more pawns, kings, and a few pieces; now and then rights to castle.
pub(super) fn blockade(random: &mut Random) -> Chess {
    loop {
        let mut setup = Setup::empty();
        let density = if random.chance(75) { 99 } else { 40 };
        let base = random.below(3);
        for file in 0..8u32 {
            if !random.chance(density) {
                continue;
            }
            let zigzag = if random.chance(99) { (file as usize + base) % 2 } else { random.below(3) };
            let rank = (1 + base + zigzag) as u32;
            let white = Square::new(rank * 8 + file);
            setup.board.set_piece_at(white, Color::White.pawn());
            if random.chance(98) {
                setup.board.set_piece_at(Square::new((rank + 1) * 8 + file), Color::Black.pawn());
            }
            if rank > 1 && random.chance(6) {
                setup.board.set_piece_at(Square::new((rank - 1) * 8 + file), Color::White.pawn());
            }
            if random.chance(4) {
                setup.board.set_piece_at(Square::new((rank + 2) * 8 + file), Color::Black.pawn());
            }
        }
        if random.chance(25) {
            let (king, rook) = (random.below(8), random.below(8));
            setup.board.set_piece_at(Square::new(rook as u32), Color::White.rook());
            setup.board.set_piece_at(Square::new(king as u32), Color::White.king());
        }
        // Most pieces start behind their own pawns.
        let mut put = |piece: Piece, random: &mut Random| {
            let (low, high) =
                if random.chance(7) { (0, 8) } else { piece.color.fold_wb((0, base + 1), (base + 4, 8)) };
            let square = Square::new((low * 8 + random.below((high - low) * 8)) as u32);
            let second_king = piece.role == Role::King && setup.board.king_of(piece.color).is_some();
            let pawn_on_edge = piece.role == Role::Pawn && Bitboard::BACKRANKS.contains(square);
            if setup.board.piece_at(square).is_none() && !second_king && !pawn_on_edge {
                setup.board.set_piece_at(square, piece);
            }
        };
        put(Color::White.king(), random);
        put(Color::Black.king(), random);
        let officers =
            [Role::Knight, Role::Bishop, Role::Bishop, Role::Bishop, Role::Rook, Role::Queen, Role::Pawn];
        for _ in 0..random.below(6).saturating_sub(3) {
            let color = random.pick(&Color::ALL);
            put(Piece { color, role: random.pick(&officers) }, random);
        }
        setup.turn = random.pick(&Color::ALL);
        if random.chance(40) {
            setup.castling_rights = setup.board.rooks() & Bitboard::BACKRANKS;
        }
        if random.chance(25) {
            let rank = setup.turn.fold_wb(5, 2);
            setup.ep_square = Some(Square::new(rank * 8 + random.below(8) as u32));
        }
        for strict in [false, true] {
            if strict {
                setup.ep_square = None;
                setup.castling_rights = Bitboard::EMPTY;
            }
            if let Some(position) = place(setup.clone()) {
                return position;
            }
        }
    }
}

/// A position with a known answer and one to three changes.
pub(super) fn neighbour(random: &mut Random) -> Chess {
    let rows: Vec<&str> = table(DEAD)
        .map(|row| row[0])
        .chain(table(BLOCKED).map(|row| row[1]))
        .chain(table(MATE_POSSIBLE).map(|row| row[0]))
        .collect();
    neighbour_of(&rows, random)
}

/// One of the positions with one to three changes: pieces moved, added or taken away.
///
/// Among dead positions many have walled-in pieces and kings without a step.
pub(super) fn neighbour_of(rows: &[&str], random: &mut Random) -> Chess {
    loop {
        let mut setup = position(random.pick(rows)).to_setup(EnPassantMode::Legal);
        for _ in 0..1 + random.below(3) {
            let square = Square::new(random.below(64) as u32);
            let pieces: Vec<Square> = setup.board.occupied().into_iter().collect();
            let from = random.pick(&pieces);
            let Some(piece) = setup.board.piece_at(from) else { continue };
            match random.below(4) {
                0 if piece.role != Role::King => setup.board.discard_piece_at(from),
                1 => setup.board.set_piece_at(
                    square,
                    Piece { color: random.pick(&Color::ALL), role: random.pick(&Role::ALL[..5]) },
                ),
                _ => {
                    setup.board.discard_piece_at(from);
                    setup.board.set_piece_at(square, piece);
                }
            }
        }
        if random.chance(30) {
            setup.turn = !setup.turn;
            setup.ep_square = None;
        }
        if setup.board.occupied().count() <= 32
            && let Some(position) = place(setup)
        {
            return position;
        }
    }
}

fn known_positions() -> Vec<Chess> {
    let mut fens: Vec<&str> = LICHESS_DEAD.lines().filter(|line| !line.is_empty()).step_by(23).collect();
    fens.extend(table(DEAD).map(|row| row[0]));
    fens.extend(table(BLOCKED).map(|row| row[1]));
    fens.extend(table(MATE_POSSIBLE).map(|row| row[0]));
    fens.extend(table(WALL_EN_PASSANT).map(|row| row[1]));
    fens.into_iter().map(position).collect()
}

/// Plays `games` games from known and generated positions in turn, all with something proved; how many positions were passed over.
fn campaign(games: usize, seed: u64) -> usize {
    let known: Vec<Chess> = known_positions().into_iter().filter(|start| proves(&proved(start).0)).collect();
    let mut random = Random::new(seed);
    let mut passed_over = 0;
    for game in 0..games {
        let start = loop {
            let start = match game % 3 {
                0 => break known[game / 3 % known.len()].clone(),
                1 => blockade(&mut random),
                _ => neighbour(&mut random),
            };
            if proves(&proved(&start).0) {
                break start;
            }
            passed_over += 1;
        };
        let plies = 20 + random.below(80);
        playout(&proved(&start).1, &mut random, plies, &mut Memory::new());
    }
    passed_over
}

fn proves(outline: &Outline) -> bool {
    outline.frozen.any() || outline.unwinnable.white || outline.unwinnable.black
}

#[test]
fn random_games_stay_within_the_witness() {
    let passed_over = campaign(2000, 1);
    assert!(passed_over < 10_000, "{passed_over} positions had nothing to prove");
}

/// `BITMESH_PLAYOUTS=1000000 cargo test --release -p bitmesh-lab --test main -- --ignored a_million_random_games`
#[test]
#[ignore = "a long run"]
fn a_million_random_games_stay_within_the_witness() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let games = number("BITMESH_PLAYOUTS").unwrap_or(1_000_000);
    campaign(games, number("BITMESH_SEED").unwrap_or(2) as u64);
}

/// One component's moves compared over many games from the same position.
#[test]
fn components_are_games_of_their_own() {
    let mut random = Random::new(3);
    let mut compared = 0;
    for start in known_positions()
        .into_iter()
        .step_by(3)
        .chain((0..400).map(|_| blockade(&mut random)).collect::<Vec<_>>())
    {
        let (outline, certificate) = proved(&start);
        if !outline.decomposed() {
            continue;
        }
        let mut memory = Memory::new();
        for _ in 0..6 {
            playout(&certificate, &mut random, 60, &mut memory);
        }
        compared += memory.len();
    }
    assert!(compared > 5000, "{compared} states");
}

#[test]
fn exhaustive_search_stays_within_the_witness() {
    let mut random = Random::new(4);
    let mut nodes = 0;
    let known = known_positions();
    for index in 0..500 {
        let start = match index % 3 {
            0 => known[index % known.len()].clone(),
            1 => blockade(&mut random),
            _ => neighbour(&mut random),
        };
        let certificate = proved(&start).1;
        let depth = match start.legal_moves().len() {
            0..=6 => 4,
            7..=14 => 3,
            _ => 2,
        };
        nodes += search(&Watch::new(&certificate), &certificate, &start, depth, &mut Vec::new());
    }
    assert!(nodes > 50_000, "{nodes} positions");
}

#[test]
fn the_watch_sees_a_broken_witness() {
    // The wall of one position under the pieces of a game from another: the first capture is noticed.
    let frozen = proved(&position("7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1")).1;
    let mut watch = Watch::new(&frozen);
    let mut game = position("7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 b - a3 0 1");
    assert!(watch.examine(&game).is_err());
    let turn = game.turn();
    let capture = game.en_passant_moves()[0];
    game.play_unchecked(capture);
    watch.follow(capture, turn);
    assert_eq!(watch.examine(&game), Err("frozen a4 changed".into()));
}
