//! The attack of the binary `soundness` in a small dose, and that the attack itself can hit.

#[allow(dead_code, reason = "the long run uses more of it")]
use bitmesh::persistent::{Bound, PersistentCertificate, check, prove, prove_within};
use bitmesh::shakmaty::{Bitboard, Chess, Color, EnPassantMode, Position as _, Setup, Square, uci::UciMove};

use bitmesh_lab::claims::ClaimSession;
use bitmesh_lab::generate::{finish, position};
use bitmesh_lab::oracle::judge;
use bitmesh_lab::parts::Parts;
use bitmesh_lab::random::Rng;
use bitmesh_lab::rules::Slip;
use bitmesh_lab::search::{exhaust, explore};
use bitmesh_lab::session::{Effort, Session};
use bitmesh_lab::stoppers::StopperSession;
use bitmesh_lab::walk::{Broken, Ward, playout};
use bitmesh_lab::yielding::YieldingSession;

const BRIEF: Effort = Effort { playouts: 2, plies: 60, search: 1_000, truth: 2_000, forgeries: 2, open: 20 };

#[test]
fn a_brief_attack_finds_nothing_and_is_one() {
    let mut session = Session::new(1, BRIEF);
    for _ in 0..600 {
        session.step().unwrap_or_else(|failure| panic!("{failure}"));
    }
    assert_eq!(session.refused, [""; 0]);
    let tally = &session.tally;
    for (what, count, least) in [
        ("accepted", tally.accepted, 40),
        ("decomposed", tally.decomposed, 30),
        ("dead", tally.dead, 30),
        ("unwinnable for one colour", tally.unwinnable_for_one, 3),
        ("plies", tally.trip.plies, 5_000),
        ("captures", tally.trip.captures, 100),
        ("promotions", tally.trip.promotions, 4),
        ("sums", tally.trip.sums, 1_000),
        ("forged", tally.forged, 200),
        ("forged and accepted", tally.forged_accepted, 50),
        ("scrambled and decoded", tally.scrambled_decoded, 2),
        ("compared with the oracle", tally.compared_with_oracle, 4),
    ] {
        assert!(count >= least, "{what}: {count}, less than {least}");
    }
}

#[test]
fn what_a_complete_search_finds_is_what_an_expansion_proves() {
    let mut session = Session::new(2, BRIEF);
    for _ in 0..120 {
        session.step_truth().unwrap_or_else(|failure| panic!("{failure}"));
    }
    let dead: u64 = session.tally.truths.iter().map(|truths| truths.dead).sum();
    let decided: u64 = session.tally.truths.iter().map(|truths| truths.decided).sum();
    assert!(decided >= 10 && dead >= 2, "{decided} decided, {dead} dead");
}

/// A position in a mirror.
struct Image {
    position: Chess,
    /// Where a square is in the mirror.
    map: fn(Square) -> Square,
    /// Whether the colours are exchanged.
    flipped: bool,
}

/// A position itself, and with left and right, the colours, or both exchanged.
fn images(position: &Chess) -> [Image; 4] {
    let setup = position.to_setup(EnPassantMode::Legal);
    let across = |mut setup: Setup| {
        setup.board.flip_horizontal();
        setup.ep_square = setup.ep_square.map(Square::flip_horizontal);
        setup
    };
    let image = |setup: Setup, map, flipped| Image {
        position: finish(setup).expect("images are legal"),
        map,
        flipped,
    };
    [
        image(setup.clone(), |square| square, false),
        image(across(setup.clone()), Square::flip_horizontal, false),
        image(setup.clone().into_mirrored(), Square::flip_vertical, true),
        image(across(setup.into_mirrored()), |square| square.flip_vertical().flip_horizontal(), true),
    ]
}

