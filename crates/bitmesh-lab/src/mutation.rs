//! Bytes changed without regard to what they mean.

use crate::random::Rng;

/// Parts of a text that readers treat in their own ways.
const PIECES: [&[u8]; 24] = [
    b"\n",
    b"\r\n",
    b"\r",
    b"\0",
    b"\x1a",
    b"\xef\xbb\xbf",
    b"\xff\xfe",
    b"\"",
    b"{",
    b"}",
    b"(",
    b")",
    b";",
    b"[",
    b"]",
    b"%",
    b",",
    b"\t",
    b"$1",
    b"1-0",
    b"--",
    b"[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n",
    b"e4 ",
    b"\x1f\x8b\x08",
];

/// One of the seeds with some changes, now and then with a part of another; at most so many bytes.
pub fn mutated(seeds: &[Vec<u8>], most: usize, rng: &mut Rng) -> Vec<u8> {
    let mut bytes = rng.pick(seeds).cloned().unwrap_or_default();
    bytes.truncate(most);
    for _ in 0..1 + rng.below(3) {
        let at = rng.below(bytes.len() + 1);
        match rng.below(4) {
            0 => {
                let piece = rng.one_of(&PIECES);
                bytes.splice(at..at, piece.iter().copied());
            }
            1 => {
                let other = rng.pick(seeds).cloned().unwrap_or_default();
                let from = rng.below(other.len() + 1);
                bytes.truncate(at);
                bytes.extend(&other[from..]);
            }
            _ => scramble(&mut bytes, rng),
        }
    }
    bytes.truncate(most);
    bytes
}

/// Bytes changed without any regard to what they mean.
pub fn scramble(bytes: &mut Vec<u8>, rng: &mut Rng) {
    for _ in 0..1 + rng.below(4) {
        if bytes.is_empty() {
            return;
        }
        let at = rng.below(bytes.len());
        match rng.below(8) {
            0 | 1 => bytes[at] ^= 1 << rng.below(8),
            2 => bytes[at] = rng.bits() as u8,
            3 => bytes[at] = [0, 1, 2, 63, 64, 127, 128, 254, 255][rng.below(9)],
            4 => bytes.truncate(at),
            5 => bytes.insert(at, rng.bits() as u8),
            6 => {
                bytes.remove(at);
            }
            _ => {
                let until = (at + 1 + rng.below(12)).min(bytes.len());
                let copy = bytes[at..until].to_vec();
                let to = rng.below(bytes.len() + 1);
                bytes.splice(to..to, copy);
            }
        }
    }
}
