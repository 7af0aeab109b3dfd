// A player's flag has fallen. Is the game lost, or drawn (FIDE Laws of Chess, article 6.9)?
//
//     node flag_fall.mjs '8/8/8/4k3/8/3n4/8/K7 w - - 0 1' white
import { BitmeshError, load } from '../../../packages/bitmesh-js/index.js';

const [position, flagged] = process.argv.slice(2);
if (position === undefined || (flagged !== 'white' && flagged !== 'black')) {
  console.error('usage: node flag_fall.mjs FEN white|black   (whose flag has fallen)');
  process.exit(2);
}

const bitmesh = await load();
try {
  const side = flagged === 'white' ? 'black' : 'white';
  const [{ verdict, plies }] = bitmesh.decide(position, { side }).decisions;
  if (verdict === 'winnable') {
    console.log(`lost: the opponent can still give mate, for example in ${plies} plies`);
  } else if (verdict === 'unwinnable') {
    console.log('drawn: the opponent can never give mate');
  } else {
    console.log('undecided: an arbiter must look');
    process.exitCode = 1;
  }
} catch (error) {
  if (!(error instanceof BitmeshError)) throw error;
  console.error(`${error.message} (${error.code})`);
  process.exitCode = 2;
}
