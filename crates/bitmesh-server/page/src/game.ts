// A game: its moves, and a strip that shows at which ply what began to hold.

import { Chess } from 'chessops/chess';
import { makeBoardFen, parseFen } from 'chessops/fen';
import { makeSan } from 'chessops/san';
import { makeSquare } from 'chessops/util';
import type { Move } from 'chessops/types';
import type { End, Row, Square } from './api.ts';
import { byId, button, el } from './dom.ts';
import { split } from './position.ts';

export interface Ply {
  fen: string;
  san: string;
  squares: Square[];
  row: Row;
}

export interface Game {
  number: number;
  rows: Row[];
  errors: string[];
}

/** A game whose moves were made out. */
interface Played extends Game {
  plies: Ply[];
}

/** The move that leads from one position to the next. */
function moveBetween(from: string, to: string): { san: string; squares: Square[] } {
  const unknown = { san: '?', squares: [] };
  const setup = parseFen(from);
  if (setup.isErr) return unknown;
  const chess = Chess.fromSetup(setup.value);
  if (chess.isErr) return unknown;
  const wanted = split(to).placement;
  for (const [origin, targets] of chess.value.allDests()) {
    for (const target of targets) {
      const moves: Move[] = [{ from: origin, to: target }];
      for (const promotion of ['queen', 'rook', 'bishop', 'knight'] as const) moves.push({ from: origin, to: target, promotion });
      const isPawn = chess.value.board.pawn.has(origin) && (target >= 56 || target < 8);
      for (const move of isPawn ? moves.slice(1) : moves.slice(0, 1)) {
        const after = chess.value.clone();
        after.play(move);
        if (makeBoardFen(after.board) === wanted) {
          return { san: makeSan(chess.value, move), squares: [makeSquare(origin), makeSquare(target)] };
        }
      }
    }
  }
  return unknown;
}

/** The games of a scan, in their order. */
export function games(rows: Row[]): Game[] {
  const found = new Map<number, Game>();
  for (const row of rows) {
    const number = row.game ?? 0;
    const game = found.get(number) ?? { number, rows: [], errors: [] };
    found.set(number, game);
    if (row.error) game.errors.push(row.ply === null ? row.error : `half-move ${row.ply}: ${row.error}`);
    if (row.fen && row.ply !== null) game.rows.push(row);
  }
  return [...found.values()].filter(game => game.rows.length > 0);
}

/** Who played, as far as the game says. */
function gameName(game: Game): string {
  const row = game.rows[0];
  const players = row?.White || row?.Black ? `${row.White ?? '?'} – ${row.Black ?? '?'}` : '';
  const year = /^\d{4}/.exec(row?.Date ?? '')?.[0];
  return [`game ${game.number}`, players, year].filter(Boolean).join(', ');
}

function played(game: Game): Played {
  const plies: Ply[] = [];
  for (const row of game.rows) {
    const before = plies.at(-1);
    const fen = row.fen ?? '';
    const move = before ? moveBetween(before.fen, fen) : { san: '', squares: [] };
    plies.push({ fen, ...move, row });
  }
  return { ...game, plies };
}

interface Lane {
  name: string;
  short: string;
  holds: (row: Row) => boolean;
}

/** Decided so, or proved on the way. */
const neverMates = (row: Row, color: 'white' | 'black'): boolean =>
  row[`decided_${color}`] === 'unwinnable' || row[`unwinnable_${color}`] === true;

const isDead = (row: Row): boolean => neverMates(row, 'white') && neverMates(row, 'black');

const lanes: Lane[] = [
  { name: 'divided for the rest of the game', short: 'divided', holds: row => (row.persistent_components ?? 0) >= 2 },
  { name: 'White can never give mate', short: 'no mate by White', holds: row => neverMates(row, 'white') },
  { name: 'Black can never give mate', short: 'no mate by Black', holds: row => neverMates(row, 'black') },
  { name: 'dead', short: 'dead', holds: isDead },
];

