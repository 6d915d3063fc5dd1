import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { mkdtemp, readlink, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { createSandbox } from '@screen-advertising/sandbox';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { problemDetail, type Running, start } from '../support/running-sandbox.ts';

const folder = temporaryFolder();
const newFile = async () => join(await mkdtemp(join(folder(), 'one-')), 'state.json');

const post = ({ call }: Running, code: string) =>
  call('POST', '/coupons', {
    body: { discount_type: 'percent', discount_value: 5, lead_email: `${code}@example.com`, code },
  });

describe('a state file', () => {
  it('overrides the other options with its records and time, and can stand still', async () => {
    const stateFile = await newFile();
    const first = await start({ stateFile, clock: 'running', screens: 3 });
    await first.sandbox.clock.advance(3_600_000);
    await first.sandbox.close();
    const second = await start({ stateFile, clock: 'running' });
    expect(second.sandbox.clock.isFrozen).toBe(false);
    await second.sandbox.close();
    const { sandbox } = await start({ stateFile, clock: 'frozen', startAt: 0, screens: 5 });
    expect(sandbox.screens.list()).toHaveLength(3);
    expect(sandbox.clock.isFrozen).toBe(true);
    expect(new Date(sandbox.clock.now()).toISOString()).toMatch(/^2027-03-01T10:/);
  });

  it('contains a change before the response, whatever made the change', async () => {
    const stateFile = await newFile();
    const service = await start({ stateFile });
    const written = () => readFileSync(stateFile, 'utf8');
    expect((await post(service, 'C')).status).toBe(201);
    expect(written()).toContain('"C"');
    await service.call('POST', '/coupons/C/revoke', { body: {} });
    expect(written()).not.toContain('"revoked_at":null');
    await service.admin('POST', '/users', { body: { email: 'new@example.com' } });
    expect(written()).toContain('new@example.com');
    await service.admin('POST', '/clock/advance', { body: { ms: 1000 } });
    expect(JSON.parse(written()).clock).toEqual(service.sandbox.snapshot().clock);
    const form = new URLSearchParams({ from: '/', url: 'http://127.0.0.1:9/form' });
    await fetch(`${service.url}/inspector/actions/add-webhook`, { method: 'POST', body: form });
    expect(written()).toContain('http://127.0.0.1:9/form');
  });

  it('overwrites nothing that its draft is linked to', async () => {
    const stateFile = await newFile();
    const victim = `${stateFile}.victim`;
    writeFileSync(victim, 'precious');
    await symlink(victim, `${stateFile}.tmp`);
    const service = await start({ stateFile });
    await post(service, 'C');
    expect(readFileSync(victim, 'utf8').slice(0, 100)).toBe('precious');
    expect(readFileSync(stateFile, 'utf8')).toContain('"C"');
  });

  it('is complete, readable only by its owner, and without leftovers beside it', async () => {
    const stateFile = await newFile();
    writeFileSync(`${stateFile}.tmp`, '{"version": 1, "clo');
    const { sandbox } = await start({ stateFile });
    for (let times = 0; times < 20; times += 1) sandbox.users.add();
    await sandbox.close();
    expect(readdirSync(dirname(stateFile))).toEqual(['state.json']);
    expect(statSync(stateFile).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(stateFile, 'utf8'))).toEqual(sandbox.snapshot());
  });

  it('is replaced as a whole, so that no kill leaves half of it', async () => {
    const stateFile = await newFile();
    const service = await start({ stateFile });
    const before = readFileSync(stateFile, 'utf8');
    const opened = openSync(stateFile, 'r');
    await post(service, 'C');
    expect(readFileSync(opened, 'utf8')).toBe(before);
    closeSync(opened);
    expect(readFileSync(stateFile, 'utf8')).toContain('"C"');
  });

  it('may be a link: its target is kept', async () => {
    const [stateFile, link] = [await newFile(), await newFile()];
    await (await start({ stateFile })).sandbox.close();
    await symlink(stateFile, link);
    const service = await start({ stateFile: link });
    await post(service, 'C');
    expect(readFileSync(stateFile, 'utf8')).toContain('"C"');
    expect(await readlink(link)).toBe(stateFile);
  });

  it.each([
    ['', 'Unexpected end of JSON input'],
    ['[]', 'Invalid input: expected object, received array.'],
    ['{"version": 2}', 'version: Invalid input: expected 1; clock: Invalid input:'],
  ])('that holds %j is rejected, and stays unchanged', async (text, why) => {
    const stateFile = await newFile();
    writeFileSync(stateFile, text);
    const message = `The state file ${stateFile} was not written by this sandbox: ${why}`;
    expect(() => createSandbox({ stateFile })).toThrow(message);
    expect(() => createSandbox({ stateFile })).toThrow(
      / Choose another file, or delete it to start with made-up data\.$/,
    );
    expect(readFileSync(stateFile, 'utf8')).toBe(text);
    expect(readdirSync(dirname(stateFile))).toEqual(['state.json']);
  });

  it('that cannot be kept is rejected at the start', () => {
    expect(() => createSandbox({ stateFile: join(folder(), 'none', 'state.json') })).toThrow(
      /^The state file .*none\/state\.json cannot be written: ENOENT: no such file or directory/,
    );
    expect(() => createSandbox({ stateFile: folder() })).toThrow('EISDIR');
  });
});

