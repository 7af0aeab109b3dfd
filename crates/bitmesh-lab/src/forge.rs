//! Forgers: certificates made without a rule, and taken-apart ones that are changed.

use bitmesh::shakmaty::{Bitboard, ByColor, ByRole, Chess, Color, Position as _, Role, Square};

use crate::oracle;
use crate::parts::{LeafPart, Part, Parts};
use crate::random::Rng;
use crate::rules::{self, Slip};

impl Parts {
    /// The certificate of a forger who knows all rules but one.
    pub fn slipping(position: &Chess, slip: Slip) -> Self {
        let mut parts = Self {
            position: position.clone(),
            unwinnable: ByColor::default(),
            material: false,
            frozen: rules::largest_frozen(position, slip),
            stoppers: Bitboard::EMPTY,
            checks: ByColor::default(),
            en_passant: false,
            movers: Vec::new(),
            expansion: None,
        };
        parts.regrow(slip);
        (parts.checks, parts.en_passant, parts.unwinnable) = oracle::strongest(&parts, slip);
        parts
    }

    /// Gives every mover the least reach around the frozen set, and the finest components.
    pub fn regrow(&mut self, slip: Slip) {
        let reaches = rules::least_reaches(&self.position, self.frozen, slip);
        self.movers =
            reaches.into_iter().map(|(square, reach)| Part { square, component: 0, reach }).collect();
        let classes = oracle::finest_components(self, slip);
        for (part, class) in self.movers.iter_mut().zip(classes) {
            part.component = class;
        }
        self.renumber();
    }

    /// One change of one field or a few; the result may be anything.
    pub fn mutate(&mut self, rng: &mut Rng) {
        if rng.one_in(2) && self.expansion.is_some() {
            self.mutate_expansion(rng);
            return;
        }
        match rng.below(18) {
            16 | 17 => self.shrink(rng),
            0 => self.freeze(rng, false),
            1 => self.freeze(rng, true),
            2 => self.thaw(rng, false),
            3 | 4 => self.thaw(rng, true),
            5 => self.shrink(rng),
            6 => self.enlarge(rng, false),
            7 => self.enlarge(rng, true),
            8 => self.split(rng),
            9 => self.merge(rng),
            10 => *self.unwinnable.get_mut(any_color(rng)) ^= true,
            11 => *self.checks.get_mut(any_color(rng)) ^= true,
            12 => self.en_passant ^= true,
            13 | 14 => self.transplant(rng),
            _ => {
                // Everything claimed at once, on any ground.
                self.unwinnable = ByColor { black: true, white: true };
                self.checks = ByColor::default();
                self.en_passant = false;
            }
        }
    }

    fn mutate_expansion(&mut self, rng: &mut Rng) {
        let positions = oracle::positions(self);
        let Some(growth) = &mut self.expansion else { return };
        let count = growth.leaves.len();
        match rng.below(8) {
            0 => growth.nodes = (growth.nodes + 1).saturating_sub(rng.below(3) as u32),
            1 => growth.nodes = 1 + rng.below(growth.nodes as usize + 2) as u32,
            2 if count > 0 => {
                growth.leaves.remove(rng.below(count));
            }
            3 if count > 0 => {
                let leaf = &mut growth.leaves[rng.below(count)];
                leaf.node = (leaf.node + 1).saturating_sub(2 * rng.below(2) as u32);
            }
            4 if count > 1 => {
                // The witnesses of two leaves change places.
                let (first, second) = (rng.below(count), rng.below(count));
                let nodes = (growth.leaves[first].node, growth.leaves[second].node);
                growth.leaves.swap(first, second);
                growth.leaves[first].node = nodes.0;
                growth.leaves[second].node = nodes.1;
            }
            5 => {
                // A new leaf, with the largest witness that there is; the rest is numbered anew by chance only.
                let node = 1 + rng.below(positions.len().max(2) - 1) as u32;
                if let Some(position) = positions.get(node as usize) {
                    let frozen = rules::largest_frozen(position, Slip::None);
                    let movers = rules::least_reaches(position, frozen, Slip::None)
                        .into_iter()
                        .map(|(square, reach)| Part { square, component: 0, reach })
                        .collect();
                    growth.leaves.retain(|leaf| leaf.node < node);
                    let (material, stoppers) = (rng.one_in(4), Bitboard::EMPTY);
                    growth.leaves.push(LeafPart { node, material, frozen, stoppers, movers });
                    self.resize();
                }
            }
            6 if count > 0 => {
                let leaf = &mut growth.leaves[rng.below(count)];
                if let Some(part) = rng.pick(&leaf.movers).cloned() {
                    let role = Role::ALL[rng.below(6)];
                    if let Some(own) = leaf.movers.iter_mut().find(|other| other.square == part.square) {
                        *own.reach.get_mut(role) ^= Bitboard::from(Square::new(rng.below(64) as u32));
                    }
                }
            }
            _ if count > 0 => {
                let leaf = &mut growth.leaves[rng.below(count)];
                leaf.frozen ^= Bitboard::from(Square::new(rng.below(64) as u32));
            }
            _ => {}
        }
        if rng.one_in(3) {
            self.resize();
        }
    }

    /// Sets the size to what the walk finds.
    fn resize(&mut self) {
        let met = oracle::positions(self).len() as u32;
        if let Some(growth) = &mut self.expansion {
            growth.nodes = met;
        }
    }

