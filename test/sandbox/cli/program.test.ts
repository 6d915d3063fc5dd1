import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { assumptions } from '@screen-advertising/core/contract';
import { helps, parse } from './parse.ts';

it.each([
  [['--prot', '1'], "unknown option '--prot'\n(Did you mean --port?)"],
  [['serve'], "unknown command 'serve'. The commands are fire and openapi."],
  [['--port', '70000'], "argument '70000' is invalid. It must be a whole number from 0 to 65535."],
  [['--port'], "option '-p, --port <number>' argument missing"],
  [['--seed', '-1'], "option '--seed <number>' argument '-1' is invalid. It must be a whole"],
  [['--latency', '1s'], 'It must be a whole number from 0 to 600000.'],
  [['--rate-limit', '0'], 'It must be a whole number from 1 to 1000000.'],
  [['--variant', 'singleRecord'], 'It must be name=value, such as singleRecord=data.'],
  [
    ['--variant', 'singleRecord=wrapped'],
    'variant singleRecord must be one of bare, data, not wrapped.',
  ],
  [['--variant', 'colour=red'], 'Unknown variant colour. Known: singleRecord,'],
  [['fire'], "missing required argument 'event'"],
  [['fire', 'campaign.paid', 'now'], 'too many arguments'],
  [['fire', 'campaign.paid', '--data', '[1]'], 'It must be a JSON object, such as \'{"amount_'],
  [['fire', 'campaign.paid', '--data', '{'], 'It must be a JSON object'],
  [['--data', '{}'], "unknown option '--data'"],
  [['openapi', '--access', 'full'], "unknown option '--access'"],
  [['--out', 'file'], "unknown option '--out'"],
  [
    ['--allow-host', 'https://demo.example.com'],
    'It must be a host name such as sandbox.example.com.',
  ],
])('invalid arguments are refused: %j', (args, message) => {
  const { did, printed } = parse(args);
  expect(did).toBeUndefined();
  expect(printed).toContain(message);
  expect(printed).toContain('\nRun screen-advertising-sandbox --help for usage.\n');
});

it("the image's command opens the pages behind a published port", () => {
  const file = join(__dirname, '../../../packages/sandbox/Dockerfile');
  const [, list = '[]'] = /^CMD (.*)$/m.exec(readFileSync(file, 'utf8')) ?? [];
  expect(parse(JSON.parse(list)).did).toMatchObject({
    serve: [{ host: '0.0.0.0', allowAdmin: true }],
  });
});

describe('valid arguments', () => {
  const serve = (options: object) => ({
    serve: [expect.objectContaining(options)],
  });

  it.each<[string[], object]>([
    [[], serve({ port: 8787, host: '127.0.0.1' })],
    [['--host', '0.0.0.0'], serve({ host: '0.0.0.0' })],
    [
      ['--allow-host', 'a.example', '--allow-host', 'b.example'],
      serve({ allowHost: ['a.example', 'b.example'] }),
    ],
    [['-p', '0'], serve({ port: 0 })],
    [['--state', 's.json', '--seed', '2'], serve({ state: 's.json', seed: 2 })],
    [['--rate-limit', '5', '--latency', '9'], serve({ rateLimit: 5, latency: 9 })],
    [['--frozen', '--screens', '3'], serve({ frozen: true, screens: 3 })],
    [
      ['--variant', 'eventId=absent', '--variant', 'revokeAnswer=empty'],
      serve({
        variant: expect.objectContaining({ eventId: 'absent', revokeAnswer: 'empty' }),
      }),
    ],
    [
      ['fire', 'campaign.paid'],
      { fire: ['campaign.paid', expect.objectContaining({ port: 8787 })] },
    ],
    [
      ['fire', 'coupon.redeemed', '--data', '{"code":"A"}', '--access', 'second', '-p', '9'],
      {
        fire: [
          'coupon.redeemed',
          expect.objectContaining({ data: { code: 'A' }, access: 'second', port: 9 }),
        ],
      },
    ],
    [['openapi'], { openapi: [{}, expect.anything()] }],
    [['openapi', '--out', 'a.json'], { openapi: [{ out: 'a.json' }, expect.anything()] }],
  ])('%j', (args, did) => {
    expect(parse(args)).toEqual({ did, printed: '' });
  });
});

it('the help names every variant, in lines that fit a terminal', () => {
  const output = helps();
  for (const [name, { accepted }] of Object.entries(assumptions)) {
    const line = output.replace(/,\n +/g, ', ').match(new RegExp(`^  ${name} .*`, 'm'))?.[0];
    expect(line?.trim().split(/ {2,}/)[1]).toBe(
      accepted.length > 1 ? accepted.join(', ') : undefined,
    );
  }
  expect(Math.max(...output.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
});
