// SPDX-License-Identifier: GPL-3.0-or-later
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { BitmeshError, load } from '../index.js';

const WALL = '7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1';
const LONE_KNIGHT = '8/8/8/4k3/8/3n4/8/K7 w - - 0 1';
const WITH_A_PAWN = '8/8/8/4k3/8/3n4/P7/K7 w - - 0 1';
const bitmesh = await load();

const refuses = (code, ask) =>
  assert.throws(ask, (error) => error instanceof BitmeshError && error.code === code && error.message !== '');

test('a wall is accepted and dead', () => {
  const glance = bitmesh.analyze(WALL);
  assert.equal(glance.position, WALL);
  assert.equal(glance.is_position, true);
  assert.equal(glance.one_ply, 'accepted');
  assert.equal(glance.regions, 2);
  assert.equal(glance.dead, true);
  assert.equal(glance.unwinnable_white && glance.unwinnable_black, true);
  assert.deepEqual(glance.barrier.slice(0, 2), ['b3', 'd3']);
  assert.ok(glance.barrier.includes('h4'));
});

test('the start position claims nothing, and a board only less', () => {
  const start = bitmesh.analyze('rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1');
  assert.equal(start.one_ply, 'rejected');
  assert.deepEqual([start.dead, start.components, start.coupling], [false, 1, null]);
  assert.equal(bitmesh.analyze('8/8/8/8/8/8/8/8').is_position, false);
});

test('layers 1 and 2 answer with the document of the command', () => {
  const document = bitmesh.certify(WALL);
  assert.equal(document.schema, 'bitmesh.certify.v1');
  assert.equal(document.structural_digest, '7e300b3e0b7901942161a58eb284b87134be7f26484561f2bbc142d1010465bf');
});

test('a proof is verified, and refused beside another position', () => {
  const { schema, certificate } = bitmesh.prove(WALL);
  assert.equal(schema, 'bitmesh.prove.v1');
  assert.equal(bitmesh.verify(certificate, WALL).verdict, 'verified');
  assert.equal(bitmesh.verify(JSON.stringify(certificate)).verdict, 'verified');
  assert.equal(bitmesh.verify(certificate, LONE_KNIGHT).verdict, 'refused');
});

test('a lone knight cannot mate, but beside a pawn it can', () => {
  const [alone] = bitmesh.decide(LONE_KNIGHT, { side: 'black' }).decisions;
  assert.deepEqual([alone.for, alone.verdict, alone.plies], ['black', 'unwinnable', null]);
  const both = bitmesh.decide(WITH_A_PAWN).decisions;
  assert.deepEqual(both.map((decision) => decision.for), ['white', 'black']);
  assert.equal(both[1].verdict, 'winnable');
  assert.ok(both[1].plies > 0);
  for (const { evidence } of both) assert.equal(bitmesh.verify(evidence, WITH_A_PAWN).verdict, 'verified');
});

test('little effort leaves a side undecided, which is not a no', () => {
  const { effort, decisions } = bitmesh.decide(WITH_A_PAWN, { side: 'black', effort: 0 });
  assert.equal(effort, 0);
  assert.notEqual(decisions[0].verdict, 'unwinnable');
});

test('evidence that was touched is refused', () => {
  const [{ evidence }] = bitmesh.decide(WITH_A_PAWN, { side: 'black' }).decisions;
  const other = { ...evidence, position: LONE_KNIGHT };
  try {
    assert.notEqual(bitmesh.verify(other).verdict, 'verified');
  } catch (error) {
    assert.ok(error instanceof BitmeshError);
  }
});

test('bytes that are not evidence are an error and not a verdict', () => {
  assert.throws(() => bitmesh.verify(new Uint8Array([1, 2, 3])), BitmeshError);
  assert.throws(() => bitmesh.verify(new Uint8Array()), BitmeshError);
  assert.throws(() => bitmesh.verify('{"schema":"bitmesh.other.v1"}'), BitmeshError);
  // Known by its schema, and without everything else that it needs.
  assert.equal(bitmesh.verify('{"schema":"bitmesh.mate.v1"}').verdict, 'refused');
  assert.throws(() => bitmesh.verify(7), TypeError);
});

