//! Positions to attack: walls of many shapes, boxed pieces, mutations of known cases, random play.
//!
//! Every position that leaves here is one that shakmaty accepts as legal.

use bitmesh::persistent::analyze;
use bitmesh::shakmaty::{
    Bitboard, Castles, CastlingMode, Chess, Color, EnPassantMode, File, Piece, Position as _, Rank, Role,
    Setup, Square,
};

use crate::cases;
use crate::random::Rng;
use crate::walk::Policy;

/// Where a position comes from.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Theme {
    /// A pawn wall over all eight files.
    FullWall,
    /// Rams on some files only.
    PartialWall,
    /// Pieces behind pawns that never move.
    Boxed,
    /// A wall, and pawns that can double-step or promote.
    Runners,
    /// A wall, and castling rights.
    Castling,
    /// Few pieces and one to three rams.
    Small,
    /// A known case, changed.
    Mutation,
    /// An accepted position, changed.
    Neighbour,
    /// A position reached by play.
    Play,
}

impl Theme {
    pub const ALL: [Self; 9] = [
        Self::FullWall,
        Self::PartialWall,
        Self::Boxed,
        Self::Runners,
        Self::Castling,
        Self::Small,
        Self::Mutation,
        Self::Neighbour,
        Self::Play,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            Self::FullWall => "full wall",
            Self::PartialWall => "partial wall",
            Self::Boxed => "boxed pieces",
            Self::Runners => "runners",
            Self::Castling => "castling",
            Self::Small => "small",
            Self::Mutation => "mutated case",
            Self::Neighbour => "mutated accepted position",
            Self::Play => "reached by play",
        }
    }
}

/// The rows of the case files, file by file, as positions.
pub fn known() -> Vec<Vec<Chess>> {
    const FILES: [(&str, usize); 5] = [
        (cases::BLOCKED, 1),
        (cases::DEAD, 0),
        (cases::MATE_POSSIBLE, 0),
        (cases::WALL_EN_PASSANT, 1),
        (cases::LICHESS_DEAD, 0),
    ];
    FILES
        .into_iter()
        .map(|(text, column)| {
            text.lines().filter_map(|line| line.split('\t').nth(column).and_then(position)).collect()
        })
        .collect()
}

/// A legal position from a FEN.
pub fn position(fen: &str) -> Option<Chess> {
    let fen: bitmesh::shakmaty::fen::Fen = fen.parse().ok()?;
    finish(fen.into_setup())
}

/// The position of a setup, when it is legal.
pub fn finish(setup: Setup) -> Option<Chess> {
    let mode = CastlingMode::detect(&setup);
    setup.position(mode).ok()
}

/// Positions of every kind, mixed.
#[derive(Debug)]
pub struct Generator {
    cases: Vec<Vec<Chess>>,
    /// Accepted positions, whose neighbours are tried next.
    pool: Vec<Chess>,
}

impl Default for Generator {
    fn default() -> Self {
        Self::new()
    }
}

impl Generator {
    const POOL: usize = 4096;

    pub fn new() -> Self {
        Self { cases: known(), pool: Vec::new() }
    }

    /// Remembers an accepted position.
    pub fn keep(&mut self, position: Chess, rng: &mut Rng) {
        if self.pool.len() < Self::POOL {
            self.pool.push(position);
        } else {
            let at = rng.below(Self::POOL);
            self.pool[at] = position;
        }
    }

    pub fn next(&self, rng: &mut Rng) -> (Theme, Chess) {
        loop {
            let theme = Theme::ALL[rng.below(Theme::ALL.len())];
            if let Some(position) = self.of(theme, rng) {
                return (theme, position);
            }
        }
    }

    fn case(&self, rng: &mut Rng) -> Option<Chess> {
        rng.pick(&self.cases).and_then(|file| rng.pick(file).cloned())
    }

