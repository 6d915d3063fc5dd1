import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { apiKey, type Client, createClient, operations } from '@screen-advertising/core';
import { type UndiciTransport, undiciTransport } from '@screen-advertising/core/undici';
import { createSandbox, type Sandbox } from '@screen-advertising/sandbox';

const list = operations['screen.list'];
const count = 2000;

let sandbox: Sandbox;
let transport: UndiciTransport;
let client: Client;

beforeEach(async () => {
  sandbox = createSandbox({ screens: count + 200 });
  const all = sandbox.screens.list();
  const bookable = all.filter((screen) => screen.bookable);
  for (const { id } of bookable.slice(count)) sandbox.screens.remove(id);
  transport = undiciTransport();
  const [access] = sandbox.accesses;
  const { baseUrl } = await sandbox.listen();
  client = createClient({ baseUrl, auth: apiKey(access?.apiKey ?? ''), transport });
});

afterEach(async () => {
  await transport.close();
  await sandbox.close();
});

const bookableIds = (): string[] =>
  sandbox.screens
    .list()
    .filter((screen) => screen.bookable)
    .map(({ id }) => id);

describe('items over 2,000 screens of the sandbox', () => {
  it('sends 10 requests and yields each screen once', async () => {
    const seen: string[] = [];
    for await (const { id } of client.items(list)) seen.push(id);
    expect(seen).toHaveLength(count);
    expect(seen.toSorted()).toEqual(bookableIds().toSorted());
    expect(sandbox.journal.list()).toHaveLength(10);
  });

  it('yields each screen once while others are added and removed', async () => {
    const before = new Set(bookableIds());
    const seen: string[] = [];
    for await (const { id } of client.items(list)) {
      seen.push(id);
      if (seen.length % 200 !== 100) continue;
      // One screen already yielded, and one not yet.
      sandbox.screens.remove(id);
      const ahead = [...before].find((other) => !seen.includes(other));
      if (ahead && before.delete(ahead)) sandbox.screens.remove(ahead);
      sandbox.screens.add({ name: `Added after ${seen.length}`, bookable: true });
    }
    expect(new Set(seen).size).toBe(seen.length);
    const shown = new Set(seen);
    expect([...before].filter((id) => !shown.has(id))).toEqual([]);
    expect(sandbox.journal.list().length).toBeLessThanOrEqual(11);
  });
});