test('what is not a position is an error with a code', () => {
  assert.throws(() => bitmesh.analyze('not a position'), (error) => /^[a-z_]+\/[a-z-]+$/.test(error.code));
  assert.throws(() => bitmesh.decide('8/8/8/8/8/8/8/8'), BitmeshError);
  assert.throws(() => bitmesh.analyze(''), BitmeshError);
  refuses('wasm/malformed-question', () => bitmesh.decide(WALL, { side: 'red' }));
  refuses('wasm/malformed-question', () => bitmesh.decide(WALL, { effort: -1 }));
  refuses('wasm/malformed-question', () => bitmesh.draw(WALL, { layer: 'none', reach: 'a1' }));
  refuses('wasm/malformed-question', () => bitmesh.draw(WALL, { reach: 'z9' }));
  assert.throws(() => bitmesh.analyze(undefined), TypeError);
  assert.throws(() => bitmesh.analyze('\ud800'), TypeError);
});

test('drawings are SVG', () => {
  const svg = bitmesh.draw(WALL);
  assert.match(svg, /^<svg[\s\S]*<\/svg>\s*$/);
  assert.notEqual(bitmesh.draw(WALL, { orientation: 'black' }), svg);
  assert.match(bitmesh.draw(WALL, { layer: 'one-ply', size: 128 }), /One ply: accepted, 2 regions/);
  assert.ok(bitmesh.draw(WALL, { reach: 'a1' }).length > 0);
});

test('memory that grows between calls changes nothing', () => {
  const before = bitmesh.analyze(WALL);
  assert.throws(() => bitmesh.analyze('x'.repeat(1 << 24)), BitmeshError);
  bitmesh.decide(WITH_A_PAWN);
  assert.deepEqual(bitmesh.analyze(WALL), before);
});

test('instances share nothing, and a module can be given', async () => {
  const bytes = readFileSync(new URL('../bitmesh.wasm', import.meta.url));
  const others = await Promise.all([load(bytes), load(await WebAssembly.compile(bytes))]);
  for (const other of others) assert.deepEqual(other.decide(WALL), bitmesh.decide(WALL));
});

test('the module asks for nothing from outside', async () => {
  const bytes = readFileSync(new URL('../bitmesh.wasm', import.meta.url));
  assert.deepEqual(WebAssembly.Module.imports(await WebAssembly.compile(bytes)), []);
});

test('a trap is a fault, and the next question has a new instance', async () => {
  const name = (text) => [text.length, ...Buffer.from(text)];
  const section = (id, ...bytes) => [id, bytes.length, ...bytes];
  const exported = [
    [...name('memory'), 2, 0], [...name('bitmesh_input'), 0, 0], [...name('bitmesh_answer'), 0, 1],
    [...name('bitmesh_output'), 0, 2], [...name('bitmesh_output_length'), 0, 2],
  ];
  // The functions of the module, of which one hits `unreachable`.
  const trapping = new Uint8Array([
    0, 0x61, 0x73, 0x6d, 1, 0, 0, 0,
    ...section(1, 2, 0x60, 1, 0x7f, 1, 0x7f, 0x60, 0, 1, 0x7f),
    ...section(3, 3, 0, 1, 1),
    ...section(5, 1, 0, 1),
    ...section(7, exported.length, ...exported.flat()),
    ...section(10, 3, 4, 0, 0x41, 0, 0x0b, 3, 0, 0x00, 0x0b, 4, 0, 0x41, 0, 0x0b),
  ]);
  const broken = await load(trapping);
  for (let time = 0; time < 2; time += 1) {
    assert.throws(() => broken.analyze(WALL), (error) =>
      error instanceof BitmeshError && error.code === 'wasm/fault' && error.cause instanceof WebAssembly.RuntimeError);
  }
});

test('the example of the README says what stands beside it', async () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const [, code] = readme.match(/^```js\n([\s\S]*?)^```/m);
  const expected = [...code.matchAll(/console\.log\(.*\); \/\/ (.*)$/gm)].map(([, words]) => words);
  const here = code.replace("'bitmesh'", JSON.stringify(new URL('../index.js', import.meta.url).href));
  const said = execFileSync(process.execPath, ['--input-type=module', '--eval', here], { encoding: 'utf8' });
  assert.equal(expected.length, 2);
  assert.deepEqual(said.trim().split('\n'), expected);
});

test('the example says who has lost', () => {
  const example = fileURLToPath(new URL('../../../examples/languages/javascript/flag_fall.mjs', import.meta.url));
  const say = (...values) => execFileSync(process.execPath, [example, ...values], { encoding: 'utf8' });
  assert.match(say(LONE_KNIGHT, 'white'), /^drawn:/);
  assert.match(say(WITH_A_PAWN, 'white'), /^lost:/);
  assert.equal(spawnSync(process.execPath, [example, 'not a position', 'white']).status, 2);
});