/// Positions with frozen pieces in which the pieces that move can still help each other to a mate.
#[test]
fn no_helpmate_is_called_impossible() {
    let mut mates = 0;
    for row in bitmesh_lab::cases::HELPMATES.lines().skip(1) {
        let mut fields = row.split('\t');
        let (Some(fen), Some(side), Some(line)) = (fields.next(), fields.next(), fields.next()) else {
            panic!("three fields: {row}");
        };
        let start = position(fen).unwrap_or_else(|| panic!("legal: {fen}"));
        assert!(prove(&start).proof().witness().frozen().any(), "nothing is frozen: {fen}");
        let winner = Color::from_white(side == "white");
        for Image { position: mut reached, map, flipped } in images(&start) {
            let winner = if flipped { !winner } else { winner };
            let moves = line.split_ascii_whitespace().map(|played| played.parse::<UciMove>().expect(row));
            let mut left: Vec<UciMove> = moves.collect();
            left.reverse();
            loop {
                assert!(!prove(&reached).claims().unwinnable.get(winner), "{row}");
                let within = prove_within(&reached, Bound::nodes(300));
                assert!(!within.claims().unwinnable.get(winner), "{row}");
                let mut forged = Parts::of(&within);
                *forged.unwinnable.get_mut(winner) = true;
                let forged = PersistentCertificate::decode(&forged.encode()).expect("claims can be anything");
                assert!(check(&forged).is_err(), "{row}");
                let Some(played) = left.pop() else { break };
                let UciMove::Normal { from, to, promotion } = played else { panic!("{row}") };
                let played = UciMove::Normal { from: map(from), to: map(to), promotion };
                let played = played.to_move(&reached).unwrap_or_else(|_| panic!("legal: {row}"));
                reached.play_unchecked(played);
            }
            assert!(reached.is_checkmate() && reached.turn() == !winner, "{row}");
            mates += 1;
        }
    }
    assert_eq!(mates, 4 * 46);
}

