//! The attack on the claims of permanent independence: positions, play, searches, forged certificates.

use std::fmt;

use bitmesh::persistent::{Bound, PersistentCertificate, Proof, analyze, check, prove, prove_within};
use bitmesh::shakmaty::{ByColor, Chess, Color, EnPassantMode, Position as _, fen::Fen};

use crate::generate::{Generator, Theme};
use crate::mutation::scramble;
use crate::oracle;
use crate::parts::Parts;
use crate::random::Rng;
use crate::rules::Slip;
use crate::search::{exhaust, explore};
use crate::walk::{Trip, Violation, Ward, playout};

/// A way in which the library has failed.
#[derive(Debug)]
pub enum Failure {
    /// Legal play refutes a certificate that the checker accepts.
    Refuted { violation: Box<Violation>, certificate: Vec<u8> },
    /// Two parts that must agree do not.
    Disagreement { what: String, position: Box<Chess>, certificate: Vec<u8> },
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let certificate = match self {
            Self::Refuted { violation, certificate } => {
                writeln!(f, "{violation}")?;
                certificate
            }
            Self::Disagreement { what, position, certificate } => {
                writeln!(f, "disagreement: {what}")?;
                writeln!(f, "position: {}", Fen::from_position(&**position, EnPassantMode::Legal))?;
                certificate
            }
        };
        write!(f, "certificate: ")?;
        certificate.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// How many positions whose truth a complete search has found, and how many of them were proved.
#[derive(Clone, Copy, Debug, Default)]
pub struct Truths {
    pub decided: u64,
    pub undecided: u64,
    pub dead: u64,
    pub dead_proved: u64,
    /// Colours that can never mate, in positions that are not dead.
    pub one_sided: u64,
    pub one_sided_proved: u64,
}

/// What a run has done.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    pub positions: u64,
    pub accepted: u64,
    pub decomposed: u64,
    pub exact_sums: u64,
    pub dead: u64,
    pub unwinnable_for_one: u64,
    /// Accepted positions in which both colours may still give mate.
    pub open: u64,
    /// Accepted positions with castling rights, and with a legal en-passant capture.
    pub castling: u64,
    pub en_passant: u64,
    pub playouts: u64,
    pub trip: Trip,
    pub compared_with_oracle: u64,
    pub expansions: u64,
    pub expansions_compared: u64,
    pub searches: u64,
    pub complete_searches: u64,
    pub searched_positions: u64,
    pub exhausted: u64,
    pub exhausted_moves: u64,
    pub forged: u64,
    /// Those of them that keep all rules but one.
    pub slips: u64,
    pub forged_accepted: u64,
    pub forged_accepted_with_other_claims: u64,
    pub refused_but_valid: u64,
    pub scrambled: u64,
    pub scrambled_decoded: u64,
    pub scrambled_accepted: u64,
    pub truths: [Truths; Theme::ALL.len()],
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Trip { plies, captures, promotions, en_passant, castlings, checks, sums, mates } = self.trip;
        write!(
            f,
            "{} positions, {} accepted ({} decomposed, {} exact sums, {} dead, {} unwinnable for one colour, \
             {} for none; {} with castling rights, {} with en passant); \
             {} playouts, {plies} plies ({captures} captures, {promotions} promotions, {en_passant} en passant, \
             {castlings} castlings, {checks} checks, {mates} mates), {sums} sums compared; \
             {} searches ({} complete, {} positions), {} exhausted to depth 4 ({} moves); \
             {} expansions; {} witnesses and {} expansions compared with the oracle; \
             {} forged certificates ({} with one rule left out, {} accepted, {} of them with other claims, {} refused though valid); \
             {} scrambled ({} decoded, {} accepted)",
            self.positions,
            self.accepted,
            self.decomposed,
            self.exact_sums,
            self.dead,
            self.unwinnable_for_one,
            self.open,
            self.castling,
            self.en_passant,
            self.playouts,
            self.searches,
            self.complete_searches,
            self.searched_positions,
            self.exhausted,
            self.exhausted_moves,
            self.expansions,
            self.compared_with_oracle,
            self.expansions_compared,
            self.forged,
            self.slips,
            self.forged_accepted,
            self.forged_accepted_with_other_claims,
            self.refused_but_valid,
            self.scrambled,
            self.scrambled_decoded,
            self.scrambled_accepted,
        )
    }
}

