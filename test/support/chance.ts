import { Random } from '../../packages/sandbox/src/random.ts';

/** Numbers in the place of `Math.random`: an order for each test file and seed, the same every time. */
export function chanceOf(file: string, seed: number): () => number {
  const mixed = [...file].reduce((sum, letter) => Math.imul(sum, 31) + letter.charCodeAt(0), seed);
  const random = new Random(mixed);
  return () => random.next();
}
