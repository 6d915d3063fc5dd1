import { mkdir, mkdtemp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { node, startProgram } from '../../support/program.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { startCommand } from '../support/command.ts';
import { startReceiver } from '../support/receiver.ts';
import { start } from '../support/running-sandbox.ts';

const folder = temporaryFolder();

it('an invalid command line prints its error to stderr, and exits with 2', async () => {
  expect(await startCommand(['--prot', '1']).ended).toEqual({
    code: 2,
    output: '',
    errors:
      "error: unknown option '--prot'\n(Did you mean --port?)\nRun screen-advertising-sandbox --help for usage.\n",
  });
});

describe('serving', () => {
  it('prints the base URL, working credentials and how to fire an event; stops on Ctrl-C', async () => {
    const command = startCommand(['--port', '0', '--variant', 'singleRecord=data', '--frozen']);
    const output = await command.printed('Stop with Ctrl-C.');
    const baseUrl = /^Base URL {2}(\S+)$/m.exec(output)?.[1] ?? '';
    const apiKey = /API key +(\S+)/.exec(output)?.[1];
    const headers = { authorization: `Bearer ${apiKey}` };
    const screen = await fetch(`${baseUrl}/screens/scr_berlin_0001`, { headers });
    expect(await screen.json()).toMatchObject({ data: { id: 'scr_berlin_0001' } });

    const [, event = '', port = ''] = /run sandbox fire (\S+) --port (\d+)/.exec(output) ?? [];
    expect(await startCommand(['fire', event, '--port', port]).ended).toEqual({
      code: 0,
      output: `Fired ${event}.\n  Not delivered: the access has no webhook address. Register one at http://127.0.0.1:${port}\n`,
      errors: '',
    });

    command.interrupt();
    expect(await command.ended).toMatchObject({ code: 0, errors: '' });
  });

  it('reports a port that is in use', async () => {
    const first = startCommand(['--port', '0']);
    const output = await first.printed('Stop with Ctrl-C.');
    const port = new URL(/^Base URL {2}(\S+)$/m.exec(output)?.[1] ?? '').port;
    const { code, errors } = await startCommand(['--port', port]).ended;
    expect([code, errors]).toEqual([
      1,
      `Port ${port} is in use. Choose another with --port, or use --port 0 for a free one.\n`,
    ]);
    first.interrupt();
    await first.ended;
  });

  it('warns if other machines can reach it', async () => {
    const command = startCommand(['--port', '0', '--host', '0.0.0.0', '--allow-host', 'a.example']);
    const output = await command.printed('Stop with Ctrl-C.');
    const baseUrl = /^Base URL {2}(\S+)$/m.exec(output)?.[1] ?? '';
    const { port } = new URL(baseUrl);
    expect(baseUrl).toBe(`http://127.0.0.1:${port}/api/v1`);
    expect(output).toContain(`
Other machines can reach this sandbox: it listens on 0.0.0.0, and its credentials are public.
The page and /_sandbox respond to this machine only.
From a container on this machine  http://host.docker.internal:${port}/api/v1
`);
    expect((await fetch(`${baseUrl}/screens`)).status).toBe(401);
    command.interrupt();
    await command.ended;
  });

  it('reports a host that is not on this machine', async () => {
    const { code, errors } = await startCommand(['--port', '0', '--host', '192.0.2.1']).ended;
    expect([code, errors]).toEqual([
      1,
      '--host 192.0.2.1 is not an address of this machine. Use 0.0.0.0 for all of its addresses, or leave out --host.\n',
    ]);
  });

  it('reports at once that the state cannot be written, and exits with 1', async () => {
    const stateFile = join(await mkdtemp(join(folder(), 'broken-')), 'state.json');
    const command = startCommand(['--port', '0', '--state', stateFile]);
    const output = await command.printed('Stop with Ctrl-C.');
    await mkdir(`${stateFile}.tmp`);
    const url = /^Page +(\S+)$/m.exec(output)?.[1];
    const frozen = await fetch(`${url}/_sandbox/clock/freeze`, { method: 'POST' });
    expect(frozen.status).toBe(503);
    command.interrupt();
    const { code, errors } = await command.ended;
    const message = `The state file ${stateFile} cannot be written: Path is a directory: rm returned EISDIR (is a directory) ${stateFile}.tmp.`;
    expect([code, errors]).toEqual([
      1,
      `${message} Until it can, changes stay in memory and return status 503.\n${message}\n`,
    ]);
  });
});

describe('screen-advertising-sandbox fire', () => {
  it('delivers an event of a running sandbox, and says what each address responded', async () => {
    const { sandbox, url } = await start();
    const receiver = await startReceiver();
    sandbox.webhooks.add({ url: receiver.url, access: 'second' });
    const { port } = new URL(url);
    const data = ['--data', '{"amount_cents": 5000}', '--access', 'second'];
    expect(await startCommand(['fire', 'campaign.paid', ...data, '--port', port]).ended).toEqual({
      code: 0,
      output: `Fired campaign.paid.\n  200  ${receiver.url}\n`,
      errors: '',
    });
    expect(JSON.parse(receiver.arrivals[0]?.body ?? '')).toMatchObject({
      type: 'campaign.paid',
      data: { amount_cents: 5000 },
    });
  });

  it('says which events there are, and when no sandbox responds', async () => {
    const { url, sandbox } = await start();
    const { port } = new URL(url);
    const fire = (event: string) => startCommand(['fire', event, '--port', port]).ended;
    expect(await fire('campaign.payed')).toEqual({
      code: 1,
      output: '',
      errors: expect.stringMatching(/^type: must be one of .*campaign\.paid, /),
    });
    await sandbox.close();
    expect(await fire('campaign.paid')).toEqual({
      code: 1,
      output: '',
      errors: `No sandbox responds at http://127.0.0.1:${port}. Start one, or choose its port: the sandbox of "run n8n" is on --port 8780.\n`,
    });
  });
});

describe('screen-advertising-sandbox openapi', () => {
  it('writes the document to stdout, or to a file', async () => {
    const file = join(folder(), 'openapi.json');
    const [printed, written] = await Promise.all([
      startCommand(['openapi']).ended,
      startCommand(['openapi', '--out', file]).ended,
    ]);
    expect([printed.code, written]).toEqual([0, { code: 0, output: '', errors: '' }]);
    expect(JSON.parse(printed.output)).toMatchObject({ openapi: expect.stringMatching(/^3\.1/) });
    expect(await readFile(file, 'utf8')).toBe(printed.output);
  });

  it('ends quietly when the reader closes the output, as in `openapi | head`', async () => {
    const command = startCommand(['openapi']);
    command.stopReading();
    expect(await command.ended).toMatchObject({ code: 0, errors: '' });
  });
});

it('a program that used everything exits, since closing leaves nothing open', async () => {
  const program = join(__dirname, '../support/program-that-closes.ts');
  const flags = ['--conditions=source', '--no-warnings'];
  const { output } = await startProgram(node, [...flags, program]).ended;
  expect(JSON.parse(output)).toEqual({ waitingFor: [] });
});
