//! The quick ways to an answer against the full one.

use bitmesh::persistent::{Outline, Proof, analyze, keeps_outline, prove};
use shakmaty::{Chess, Move};

use bitmesh_lab::games::random_ply;
use bitmesh_lab::generate::{blockade, neighbour};
use bitmesh_lab::random::Rng;

use super::{BLOCKED, DEAD, LICHESS_DEAD, MATE_POSSIBLE, WALL_EN_PASSANT, position, table};

/// Plies of the random games in an ordinary run of the tests, and in a long one.
const PLIES: usize = 20_000;
const MANY_PLIES: usize = 2_000_000;

/// Where random games begin: games, blockades and positions one change away from known ones.
fn starts() -> Vec<Chess> {
    let lichess = LICHESS_DEAD.lines().filter(|line| !line.is_empty()).step_by(10);
    let dead = table(DEAD).map(|row| row[0]);
    let blocked = table(BLOCKED).map(|row| row[1]);
    let mates = table(MATE_POSSIBLE).map(|row| row[0]);
    let walls = table(WALL_EN_PASSANT).map(|row| row[1]);
    let known = lichess.chain(dead).chain(blocked).chain(mates).chain(walls).map(position);
    known.chain([Chess::default()]).collect()
}

/// Plays random games, most of them short, and hands on every position with the move that leads to it.
fn play_random_games(seed: u64, plies: usize, mut each: impl FnMut(&Chess, Move, &Chess)) {
    let starts = starts();
    let mut random = Rng::new(seed);
    let mut done = 0;
    while done < plies {
        let mut chess = match random.below(4) {
            0 => Chess::default(),
            1 => blockade(&mut random),
            2 => neighbour(&mut random),
            _ => starts[random.below(starts.len())].clone(),
        };
        for _ in 0..random.one_of(&[10, 40, 150]) {
            let before = chess.clone();
            let Some(played) = random_ply(&mut chess, &mut random) else { break };
            each(&before, played, &chess);
            done += 1;
        }
    }
}

/// What is said of a position, found the whole way: `prove` takes no shortcuts.
fn full(chess: &Chess) -> Outline {
    let certificate = prove(chess);
    let Proof::Witness(witness) = certificate.proof() else { panic!("not a witness") };
    let claims = certificate.claims();
    Outline {
        frozen: witness.frozen(),
        components: claims.components,
        coupling: claims.coupling,
        unwinnable: claims.unwinnable,
    }
}

/// `analyze` looks for the usual answer first; `prove` always takes the whole way.
fn quick_answers_are_full_ones(seed: u64, plies: usize) {
    let mut claims = 0;
    play_random_games(seed, plies, |_, _, chess| {
        let outline = analyze(chess);
        assert_eq!(outline, full(chess), "{chess:?}");
        claims += usize::from(outline.frozen.any());
    });
    assert!(claims > plies / 100 && claims < plies - plies / 10, "{claims} of {plies}: both answers occur");
}

#[test]
fn quick_answers_are_full_answers() {
    quick_answers_are_full_ones(11, PLIES);
}

#[test]
#[ignore = "takes a minute when optimised"]
fn two_million_quick_answers_are_full_answers() {
    quick_answers_are_full_ones(12, MANY_PLIES);
}

/// Frozen set, components, coupling and colours that cannot win are the same after a move that keeps them.
fn reversible_moves_keep_the_outline(seed: u64, plies: usize) {
    let (mut kept, mut with_frozen, mut divided, mut unwinnable, mut changes) = (0, 0, 0, 0, 0);
    play_random_games(seed, plies, |before, played, after| {
        let (old, new) = (full(before), full(after));
        if keeps_outline(before, played) {
            assert_eq!(old, new, "{played:?} in {before:?}");
            kept += 1;
            with_frozen += usize::from(old.frozen.any());
            divided += usize::from(old.decomposed());
            unwinnable += usize::from(old.unwinnable.white || old.unwinnable.black);
        } else {
            changes += usize::from(old != new);
        }
    });
    println!(
        "{kept} of {plies} moves kept what was said: frozen pieces {with_frozen} times, \
         {divided} times components, {unwinnable} times a colour that cannot win; {changes} other moves changed it"
    );
    assert!(kept > plies / 4, "{kept}");
    assert!(with_frozen > plies / 100 && divided > plies / 1000 && unwinnable > plies / 100);
    assert!(changes > plies / 10_000, "the moves that are left out are not left out for nothing");
}

#[test]
fn reversible_moves_keep_what_is_said() {
    reversible_moves_keep_the_outline(21, PLIES);
}

#[test]
#[ignore = "takes a minute when optimised"]
fn millions_of_reversible_moves_keep_what_is_said() {
    reversible_moves_keep_the_outline(22, 4 * MANY_PLIES);
}
