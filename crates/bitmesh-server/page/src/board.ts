// The board: pieces that can be moved about, and what is shown on it.

import { Chessground } from '@lichess-org/chessground';
import type { Api } from '@lichess-org/chessground/api';
import type { DrawShape } from '@lichess-org/chessground/draw';
import type { Key, Piece } from '@lichess-org/chessground/types';
import type { Square } from './api.ts';
import { byId, el } from './dom.ts';
import { isDark } from './position.ts';

/** What is drawn on the squares. Regions come with their letters in order. */
export interface Overlay {
  barrier: Square[];
  regions: Square[][];
  arrows: { from: Square; to: Square }[];
  highlights: Square[];
  reach?: { square: Square; squares: Square[]; promoted: Square[] } | undefined;
  lastMove?: Square[] | undefined;
}

export const nothing: Overlay = { barrier: [], regions: [], arrows: [], highlights: [] };

const roles = ['king', 'queen', 'rook', 'bishop', 'knight', 'pawn'] as const;

export class Board {
  private readonly ground: Api;
  private brush: Piece | 'bin' | undefined;
  private shown = '';

  constructor(
    private readonly onEdit: (placement: string) => void,
    private readonly onSelect: (square: Square) => void,
  ) {
    this.ground = Chessground(byId('board'), {
      coordinates: true,
      movable: { free: true, color: 'both', showDests: false },
      draggable: { deleteOnDropOff: true, showGhost: true },
      premovable: { enabled: false },
      animation: { enabled: !matchMedia('(prefers-reduced-motion: reduce)').matches, duration: 150 },
      highlight: { lastMove: true, check: false },
      drawable: {
        enabled: false,
        visible: true,
        brushes: {
          arrow: { key: 'arrow', color: 'var(--mark-arrow)', opacity: 0.9, lineWidth: 11 },
        } as never,
      },
      events: {
        change: () => this.changed(),
        select: key => this.selected(key),
      },
    });
    for (const [id, color] of [['tray-top', 'black'], ['tray-bottom', 'white']] as const) this.fillTray(id, color);
    // A board that is laid out anew must learn where it is.
    new ResizeObserver(() => this.ground.redrawAll()).observe(byId('board'));
  }

  private fillTray(id: string, color: 'white' | 'black'): void {
    const tray = byId(id);
    tray.setAttribute('aria-label', `${color} pieces to put on the board`);
    const place = (event: MouseEvent | TouchEvent, piece: Piece): void => {
      if (event instanceof MouseEvent && event.button !== 0) return;
      event.preventDefault();
      this.ground.dragNewPiece(piece, event, true);
    };
    for (const role of roles) {
      const piece: Piece = { role, color };
      const tool = el('button', {
        type: 'button',
        class: `tool ${color} ${role}`,
        'aria-label': `${color} ${role}`,
        'aria-pressed': 'false',
        title: `Drag the ${color} ${role} onto the board, or press and then choose squares`,
        click: () => this.choose(tool, piece),
        mousedown: event => place(event as MouseEvent, piece),
        touchstart: event => place(event as TouchEvent, piece),
      });
      tray.append(tool);
    }
    const bin = el('button', {
      type: 'button',
      class: 'tool bin',
      'aria-label': 'Remove pieces',
      'aria-pressed': 'false',
      title: 'Press, and then choose the pieces to remove; or drag them off the board',
      click: () => this.choose(bin, 'bin'),
    }, '✕');
    tray.append(bin);
  }

  private choose(tool: HTMLElement, brush: Piece | 'bin'): void {
    const wasPressed = tool.getAttribute('aria-pressed') === 'true';
    for (const other of document.querySelectorAll('.tool')) other.setAttribute('aria-pressed', 'false');
    tool.setAttribute('aria-pressed', String(!wasPressed));
    this.brush = wasPressed ? undefined : brush;
  }

  private selected(key: Key): void {
    if (this.brush) {
      this.ground.setPieces(new Map([[key, this.brush === 'bin' ? undefined : this.brush]]));
      this.ground.selectSquare(null);
      this.changed();
    } else {
      this.onSelect(key);
    }
  }

  /** Puts a piece, or nothing, on a square, as the tray does. */
  private changed(): void {
    const placement = this.ground.getFen();
    if (placement === this.shown) return;
    this.shown = placement;
    this.onEdit(placement);
  }

  show(placement: string, overlay: Overlay): void {
    // Chessground writes every promoted piece plainly, so texts that differ in nothing else are the same.
    this.shown = placement;
    const lastMove = (overlay.lastMove ?? []) as Key[];
    this.ground.set({ fen: placement, lastMove, highlight: { custom: this.classes(overlay) } });
    this.shown = this.ground.getFen();
    const shapes: DrawShape[] = overlay.arrows.map(arrow => ({
      orig: arrow.from as Key,
      dest: arrow.to as Key,
      brush: 'arrow',
    }));
    this.ground.setAutoShapes(shapes);
  }

  private classes(overlay: Overlay): Map<Key, string> {
    const classes = new Map<Key, string>();
    const add = (squares: Square[], name: string): void => {
      for (const square of squares) {
        const key = square as Key;
        classes.set(key, `${classes.get(key) ?? (isDark(square) ? 'dark' : 'light')} ${name}`);
      }
    };
    const taken = new Set(overlay.barrier);
    add(overlay.barrier, 'ground-barrier');
    overlay.regions.forEach((squares, index) => {
      const own = squares.filter(square => !taken.has(square));
      for (const square of own) taken.add(square);
      add(own, `ground-${index % 7} letter-${index}`);
    });
    add(overlay.highlights, 'highlight');
    if (overlay.reach) {
      const { square, squares, promoted } = overlay.reach;
      add([square], 'reach-from');
      add(squares.filter(other => other !== square), 'reach');
      add(promoted.filter(other => other !== square && !squares.includes(other)), 'reach-promoted');
    }
    return classes;
  }

  flip(): void {
    this.ground.toggleOrientation();
    const [top, bottom] = [byId('tray-top'), byId('tray-bottom')];
    const [above, below] = [[...top.childNodes], [...bottom.childNodes]];
    top.replaceChildren(...below);
    bottom.replaceChildren(...above);
    const label = top.getAttribute('aria-label') ?? '';
    top.setAttribute('aria-label', bottom.getAttribute('aria-label') ?? '');
    bottom.setAttribute('aria-label', label);
  }

  redraw(): void {
    this.ground.redrawAll();
  }
}
