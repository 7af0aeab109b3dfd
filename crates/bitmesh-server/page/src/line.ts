// Moves one after the other: a line to mate.

import { Chess } from 'chessops/chess';
import { makeFen, parseFen } from 'chessops/fen';
import { makeSanAndPlay } from 'chessops/san';
import { makeSquare, parseUci } from 'chessops/util';
import { isDrop } from 'chessops/types';
import type { MateLine, Square } from './api.ts';
import { button, byId, el } from './dom.ts';

interface Step {
  fen: string;
  san: string;
  squares: Square[];
}

export class LinePlayer {
  private steps: Step[] = [];
  private at = 0;
  private readonly position = el('output', { 'aria-live': 'polite' });
  private readonly moves = el('ol', { class: 'moves', 'aria-label': 'Moves of the line' });
  private buttons: HTMLButtonElement[] = [];

  constructor(
    private readonly onShow: (fen: string, lastMove: Square[]) => void,
    private readonly onClose: () => void,
  ) {}

  get isOpen(): boolean {
    return this.steps.length > 0;
  }

  open(line: MateLine): void {
    const chess = Chess.fromSetup(parseFen(line.position).unwrap()).unwrap();
    this.steps = [{ fen: line.position, san: '', squares: [] }];
    for (const uci of line.moves) {
      const move = parseUci(uci);
      if (!move || isDrop(move)) throw new Error(`the line has ${uci}, which is not a move`);
      const san = makeSanAndPlay(chess, move);
      this.steps.push({ fen: makeFen(chess.toSetup()), san, squares: [makeSquare(move.from), makeSquare(move.to)] });
    }
    const winner = line.winner === 'white' ? 'White' : 'Black';
    const step = (text: string, label: string, to: () => number): HTMLButtonElement =>
      button(text, () => this.go(to()), { 'aria-label': label, title: label });
    const first = step('|◀', 'First position', () => 0);
    const back = step('◀', 'One move back (left arrow key)', () => this.at - 1);
    const forward = step('▶', 'One move on (right arrow key)', () => this.at + 1);
    const last = step('▶|', 'Mate', () => this.steps.length - 1);
    this.buttons = [first, back, forward, last];
    this.moves.replaceChildren(...this.steps.slice(1).map((each, index) =>
      el('li', {}, button(each.san, () => this.go(index + 1), { class: 'quiet' }))));
    const box = byId('line');
    box.replaceChildren(
      el('h3', {}, `A line to mate by ${winner}, ${line.moves.length === 1 ? '1 half-move' : `${line.moves.length} half-moves`}`),
      el('p', {}, 'Both sides help each other: the line shows that mate is possible, not that it can be forced.'),
      el('div', { class: 'row', role: 'group', 'aria-label': 'Play the line' }, ...this.buttons, this.position,
        button('Close the line', () => this.close())),
      this.moves,
    );
    box.hidden = false;
    this.go(0);
  }

  go(to: number): void {
    this.at = Math.max(0, Math.min(to, this.steps.length - 1));
    const step = this.steps[this.at];
    if (!step) return;
    const [first, back, forward, last] = this.buttons;
    for (const each of [first, back]) if (each) each.disabled = this.at === 0;
    for (const each of [forward, last]) if (each) each.disabled = this.at === this.steps.length - 1;
    this.position.value = `${this.at} of ${this.steps.length - 1}${step.san ? `: ${step.san}` : ''}`;
    this.moves.querySelectorAll('button').forEach((each, index) => {
      if (index + 1 === this.at) each.setAttribute('aria-current', 'step');
      else each.removeAttribute('aria-current');
    });
    const current = this.moves.querySelector<HTMLElement>('[aria-current]');
    if (current) this.moves.scrollTop = current.offsetTop - this.moves.clientHeight / 2;
    this.onShow(step.fen, step.squares);
  }

  step(by: number): void {
    this.go(this.at + by);
  }

  close(): void {
    if (!this.isOpen) return;
    this.forget();
    this.onClose();
  }

  /** Closes without showing anything: another position comes. */
  forget(): void {
    this.steps = [];
    byId('line').hidden = true;
    byId('line').replaceChildren();
  }
}