    /// A position of one theme; half of them filled up with pieces that leave it accepted.
    pub fn of(&self, theme: Theme, rng: &mut Rng) -> Option<Chess> {
        let position = self.raw(theme, rng)?;
        Some(if rng.one_in(2) { enrich(position, rng) } else { position })
    }

    fn raw(&self, theme: Theme, rng: &mut Rng) -> Option<Chess> {
        match theme {
            Theme::Mutation => mutate(&self.case(rng)?, rng),
            Theme::Neighbour => {
                let position = rng.pick(&self.pool)?.clone();
                mutate(&position, rng)
            }
            Theme::Play => {
                let start = if rng.one_in(2) {
                    self.case(rng)?
                } else if rng.one_in(8) {
                    Chess::default()
                } else {
                    let theme = Theme::ALL[rng.below(6)];
                    self.raw(theme, rng)?
                };
                play_on(start, rng)
            }
            constructed => construct(constructed, rng),
        }
    }
}

fn square(file: i32, rank: i32) -> Option<Square> {
    let file = File::try_from(file).ok()?;
    let rank = Rank::try_from(rank).ok()?;
    Some(Square::from_coords(file, rank))
}

fn random_color(rng: &mut Rng) -> Color {
    Color::from_white(rng.one_in(2))
}

fn random_square(rng: &mut Rng) -> Square {
    Square::new(rng.below(64) as u32)
}

fn random_officer(rng: &mut Rng) -> Role {
    [Role::Knight, Role::Bishop, Role::Bishop, Role::Rook, Role::Queen][rng.below(5)]
}

/// A board under construction, with the material that shakmaty allows.
struct Draft {
    setup: Setup,
}

impl Draft {
    fn new() -> Self {
        Self { setup: Setup::empty() }
    }

    fn free(&self, square: Square) -> bool {
        self.setup.board.piece_at(square).is_none()
    }

    /// Puts a piece on a free square; a pawn only where a pawn can stand.
    fn put(&mut self, square: Option<Square>, piece: Piece) -> bool {
        let Some(square) = square else { return false };
        let back = square.rank() == Rank::First || square.rank() == Rank::Eighth;
        if !self.free(square) || back && piece.role == Role::Pawn {
            return false;
        }
        if piece.role == Role::Pawn && self.setup.board.by_piece(piece).count() >= 8 {
            return false;
        }
        self.setup.board.set_piece_at(square, piece);
        true
    }

    /// A pair of pawns head-on.
    fn ram(&mut self, file: i32, white_rank: i32) {
        self.put(square(file, white_rank), Color::White.pawn());
        self.put(square(file, white_rank + 1), Color::Black.pawn());
    }

    /// Pawns behind a pair, sometimes.
    fn double(&mut self, file: i32, white_rank: i32, rng: &mut Rng) {
        if rng.one_in(5) {
            self.put(square(file, white_rank - 1 - rng.below(2) as i32), Color::White.pawn());
        }
        if rng.one_in(5) {
            self.put(square(file, white_rank + 2 + rng.below(2) as i32), Color::Black.pawn());
        }
    }

    fn kings(&mut self, rng: &mut Rng) {
        for color in Color::ALL {
            if self.setup.board.king_of(color).is_some() {
                continue;
            }
            let at_home = !rng.one_in(4);
            for _ in 0..100 {
                let at = random_square(rng);
                if (!at_home || self.is_home(color, at)) && self.put(Some(at), color.king()) {
                    break;
                }
            }
        }
    }

    /// Whether a square is on a colour's own side of all pawns on its file.
    fn is_home(&self, color: Color, at: Square) -> bool {
        let pawns = self.setup.board.pawns() & Bitboard::from_file(at.file());
        pawns.into_iter().all(|pawn| if color.is_white() { at < pawn } else { at > pawn })
    }

    fn scatter(&mut self, count: usize, rng: &mut Rng) {
        for _ in 0..count {
            let color = random_color(rng);
            let role = if rng.one_in(4) { Role::Pawn } else { random_officer(rng) };
            let at = random_square(rng);
            self.put(Some(at), role.of(color));
        }
    }

