//! The weights of the policy, as data.
//!
//! `general.weights`, `minors.weights` and `swift.weights` are made by the trainer (`docs/decide.md`): little-endian
//! i16, sixty-four to a nat, the features of each class one after the other and then the shared ones.

use alloc::borrow::Cow;

use super::layout::{BLOCKS, CLASS_LENGTH, SHARED, SHARED_LENGTH, greatest, of_class};

/// The weights of the features of one class, and behind them the greatest ones of some kinds. The rest is zero.
pub(super) type Block = [i16; 1024];

const _: () = assert!(greatest::END <= 1024 && SHARED_LENGTH <= 1024);

/// The units of a nat, the logarithm of e.
pub const UNIT: u32 = 64;

/// A table of weights.
///
/// Any will do: they decide what a search looks at first, and so how long it takes.
#[derive(Clone, Debug)]
pub(super) struct Weights {
    blocks: Cow<'static, [Block]>,
}

/// How many weights there are.
pub const LENGTH: usize = SHARED * CLASS_LENGTH + SHARED_LENGTH;

/// The tables as they are trained.
pub(super) const FILES: [&[u8; 2 * LENGTH]; 3] =
    [include_bytes!("general.weights"), include_bytes!("minors.weights"), include_bytes!("swift.weights")];

static GENERAL: [Block; BLOCKS] = unpack(FILES[0]);
static MINORS: [Block; BLOCKS] = unpack(FILES[1]);
static SWIFT: [Block; BLOCKS] = unpack(FILES[2]);

const fn unpack(bytes: &[u8; 2 * LENGTH]) -> [Block; BLOCKS] {
    let mut blocks = [[0; 1024]; BLOCKS];
    let (mut block, mut place, mut at) = (0, 0, 0);
    while at < bytes.len() {
        if block < SHARED && place == CLASS_LENGTH {
            (block, place) = (block + 1, 0);
        }
        blocks[block][place] = i16::from_le_bytes([bytes[at], bytes[at + 1]]);
        (place, at) = (place + 1, at + 2);
    }
    block = 0;
    while block < SHARED {
        note_greatest(&mut blocks[block]);
        block += 1;
    }
    blocks
}

/// Notes the greatest weights that a quiet move can meet, behind the features of a class.
const fn note_greatest(block: &mut Block) {
    let mut at = 0;
    while at < 6 * 8 {
        let (before, from) = (at % 8, at / 8 * 8);
        // How far a pawn, a knight and a king go at most, as a king walks; they come first, second and last.
        let step = [2, 2, 7, 7, 7, 2][at / 8];
        let (mut winner, mut loser) = (i16::MIN, i16::MIN);
        let mut after = 1;
        while after < 8 {
            if after <= before + step && before <= after + step {
                let approach = 1 + (after > before) as usize - (after < before) as usize;
                let place = (from + after) * 3 + approach;
                winner = greater(winner, block[of_class::DISTANCE + place]);
                loser = greater(loser, block[of_class::LOSER_DISTANCE + place]);
            }
            after += 1;
        }
        block[greatest::DISTANCE + at] = winner;
        block[greatest::LOSER_DISTANCE + at] = loser;
        at += 1;
    }
    at = 0;
    while at < 6 * 2 {
        let (way, loser_way) = (of_class::WAY + 2 * at, of_class::LOSER_WAY + 2 * at);
        block[greatest::WAY + at] = greater(block[way], block[way + 1]);
        block[greatest::LOSER_WAY + at] = greater(block[loser_way], block[loser_way + 1]);
        let attacked = of_class::ATTACKED + at / 2 * 4 + at % 2;
        block[greatest::ATTACKED + at] = greater(block[attacked], block[attacked + 2]);
        at += 1;
    }
    let mut rank = 1;
    while rank < 6 {
        let most = if rank == 1 { 3 } else { rank + 1 };
        let (mut pawn, mut place) = (i16::MIN, of_class::PAWN + (rank + 1) * 4);
        while place < of_class::PAWN + (most + 1) * 4 {
            pawn = greater(pawn, block[place]);
            place += 1;
        }
        block[greatest::PAWN + rank] = pawn;
        rank += 1;
    }
}

const fn greater(one: i16, other: i16) -> i16 {
    if one > other { one } else { other }
}

impl Weights {
    /// The weights for positions in general.
    pub(super) const GENERAL: Self = Self { blocks: Cow::Borrowed(&GENERAL) };
    /// The weights for a winner who has minor pieces only.
    pub(super) const MINORS: Self = Self { blocks: Cow::Borrowed(&MINORS) };

    /// The weights that find mates soonest in most positions.
    pub(super) const SWIFT: Self = Self { blocks: Cow::Borrowed(&SWIFT) };

    /// Weights in the order of the file. Missing ones are zero, and surplus ones are ignored.
    pub(super) fn new(values: &[i16]) -> Self {
        let mut blocks = alloc::vec![[0; 1024]; BLOCKS];
        let (of_classes, of_all) = values.split_at(values.len().min(SHARED * CLASS_LENGTH));
        for (block, values) in blocks.iter_mut().zip(of_classes.chunks(CLASS_LENGTH)) {
            block[..values.len()].copy_from_slice(values);
            note_greatest(block);
        }
        let of_all = &of_all[..of_all.len().min(SHARED_LENGTH)];
        blocks[SHARED][..of_all.len()].copy_from_slice(of_all);
        Self { blocks: Cow::Owned(blocks) }
    }

    pub(super) fn block(&self, number: usize) -> &Block {
        &self.blocks[number]
    }
}