/// How much is done with each accepted position.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    pub playouts: usize,
    pub plies: usize,
    /// Positions in a search for mates, of which one accepted position in eight gets one.
    pub search: usize,
    /// Positions in a search for the truth.
    pub truth: usize,
    pub forgeries: usize,
    /// Of the positions in which nothing is frozen, one in so many gets more than a proof and a check.
    pub open: usize,
}

impl Effort {
    pub const LONG: Self =
        Self { playouts: 8, plies: 160, search: 20_000, truth: 50_000, forgeries: 3, open: 1 };

    /// Many games from each position, and little else.
    pub const PLAY: Self =
        Self { playouts: 120, plies: 100, search: 1_000, truth: 50_000, forgeries: 1, open: 20 };
}

/// A run: its state and what it has done so far.
#[derive(Debug)]
pub struct Session {
    rng: Rng,
    generator: Generator,
    effort: Effort,
    pub tally: Tally,
    /// The first few certificates that the checker refuses and the oracle does not.
    pub refused: Vec<String>,
}

impl Session {
    pub fn new(seed: u64, effort: Effort) -> Self {
        Self {
            rng: Rng::new(seed),
            generator: Generator::new(),
            effort,
            tally: Tally::default(),
            refused: Vec::new(),
        }
    }

    /// One more position, with everything that is done to it.
    pub fn step(&mut self) -> Result<(), Failure> {
        let (_, position) = self.generator.next(&mut self.rng);
        self.attack(&position)
    }

    /// One position whose truth is searched, whether anything is claimed about it or not.
    pub fn step_truth(&mut self) -> Result<(), Failure> {
        let (theme, position) = self.generator.next(&mut self.rng);
        self.compare_truth(theme, &position)
    }

    pub fn attack(&mut self, position: &Chess) -> Result<(), Failure> {
        self.tally.positions += 1;
        let certificate = self.prove_and_check(position)?;
        let claims = certificate.claims();
        if certificate.proof().witness().frozen().is_empty() && !self.rng.one_in(self.effort.open) {
            return Ok(());
        }
        if !claims.dead() && self.rng.one_in(4) {
            self.expand(position)?;
        }
        // Where these rights are left, nothing is frozen but for a slip.
        let rights = position.legal_ep_square().is_some() || position.castles().any();
        if self.rng.one_in(if rights { 2 } else { 8 }) {
            self.slip(position, &certificate)?;
        }
        if !Ward::new(&certificate).claims_something() {
            if self.rng.one_in(50) {
                self.compare_oracle(&certificate)?;
            }
            return Ok(());
        }
        // Walls with nothing but kings around them, and too few pieces, are the bulk and hold few surprises.
        let parts = Parts::of(&certificate);
        let in_how_many = match (parts.frozen.is_empty(), parts.movers.len()) {
            (_, ..=2) => 30,
            (true, _) => 6,
            (false, _) => 1,
        };
        if !self.rng.one_in(in_how_many) {
            return Ok(());
        }
        if in_how_many < 30 {
            self.generator.keep(position.clone(), &mut self.rng);
        }
        if self.rng.one_in(10) {
            self.compare_oracle(&certificate)?;
        }
        self.attack_certificate(&certificate)
    }

