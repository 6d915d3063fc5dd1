import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import { build } from 'esbuild';
import { start } from '../../sandbox/support/running-sandbox.ts';
import { root } from '../../structure/project.ts';

describe('createClient without a transport', () => {
  it.each(['browser', 'workerd'])(
    'uses fetch in a bundle for %s, without a module of Node.js',
    async (condition) => {
      const { baseUrl, full } = await start();
      const bundle = await bundled('reported(client.screens.list({ limit: 1 }))', [condition]);
      const globals = { AbortController, clearTimeout, fetch, performance, setTimeout };
      const { data } = (await runBundle(bundle, {
        baseUrl,
        key: full.apiKey,
        ...globals,
      })) as Screens;
      expect(data).toHaveLength(1);
    },
  );

  it('says what to pass where none is available', async () => {
    const bundle = await bundled('', ['no-default-transport']);
    const access = { baseUrl: 'https://service.example/api/v1', key: 'svc_key' };
    expect(await runBundle(bundle, access)).toMatchObject({
      name: 'ConfigurationError',
      field: 'transport',
      message:
        'createClient has no default transport in this bundle. Pass `transport`: an object with `clock` and `send`, which sends one HTTP request.',
    });
  });
});

interface Screens {
  readonly data: readonly unknown[];
}

/** A script that creates a client, then runs this line with it. */
async function bundled(line: string, conditions: readonly string[]): Promise<string> {
  const contents = `
    import { apiKey, createClient } from '@screen-advertising/core';
    try {
      const client = createClient({ baseUrl, auth: apiKey(key) });
      ${line}
    } catch (error) {
      reported(error);
    }
  `;
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: join(root, 'test') },
    bundle: true,
    write: false,
    platform: 'browser',
    conditions: ['source', ...conditions],
    logLevel: 'silent',
  });
  return outputFiles[0]?.text ?? '';
}

/** Runs a bundle with no global but these, and returns what it reports. */
async function runBundle(bundle: string, globals: object): Promise<unknown> {
  const reports: unknown[] = [];
  const reported = (report: unknown) => reports.push(report);
  runInNewContext(bundle, { TextDecoder, TextEncoder, URL, reported, ...globals });
  return reports[0];
}
