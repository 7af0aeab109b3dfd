//! The simplest programs that read what a scan reads.

use std::hint::black_box;
use std::io::Cursor;
use std::ops::ControlFlow;

use bitmesh_corpus::Format;
use bitmesh_lab::plain;
use pgn_reader::{RawTag, Reader, SanPlus, Visitor};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Position as _};

/// Reads a text, and says how many positions it came by.
///
/// Games are replayed by `pgn-reader` and shakmaty with no analysis, their starts not counted; FEN lines are read by
/// shakmaty and certified by the contract written down literally.
///
/// # Panics
///
/// When games are not well-formed.
#[must_use]
pub fn read(format: Format, text: &[u8]) -> u64 {
    match format {
        Format::Pgn => {
            let mut plies = Plies(0);
            let read = Reader::new(Cursor::new(text)).visit_all_games(&mut plies);
            assert!(read.is_ok(), "the file is well-formed");
            plies.0
        }
        _ => {
            let positions = text.split(|&byte| byte == b'\n').filter_map(|line| {
                let chess: Chess = Fen::from_ascii(line).ok()?.into_position(CastlingMode::Standard).ok()?;
                black_box(plain::certify(chess.board()));
                Some(())
            });
            positions.count() as u64
        }
    }
}

struct Plies(u64);

impl Visitor for Plies {
    type Tags = Option<Chess>;
    type Movetext = Chess;
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<(), Option<Chess>> {
        ControlFlow::Continue(None)
    }

    fn tag(&mut self, start: &mut Option<Chess>, name: &[u8], value: RawTag<'_>) -> ControlFlow<()> {
        if name == b"FEN" {
            *start = Fen::from_ascii(value.as_bytes())
                .ok()
                .and_then(|fen| fen.into_position(CastlingMode::Standard).ok());
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, start: Option<Chess>) -> ControlFlow<(), Chess> {
        ControlFlow::Continue(start.unwrap_or_default())
    }

    fn san(&mut self, chess: &mut Chess, san: SanPlus) -> ControlFlow<()> {
        match san.san.to_move(chess) {
            Ok(played) => {
                chess.play_unchecked(played);
                self.0 += 1;
                ControlFlow::Continue(())
            }
            Err(_) => ControlFlow::Break(()),
        }
    }

    fn end_game(&mut self, chess: Chess) {
        black_box(chess);
    }
}
