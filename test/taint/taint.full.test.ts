import { inspect } from 'node:util';
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { apiKey, createClient, ProblemError, ResponseError } from '@screen-advertising/core';
import { undiciTransport } from '@screen-advertising/core/undici';
import { createSandbox, type JournalEntry } from '@screen-advertising/sandbox';
import { Metrics } from '../../packages/relay/src/observe/metrics.ts';
import { startWorld } from '../n8n/world.ts';
import { adminToken, openPage } from '../relay/operator/support.ts';
import { sourceSecret, start } from '../relay/support/running-relay.ts';
import { startReceiver } from '../sandbox/support/receiver.ts';
import { echoed } from '../support/secret-forms.ts';
import { createZapierRunner } from '../zapier/app/runner.ts';
import { useService } from '../zapier/app/use-service.ts';
import { secretsIn } from './secrets.ts';
import { watch } from './watch.ts';

/** This search runs in every test file: see install.ts. */
const planted = 'svc_planted_where_it_shows';
const zapierService = useService();

const codesOf = (text: string): number[] => Array.from(text, (char) => char.charCodeAt(0));
const hex = (code: number, digits = 2): string => code.toString(16).padStart(digits, '0');

/** Encodings in which a service may echo a secret, down to the last character. */
const encodings: Readonly<Record<string, (secret: string) => string>> = {
  'URL-encoded': (secret) =>
    codesOf(secret)
      .map((code) => `%${hex(code).toUpperCase()}`)
      .join(''),
  'URL-encoded in lower case': (secret) =>
    codesOf(secret)
      .map((code) => `%${hex(code)}`)
      .join(''),
  'in base64': (secret) => btoa(secret),
  'in base64 without padding': (secret) => btoa(secret).replace(/=+$/, ''),
  'in base64 for URLs': (secret) => Buffer.from(`?>${secret}`).toString('base64url'),
  'in base64 with a client ID before it': (secret) => btoa(`client:${secret}`),
  'quoted for JSON': (secret) =>
    codesOf(secret)
      .map((code) => `\\u${hex(code, 4)}`)
      .join(''),
  'escaped for HTML': (secret) =>
    codesOf(secret)
      .map((code) => `&#${code};`)
      .join(''),
  'escaped for HTML by hex numbers': (secret) =>
    codesOf(secret)
      .map((code) => `&#x${hex(code)};`)
      .join(''),
};

beforeEach(() => {
  expect(watch.take()).toEqual([]);
});

/** Takes the findings out of the watch, since they would otherwise fail the test. */
function foundIn(): string[] {
  return watch.take().filter((finding) => finding.endsWith(planted));
}

describe('secrets', () => {
  const { accesses } = createSandbox();
  const secrets = accesses.flatMap((one) => [one.apiKey, one.clientSecret, one.signingSecret]);

  it.each([
    ...secrets,
    planted,
    'sat_X4fZ8n-_bq0',
    adminToken,
    sourceSecret,
    'whsec_shared_by_both_sides',
    'the-client-secret',
  ])('are recognized in every position: %s', (secret) => {
    expect(secretsIn(`{"before":"${secret}"}, and ${secret}.`)).toEqual([secret, secret]);
  });

  it.each(Object.entries(encodings))('are recognized %s', (_form, encode) => {
    for (const secret of [...secrets, planted, 'the-client-secret']) {
      expect(secretsIn(`{"before":"${encode(secret)}"}, after`)).toEqual([secret]);
    }
  });

  it('are not found in words about them', () => {
    const words =
      'The API key must start with svc_. The client secret, the signing-secret. See #webhook-signing-secret';
    expect(secretsIn(words)).toEqual([]);
  });
});

