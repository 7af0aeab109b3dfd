//! Which columns of a table hold what: by their names, and where no name fits, by their contents.

use std::fmt;

use bitmesh::looks_like_placement as is_placement;

use crate::pgn;
use crate::problem::Problem;
use crate::table::{At, Cells, Column, Wanted};

/// Names that a column of positions usually has, in any case.
pub(crate) const POSITION_COLUMNS: [&str; 2] = ["fen", "epd"];
/// Names that a column of games usually has, in any case.
pub(crate) const MOVETEXT_COLUMNS: [&str; 3] = ["movetext", "pgn", "moves"];
pub(crate) const MOVES_COLUMN: &str = "moves";

/// Names of columns with one field of a FEN each, without blanks and signs, in the order of the fields.
const FIELD_COLUMNS: [&[&str]; 4] = [
    &["placement", "pieces", "piecesplacement", "pieceplacement", "board"],
    &[
        "turn",
        "side",
        "sidetomove",
        "stm",
        "tomove",
        "active",
        "activecolor",
        "activecolour",
        "colortomove",
        "colourtomove",
        "playertomove",
        "whosemove",
        "whoseturn",
    ],
    &["castling", "castlingrights", "castlingavailability", "castle"],
    &["ep", "enpassant", "epsquare", "enpassantsquare", "enpassanttarget", "enpassanttargetsquare"],
];

/// What is read from a row.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) enum What {
    /// The position in one cell.
    Position(usize),
    /// The position in several: placement, side to move, castling, en passant, as far as they are there.
    Fields(Vec<usize>),
    /// A game, and the cell of the position that it starts from.
    Game { movetext: usize, start: Option<usize> },
}

/// The columns that are read.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    pub(crate) what: What,
    /// The moves of which the first is played.
    pub(crate) moves: Option<usize>,
    /// The columns that are carried along, as far as they are there.
    pub(crate) carried: Vec<Option<usize>>,
    /// What is to be said about them: code and words.
    pub(crate) told: Vec<(&'static str, String)>,
}

/// What is known about a table before its rows are read.
pub(crate) struct Sample<'a> {
    /// The names of the columns; numbers if they have none.
    pub(crate) names: &'a [String],
    pub(crate) has_header: bool,
    /// Cells of the first rows; a column that holds no text may be left empty.
    pub(crate) rows: &'a [Vec<String>],
}

