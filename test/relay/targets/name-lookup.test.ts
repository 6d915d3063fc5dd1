import { describe, expect, it, jest } from '@jest/globals';
import { NameLookup, parseHosts } from '../../../packages/relay/src/targets/name-lookup.ts';
import { type Reply, startNameServer } from '../support/name-server.ts';

async function lookupWith(reply: (name: string) => Reply, isLocal = (_name: string) => false) {
  const server = await startNameServer(reply);
  const names = new NameLookup({ nameServers: [server.address], isLocal });
  const resolve = (name: string) =>
    names.resolve(name).then(
      (found) => found.map(({ address, family }) => `${address} (IPv${family})`),
      ({ message, code }) => `${message} (${code})`,
    );
  return { resolve, asked: server.asked };
}

describe('a lookup', () => {
  it('gives the addresses that the name server knows', async () => {
    const { resolve } = await lookupWith(() => ['192.0.2.1', '192.0.2.2']);
    expect(await resolve('Hooks.Example.')).toEqual(['192.0.2.1 (IPv4)', '192.0.2.2 (IPv4)']);
  });

  it.each([
    ['unknown', 'hooks.example has no address (ENOTFOUND)'],
    [[], 'hooks.example has no address (ENOTFOUND)'],
    ['failure', 'the name servers of hooks.example did not resolve it (ESERVFAIL)'],
  ] as const)('that gets %j says so', async (reply, said) => {
    const { resolve } = await lookupWith(() => reply);
    expect(await resolve('hooks.example')).toBe(said);
  });

  it('finds the names of the hosts file without a name server', async () => {
    const { resolve, asked } = await lookupWith(() => 'unknown');
    expect(await resolve('localhost')).toContain('127.0.0.1 (IPv4)');
    expect(asked).toEqual([]);
  });

  it('of an allowed name that no name server knows asks the operating system', async () => {
    const { resolve } = await lookupWith(
      () => 'unknown',
      (host) => host === '127.0.0.2',
    );
    expect(await resolve('127.0.0.2')).toEqual(['127.0.0.2 (IPv4)']);
    expect(await resolve('127.0.0.3')).toBe('127.0.0.3 has no address (ENOTFOUND)');
  });

  it('is shared by all that ask at the same time', async () => {
    const { resolve, asked } = await lookupWith(() => ['192.0.2.1']);
    await Promise.all(Array.from({ length: 20 }, () => resolve('hooks.example')));
    await resolve('hooks.example');
    expect(asked).toEqual(['hooks.example', 'hooks.example']);
  });

  it('that failed is not made again for ten seconds', async () => {
    let dead: Reply = 'failure';
    const { resolve, asked } = await lookupWith((name) =>
      name === 'dead.example' ? dead : ['192.0.2.1'],
    );
    const failed = await resolve('dead.example');
    const queries = asked.length;
    dead = ['192.0.2.1'];
    expect(await resolve('dead.example')).toBe(failed);
    expect(asked.length).toBe(queries);
    expect(await resolve('other.example')).toEqual(['192.0.2.1 (IPv4)']);
    const { now } = performance;
    const later = jest
      .spyOn(performance, 'now')
      .mockImplementation(() => now.call(performance) + 10_000);
    expect(await resolve('dead.example')).toEqual(['192.0.2.1 (IPv4)']);
    later.mockRestore();
  });

  it.each([true, false])('waits for none of forty silent ones (allowed: %s)', async (isAllowed) => {
    const { resolve } = await lookupWith(
      (name) => (name.startsWith('silent') ? 'silent' : ['192.0.2.1']),
      () => isAllowed,
    );
    const silent = Array.from({ length: 40 }, (_, nth) => resolve(`silent-${nth}.example`));
    const first = await Promise.race([resolve('hooks.example'), ...silent]);
    expect(first).toEqual(['192.0.2.1 (IPv4)']);
  });
});

describe('the hosts file', () => {
  it('may have comments, several names a line, and several addresses a name', () => {
    const text = '# own\n10.0.0.1\tN8N n8n.internal # main\n::5 n8n\n\nnonsense n8n\n10.0.0.2';
    expect([...parseHosts(`${text}\n127.0.0.9 localhost`)]).toEqual([
      [
        'n8n',
        [
          { address: '10.0.0.1', family: 4 },
          { address: '::5', family: 6 },
        ],
      ],
      ['n8n.internal', [{ address: '10.0.0.1', family: 4 }]],
      ['localhost', [{ address: '127.0.0.9', family: 4 }]],
    ]);
  });

  it('need not list localhost', () => {
    expect(parseHosts('').get('localhost')).toEqual([
      { address: '127.0.0.1', family: 4 },
      { address: '::1', family: 6 },
    ]);
  });
});
