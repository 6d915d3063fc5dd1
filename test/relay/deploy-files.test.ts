import { describe, expect, it } from '@jest/globals';
import { parse as parseToml } from 'smol-toml';
import { parse as parseYaml } from 'yaml';
import { z } from 'zod';
import { environment } from '../../packages/relay/src/cli/environment.ts';
import { read } from '../structure/project.ts';
import { image } from './support/image.ts';

const name = z.string().regex(/^[a-z][a-z0-9-]+$/);

/** The part of https://render.com/docs/blueprint-spec that the file uses. */
const blueprint = z.strictObject({
  services: z.tuple([
    z.strictObject({
      type: z.literal('web'),
      name,
      runtime: z.literal('docker'),
      plan: z.enum(['starter', 'standard', 'pro']),
      dockerfilePath: z.string(),
      dockerContext: z.literal('.'),
      autoDeployTrigger: z.enum(['off', 'commit', 'checksPass']),
      healthCheckPath: z.string(),
      maxShutdownDelaySeconds: z.int().min(1).max(300),
      envVars: z.array(
        z.union([
          z.strictObject({
            key: z.string(),
            fromDatabase: z.strictObject({ name, property: z.literal('connectionString') }),
          }),
          z.strictObject({
            key: z.string(),
            fromService: z.strictObject({ type: z.literal('web'), name, envVarKey: z.string() }),
          }),
          z.strictObject({ key: z.string(), generateValue: z.literal(true) }),
        ]),
      ),
    }),
  ]),
  databases: z.tuple([
    z.strictObject({
      name,
      plan: z.enum(['basic-256mb', 'basic-1gb']),
      ipAllowList: z.tuple([]),
    }),
  ]),
});

const duration = z.string().regex(/^\d+s$/);

/** The part of https://fly.io/docs/reference/configuration that the file uses. */
const flyApp = z.strictObject({
  app: name,
  kill_signal: z.enum(['SIGINT', 'SIGTERM']),
  kill_timeout: z.int().max(300),
  build: z.strictObject({ dockerfile: z.string() }),
  env: z.record(z.string(), z.string()),
  http_service: z.strictObject({
    internal_port: z.int(),
    force_https: z.literal(true),
    auto_stop_machines: z.boolean(),
    checks: z.tuple([
      z.strictObject({
        method: z.literal('GET'),
        path: z.string(),
        interval: duration,
        timeout: duration,
        grace_period: duration,
      }),
    ]),
  }),
  mounts: z.strictObject({
    source: z.string().regex(/^[a-z0-9_]{1,30}$/),
    destination: z.string(),
    initial_size: z.string().regex(/^\d+gb$/),
  }),
  vm: z.tuple([z.strictObject({ size: z.string(), memory: z.string().regex(/^\d+gb$/) })]),
});

// Needs no account, and does not prove that either host deploys it.
describe('render.yaml', () => {
  const {
    services: [relay],
    databases: [database],
  } = blueprint.parse(parseYaml(read('render.yaml')));

  it('starts the image as it needs', () => {
    expect(relay).toMatchObject({
      dockerfilePath: `./${image.dockerfile}`,
      healthCheckPath: image.healthPath,
    });
    expect(relay.maxShutdownDelaySeconds * 1000).toBeGreaterThan(image.longestStopMs);
  });

  it('sets variables that exist, from its own database and address, and generates the secrets', () => {
    for (const { key } of relay.envVars) expect(environment).toHaveProperty([key]);
    expect(relay.envVars).toEqual([
      {
        key: 'DATABASE_URL',
        fromDatabase: { name: database.name, property: 'connectionString' },
      },
      {
        key: 'PUBLIC_URL',
        fromService: { type: 'web', name: relay.name, envVarKey: 'RENDER_EXTERNAL_URL' },
      },
      { key: 'RELAY_SECRET_KEY', generateValue: true },
      { key: 'RELAY_ADMIN_TOKEN', generateValue: true },
    ]);
  });
});

describe('fly.toml', () => {
  const app = flyApp.parse(parseToml(read('fly.toml')));

  it('starts the image as it needs, and keeps it running', () => {
    expect(app).toMatchObject({
      build: { dockerfile: image.dockerfile },
      http_service: {
        internal_port: image.port,
        auto_stop_machines: false,
        checks: [{ path: image.healthPath }],
      },
      mounts: { destination: image.volume },
    });
    expect(app.kill_timeout * 1000).toBeGreaterThan(image.longestStopMs);
  });

  it('sets variables that exist, and no secret', () => {
    expect(app.env).toEqual({ PUBLIC_URL: `https://${app.app}.fly.dev` });
    expect(environment).toHaveProperty('PUBLIC_URL');
  });
});
