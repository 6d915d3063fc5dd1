import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../../sandbox/support/temporary-folder.ts';
import { root } from '../../structure/project.ts';
import { node, type Program, startProgram } from '../../support/program.ts';
import { assumptionsPage } from '../assumptions-page.ts';
import { textsOf } from './kinds.ts';
import { installed, type Script, scriptOf } from './script.ts';

const folder = temporaryFolder();
const path = `${dirname(node)}:${process.env.PATH}`;

function startScript({ folder, line }: Script, more = ''): Program {
  const options = { cwd: join(root, folder), env: { PATH: path } };
  return startProgram('sh', ['-c', `exec ${line} ${more}`], options);
}

describe('the ways to start a sandbox that the documents show', () => {
  it.each(textsOf('starts of a sandbox'))('%s', async (text) => {
    const sandbox = startScript(scriptOf(text), '--port 0');
    const output = await sandbox.printed('Stop with Ctrl-C.');
    const [, baseUrl = '', apiKey = ''] =
      /Base URL +(\S+)[\s\S]*?API key +(\S+)/.exec(output) ?? [];
    const headers = { authorization: `Bearer ${apiKey}` };
    expect((await fetch(`${baseUrl}/screens?limit=1`, { headers })).status).toBe(200);
    sandbox.interrupt();
    expect(await sandbox.ended).toMatchObject({ code: 0, errors: '' });
  });
});

describe('the scripts that end at once', () => {
  it.each(textsOf('scripts that print or write at once'))('%s', async (text) => {
    if (text.endsWith('docs')) expect(await writtenGuide()).toBe(assumptionsPage());
    const script = text.startsWith('screen-') ? installed(inFolder(text)) : scriptOf(text);
    const { code, output, errors } = await startScript(script).ended;
    expect({ code, errors }).toEqual({ code: 0, errors: '' });
    if (text.endsWith('docs')) expect(await writtenGuide()).toBe(assumptionsPage());
    else {
      const json = output || (await readFile(join(folder(), 'openapi.json'), 'utf8'));
      expect(JSON.parse(json)).toMatchObject({ openapi: expect.stringMatching(/^3\.1/) });
    }
  });
});

const writtenGuide = () => readFile(join(root, 'docs/assumptions.md'), 'utf8');
const inFolder = (text: string) => text.replace('openapi.json', join(folder(), 'openapi.json'));
