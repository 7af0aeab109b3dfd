// The text of a position, field by field.

import type { Square } from './api.ts';

export interface Fields {
  placement: string;
  turn: 'w' | 'b';
  castling: string;
  enPassant: string;
  rest: string;
}

export const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';
export const EMPTY = '8/8/8/8/8/8/8/8';

export function split(fen: string): Fields {
  const [placement = EMPTY, turn = 'w', castling = '-', enPassant = '-', ...rest] = fen.split(' ');
  return { placement, turn: turn === 'b' ? 'b' : 'w', castling, enPassant, rest: rest.join(' ') || '0 1' };
}

export const join = (fields: Fields): string =>
  [fields.placement, fields.turn, fields.castling, fields.enPassant, fields.rest].join(' ');

export const colorOf = (fen: string): 'white' | 'black' => (split(fen).turn === 'b' ? 'black' : 'white');

export const files = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'] as const;

export const isDark = (square: Square): boolean =>
  (square.charCodeAt(0) - 97 + (square.charCodeAt(1) - 49)) % 2 === 0;

/** Every piece of a placement by its square, as in `["e1", "K"]`. */
export function pieces(placement: string): Map<Square, string> {
  const found = new Map<Square, string>();
  placement.split('/').forEach((rank, row) => {
    let file = 0;
    for (const character of rank) {
      const empty = Number(character);
      if (empty) file += empty;
      else if (character !== '~') found.set(`${files[file++]}${8 - row}`, character);
    }
  });
  return found;
}

const names: Record<string, string> = { p: 'pawn', n: 'knight', b: 'bishop', r: 'rook', q: 'queen', k: 'king' };

export const pieceName = (letter: string): string =>
  `${letter === letter.toUpperCase() ? 'white' : 'black'} ${names[letter.toLowerCase()] ?? 'piece'}`;

/** The rights whose king and rook stand where the usual start has them: moving either in the editor ends a right. */
export function possibleCastling(placement: string, wanted: string): string {
  const board = pieces(placement);
  const places: Record<string, [Square, Square]> = { K: ['e1', 'h1'], Q: ['e1', 'a1'], k: ['e8', 'h8'], q: ['e8', 'a8'] };
  const kept = [...'KQkq'].filter(right => {
    const [king, rook] = places[right] as [Square, Square];
    const own = right === right.toUpperCase() ? (piece: string) => piece : (piece: string) => piece.toLowerCase();
    return wanted.includes(right) && board.get(king) === own('K') && board.get(rook) === own('R');
  });
  return kept.join('') || '-';
}
