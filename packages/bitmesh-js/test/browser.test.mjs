// The package in a real browser, which loads it from a server on this machine.
//
// SPDX-License-Identifier: GPL-3.0-or-later
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';

// The driver is one of the packages that the server's page is tested with.
const page = new URL('../../../crates/bitmesh-server/page/package.json', import.meta.url);
const { chromium } = createRequire(page)('playwright-core');
const WITH_A_PAWN = '8/8/8/4k3/8/3n4/P7/K7 w - - 0 1';
const TYPES = { js: 'text/javascript', wasm: 'application/wasm', html: 'text/html' };
const PAGE = '<!doctype html><link rel="icon" href="data:,"><title>Bitmesh</title>';

let browser;
let server;

before(async () => {
  server = createServer(async (request, response) => {
    const name = request.url.slice(1) || 'index.html';
    const body = await { 'index.html': async () => PAGE }[name]?.()
      ?? await readFile(new URL(`../${name}`, import.meta.url));
    response.setHeader('Content-Type', TYPES[name.split('.').pop()]);
    response.end(body);
  });
  await new Promise((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM,
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
  });
});

after(async () => {
  await browser?.close();
  server?.close();
});

test('a page imports the module and decides a position', async () => {
  const tab = await browser.newPage();
  const problems = [];
  tab.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  tab.on('pageerror', (error) => problems.push(error.message));
  await tab.goto(`http://127.0.0.1:${server.address().port}/`);
  const said = await tab.evaluate(async (position) => {
    const { BitmeshError, load } = await import('/index.js');
    const bitmesh = await load();
    const { decisions } = bitmesh.decide(position);
    let code;
    try {
      bitmesh.analyze('not a position');
    } catch (error) {
      code = error instanceof BitmeshError && error.code;
    }
    document.body.innerHTML = bitmesh.draw(position);
    return {
      verdicts: decisions.map((each) => [each.for, each.verdict, bitmesh.verify(each.evidence, position).verdict]),
      code,
      drawn: document.querySelectorAll('body > svg').length,
    };
  }, WITH_A_PAWN);
  assert.deepEqual(said.verdicts, [['white', 'winnable', 'verified'], ['black', 'winnable', 'verified']]);
  assert.match(said.code, /^[a-z]+\/[a-z-]+$/);
  assert.equal(said.drawn, 1);
  assert.deepEqual(problems, []);
});
