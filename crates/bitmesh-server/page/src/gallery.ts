// Positions of the handbook, one click each.

export const gallery: { name: string; fen: string }[] = [
  { name: 'A wall of sixteen pawns', fen: '7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1' },
  { name: 'The same wall, broken en passant', fen: '7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 b - a3 0 1' },
  { name: 'A real game, played on though dead', fen: '1b1k4/8/1p1p1p1p/pP1PpP1P/P3P1K1/8/8/8 w - - 0 50' },
  { name: 'Six games that never meet', fen: '3k4/1p4p1/bPp2pPb/n1P2P1n/N1p2p1N/BpP2PpB/1P4P1/3K4 w - - 0 1' },
  { name: 'Two parts, joined by checks', fen: '1b6/8/1kBp4/p1pPp1p1/P1P1PpP1/3K1P2/8/8 b - - 0 1' },
  { name: 'Divided, and Black never mates', fen: '5b2/p7/Pp3k2/1Pp1pBp1/2P1P1P1/5K2/8/8 w - - 0 1' },
  { name: 'A rook against a king', fen: '7k/8/8/8/8/8/8/RK6 w - - 0 1' },
  { name: 'A queen that can give herself up', fen: '3kb3/8/8/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/2BQK3 w - - 0 1' },
];
