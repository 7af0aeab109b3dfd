//! The names of roles.

use shakmaty::Role;

/// The English name of a role, in lower case: `pawn`, `knight`, `bishop`, `rook`, `queen`, `king`.
///
/// Documents and messages use it.
///
/// ```
/// use bitmesh::shakmaty::Role;
///
/// assert_eq!(bitmesh::role_name(Role::Bishop), "bishop");
/// ```
#[must_use]
pub const fn role_name(role: Role) -> &'static str {
    match role {
        Role::Pawn => "pawn",
        Role::Knight => "knight",
        Role::Bishop => "bishop",
        Role::Rook => "rook",
        Role::Queen => "queen",
        Role::King => "king",
    }
}
