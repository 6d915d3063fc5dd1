import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { corePaths } from './core-paths.ts';
import { n8nPaths } from './n8n-paths.ts';
import { type Path, type Paths, secrets } from './path.ts';
import { RedirectingService } from './redirecting-service.ts';
import type { Shape } from './shapes.ts';
import { zapierPaths } from './zapier-paths.ts';

const platforms = [
  ['the core', corePaths, 6],
  ['n8n', n8nPaths, 9],
  ['Zapier', zapierPaths, 5],
] as const;

/** Sends every credential on each of its ways into redirects of these shapes. */
export function describeRedirects(shapes: readonly Shape[]): void {
  describe.each(platforms)('%s', (_platform, open, count) => {
    const service = new RedirectingService();
    let opened: Paths | undefined;
    beforeAll(async () => {
      await service.start();
      opened = await open();
    });
    afterAll(async () => {
      await opened?.close();
      await service.stop();
    });

    it(`takes no credential along on ${count} paths with ${shapes.length} redirects each`, async () => {
      const { paths = [] } = opened ?? {};
      expect(paths).toHaveLength(count);
      const found: string[] = [];
      for (const path of paths) {
        for (const shape of shapes) found.push(...(await crossings(service, path, shape)));
      }
      expect(found).toEqual([]);
    });
  });
}

/** Where redirects took the credential. */
async function crossings(service: RedirectingService, path: Path, shape: Shape): Promise<string[]> {
  service.shape = shape;
  service.arrived = [];
  await path.send(service.baseUrl).catch(() => undefined);
  const holding = service.arrived.filter(({ text }) =>
    Object.values(secrets).some((secret) => text.includes(secret)),
  );
  const { status, form, target } = shape;
  const what = `${path.name}, ${status} to ${target}, ${form}`;
  // Else nothing was tried.
  if (!holding.some(({ isRedirected }) => !isRedirected)) return [`${what}: not sent`];
  return holding
    .filter(({ isRedirected, origin }) => isRedirected || origin !== service.origin)
    .map(({ origin }) => `${what}: ${origin}`);
}