/// The certificate of a forger who leaves out one rule, where that makes it false: the error that
/// refuses it, and play that shows why it must.
#[test]
fn each_rule_is_needed() {
    let mut rng = Rng::new(3);
    for (slip, fen, code) in [
        (Slip::Advance, "K7/8/8/4p1k1/4P3/8/8/8 b - - 0 1", "advance-outside-reach"),
        (Slip::PawnCapture, "8/5q2/6p1/6P1/6K1/4k3/8/8 b - - 0 1", "capture-outside-reach"),
        (Slip::Promotion, "K7/8/8/4p1k1/4P3/8/8/8 b - - 0 1", "promotion-outside-reach"),
        (Slip::KnightSteps, "K7/8/8/3p4/3P4/3k4/8/8 b - - 0 1", "step-outside-reach"),
        (Slip::BishopSteps, "3K3k/8/8/2p5/2P5/8/6B1/8 b - - 0 1", "step-outside-reach"),
        (Slip::KingSteps, "8/1K6/8/5k2/8/8/8/8 b - - 0 1", "step-outside-reach"),
        (Slip::FrozenPush, "1k6/1P5p/BP3p2/1P6/8/8/5PKP/8 b - - 0 1", "frozen-pawn-can-push"),
        (
            Slip::FrozenAttacksFrozen,
            "8/2p5/3k4/2pp4/p1pPp1p1/P1P1PpP1/5P1K/8 b - - 0 1",
            "frozen-pawn-attacks-frozen",
        ),
        (
            Slip::FrozenPawnCaptures,
            "r3k3/3p1p2/p1pPpPp1/PpP1P1Pp/1P5P/8/8/1K6 b q - 0 1",
            "frozen-pawn-can-capture",
        ),
        (
            Slip::FrozenPawnCapturesEnPassant,
            "1k6/8/2p1p3/1pPpPp1p/1PpBpP1P/2P1P3/8/1K6 w - d6 0 1",
            "frozen-pawn-can-capture-en-passant",
        ),
        (
            Slip::EnPassant,
            "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 b - a3 0 1",
            "frozen-can-be-captured-en-passant",
        ),
        (
            Slip::FrozenCaptured,
            "1B6/8/6k1/4b1p1/1p3pPp/pPp1pP1P/P1P1P3/7K w - - 0 1",
            "frozen-can-be-captured",
        ),
        (Slip::FrozenCapturedByKing, "K7/8/8/4p1k1/4P3/8/8/8 b - - 0 1", "frozen-can-be-captured-by-king"),
        (Slip::FrozenOfficerMoves, "8/8/4k3/2p2p2/1pP2P1p/1P2K2P/4B3/8 w - - 0 1", "frozen-piece-can-move"),
        (Slip::FrozenKingMoves, "8/1K6/8/5k2/8/8/8/8 b - - 0 1", "frozen-piece-can-move"),
        (Slip::Meet, "8/1K6/8/5k2/8/8/8/8 b - - 0 1", "components-meet"),
        (Slip::Check, "K7/8/8/4p1k1/4P3/8/8/8 b - - 0 1", "check-possible"),
        (Slip::EnPassantLater, "8/1Kp5/2P1k3/8/5p2/5Pp1/6P1/8 w - - 0 1", "en-passant-possible"),
        (Slip::MateByKing, "8/8/8/4k3/8/8/8/4K2R w - - 0 1", "mate-possible"),
        (Slip::MateByBlocking, "4k3/B6p/6pP/3b1pP1/p1p1pP2/PpPpP1K1/1P1P4/8 b - - 0 1", "mate-possible"),
        (Slip::MateByPawn, "K7/8/8/4p1k1/4P3/8/8/8 b - - 0 1", "mate-possible"),
    ] {
        let start = position(fen).unwrap_or_else(|| panic!("legal: {fen}"));
        let honest = Parts::slipping(&start, Slip::None);
        let honest = PersistentCertificate::decode(&honest.encode()).expect("an honest certificate");
        assert!(check(&honest).is_ok(), "{slip:?}");

        let parts = Parts::slipping(&start, slip);
        assert!(judge(&parts).is_err(), "{slip:?}: the oracle is content");
        let forged = PersistentCertificate::decode(&parts.encode()).expect("well formed");
        let error = check(&forged).expect_err("a forged certificate");
        assert_eq!(error.code().strip_prefix("persistent/"), Some(code), "{slip:?}");

        let ward = Ward::new(&forged);
        let played = (0..400).any(|_| playout(&ward, 60, &mut rng).is_err());
        let refuted = played
            || Color::ALL.into_iter().any(|color| {
                *ward.claims.unwinnable.get(color) && explore(&ward, 20_000, Some(color)).is_err()
            });
        assert!(refuted, "{slip:?}: play does not refute it");
    }
}

/// A certificate nobody has checked, made from an honest one.
fn unchecked(fen: &str, change: impl FnOnce(&mut Parts)) -> Ward {
    let start = position(fen).unwrap_or_else(|| panic!("legal: {fen}"));
    let mut parts = Parts::of(&prove(&start));
    change(&mut parts);
    let certificate = PersistentCertificate::decode(&parts.encode()).expect("well formed");
    assert!(check(&certificate).is_err(), "the checker accepts it: {fen}");
    Ward::new(&certificate)
}