it('a second sandbox on the same file is noticed by the first one, which no longer changes the file', async () => {
  const stateFile = await newFile();
  const first = await start({ stateFile, warn: () => undefined });
  const second = await start({ stateFile });
  await post(second, 'C');
  const message = `The state file ${stateFile} cannot be written: another program changed it, such as a second sandbox. Give each sandbox its own file, and restart this one.`;
  expect(problemDetail(await post(first, 'D'), 503)).toBe(message);
  await post(second, 'E');
  expect(readFileSync(stateFile, 'utf8')).not.toContain('"D"');
  await second.sandbox.close();
  rmSync(stateFile);
  expect((await post(first, 'F')).status).toBe(201);
});

describe('a file that can no longer be written', () => {
  const breaking = (stateFile: string) => {
    mkdirSync(`${stateFile}.tmp`);
    return `The state file ${stateFile} cannot be written: Path is a directory: rm returned EISDIR (is a directory) ${stateFile}.tmp.`;
  };
  const mend = (stateFile: string) => rmdirSync(`${stateFile}.tmp`);

  it('is reported once, at once, and no change is acknowledged', async () => {
    const stateFile = await newFile();
    const warnings: string[] = [];
    const service = await start({ stateFile, warn: (message) => warnings.push(message) });
    const message = breaking(stateFile);
    expect(problemDetail(await post(service, 'A'), 503)).toBe(message);
    expect(problemDetail(await post(service, 'B'), 503)).toBe(message);
    expect(warnings).toEqual([
      `${message} Until it can, changes stay in memory and return status 503.`,
    ]);
    expect(problemDetail(await post(service, 'A'), 409)).toContain('code A is already taken');
    expect((await service.call('GET', '/coupons/A')).status).toBe(200);

    mend(stateFile);
    expect((await post(service, 'C')).status).toBe(201);
    for (const code of ['"A"', '"B"', '"C"']) {
      expect(readFileSync(stateFile, 'utf8')).toContain(code);
    }
  });

  it('causes a process warning unless `warn` is set', async () => {
    const stateFile = await newFile();
    const warned = jest.spyOn(process, 'emitWarning').mockReturnValue();
    const { admin, sandbox } = await start({ stateFile });
    const message = breaking(stateFile);
    problemDetail(await admin('POST', '/users', { body: {} }), 503);
    expect(warned.mock.calls).toEqual([[expect.stringContaining(message)]]);
    mend(stateFile);
    await sandbox.close();
    warned.mockRestore();
  });

  it('makes the start and closing fail', async () => {
    const stateFile = await newFile();
    const sandbox = createSandbox({ stateFile });
    const message = breaking(stateFile);
    await expect(sandbox.close()).rejects.toThrow(message);
    expect(() => createSandbox({ stateFile })).toThrow(message);
    mend(stateFile);
    await start({ stateFile });
  });
});
