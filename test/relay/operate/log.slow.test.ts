import { describe, expect, it } from '@jest/globals';
import { createLog, type LogLevel } from '../../../packages/relay/src/operate/log.ts';
import { startReceiver } from '../../sandbox/support/receiver.ts';
import { echoed, formsIn } from '../../support/secret-forms.ts';
import { secretKey, sourceSecret, start } from '../support/running-relay.ts';

const firstRetryMs = 5_000;
const type = 'campaign.paid';

function logged(level: LogLevel, secrets: readonly string[] = []) {
  const lines: string[] = [];
  return { lines, log: createLog(level, (line) => lines.push(line), secrets) };
}

/** Everything that can go wrong with one relay, at this log level. */
async function eventfulRelay(level: LogLevel) {
  const { lines, log } = logged(level);
  const receiver = await startReceiver([500, 410]);
  const running = await start({ log });
  const { relay, call, deliver, key } = running;
  const target = `${receiver.url}?secret=planted-in-the-target`;
  await call('PUT', '/subscriptions', { target_url: target, events: [type] });
  await call('PUT', '/subscriptions', { target_url: target, events: ['\0'] });
  await deliver({ id: '1', type, data: { email: 'planted@in-the.body' } });
  await deliver({ id: '2', type }, { secret: 'another-secret' });
  await deliver({ id: '3', type }, { signature: 'planted-signature' });
  await relay.clock.advance(0);
  await relay.clock.advance(firstRetryMs);
  await relay.tokens.rotate('main', 'nobody').catch(() => undefined);
  const { token, signingSecret } = key;
  const planted = [
    ...[sourceSecret, secretKey, token, signingSecret, signingSecret.slice('whsec_'.length)],
    ...['planted-in-the-target', 'planted@in-the.body', 'planted-signature', 'another-secret'],
  ];
  return { lines, planted };
}

describe('the log', () => {
  it('reports what happened, without secrets', async () => {
    const { lines, planted } = await eventfulRelay('debug');
    const records = lines.map((line) => JSON.parse(line));
    const texts = records.map(({ level, msg }) => `${level} ${msg}`);
    expect(texts).toEqual(
      expect.arrayContaining([
        'debug Event received',
        'warn Event rejected',
        'info Attempt failed',
        'warn Delivery is dead',
      ]),
    );
    expect(records.find(({ msg }) => msg === 'Attempt failed')).toMatchObject({
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      delivery: expect.stringMatching(/^dlv_[0-9a-f]{32}_\d+$/),
      attempt: 1,
      status: 500,
      error: 'responded with status 500',
      state: 'pending',
    });
    const text = lines.join('');
    for (const secret of planted) expect(text).not.toContain(secret);
  });

  it.each([
    ['info', ['info', 'warn']],
    ['warn', ['warn']],
    ['error', []],
    ['silent', []],
  ] as const)('at level %s holds %j', async (level, expected) => {
    const { lines } = await eventfulRelay(level);
    const levels = new Set(lines.map((line) => JSON.parse(line).level));
    expect([...levels].filter((one) => one !== 'error').sort()).toEqual(expected);
  });

  it('hides what an error from elsewhere quotes', () => {
    const { lines, log } = logged('info');
    const cause = Object.assign(new Error('cannot reach postgres://relay:pass-word@db/x'), {
      code: 'ENOTFOUND',
      input: 'postgres://relay:pass-word@db/x',
    });
    log.error(
      { err: new Error('refused adm_0123 and rly_0123456789abcdef.whsec_AAAA+/=', { cause }) },
      'Failed',
    );
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      level: 'error',
      err: {
        type: 'Error',
        message: 'refused [redacted] and [redacted]',
        cause: { code: 'ENOTFOUND', message: 'cannot reach postgres://relay:[redacted]@db/x' },
      },
    });
    expect(lines.join('')).not.toMatch(/pass-word|whsec_|input/);
  });

  it('shows messages from elsewhere on one line, without secrets of this process, and cut', () => {
    const { lines, log } = logged('info', [secretKey]);
    const said = `\u001b[31m\u202e\u009b${echoed(secretKey)}${'x'.repeat(7_000_000)}`;
    const error = new Error(said, { cause: new Error(said) });
    log.error({ err: error }, error.message);
    log.warn({ err: Object.assign(new Error('short'), { stack: undefined }) }, said);
    const text = lines.map((line) => line.trimEnd()).join('');
    expect(text).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    expect(formsIn(text, secretKey)).toEqual([]);
    expect(text.length).toBeLessThan(10_000);
  });
});
