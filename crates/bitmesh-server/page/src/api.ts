// The server's answers, as `docs/server.md` and /api/v1/openapi.json have them.

export type Square = string;

export interface Described {
  code: string;
  message: string;
}

export interface Certify {
  verdict: 'accepted' | 'refused' | 'rejected';
  summary: string;
  input: 'position' | 'board';
  fen: string;
  claim: string;
  position_digest: string;
  structural_digest: string;
  certificate: { strict: boolean; components: unknown[] };
  one_ply: string;
  violations: Described[];
  not_a_position: Described[];
  notes: Described[];
}

export interface Persistent {
  schema: string;
  digest: string;
  position: string;
  claims: { components: number };
  proof: { kind: string; positions?: number };
}

export interface Prove {
  verdicts: string[];
  certificate: Persistent;
}

export interface Marks {
  code: string;
  message: string;
  arrows: { from: Square; to: Square }[];
  highlights: Square[];
}

/** Where a piece can ever stand. */
export interface Reach {
  square: Square;
  squares: Square[];
  promoted: Square[];
}

export interface DiagramData {
  title: string;
  barrier: { kind: string; squares: Square[] };
  regions: { letter: string; squares: Square[] }[];
  reaches: Reach[];
  violations: Marks[];
}

export interface Report {
  verdict: 'verified' | 'nothing-claimed' | 'refused';
  format: string;
  refusal: (Described & { offset?: number }) | null;
  facts: Record<string, string>;
  checked: string[];
  findings: Described[];
  not_checked: string[];
}

export interface Row {
  schema: string;
  game: number | null;
  ply: number | null;
  line: number | null;
  fen: string | null;
  status: string | null;
  one_ply: string | null;
  persistent_components: number | null;
  unwinnable_white: boolean | null;
  unwinnable_black: boolean | null;
  dead: boolean | null;
  error: string | null;
  decided_white?: string | null;
  decided_black?: string | null;
  White?: string | null;
  Black?: string | null;
  Date?: string | null;
}

export interface End {
  schema: string;
  remarks: (Described & { kind: string; count: number; line: number | null; game: number | null; ply: number | null })[];
}

/** What the server says instead of an answer. */
export class Problem extends Error {
  constructor(
    readonly code: string,
    detail: string,
    readonly line?: number,
    readonly column?: number,
    /** The bound of the server that the question is beyond. */
    readonly limit?: number,
  ) {
    super(detail);
  }
}

const API = './api/v1/';

async function send(path: string, init: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(API + path, init);
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new Problem('page/offline', 'The server does not answer. Is it still running?');
  }
  if (response.ok) return response;
  let said: Record<string, unknown> = {};
  try {
    said = (await response.json()) as Record<string, unknown>;
  } catch {
    // The status alone has to do.
  }
  throw new Problem(
    String(said['code'] ?? `http/${response.status}`),
    String(said['detail'] ?? `the server says ${response.status}`),
    typeof said['line'] === 'number' ? said['line'] : undefined,
    typeof said['column'] === 'number' ? said['column'] : undefined,
    typeof said['limit'] === 'number' ? said['limit'] : undefined,
  );
}

const question = (body: object, signal?: AbortSignal | null, accept = 'application/json'): RequestInit => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json', Accept: accept },
  body: JSON.stringify(body),
  signal: signal ?? null,
});

export async function ask<T>(path: string, body: object, signal: AbortSignal): Promise<T> {
  return (await send(path, question(body, signal))).json() as Promise<T>;
}

/** The bytes of the certificate of an answer. */
export async function evidence(path: string, body: object): Promise<Blob> {
  return (await send(path, question(body, null, 'application/octet-stream'))).blob();
}

export async function diagram(fen: string, layer: string, signal: AbortSignal): Promise<DiagramData> {
  const query = new URLSearchParams({ fen, layer });
  return (await send(`diagram.json?${query}`, { signal })).json() as Promise<DiagramData>;
}

export async function verify(bytes: Blob): Promise<Report> {
  return (await send('verify', { method: 'POST', body: bytes })).json() as Promise<Report>;
}

/** How many positions a decision of a row may look at: enough for almost all positions of games. */
const EFFORT = 100_000;

/** More rows than a page can show: what comes after them is left out, and said to be. */
const MOST_ROWS = 20_000;

/** The rows of a collection; no end where the page has left out the rest. */
export async function scan(text: string | Blob, format: string, signal: AbortSignal): Promise<{ rows: Row[]; end?: End }> {
  const ask = (decide: number): Promise<Response> => {
    const query = new URLSearchParams({ format, end: 'true', tags: 'White,Black,Date', decide: String(decide) });
    return send(`scan?${query}`, { method: 'POST', body: text, signal });
  };
  const response = await ask(EFFORT).catch((error: unknown) => {
    if (error instanceof Problem && error.code === 'server/too-many-positions' && error.limit !== undefined) return ask(error.limit);
    throw error;
  });
  const reader = response.body?.getReader();
  if (!reader) throw new Problem('page/incomplete', 'The answer is empty.');
  const decoder = new TextDecoder();
  const rows: Row[] = [];
  let rest = '';
  let end: End | undefined;
  for (;;) {
    const { done, value } = await reader.read();
    const lines = (rest + decoder.decode(value, { stream: !done })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const document = JSON.parse(line) as Row | End;
      if (document.schema === 'bitmesh.scan-end.v1') end = document as End;
      else rows.push(document as Row);
    }
    if (rows.length >= MOST_ROWS) {
      await reader.cancel();
      return { rows };
    }
    if (done) break;
  }
  if (!end) throw new Problem('page/incomplete', 'The answer was cut off.');
  return { rows, end };
}

export interface MateLine {
  schema: string;
  digest: string;
  position: string;
  winner: 'white' | 'black';
  moves: string[];
}

export interface Decided {
  for: 'white' | 'black';
  verdict: 'winnable' | 'unwinnable' | 'undecided';
  plies: number | null;
  evidence: MateLine | Persistent | null;
}

export interface Decide {
  position: string;
  effort: number;
  decisions: Decided[];
}

export const isLine = (evidence: Decided['evidence']): evidence is MateLine => evidence?.schema === 'bitmesh.mate.v1';
