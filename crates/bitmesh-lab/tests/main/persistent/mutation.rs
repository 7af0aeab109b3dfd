//! A changed certificate is refused, or still holds.

use std::collections::HashMap;

use bitmesh::persistent::{PersistentCertificate, Proof, check, prove};
use bitmesh_lab::generate::blockade;
use bitmesh_lab::oracle;
use bitmesh_lab::parts::Parts;
use bitmesh_lab::random::Rng;
use bitmesh_lab::walk::{Ward, playout};
use shakmaty::{Bitboard, Position as _, Role};

use super::{BLOCKED, DEAD, LICHESS_DEAD, position, table};

/// Counts of what became of mutants: accepted, or the code of the refusal.
type Tally = HashMap<&'static str, usize>;

/// Compares checker and rules on one mutant.
fn judge(mutant: &PersistentCertificate, random: &mut Rng, tally: &mut Tally) {
    match check(mutant) {
        Ok(_) => {
            oracle::judge(&Parts::of(mutant)).unwrap_or_else(|rule| panic!("accepted: {rule}: {mutant:?}"));
            let ward = Ward::new(mutant);
            for _ in 0..2 {
                playout(&ward, 40, random).unwrap_or_else(|violation| panic!("{violation}"));
            }
            *tally.entry("accepted").or_default() += 1;
        }
        Err(error) => {
            // The oracle is slow.
            if random.chance(5) {
                assert!(oracle::judge(&Parts::of(mutant)).is_err(), "{error}: {mutant:?}");
            }
            *tally.entry(error.code()).or_default() += 1;
        }
    }
}

/// Flips every bit of the certificate, or a share of them.
fn flip_bits(certificate: &PersistentCertificate, percent: usize, random: &mut Rng, tally: &mut Tally) {
    let bytes = certificate.canonical_payload();
    for index in 11..bytes.len() {
        for bit in 0..8 {
            if !random.chance(percent) {
                continue;
            }
            let mut mutant = bytes.clone();
            mutant[index] ^= 1 << bit;
            if let Ok(mutant) = PersistentCertificate::decode(&mutant) {
                judge(&mutant, random, tally);
            }
        }
    }
}

/// The bytes of the certificate with another frozen set. Pieces that were
/// movers keep their reach without the new frozen squares; others get `reach`.
fn refrozen(
    certificate: &PersistentCertificate,
    frozen: Bitboard,
    reach: Bitboard,
) -> Option<PersistentCertificate> {
    let Proof::Witness(witness) = certificate.proof() else { panic!("not a witness") };
    let board = certificate.position().board();
    let mut bytes = certificate.canonical_payload();
    bytes.truncate(79);
    bytes.extend(frozen.0.to_le_bytes());
    bytes.push(7);
    for (square, piece) in board.clone() {
        if frozen.contains(square) {
            continue;
        }
        bytes.extend([u8::from(square), 0]);
        let known = witness.movers().iter().find(|mover| mover.square == square);
        let roles = match piece.role {
            Role::Pawn => vec![Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen],
            officer => vec![officer],
        };
        for role in roles {
            let kept = known.map_or(reach, |mover| *mover.reach.get(role)) & !frozen;
            bytes.extend(kept.0.to_le_bytes());
        }
    }
    PersistentCertificate::decode(&bytes).ok()
}

/// Freezes one more piece, or thaws one, each with reaches as they are and with reaches everywhere.
fn change_frozen(certificate: &PersistentCertificate, random: &mut Rng, tally: &mut Tally) {
    let Proof::Witness(witness) = certificate.proof() else { panic!("not a witness") };
    for square in certificate.position().board().occupied() {
        let frozen = witness.frozen().toggled(square);
        for reach in [Bitboard::EMPTY, square.into(), Bitboard::FULL] {
            if let Some(mutant) = refrozen(certificate, frozen, reach) {
                judge(&mutant, random, tally);
            }
        }
    }
}

#[test]
fn mutants_are_refused_or_hold() {
    let mut random = Rng::new(5);
    let mut tally = Tally::new();
    let fens = LICHESS_DEAD.lines().filter(|line| !line.is_empty()).step_by(300).map(str::to_owned);
    let fens = fens.chain(table(BLOCKED).map(|row| row[1].to_owned()));
    for fen in fens.chain(table(DEAD).map(|row| row[0].to_owned()).step_by(20)) {
        let certificate = prove(&position(&fen));
        flip_bits(&certificate, 12, &mut random, &mut tally);
        change_frozen(&certificate, &mut random, &mut tally);
    }
    for _ in 0..50 {
        let certificate = prove(&blockade(&mut random));
        flip_bits(&certificate, 8, &mut random, &mut tally);
        change_frozen(&certificate, &mut random, &mut tally);
    }
    for code in [
        "accepted",
        "persistent/start-outside-reach",
        "persistent/reach-holds-frozen",
        "persistent/step-outside-reach",
        "persistent/advance-outside-reach",
        "persistent/capture-outside-reach",
        "persistent/frozen-king-may-castle",
        "persistent/frozen-pawn-can-push",
        "persistent/frozen-pawn-attacks-frozen",
        "persistent/frozen-piece-can-move",
        "persistent/frozen-can-be-captured",
        "persistent/components-meet",
        "persistent/check-possible",
        "persistent/mate-possible",
    ] {
        assert!(tally.contains_key(code), "no mutant is {code}: {tally:?}");
    }
}
