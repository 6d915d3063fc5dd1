import { beforeAll, describe, expect, it } from '@jest/globals';
import { ownSource, type Running, sourceSecret, start } from '../support/running-relay.ts';

const nameOf = (secret: string) => secret.toLowerCase().replaceAll(/\W|_/g, '');

let running: Running;

beforeAll(async () => {
  running = await start();
});

describe('the signing secret of a source', () => {
  it.each([
    [' ', 'is empty'],
    ['first line\nsecond line', 'has a line break or another control character'],
    ['https://relay.example.com/in/main', 'is a web address'],
    ['Signing secret: abc', 'begins with its label'],
    ['Please find it below', 'has a space'],
    ['short', 'is shorter than 8 characters'],
  ])('is refused if it is certainly something else: %j', async (secret, fault) => {
    const { sources } = running.relay;
    const message = `The signing secret of the source ${fault}. Paste the secret alone, as the Screen Advertising team sent it. If that is what it sent, ask for another one.`;
    await expect(sources.add('shop', secret)).rejects.toThrow(message);
    await expect(sources.rotate('main', secret)).rejects.toThrow(message);
    expect((await sources.list()).map(({ name }) => name)).not.toContain('shop');
  });

  it('is not a connector key of the relay, which no error shows', async () => {
    const { relay, key } = running;
    for (const secret of [key.connectorKey, key.token]) {
      const refused = relay.sources.rotate('main', secret);
      await expect(refused).rejects.toThrow(
        'The signing secret of the source is a connector key of the relay, which belongs in n8n or Zapier. Paste the secret alone, as the Screen Advertising team sent it. If that is what it sent, ask for another one.',
      );
      await expect(refused).rejects.not.toThrow(secret);
    }
  });

  it('is accepted in any other form', async () => {
    const { relay, deliver } = running;
    for (const secret of ['8-digits', 'whsec_c2VjcmV0', `${sourceSecret}://x`, 'rly_short']) {
      await relay.sources.add(nameOf(secret), `${secret}\n`);
      await relay.clock.advance(1_000);
      const event = { id: '1', type: 'campaign.paid' };
      const delivered = await deliver(event, { secret, source: nameOf(secret) });
      expect([secret, delivered.status]).toEqual([secret, 202]);
    }
  });
});

describe('a rotation of the signing secret', () => {
  const [first, second, typo] = [sourceSecret, 'second-signing-secret', 'second-signing-secert'];
  const day = 24 * 3_600_000;
  let events = 0;

  /** The statuses of deliveries that are signed with these secrets, at a moment when it reads them. */
  async function statuses({ relay, deliver }: Running, secrets: readonly string[]) {
    await relay.clock.advance(2_000);
    const all = [];
    for (const secret of secrets) {
      events += 1;
      const delivered = await deliver({ id: String(events), type: 'campaign.paid' }, { secret });
      all.push(delivered.status);
    }
    return all;
  }

  it.each([
    ['a double click', [second, second]],
    ['many tries', [typo, 'another-signing-secret', second, second]],
  ])('keeps the secret that is in use, whatever follows: %s', async (_, rotations) => {
    const own = await ownSource(running);
    expect(await statuses(own, [first])).toEqual([202]);
    for (const secret of rotations) await own.relay.sources.rotate(own.source, secret);
    await own.relay.clock.advance(30 * day);
    expect(await statuses(own, [first, second, typo])).toEqual([202, 202, 401]);
    // The new one is in use now.
    await own.relay.clock.advance(30 * day);
    expect(await statuses(own, [first, second])).toEqual([401, 202]);
  });

  it('keeps the one that verified a delivery last, also if both did', async () => {
    const own = await ownSource(running);
    await statuses(own, [first]);
    await own.relay.sources.rotate(own.source, second);
    expect(await statuses(own, [second, first])).toEqual([202, 202]);
    await own.relay.sources.rotate(own.source, 'third-signing-secret');
    expect(await statuses(own, [first, 'third-signing-secret', second])).toEqual([202, 202, 401]);
  });

  it('back to the secret before keeps both', async () => {
    const own = await ownSource(running);
    await statuses(own, [first]);
    await own.relay.sources.rotate(own.source, second);
    await statuses(own, [second]);
    await own.relay.sources.rotate(own.source, first);
    expect(await statuses(own, [second, first])).toEqual([202, 202]);
  });

  it('says whether it changed anything, and whether there was an earlier secret', async () => {
    const { relay } = running;
    await relay.sources.add('shop');
    expect(await relay.sources.rotate('shop', first)).toEqual({
      changed: true,
      previous_until: null,
    });
    expect(await relay.sources.rotate('shop', first)).toEqual({
      changed: false,
      previous_until: null,
    });
    expect(await relay.sources.rotate('shop', second)).toEqual({
      changed: true,
      previous_until: new Date(relay.clock.now() + 7 * day).toISOString(),
    });
  });
});