    fn finish(mut self, rng: &mut Rng) -> Option<Chess> {
        self.setup.turn = random_color(rng);
        if rng.one_in(3) {
            set_en_passant(&mut self.setup, rng);
        }
        finish(self.setup)
    }
}

/// Sets an en-passant square that a pawn of the side to move attacks, where there is one.
fn set_en_passant(setup: &mut Setup, rng: &mut Rng) {
    let mut choices = Vec::new();
    for turn in Color::ALL {
        let enemy = setup.board.by_piece((!turn).pawn());
        for target in Square::ALL {
            if target.rank() != turn.relative_rank(Rank::Sixth) {
                continue;
            }
            let forward = turn.fold_wb(8, -8);
            let victim = target.offset(-forward);
            let origin = target.offset(forward);
            let attackers =
                bitmesh::shakmaty::attacks::pawn_attacks(!turn, target) & setup.board.by_piece(turn.pawn());
            if attackers.any()
                && victim.is_some_and(|victim| enemy.contains(victim))
                && setup.board.piece_at(target).is_none()
                && origin.is_some_and(|origin| setup.board.piece_at(origin).is_none())
            {
                choices.push((turn, target));
            }
        }
    }
    if let Some(&(turn, target)) = rng.pick(&choices) {
        setup.turn = turn;
        setup.ep_square = Some(target);
    }
}

fn construct(theme: Theme, rng: &mut Rng) -> Option<Chess> {
    let mut draft = Draft::new();
    let small = theme == Theme::Small;
    // The ranks of the white pawns of the rams, from 1 to 5, as a walk over the files.
    let mut rank = 1 + rng.below(5) as i32;
    // One file in so many has no ram.
    let gaps = match theme {
        Theme::FullWall => None,
        Theme::Castling if !rng.one_in(4) => None,
        _ => Some(2 + rng.below(6)),
    };
    let mut rams = Vec::new();
    let tight = !rng.one_in(4);
    for file in 0..8 {
        let gap = if small { !rng.one_in(3) } else { gaps.is_some_and(|gaps| rng.one_in(gaps)) };
        if !gap {
            draft.ram(file, rank);
            rams.push((file, rank));
        }
        // A wall holds where neighbours differ by one rank: each pawn is guarded or guards.
        let step = [-1, 1, -1, 1, -2, 2, 0, 3][rng.below(if tight { 2 } else { 8 })];
        rank = if (1..=5).contains(&(rank + step)) { rank + step } else { rank - step }.clamp(1, 5);
    }
    for (file, rank) in rams {
        draft.double(file, rank, rng);
    }
    match theme {
        Theme::Boxed => {
            for _ in 0..1 + rng.below(3) {
                let color = random_color(rng);
                let role = random_officer(rng);
                let front = color.fold_wb(1, -1);
                let behind: Vec<Square> = draft
                    .setup
                    .board
                    .by_piece(color.pawn())
                    .into_iter()
                    .filter_map(|pawn| {
                        let file = i32::from(pawn.file()) + rng.below(3) as i32 - 1;
                        square(file, i32::from(pawn.rank()) - front)
                    })
                    .collect();
                if let Some(&at) = rng.pick(&behind) {
                    draft.put(Some(at), role.of(color));
                }
            }
            if rng.one_in(3) {
                corner(&mut draft, rng);
            }
        }
        Theme::Runners => {
            for _ in 0..1 + rng.below(4) {
                let color = random_color(rng);
                let rank = color.fold_wb([1, 1, 2, 4, 6], [6, 6, 5, 3, 1])[rng.below(5)];
                let at = square(rng.below(8) as i32, rank);
                draft.put(at, color.pawn());
            }
        }
        Theme::Castling => rooks_and_kings(&mut draft, rng),
        _ => {}
    }
    draft.kings(rng);
    let extra = if small { rng.below(3) } else { [0, 0, 0, 0, 1, 1, 2, 3, 5][rng.below(9)] };
    draft.scatter(extra, rng);
    draft.finish(rng)
}

