//! The verdict words of permanent independence.

use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use shakmaty::ByColor;

use super::verdict::{Conclusions, Coupling};

/// One claim in words.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Verdict {
    /// The word that programs look for: `dead`, `unwinnable white`, `unwinnable black`, `sum`, `coupled`, or
    /// `not-proved`, which claims nothing.
    pub word: &'static str,
    /// What it means, for people.
    pub meaning: String,
}

impl Conclusions {
    /// Whether they hold anything: two or more components, or a colour that can never give mate.
    #[must_use]
    pub const fn prove_something(&self) -> bool {
        self.decomposed() || self.unwinnable.white || self.unwinnable.black
    }

    /// The claims in words, strongest first; a single `not-proved` when there are none.
    ///
    /// ```
    /// let position: bitmesh::Position = "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1".parse()?;
    /// let verdicts = bitmesh::persistent::analyze(position.chess()).conclusions().verdicts();
    /// assert_eq!(verdicts[0].word, "dead");
    /// assert_eq!(verdicts[1].meaning, "2 components, an exact disjoint sum of games");
    /// # Ok::<(), bitmesh::ParsePositionError>(())
    /// ```
    #[must_use]
    pub fn verdicts(&self) -> Vec<Verdict> {
        let mut verdicts = Vec::new();
        let mut say = |word, meaning: String| verdicts.push(Verdict { word, meaning });
        if self.dead() {
            say("dead", "neither side can ever give mate (FIDE Laws, article 5.2.2)".to_string());
        } else if self.unwinnable.white {
            say("unwinnable white", "White can never give mate".to_string());
        } else if self.unwinnable.black {
            say("unwinnable black", "Black can never give mate".to_string());
        }
        if self.decomposed() {
            let components = self.components;
            match self.coupling {
                Coupling::ExactSum => {
                    say("sum", format!("{components} components, an exact disjoint sum of games"));
                }
                Coupling::CoupledByCheck { colors } => {
                    let sides = checked_sides(colors);
                    say("coupled", format!("{components} components, coupled by checks to {sides}"));
                }
                Coupling::CoupledByEnPassant { .. } => say(
                    "coupled",
                    format!(
                        "{components} components, coupled by checks or by the right to capture en passant"
                    ),
                ),
            }
        }
        if verdicts.is_empty() {
            verdicts.push(Verdict {
                word: "not-proved",
                meaning: "no claim for all time could be proved; that does not mean that one is false"
                    .to_string(),
            });
        }
        verdicts
    }
}

const fn checked_sides(sides: ByColor<bool>) -> &'static str {
    match sides {
        ByColor { white: true, black: true } => "White and Black",
        ByColor { white: true, black: false } => "White",
        ByColor { white: false, black: true } => "Black",
        ByColor { white: false, black: false } => "",
    }
}