/// The walker is of use only if it sees each kind of false claim when it is played out.
#[test]
fn the_walker_sees_false_claims() {
    const WALL: &str = "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1";
    let seen = |ward: &Ward| exhaust(ward, 2, 100_000).expect_err("a false claim").broken;

    let king = unchecked(WALL, |parts| parts.movers[0].reach.king.discard(Square::B1));
    assert!(matches!(seen(&king), Broken::OutsideReach { mover: Square::A1, square: Square::B1, .. }));

    let open = "7k/8/8/p1p3p1/PpPp1pPp/1P1P1P1P/4P3/K7 w - - 0 1";
    let pushed = unchecked(open, |parts| {
        parts.frozen = parts.position.board().pawns();
        parts.regrow(Slip::None);
    });
    assert_eq!(seen(&pushed), Broken::FrozenMoved { square: Square::E2 });

    let taken = unchecked("7k/8/8/8/8/8/1p6/K7 w - - 0 1", |parts| {
        parts.frozen = Bitboard::from(Square::B2);
        parts.regrow(Slip::None);
    });
    let broken = exhaust(&taken, 1, 100).expect_err("a false claim").broken;
    assert_eq!(broken, Broken::FrozenCaptured { square: Square::B2 });

    let together = unchecked("4k3/8/8/8/8/8/r7/4K3 w - - 0 1", |parts| parts.movers[1].component = 1);
    assert!(matches!(seen(&together), Broken::ComponentsMeet { .. }));

    let check = unchecked("4k3/8/8/8/8/8/8/4K2R w - - 0 1", |parts| parts.checks.black = false);
    assert_eq!(seen(&check), Broken::Check { color: Color::Black });

    let passing = unchecked("4k3/8/8/8/5p2/8/4P3/4K3 w - - 0 1", |parts| parts.en_passant = false);
    assert_eq!(seen(&passing), Broken::EnPassant { square: Square::E3 });

    let mate = unchecked("7k/8/6K1/8/8/8/8/R7 w - - 0 1", |parts| parts.unwinnable.white = true);
    assert_eq!(seen(&mate), Broken::Mate { winner: Color::White });

    // A rook that would be a game of its own although it stands on the line of a pin.
    let pin = unchecked("4k3/8/8/8/4r3/8/4R3/4K3 w - - 0 1", |parts| {
        for part in &mut parts.movers {
            part.component = u8::from(part.square == Square::E2);
        }
        parts.renumber();
    });
    let moves = pin.start.legal_moves();
    let walk = bitmesh_lab::walk::Walk::start(&pin);
    assert!(matches!(walk.compare_sum(&pin, &moves), Err(Broken::NotASum { .. })));
}

#[test]
fn a_brief_attack_on_claims_finds_nothing_and_can_hit() {
    let mut session = ClaimSession::new(1, 3_000);
    for _ in 0..250 {
        session.step().unwrap_or_else(|failure| panic!("{failure}"));
    }
    let tally = &session.tally;
    let [_, stoppers, _, _, material, homes, to_bare_king, _] = tally.claims;
    assert!(stoppers >= 5 && material >= 5 && homes + to_bare_king >= 1, "{tally}");
    assert!(tally.confirmed.iter().sum::<u64>() >= 20, "{tally}");
    assert!(tally.senseless_accepted >= 1 && tally.refuted >= 5, "{tally}");
    assert!(tally.senseless_leaves_accepted >= 1, "{tally}");
}

#[test]
fn a_brief_attack_on_stoppers_finds_nothing_and_can_hit() {
    let mut session = StopperSession::new(1);
    for _ in 0..250 {
        session.step(4, 80).unwrap_or_else(|failure| panic!("{failure}"));
    }
    let tally = &session.tally;
    assert!(tally.witnesses >= 8 && tally.claiming >= 8 && tally.plies > 1_000, "{tally}");
    let refuted: u64 = tally.refuted.iter().sum();
    assert!(refuted >= 8, "{tally}");
}

/// Witnesses that freeze and claim as much as the checker lets them; the long run is `soundness --yielding`.
#[test]
fn what_the_checker_accepts_and_the_prover_would_not_make_is_true() {
    let mut session = YieldingSession::new(1);
    while session.tally.positions < 450 {
        session.step(2, 60, 100).unwrap_or_else(|failure| panic!("{failure}"));
    }
    let tally = session.tally;
    println!("{tally}");
    for (what, count, least) in [
        ("unlike the prover's", tally.others, 100),
        ("with a frozen king", tally.others_with_king, 50),
        ("with something to play", tally.others_played, 20),
        ("with a king that the prover leaves", tally.kings, 40),
        ("plies", tally.plies, 5_000),
    ] {
        assert!(count >= least, "{what}: {count}, less than {least}: {tally}");
    }
}