/// A corner filled with pieces of one colour behind its own pawns.
fn corner(draft: &mut Draft, rng: &mut Rng) {
    let color = random_color(rng);
    let file = if rng.one_in(2) { 0 } else { 7 };
    let inward = if file == 0 { 1 } else { -1 };
    let (back, front) = color.fold_wb((0, 1), (7, -1));
    for (across, up) in [(0, 0), (1, 0), (0, 1), (1, 1), (2, 0), (2, 1)] {
        let at = square(file + inward * across, back + front * up);
        let role = if up == 1 { Role::Pawn } else { random_officer(rng) };
        if !rng.one_in(6) {
            draft.put(at, role.of(color));
        }
        if up == 1 && !rng.one_in(4) {
            let blocker = if rng.one_in(3) { Role::Bishop } else { Role::Pawn };
            let above = square(file + inward * across, back + front * 2);
            draft.put(above, blocker.of(!color));
        }
    }
}

fn rooks_and_kings(draft: &mut Draft, rng: &mut Rng) {
    let standard = rng.one_in(2);
    for color in Color::ALL {
        if rng.one_in(3) {
            continue;
        }
        let rank = color.fold_wb(0, 7);
        let (king, left, right) = if standard {
            (4, 0, 7)
        } else {
            let king = 1 + rng.below(6) as i32;
            (king, rng.below(king as usize) as i32, king + 1 + rng.below(7 - king as usize) as i32)
        };
        let Some(king_at) = square(king, rank) else { continue };
        if !draft.put(Some(king_at), color.king()) {
            continue;
        }
        for file in [left, right] {
            let at = square(file, rank);
            if !rng.one_in(4)
                && draft.put(at, color.rook())
                && !rng.one_in(6)
                && let Some(at) = at
            {
                draft.setup.castling_rights.add(at);
            }
        }
    }
}

/// A legal neighbour of a position: one to four small changes.
pub fn mutate(position: &Chess, rng: &mut Rng) -> Option<Chess> {
    let mut setup = position.to_setup(EnPassantMode::Always);
    for _ in 0..1 + rng.below(4) {
        change(&mut setup, rng);
    }
    finish(setup)
}

fn change(setup: &mut Setup, rng: &mut Rng) {
    let pieces: Vec<(Square, Piece)> = setup.board.iter().collect();
    let Some(&(from, piece)) = rng.pick(&pieces) else { return };
    match rng.below(13) {
        0 | 1 => {
            let to = random_square(rng);
            if setup.board.piece_at(to).is_none() {
                setup.board.discard_piece_at(from);
                setup.board.set_piece_at(to, piece);
            }
        }
        2 => {
            let near = bitmesh::shakmaty::attacks::king_attacks(from);
            let near: Vec<Square> =
                near.into_iter().filter(|&to| setup.board.piece_at(to).is_none()).collect();
            if let Some(&to) = rng.pick(&near) {
                setup.board.discard_piece_at(from);
                setup.board.set_piece_at(to, piece);
            }
        }
        3 | 4 => {
            let at = random_square(rng);
            if setup.board.piece_at(at).is_none() {
                let role = if rng.one_in(3) { Role::Pawn } else { random_officer(rng) };
                setup.board.set_piece_at(at, role.of(random_color(rng)));
            }
        }
        5 => {
            if piece.role != Role::King {
                setup.board.discard_piece_at(from);
            }
        }
        6 => {
            if piece.role != Role::King {
                setup.board.set_piece_at(from, piece.role.of(!piece.color));
            }
        }
        7 => {
            if !matches!(piece.role, Role::King | Role::Pawn) {
                setup.board.set_piece_at(from, random_officer(rng).of(piece.color));
            }
        }
        8 => {
            setup.turn = !setup.turn;
            setup.ep_square = None;
        }
        9 => setup.mirror(),
        10 => {
            setup.board.flip_horizontal();
            setup.castling_rights = setup.castling_rights.flip_horizontal();
            setup.ep_square = setup.ep_square.map(Square::flip_horizontal);
        }
        11 => {
            setup.ep_square = None;
            set_en_passant(setup, rng);
        }
        _ => {
            let rooks = setup.board.rooks().with(setup.castling_rights);
            let rooks: Vec<Square> = rooks.into_iter().collect();
            if let Some(&rook) = rng.pick(&rooks) {
                setup.castling_rights.toggle(rook);
            }
        }
    }
    // A right whose rook or king is gone would make the setup illegal for no purpose.
    if rng.one_in(2) {
        let kept = Castles::from_setup(setup, CastlingMode::Chess960);
        setup.castling_rights = kept.unwrap_or_else(|kept| kept).castling_rights();
    }
}

