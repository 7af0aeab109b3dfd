//! The verdict words of layer 3, shared by `prove` and `verify`.

use bitmesh::persistent::{Conclusions, Coupling};
use bitmesh::shakmaty::{ByColor, Color};

/// One claim: the word that programs look for, and what it means.
pub(crate) struct Verdict {
    pub(crate) word: &'static str,
    pub(crate) meaning: String,
}

/// What is established, strongest first; a single `not-proved` when nothing is.
pub(crate) fn verdicts(conclusions: &Conclusions) -> Vec<Verdict> {
    let mut verdicts = Vec::new();
    let mut say = |word, meaning: String| verdicts.push(Verdict { word, meaning });
    if conclusions.dead() {
        say("dead", "neither side can ever give mate (FIDE Laws, article 5.2.2)".to_owned());
    } else if conclusions.unwinnable.white {
        say("unwinnable white", "White can never give mate".to_owned());
    } else if conclusions.unwinnable.black {
        say("unwinnable black", "Black can never give mate".to_owned());
    }
    if conclusions.decomposed() {
        let components = conclusions.components;
        match conclusions.coupling {
            Coupling::ExactSum => {
                say("sum", format!("{components} components, an exact disjoint sum of games"));
            }
            Coupling::CoupledByCheck { colours } => {
                say("coupled", format!("{components} components, coupled by checks to {}", names(colours)));
            }
            Coupling::CoupledByEnPassant { .. } => say(
                "coupled",
                format!("{components} components, coupled by checks or by the right to capture en passant"),
            ),
        }
    }
    if verdicts.is_empty() {
        verdicts.push(Verdict {
            word: "not-proved",
            meaning: "no claim for all time could be proved; that does not mean that one is false".to_owned(),
        });
    }
    verdicts
}

fn names(colours: ByColor<bool>) -> String {
    let names: Vec<&str> = [(Color::White, "White"), (Color::Black, "Black")]
        .into_iter()
        .filter(|&(color, _)| *colours.get(color))
        .map(|(_, name)| name)
        .collect();
    names.join(" and ")
}

/// Whether anything at all is established.
pub(crate) fn proves_something(conclusions: &Conclusions) -> bool {
    conclusions.decomposed() || conclusions.unwinnable.white || conclusions.unwinnable.black
}