/** Whether there is something to see in a game besides the mate at its end. */
const claims = (game: Game): boolean =>
  game.rows.some((row, index) => lanes.some(lane => lane.holds(row)) && (index < game.rows.length - 1 || isDead(row)));

const SVG = 'http://www.w3.org/2000/svg';

function svg(name: string, attributes: Record<string, string | number>): SVGElement {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  return element;
}

/** How a score sheet writes the number of a ply; counted from the start of the game. */
function moveNumber(game: Played, index: number): string {
  const blackBegan = split(game.plies[0]?.fen ?? '').turn === 'b';
  const halves = index - 1 + (blackBegan ? 1 : 0);
  return `${Math.floor(halves / 2) + 1}${halves % 2 === 0 ? '.' : '…'}`;
}

const HEIGHT = 10;

export class GameView {
  private game: Played | undefined;
  private at = 0;
  private readonly slider = el('input', { type: 'range', min: '0', step: '1', 'aria-label': 'Position of the game' });
  private readonly said = el('output', {});
  private readonly moves = el('ol', { class: 'moves', 'aria-label': 'Moves of the game' });
  private cursor: SVGElement | undefined;

  constructor(private readonly onShow: (ply: Ply) => void, private readonly onClose: () => void) {
    this.slider.addEventListener('input', () => this.go(Number(this.slider.value)));
  }

  get isOpen(): boolean {
    return this.game !== undefined;
  }

  open(all: Game[], end: End | undefined): void {
    const box = byId('game');
    const choose = el('select', { 'aria-label': 'Game', change: () => this.show(all[Number(choose.value)], body) });
    all.forEach((game, index) => choose.append(el('option', { value: String(index) }, `${gameName(game)}, ${game.rows.length - 1} half-moves${claims(game) ? ' ●' : ''}`)));
    const remarks = (end?.remarks ?? []).map(remark => el('li', {}, remark.count > 1 ? `${remark.count} times: ` : '', remark.message, ' ', el('code', {}, remark.code)));
    const body = el('div', {});
    box.replaceChildren(
      el('div', { class: 'row' }, el('h3', {}, all.length > 1 || !all[0] ? 'The game' : `The ${gameName(all[0])}`), all.length > 1 ? choose : null, button('Close the game', () => this.close())),
      body,
      end ? '' : el('p', { class: 'refusal' }, 'There are more games in the file than the page shows. bitmesh scan reads them all.'),
      remarks.length ? el('details', {}, el('summary', {}, `${remarks.length} remarks about the file`), el('ul', {}, ...remarks)) : '',
    );
    box.hidden = false;
    // The first game of which something is proved is the one to look at.
    const first = Math.max(0, all.findIndex(claims));
    choose.value = String(first);
    this.show(all[first], body);
  }

  private show(chosen: Game | undefined, body: HTMLElement): void {
    if (!chosen) return;
    const game = played(chosen);
    this.game = game;
    this.render(game, body);
    // Where it became dead is what was asked for; else the end.
    const dead = game.plies.findIndex(ply => isDead(ply.row));
    this.go(dead >= 0 ? dead : game.plies.length - 1);
  }

