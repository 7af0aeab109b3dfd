//! What a row can claim, and which rows are wanted.

use std::fmt;
use std::str::FromStr;

/// Something that a scan can find out about a position.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
#[non_exhaustive]
pub enum Claim {
    /// Locked pawns divide the board into regions with pieces (layer 1).
    Strict,
    /// The one-ply screen accepts as well (layer 2).
    Accepted,
    /// The position stays divided for ever (layer 3).
    Persistent,
    /// At least one side can never give mate (layer 3).
    Unwinnable,
    /// Neither side can (layer 3).
    Dead,
    /// At least one side can still give mate: a line was found (decisions).
    Winnable,
    /// The side that is not to move can never give mate, so that a flag that falls now draws (decisions).
    FlagDraw,
    /// For at least one side neither was found (decisions).
    Undecided,
}

impl Claim {
    /// All claims, in the order of the layers.
    pub const ALL: [Self; 8] = [
        Self::Strict,
        Self::Accepted,
        Self::Persistent,
        Self::Unwinnable,
        Self::Dead,
        Self::Winnable,
        Self::FlagDraw,
        Self::Undecided,
    ];

    /// Whether only a scan that decides can make the claim.
    #[must_use]
    pub const fn needs_decisions(self) -> bool {
        matches!(self, Self::Winnable | Self::FlagDraw | Self::Undecided)
    }

    /// The name of the claim, as [`FromStr`] reads it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Strict => "strict",
            Self::Accepted => "accepted",
            Self::Persistent => "persistent",
            Self::Unwinnable => "unwinnable",
            Self::Dead => "dead",
            Self::Winnable => "winnable",
            Self::FlagDraw => "flag-draw",
            Self::Undecided => "undecided",
        }
    }
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that is not that of a [`Claim`].
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[error(
    "{name} is not a claim: strict, accepted, persistent, unwinnable, dead, winnable, flag-draw, undecided"
)]
pub struct UnknownClaim {
    name: String,
}

impl FromStr for Claim {
    type Err = UnknownClaim;

    fn from_str(name: &str) -> Result<Self, UnknownClaim> {
        let known = Self::ALL.into_iter().find(|claim| claim.name() == name);
        known.ok_or_else(|| UnknownClaim { name: name.to_owned() })
    }
}

/// A set of claims.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Claims(u8);

impl Claims {
    /// No claim.
    pub const NONE: Self = Self(0);

    /// The set with one claim more.
    #[must_use]
    pub const fn with(self, claim: Claim) -> Self {
        Self(self.0 | 1 << claim as u8)
    }

    /// The set with one claim more if a condition holds.
    #[must_use]
    pub(crate) const fn with_if(self, claim: Claim, condition: bool) -> Self {
        Self(self.0 | (condition as u8) << claim as u8)
    }

    /// Whether the claim is one of them.
    #[must_use]
    pub const fn contains(self, claim: Claim) -> bool {
        self.0 & 1 << claim as u8 != 0
    }

    /// The claims of both sets.
    #[must_use]
    pub(crate) const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether two sets have a claim in common.
    #[must_use]
    pub const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

impl FromIterator<Claim> for Claims {
    fn from_iter<I: IntoIterator<Item = Claim>>(claims: I) -> Self {
        claims.into_iter().fold(Self::NONE, Self::with)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for claim in Claim::ALL {
            assert_eq!(claim.name().parse(), Ok(claim));
        }
        assert!("Dead".parse::<Claim>().is_err());
    }

    #[test]
    fn a_set_holds_what_was_put_in() {
        let set: Claims = [Claim::Strict, Claim::Dead].into_iter().collect();
        assert!(set.contains(Claim::Strict) && set.contains(Claim::Dead));
        assert!(!set.contains(Claim::Accepted) && !set.contains(Claim::Unwinnable));
        assert!(set.meets(Claims::NONE.with(Claim::Dead)) && !set.meets(Claims::NONE));
    }
}