describe('a source that is removed', () => {
  it('is gone with what belonged to it, and its address rejects events', async () => {
    const own = await ownSource(running);
    const { relay, tokenName: name } = own;
    const others = (await relay.sources.list()).filter(({ name }) => name !== own.source);
    await expect(relay.sources.remove(own.source)).rejects.toThrow(
      `The source "${own.source}" has active tokens: ${name}. Revoke them first, which switches their subscriptions off.`,
    );
    await relay.tokens.revoke(own.source, name);
    await own.deliver({ id: '1', type: 'campaign.paid' }, { secret: 'of somebody else' });
    await relay.sources.remove(own.source);
    expect(await relay.sources.list()).toEqual(others);
    expect((await relay.tokens.list()).some(({ source }) => source === own.source)).toBe(false);
    await expect(relay.sources.remove(own.source)).rejects.toThrow(
      `There is no source "${own.source}".`,
    );
    await relay.clock.advance(1_000);
    expect((await own.deliver({ id: '2', type: 'campaign.paid' })).status).toBe(404);
  });

  it('must have no events, which would be lost', async () => {
    const own = await ownSource(running);
    const { relay, tokenName: name } = own;
    await own.deliver({ id: '1', type: 'campaign.paid' });
    await relay.tokens.revoke(own.source, name);
    await expect(relay.sources.remove(own.source)).rejects.toThrow(
      `The source "${own.source}" still has events. Once they are pruned, after RELAY_RETENTION_DAYS or with "prune --older-than", it can be removed.`,
    );
    await relay.clock.advance(2 * 3_600_000);
    await relay.prune(3_600_000);
    await relay.sources.remove(own.source);
    expect((await relay.sources.list()).some(({ name }) => name === own.source)).toBe(false);
  });
});

it('a token shows when its key was used, to the minute', async () => {
  const own = await ownSource(running);
  const { relay } = running;
  const used = async () =>
    (await relay.tokens.list()).find(({ source }) => source === own.source)?.used_at;
  expect(await used()).toBe(null);
  const first = new Date(relay.clock.now());
  await own.call('GET', '/me');
  expect(await used()).toEqual(first);
  await relay.clock.advance(59_000);
  await own.call('GET', '/me');
  expect(await used()).toEqual(first);
  await relay.clock.advance(2_000);
  await own.call('GET', '/me');
  expect(await used()).toEqual(new Date(relay.clock.now()));
});

it('a rotated token shows the use of its new key alone, and until when the one before works', async () => {
  const own = await ownSource(running);
  const { relay, key } = own;
  const shown = async () => {
    const all = await relay.tokens.list();
    const { used_at, previous_until } = all.find(({ source }) => source === own.source) ?? {};
    return [used_at, previous_until];
  };
  await own.call('GET', '/me');
  const end = new Date(relay.clock.now() + 24 * 3_600_000);
  const { token } = await relay.tokens.rotate(own.source, own.tokenName);
  await own.call('GET', '/me', undefined, key.token);
  expect(await shown()).toEqual([null, end]);
  await relay.clock.advance(61_000);
  const now = new Date(relay.clock.now());
  await own.call('GET', '/me', undefined, token);
  await relay.clock.advance(61_000);
  await own.call('GET', '/me', undefined, key.token);
  expect(await shown()).toEqual([now, end]);
  await relay.clock.advance(24 * 3_600_000);
  expect(await shown()).toEqual([now, null]);
});

it('a source shows until when the secret before works', async () => {
  const own = await ownSource(running);
  const { relay, source, deliver } = own;
  const shown = async () => {
    const { previous_until, note } =
      (await relay.sources.list()).find(({ name }) => name === source) ?? {};
    return [previous_until?.toISOString() ?? null, note];
  };
  expect(await shown()).toEqual([null, null]);
  const { previous_until: end } = await relay.sources.rotate(source, 'second-signing-secret');
  const isUnused =
    'The previous secret works until a delivery is signed with the new one, even after previous_until.';
  expect(await shown()).toEqual([end, isUnused]);
  await relay.clock.advance(1_000);
  await deliver({ id: source, type: 'campaign.paid' }, { secret: 'second-signing-secret' });
  expect(await shown()).toEqual([end, null]);
  await relay.clock.advance(8 * 24 * 3_600_000);
  expect(await shown()).toEqual([null, null]);
});
