//! A line of legal moves that ends in mate, and its bytes, BMMATE v1.

use alloc::vec::Vec;
use core::fmt;

use sha2::{Digest as _, Sha256};
use shakmaty::san::SanPlus;
use shakmaty::{Chess, Color, Move, Position as _, Role};

use super::line_error::{DecodeError, LineError};
use crate::digest::{MateLineDigest, finish};
use crate::payload::{PayloadError, Reader, Sink};
use crate::persistent::wire::{put_position, read_position};

const MAGIC: &str = "BMMATE";
const VERSION: u8 = 1;

/// Legal moves from a position that end in mate by a colour.
///
/// Every value was replayed. Both sides help, and the line need not be short: it shows that the colour *can* give mate,
/// and nothing else.
///
/// Two lines are equal when their payloads are: move counters and an en-passant square without a legal capture do not count.
///
/// ```
/// use bitmesh::decision::MateLine;
/// use shakmaty::{Chess, Color, Position as _, san::San};
///
/// let start = Chess::default();
/// let (mut position, mut moves) = (start.clone(), Vec::new());
/// for san in ["f3", "e5", "g4", "Qh4"] {
///     let played = san.parse::<San>()?.to_move(&position)?;
///     position.play_unchecked(played);
///     moves.push(played);
/// }
/// let line = MateLine::new(start, Color::Black, moves)?;
/// assert_eq!(line.to_string(), "1. f3 e5 2. g4 Qh4#");
/// assert_eq!(MateLine::decode(&line.canonical_payload())?, line);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct MateLine {
    position: Chess,
    winner: Color,
    moves: Vec<Move>,
}

impl MateLine {
    /// The most moves that a line can have.
    pub const MAXIMUM_PLIES: usize = u16::MAX as usize;

    /// Replays moves that end in mate. None are needed where the position is mate already.
    ///
    /// # Errors
    ///
    /// The first move that is not legal or comes after the end of the game, or that the end is not mate by the winner.
    /// A position that shakmaty accepts only on request, such as one with too many men, comes first.
    pub fn new(position: Chess, winner: Color, moves: Vec<Move>) -> Result<Self, LineError> {
        if !is_encodable(&position) {
            return Err(LineError::IllegalPosition);
        }
        replay(&position, winner, &moves)?;
        Ok(Self { position, winner, moves })
    }

    /// The line from an earlier position of a game: the moves of the game, then this line.
    ///
    /// # Errors
    ///
    /// As for [`new`](Self::new), where the moves do not lead from `from` to the position of the line.
    pub fn after(prefix: &[Move], from: &Chess, tail: &Self) -> Result<Self, LineError> {
        Self::new(from.clone(), tail.winner, [prefix, &tail.moves].concat())
    }

    /// Where the line begins.
    #[must_use]
    pub const fn position(&self) -> &Chess {
        &self.position
    }

    /// The colour that gives mate.
    #[must_use]
    pub const fn winner(&self) -> Color {
        self.winner
    }

    /// The moves.
    #[must_use]
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The number of moves, of both sides together.
    #[must_use]
    pub const fn plies(&self) -> u16 {
        self.moves.len() as u16
    }

    /// The bytes of the line, BMMATE v1 (`docs/formats.md`).
    #[must_use]
    pub fn canonical_payload(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(77 + 2 * self.moves.len());
        self.put(&mut bytes);
        bytes
    }

    /// The SHA-256 of [`canonical_payload`](Self::canonical_payload).
    #[must_use]
    pub fn digest(&self) -> MateLineDigest {
        let mut hash = Sha256::new();
        self.put(&mut hash);
        finish(hash)
    }

    fn put(&self, sink: &mut impl Sink) {
        sink.put_header(MAGIC, VERSION);
        put_position(sink, &self.position);
        sink.put_u8(self.winner.fold_wb(0, 1));
        sink.put_u16(self.plies());
        for &played in &self.moves {
            sink.put_u16(encode(played));
        }
    }

