import { SeededRandom } from '../../packages/sandbox/src/state/random.ts';

/** Replaces `Math.random`: a fixed sequence of numbers for each test file and seed. */
export function chanceOf(file: string, seed: number): () => number {
  const mixed = [...file].reduce((sum, letter) => Math.imul(sum, 31) + letter.charCodeAt(0), seed);
  const random = new SeededRandom(mixed);
  return () => random.next();
}
