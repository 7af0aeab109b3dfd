// The explorer in a real browser against the real server.
//
//   BITMESH='target/debug/bitmesh serve --listen 0' node --test test/
//
// PICTURES=folder keeps a picture of each state, at 1280 and 375 pixels, light and dark.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { chromium } from 'playwright-core';

const WALL = '7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1';
const OPEN_WALL = '7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 b - a3 0 1';
const DEAD = '1b1k4/8/1p1p1p1p/pP1PpP1P/P3P1K1/8/8/8 w - - 0 50';
const QUEEN = '3kb3/8/8/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/2BQK3 w - - 0 1';
const COUPLED = '1b6/8/1kBp4/p1pPp1p1/P1P1PpP1/3K1P2/8/8 b - - 0 1';
const ROOK = '7k/8/8/8/8/8/8/RK6 w - - 0 1';
const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';
const GAMES = readFileSync(new URL('../../../../examples/collection/games.pgn', import.meta.url), 'utf8');
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const browserPath = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
  .find(each => each && existsSync(each));
const scratch = mkdtempSync(path.join(tmpdir(), 'explorer-'));
let browser;
let server;

/** Starts the command and waits for the address that it prints. */
async function startServer() {
  const [command, ...options] = (process.env.BITMESH ?? 'target/debug/bitmesh serve --listen 0').split(' ');
  const child = spawn(command, options, { stdio: ['ignore', 'pipe', 'inherit'] });
  const address = await new Promise((resolve, reject) => {
    let said = '';
    child.stdout.on('data', piece => {
      said += piece;
      const found = /^serving {2}(http:\S+)/m.exec(said);
      if (found) resolve(found[1]);
    });
    child.once('error', reject);
    child.once('exit', code => reject(new Error(`the server ended with ${code}`)));
  });
  const stop = () => new Promise(resolve => {
    child.once('exit', code => resolve(code));
    child.kill('SIGTERM');
  });
  return { address, stop };
}

before(async () => {
  assert.ok(browserPath, 'no Chromium was found; name it in CHROMIUM');
  server = await startServer();
  browser = await chromium.launch({
    executablePath: browserPath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
      '--disable-component-update', '--disable-sync'],
  });
});

after(async () => {
  await browser?.close();
  assert.equal(await server?.stop(), 0, 'the server ends well when it is told to');
  rmSync(scratch, { recursive: true, force: true });
});

/** A fresh page, with what went wrong on it. */
async function open(address = '', { width = 1280, height = 900, colorScheme = 'light', quiet = true } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme, acceptDownloads: true });
  // Long enough for a slow and busy machine: it only bounds how long a test that fails takes.
  context.setDefaultTimeout(240_000);
  const page = await context.newPage();
  page.problems = [];
  page.asked = [];
  page.on('console', message => message.type() === 'error' && page.problems.push(message.text()));
  page.on('pageerror', error => page.problems.push(error.message));
  page.on('request', request => page.asked.push(request.url()));
  await page.goto(server.address + address);
  await settled(page);
  page.done = async () => {
    if (quiet) assert.deepEqual(page.problems, []);
    const elsewhere = page.asked.filter(url => !url.startsWith(server.address) && !/^(data|blob):/.test(url));
    assert.deepEqual(elsewhere, [], 'the page asks no other server');
    await context.close();
  };
  return page;
}

const settled = page => page.waitForFunction(() => !document.body.hasAttribute('aria-busy'));

async function ask(page, text) {
  await page.fill('#text', text);
  await page.click('#ask button[type=submit]');
  await settled(page);
}

const word = (page, id) => page.textContent(`#claim-${id} .word`);

/** The middle of a square on the screen. */
async function place(page, square, flipped = false) {
  const board = page.locator('cg-board');
  await board.scrollIntoViewIfNeeded();
  const box = await board.boundingBox();
  const [file, rank] = [square.charCodeAt(0) - 97, square.charCodeAt(1) - 49];
  const [column, row] = flipped ? [7 - file, rank] : [file, 7 - rank];
  return { x: box.x + (column + 0.5) * box.width / 8, y: box.y + (row + 0.5) * box.height / 8 };
}

