// Bitmesh for JavaScript: a thin layer over the WebAssembly module, for Node and browsers.
//
// SPDX-License-Identifier: GPL-3.0-or-later

/** Why a question has no answer. */
export class BitmeshError extends Error {
  constructor(code, message, options) {
    super(message, options);
    this.name = 'BitmeshError';
    this.code = code;
  }
}

/** Reads the module that lies beside this file, wherever that is. */
async function compileBeside() {
  const address = new URL('./bitmesh.wasm', import.meta.url);
  if (address.protocol === 'file:') {
    const { readFile } = await import('node:fs/promises');
    return WebAssembly.compile(await readFile(address));
  }
  return compileResponse(await fetch(address));
}

async function compileResponse(response) {
  if (!response.ok) {
    throw new BitmeshError('wasm/not-loaded', `the module cannot be loaded: status ${response.status}`);
  }
  // Not every server sends the media type that streaming needs.
  return WebAssembly.compile(await response.arrayBuffer());
}

async function compile(source) {
  if (source === undefined) return compileBeside();
  if (source instanceof WebAssembly.Module) return source;
  if (typeof Response === 'function' && source instanceof Response) return compileResponse(source);
  return WebAssembly.compile(source);
}

/** Loads the library. */
export async function load(source) {
  const module = await compile(source);
  return new Bitmesh(module, await WebAssembly.instantiate(module, {}));
}

const HEXADECIMAL = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Evidence as the text that the library reads: bytes as hexadecimal digits, documents as JSON. */
function evidenceText(evidence) {
  if (typeof evidence === 'string') return evidence;
  if (evidence instanceof Uint8Array) return Array.from(evidence, (byte) => HEXADECIMAL[byte]).join('');
  if (evidence !== null && typeof evidence === 'object') return JSON.stringify(evidence);
  throw new TypeError('evidence is bytes, a text or a document');
}

function text(value, name) {
  if (typeof value !== 'string') throw new TypeError(`${name} is a text`);
  // Half a character cannot be sent as UTF-8, and must not become another one on the way.
  if (/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(value)) {
    throw new TypeError(`${name} has half a character in it`);
  }
  return value;
}

/** The library: answers are the documents that `bitmesh --json` prints. */
export class Bitmesh {
  #module;
  #instance;

  constructor(module, instance) {
    this.#module = module;
    this.#instance = instance;
  }

  /** All layers at a glance. */
  analyze(position) {
    return this.#ask({ ask: 'analyze', text: text(position, 'position') });
  }

  /** Layers 1 and 2. */
  certify(position) {
    return this.#ask({ ask: 'certify', text: text(position, 'position') });
  }

  /** Layer 3, with its certificate. */
  prove(position, { positions } = {}) {
    return this.#ask({ ask: 'prove', text: text(position, 'position'), positions });
  }

  /** Whether a side can still give mate. */
  decide(position, { side, effort } = {}) {
    return this.#ask({ ask: 'decide', text: text(position, 'position'), side, effort });
  }

  /** Examines evidence. */
  verify(evidence, position) {
    const about = position === undefined ? undefined : text(position, 'position');
    return this.#ask({ ask: 'verify', evidence: text(evidenceText(evidence), 'evidence'), text: about });
  }

  /** Draws a position as SVG. */
  draw(position, { layer, reach, orientation, size, coordinates } = {}) {
    return this.#ask({
      ask: 'draw', text: text(position, 'position'), layer, reach, orientation, size, coordinates,
    }).svg;
  }

  #ask(question) {
    const bytes = new TextEncoder().encode(JSON.stringify(question));
    let status;
    let answer;
    try {
      const { memory, ...library } = this.#instance.exports;
      // The memory may grow in every call, which detaches views of it: each is made after the call and used at once.
      // Addresses above 2 GiB come back as negative numbers.
      const input = library.bitmesh_input(bytes.length) >>> 0;
      new Uint8Array(memory.buffer, input, bytes.length).set(bytes);
      status = library.bitmesh_answer();
      const output = library.bitmesh_output() >>> 0;
      const length = library.bitmesh_output_length() >>> 0;
      answer = JSON.parse(new TextDecoder().decode(new Uint8Array(memory.buffer, output, length)));
    } catch (cause) {
      // After a trap, an instance is in no state to go on: the next question has a new one.
      this.#instance = new WebAssembly.Instance(this.#module, {});
      throw new BitmeshError('wasm/fault', 'a fault of the library; please report it with the position', { cause });
    }
    // A negative number is an error, whatever else it may look like.
    if (status !== 0) throw new BitmeshError(answer.code, answer.message);
    return answer;
  }
}
