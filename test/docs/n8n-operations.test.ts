import { expect, it } from '@jest/globals';
import { read } from '../structure/project.ts';
import { n8nReadme, n8nReadmePage } from './n8n-operations.ts';

it('the README of the n8n package lists its operations: if not, run the script "docs"', async () => {
  expect(read(n8nReadme)).toBe(await n8nReadmePage());
});