async function drag(page, from, to) {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 4 });
  await page.mouse.move(to.x, to.y, { steps: 4 });
  await page.mouse.up();
  await changed(page);
}

/** The board tells of a change by a timer of a moment. One that is set later and takes longer ends after it. */
async function changed(page) {
  await page.evaluate(() => new Promise(resolve => setTimeout(resolve, 50)));
  await settled(page);
}

/** Waits until so many squares are marked; the board draws with the next frame, and keeps unused marks hidden. */
const squares = (page, name, count) => page.waitForFunction(
  ([name, count]) => [...document.querySelectorAll(`cg-board square.${name}`)]
    .filter(square => square.style.display !== 'none').length === count,
  [name, count],
);
const arrows = (page, count) => page.waitForFunction(
  count => document.querySelectorAll('.cg-shapes line').length === count,
  count,
);

/** Nothing serious that a screen reader or a weak eye would stumble over. */
async function accessible(page, state) {
  await page.evaluate(AXE);
  const found = await page.evaluate(async () => {
    const { violations } = await window.axe.run(document, { resultTypes: ['violations'] });
    return violations.filter(each => ['serious', 'critical'].includes(each.impact))
      .map(each => `${each.id}: ${each.nodes.map(node => node.target.join(' ')).slice(0, 3).join(', ')}`);
  });
  assert.deepEqual(found, [], state);
}

test('the page loads from here alone, small, and without an error', async () => {
  const page = await open();
  const sizes = await page.evaluate(() => performance.getEntriesByType('resource').concat(performance.getEntriesByType('navigation'))
    .filter(entry => !entry.name.includes('/api/')).map(entry => entry.encodedBodySize));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  assert.ok(total > 20_000 && total < 300_000, `${total} bytes`);
  assert.equal(await page.inputValue('#text'), START);
  assert.equal(await word(page, 'for-ever'), 'not-proved');
  assert.ok(await page.locator('#claim-for-ever.open').count(), 'no claim is grey');
  await accessible(page, 'start');
  await page.done();
});

test('a pasted position shows its regions and its claims', async () => {
  const page = await open();
  await page.fill('#text', '');
  await page.focus('#text');
  await page.evaluate(text => {
    const field = document.getElementById('text');
    field.value = text;
    field.dispatchEvent(new ClipboardEvent('paste', { bubbles: true }));
  }, DEAD);
  await page.waitForSelector('#claim-for-ever.yes');
  assert.equal(await word(page, 'for-ever'), 'dead, sum');
  await squares(page, 'ground-barrier', 12);
  await squares(page, 'ground-0', 27);
  await squares(page, 'ground-1', 16);
  const letter = await page.evaluate(() => getComputedStyle(document.querySelector('square.letter-1'), '::after').content);
  assert.equal(letter, '"B"');
  await page.click('#claim-for-ever summary');
  await accessible(page, 'a dead position');
  await page.done();
});

