// The answer in four lines, the strongest claim first.

import type { Certify, Decide, Decided, DiagramData, Marks, MateLine, Prove } from './api.ts';
import { evidence, isLine } from './api.ts';
import { nothing, type Overlay } from './board.ts';
import { button, download, el } from './dom.ts';

/** Everything that is known about one position; what is missing is on its way or cannot be had. */
export interface Knowledge {
  certify: Certify;
  structure?: DiagramData;
  /** What never moves, and where everything else can ever stand. */
  reaches?: DiagramData;
  prove?: Prove;
  decide?: Decide;
  /** Why there is no proof, where there cannot be one. */
  noProof?: string;
  /** Why an answer did not come: that claims nothing either. */
  failed: Partial<Record<'prove' | 'decide', string>>;
}

export interface Claim {
  id: string;
  title: string;
  word: string;
  /** How it is coloured: established, refused, or no claim at all. */
  tone: 'yes' | 'no' | 'open';
  sentence: string;
  body: (Node | null)[];
  overlay: Overlay;
}

const words = {
  dead: 'Neither side can ever give mate, whatever both play: the game is drawn.',
  'unwinnable white': 'White can never give mate, whatever both play. Whether Black can is another question.',
  'unwinnable black': 'Black can never give mate, whatever both play. Whether White can is another question.',
  sum: 'The board has parts that never touch each other again. Each is a game of its own: a move in one changes nothing in another. This does not say who should win.',
  coupled: 'The board has parts that never touch each other again. But a check in one part must be answered at once, so they are not quite games of their own.',
  'not-proved': 'Nothing was proved that holds for the rest of the game. The opposite was not proved either.',
} as Record<string, string>;

const digestLine = (name: string, digest: string): Node =>
  el('p', {}, `${name}: `, el('code', { class: 'digest' }, digest));

function save(text: string, name: string, path: string, body: object, onError: (error: unknown) => void): HTMLButtonElement {
  return button(text, () => {
    evidence(path, body).then(bytes => download(name, bytes), onError);
  });
}

const how = (text: string): Node =>
  el('details', { class: 'how' }, el('summary', {}, 'How is this checked?'), el('p', {}, text));

export interface Actions {
  onLine: (line: MateLine) => void;
  onError: (error: unknown) => void;
  onMarks: (marks: Marks | undefined) => void;
}

const nameOf = (color: 'white' | 'black'): string => (color === 'white' ? 'White' : 'Black');

function decisionBody(decided: Decided, position: string, effort: number, actions: Actions): Node {
  const name = nameOf(decided.for);
  const body = { fen: position, for: decided.for };
  const { evidence: proof } = decided;
  if (proof === null) {
    return el('div', {},
      el('h4', {}, `${name}: undecided`),
      el('p', {}, `The search stopped after ${effort} positions. It found no mate, and no proof that there is none.`));
  }
  if (isLine(proof) && proof.moves.length === 0) {
    return el('div', {},
      el('h4', {}, `${name} has given mate`),
      digestLine('Digest', proof.digest),
      el('p', { class: 'row' }, save('Download the line', 'position.bmmate', 'decide', body, actions.onError)));
  }
  if (isLine(proof)) {
    const length = proof.moves.length === 1 ? '1 half-move' : `${proof.moves.length} half-moves`;
    return el('div', {},
      el('h4', {}, `${name} can give mate`),
      el('p', {}, `A line of ${length} ends in mate. Both sides help each other in it, so it does not show that mate can be forced. There may be a shorter line.`),
      digestLine('Digest', proof.digest),
      el('p', { class: 'row' },
        button('Play the line', () => actions.onLine(proof), { class: 'play' }),
        save('Download the line', 'position.bmmate', 'decide', body, actions.onError)));
  }
  return el('div', {},
    el('h4', {}, `${name} can never give mate`),
    el('p', {}, 'No series of legal moves ends in mate by this side. The certificate proves it.'),
    digestLine('Digest', proof.digest),
    el('p', { class: 'row' }, save('Download the certificate', 'position.bmpersist', 'decide', body, actions.onError)));
}