    fn any_mover(&self, rng: &mut Rng) -> Option<usize> {
        (!self.movers.is_empty()).then(|| rng.below(self.movers.len()))
    }

    /// A mover becomes frozen; the others keep their reaches without its square, or have them regrown.
    fn freeze(&mut self, rng: &mut Rng, regrow: bool) {
        let Some(at) = self.any_mover(rng) else { return };
        let square = self.movers.remove(at).square;
        self.frozen.add(square);
        if regrow {
            self.regrow(Slip::None);
        } else {
            for part in &mut self.movers {
                for role in Role::ALL {
                    part.reach.get_mut(role).discard(square);
                }
            }
            self.renumber();
        }
    }

    /// A frozen piece becomes a mover, which stays where it is or has the least reach.
    fn thaw(&mut self, rng: &mut Rng, regrow: bool) {
        let frozen: Vec<Square> = self.frozen.into_iter().collect();
        let Some(&square) = rng.pick(&frozen) else { return };
        self.frozen.discard(square);
        if regrow {
            if rng.one_in(2) {
                self.frozen &= Bitboard(rng.bits() | rng.bits());
            }
            self.regrow(Slip::None);
            return;
        }
        let Some(role) = self.position.board().role_at(square) else { return };
        let mut reach = ByRole::default();
        *reach.get_mut(role) = Bitboard::from(square);
        let at = self.movers.partition_point(|part| part.square < square);
        let component = self.movers.iter().map(|part| part.component + 1).max().unwrap_or(0);
        self.movers.insert(at, Part { square, component, reach });
        self.renumber();
    }

    fn shrink(&mut self, rng: &mut Rng) {
        let Some(at) = self.any_mover(rng) else { return };
        let own = self.role_of(&self.movers[at]);
        let part = &mut self.movers[at];
        let roles: Vec<Role> = Role::ALL.into_iter().filter(|&role| part.reach.get(role).any()).collect();
        let Some(&role) = rng.pick(&roles) else { return };
        let reach = part.reach.get_mut(role);
        match rng.below(4) {
            0 => *reach &= Bitboard(rng.bits()),
            1 => *reach = Bitboard::EMPTY,
            2 => part.reach = ByRole::default(),
            _ => {
                let squares: Vec<Square> = reach.into_iter().collect();
                if let Some(&square) = rng.pick(&squares) {
                    reach.discard(square);
                }
            }
        }
        if !rng.one_in(8) {
            part.reach.get_mut(own).add(part.square);
        }
    }

    /// Squares are added to a reach, and on request all that follow from them.
    fn enlarge(&mut self, rng: &mut Rng, close: bool) {
        let Some(at) = self.any_mover(rng) else { return };
        let role = self.role_of(&self.movers[at]);
        let role = if role == Role::Pawn { Role::ALL[rng.below(5)] } else { role };
        let square = Square::new(rng.below(64) as u32);
        if !close || !self.frozen.contains(square) {
            self.movers[at].reach.get_mut(role).add(square);
        }
        if close {
            let seeds = self.movers.iter().map(|part| (part.square, part.reach)).collect();
            let reaches = rules::close(&self.position, self.frozen, seeds, Slip::None);
            for (part, (_, reach)) in self.movers.iter_mut().zip(reaches) {
                part.reach = reach;
            }
            let classes = oracle::finest_components(self, Slip::None);
            for (part, class) in self.movers.iter_mut().zip(classes) {
                part.component = class;
            }
            self.renumber();
        }
    }

    fn split(&mut self, rng: &mut Rng) {
        if let Some(at) = self.any_mover(rng) {
            self.movers[at].component = 100;
            self.renumber();
        }
    }

    fn merge(&mut self, rng: &mut Rng) {
        if let (Some(first), Some(second)) = (self.any_mover(rng), self.any_mover(rng)) {
            let (from, to) = (self.movers[first].component, self.movers[second].component);
            for part in &mut self.movers {
                if part.component == from {
                    part.component = to;
                }
            }
            self.renumber();
        }
    }

    /// The witness is laid over a neighbouring position.
    fn transplant(&mut self, rng: &mut Rng) {
        let Some(position) = super::generate::mutate(&self.position, rng) else { return };
        let occupied = position.board().occupied();
        self.frozen &= occupied;
        let movers = core::mem::take(&mut self.movers);
        for square in occupied & !self.frozen {
            let old = movers.iter().find(|part| part.square == square).cloned();
            let role = position.board().role_at(square).unwrap_or(Role::Pawn);
            let part = old.unwrap_or_else(|| Part { square, component: 100, reach: ByRole::default() });
            let same = self.position.board().role_at(square) == Some(role);
            let mut reach = if same { part.reach } else { ByRole::default() };
            if !same {
                *reach.get_mut(role) = part.reach.into_iter().fold(Bitboard::EMPTY, |all, set| all | set);
            }
            reach.get_mut(role).add(square);
            self.movers.push(Part { reach, ..part });
        }
        self.position = position;
        self.renumber();
        if rng.one_in(2) {
            self.regrow(Slip::None);
        }
    }
}

fn any_color(rng: &mut Rng) -> Color {
    Color::from_white(rng.one_in(2))
}
