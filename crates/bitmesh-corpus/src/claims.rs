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
}

impl Claim {
    /// All claims, in the order of the layers.
    pub const ALL: [Self; 5] = [Self::Strict, Self::Accepted, Self::Persistent, Self::Unwinnable, Self::Dead];

    /// The name of the claim, as [`FromStr`] reads it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Strict => "strict",
            Self::Accepted => "accepted",
            Self::Persistent => "persistent",
            Self::Unwinnable => "unwinnable",
            Self::Dead => "dead",
        }
    }
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that is none of a [`Claim`].
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[error("{name} is no claim: strict, accepted, persistent, unwinnable, dead")]
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
