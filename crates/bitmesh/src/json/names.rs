//! Squares, sets of squares, roles and digests by their names.

use alloc::borrow::Cow;
use core::fmt;

use serde::de::{Error as _, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use shakmaty::{Bitboard, Color, Role, Square};

use crate::digest::{
    CompositionCertificateDigest, DecompositionCertificateDigest, MateLineDigest,
    PersistentCertificateDigest, PositionBoundDecompositionCertificateDigest,
};
use crate::position::role_name;
use crate::structure::certificate::{DecompositionRejectionReason, DecompositionStatus};

macro_rules! digest_in_hex {
    ($($name:ident),+) => {$(
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                Cow::<'_, str>::deserialize(deserializer)?.parse().map_err(D::Error::custom)
            }
        }
    )+};
}

digest_in_hex!(
    CompositionCertificateDigest,
    DecompositionCertificateDigest,
    MateLineDigest,
    PersistentCertificateDigest,
    PositionBoundDecompositionCertificateDigest
);

/// A square by its name.
#[derive(Clone, Copy)]
pub(super) struct Name(pub(super) Square);

impl Serialize for Name {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Name {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = Cow::<'_, str>::deserialize(deserializer)?;
        name.parse().map(Self).map_err(|_| D::Error::custom(format_args!("`{name}` is not a square")))
    }
}

/// A set of squares by their names, in ascending order when it is written.
#[derive(Clone, Copy)]
pub(super) struct SquareSet(pub(super) Bitboard);

impl Serialize for SquareSet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.into_iter().map(Name))
    }
}

impl<'de> Deserialize<'de> for SquareSet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Names;

        impl<'de> Visitor<'de> for Names {
            type Value = SquareSet;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of squares")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut names: A) -> Result<SquareSet, A::Error> {
                let mut set = Bitboard::EMPTY;
                while let Some(Name(square)) = names.next_element()? {
                    if set.contains(square) {
                        return Err(A::Error::custom(format_args!("square {square} is listed twice")));
                    }
                    set.add(square);
                }
                Ok(SquareSet(set))
            }
        }

        deserializer.deserialize_seq(Names)
    }
}

/// For `#[serde(with)]`: a set of squares by their names.
pub(super) mod squares {
    use super::*;

    pub(in crate::json) fn serialize<S: Serializer>(
        set: &Bitboard,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        SquareSet(*set).serialize(serializer)
    }

    pub(in crate::json) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Bitboard, D::Error> {
        SquareSet::deserialize(deserializer).map(|SquareSet(set)| set)
    }
}

/// For `#[serde(with)]`: a square by its name.
pub(super) mod square {
    use super::*;

    pub(in crate::json) fn serialize<S: Serializer>(
        square: &Square,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        Name(*square).serialize(serializer)
    }

    pub(in crate::json) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Square, D::Error> {
        Name::deserialize(deserializer).map(|Name(square)| square)
    }
}

/// For `#[serde(with)]`: a square by its name, or null.
pub(super) mod optional_square {
    use super::*;

    pub(in crate::json) fn serialize<S: Serializer>(
        square: &Option<Square>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        square.map(Name).serialize(serializer)
    }

    pub(in crate::json) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Square>, D::Error> {
        Ok(Option::deserialize(deserializer)?.map(|Name(square)| square))
    }
}

#[derive(Clone, Copy, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum ColorName {
    White,
    Black,
}

impl From<Color> for ColorName {
    fn from(color: Color) -> Self {
        color.fold_wb(Self::White, Self::Black)
    }
}

impl From<ColorName> for Color {
    fn from(name: ColorName) -> Self {
        match name {
            ColorName::White => Self::White,
            ColorName::Black => Self::Black,
        }
    }
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum RoleName {
    Pawn,
    Knight,
    Bishop,
    Rook,
    Queen,
    King,
}

impl From<RoleName> for Role {
    fn from(name: RoleName) -> Self {
        match name {
            RoleName::Pawn => Self::Pawn,
            RoleName::Knight => Self::Knight,
            RoleName::Bishop => Self::Bishop,
            RoleName::Rook => Self::Rook,
            RoleName::Queen => Self::Queen,
            RoleName::King => Self::King,
        }
    }
}

/// For `#[serde(with)]`: a role by its name.
pub(super) mod role {
    use super::*;

    pub(in crate::json) fn serialize<S: Serializer>(role: &Role, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(role_name(*role))
    }

    pub(in crate::json) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Role, D::Error> {
        RoleName::deserialize(deserializer).map(Role::from)
    }
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "DecompositionStatus", rename_all = "snake_case")]
pub(super) enum StatusName {
    Strict,
    Rejected,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "DecompositionRejectionReason", rename_all = "snake_case")]
pub(super) enum ReasonName {
    NoLockedBarrier,
    LessThanTwoActiveComponents,
}

#[derive(Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Reason(#[serde(with = "ReasonName")] pub(super) DecompositionRejectionReason);