/// Changes a position as long as something is frozen in it, so that more than kings is left to move.
///
/// The library's own answer only steers which positions are tried.
fn enrich(mut position: Chess, rng: &mut Rng) -> Chess {
    if analyze(&position).frozen.is_empty() {
        return position;
    }
    for _ in 0..rng.below(24) {
        let mut setup = position.to_setup(EnPassantMode::Legal);
        if rng.one_in(3) {
            change(&mut setup, rng);
        } else {
            let at = random_square(rng);
            let color = random_color(rng);
            // On the own side of the wall more often, where pieces harm it least.
            let at = if rng.one_in(3) || (at.rank() < Rank::Fifth) == color.is_white() {
                at
            } else {
                at.flip_vertical()
            };
            let role = if rng.one_in(4) { Role::Pawn } else { random_officer(rng) };
            if setup.board.piece_at(at).is_some() {
                continue;
            }
            setup.board.set_piece_at(at, role.of(color));
            if role == Role::Rook && at.rank() == color.backrank() && !rng.one_in(4) {
                setup.castling_rights.add(at);
                let kept = Castles::from_setup(&setup, CastlingMode::Chess960);
                setup.castling_rights = kept.unwrap_or_else(|kept| kept).castling_rights();
            }
        }
        if let Some(changed) = finish(setup)
            && analyze(&changed).frozen.any()
        {
            position = changed;
        }
    }
    position
}

fn play_on(mut position: Chess, rng: &mut Rng) -> Option<Chess> {
    for _ in 0..rng.below(80) {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        let policy = Policy::random(rng);
        let chosen = policy.choose(&position, &moves, rng);
        position.play_unchecked(chosen);
    }
    Some(position)
}

/// A wall over most files, with kings and a few pieces; now and then with rights to castle.
pub fn blockade(rng: &mut Rng) -> Chess {
    const THEMES: [Theme; 6] = [
        Theme::FullWall,
        Theme::FullWall,
        Theme::FullWall,
        Theme::PartialWall,
        Theme::Runners,
        Theme::Castling,
    ];
    loop {
        let theme = rng.one_of(&THEMES);
        if let Some(position) = construct(theme, rng) {
            return position;
        }
    }
}

/// A position with a known answer and a few changes.
pub fn neighbour(rng: &mut Rng) -> Chess {
    let rows: Vec<&str> = cases::table(cases::DEAD)
        .map(|row| row[0])
        .chain(cases::table(cases::BLOCKED).map(|row| row[1]))
        .chain(cases::table(cases::MATE_POSSIBLE).map(|row| row[0]))
        .collect();
    neighbour_of(&rows, rng)
}

/// One of the positions with a few changes.
///
/// Among dead positions many have walled-in pieces and kings without a step.
pub fn neighbour_of(fens: &[&str], rng: &mut Rng) -> Chess {
    loop {
        let fen = rng.one_of(fens);
        if let Some(position) = position(fen).and_then(|position| mutate(&position, rng)) {
            return position;
        }
    }
}