impl Sample<'_> {
    fn named(&self, name: &str) -> Option<usize> {
        let exact = self.names.iter().position(|other| other == name);
        let found = exact.or_else(|| self.names.iter().position(|other| other.eq_ignore_ascii_case(name)));
        found.filter(|_| self.has_header)
    }

    /// Whether most of the cells of a column that hold anything are so.
    fn is_mostly(&self, column: usize, test: impl Fn(&str) -> bool) -> bool {
        let cells = self.rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.trim());
        let (mut all, mut good) = (0, 0);
        for cell in cells.filter(|cell| !cell.is_empty()) {
            all += 1;
            good += usize::from(test(cell));
        }
        good * 2 > all
    }

    fn by_content(&self, test: impl Fn(&str) -> bool) -> Option<usize> {
        (0..self.names.len()).find(|&column| self.is_mostly(column, &test))
    }

    /// The column of a field of the FEN, by its name and its content.
    fn field(&self, index: usize) -> Option<usize> {
        let test: fn(&str) -> bool = match index {
            1 => is_side,
            2 => is_castling,
            _ => is_en_passant,
        };
        let is_named = |name: &String| {
            let letters: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
            FIELD_COLUMNS[index].contains(&letters.to_ascii_lowercase().as_str())
        };
        let named = (0..self.names.len()).filter(|&column| self.has_header && is_named(&self.names[column]));
        named.into_iter().find(|&column| self.is_mostly(column, test))
    }

    fn missing(&self, what: &dyn fmt::Display) -> Problem {
        let found = self.names.join(", ");
        Problem::new("table/no-column", format!("no column {what}; the columns are: {found}"))
    }

    fn resolve(&self, column: &Column) -> Result<usize, Problem> {
        match column {
            Column::Name(name) => self.named(name).ok_or_else(|| self.missing(name)),
            Column::Number(number) => Some(*number - 1)
                .filter(|&index| index < self.names.len())
                .ok_or_else(|| self.missing(number)),
        }
    }

    /// Finds the columns.
    ///
    /// # Errors
    ///
    /// When a column that is wanted is not there, or none holds positions or games.
    pub(crate) fn layout(&self, wanted: &Wanted) -> Result<Layout, Problem> {
        let (what, found) = match &wanted.column {
            Some(column) => (self.wanted(column)?, None),
            None => self.find()?,
        };
        let moves = match (wanted.first_move, &what) {
            (false, _) => None,
            (true, _) if self.has_header => {
                Some(self.named(MOVES_COLUMN).ok_or_else(|| self.missing(&MOVES_COLUMN))?)
            }
            // Without a header: where the puzzle file has it.
            (true, What::Position(position)) if position + 1 < self.names.len() => Some(position + 1),
            (true, _) => return Err(self.missing(&"of moves after the position")),
        };
        let carried: Vec<_> = wanted.carried.iter().map(|name| self.named(name)).collect();
        let mut told: Vec<_> = found.into_iter().collect();
        if let What::Position(column) | What::Game { movetext: column, .. } = what
            && self.has_header
        {
            let taken = &self.names[column];
            let is_alike =
                |(index, name): &(usize, &String)| *index != column && name.eq_ignore_ascii_case(taken);
            if let Some((_, other)) = self.names.iter().enumerate().find(is_alike) {
                let message = format!("columns {taken} and {other} differ in case only; {taken} is read");
                told.push(("table/columns-alike", message));
            }
        }
        for (name, column) in wanted.carried.iter().zip(&carried) {
            if column.is_none() {
                let found = self.names.join(", ");
                let message = format!("no column {name} to carry along; the columns are: {found}");
                told.push(("table/column-not-there", message));
            }
        }
        Ok(Layout { what, moves, carried, told })
    }

    /// The columns that the caller has named: one, or the fields of a FEN with commas between them.
    fn wanted(&self, column: &Column) -> Result<What, Problem> {
        let several = match column {
            Column::Name(name) if name.contains(',') && self.named(name).is_none() => name,
            _ => {
                let column = self.resolve(column)?;
                return Ok(if self.is_mostly(column, is_movetext) && !self.is_mostly(column, is_position) {
                    self.game(column)
                } else {
                    What::Position(column)
                });
            }
        };
        let columns = several.split(',').map(|name| match name.trim().parse() {
            Ok(column) => self.resolve(&column),
            Err(_) => Err(self.missing(&several)),
        });
        columns.collect::<Result<_, _>>().map(What::Fields)
    }

    fn game(&self, movetext: usize) -> What {
        let start =
            POSITION_COLUMNS.iter().find_map(|name| self.named(name)).filter(|&start| start != movetext);
        What::Game { movetext, start }
    }

    #[allow(clippy::type_complexity, reason = "code and words of a notice")]
    fn find(&self) -> Result<(What, Option<(&'static str, String)>), Problem> {
        let named = POSITION_COLUMNS.iter().find_map(|name| self.named(name));
        let is_board_only = |column| self.is_mostly(column, is_placement) && !self.rows.is_empty();
        if let Some(column) = named.filter(|&column| !is_board_only(column) || self.field(1).is_none()) {
            return Ok((What::Position(column), None));
        }
        let told = |column: usize, what: &str| {
            let name = &self.names[column];
            let message = format!("column {name} is read as {what} because of its contents");
            self.has_header.then_some(("table/column-found", message))
        };
        if named.is_none()
            && !self.rows.is_empty()
            && let Some(column) = self.by_content(is_position)
        {
            return Ok((What::Position(column), told(column, "the positions")));
        }
        let boards = named.or_else(|| self.by_content(is_placement).filter(|_| !self.rows.is_empty()));
        if let Some(placement) = boards {
            let Some(turn) = self.field(1) else {
                return Ok((What::Position(placement), told(placement, "boards without a side to move")));
            };
            let fields = [Some(placement), Some(turn), self.field(2), self.field(3)];
            // The place of a missing field must not be taken by the next one.
            let until = if fields[2].is_none() { 2 } else { 4 };
            let fields: Vec<usize> = fields.into_iter().take(until).flatten().collect();
            let names: Vec<&str> = fields.iter().map(|&column| self.names[column].as_str()).collect();
            let message = match fields.len() {
                2 => "castling and en passant are read as -",
                3 => "en passant is read as -",
                _ => "the counters do not matter",
            };
            let message = format!("columns {} are read as one position; {message}", names.join(", "));
            return Ok((What::Fields(fields), Some(("table/columns-joined", message))));
        }
        let movetext = MOVETEXT_COLUMNS.iter().filter_map(|name| self.named(name));
        let movetext = movetext.into_iter().find(|&column| self.is_mostly(column, is_movetext));
        if !self.rows.is_empty()
            && let Some(column) = movetext.or_else(|| self.by_content(is_movetext))
        {
            return Ok((self.game(column), told(column, "a game in each row")));
        }
        Err(self.missing(&POSITION_COLUMNS[0]))
    }
}