test('what is wrong stands at the field and names the place', async () => {
  const page = await open('', { quiet: false });
  await ask(page, 'rnbqkbnr/pppp2pp/5p2/3Pp3/8/8/PPP1PPPP/RNBQKBNR w KQkq e5 0 1');
  const said = await page.textContent('#input-error');
  assert.match(said, /character 56.*did you mean e6\?.*position\/en-passant-rank/);
  assert.equal(await page.getAttribute('#text', 'aria-invalid'), 'true');
  assert.equal(await page.getAttribute('#input-error', 'role'), 'alert');
  await accessible(page, 'an error');
  await ask(page, WALL.replaceAll(' ', '_'));
  assert.equal(await page.isVisible('#input-error'), false);
  assert.match(await page.textContent('#input-notes'), /note\//, 'a tolerance says that it was used');
  await page.done();
});

test('what is typed is never markup', async () => {
  const page = await open('', { quiet: false });
  const hostile = '<img src=x onerror=window.hit=1></textarea><script>window.hit=1</script>';
  await ask(page, hostile);
  assert.equal(await page.isVisible('#input-error'), true);
  await page.goto(`${server.address}#fen=${encodeURIComponent(hostile)}`);
  await page.reload();
  await settled(page);
  await ask(page, `[Event "${hostile}"]\n\n1. e4 {${hostile}} ${hostile} *`);
  assert.equal(await page.evaluate(() => window.hit), undefined);
  assert.equal(await page.locator('img').count(), 0);
  await page.done();
});

test('pieces are dragged, put, removed, and the fields follow', async () => {
  const page = await open();
  await drag(page, await place(page, 'e2'), await place(page, 'e4'));
  assert.equal(await page.inputValue('#text'), 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1');
  await page.selectOption('#turn', 'b');
  await settled(page);
  assert.match(await page.inputValue('#text'), / b KQkq - /);
  await drag(page, await place(page, 'h1'), await place(page, 'h3'));
  assert.match(await page.inputValue('#text'), / b Qkq - /, 'a rook that was moved cannot castle');

  await page.click('#clear');
  await settled(page);
  assert.match(await page.textContent('#claim-for-ever .sentence'), /legal position/);
  const tray = await page.locator('#tray-bottom .king').boundingBox();
  await drag(page, { x: tray.x + tray.width / 2, y: tray.y + tray.height / 2 }, await place(page, 'a1'));
  assert.equal((await page.inputValue('#text')).split(' ')[0], '8/8/8/8/8/8/8/K7');
  // By choosing the tool and then the square, as on a phone or with one hand.
  await page.locator('#tray-top .king').focus();
  await page.keyboard.press('Enter');
  const corner = await place(page, 'h8');
  await page.mouse.click(corner.x, corner.y);
  await changed(page);
  assert.equal((await page.inputValue('#text')).split(' ')[0], '7k/8/8/8/8/8/8/K7');
  await page.locator('#tray-top .bin').click();
  await page.mouse.click(corner.x, corner.y);
  await changed(page);
  assert.equal((await page.inputValue('#text')).split(' ')[0], '8/8/8/8/8/8/8/K7');
  await page.locator('#tray-top .bin').click();

  await page.click('#start');
  await settled(page);
  await page.click('#flip');
  assert.match(await page.textContent('#flag'), /If White’s time runs out here, Black wins/);
  await drag(page, await place(page, 'e2', true), await place(page, 'e3', true));
  assert.match(await page.inputValue('#text'), /^rnbqkbnr\/pppppppp\/8\/8\/8\/4P3\//);
  await page.done();
});

test('a link shows the same position', async () => {
  const page = await open();
  await ask(page, WALL);
  const address = page.url();
  assert.ok(address.includes('#fen='), address);
  const other = await open(address.slice(server.address.length));
  assert.equal(await word(other, 'for-ever'), 'dead, sum');
  await other.done();
  for (const query of [
    '?fen=7k%2F8%2F8%2Fp1p1p1p1%2FPpPpPpPp%2F1P1P1P1P%2F8%2FK7_b_-_a3_0_1',
    '?fen=7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7+b+-+a3+0+1',
    `#fen=${encodeURIComponent(OPEN_WALL)}`,
  ]) {
    const linked = await open(query);
    assert.equal(await word(linked, 'one-ply'), 'refused', query);
    await linked.done();
  }
  await page.evaluate(fen => { location.hash = `fen=${fen}`; }, OPEN_WALL.replaceAll(' ', '_'));
  await page.waitForSelector('#claim-one-ply.no');
  await page.done();
});

test('a violation shows its arrow while it is pointed at', async () => {
  const page = await open(`#fen=${OPEN_WALL.replaceAll(' ', '_')}`);
  await page.click('#claim-one-ply summary');
  await squares(page, 'highlight', 1);
  await arrows(page, 1);
  await ask(page, QUEEN);
  await arrows(page, 2);
  await page.hover('.violations button >> nth=0');
  await arrows(page, 1);
  await page.mouse.move(0, 0);
  await arrows(page, 2);
  await accessible(page, 'violations');
  await page.done();
});

test('a clicked piece shows where it can ever go', async () => {
  const page = await open(`#fen=${WALL.replaceAll(' ', '_')}`);
  await page.waitForSelector('#claim-for-ever.yes');
  const king = await place(page, 'a1');
  await page.mouse.click(king.x, king.y);
  await squares(page, 'reach', 15);
  assert.match(await page.textContent('#legend'), /white king on a1 can stand on 16 squares at most/);
  await page.keyboard.press('Escape');
  await squares(page, 'reach', 0);
  await page.selectOption('#reach', 'a4');
  assert.match(await page.textContent('#legend'), /never moves and is never taken/);
  await page.done();
});

test('a line to mate is played on the board, by buttons and by keys', async () => {
  const page = await open(`#fen=${ROOK.replaceAll(' ', '_')}`);
  await page.waitForSelector('#claim-mate.yes');
  assert.equal(await word(page, 'mate'), 'winnable white, unwinnable black');
  assert.match(await page.textContent('#flag'), /If White’s time runs out here, the game is drawn.*If Black’s time runs out here, White wins\..*6\.9/);
  await page.click('#claim-mate summary');
  await page.click('#claim-mate .play');
  const moves = await page.locator('#line .moves li').count();
  assert.ok(moves > 0);
  assert.match(await page.textContent('#line output'), new RegExp(`^0 of ${moves}$`));
  await page.keyboard.press('ArrowRight');
  assert.match(await page.textContent('#line output'), /^1 of /);
  await squares(page, 'last-move', 2);
  await page.keyboard.press('ArrowLeft');
  await page.click('#line [aria-label="Mate"]');
  assert.match(await page.textContent('#line output'), new RegExp(`^${moves} of ${moves}: .*#$`), 'the last move is mate');
  assert.equal(await page.isDisabled('#line [aria-label="Mate"]'), true);
  await accessible(page, 'a line');
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('text=Download the line')]);
  assert.equal(download.suggestedFilename(), 'position.bmmate');
  await page.keyboard.press('Escape');
  assert.equal(await page.isVisible('#line'), false);
  await page.done();
});

test('a game shows where it died', async () => {
  const page = await open();
  await ask(page, GAMES);
  await page.waitForSelector('#game .strip');
  assert.match(await page.textContent('#game output'), /^75 of \d+: 38\. Bxe2/);
  assert.match(await page.textContent('#game .events'), /dead since 38\. Bxe2/);
  assert.equal(await word(page, 'for-ever'), 'dead, sum');
  await accessible(page, 'a game');
  await page.locator('#game [aria-label="Play the game"] button >> nth=1').focus();
  await page.keyboard.press('ArrowLeft');
  await settled(page);
  assert.match(await page.textContent('#game output'), /^74 of \d+: /);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await settled(page);
  assert.match(await page.textContent('#game output'), /^76 of \d+: /);
  const strip = await page.locator('#game .strip').boundingBox();
  await page.mouse.click(strip.x + 2, strip.y + 10);
  await settled(page);
  assert.match(await page.textContent('#game output'), /^0 of \d+: start/);
  await page.click('#game .events button');
  await settled(page);
  assert.match(await page.textContent('#game output'), /^75 of \d+: /);
  await page.selectOption('#game select', '0');
  await settled(page);
  // A side that is mated will not mate any more; nothing else holds in this game.
  await page.waitForFunction(() => /^Black can never give mate since 7\. Nd5#$/.test(document.querySelector('#game .events')?.textContent ?? ''));
  assert.match(await page.textContent('#game .moves'), /1\. e4.*7\. Nd5#/s);
  await page.click('text=Close the game');
  assert.equal(await page.isVisible('#game'), false);
  await page.done();
});

test('a game shows since when a side can no longer mate', async () => {
  const page = await open();
  // Black gives the last pieces that could mate: no wall, only the decisions see it.
  const bare = '[FEN "7k/8/8/8/3b4/4K3/7r/8 w - - 0 1"]\n[SetUp "1"]\n\n1. Kxd4 Kg7 2. Kc3 Rh1 3. Kb2 Rb1+ 4. Kxb1 Kf6 *';
  await ask(page, bare);
  await page.waitForFunction(() => /dead since 4\. Kxb1/.test(document.querySelector('#game .events')?.textContent ?? ''));
  const events = await page.textContent('#game .events');
  assert.match(events, /White can never give mate since the start/);
  assert.match(events, /Black can never give mate since 4\. Kxb1/);
  assert.match(await page.textContent('#game output'), /^7 of \d+: 4\. Kxb1/);
  await settled(page);
  assert.equal(await word(page, 'mate'), 'dead');
  await page.done();
});

test('a file with a game is opened, and a text without one is named', async () => {
  const page = await open('', { quiet: false });
  const file = path.join(scratch, 'games.pgn');
  writeFileSync(file, GAMES);
  await page.setInputFiles('#file', file);
  await page.waitForSelector('#game .strip');
  await ask(page, '[Event "nothing"]\n\n1. Ke3 *');
  await page.waitForFunction(() => document.querySelector('#game .refusal, #input-error:not([hidden])'));
  await page.done();
});

test('a certificate is downloaded, checked, and refused when a byte is changed', async () => {
  const page = await open(`#fen=${DEAD.replaceAll(' ', '_')}`, { quiet: false });
  await page.waitForSelector('#claim-for-ever.yes');
  await page.click('#claim-for-ever summary');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.click('#claim-for-ever >> text=Download the certificate'),
  ]);
  assert.equal(download.suggestedFilename(), 'position.bmpersist');
  const file = path.join(scratch, 'dead.bmpersist');
  await download.saveAs(file);
  const bytes = readFileSync(file);
  assert.equal(bytes.subarray(0, 10).toString('latin1'), 'BMPERSIST\0');

  await page.setInputFiles('#certificate', file);
  await page.waitForSelector('#report .verdict.verified');
  assert.match(await page.textContent('#report'), /BMPERSIST/);
  await accessible(page, 'a verified certificate');

  bytes[40] ^= 1;
  const forged = path.join(scratch, 'forged.bmpersist');
  writeFileSync(forged, bytes);
  await page.setInputFiles('#certificate', forged);
  await page.waitForSelector('#report .verdict.refused');
  assert.match(await page.textContent('#report .refusal'), /(persistent|payload)\//);
  await accessible(page, 'a refused certificate');

  // Dropped anywhere.
  await page.evaluate(content => {
    const data = new DataTransfer();
    data.items.add(new File([new Uint8Array(content)], 'dropped.bmpersist'));
    document.body.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: data }));
  }, [...readFileSync(file)]);
  await page.waitForSelector('#report .verdict.verified');
  assert.match(await page.textContent('#report h3'), /dropped\.bmpersist/);
  await page.done();
});

