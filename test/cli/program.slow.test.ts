import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { signWebhook } from '@screen-advertising/core';
import { start } from '../sandbox/support/running-sandbox.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { environment, typed } from './command.ts';
import { startCommand, startCommandIn } from './own-process.ts';
import { serve } from './serve.ts';

const folder = temporaryFolder();

describe('a change that is stopped before its response', () => {
  it.each(['interrupt', 'terminate', 'hangUp'] as const)(
    'by %s says that it may apply, and exits with 130',
    async (end) => {
      const { baseUrl } = await serve(() => void command[end]());
      const env = environment(baseUrl, { apiKey: 'svc_example' });
      const command = startCommand(['call', 'coupon.revoke', '--code=SPRING-25'], env);
      expect(await command.ended).toEqual({
        code: 130,
        output: '',
        errors:
          'Revoke Coupon was stopped before it got a response, so it may have gone through. Check before you retry.\n',
      });
    },
  );
});

describe('output that cannot be written', () => {
  const create = ['call', 'coupon.create', '--discount_type=percent', '--discount_value=5'];

  it('ends with the reason, and does not lose what was created', async () => {
    const { baseUrl, full } = await start();
    const command = [...create, '--lead_email=a@example.com'];
    const { code, errors } = await startCommandIn(
      '> /dev/full',
      command,
      environment(baseUrl, full),
    );
    expect(code).toBe(1);
    expect(errors).toMatch(/^Create Coupon succeeded:\n\{\n {2}"code": "[A-Z0-9]{10}"/);
    expect(errors).toMatch(
      /\nThe output cannot be written: ENOSPC: no space left on device, write\.\n$/,
    );
  });

  it.each(['--help', '--version', 'call --help', 'call coupon.create -h'])(
    'is ignored if it is only what %s prints',
    async (command) => {
      const ended = await startCommandIn('> /dev/full', command.split(' '), {});
      expect(ended).toEqual({ code: 0, output: '', errors: '' });
    },
  );

  it('ends quietly when the reader closes the pipe, as in `call screen.list | head`', async () => {
    const { baseUrl, full } = await start();
    const command = startCommand(['call', 'screen.list'], environment(baseUrl, full));
    command.stopReading();
    expect(await command.ended).toEqual({ code: 0, output: '', errors: '' });
  });

  it('keeps the exit code when the errors cannot be written', async () => {
    const { baseUrl, full } = await start();
    const command = ['call', 'screen.get', '--screenId=none'];
    const env = environment(baseUrl, full);
    expect(await startCommandIn('2> /dev/full', command, env)).toMatchObject({ code: 4 });
  });
});

it('a call gives up on a list that does not end', async () => {
  const name = 'x'.repeat(7_000_000);
  let pages = 0;
  const { baseUrl } = await serve(() => {
    pages += 1;
    const pagination = { cursor: `cursor-${pages}`, has_more: true };
    return [200, { data: [{ id: `scr_${pages}`, name }], pagination }];
  });
  const env = environment(baseUrl, { apiKey: 'svc_example' });
  expect(await typed(['call', 'screen.list'], env)).toMatchObject({
    code: 1,
    output: '',
    errors: 'The list is longer than 100 MB. Read it page by page with --limit and --cursor.\n',
  });
  expect(pages).toBe(15);
});

it('explain-delivery reads a delivery from standard input', async () => {
  const secret = 'quiet-river-stone-42';
  const body = '{"id":"evt_1","type":"coupon.redeemed","data":{}}';
  const timestamp = Math.floor(Date.now() / 1000);
  const signature = signWebhook({ body, secret, timestamp });
  const file = join(folder(), 'delivery.txt');
  await writeFile(file, `x-service-signature: ${signature}\n\n${body}`);
  const env = { SCREEN_ADVERTISING_SIGNING_SECRET: secret };
  const ended = await startCommandIn(`< ${file}`, ['explain-delivery', '-'], env);
  expect(ended).toMatchObject({ code: 0, errors: '' });
  expect(ended.output).toMatch(/^Verified {2}yes: sha256 over/);
});

it.each(['zsh', 'fish'])('complete %s prints a script', async (shell) => {
  const { code, output } = await startCommand(['complete', shell], {}).ended;
  expect(code).toBe(0);
  expect(output).toContain('screen-advertising');
});