impl Layout {
    /// Keeps what is wanted of a row: `cell` gives the bytes of a column.
    pub(crate) fn push<'a>(
        &self,
        cells: &mut Cells,
        at: At,
        games: &mut u64,
        cell: impl Fn(usize) -> &'a [u8],
    ) {
        match &self.what {
            What::Position(position) => cells.push(at, cell(*position), self.moves.map(&cell)),
            What::Fields(columns) => {
                // Castling and en passant without a column are `-`.
                let fields = columns.iter().map(|&column| cell(column));
                let none = [&b"-"[..], b"-"];
                cells.push_fields(at, fields.chain(none).take(columns.len().max(4)));
            }
            What::Game { movetext, start } => {
                *games += 1;
                cells.push_game(at, *games, cell(*movetext), start.map(&cell));
            }
        }
        for column in &self.carried {
            cells.carry(column.map(&cell).unwrap_or_default());
        }
    }
}

impl What {
    /// The columns that it needs.
    #[cfg(feature = "parquet")]
    pub(crate) fn columns(&self) -> Vec<usize> {
        match self {
            Self::Position(column) => vec![*column],
            Self::Fields(columns) => columns.clone(),
            Self::Game { movetext, start } => std::iter::once(*movetext).chain(*start).collect(),
        }
    }

    /// The column that shows that cells are a row of the table, if it does.
    pub(crate) fn told_by<'a>(&self, cell: impl Fn(usize) -> Option<&'a [u8]>) -> Option<usize> {
        let text = |column: usize| cell(column).and_then(|cell| std::str::from_utf8(cell).ok());
        // A stray quote may stand before it.
        let text = |column: usize| text(column).map(|text| text.trim_start_matches('"').trim());
        let (column, test): (_, fn(&str) -> bool) = match self {
            Self::Position(column) => (*column, |text| is_position(text) || is_placement(text)),
            Self::Fields(columns) => (*columns.first()?, is_placement),
            Self::Game { movetext, .. } => (*movetext, is_movetext),
        };
        text(column).is_some_and(test).then_some(column)
    }
}

/// Whether a text begins with a placement and a side to move.
pub(crate) fn is_position(text: &str) -> bool {
    let mut fields = text.split(|found: char| found.is_whitespace() || found == '_');
    fields.next().is_some_and(is_placement) && matches!(fields.next(), Some("w" | "b"))
}

/// Whether a text is a game, or its moves.
pub(crate) fn is_movetext(text: &str) -> bool {
    pgn::looks_like_game(text)
}

fn is_side(text: &str) -> bool {
    ["w", "b", "white", "black"].iter().any(|side| text.eq_ignore_ascii_case(side))
}

fn is_castling(text: &str) -> bool {
    text == "-" || text.len() <= 4 && text.bytes().all(|byte| b"KQkqABCDEFGHabcdefgh".contains(&byte))
}

fn is_en_passant(text: &str) -> bool {
    text == "-" || matches!(text.as_bytes(), [b'a'..=b'h', b'3' | b'6'])
}

#[cfg(test)]
mod tests {
    use super::*;

    const WALL: &str = "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7";