    /// An expansion, when there is a small one.
    fn expand(&mut self, position: &Chess) -> Result<(), Failure> {
        let nodes = 1 << (4 + self.rng.below(8));
        let certificate = prove_within(position, Bound::nodes(nodes));
        if let Proof::Expansion(expansion) = certificate.proof() {
            self.tally.expansions += 1;
            let leaves = expansion.leaves().len();
            self.verify(&certificate)?;
            self.generator.keep(position.clone(), &mut self.rng);
            if leaves < 100 && self.rng.one_in(4) {
                self.tally.expansions_compared += 1;
                self.compare_judgement(&certificate)?;
            }
            self.attack_certificate(&certificate)?;
        }
        Ok(())
    }

    fn attack_certificate(&mut self, certificate: &PersistentCertificate) -> Result<(), Failure> {
        let ward = Ward::new(certificate);
        let bytes = certificate.canonical_payload();
        let position = certificate.position();
        self.tally.accepted += 1;
        self.tally.decomposed += u64::from(ward.claims.decomposed());
        self.tally.exact_sums += u64::from(ward.claims.exact_sum());
        self.tally.dead += u64::from(ward.claims.dead());
        let ByColor { black, white } = ward.claims.unwinnable;
        self.tally.unwinnable_for_one += u64::from(black != white);
        self.tally.open += u64::from(!black && !white);
        self.tally.castling += u64::from(position.castles().any());
        self.tally.en_passant += u64::from(position.legal_ep_square().is_some());

        self.play(&ward, &bytes, self.effort.playouts)?;
        if self.rng.one_in(8) {
            self.hunt(&ward, &bytes, self.effort.search)?;
        }
        if self.rng.one_in(16) {
            let moves = refuted(exhaust(&ward, 4, 60_000), &bytes)?;
            self.tally.exhausted += u64::from(moves.is_some());
            self.tally.exhausted_moves += moves.unwrap_or(0);
        }
        for _ in 0..self.effort.forgeries {
            self.forge(certificate)?;
            self.slip(position, certificate)?;
            self.scramble(&bytes)?;
        }
        Ok(())
    }

    /// The producer's certificate, which the checker must accept and the format must carry.
    fn prove_and_check(&mut self, position: &Chess) -> Result<PersistentCertificate, Failure> {
        let certificate = prove(position);
        self.verify(&certificate)?;
        let outline = analyze(position);
        let disagree = |what: String| Failure::Disagreement {
            what,
            position: Box::new(position.clone()),
            certificate: certificate.canonical_payload(),
        };
        if outline.conclusions() != certificate.claims() {
            return Err(disagree(format!("analyze says {outline:?}, prove {:?}", certificate.claims())));
        }
        if certificate.proof().witness().frozen() != outline.frozen {
            return Err(disagree(format!("analyze freezes {:?}", outline.frozen)));
        }
        Ok(certificate)
    }

    fn verify(&self, certificate: &PersistentCertificate) -> Result<(), Failure> {
        let bytes = certificate.canonical_payload();
        let disagree = |what: String| {
            let position = Box::new(certificate.position().clone());
            Err(Failure::Disagreement { what, position, certificate: bytes.clone() })
        };
        match check(certificate) {
            Ok(conclusions) if conclusions == certificate.claims() => {}
            Ok(other) => return disagree(format!("checked {other:?}, claimed {:?}", certificate.claims())),
            Err(error) => return disagree(format!("checker refuses the producer: {error}")),
        }
        match PersistentCertificate::decode(&bytes) {
            Ok(decoded) if decoded == *certificate && decoded.canonical_payload() == bytes => {}
            Ok(_) => return disagree("decoding gives another certificate".into()),
            Err(error) => return disagree(format!("payload is not decoded: {error:?}")),
        }
        if Parts::of(certificate).encode() != bytes {
            return disagree("payload is not the one of the format page".into());
        }
        Ok(())
    }

    fn compare_judgement(&self, certificate: &PersistentCertificate) -> Result<(), Failure> {
        oracle::judge(&Parts::of(certificate)).map_err(|rule| Failure::Disagreement {
            what: format!("oracle refuses the producer: {rule}"),
            position: Box::new(certificate.position().clone()),
            certificate: certificate.canonical_payload(),
        })
    }

