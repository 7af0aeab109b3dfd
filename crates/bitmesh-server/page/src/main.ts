// The explorer: what is asked, what is shown, and what the address says.

import '@lichess-org/chessground/assets/chessground.base.css';
import './style.css';
import { Problem, ask, diagram, scan, type Certify, type Decide, type Marks, type MateLine, type Prove, type Square } from './api.ts';
import { claimElement, flagFall, forEver, mate, onePly, structure, type Claim, type Knowledge } from './answer.ts';
import { Board, nothing, type Overlay } from './board.ts';
import { byId, button, el } from './dom.ts';
import { GameView, games } from './game.ts';
import { gallery } from './gallery.ts';
import { LinePlayer } from './line.ts';
import { EMPTY, START, colorOf, files, join, pieceName, pieces, possibleCastling, split } from './position.ts';
import { check } from './verify.ts';

const text = byId<HTMLTextAreaElement>('text');
const errorLine = byId('input-error');
const notes = byId('input-notes');
const turn = byId<HTMLSelectElement>('turn');
const enPassant = byId<HTMLSelectElement>('en-passant');
const castling = [...document.querySelectorAll<HTMLInputElement>('.castling')];
const reach = byId<HTMLSelectElement>('reach');

/** The position that is asked about, as a text. */
let fen = START;
let known: Knowledge | undefined;
let shownClaim = '';
let openClaims = new Set<string>();
let reachFrom: Square | undefined;
let marks: Marks | undefined;
let lastMove: Square[] = [];
let running = new AbortController();

const board = new Board(
  placement => edited({ placement }),
  square => showReach(square === reachFrom ? undefined : square),
);
const line = new LinePlayer(
  (position, squares) => {
    board.show(split(position).placement, { ...nothing, lastMove: squares });
    describe(position);
  },
  () => paint(),
);
const game = new GameView(
  ply => {
    text.value = ply.fen;
    void show(ply.fen, ply.squares);
  },
  () => text.focus(),
);

// ---- what is asked

