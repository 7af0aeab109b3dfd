// SPDX-License-Identifier: GPL-3.0-or-later

export type Side = 'white' | 'black';

/** The name of a square, such as `e4`. */
export type Square = string;

export type Layer = 'none' | 'structure' | 'one-ply' | 'persistent';

/** Why a question has no answer. */
export class BitmeshError extends Error {
  constructor(code: string, message: string, options?: { cause?: unknown });
  readonly name: 'BitmeshError';
  /** A stable name for programs, such as `position/too-few-fields`. */
  readonly code: string;
}

/**
 * What all layers say at a glance, without evidence and without a search.
 * A claim that is false is not proved, which does not say that it is false.
 */
export interface Glance {
  /** The canonical text. */
  position: string;
  /** False: the text is a board only, and layer 3 is empty. */
  is_position: boolean;
  /** Layers 1 and 2. */
  one_ply: 'accepted' | 'refused' | 'rejected';
  /** Layer 1: regions that hold pieces. */
  regions: number;
  /** Layer 3: classes of pieces that never interact. */
  components: number;
  /** How they are coupled; null when there are fewer than two. */
  coupling: 'exact-sum' | 'coupled' | null;
  /** White can never give mate. */
  unwinnable_white: boolean;
  /** Black can never give mate. */
  unwinnable_black: boolean;
  /** Neither can (FIDE Laws of Chess, article 5.2.2). */
  dead: boolean;
  /** Layer 1: the locked pawns. */
  barrier: Square[];
  /** Layer 3: the pieces that never move and are never captured. */
  frozen: Square[];
}

/** The document `bitmesh.certify.v1`. */
export interface Certification {
  schema: 'bitmesh.certify.v1';
  verdict: 'accepted' | 'refused' | 'rejected';
  summary: string;
  input: 'position' | 'board';
  fen: string;
  certificate: Record<string, unknown>;
  [field: string]: unknown;
}

/** The document `bitmesh.prove.v1`. */
export interface Proof {
  schema: 'bitmesh.prove.v1';
  verdicts: string[];
  certificate: Record<string, unknown>;
}

export interface SideDecision {
  for: Side;
  /** "undecided" is not a claim: never read it as "no". */
  verdict: 'winnable' | 'unwinnable' | 'undecided';
  /** Winnable: the length of the line that was found. */
  plies: number | null;
  /** The line or the certificate, which `verify` takes; null for an undecided side. */
  evidence: Record<string, unknown> | null;
}

/** The document `bitmesh.decide.v1`. */
export interface Decisions {
  schema: 'bitmesh.decide.v1';
  position: string;
  effort: number;
  /** White's first. */
  decisions: SideDecision[];
}

/** The document `bitmesh.verify.v1`. */
export interface Examination {
  schema: 'bitmesh.verify.v1';
  /** `nothing-claimed`: it holds together, and is undecided or not proved. */
  verdict: 'verified' | 'nothing-claimed' | 'refused' | 'incomplete';
  [field: string]: unknown;
}

export interface ProveOptions {
  /** The bound of an expansion; 0 allows one witness only. */
  positions?: number;
}

export interface DecideOptions {
  /** The side that wants to mate; both without it. */
  side?: Side;
  /** How many positions a search looks at. */
  effort?: number;
}

export interface DrawOptions {
  /** Whose regions are drawn; the strongest that shows something without it. */
  layer?: Layer;
  /** The piece whose reach is marked (layer persistent). */
  reach?: Square;
  /** The side at the bottom. */
  orientation?: Side;
  /** Width and height in pixels, 64 to 4096. */
  size?: number;
  /** Whether files and ranks have their names. */
  coordinates?: boolean;
}

/** The library. Every question throws a {@link BitmeshError} when it has no answer. */
export class Bitmesh {
  private constructor();
  analyze(position: string): Glance;
  certify(position: string): Certification;
  prove(position: string, options?: ProveOptions): Proof;
  decide(position: string, options?: DecideOptions): Decisions;
  /** Evidence is bytes, a document, or either as text. */
  verify(evidence: Uint8Array | string | object, position?: string): Examination;
  draw(position: string, options?: DrawOptions): string;
}

/** Loads the module beside this file, or the one that is given. */
export function load(source?: Uint8Array | ArrayBuffer | WebAssembly.Module | Response): Promise<Bitmesh>;
