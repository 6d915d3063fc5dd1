import { describe, expect, it } from '@jest/globals';
import { assumptions } from '@screen-advertising/core/contract';
import { readArguments } from '../../../packages/sandbox/src/cli/arguments.ts';
import { helpText } from '../../../packages/sandbox/src/cli/help.ts';

describe('invalid arguments', () => {
  it.each([
    [['--prot', '1'], "Unknown option '--prot'."],
    [['serve'], 'Unknown command "serve". The commands are fire and openapi.'],
    [['--port', '70000'], '--port must be a whole number from 0 to 65535, not "70000".'],
    [['--port'], "Option '-p, --port <value>' argument missing."],
    [['--seed', '-1'], "Option '--seed' argument is ambiguous."],
    [['--latency', '1s'], '--latency must be a whole number from 0 to 600000, not "1s".'],
    [['--rate-limit', '0'], '--rate-limit must be a whole number from 1 to 1000000, not "0".'],
    [
      ['--variant', 'singleRecord'],
      '--variant must be name=value, such as singleRecord=data, not "singleRecord".',
    ],
    [
      ['--variant', 'singleRecord=wrapped'],
      '--variant: variant singleRecord must be one of bare, data, not wrapped.',
    ],
    [['--variant', 'colour=red'], '--variant: Unknown variant colour. Known: singleRecord,'],
    [['fire'], 'fire needs an event, such as campaign.paid.'],
    [['fire', 'campaign.paid', 'now'], 'Unknown command "now". The commands are fire and openapi.'],
    [
      ['fire', 'campaign.paid', '--data', '[1]'],
      `--data must be a JSON object, such as '{"amount_cents": 5000}'.`,
    ],
    [['fire', 'campaign.paid', '--data', '{'], '--data must be a JSON object'],
    [['--data', '{}'], '--data works only with the command fire.'],
    [['openapi', '--access', 'full'], '--access works only with the command fire.'],
    [['--out', 'file'], '--out works only with the command openapi.'],
    [
      ['--allow-host', 'https://demo.example.com'],
      '--allow-host must be a host name such as sandbox.example.com, not "https://demo.example.com".',
    ],
  ])('%j', (args, message) => {
    expect(() => readArguments(args)).toThrow(message);
  });
});

describe('valid arguments', () => {
  it.each<[string[], object]>([
    [[], { name: 'serve', port: 8787, host: '127.0.0.1' }],
    [['--host', '0.0.0.0'], { name: 'serve', host: '0.0.0.0' }],
    [
      ['--allow-host', 'a.example', '--allow-host', 'b.example'],
      { options: { allowHosts: ['a.example', 'b.example'] } },
    ],
    [['-p', '0'], { name: 'serve', port: 0 }],
    [['openapi'], { name: 'openapi', out: undefined }],
    [['openapi', '--out', 'a.json'], { name: 'openapi', out: 'a.json' }],
    [['openapi', '-h'], { name: 'help' }],
    [['fire', 'campaign.paid'], { name: 'fire', type: 'campaign.paid', data: {}, port: 8787 }],
    [
      ['fire', 'coupon.redeemed', '--data', '{"code":"A"}', '--access', 'second', '-p', '9'],
      { name: 'fire', type: 'coupon.redeemed', data: { code: 'A' }, access: 'second', port: 9 },
    ],
    [['--state', 's.json', '--seed', '2'], { options: { stateFile: 's.json', seed: 2 } }],
    [
      ['--rate-limit', '5', '--latency', '9'],
      { options: { rateLimit: { requests: 5 }, latencyMs: 9 } },
    ],
    [['--frozen', '--screens', '3'], { options: { clock: 'frozen', screens: 3 } }],
    [
      ['--variant', 'eventId=absent', '--variant', 'revokeAnswer=empty'],
      { options: { variants: { eventId: 'absent', revokeAnswer: 'empty' } } },
    ],
  ])('%j', (args, command) => {
    expect(readArguments(args)).toMatchObject(command);
  });
});

describe('the help', () => {
  it('names every variant, in lines that fit a terminal', () => {
    const output = helpText();
    for (const [name, { accepted }] of Object.entries(assumptions)) {
      const line = output.replace(/,\n +/g, ', ').match(new RegExp(`^  ${name} .*`, 'm'))?.[0];
      expect(line?.trim().split(/ {2,}/)[1]).toBe(
        accepted.length > 1 ? accepted.join(', ') : undefined,
      );
    }
    expect(Math.max(...output.split('\n').map((line) => line.length))).toBeLessThanOrEqual(88);
  });
});
