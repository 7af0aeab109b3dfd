//! A certificate taken apart, and a separate writer of its format that puts it together again.

use bitmesh::persistent::{LeafProof, Mover, PersistentCertificate, Proof, Witness};
use bitmesh::shakmaty::{Bitboard, ByColor, ByRole, Chess, Position as _, Role, Square};

/// One mover of a taken-apart certificate.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Part {
    pub square: Square,
    pub component: u8,
    pub reach: ByRole<Bitboard>,
}

/// A leaf of an expansion.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct LeafPart {
    pub node: u32,
    /// It rests on material; then there is no witness.
    pub material: bool,
    pub frozen: Bitboard,
    pub stoppers: Bitboard,
    pub movers: Vec<Part>,
}

/// The size and the leaves of an expansion.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Growth {
    pub nodes: u32,
    pub leaves: Vec<LeafPart>,
}

/// A certificate, taken apart.
#[derive(Clone, Debug)]
pub struct Parts {
    pub position: Chess,
    pub unwinnable: ByColor<bool>,
    /// All of it rests on material; then there is no witness.
    pub material: bool,
    pub frozen: Bitboard,
    pub stoppers: Bitboard,
    /// The colours that may be in check.
    pub checks: ByColor<bool>,
    pub en_passant: bool,
    pub movers: Vec<Part>,
    pub expansion: Option<Growth>,
}

fn parts_of(witness: &Witness) -> Vec<Part> {
    let part = |mover: &Mover| Part { square: mover.square, component: mover.component, reach: mover.reach };
    witness.movers().iter().map(part).collect()
}

fn bits(flags: ByColor<bool>) -> u8 {
    u8::from(flags.white) + 2 * u8::from(flags.black)
}

impl Parts {
    pub fn of(certificate: &PersistentCertificate) -> Self {
        let witness = certificate.proof().witness();
        let expansion = match certificate.proof() {
            Proof::Expansion(expansion) => {
                let leaves = expansion.leaves().iter().map(|leaf| LeafPart {
                    node: leaf.node(),
                    material: matches!(leaf.proof(), LeafProof::Material),
                    frozen: leaf.witness().frozen(),
                    stoppers: leaf.witness().stoppers(),
                    movers: parts_of(leaf.witness()),
                });
                Some(Growth { nodes: expansion.nodes(), leaves: leaves.collect() })
            }
            _ => None,
        };
        Self {
            position: certificate.position().clone(),
            unwinnable: certificate.claims().unwinnable,
            material: matches!(certificate.proof(), Proof::Material),
            frozen: witness.frozen(),
            stoppers: witness.stoppers(),
            checks: witness.coupling().checks(),
            en_passant: witness.coupling().en_passant(),
            movers: parts_of(witness),
            expansion,
        }
    }

    pub fn role_of(&self, part: &Part) -> Role {
        self.position.board().role_at(part.square).unwrap_or(Role::Pawn)
    }

    /// The bytes of BMPERSIST v1, as the format page has them.
    pub fn encode(&self) -> Vec<u8> {
        let board = self.position.board();
        let mut bytes = b"BMPERSIST\0\x01".to_vec();
        let mut word = |word: Bitboard| bytes.extend(word.0.to_le_bytes());
        word(board.white());
        for role in Role::ALL {
            word(board.by_role(role));
        }
        bytes.push(u8::from(self.position.turn().is_black()));
        bytes.extend(self.position.castles().castling_rights().0.to_le_bytes());
        bytes.push(self.position.legal_ep_square().map_or(64, u8::from));
        bytes.push(bits(self.unwinnable));
        if self.material {
            bytes.push(4);
            return bytes;
        }
        let several = self
            .expansion
            .as_ref()
            .is_some_and(|growth| growth.leaves.iter().any(|leaf| leaf.material || leaf.stoppers.any()));
        bytes.push(match (&self.expansion, several, self.stoppers.any()) {
            (Some(_), true, _) => 6,
            (Some(_), false, _) => 2,
            (None, _, false) => 1,
            (None, _, true) => 5,
        });
        bytes.extend(self.frozen.0.to_le_bytes());
        if self.stoppers.any() {
            bytes.extend(self.stoppers.0.to_le_bytes());
        }
        bytes.push(bits(self.checks) + 4 * u8::from(self.en_passant));
        for part in &self.movers {
            bytes.push(part.square.into());
            bytes.push(part.component);
            let roles: &[Role] = match self.role_of(part) {
                Role::Pawn => &[Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen],
                Role::Knight => &[Role::Knight],
                Role::Bishop => &[Role::Bishop],
                Role::Rook => &[Role::Rook],
                Role::Queen => &[Role::Queen],
                Role::King => &[Role::King],
            };
            for &role in roles {
                bytes.extend(part.reach.get(role).0.to_le_bytes());
            }
        }
        if let Some(Growth { nodes, leaves }) = &self.expansion {
            bytes.extend(nodes.to_le_bytes());
            bytes.extend((leaves.len() as u32).to_le_bytes());
            for leaf in leaves {
                bytes.extend(leaf.node.to_le_bytes());
                if several {
                    bytes.push(match (leaf.material, leaf.stoppers.any()) {
                        (true, _) => 4,
                        (false, true) => 5,
                        (false, false) => 1,
                    });
                }
                if leaf.material {
                    continue;
                }
                bytes.extend(leaf.frozen.0.to_le_bytes());
                if leaf.stoppers.any() {
                    bytes.extend(leaf.stoppers.0.to_le_bytes());
                }
                bytes.push(leaf.movers.len() as u8);
                for part in &leaf.movers {
                    bytes.push(part.square.into());
                    let roles = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King];
                    let mut mask = 0;
                    for (bit, &role) in roles.iter().enumerate() {
                        mask |= u8::from(part.reach.get(role).any()) << bit;
                    }
                    bytes.push(mask);
                    for role in roles {
                        if part.reach.get(role).any() {
                            bytes.extend(part.reach.get(role).0.to_le_bytes());
                        }
                    }
                }
            }
        }
        bytes
    }

    /// Numbers the components in the order of their lowest movers.
    pub fn renumber(&mut self) {
        let mut known = Vec::new();
        for part in &mut self.movers {
            let at = known.iter().position(|&old| old == part.component).unwrap_or_else(|| {
                known.push(part.component);
                known.len() - 1
            });
            part.component = at as u8;
        }
    }
}
