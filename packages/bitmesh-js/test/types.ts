// Compiled and not run: the types allow what the documentation shows, and refuse what it does not.
import { BitmeshError, load, type Decisions, type Glance } from '../index.js';

const bitmesh = await load();
const glance: Glance = bitmesh.analyze('8/8/8/4k3/8/3n4/8/K7 w - - 0 1');
const dead: boolean = glance.dead;
const decisions: Decisions = bitmesh.decide(glance.position, { side: 'black', effort: 1000 });
for (const { evidence } of decisions.decisions) {
  if (evidence !== null) bitmesh.verify(evidence, decisions.position);
}
const svg: string = bitmesh.draw(glance.position, { layer: 'none', orientation: 'black' });
// @ts-expect-error a colour is white or black
bitmesh.decide(glance.position, { side: 'red' });
export { BitmeshError, dead, svg };
