//! Positions: one reader for every front end, and one canonical text.

mod board_only;
mod canonical;
mod drawing;
mod error;
mod gate;
mod input;
mod note;
mod operations;
mod part;
mod placement;
mod printable;
mod read;
mod rendering;
mod role;
mod shape;
mod text;

pub use self::board_only::{BoardOnly, BoardOnlyReason};
pub(crate) use self::canonical::{CanonicalText, is_standard};
pub use self::drawing::read_board_text;
pub use self::error::{Field, ReadPositionError, ReadPositionProblem};
pub use self::input::{BOARD_CONTEXT, FEN_CONTEXT, Input, Position, Reading};
pub use self::note::{Note, OperationProblem};
pub use self::operations::Operation;
pub use self::placement::{Placement, read_placement};
pub use self::printable::{Printable, is_obeyed};
pub use self::read::{Tolerances, read_position, read_position_with};
pub use self::role::role_name;
pub use self::shape::{looks_like_drawn_rank, looks_like_fen_field, looks_like_placement, looks_like_utf16};
pub(crate) use self::text::Reasons;
pub use self::text::{CanonicalTextError, ParsePositionError};
