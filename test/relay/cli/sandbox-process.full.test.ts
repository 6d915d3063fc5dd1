import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { startSandbox } from '../../../packages/relay/src/cli/sandbox-process.ts';
import { listen } from '../../shared/support/loopback.ts';
import { root } from '../../structure/project.ts';

const program = join(root, 'packages/sandbox/src/cli/main.ts');

describe('the sandbox beside a relay', () => {
  it('names the port if it does not start', async () => {
    const taken = await listen(createServer());
    try {
      await expect(startSandbox(taken.port, program)).rejects.toThrow(
        `The sandbox did not start on port ${taken.port}. Set SANDBOX_PORT to another, or to 0 for a free one.`,
      );
    } finally {
      await taken.close();
    }
  });

  it('reports a rejected request', async () => {
    const sandbox = await startSandbox(0, program);
    try {
      expect(sandbox.signingSecret).not.toBe('');
      await expect(sandbox.register('no address')).rejects.toThrow(
        `The sandbox responded to ${sandbox.url}/_sandbox/webhooks with 400.`,
      );
    } finally {
      await sandbox.stop();
      await sandbox.stop();
    }
  });
});