test('everything is reached by keyboard', async () => {
  const page = await open();
  await page.focus('#gallery-list button');
  await page.keyboard.press('Enter');
  await page.waitForSelector('#claim-for-ever.yes');
  await page.focus('#claim-for-ever summary');
  await page.keyboard.press('Enter');
  assert.equal(await page.getAttribute('#claim-for-ever', 'open'), '');
  await page.keyboard.press('Tab');
  assert.match(await page.evaluate(() => document.activeElement.textContent), /Download/);
  // Every control has its turn, and none is a trap.
  await page.focus('.skip');
  const seen = new Set();
  for (let count = 0; count < 120; count++) {
    await page.keyboard.press('Tab');
    const at = await page.evaluate(() => {
      const { activeElement } = document;
      return activeElement === document.body ? '' : activeElement.id || activeElement.textContent.slice(0, 30) || activeElement.tagName;
    });
    if (at === '') break;
    seen.add(at);
  }
  for (const id of ['text', 'open-file', 'turn', 'en-passant', 'flip', 'reach', 'choose-certificate']) assert.ok(seen.has(id), id);
  await page.done();
});

test('it fits a small phone and the dark', async () => {
  for (const colorScheme of ['light', 'dark']) {
    const page = await open('', { width: 320, height: 640, colorScheme });
    await ask(page, GAMES);
    await page.waitForSelector('#game .strip');
    await page.click('#claim-for-ever summary');
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= 320, `${width} pixels wide`);
    const board = await page.locator('cg-board').boundingBox();
    assert.ok(board.width > 280 && Math.abs(board.width - board.height) < 2, `${board.width} by ${board.height}`);
    const paper = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const bright = paper.match(/\d+/g).slice(0, 3).reduce((sum, part) => sum + Number(part), 0) / 3;
    assert.ok(colorScheme === 'dark' ? bright < 60 : bright > 200, paper);
    await accessible(page, colorScheme);
    await page.done();
  }
});