  private render(game: Played, body: HTMLElement): void {
    const count = game.plies.length;
    this.slider.max = String(Math.max(0, count - 1));
    const events = lanes.map(lane => {
      const first = game.plies.findIndex(ply => lane.holds(ply.row));
      const ply = game.plies[first];
      return ply
        ? el('li', {}, `${lane.name} since `, button(first === 0 ? 'the start' : `${moveNumber(game, first)} ${ply.san}`, () => this.go(first), { class: 'quiet' }))
        : null;
    }).filter(event => event !== null);
    this.moves.replaceChildren(...game.plies.slice(1).map((ply, index) =>
      el('li', {}, button(`${moveNumber(game, index + 1)} ${ply.san}`, () => this.go(index + 1), { class: 'quiet' }))));
    const step = (text: string, label: string, to: () => number): HTMLButtonElement =>
      button(text, () => this.go(to()), { 'aria-label': label, title: label });
    body.replaceChildren(
      events.length
        ? el('ul', { class: 'events' }, ...events)
        : el('p', {}, 'In no position of the game was it proved that the board is divided, or that a side can no longer give mate.'),
      this.strip(game),
      this.slider,
      el('div', { class: 'row', role: 'group', 'aria-label': 'Play the game' },
        step('|◀', 'Start of the game', () => 0),
        step('◀', 'One move back (left arrow key)', () => this.at - 1),
        step('▶', 'One move on (right arrow key)', () => this.at + 1),
        step('▶|', 'End of the game', () => count - 1),
        this.said),
      this.moves,
      game.errors.length ? el('ul', { class: 'refusal' }, ...game.errors.map(error => el('li', {}, error))) : '',
    );
  }

  /** One column a ply, one lane a claim. */
  private strip(game: Played): HTMLElement {
    const count = game.plies.length;
    const picture = svg('svg', { viewBox: `0 0 ${count} ${lanes.length * HEIGHT}`, preserveAspectRatio: 'none', class: 'strip', 'aria-hidden': 'true' });
    picture.addEventListener('click', event => {
      const box = picture.getBoundingClientRect();
      this.go(Math.floor(((event as MouseEvent).clientX - box.left) / box.width * count));
    });
    lanes.forEach((lane, index) => {
      picture.append(svg('rect', { x: 0, y: index * HEIGHT, width: count, height: HEIGHT - 1, class: 'lane' }));
      // Neighbours that hold are one bar.
      for (let begin = 0; begin < count; begin++) {
        const holds = (at: number): boolean => lane.holds((game.plies[at] as Ply).row);
        if (!holds(begin)) continue;
        let stop = begin;
        while (stop < count && holds(stop)) stop++;
        picture.append(svg('rect', { x: begin, y: index * HEIGHT, width: stop - begin, height: HEIGHT - 1, class: `holds lane-${index}` }));
        begin = stop;
      }
    });
    this.cursor = svg('rect', { y: 0, width: 1, height: lanes.length * HEIGHT, class: 'cursor' });
    picture.append(this.cursor);
    const names = el('div', { class: 'lane-names', 'aria-hidden': 'true' }, ...lanes.map(lane => el('span', {}, lane.short)));
    const holder = el('div', { class: 'strip-box' }, names);
    holder.append(picture);
    return holder;
  }

  go(to: number): void {
    if (!this.game) return;
    this.at = Math.max(0, Math.min(to, this.game.plies.length - 1));
    const ply = this.game.plies[this.at];
    if (!ply) return;
    this.slider.value = String(this.at);
    const holding = lanes.filter(lane => lane.holds(ply.row)).map(lane => lane.name).join(', ');
    const name = this.at === 0 ? 'start' : `${moveNumber(this.game, this.at)} ${ply.san}`;
    this.said.value = `${this.at} of ${this.game.plies.length - 1}: ${name}`;
    this.slider.setAttribute('aria-valuetext', `half-move ${this.at}, ${name}${holding ? `: ${holding}` : ''}`);
    this.cursor?.setAttribute('x', String(this.at));
    this.moves.querySelectorAll('button').forEach((each, index) => {
      if (index + 1 === this.at) each.setAttribute('aria-current', 'step');
      else each.removeAttribute('aria-current');
    });
    const current = this.moves.querySelector<HTMLElement>('[aria-current]');
    if (current) this.moves.scrollTop = current.offsetTop - this.moves.clientHeight / 2;
    this.onShow(ply);
  }

  step(by: number): void {
    this.go(this.at + by);
  }

  close(): void {
    this.forget();
    this.onClose();
  }

  forget(): void {
    this.game = undefined;
    byId('game').hidden = true;
    byId('game').replaceChildren();
  }
}
