import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { n8nSchemas, nodesFolder } from '../../packages/tools/docs/n8n-schemas.ts';
import { n8nCore } from '../n8n/n8n.ts';
import { projectFiles, read, root } from '../structure/project.ts';

let schemas: Map<string, string>;

beforeAll(async () => {
  schemas = await n8nSchemas();
});

describe('the previews of outputs', () => {
  it('are made from the outputs of today: if not, run the script "docs"', () => {
    const files = projectFiles().filter((path) => /\/__schema__\/.*\.json$/.test(path));
    const made = [...schemas].map(([path, text]) => [join(nodesFolder, path), text]);
    expect(Object.fromEntries(files.map((path) => [path, read(path)]))).toEqual(
      Object.fromEntries(made),
    );
    expect(files).toHaveLength(schemas.size);
  });

  it.each([
    [
      'ScreenAdvertising',
      1,
      'screen',
      'findAvailable',
      ['name', 'available_sov_pct', 'total_price'],
    ],
    ['ScreenAdvertising', 1, 'user', 'lookUp', ['exists', 'user_id']],
    ['ScreenAdvertisingTrigger', 1.1, undefined, undefined, ['id', 'type', 'data', 'timestamp']],
    ['ScreenAdvertisingPollingTrigger', 1, undefined, undefined, ['type', 'data']],
  ])('are found by n8n: %s %d %s %s', (node, version, resource, operation, fields) => {
    const nodeDir = join(root, nodesFolder, node);
    const found = n8nCore.loadOutputSchema({
      nodeDir,
      version,
      ...(resource && { resource }),
      ...(operation && { operation }),
    } as never);
    expect(Object.keys(found?.properties ?? {})).toEqual(expect.arrayContaining(fields));
  });
});