/** Whether each side can still give mate at all. */
export function mate(known: Knowledge, actions: Actions): Claim {
  const base = { id: 'mate', title: 'Mate', overlay: nothing, body: [] };
  const { decide } = known;
  if (known.noProof) return { ...base, word: 'not a legal position', tone: 'open', sentence: known.noProof };
  if (known.failed.decide) return { ...base, word: 'no answer', tone: 'open', sentence: known.failed.decide };
  if (!decide) return { ...base, word: '…', tone: 'open', sentence: 'Looking for a mate, or for a proof that there is none.' };
  const { decisions } = decide;
  const all = (verdict: Decided['verdict']): boolean => decisions.every(each => each.verdict === verdict);
  const said: Record<Decided['verdict'], (name: string) => string> = {
    winnable: name => `${name} can still give mate if the other side helps.`,
    unwinnable: name => `${name} can never give mate, whatever both play.`,
    undecided: name => `Whether ${name} can still give mate was not found out.`,
  };
  const sentence = all('unwinnable')
    ? 'Neither side can give mate by any series of legal moves. The position is dead: the game is drawn (FIDE Laws, article 5.2.2).'
    : all('winnable')
      ? 'Each side can still give mate if the other side helps. This does not say who stands better.'
      : decisions.map(each => said[each.verdict](nameOf(each.for))).join(' ');
  return {
    ...base,
    word: all('unwinnable') ? 'dead' : decisions.map(each => `${each.verdict} ${each.for}`).join(', '),
    tone: all('undecided') ? 'open' : 'yes',
    sentence,
    body: [
      ...decisions.map(each => decisionBody(each, decide.position, decide.effort, actions)),
      how('Any chess program can replay a line. A certificate is read by a checker that shares no code with the program that made it. To check either yourself, drop the file below or run bitmesh verify.'),
    ],
  };
}

/** What the result must be if a flag falls here. */
export function flagFall(decide: Decide | undefined): string {
  if (!decide) return '';
  if (decide.decisions.some(each => each.verdict === 'winnable' && each.plies === 0)) {
    return 'Mate has ended the game: a flag that falls now changes nothing (FIDE Laws, article 5.1.1).';
  }
  if (decide.decisions.every(each => each.verdict === 'unwinnable')) {
    return 'The position is dead: the game is drawn at once, even if a flag falls later (FIDE Laws, articles 5.2.2 and 6.9).';
  }
  const result = (flagged: 'white' | 'black'): string => {
    const other = flagged === 'white' ? 'black' : 'white';
    const verdict = decide.decisions.find(each => each.for === other)?.verdict;
    const outcome = verdict === 'unwinnable'
      ? `the game is drawn, since ${nameOf(other)} cannot checkmate by any series of legal moves`
      : verdict === 'winnable' ? `${nameOf(other)} wins` : `the result is open, since it was not found out whether ${nameOf(other)} can still give mate`;
    return `If ${nameOf(flagged)}’s time runs out here, ${outcome}.`;
  };
  return `${result('white')} ${result('black')} (FIDE Laws, article 6.9)`;
}

export function forEver(known: Knowledge, actions: Actions): Claim {
  const base = { id: 'for-ever', title: 'For ever' };
  const { prove } = known;
  if (known.noProof) return { ...base, word: 'not a legal position', tone: 'open', sentence: known.noProof, body: [], overlay: nothing };
  if (known.failed.prove) return { ...base, word: 'no answer', tone: 'open', sentence: known.failed.prove, body: [], overlay: structureOverlay(known.reaches, false) };
  if (!prove) return { ...base, word: '…', tone: 'open', sentence: 'Looking for a proof.', body: [], overlay: nothing };
  const { certificate, verdicts } = prove;
  const proved = !verdicts.includes('not-proved');
  const decomposed = verdicts.some(word => word === 'sum' || word === 'coupled');
  const frozen = known.reaches?.barrier.squares ?? [];
  const { positions } = certificate.proof;
  const facts = [
    frozen.length ? `${frozen.length} pieces never move and are never taken` : '',
    decomposed ? `${certificate.claims.components} parts` : '',
    positions ? `${positions} positions were looked at` : '',
  ].filter(Boolean);
  const body = proved
    ? [
        ...verdicts.map(word => el('p', {}, el('strong', {}, word), ` ${words[word] ?? ''}`)),
        facts.length ? el('p', {}, `In the proof: ${facts.join('; ')}.`) : null,
        digestLine('Digest', certificate.digest),
        el('p', { class: 'row' },
          save('Download the certificate', 'position.bmpersist', 'prove', { fen: certificate.position }, actions.onError),
          button('Download as JSON', () => download('position.json', new Blob([JSON.stringify(certificate, null, 2), '\n'], { type: 'application/json' })))),
        how('Most certificates list the pieces that never move, and every square that each other piece can ever reach. The checker tests that no legal move leaves these squares, and that the claim follows from them. It shares no code with the program that made the certificate. To check it yourself, drop the file below or run bitmesh verify.'),
      ]
    : [el('p', {}, words['not-proved'] ?? '')];
  return {
    ...base,
    word: verdicts.join(', '),
    tone: proved ? 'yes' : 'open',
    sentence: words[verdicts[0] ?? 'not-proved'] ?? '',
    body,
    overlay: structureOverlay(known.reaches, false),
  };
}