    /// The producer against the definition, worked out square by square.
    fn compare_oracle(&mut self, certificate: &PersistentCertificate) -> Result<(), Failure> {
        self.tally.compared_with_oracle += 1;
        oracle::compare(certificate).map_err(|what| Failure::Disagreement {
            what,
            position: Box::new(certificate.position().clone()),
            certificate: certificate.canonical_payload(),
        })
    }

    fn play(&mut self, ward: &Ward, bytes: &[u8], count: usize) -> Result<(), Failure> {
        for _ in 0..count {
            let plies = 8 + self.rng.below(self.effort.plies);
            let trip = refuted(playout(ward, plies, &mut self.rng), bytes)?;
            self.tally.playouts += 1;
            let total = &mut self.tally.trip;
            total.plies += trip.plies;
            total.captures += trip.captures;
            total.promotions += trip.promotions;
            total.en_passant += trip.en_passant;
            total.castlings += trip.castlings;
            total.checks += trip.checks;
            total.sums += trip.sums;
            total.mates += trip.mates;
        }
        Ok(())
    }

    /// Looks for a mate by each colour that is claimed never to give one.
    fn hunt(&mut self, ward: &Ward, bytes: &[u8], limit: usize) -> Result<(), Failure> {
        for color in Color::ALL {
            if *ward.claims.unwinnable.get(color) {
                let explored = refuted(explore(ward, limit, Some(color)), bytes)?;
                self.tally.searches += 1;
                self.tally.complete_searches += u64::from(explored.complete);
                self.tally.searched_positions += explored.positions as u64;
            }
        }
        Ok(())
    }

    /// A certificate that is changed here and there.
    fn forge(&mut self, original: &PersistentCertificate) -> Result<(), Failure> {
        let mut parts = Parts::of(original);
        for _ in 0..1 + self.rng.below(3) {
            parts.mutate(&mut self.rng);
        }
        self.submit(&parts, original)
    }

    /// Certificates that keep all rules but one.
    pub fn slip(&mut self, position: &Chess, original: &PersistentCertificate) -> Result<(), Failure> {
        const EN_PASSANT: [Slip; 5] = [
            Slip::EnPassant,
            Slip::EnPassantMove,
            Slip::FrozenPawnCapturesEnPassant,
            Slip::FrozenCapturedEnPassant,
            Slip::TakeEnPassant,
        ];
        const CASTLING: [Slip; 4] =
            [Slip::Castling, Slip::FrozenKingCastles, Slip::FrozenRookCastles, Slip::CastleTogether];
        let telling: &[Slip] = match (position.legal_ep_square(), position.castles().any()) {
            (Some(_), _) => &EN_PASSANT,
            (None, true) => &CASTLING,
            (None, false) => &Slip::ALL,
        };
        let telling = if self.rng.one_in(4) { &Slip::ALL } else { telling };
        let slip = telling[self.rng.below(telling.len())];
        self.tally.slips += 1;
        self.submit(&Parts::slipping(position, slip), original)
    }