    /// Reads BMMATE v1, and only its canonical form: encoding the result gives the same bytes. The line is replayed.
    ///
    /// # Errors
    ///
    /// The first deviation from the format, what makes the position illegal, or what is wrong with the line.
    pub fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut reader = Reader::new(bytes);
        reader.header(MAGIC, VERSION)?;
        let position = read_position(&mut reader)?;
        let winner = reader.choice("winner", |byte| match byte {
            0 => Some(Color::White),
            1 => Some(Color::Black),
            _ => None,
        })?;
        let plies = usize::from(reader.u16("number of moves")?);
        let mut moves = Vec::with_capacity(plies.min(reader.remaining() / 2));
        let mut after = position.clone();
        for ply in 0..plies {
            let offset = reader.offset();
            let word = reader.u16("move")?;
            if word >> 12 > 4 {
                return Err(PayloadError::InvalidElement { offset, element: "move" }.into());
            }
            let legal = after.legal_moves();
            let played = legal.iter().copied().find(|&played| encode(played) == word).ok_or_else(|| {
                let error =
                    if legal.is_empty() { LineError::EndsEarly { ply } } else { LineError::Illegal { ply } };
                DecodeError::Line { offset, error }
            })?;
            after.play_unchecked(played);
            moves.push(played);
        }
        let offset = reader.offset();
        end(&after, winner).map_err(|error| DecodeError::Line { offset, error })?;
        reader.finish()?;
        Ok(Self { position, winner, moves })
    }
}

/// The moves in the notation of the Laws, with their numbers.
impl fmt::Display for MateLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut position = self.position.clone();
        for (ply, &played) in self.moves.iter().enumerate() {
            if ply > 0 {
                f.write_str(" ")?;
            }
            let number = position.fullmoves();
            match position.turn() {
                Color::White => write!(f, "{number}. ")?,
                Color::Black if ply == 0 => write!(f, "{number}... ")?,
                Color::Black => {}
            }
            write!(f, "{}", SanPlus::from_move_and_play_unchecked(&mut position, played))?;
        }
        Ok(())
    }
}

/// Whether the bytes of a position are read as the same position.
pub(super) fn is_encodable(position: &Chess) -> bool {
    let mut bytes = Vec::with_capacity(66);
    put_position(&mut bytes, position);
    read_position(&mut Reader::new(&bytes)).is_ok_and(|read| read == *position)
}

/// A move in sixteen bits: from, to (castling goes to the rook's square), the new role of a pawn.
fn encode(played: Move) -> u16 {
    let promotion = match played.promotion() {
        None => 0,
        Some(Role::Knight) => 1,
        Some(Role::Bishop) => 2,
        Some(Role::Rook) => 3,
        Some(_) => 4,
    };
    played.from().map_or(0, u16::from) | u16::from(played.to()) << 6 | promotion << 12
}

/// Plays moves that must be legal and end in mate by the winner; how many there are.
pub(super) fn replay(position: &Chess, winner: Color, moves: &[Move]) -> Result<u16, LineError> {
    let plies = u16::try_from(moves.len())
        .map_err(|_| LineError::TooLong { plies: moves.len(), maximum: MateLine::MAXIMUM_PLIES })?;
    let mut position = position.clone();
    for (ply, &played) in moves.iter().enumerate() {
        if !position.is_legal(played) {
            let over = position.legal_moves().is_empty();
            return Err(if over { LineError::EndsEarly { ply } } else { LineError::Illegal { ply } });
        }
        position.play_unchecked(played);
    }
    end(&position, winner).map(|()| plies)
}

/// Whether a position is mate by a colour.
fn end(position: &Chess, winner: Color) -> Result<(), LineError> {
    if !position.is_checkmate() {
        Err(LineError::NoMate)
    } else if position.turn() == winner {
        Err(LineError::WrongColour)
    } else {
        Ok(())
    }
}