function structureOverlay(data: DiagramData | undefined, arrows: boolean): Overlay {
  if (!data) return nothing;
  const overlay = { ...nothing, barrier: data.barrier.squares, regions: data.regions.map(region => region.squares) };
  if (!arrows) return overlay;
  const arrowsOnce = new Map(data.violations.flatMap(marks => marks.arrows).map(arrow => [arrow.from + arrow.to, arrow]));
  return {
    ...overlay,
    arrows: [...arrowsOnce.values()],
    highlights: [...new Set(data.violations.flatMap(marks => marks.highlights))],
  };
}

export function onePly(known: Knowledge, actions: Actions): Claim {
  const { certify, structure } = known;
  const base = { id: 'one-ply', title: 'Next move', overlay: structureOverlay(structure, true) };
  const end = certify.input === 'position'
    ? 'En passant captures are included.'
    : 'This is not a legal position with a side to move, so en passant captures were left out.';
  if (certify.verdict === 'accepted') {
    return {
      ...base,
      word: 'accepted',
      tone: 'yes',
      sentence: `No next move of either side crosses or breaks the wall of pawns. ${end} Later moves were not looked at.`,
      body: [
        digestLine(certify.input === 'position' ? 'Position digest' : 'Board digest', certify.position_digest),
        el('p', {}, 'Name of the claim: ', el('code', {}, certify.claim)),
        how('Every move of every piece of both sides is looked at. To check it yourself, run bitmesh certify.'),
      ],
    };
  }
  if (certify.verdict === 'rejected') {
    return { ...base, word: 'no wall', tone: 'open', sentence: 'No wall of pawns divides the board, so there is nothing to cross.', body: [] };
  }
  const marks = structure?.violations ?? [];
  const list = el('ul', { class: 'violations' });
  for (const violation of marks) {
    const show = (): void => actions.onMarks(violation);
    const hide = (): void => actions.onMarks(undefined);
    list.append(el('li', {}, el('button', {
      type: 'button', class: 'quiet', mouseenter: show, mouseleave: hide, focus: show, blur: hide, click: show,
    }, violation.message, ' ', el('code', {}, violation.code))));
  }
  const count = certify.violations.length;
  return {
    ...base,
    word: 'refused',
    tone: 'no',
    sentence: `The next move can cross or break the wall of pawns: ${count === 1 ? 'one reason was' : `${count} reasons were`} found.`,
    body: [list],
  };
}

export function structure(known: Knowledge, actions: Actions): Claim {
  const { certify } = known;
  const { strict, components } = certify.certificate;
  return {
    id: 'structure',
    title: 'Wall',
    word: strict ? `${components.length} regions` : 'no wall',
    tone: strict ? 'yes' : 'open',
    sentence: strict
      ? 'Pawns that block each other divide the board into these regions. This looks at where the pieces stand, and not at any move.'
      : `No wall of pawns divides the board: ${certify.summary}.`,
    body: [
      digestLine('Structural digest', certify.structural_digest),
      el('p', { class: 'row' },
        save('Download the certificate', 'position.bmdcert', 'certify', { fen: certify.fen }, actions.onError)),
      how('The certificate lists the pawns of the wall and the squares of each region. To check it yourself, drop the file below or run bitmesh verify: it finds them again on the board, and compares.'),
    ],
    overlay: structureOverlay(known.structure, false),
  };
}

/** The four lines; the reader's choice of the one that the board shows. */
export function claimElement(claim: Claim, isShown: boolean, isOpen: boolean, onShow: () => void, onToggle: (open: boolean) => void): HTMLElement {
  const details = el('details', { class: `claim ${claim.tone}`, id: `claim-${claim.id}`, open: isOpen },
    el('summary', {},
      el('span', { class: 'title' }, claim.title),
      el('span', { class: 'word' }, claim.word),
      el('span', { class: 'sentence' }, claim.sentence)),
    el('div', { class: 'body' },
      ...claim.body,
      claim.overlay === nothing
        ? null
        : el('p', {}, button(isShown ? 'Shown on the board' : 'Show on the board', onShow, { 'aria-pressed': String(isShown) }))));
  details.addEventListener('toggle', () => onToggle(details.open));
  return details;
}
