//! Expansions with men at home: the form of the homes, and the walk over states.

use shakmaty::{Bitboard, ByColor, Chess, Color, Position as _, Role};

use super::error::CheckError;
use crate::persistent::homes::{Homes, MANY, MAXIMUM_HOMES, Roaming, State};
use crate::persistent::states::States;

/// No home holds what it cannot hold, and each of the states that steps lead to passes the test for mate. With bare kings
/// as ends, steps are taken only from states in which some claimed colour may have another man.
pub(super) fn check_homes(
    position: &Chess,
    roaming: &Roaming,
    unwinnable: ByColor<bool>,
) -> Result<(), CheckError> {
    check_form(position, roaming)?;
    let homes = Homes(&roaming.homes);
    let mut states = States::new(homes.state(position));
    while let Some((number, state)) = states.next() {
        let color = !state.turn;
        if *unwinnable.get(color) && homes.may_be_mate(&state) {
            return Err(CheckError::MateInState { number, color });
        }
        // Who has nothing but a king gives no check, and gets no man back.
        if roaming.to_bare_king && all_bare(homes, &state, unwinnable) {
            continue;
        }
        for next in homes.successors(&state) {
            states.meet(next);
            if states.met() > roaming.states {
                return Err(CheckError::OutsideStates { number });
            }
        }
    }
    match states.met() {
        met if met < roaming.states => Err(CheckError::TooManyStates { claimed: roaming.states, met }),
        _ => Ok(()),
    }
}

/// Whether each of the claimed colours has nothing but its king.
fn all_bare(homes: Homes<'_>, state: &State, unwinnable: ByColor<bool>) -> bool {
    Color::ALL.into_iter().all(|color| !unwinnable.get(color) || homes.has_bare_king(state, color))
}

/// Homes of one colour and role are apart; a pawn's is between the end ranks; a king has none.
fn check_form(position: &Chess, roaming: &Roaming) -> Result<(), CheckError> {
    if position.castles().any() || position.legal_ep_square().is_some() {
        return Err(CheckError::HomesWithRights);
    }
    let homes = &roaming.homes;
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
