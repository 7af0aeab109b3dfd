//! What the tests of Bitmesh share, once. Unpublished, and used only by tests, benchmarks and fuzz targets.
//!
//! | module | what |
//! | --- | --- |
//! | [`plain`] | the contract of layers 1 and 2, one square at a time |
//! | [`rules`], [`stopping`], [`oracle`] | the rules of layer 3, one square at a time, and the judge of a certificate |
//! | [`parts`], [`forge`] | certificates taken apart and put together again; made without a rule, and changed |
//! | [`generate`], [`shut_in`], [`cases`] | positions: of many kinds, around a king that a pawn attacks, and known ones |
//! | [`random`], [`games`] | the one source of random numbers, and games that it plays |
//! | [`walk`], [`search`] | play and searches that hold every claim of a certificate against each move |
//! | [`few_men`] | the truth about few men, by retrograde search |
//! | [`train`], [`training_lines`], [`training_play`], [`training_positions`] | how the weights of the search for a mate are made |
//! | [`session`], [`stoppers`], [`claims`], [`yielding`] | the attacks of the binary `soundness` |
//! | [`properties`], `collections` | what must hold of any bytes, and of any bytes scanned as a collection (feature `corpus`) |
//! | [`mutation`] | bytes changed without regard to what they mean |

#![allow(missing_docs, reason = "fields that count are named for what they count")]

pub mod cases;
pub mod claims;
#[cfg(feature = "corpus")]
pub mod collections;
pub mod few_men;
pub mod forge;
pub mod games;
pub mod generate;
pub mod mutation;
pub mod oracle;
pub mod parts;
pub mod plain;
pub mod properties;
pub mod random;
pub mod rules;
pub mod search;
pub mod session;
pub mod shut_in;
pub mod stoppers;
pub mod stopping;
pub mod train;
pub mod training_lines;
pub mod training_play;
pub mod training_positions;
pub mod walk;
pub mod yielding;
