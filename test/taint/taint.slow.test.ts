import { beforeEach, describe, expect, it } from '@jest/globals';
import { ProblemError, ResponseError } from '@screen-advertising/core';
import { startWorld } from '../n8n/world.ts';
import { openPage } from '../relay/page/support.ts';
import { start } from '../relay/support/running-relay.ts';
import { startReceiver } from '../sandbox/support/receiver.ts';
import { useService } from '../zapier/app/use-service.ts';
import { createZapierRunner } from '../zapier/app/zapier.ts';
import { secretsIn, watch } from './watch.ts';

/** This search runs in every test file: see install.ts. */
const planted = 'svc_planted_where_it_shows';
const zapierService = useService();

beforeEach(() => {
  expect(watch.take()).toEqual([]);
});

/** Takes the findings out of the watch, since they would otherwise fail the test. */
function foundIn(): string[] {
  return watch.take().filter((finding) => finding.endsWith(planted));
}

it.each([
  ['plain', planted],
  ['URL-encoded', planted.replaceAll('_', '%5F')],
  ['in base64', btoa(`client:${planted}`)],
  ['quoted for JSON', planted.replaceAll('_', '\\u005f')],
  ['escaped for HTML', planted.replaceAll('_', '&#x5f;')],
])('a secret is recognized %s', (_form, written) => {
  expect(secretsIn(`{"before":"${written}"}, and the signing-secret`)).toEqual([planted]);
});

describe('a planted secret is found', () => {
  it('in the message of an error', () => {
    new ResponseError(planted, { status: 200 });
    expect(foundIn()).toEqual([`ResponseError: ${planted}`]);
  });

  it('down in the causes of an error', () => {
    const cause = new Error('A failure.', { cause: { headers: { authorization: planted } } });
    new ProblemError('conflict', 'Refused.', { status: 409, cause });
    expect(foundIn()).toEqual([`ProblemError, inspected: ${planted}`]);
  });

  it('in printed output, by any means', () => {
    process.stderr.write(`This line is looked for: ${planted}\n`);
    const { console: output } = globalThis;
    output.debug('So is this one:', { key: planted });
    expect(foundIn()).toEqual([`a stream of the process: ${planted}`, `console.debug: ${planted}`]);
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
    await zapier.search('find_screen', { screen_id: 'scr_planted' });
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
