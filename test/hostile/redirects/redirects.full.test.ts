import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readZapierError } from '../../zapier/app/zapier-error.ts';
import { n8nPaths, type Path, secrets, zapierPaths } from './paths.ts';
import { RedirectingService, type Shape, shapes } from './redirecting-service.ts';

/** The matrix redirects every call and every token request. */
const platforms = [
  ['n8n', n8nPaths, 6],
  ['Zapier', zapierPaths, 3],
] as const;

const all = shapes();

describe.each(platforms)('%s', (_platform, open, count) => {
  const service = new RedirectingService();
  let opened: Awaited<ReturnType<typeof open>> | undefined;
  beforeAll(async () => {
    await service.start();
    opened = await open();
  });
  afterAll(async () => {
    await opened?.close();
    await service.stop();
  });

  it(`takes no credential along on ${count} paths with ${all.length} redirects each`, async () => {
    const { paths = [] } = opened ?? {};
    expect(paths).toHaveLength(count);
    const found: string[] = [];
    for (const path of paths) {
      for (const shape of all) found.push(...(await crossings(service, path, shape)));
    }
    expect(found).toEqual([]);
  });
});

it('the request for a picture cannot be sent from elsewhere into the machine that makes it', async () => {
  const service = new RedirectingService();
  await service.start();
  const { paths, close } = await zapierPaths();
  const target = 'a subdomain with another scheme';
  service.shape = { status: 302, form: 'there and back again', target };
  const path = paths.find(({ name }) => name.startsWith('a picture'));
  expect(await path?.send(service.baseUrl).catch(readZapierError)).toMatchObject({
    message: `The thumbnail of the screen could not be downloaded (a redirect to ${service.origin}, which is not safe to follow). Replay the step, or leave the thumbnail out.`,
  });
  const { ports } = service;
  expect(service.arrived.map(({ origin }) => origin)).toEqual([
    service.origin,
    `https://sub.localhost:${ports[0]}`,
  ]);
  await close();
  await service.stop();
});

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