    /// A forged certificate: when the checker accepts it, play must not refute it, and the oracle must agree.
    fn submit(&mut self, parts: &Parts, original: &PersistentCertificate) -> Result<(), Failure> {
        let bytes = parts.encode();
        self.tally.forged += 1;
        let disagree = |what: String| Failure::Disagreement {
            what,
            position: Box::new(parts.position.clone()),
            certificate: bytes.clone(),
        };
        let Ok(forged) = PersistentCertificate::decode(&bytes) else { return Ok(()) };
        if forged.canonical_payload() != bytes {
            return Err(disagree("forged payload is not canonical and was decoded".into()));
        }
        // What is judged is what the bytes say: they have no place for a role that a piece cannot have.
        match (check(&forged), oracle::judge(&Parts::of(&forged))) {
            (Ok(conclusions), judged) => {
                self.tally.forged_accepted += 1;
                if conclusions != original.claims() {
                    self.tally.forged_accepted_with_other_claims += 1;
                }
                let ward = Ward::new(&forged);
                self.play(&ward, &bytes, 2)?;
                if self.rng.one_in(8) {
                    self.hunt(&ward, &bytes, self.effort.search / 4)?;
                }
                judged.map_err(|rule| disagree(format!("checker accepts against the oracle: {rule}")))
            }
            (Err(error), Ok(())) => {
                self.tally.refused_but_valid += 1;
                if self.refused.len() < 5 {
                    self.refused.push(disagree(format!("refused though valid: {error}")).to_string());
                }
                Ok(())
            }
            (Err(_), Err(_)) => Ok(()),
        }
    }

    /// Bytes changed blindly: decoding must not panic, must be strict, and what is accepted must be true.
    fn scramble(&mut self, original: &[u8]) -> Result<(), Failure> {
        let mut bytes = original.to_vec();
        scramble(&mut bytes, &mut self.rng);
        self.tally.scrambled += 1;
        let Ok(decoded) = PersistentCertificate::decode(&bytes) else { return Ok(()) };
        self.tally.scrambled_decoded += 1;
        if decoded.canonical_payload() != bytes {
            return Err(Failure::Disagreement {
                what: "scrambled payload is not canonical and was decoded".into(),
                position: Box::new(decoded.position().clone()),
                certificate: bytes,
            });
        }
        if check(&decoded).is_ok() && bytes != original {
            self.tally.scrambled_accepted += 1;
            self.play(&Ward::new(&decoded), &bytes, 2)?;
        }
        Ok(())
    }

    /// Claims against what a complete search finds.
    pub fn compare_truth(&mut self, theme: Theme, position: &Chess) -> Result<(), Failure> {
        let certificate = self.prove_and_check(position)?;
        let bytes = certificate.canonical_payload();
        let ward = Ward::new(&certificate);
        let mut explored = refuted(explore(&ward, self.effort.truth / 20, None), &bytes)?;
        let open = Color::ALL.iter().any(|&color| explored.unwinnable(color).is_none());
        if open && self.rng.one_in(6) {
            explored = refuted(explore(&ward, self.effort.truth, None), &bytes)?;
        }
        self.tally.searches += 1;
        self.tally.complete_searches += u64::from(explored.complete);
        self.tally.searched_positions += explored.positions as u64;
        let truths = &mut self.tally.truths[theme as usize];
        let truth = ByColor::new_with(|color| explored.unwinnable(color));
        let claimed = certificate.claims().unwinnable;
        if explored.complete {
            self.generator.keep(position.clone(), &mut self.rng);
        }
        let (Some(white), Some(black)) = (truth.white, truth.black) else {
            truths.undecided += 1;
            return Ok(());
        };
        truths.decided += 1;
        if white && black {
            truths.dead += 1;
            truths.dead_proved += u64::from(claimed.white && claimed.black);
        } else if white || black {
            truths.one_sided += 1;
            truths.one_sided_proved += u64::from(claimed.white && white || claimed.black && black);
        }
        // An expansion of that size has room for everything that can be reached.
        let within = prove_within(position, Bound::nodes(explored.positions as u32));
        self.verify(&within)?;
        if within.claims().unwinnable == (ByColor { black, white }) {
            return Ok(());
        }
        Err(Failure::Disagreement {
            what: format!("truth is unwinnable for white {white}, for black {black}"),
            position: Box::new(position.clone()),
            certificate: within.canonical_payload(),
        })
    }
}

fn refuted<T>(result: Result<T, Violation>, certificate: &[u8]) -> Result<T, Failure> {
    result.map_err(|violation| Failure::Refuted {
        violation: Box::new(violation),
        certificate: certificate.to_vec(),
    })
}
