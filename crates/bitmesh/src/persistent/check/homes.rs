//! Expansions with men at home: the form of the homes, and the walk over states.

use alloc::vec::Vec;

use shakmaty::{Bitboard, ByColor, Chess, Color, Position as _, Role};

use super::error::CheckError;
use crate::persistent::certificate::{PersistentCertificate, Proof};
use crate::persistent::homes::{Home, Homes, MANY, MAXIMUM_HOMES, Roaming, State};
use crate::persistent::states::States;

/// Why a walk over states shows nothing.
#[derive(Clone, Copy, Debug)]
pub(in crate::persistent) enum Stopped {
    /// In this state a claimed colour may give mate.
    Mate { number: u32, color: Color },
    /// From this state a step leads to one too many. The walk can go on with more.
    TooMany { number: u32 },
}

/// A walk over the states that steps lead to. Each must pass the test for mate. With bare kings as ends, steps are taken
/// only from states in which some claimed colour may have another man.
#[derive(Debug)]
pub(in crate::persistent) struct HomesWalk {
    position: Chess,
    homes: Vec<Home>,
    unwinnable: ByColor<bool>,
    to_bare_king: bool,
    states: States,
    /// Whether there was a state in which each claimed colour has nothing but its king.
    has_bare_king: bool,
    /// Whether it has come to its end.
    has_ended: bool,
}

/// The walk over the states ends with as many as claimed.
pub(super) fn check_homes(
    position: &Chess,
    roaming: &Roaming,
    unwinnable: ByColor<bool>,
) -> Result<(), CheckError> {
    let Roaming { homes, states, to_bare_king } = roaming;
    let mut walk = HomesWalk::new(position, homes.clone(), unwinnable, *to_bare_king)?;
    match walk.run(*states) {
        Ok(()) if walk.met() < *states => {
            Err(CheckError::TooManyStates { claimed: *states, met: walk.met() })
        }
        Ok(()) => Ok(()),
        Err(Stopped::Mate { number, color }) => Err(CheckError::MateInState { number, color }),
        Err(Stopped::TooMany { number }) => Err(CheckError::OutsideStates { number }),
    }
}

impl HomesWalk {
    /// A walk that begins with the state of a position, if no home holds what it cannot hold.
    pub(in crate::persistent) fn new(
        position: &Chess,
        homes: Vec<Home>,
        unwinnable: ByColor<bool>,
        to_bare_king: bool,
    ) -> Result<Self, CheckError> {
        check_form(position, &homes)?;
        Ok(Self {
            position: position.clone(),
            unwinnable,
            to_bare_king,
            states: States::new(Homes(&homes).state(position)),
            homes,
            has_bare_king: false,
            has_ended: false,
        })
    }

    /// Goes on to the end, or until there are more states than this.
    pub(in crate::persistent) fn run(&mut self, most: u32) -> Result<(), Stopped> {
        let homes = Homes(&self.homes);
        self.has_ended = false;
        while let Some((number, state)) = self.states.next() {
            let color = !state.turn;
            if *self.unwinnable.get(color) && homes.may_be_mate(&state) {
                self.states.give_again(number);
                return Err(Stopped::Mate { number, color });
            }
            // Who has nothing but a king gives no check, and gets no man back.
            if self.to_bare_king && all_bare(homes, &state, self.unwinnable) {
                self.has_bare_king = true;
                continue;
            }
            for next in homes.successors(&state) {
                self.states.meet(next);
                if self.states.met() > most {
                    self.states.give_again(number);
                    return Err(Stopped::TooMany { number });
                }
            }
        }
        self.has_ended = true;
        Ok(())
    }

    /// How many states were met.
    pub(in crate::persistent) fn met(&self) -> u32 {
        self.states.met()
    }

    /// How many of them wait for their steps.
    pub(in crate::persistent) fn waiting(&self) -> u32 {
        self.states.waiting()
    }

    /// Where men are at home.
    pub(in crate::persistent) fn homes(&self) -> &[Home] {
        &self.homes
    }

    /// The certificate of a walk that has run to its end.
    ///
    /// Where no king was ever bare the walk had no such ends, and shows the same without.
    pub(in crate::persistent) fn into_certificate(self) -> Option<PersistentCertificate> {
        let Self { position, homes, unwinnable, to_bare_king, states, has_bare_king, has_ended } = self;
        let (states, to_bare_king) = (states.met(), to_bare_king && has_bare_king);
        let proof = Proof::Roaming(Roaming { homes, states, to_bare_king });
        has_ended.then_some(PersistentCertificate { position, unwinnable, proof })
    }
}

/// Whether each of the claimed colours has nothing but its king.
fn all_bare(homes: Homes<'_>, state: &State, unwinnable: ByColor<bool>) -> bool {
    Color::ALL.into_iter().all(|color| !unwinnable.get(color) || homes.has_bare_king(state, color))
}

/// Homes of one colour and role are apart; a pawn's is between the end ranks; a king has none.
fn check_form(position: &Chess, homes: &[Home]) -> Result<(), CheckError> {
    if position.castles().any() || position.legal_ep_square().is_some() {
        return Err(CheckError::HomesWithRights);
    }
    if homes.len() > MAXIMUM_HOMES {
        return Err(CheckError::HomeInvalid { home: MAXIMUM_HOMES });
    }
    for (index, home) in homes.iter().enumerate() {
        let pawns_on_ends = home.role == Role::Pawn && (home.squares & Bitboard::BACKRANKS).any();
        let shared = homes[..index].iter().any(|other| {
            (other.color, other.role) == (home.color, home.role) && (other.squares & home.squares).any()
        });
        if home.role == Role::King || home.squares.is_empty() || home.cap >= MANY || pawns_on_ends || shared {
            return Err(CheckError::HomeInvalid { home: index });
        }
    }
    Ok(())
}