describe('a planted secret is found', () => {
  it.each(Object.entries(encodings))('%s', (_form, encode) => {
    new ResponseError(`The service says: ${encode(planted)}.`, 200);
    expect(foundIn()).toEqual([`ResponseError: ${planted}`]);
  });

  it('in the message of an error', () => {
    new ResponseError(planted, 200);
    expect(foundIn()).toEqual([`ResponseError: ${planted}`]);
  });

  it('in a member that is added later', () => {
    Object.assign(new ResponseError('Unreadable.', 200), { key: planted });
    expect(foundIn()).toEqual([`ResponseError: ${planted}`]);
  });

  it('in the problem of an error', () => {
    new ProblemError('conflict', 'Refused.', { status: 409, problem: { detail: planted } });
    expect(foundIn()).toEqual([
      `ProblemError, inspected: ${planted}`,
      `ProblemError, as JSON: ${planted}`,
    ]);
  });

  it('down in the causes of an error', () => {
    const cause = new Error('A failure.', { cause: { headers: { authorization: planted } } });
    new ProblemError('conflict', 'Refused.', { status: 409, cause });
    expect(foundIn()).toEqual([`ProblemError, inspected: ${planted}`]);
  });

  it('in a member that is not listed', () => {
    const error = new ResponseError('Unreadable.', 200);
    Object.defineProperty(error, 'request', { value: { key: planted }, enumerable: false });
    expect(foundIn()).toEqual([`ResponseError, inspected: ${planted}`]);
  });

  it('in the form that an error has for a log, or as JSON', () => {
    const forms = { [inspect.custom]: () => planted, toJSON: () => planted };
    Object.assign(new ResponseError('Unreadable.', 200), forms);
    expect(foundIn()).toEqual([
      `ResponseError, inspected: ${planted}`,
      `ResponseError, as JSON: ${planted}`,
    ]);
  });

  it('in printed output, by any means', () => {
    process.stderr.write(`This line is looked for: ${planted}\n`);
    const { console: output } = globalThis;
    output.debug('So is this one:', { key: planted });
    expect(foundIn()).toEqual([`a stream of the process: ${planted}`, `console.debug: ${planted}`]);
  });

  it('in a journal that is then cleared', () => {
    const { journal } = createSandbox();
    journal.list = () => [{ path: `/screens?key=${planted}` } as JournalEntry];
    journal.clear();
    journal.list = () => [];
    expect(foundIn()).toEqual([`the journal: ${planted}`]);
  });

  it("in the relay's log, its errors, and its responses", async () => {
    const { relay, call, deliver } = await start({
      random: () => {
        throw new Error(planted);
      },
      onError: () => undefined,
    });
    const { url } = await startReceiver([500]);
    await call('PUT', '/subscriptions', { target_url: url, events: ['campaign.paid'] });
    await deliver({ id: '1', type: 'campaign.paid' });
    await relay.clock.advance(0);
    await call('GET', `/${planted}`);
    expect(foundIn()).toEqual([
      `the relay's log, inspected: ${planted}`,
      `the relay's log, as JSON: ${planted}`,
      `an error of the relay, inspected: ${planted}`,
      `the relay's response: ${planted}`,
    ]);
  });

  it.each(['/operator/subscriptions', '/operator/deliveries', '/'])(
    "on the relay's page %s",
    async (path) => {
      const { visitor, call, deliver } = await openPage();
      const { url } = await startReceiver();
      const events = ['campaign.paid'];
      await call('PUT', '/subscriptions', { target_url: url, events, name: planted });
      await deliver({ id: '1', type: 'campaign.paid', data: {} });
      await deliver({ id: '2', type: planted, data: {} });
      expect(foundIn()).toEqual([`the relay's response: ${planted}`]);
      await visitor.get(path);
      expect(foundIn()).toEqual([`the relay's response: ${planted}`]);
    },
  );

  it("in the relay's metrics", async () => {
    const { url } = await start();
    const show = jest.spyOn(Metrics.prototype, 'show').mockResolvedValue(new Response(planted));
    await fetch(`${url}/metrics`);
    show.mockRestore();
    expect(foundIn()).toEqual([`the relay's response: ${planted}`]);
  });

  it('but not in the response that shows a new connector key', async () => {
    const { visitor } = await openPage();
    const fields = { source: 'main', name: 'Zapier' };
    const { html } = await visitor.post('/operator/actions/create-token', fields);
    expect(html).toContain('whsec_');
    expect(watch.take()).toEqual([]);
  });

  it("in n8n's execution record", async () => {
    const world = await startWorld({ screens: 1 });
    const lookUp = { resource: 'user', operation: 'lookUp', email: 'lead@example.com' };
    await world.run({ ...lookUp, authentication: 'apiKey' }, { items: [{ note: planted }] });
    await world.stop();
    expect(foundIn()).toEqual([`n8n's execution record: ${planted}`]);
  });

  it("in Zapier's log and result", async () => {
    const zapier = await zapierService().connect();
    zapierService().sandbox.screens.add({ id: 'scr_planted', name: planted });
    await zapier.search('find_screen', { screenId: 'scr_planted' });
    expect(foundIn()).toEqual([`Zapier's log: ${planted}`, `Zapier's result: ${planted}`]);
  });

  it("in Zapier's error", async () => {
    const perform = () => {
      throw new Error(planted);
    };
    const display = { label: 'Leak', description: 'Shows what it knows.' };
    const leak = { key: 'leak', noun: 'Leak', display, operation: { perform } };
    const app = { version: '1.0.0', platformVersion: '19.1.0', creates: { leak } };
    const { baseUrl, sandbox } = zapierService();
    const credentials = { apiKey: sandbox.accesses[0].apiKey };
    await expect(
      createZapierRunner({ baseUrl, credentials, app }).create('leak', {}),
    ).rejects.toThrow();
    expect(foundIn()).toContain(`Zapier's error, inspected: ${planted}`);
  });
});

it('a client shows its key nowhere, even if the service echoes it', async () => {
  const sandbox = createSandbox();
  const { baseUrl } = await sandbox.listen();
  sandbox.faults.add({
    fault: 'status',
    status: 400,
    detail: `The key ${echoed(planted)} is odd.`,
  });
  const transport = undiciTransport();
  const client = createClient({ baseUrl, auth: apiKey(planted), transport });
  const call = client.users.lookup({ email: 'lead@example.com' });
  await expect(call).rejects.toThrow('The key [redacted], [redacted], [redacted]');
  await Promise.all([transport.close(), sandbox.close()]);
  expect(watch.take()).toEqual([]);
});
