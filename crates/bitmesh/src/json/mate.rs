//! The JSON document of a line, `bitmesh.mate.v1`, both ways.

use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Position as _};

use super::list::list;
use super::names::ColorName;
use crate::decision::MateLine;
use crate::digest::MateLineDigest;
use crate::position::{FEN_CONTEXT, Input, Position};

constant_text!(Schema = "bitmesh.mate.v1");

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Document {
    schema: Schema,
    digest: MateLineDigest,
    position: String,
    winner: ColorName,
    #[serde(deserialize_with = "list::<_, _, { MateLine::MAXIMUM_PLIES }>")]
    moves: Vec<String>,
}

/// How castling is written: to the rook's square where a right to castle is one of Chess960.
fn mode(position: &Chess) -> CastlingMode {
    position.castles().mode()
}

impl Serialize for MateLine {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let position = self.position();
        let document = Document {
            schema: Schema,
            digest: self.digest(),
            position: Position::from(position.clone()).canonical_text(),
            winner: self.winner().into(),
            moves: self.moves().iter().map(|played| played.to_uci(mode(position)).to_string()).collect(),
        };
        document.serialize(serializer)
    }
}

/// Reads the document `bitmesh.mate.v1`: the line is replayed, and the digest must belong to it.
impl<'de> Deserialize<'de> for MateLine {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let document = Document::deserialize(deserializer)?;
        let position = match Input::from_canonical_text(FEN_CONTEXT, &document.position) {
            Ok(Input::Position(position)) => position.into_chess(),
            Ok(Input::Board(_)) => return Err(D::Error::custom("the position is a board only")),
            Err(error) => return Err(D::Error::custom(format_args!("position: {error}"))),
        };
        let mut after = position.clone();
        let mut moves = Vec::with_capacity(document.moves.len());
        for text in &document.moves {
            let wrong =
                || D::Error::custom(format_args!("`{text}` is not a legal move at its place in the line"));
            let uci: UciMove = text.parse().map_err(|_| wrong())?;
            let played = uci.to_move(&after).map_err(|_| wrong())?;
            // A move has one form.
            if played.to_uci(mode(&position)).to_string() != *text {
                return Err(wrong());
            }
            after.play_unchecked(played);
            moves.push(played);
        }
        let line = Self::new(position, document.winner.into(), moves).map_err(D::Error::custom)?;
        match line.digest() {
            digest if digest == document.digest => Ok(line),
            digest => Err(D::Error::custom(format_args!("digest {} instead of {digest}", document.digest))),
        }
    }
}
