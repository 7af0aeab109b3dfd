//! The drawings of the pieces, in a square of 100 by 100 units.
//!
//! One closed outline for each role, with a few lines on it. Every line is thick enough to
//! show when a square is 24 pixels wide.

use bitmesh::shakmaty::{Color, Role};

pub(crate) struct Figure {
    /// The silhouette.
    pub(crate) outline: &'static str,
    /// Lines drawn on it.
    pub(crate) lines: &'static str,
}

pub(crate) struct Paint {
    pub(crate) fill: &'static str,
    pub(crate) edge: &'static str,
    pub(crate) line: &'static str,
    /// Around the edge, so that the silhouette stands out from any ground.
    pub(crate) halo: &'static str,
}

pub(crate) const fn paint(color: Color) -> Paint {
    match color {
        Color::White => Paint { fill: "#ffffff", edge: "#1b1b1d", line: "#1b1b1d", halo: "#ffffff" },
        Color::Black => Paint { fill: "#29292c", edge: "#0e0e10", line: "#f2f2f2", halo: "#ffffff" },
    }
}

pub(crate) const fn figure(role: Role) -> Figure {
    match role {
        Role::Pawn => Figure {
            outline: "M28 88V80C37 76 44 66 45 55H37V47H42A15 15 0 1 1 58 47H63V55H55C56 66 63 76 72 80V88Z",
            lines: "M33 80H67",
        },
        Role::Knight => Figure {
            outline: "M25 88V80H29C29 68 37 61 46 51C41 56 35 57 31 62C27 66 21 65 18 60C15 55 16 51 19 46\
                      C24 38 25 31 32 25L31 12L44 20C65 21 77 40 77 67C77 72 75 76 74 80H77V88Z",
            lines: "M34 80H70M37 35L38 36M61 34C67 43 70 55 68 69",
        },
        Role::Bishop => Figure {
            outline: "M26 88V80C36 78 42 75 43 69H36V61H39C33 57 30 51 30 45C30 35 40 27 46 20\
                      A6 6 0 1 1 54 20C60 27 70 35 70 45C70 51 67 57 61 61H64V69H57C58 75 64 78 74 80V88Z",
            lines: "M61 31L50 43M43 61H57M36 80H64",
        },
        Role::Rook => Figure {
            outline: "M24 88V80L32 72V44L25 37V17H37V25H44V17H56V25H63V17H75V37L68 44V72L76 80V88Z",
            lines: "M34 44H66M34 72H66",
        },
        Role::Queen => Figure {
            outline: "M27 88V80L33 70L21 43L36 54L34 31L46 49L50 26L54 49L66 31L64 54L79 43L67 70L73 80V88Z\
                      M15 40a5 5 0 1 0 10 0a5 5 0 1 0-10 0ZM28 26a5 5 0 1 0 10 0a5 5 0 1 0-10 0Z\
                      M45 20a5 5 0 1 0 10 0a5 5 0 1 0-10 0ZM62 26a5 5 0 1 0 10 0a5 5 0 1 0-10 0Z\
                      M75 40a5 5 0 1 0 10 0a5 5 0 1 0-10 0Z",
            lines: "M36 70H64M32 80H68",
        },
        Role::King => Figure {
            outline: "M27 88V80L34 70C29 60 25 50 24 42C32 35 40 33 45 33V26H36V16H45V7H55V16H64V26H55V33\
                      C60 33 68 35 76 42C75 50 71 60 66 70L73 80V88Z",
            lines: "M31 48C43 43 57 43 69 48M36 70H64M32 80H68",
        },
    }
}
