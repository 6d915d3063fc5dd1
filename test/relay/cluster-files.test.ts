import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { environment } from '../../packages/relay/src/cli/environment.ts';
import { read } from '../structure/project.ts';

interface Service {
  readonly image: string;
  readonly build?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly stop_grace_period?: string;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: { readonly test: readonly string[] };
}

const folder = 'docs/relay-cluster';
const { services, volumes } = parse(read(`${folder}/compose.yaml`), { merge: true }) as {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, unknown>>;
};
const relays = Object.entries(services).filter(([, { build }]) => build !== undefined);
const manifest = JSON.parse(read('packages/relay/package.json'));
const dockerfile = read(`${folder}/Dockerfile`);

// Needs no container engine, and does not prove that the containers would start.
describe('docs/relay-cluster/compose.yaml', () => {
  it('has two ingress and two sender processes on one database and one key', () => {
    expect(
      Object.fromEntries(relays.map(([name, { environment }]) => [name, environment?.RELAY_ROLE])),
    ).toEqual({
      'ingress-1': 'ingress',
      'ingress-2': 'ingress',
      'sender-1': 'sender',
      'sender-2': 'sender',
    });
    const shared = relays.map(([, { environment: { RELAY_ROLE: _role, ...rest } = {} }]) => rest);
    expect(new Set(shared.map((one) => JSON.stringify(one))).size).toBe(1);
    expect(shared[0]?.DATABASE_URL).toMatch(/^postgres:\/\/relay:.*@postgres:5432\/relay$/);
  });

  it('sets only variables that exist', () => {
    const names = relays.flatMap(([, { environment = {} }]) => Object.keys(environment));
    expect(names.filter((name) => !(name in environment))).toEqual([]);
  });

  it('gives each process longer to stop than the relay takes, and probes its readiness', () => {
    const [, bound = ''] =
      /longestStopMs = ([\d_]+)/.exec(read('packages/relay/src/cli/main.ts')) ?? [];
    for (const [, { stop_grace_period = '', healthcheck }] of relays) {
      expect(Number.parseInt(stop_grace_period, 10) * 1000).toBeGreaterThan(
        Number(bound.replaceAll('_', '')),
      );
      expect(healthcheck?.test.join(' ')).toContain('http://127.0.0.1:8788/readyz');
    }
  });

  it('names only services and volumes that exist', () => {
    const upstreams = [...read(`${folder}/nginx.conf`).matchAll(/^ {2}server ([\w-]+):8788/gm)];
    expect(upstreams.map(([, name]) => name)).toEqual(['ingress-1', 'ingress-2']);
    const needed = Object.values(services).flatMap(({ depends_on = {} }) =>
      Object.keys(depends_on),
    );
    for (const name of needed) expect(services).toHaveProperty(name);
    const mounted = Object.values(services).flatMap((service) => service.volumes ?? []);
    for (const [source = ''] of mounted.map((volume) => volume.split(':'))) {
      if (source.startsWith('./')) expect(read(`${folder}/${source.slice(2)}`)).not.toBe('');
      else expect(volumes).toHaveProperty(source);
    }
  });

  it('is reachable only on this machine', () => {
    const ports = Object.values(services).flatMap((service) => service.ports ?? []);
    expect(ports).toEqual(['127.0.0.1:8080:80']);
  });

  it('pins each image to an exact version, and the relay to this release', () => {
    const images = Object.values(services).map(({ image }) => image);
    const [, base = ''] = /^FROM (\S+)$/m.exec(dockerfile) ?? [];
    for (const image of [...images, base])
      expect(image).toMatch(/^[a-z-]+:\d+\.\d+(?:\.\d+)?(?:-[a-z-]+)?$/);
    const ofRelay = new Set(relays.map(([, { image }]) => image));
    expect([...ofRelay]).toEqual([`screen-advertising-relay:${manifest.version}`]);
    expect(dockerfile).toContain(`${manifest.name}@${manifest.version} `);
    const [binary = ''] = Object.keys(manifest.bin);
    expect(dockerfile).toContain(`ln -s ${binary} `);
  });
});
