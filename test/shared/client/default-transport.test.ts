import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import { apiKey, createClient } from '@screen-advertising/core';
import { build } from 'esbuild';
import { start } from '../../sandbox/support/running-sandbox.ts';
import { root } from '../../structure/project.ts';

describe('createClient without a transport', () => {
  it('works in Node.js', async () => {
    const { baseUrl, full } = await start();
    const client = createClient({ baseUrl, auth: apiKey(full.apiKey) });
    const { data } = await client.screens.list({ city: 'Berlin', limit: 1 });
    expect(data).toMatchObject([{ city: 'Berlin' }]);
  });

  it('says what to pass where none is available', async () => {
    const contents = `
      import { apiKey, createClient } from '@screen-advertising/core';
      try {
        createClient({ baseUrl: 'https://service.example/api/v1', auth: apiKey('svc_key') });
      } catch (error) {
        report(error);
      }
    `;
    const { outputFiles } = await build({
      stdin: { contents, resolveDir: join(root, 'test') },
      bundle: true,
      write: false,
      platform: 'browser',
      // Used only by the webhooks, which this bundle drops. Any other Node.js module fails.
      external: ['node:crypto'],
      conditions: ['source'],
      logLevel: 'silent',
    });
    const reported: unknown[] = [];
    runInNewContext(outputFiles[0]?.text ?? '', {
      TextEncoder,
      URL,
      report: (error: unknown) => reported.push(error),
    });
    expect(reported).toMatchObject([
      {
        name: 'ConfigurationError',
        field: 'transport',
        message:
          'createClient has a default transport only in Node.js. Pass `transport`: an object with `clock` and `send`, which sends one HTTP request.',
      },
    ]);
  });
});
