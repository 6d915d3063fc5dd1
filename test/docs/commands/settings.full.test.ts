import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { temporaryFolder } from '../../sandbox/support/temporary-folder.ts';
import { read } from '../../structure/project.ts';
import { startProgram } from '../../support/program.ts';
import { commandsOf } from './kinds.ts';

const folder = temporaryFolder();

describe('the settings of the cluster', () => {
  it.each(commandsOf('settings of the cluster'))(
    '$document: the command writes every variable that compose.yaml takes',
    async ({ document, text }) => {
      const { code, errors } = await startProgram('bash', ['-c', text], { cwd: folder() }).ended;
      expect({ code, errors }).toEqual({ code: 0, errors: '' });

      const written = parseEnv(await readFile(join(folder(), '.env'), 'utf8'));
      const taken = JSON.stringify(parse(read(join(dirname(document), 'compose.yaml'))));
      const names = [...taken.matchAll(/\$\{(\w+)/g)].map(([, name]) => name);
      expect(Object.keys(written).sort()).toEqual([...new Set(names)].sort());
      expect(written.POSTGRES_PASSWORD).toMatch(/^[0-9a-f]{32}$/);
      const key = written.N8N_ENCRYPTION_KEY ?? written.RELAY_SECRET_KEY;
      expect(key).toMatch(/^(?:[0-9a-f]{48}|[\w+/]{43}=)$/);
    },
  );
});
