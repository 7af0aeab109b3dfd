// Positions of the handbook, one click each.

export const gallery: { name: string; fen: string }[] = [
  { name: 'A wall of sixteen pawns', fen: '7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1' },
  { name: 'The same wall, broken en passant', fen: '7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 b - a3 0 1' },
  { name: 'A real game, played on though dead', fen: '1b1k4/8/1p1p1p1p/pP1PpP1P/P3P1K1/8/8/8 w - - 0 50' },
  { name: 'A queen that can give herself up', fen: '3kb3/8/8/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/2BQK3 w - - 0 1' },
];
