//! How boards are written on this terminal.

use std::env;

use bitmesh_diagram::{Pieces, TextStyle};

use crate::console::Console;

/// The arguments of every command that writes a board.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub(crate) struct PieceArgs {
    /// Write pieces as letters, capitals for White.
    #[arg(long, conflicts_with = "unicode")]
    ascii: bool,
    /// Write pieces as chess figures. By default only on a terminal with a UTF-8 locale.
    #[arg(long)]
    unicode: bool,
}

impl PieceArgs {
    pub(crate) fn style(self, console: &Console) -> TextStyle {
        let figures = self.unicode || (!self.ascii && console.interactive() && locale_is_utf8());
        TextStyle {
            pieces: if figures { Pieces::Figures } else { Pieces::Letters },
            color: console.color(),
            cursor: console.interactive() && env::var_os("TERM").is_none_or(|term| term != "dumb"),
            legend: true,
        }
    }
}

/// Whether the first variable that decides about characters names UTF-8, in the order of POSIX.
fn locale_is_utf8() -> bool {
    let variables = ["LC_ALL", "LC_CTYPE", "LANG"].map(|name| env::var_os(name).unwrap_or_default());
    names_utf8(variables.iter().map(|value| value.to_string_lossy()))
}

fn names_utf8(values: impl Iterator<Item = impl AsRef<str>>) -> bool {
    let deciding = values.map(|value| value.as_ref().to_ascii_lowercase()).find(|value| !value.is_empty());
    deciding.is_some_and(|value| value.contains("utf-8") || value.contains("utf8"))
}

#[cfg(test)]
mod tests {
    use super::names_utf8;

    #[test]
    fn the_first_variable_that_is_set_decides() {
        for (values, expected) in [
            (["", "", "de_DE.UTF-8"], true),
            (["", "en_US.utf8", "C"], true),
            (["C", "", "en_US.UTF-8"], false),
            (["", "", "de_DE.ISO-8859-1"], false),
            (["", "", ""], false),
        ] {
            assert_eq!(names_utf8(values.iter()), expected, "{values:?}");
        }
    }
}