    fn layout(
        header: &str,
        rows: &[&str],
        column: Option<&str>,
    ) -> Result<(What, Option<&'static str>), &'static str> {
        let split = |line: &str| line.split(',').map(str::to_owned).collect::<Vec<_>>();
        let rows: Vec<Vec<String>> = rows.iter().map(|row| split(row)).collect();
        let names = split(header);
        let sample = Sample { names: &names, has_header: true, rows: &rows };
        let column = column.map(|column| column.parse().unwrap());
        let found =
            sample.layout(&Wanted { column, ..Wanted::default() }).map_err(|problem| problem.code())?;
        Ok((found.what, found.told.first().map(|&(code, _)| code)))
    }

    #[test]
    fn names_come_first() {
        let rows = [&*format!("{WALL} w - - 0 1,{WALL} b - - 0 1")];
        assert_eq!(layout("position,FEN", &rows, None), Ok((What::Position(1), None)));
        assert_eq!(layout("position,FEN", &rows, Some("Position")), Ok((What::Position(0), None)));
        assert_eq!(layout("position,FEN", &rows, Some("2")), Ok((What::Position(1), None)));
        assert_eq!(layout("position,FEN", &rows, Some("board")), Err("table/no-column"));
        assert_eq!(layout("a,fen", &[], None), Ok((What::Position(1), None)));
    }

    #[test]
    fn content_decides_where_no_name_fits() {
        let row = format!("1,{WALL} w - - 0 1");
        let found = Some("table/column-found");
        assert_eq!(layout("id,position", &[&row, "2,", &row], None), Ok((What::Position(1), found)));
        assert_eq!(
            layout("id,x", &["1,e4 e5 Nf3"], None),
            Ok((What::Game { movetext: 1, start: None }, found))
        );
        assert_eq!(
            layout("id,x", &["1,1. e4 e5 *"], None),
            Ok((What::Game { movetext: 1, start: None }, found))
        );
        assert_eq!(layout("id,x", &[&format!("1,{WALL}")], None), Ok((What::Position(1), found)));
        for rows in [&["1,hello"][..], &["1,"], &[]] {
            assert_eq!(layout("id,x", rows, None), Err("table/no-column"));
        }
    }

    #[test]
    fn fields_in_columns_of_their_own_are_joined() {
        let joined = Some("table/columns-joined");
        let rows = [&*format!("1,{WALL},w,-,a3")];
        let fields = |columns: &[usize]| What::Fields(columns.to_vec());
        assert_eq!(layout("id,pieces,turn,x,y", &rows, None), Ok((fields(&[1, 2]), joined)));
        assert_eq!(layout("id,fen,Side to move,x,ep", &rows, None), Ok((fields(&[1, 2]), joined)));
        assert_eq!(layout("id,fen,stm,castling,ep", &rows, None), Ok((fields(&[1, 2, 3, 4]), joined)));
        assert_eq!(layout("id,a,b,c,d", &rows, Some("a,b")), Ok((fields(&[1, 2]), None)));
        assert_eq!(layout("id,a,b,c,d", &rows, Some("2,3,4,5")), Ok((fields(&[1, 2, 3, 4]), None)));
        assert_eq!(layout("id,a,b,c,d", &rows, Some("a,e")), Err("table/no-column"));
        // Who has won is not whose turn it is.
        let found = Some("table/column-found");
        assert_eq!(layout("id,pieces,winner,x,y", &rows, None), Ok((What::Position(1), found)));
    }

    #[test]
    fn names_that_differ_in_case_are_told_apart_and_noted() {
        let rows = [&*format!("{WALL} w - - 0 1,{WALL} b - - 0 1")];
        let alike = Some("table/columns-alike");
        assert_eq!(layout("FEN,fen", &rows, Some("fen")), Ok((What::Position(1), alike)));
        assert_eq!(layout("FEN,fen", &rows, Some("FEN")), Ok((What::Position(0), alike)));
        assert_eq!(layout("FEN,fen", &rows, None), Ok((What::Position(1), alike)));
    }

    #[test]
    fn puzzles_stay_puzzles() {
        let rows = [&*format!("1,{WALL} w - - 0 1,a1b1 h8g8")];
        assert_eq!(layout("PuzzleId,FEN,Moves", &rows, None), Ok((What::Position(1), None)));
    }
}
