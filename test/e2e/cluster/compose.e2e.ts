import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { parseEnv } from 'node:util';
import { parse } from 'yaml';
import { root } from '../support/paths.ts';

interface Service {
  readonly image: string;
  readonly command?: string;
  readonly env_file?: string;
  readonly volumes?: readonly string[];
  readonly depends_on: Readonly<Record<string, unknown>> | readonly string[];
}

const folder = path.join(root, 'docs/n8n-cluster');
const read = (file: string) => readFileSync(path.join(folder, file), 'utf8');

// No container engine is needed for this, nor does it show that the containers would start.
describe('docs/n8n-cluster/compose.yaml', () => {
  const { services } = parse(read('compose.yaml'), { merge: true }) as {
    services: Readonly<Record<string, Service>>;
  };
  const n8n = Object.entries(services).filter(([, { image }]) => image.includes('n8nio/n8n'));

  it('has the five processes that the test of the cluster starts', () => {
    const roles = n8n.map(([name, { command }]) => [name, command ?? 'main']);
    assert.deepEqual(roles, [
      ['main', 'main'],
      ['worker-1', 'worker'],
      ['worker-2', 'worker'],
      ['webhook-1', 'webhook'],
      ['webhook-2', 'webhook'],
    ]);
  });

  it('takes the n8n that these tests run', () => {
    const { dependencies } = JSON.parse(
      readFileSync(path.join(root, 'test/e2e/n8n-server/package.json'), 'utf8'),
    );
    for (const [, { image }] of n8n) assert.ok(image.endsWith(`:${dependencies.n8n}`), image);
  });

  it('gives each of them the shared settings and the node', () => {
    for (const [name, { env_file, volumes }] of n8n) {
      assert.equal(env_file, 'n8n.env', name);
      assert.deepEqual(volumes, ['./nodes:/home/node/.n8n/nodes'], name);
    }
  });

  it('names only services and files that exist', () => {
    const { DB_POSTGRESDB_HOST, QUEUE_BULL_REDIS_HOST } = parseEnv(read('n8n.env'));
    const upstreams = [...read('nginx.conf').matchAll(/^ {2}server ([\w-]+):/gm)].map(
      ([, host]) => host,
    );
    const needed = Object.values(services).flatMap(({ depends_on = [] }) =>
      Array.isArray(depends_on) ? depends_on : Object.keys(depends_on),
    );
    assert.equal(upstreams.length, 3);
    for (const name of [...upstreams, ...needed, DB_POSTGRESDB_HOST, QUEUE_BULL_REDIS_HOST]) {
      assert.ok(name !== undefined && name in services, name);
    }
    for (const file of ['n8n.env', 'nginx.conf', 'README.md']) {
      assert.ok(existsSync(path.join(folder, file)), file);
    }
  });
});