const looksLikeGame = (value: string): boolean => /^\s*\[\w+\s+"/m.test(value) || /(^|\s)1\s*\.+\s*\S/.test(value);

async function submit(value: string): Promise<void> {
  if (looksLikeGame(value)) await showGame(value);
  else {
    game.forget();
    await show(value);
  }
}

function fail(error: unknown): void {
  if (error instanceof DOMException && error.name === 'AbortError') return;
  const problem = error instanceof Problem ? error : new Problem('page/error', error instanceof Error ? error.message : String(error));
  errorLine.replaceChildren(problem.message, ' ', el('code', {}, problem.code));
  errorLine.hidden = false;
  text.setAttribute('aria-invalid', 'true');
  const { line: row, column } = problem;
  if (row === undefined || column === undefined) return;
  // The place is counted in characters as a person counts them.
  const before = text.value.split('\n').slice(0, row - 1).reduce((sum, each) => sum + each.length + 1, 0);
  const prefix = [...(text.value.split('\n')[row - 1] ?? '')].slice(0, column - 1).join('');
  if (document.activeElement === text) text.setSelectionRange(before + prefix.length, before + prefix.length + 1);
}

function begin(): AbortSignal {
  running.abort();
  running = new AbortController();
  errorLine.hidden = true;
  errorLine.replaceChildren();
  text.removeAttribute('aria-invalid');
  document.body.setAttribute('aria-busy', 'true');
  return running.signal;
}

function finish(signal: AbortSignal): void {
  if (!signal.aborted) document.body.removeAttribute('aria-busy');
}

async function showGame(pgn: string | Blob): Promise<void> {
  const signal = begin();
  try {
    const { rows, end } = await scan(pgn, 'pgn', signal);
    const found = games(rows);
    if (found.length === 0) {
      const said = rows.find(row => row.error)?.error ?? end?.remarks[0]?.message;
      throw new Problem('page/no-game', said ?? 'No game was found in the text.');
    }
    game.open(found, end);
  } catch (error) {
    fail(error);
  } finally {
    finish(signal);
  }
}

async function show(asked: string, moved: Square[] = []): Promise<void> {
  const signal = begin();
  line.forget();
  reachFrom = undefined;
  marks = undefined;
  lastMove = moved;
  try {
    const certify = await ask<Certify>('certify', { fen: asked }, signal);
    fen = certify.fen;
    known = { certify, failed: {} };
    if (certify.input === 'board') {
      const reasons = certify.not_a_position.map(reason => reason.message).join('; ');
      known.noProof = `This needs a legal position${reasons ? `: ${reasons}` : ': say who is to move'}.`;
    }
    showNotes(certify);
    showFields();
    history.replaceState(null, '', `#fen=${encodeURI(fen).replaceAll('%20', '_')}`);
    paint();
    const current = known;
    const more = (part: Partial<Knowledge>): void => {
      if (signal.aborted) return;
      Object.assign(current, part);
      paint();
    };
    const parts: Promise<void>[] = [diagram(fen, 'one-ply', signal).then(answer => more({ structure: answer }))];
    if (!known.noProof) {
      // A server that is busy, or a proof that takes too long, costs its own line only.
      const attempt = <T>(name: 'prove' | 'decide', take: (answer: T) => void): Promise<void> =>
        ask<T>(name, { fen }, signal).then(take).catch((error: unknown) => {
          if (!(error instanceof Problem) || error.code === 'page/offline') throw error;
          current.failed[name] = `${error.message} (${error.code})`;
          more({});
        });
      parts.push(attempt<Decide>('decide', answer => more({ decide: answer })));
      parts.push(diagram(fen, 'persistent', signal).then(answer => more({ reaches: answer })));
      parts.push(attempt<Prove>('prove', answer => more({ prove: answer })));
    }
    await Promise.all(parts);
  } catch (error) {
    fail(error);
  } finally {
    finish(signal);
  }
}

function showNotes(certify: Certify): void {
  notes.replaceChildren(...certify.notes.map(note => el('li', {}, note.message, ' ', el('code', {}, note.code))));
  notes.hidden = certify.notes.length === 0;
}

// ---- the editor

function showFields(): void {
  const fields = split(fen);
  turn.value = fields.turn;
  for (const box of castling) box.checked = fields.castling.includes(box.value);
  const rank = fields.turn === 'w' ? 6 : 3;
  const squares = files.map(file => `${file}${rank}`);
  enPassant.replaceChildren(el('option', { value: '-' }, 'no'), ...squares.map(square => el('option', { value: square }, square)));
  enPassant.value = squares.includes(fields.enPassant) ? fields.enPassant : '-';
  reach.replaceChildren(el('option', { value: '' }, 'choose a piece'));
  for (const [square, letter] of pieces(fields.placement)) {
    reach.append(el('option', { value: square }, `${pieceName(letter)} on ${square}`));
  }
}

function edited(change: Partial<ReturnType<typeof split>>): void {
  const fields = { ...split(fen), ...change };
  if (change.placement !== undefined) {
    fields.enPassant = '-';
    fields.castling = possibleCastling(fields.placement, fields.castling);
  }
  if (change.turn !== undefined) fields.enPassant = '-';
  text.value = join(fields);
  game.forget();
  void show(text.value);
}

turn.addEventListener('change', () => edited({ turn: turn.value === 'b' ? 'b' : 'w' }));
enPassant.addEventListener('change', () => edited({ enPassant: enPassant.value }));
for (const box of castling) {
  box.addEventListener('change', () => {
    edited({ castling: castling.filter(each => each.checked).map(each => each.value).join('') || '-' });
  });
}
byId('flip').addEventListener('click', () => board.flip());
byId('clear').addEventListener('click', () => edited({ placement: EMPTY, castling: '-' }));
byId('start').addEventListener('click', () => {
  text.value = START;
  void submit(START);
});
reach.addEventListener('change', () => showReach(reach.value || undefined));

function showReach(square: Square | undefined): void {
  reachFrom = square;
  reach.value = square ?? '';
  paint();
}

// ---- what is shown

function describe(position: string): void {
  const placed = [...pieces(split(position).placement)].map(([square, letter]) => `${pieceName(letter)} ${square}`);
  byId('board-text').textContent = `${colorOf(position)} to move. ${placed.join(', ')}.`;
}

function paint(): void {
  if (!known) return;
  const actions = {
    onError: fail,
    onLine: (chosen: MateLine) => {
      line.open(chosen);
      byId('line').scrollIntoView({ block: 'nearest' });
    },
    onMarks: (chosen: Marks | undefined) => {
      marks = chosen;
      paintBoard(claims);
    },
  };
  byId('flag').textContent = flagFall(known.decide);
  const claims = [mate(known, actions), forEver(known, actions), onePly(known, actions), structure(known, actions)];
  const says = (claim: Claim): boolean => claim.overlay.regions.length > 0;
  const strongest = claims.find(says) ?? claims.find(claim => claim.overlay.barrier.length > 0);
  const shown = claims.find(claim => claim.id === shownClaim) ?? strongest;
  const list = byId('claims');
  list.replaceChildren(...claims.map(claim => claimElement(
    claim,
    claim === shown,
    openClaims.has(claim.id),
    () => {
      shownClaim = claim.id;
      paint();
    },
    open => {
      if (open) openClaims.add(claim.id);
      else openClaims.delete(claim.id);
    },
  )));
  paintBoard(claims);
}

function paintBoard(claims: Claim[]): void {
  if (!known || line.isOpen) return;
  const says = (claim: Claim): boolean => claim.overlay.regions.length > 0;
  const strongest = claims.find(says) ?? claims.find(claim => claim.overlay.barrier.length > 0);
  const shown = claims.find(claim => claim.id === shownClaim) ?? strongest;
  let overlay: Overlay = { ...(shown?.overlay ?? nothing), lastMove };
  let legend = shown ? `Shown: ${shown.title}. ${overlay.barrier.length ? 'Hatched: the wall between the regions.' : ''}` : '';
  if (marks) overlay = { ...overlay, arrows: marks.arrows, highlights: marks.highlights };
  if (reachFrom) {
    const letter = pieces(split(fen).placement).get(reachFrom);
    const found = known.reaches?.reaches.find(each => each.square === reachFrom);
    if (found) {
      overlay = { ...overlay, reach: found, arrows: [] };
      const count = new Set([...found.squares, ...found.promoted]).size;
      legend = `The ${pieceName(letter ?? '')} on ${reachFrom} can stand on ${count} squares at most in the rest of the game. Open dots: only after a promotion.`;
    } else if (letter) {
      const isFrozen = known.reaches?.barrier.squares.includes(reachFrom);
      legend = isFrozen
        ? `The ${pieceName(letter)} on ${reachFrom} never moves and is never taken.`
        : `It was not proved where the ${pieceName(letter)} on ${reachFrom} can go.`;
    }
  }
  byId('legend').textContent = legend;
  board.show(split(fen).placement, overlay);
  describe(fen);
}

// ---- files, links, keys

byId<HTMLFormElement>('ask').addEventListener('submit', event => {
  event.preventDefault();
  void submit(text.value);
});
text.addEventListener('keydown', event => {
  if (event.key === 'Enter' && !event.shiftKey && !text.value.includes('\n')) {
    event.preventDefault();
    void submit(text.value);
  }
});
// A pasted text is meant to be shown.
text.addEventListener('paste', () => setTimeout(() => void submit(text.value)));

function chooser(buttonId: string, inputId: string, take: (file: File) => Promise<void>): void {
  const input = byId<HTMLInputElement>(inputId);
  byId(buttonId).addEventListener('click', () => input.click());
  input.addEventListener('change', () => {
    const file = input.files?.[0];
    input.value = '';
    if (file) void take(file);
  });
}

/** A file is a certificate if it begins like one, and else a game or a position. */
async function take(file: File): Promise<void> {
  const head = new Uint8Array(await file.slice(0, 64).arrayBuffer());
  const start = new TextDecoder('latin1').decode(head).trimStart();
  if (/^(BM[A-Z]+\0|\{|[0-9a-fA-F]{32})/.test(start)) return check(file);
  if (/\.(pgn|gz|bz2|zst)$/i.test(file.name)) return showGame(file);
  text.value = (await file.text()).slice(0, 1 << 20);
  return submit(text.value);
}

chooser('open-file', 'file', take);
chooser('choose-certificate', 'certificate', check);
addEventListener('dragover', event => {
  event.preventDefault();
  document.body.classList.add('dropping');
});
addEventListener('dragleave', event => {
  if (event.relatedTarget === null) document.body.classList.remove('dropping');
});
addEventListener('drop', event => {
  event.preventDefault();
  document.body.classList.remove('dropping');
  const file = event.dataTransfer?.files[0];
  if (file) void take(file);
});

byId('copy-link').addEventListener('click', () => {
  const said = byId('copy-link');
  navigator.clipboard.writeText(location.href).then(
    () => (said.textContent = 'Copied'),
    () => (said.textContent = 'Copy it from the address bar'),
  ).finally(() => setTimeout(() => (said.textContent = 'Copy link'), 2000));
});

addEventListener('keydown', event => {
  const target = event.target as HTMLElement;
  if (event.altKey || event.ctrlKey || event.metaKey || /^(TEXTAREA|SELECT|INPUT)$/.test(target.tagName)) return;
  const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (event.key === 'Escape') {
    line.close();
    showReach(undefined);
  } else if (by !== undefined && (line.isOpen || game.isOpen)) {
    event.preventDefault();
    if (line.isOpen) line.step(by);
    else game.step(by);
  }
});

/** The position that the address names. */
function addressed(): string | undefined {
  const fragment = new URLSearchParams(location.hash.slice(1).replaceAll('+', '%2B')).get('fen');
  const query = new URLSearchParams(location.search).get('fen');
  return (fragment ?? query)?.replaceAll('_', ' ');
}

addEventListener('hashchange', () => {
  const asked = addressed();
  if (!asked || asked === fen) return;
  text.value = asked;
  void submit(asked);
});

byId('gallery-list').replaceChildren(...gallery.map(each =>
  el('li', {}, button(each.name, () => {
    text.value = each.fen;
    shownClaim = '';
    void submit(each.fen);
    byId('input').scrollIntoView({ block: 'nearest' });
  }))));

text.value = addressed() ?? START;
void submit(text.value);
