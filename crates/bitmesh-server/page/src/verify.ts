// Certificates of others, checked anew.

import { Problem, verify } from './api.ts';
import { byId, el } from './dom.ts';

const list = (title: string, items: (string | Node)[]): Node | null =>
  items.length
    ? el('div', {}, el('h4', {}, title), el('ul', {}, ...items.map(item => el('li', {}, item))))
    : null;

/** Checks a file and shows the report of `bitmesh verify`. */
export async function check(file: File): Promise<void> {
  const report = byId('report');
  report.replaceChildren(el('p', {}, `Checking ${file.name}…`));
  try {
    const said = await verify(file);
    const facts = Object.entries(said.facts).map(([name, value]) =>
      el('div', {}, el('dt', {}, name.replaceAll('_', ' ')), el('dd', {}, el('code', {}, value))));
    const sections = [
      el('h3', {}, el('span', { class: `verdict ${said.verdict}` }, said.verdict.replace('-', ' ')), ` ${file.name}`),
      el('p', {}, said.format),
      said.refusal && el('p', { class: 'refusal' },
        said.refusal.message,
        said.refusal.offset === undefined ? null : ` (byte ${said.refusal.offset})`,
        ' ', el('code', {}, said.refusal.code)),
      facts.length ? el('dl', {}, ...facts) : null,
      list('Checked', said.checked),
      list('Findings', said.findings.map(finding => el('span', {}, finding.message, ' ', el('code', {}, finding.code)))),
      list('Not checked', said.not_checked),
    ];
    report.replaceChildren(...sections.filter(section => section !== null));
  } catch (error) {
    const code = error instanceof Problem ? error.code : 'page/error';
    report.replaceChildren(
      el('h3', {}, el('span', { class: 'verdict refused' }, 'not read'), ` ${file.name}`),
      el('p', { class: 'refusal' }, error instanceof Error ? error.message : String(error), ' ', el('code', {}, code)),
    );
  }
  byId('check').scrollIntoView({ block: 'nearest' });
}
