//! Whose regions a diagram shows, chosen by name.

use std::fmt;
use std::str::FromStr;

use bitmesh::shakmaty::Square;
use bitmesh::{Assessment, PermanentError};

use crate::diagram::Diagram;
use crate::results::ReachError;

/// Whose regions are drawn.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Layer {
    /// The board alone.
    None,
    /// Locked pawns and the regions between them.
    Structure,
    /// The structure, with arrows for moves that cross or break it.
    OnePly,
    /// Frozen pieces, and the regions that no piece ever leaves.
    Persistent,
}

impl Layer {
    /// Every layer.
    pub const ALL: [Self; 4] = [Self::None, Self::Structure, Self::OnePly, Self::Persistent];

    /// The name that callers give: `none`, `structure`, `one-ply`, `persistent`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Structure => "structure",
            Self::OnePly => "one-ply",
            Self::Persistent => "persistent",
        }
    }

    /// What is drawn, for people.
    #[must_use]
    pub const fn describe(self) -> &'static str {
        match self {
            Self::None => "The board alone",
            Self::Structure => "Locked pawns and the regions between them",
            Self::OnePly => "The structure, with arrows for moves that cross or break it",
            Self::Persistent => "Frozen pieces, and the regions that no piece ever leaves",
        }
    }

    /// The strongest layer that shows something: components for ever, else a structure with its violations, else the
    /// structure.
    ///
    /// ```
    /// use bitmesh::Assessment;
    /// use bitmesh_diagram::Layer;
    ///
    /// let wall = Assessment::read("7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1")?;
    /// assert_eq!(Layer::strongest(&wall), Layer::Persistent);
    /// # Ok::<(), bitmesh::ReadPositionError>(())
    /// ```
    #[must_use]
    pub fn strongest(assessment: &Assessment) -> Self {
        if assessment.reaches().is_ok_and(|checked| checked.conclusions().decomposed()) {
            Self::Persistent
        } else if assessment.structure().strict && assessment.first_violation().is_some() {
            Self::OnePly
        } else {
            Self::Structure
        }
    }
}

impl fmt::Display for Layer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

/// A name that no layer has.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
#[error("a layer is none, structure, one-ply or persistent")]
pub struct UnknownLayer;

impl FromStr for Layer {
    type Err = UnknownLayer;

    fn from_str(name: &str) -> Result<Self, UnknownLayer> {
        Self::ALL.into_iter().find(|layer| layer.word() == name).ok_or(UnknownLayer)
    }
}

/// Why a layer cannot be drawn.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LayerError {
    /// Only the layer persistent has reaches.
    #[error("a reach needs the layer persistent")]
    ReachNeedsPersistent,
    /// There is no certificate to draw.
    #[error(transparent)]
    NoCertificate(#[from] PermanentError),
    /// The reach cannot be shown.
    #[error(transparent)]
    Reach(#[from] ReachError),
}

impl LayerError {
    /// A stable name of the failure, for programs.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::ReachNeedsPersistent => "diagram/reach-needs-persistent",
            Self::NoCertificate(error) => error.code(),
            Self::Reach(error) => error.code(),
        }
    }
}

impl Diagram {
    /// A layer of an input that is being assessed, and where one piece can ever stand.
    ///
    /// Without a layer, a reach is drawn on [`Layer::Persistent`], and otherwise `default` is drawn.
    ///
    /// ```
    /// use bitmesh::Assessment;
    /// use bitmesh::shakmaty::Square;
    /// use bitmesh_diagram::{Diagram, Layer};
    ///
    /// let wall = Assessment::read("7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1")?;
    /// let diagram = Diagram::of_layer(&wall, None, Some(Square::A1), Layer::Structure)?;
    /// assert_eq!(diagram.title, "For ever: 2 regions, exact sum, dead position");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When a reach is asked for on another layer, when the input is not a position where the layer persistent is
    /// drawn, and when the reach cannot be shown.
    pub fn of_layer(
        assessment: &Assessment,
        layer: Option<Layer>,
        reach: Option<Square>,
        default: Layer,
    ) -> Result<Self, LayerError> {
        let without = if reach.is_some() { Layer::Persistent } else { default };
        match (layer.unwrap_or(without), reach) {
            (Layer::None | Layer::Structure | Layer::OnePly, Some(_)) => {
                Err(LayerError::ReachNeedsPersistent)
            }
            (Layer::None, None) => Ok(Self::new(assessment.board().clone())),
            (Layer::Structure, None) => Ok(Self::structure_of(assessment)),
            (Layer::OnePly, None) => Ok(Self::one_ply_of(assessment)),
            (Layer::Persistent, reach) => {
                let checked = assessment.reaches()?;
                let mut diagram = Self::persistent(checked);
                if let Some(square) = reach {
                    diagram.show_reach(checked, square)?;
                }
                Ok(diagram)
            }
        }
    }
}
