import { describe, expect, it } from '@jest/globals';
import { read } from './project.ts';

describe('pnpm', () => {
  it('checks engines with the Node that scripts run on, so that an older one causes no warnings', () => {
    const { devDependencies } = JSON.parse(read('package.json'));
    const [, checked] = /^nodeVersion: (\S+)$/m.exec(read('pnpm-workspace.yaml')) ?? [];
    expect(checked).toBe(devDependencies.node);
  });
});