test('a proof that does not come costs its own line only', async () => {
  const page = await open('', { quiet: false });
  await page.route('**/api/v1/prove', route => route.fulfill({
    status: 504,
    contentType: 'application/problem+json',
    body: JSON.stringify({ title: 'Gateway Timeout', status: 504, code: 'server/time-over', detail: 'no answer within 10 seconds; this says nothing about the position' }),
  }));
  await ask(page, WALL);
  assert.equal(await word(page, 'for-ever'), 'no answer');
  assert.match(await page.textContent('#claim-for-ever .sentence'), /server\/time-over/);
  assert.equal(await page.locator('#claim-for-ever.open').count(), 1, 'it claims nothing');
  assert.equal(await word(page, 'mate'), 'dead');
  assert.equal(await page.isVisible('#input-error'), false);
  await page.done();
});

test('a server that has gone is said to be gone', async () => {
  const page = await open('', { quiet: false });
  await page.context().setOffline(true);
  await ask(page, WALL);
  assert.match(await page.textContent('#input-error'), /does not answer/);
  await page.context().setOffline(false);
  await ask(page, WALL);
  assert.equal(await page.isVisible('#input-error'), false);
  assert.equal(await word(page, 'for-ever'), 'dead, sum');
  await page.done();
});

test('pictures', { skip: !process.env.PICTURES && 'no folder in PICTURES' }, async () => {
  mkdirSync(process.env.PICTURES, { recursive: true });
  for (const width of [1280, 375]) {
    for (const colorScheme of ['light', 'dark']) {
      const keep = async (page, name) => {
        await page.waitForTimeout(300);
        await page.screenshot({ path: path.join(process.env.PICTURES, `${name}-${width}-${colorScheme}.png`), fullPage: true });
      };
      const page = await open('', { width, colorScheme });
      await keep(page, 'start');
      await ask(page, DEAD);
      await page.click('#claim-for-ever summary');
      await keep(page, 'dead');
      await ask(page, GAMES);
      await page.waitForSelector('#game .strip');
      await keep(page, 'game');
      await page.click('text=Close the game');
      await page.evaluate(() => document.querySelectorAll('details[open]').forEach(each => { each.open = false; }));
      await ask(page, COUPLED);
      await keep(page, 'coupled');
      await ask(page, ROOK);
      await page.click('#claim-mate summary');
      await page.click('#claim-mate .play');
      for (let count = 0; count < 4; count++) await page.keyboard.press('ArrowRight');
      await keep(page, 'winnable');
      await page.keyboard.press('Escape');
      await ask(page, DEAD);
      const bytes = await page.evaluate(async fen => {
        const answer = await fetch('./api/v1/prove', { method: 'POST', body: JSON.stringify({ fen }), headers: { 'Content-Type': 'application/json', Accept: 'application/octet-stream' } });
        return [...new Uint8Array(await answer.arrayBuffer())];
      }, DEAD);
      const file = (name, content) => ({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(content) });
      await page.setInputFiles('#certificate', file('dead.bmpersist', bytes));
      await page.waitForSelector('#report .verdict.verified');
      await keep(page, 'verified');
      await page.setInputFiles('#certificate', file('forged.bmpersist', bytes.map((byte, index) => index === 40 ? byte ^ 1 : byte)));
      await page.waitForSelector('#report .verdict.refused');
      await keep(page, 'refused');
      await page.done();
    }
  }
});
