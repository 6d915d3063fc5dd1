import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { environment } from '../../packages/relay/src/cli/environment.ts';
import { read } from '../structure/project.ts';

interface Service {
  readonly image: string;
  readonly env_file?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly configs?: readonly { readonly source: string }[];
  readonly read_only?: boolean;
  readonly depends_on?: Readonly<Record<string, unknown>> | readonly string[];
}

const text = read('docs/relay-hosting/compose.yaml');
const { services, volumes, configs } = parse(text) as {
  readonly services: Readonly<Record<'relay' | 'caddy' | 'postgres', Service>>;
  readonly volumes: Readonly<Record<string, unknown>>;
  readonly configs: Readonly<Record<string, { readonly content: string }>>;
};

// Needs no container engine, and does not prove that the containers would start.
describe('docs/relay-hosting/compose.yaml', () => {
  it('needs only the domain', () => {
    const taken = [...text.matchAll(/\$\{(\w+)/g)].map(([, name]) => name);
    expect(new Set(taken)).toEqual(new Set(['DOMAIN']));
  });

  it('passes what else the file with the domain sets to the relay', () => {
    expect(services.relay.env_file).toBe('.env');
  });

  it('sets only variables that exist, and no secret', () => {
    const names = Object.keys(services.relay.environment ?? {});
    expect(names.filter((name) => !(name in environment))).toEqual([]);
    expect(text).not.toMatch(/PASSWORD|SECRET_KEY|ADMIN_TOKEN/);
  });

  it('opens only the ports of the proxy, which hides the metrics', () => {
    const ports = Object.entries(services).flatMap(([name, { ports: open = [] }]) =>
      open.map((port) => `${name} ${port}`),
    );
    expect(ports).toEqual(['caddy 80:80', 'caddy 443:443']);
    expect(services.postgres).toMatchObject({ command: 'postgres -c listen_addresses=' });
    const { content = '' } = configs[services.caddy.configs?.[0]?.source ?? ''] ?? {};
    expect(content).toMatch(/^\$\{DOMAIN\} \{$/m);
    expect(content).toContain('respond /metrics 404');
    expect(content).toContain('reverse_proxy relay:8788');
  });

  it('mounts only volumes that exist, and keeps the rest of the relay read-only', () => {
    expect(services.relay.read_only).toBe(true);
    const mounted = Object.values(services).flatMap((service) => service.volumes ?? []);
    expect(new Set(mounted.map((volume) => volume.split(':')[0]))).toEqual(
      new Set(Object.keys(volumes)),
    );
    // Both meet at the socket.
    for (const service of [services.relay, services.postgres]) {
      expect(service.volumes).toContain('socket:/var/run/postgresql');
    }
  });

  it('pins each image to an exact version, and the relay to this release', () => {
    const { version } = JSON.parse(read('packages/relay/package.json'));
    expect(services.relay.image).toBe(`screen-advertising-relay:${version}`);
    for (const { image } of Object.values(services)) expect(image).toMatch(/^[a-z-]+:\d+\.\d+/);
  });
});

describe('the Dockerfiles', () => {
  it.each(['relay', 'sandbox'])('of the %s takes the Node.js and pnpm of this project', (name) => {
    const dockerfile = read(`packages/${name}/Dockerfile`);
    const { devDependencies } = JSON.parse(read('package.json'));
    expect(dockerfile).toContain(`NODE_IMAGE=docker.io/library/node:${devDependencies.node}-`);
    const [, pnpm] = /npx -y (pnpm@[\d.]+) /.exec(read('.github/workflows/release.yml')) ?? [];
    const used = [...dockerfile.matchAll(/npx -y (\S+)/g)].map(([, tool]) => tool);
    expect(new Set(used)).toEqual(new Set([pnpm]));
    expect(dockerfile).toMatch(/^USER node$/m);
  });

  it('are released with their version and commit, SBOM and provenance', () => {
    const { strategy, steps } = parse(read('.github/workflows/release.yml')).jobs.images;
    expect(strategy.matrix.name).toEqual(['relay', 'sandbox']);
    const build = steps.find(({ uses = '' }) => uses.startsWith('docker/build-push-action@'));
    expect(build.with).toMatchObject({
      context: '.',
      file: `packages/\${{ matrix.name }}/Dockerfile`,
      sbom: true,
      provenance: 'mode=max',
    });
    const given = [...build.with['build-args'].matchAll(/^(\w+)=/gm)].map(([, name]) => name);
    for (const name of strategy.matrix.name) {
      const dockerfile = read(`packages/${name}/Dockerfile`);
      for (const arg of given) expect(dockerfile).toContain(`="\${${arg}}"`);
    }
  });
});
