//! Few men: every position is decided, and what is called unwinnable is closed under moves.
//!
//! A line cannot be wrong: it was replayed. So what remains to be shown is that no
//! position is wrongly called unwinnable. If none of these positions is mate by the
//! winner and every move from one leads to another, then by induction no line from
//! them ends in mate. The long test shows that for every position of a class; the
//! ordinary one takes a sample.

use bitmesh::decision::{Decider, Effort, Verdict};
use bitmesh_lab::few_men::{Placement, Truth};
use bitmesh_lab::random::Rng;
use shakmaty::{Bitboard, CastlingMode, Chess, Color, Piece, Position as _, Role, Setup, Square};

/// The winner's man besides his king.
const WINNER: [Role; 3] = [Role::Bishop, Role::Knight, Role::Pawn];
const LOSER: [Role; 5] = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

/// A position with White as the winner; none if the squares clash or the position is not legal.
fn place(men: &[(Piece, Square)], turn: Color) -> Option<Chess> {
    let mut setup = Setup::empty();
    let mut occupied = Bitboard::EMPTY;
    for &(piece, square) in men {
        if occupied.contains(square) {
            return None;
        }
        occupied.add(square);
        setup.board.set_piece_at(square, piece);
    }
    setup.turn = turn;
    setup.position(CastlingMode::Standard).ok()
}

/// Looks at one position. Whether it is winnable.
fn examine(decider: &mut Decider, position: &Chess) -> bool {
    match decider.verdict(position, Color::White) {
        Verdict::Undecided { .. } => panic!("undecided: {position:?}"),
        Verdict::Winnable { .. } => true,
        Verdict::Unwinnable => {
            let mated = position.is_checkmate() && position.turn() == Color::Black;
            assert!(!mated, "{position:?}");
            for played in position.legal_moves() {
                let mut after = position.clone();
                after.play_unchecked(played);
                let verdict = decider.verdict(&after, Color::White);
                assert_eq!(verdict, Verdict::Unwinnable, "{position:?} {played:?}");
            }
            false
        }
    }
}

#[test]
fn a_sample_of_positions_with_few_men() {
    let mut decider = Decider::new(Effort::default());
    let mut rng = Rng::new(1);
    let mut below = |limit| rng.below(limit);
    let (mut winnable, mut unwinnable) = (0, 0);
    while winnable + unwinnable < 1_500 {
        let mut men = vec![
            (Role::King.of(Color::White), Square::new(below(64) as u32)),
            (Role::King.of(Color::Black), Square::new(below(64) as u32)),
            (WINNER[below(3)].of(Color::White), Square::new(below(64) as u32)),
        ];
        for _ in 0..below(3) {
            men.push((LOSER[below(5)].of(Color::Black), Square::new(below(64) as u32)));
        }
        let turn = Color::from_white(below(2) == 0);
        if let Some(position) = place(&men, turn) {
            if examine(&mut decider, &position) { winnable += 1 } else { unwinnable += 1 }
        }
    }
    assert!(winnable > 500 && unwinnable > 200, "{winnable} {unwinnable}");
}

/// The whole truth about a man against a bare king, by retrograde search; the binary `few_men` has more men.
#[test]
fn decisions_are_the_truth_about_one_man() {
    let (mut truth, mut decider) = (Truth::default(), Decider::new(Effort::default()));
    for (man, positions, winnable) in
        [(Role::Bishop, 208_614, 0), (Role::Knight, 214_720, 0), (Role::Pawn, 165_676, 165_660)]
    {
        let men = (Some(man), None);
        let numbers = truth.of(men);
        assert_eq!((numbers.positions, numbers.winnable), (positions, winnable), "{man:?}");
        for placement in Placement::all(men).filter(|placement| placement.is_legal(men)).step_by(499) {
            let Some(position) = placement.position(men) else { continue };
            let is_winnable = examine(&mut decider, &position);
            assert_eq!(is_winnable, truth.is_winnable(men, placement), "{position:?}");
        }
    }
}

#[test]
#[ignore = "takes an hour: run it in release mode"]
fn every_position_with_one_man_each() {
    let mut decider = Decider::new(Effort::default());
    let squares = || Square::ALL.into_iter();
    for man in WINNER {
        for other in LOSER {
            let (mut winnable, mut unwinnable) = (0_u64, 0_u64);
            // Left and right are alike.
            for king in squares().filter(|square| square.file() < shakmaty::File::E) {
                for prey in squares() {
                    for (first, second) in
                        squares().flat_map(|first| squares().map(move |second| (first, second)))
                    {
                        let men = [
                            (Role::King.of(Color::White), king),
                            (Role::King.of(Color::Black), prey),
                            (man.of(Color::White), first),
                            (other.of(Color::Black), second),
                        ];
                        for turn in Color::ALL {
                            if let Some(position) = place(&men, turn) {
                                if examine(&mut decider, &position) { winnable += 1 } else { unwinnable += 1 }
                            }
                        }
                    }
                }
            }
            println!("{man:?} against {other:?}: {winnable} winnable, {unwinnable} unwinnable");
        }
    }
}
