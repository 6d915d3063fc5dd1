import { expect, it } from '@jest/globals';
import { createSandbox } from '@screen-advertising/sandbox';

it('writes no name of a city over another', async () => {
  const sandbox = createSandbox();
  const page = await (await sandbox.fetch('http://127.0.0.1/inspector/screens')).text();
  const names = [...page.matchAll(/<text x="([\d.]+)" y="([\d.]+)">([^<]+)</g)].map(
    ([, x, y, name]) => ({ x: Number(x), y: Number(y), name: String(name) }),
  );
  expect(names.length).toBeGreaterThan(10);
  const overlaps = names.flatMap((one, index) =>
    names
      .slice(index + 1)
      // A line is 15 units high, and a letter at most 9 wide.
      .filter(({ x, y, name }) => {
        const left = x < one.x ? name : one.name;
        return Math.abs(y - one.y) < 18 && Math.abs(x - one.x) < 9 * left.length;
      })
      .map(({ name }) => `${one.name} and ${name}`),
  );
  expect(overlaps).toEqual([]);
});
