import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { environment } from '../../packages/relay/src/cli/environment.ts';
import { read } from '../structure/project.ts';
import { image } from './support/image.ts';

interface Service {
  readonly image: string;
  readonly build?: { readonly dockerfile: string };
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly stop_grace_period?: string;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
}

const folder = 'docs/relay-cluster';
const { services, volumes } = parse(read(`${folder}/compose.yaml`), { merge: true }) as {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, unknown>>;
};
const relays = Object.entries(services).filter(([, { build }]) => build !== undefined);

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

  it('gives each process of the image longer to stop than the relay takes', () => {
    for (const [, { build, stop_grace_period = '' }] of relays) {
      expect(build?.dockerfile).toBe(image.dockerfile);
      expect(Number.parseInt(stop_grace_period, 10) * 1000).toBeGreaterThan(image.longestStopMs);
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
    for (const { image } of Object.values(services)) {
      expect(image).toMatch(/^[a-z-]+:\d+\.\d+(?:\.\d+)?$/);
    }
    const ofRelay = new Set(relays.map(([, { image }]) => image));
    expect([...ofRelay]).toEqual([`screen-advertising-relay:${image.version}`]);
  });
});
