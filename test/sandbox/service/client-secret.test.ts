import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { noticeIn } from '../inspector/support.ts';
import { problemDetail, type Running, start } from '../support/running-sandbox.ts';

const folder = temporaryFolder();
const wrong = 'The client_id or client_secret is wrong.';

const tokenFor = ({ call, full }: Running, client_secret: string) =>
  call('POST', '/oauth/token', { token: null, body: { client_id: full.clientId, client_secret } });

const rotate = ({ admin }: Running, id: string) =>
  admin('POST', `/accesses/${id}/rotate-client-secret`);

it('a client secret buys a token with all scopes of its access', async () => {
  const { call, limited } = await start();
  const body = { client_id: limited.clientId, client_secret: limited.clientSecret };
  const { status, text } = await call('POST', '/oauth/token', { token: null, body });
  expect([status, JSON.parse(text)]).toEqual([
    200,
    {
      access_token: expect.stringMatching(/^sat_/),
      token_type: 'bearer',
      expires_in: 3600,
      scope: 'screens:read coupons:read campaign_requests:read',
    },
  ]);
});

describe('a rotated client secret', () => {
  it('is refused like a wrong one, and the next one works', async () => {
    const service = await start();
    const { full, second, sandbox } = service;
    const before = JSON.parse((await tokenFor(service, full.clientSecret)).text).access_token;
    const rotated = JSON.parse((await rotate(service, 'full')).text);
    expect(rotated).toEqual({ ...full, clientSecret: `${full.clientSecret}-2` });
    expect(sandbox.accesses).toEqual([rotated, second, service.limited]);
    expect(problemDetail(await tokenFor(service, full.clientSecret), 401)).toBe(wrong);
    expect((await tokenFor(service, rotated.clientSecret)).status).toBe(200);
    expect((await service.call('GET', '/screens', { token: before })).status).toBe(200);

    expect(sandbox.rotateClientSecret('full').clientSecret).toBe(`${full.clientSecret}-3`);
    expect(problemDetail(await tokenFor(service, rotated.clientSecret), 401)).toBe(wrong);
    sandbox.reset();
    expect((await tokenFor(service, full.clientSecret)).status).toBe(200);
  });

  it('stays refused after a restart, and the state file contains no secret', async () => {
    const stateFile = join(await mkdtemp(join(folder(), 'one-')), 'state.json');
    const first = await start({ stateFile });
    await rotate(first, 'full');
    expect(JSON.stringify(first.sandbox.snapshot())).not.toContain(first.full.clientSecret);
    await first.sandbox.close();
    const service = await start({ stateFile });
    expect(problemDetail(await tokenFor(service, first.full.clientSecret), 401)).toBe(wrong);
    expect((await tokenFor(service, service.full.clientSecret)).status).toBe(200);
  });

  it('is replaced on the start page', async () => {
    const { url, full, sandbox } = await start();
    const body = new URLSearchParams({ id: 'full' });
    const done = await fetch(`${url}/inspector/actions/rotate-client-secret`, {
      method: 'POST',
      body,
    });
    expect(await noticeIn(done.clone())).toBe(
      'Client secret rotated. The old one no longer works; access tokens work until they expire.',
    );
    const page = await done.text();
    expect(page).toContain(`>${sandbox.accesses[0].clientSecret}<`);
    expect(page).not.toContain(`>${full.clientSecret}<`);
  });

  it('needs an access that exists', async () => {
    expect(problemDetail(await rotate(await start(), 'other'), 400)).toBe(
      'Unknown access other. Known: full, second, limited.',
    );
  });
});
