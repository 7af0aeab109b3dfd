//! Can this side still give mate, if both sides help?
//!
//! For a position and a colour exactly one of three answers is given, and the
//! first two come with evidence that anyone can check:
//!
//! - [`Decision::Winnable`]: a line of legal moves that ends in mate by the colour, replayed before it is handed out;
//! - [`Decision::Unwinnable`]: a certificate, accepted by [`check`](crate::persistent::check()), that no line of legal
//!   moves does;
//! - [`Decision::Undecided`]: neither was found within the bound. It claims nothing.
//!
//! When a player's flag falls, the game is drawn if no series of legal moves lets
//! the opponent checkmate him (FIDE Laws of Chess, article 6.9): the opponent's
//! colour is unwinnable, whichever side is to move. A position is dead when neither side can give mate (article 5.2.2): both
//! colours are unwinnable. The handbook page `docs/decide.md` has both articles with the cases where they differ.
//!
//! ```
//! use bitmesh::decision::{Decision, decide};
//! use shakmaty::{CastlingMode, Chess, Color, fen::Fen};
//!
//! // A lone knight gives mate where a man of the loser's stands beside his king.
//! let fen: Fen = "8/8/8/4k3/8/3n4/P7/K7 w - - 0 1".parse()?;
//! let position: Chess = fen.into_position(CastlingMode::Standard)?;
//!
//! let Decision::Winnable(line) = decide(&position, Color::Black) else { panic!("there is a helpmate") };
//! assert!(line.plies() > 0);
//!
//! let bare: Fen = "8/8/8/4k3/8/3n4/8/K7 w - - 0 1".parse()?;
//! let position: Chess = bare.into_position(CastlingMode::Standard)?;
//! assert!(matches!(decide(&position, Color::Black), Decision::Unwinnable(_)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The fifty-move and seventy-five-move rules, repetition, clocks and resignation play no part.
//!
//! The answer depends on the position, the colour and the bound alone: not on a clock, on threads or on what was
//! decided before.

mod corner;
mod decider;
mod decisions;
mod evidence;
mod layout;
mod line;
mod line_error;
mod policy;
mod scene;
mod search;
mod tally;
#[cfg(test)]
mod tests;
mod touching;
#[doc(hidden)]
pub mod training;
mod weights;

pub use decider::{Decider, Decision, Effort, Verdict, decide};
pub use decisions::Decisions;
pub use line::MateLine;
pub use line_error::{DecodeError, LineError};
