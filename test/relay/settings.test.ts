import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { read } from '../structure/project.ts';
import { command } from './support/command.ts';

/** What the help says of each. */
const settings = {
  DATABASE_URL: 'PostgreSQL to use (its own, in RELAY_DATA_DIR)',
  RELAY_DATA_DIR:
    'Folder for its own PostgreSQL and key file (~/.screen-advertising-relay; as root /var/lib/screen-advertising-relay)',
  RELAY_SECRET_KEY:
    'Key that encrypts secrets in the database, 32 bytes in base64 (secret.key in RELAY_DATA_DIR, created on the first start)',
  RELAY_ADMIN_TOKEN:
    "Token to sign in to the operator's page, at least 24 characters (admin.token in RELAY_DATA_DIR, created on the first start)",
  RELAY_ROLE: 'ingress, sender, or all for both (all)',
  RELAY_ALLOW_TARGETS:
    'Hosts, addresses, and networks, separated by commas, that deliveries can go to in addition to public https addresses',
  RELAY_RETENTION_DAYS: 'Days to keep events for replays (30)',
  RELAY_PROBLEM_URL:
    "Address that gets a signed POST about problems, such as a chat's webhook (none)",
  RELAY_METRICS_PORT: 'Private port for /metrics, which then is on no other port (PORT)',
  HTTPS_PROXY:
    'Proxy for deliveries, except to RELAY_ALLOW_TARGETS. It resolves their names, so it must refuse private addresses (none)',
  NO_PROXY: 'Hosts, separated by commas, that deliveries reach without HTTPS_PROXY (none)',
  PUBLIC_URL: 'Public address of the relay (the address it listens on)',
  HOST: 'Address to listen on (127.0.0.1)',
  PORT: 'Port to listen on, 0 for a free one (8788)',
  LOG_LEVEL: 'silent, error, warn, info, or debug (info; on a terminal, debug)',
  SANDBOX_PORT: 'Port of the --with-sandbox sandbox, 0 for a free one (8787)',
};

const readme = read('packages/relay/README.md');

describe('the settings', () => {
  it('are named in the README, which leaves the words to the help', () => {
    const [, section = ''] = readme.split(/^## Settings$/m);
    const [named = ''] = section.split(/^## /m);
    const names = [...named.matchAll(/`([A-Z_]+)`/g)].map(([, name]) => name);
    expect(names).toEqual(Object.keys(settings));
  });

  it('are in the help', async () => {
    const { output: help } = await command(['--help']);
    const plain = help.replaceAll(/\n {20,}/g, ' ');
    for (const [name, does] of Object.entries(settings)) {
      expect(plain).toMatch(new RegExp(`^ {2}${name} +`, 'm'));
      expect(plain).toContain(` ${does}\n`);
    }
    expect(Math.max(...help.split('\n').map(({ length }) => length))).toBeLessThan(110);
  });
});

interface Service {
  readonly image: string;
  readonly environment?: Readonly<Record<string, string>>;
}

const { version } = JSON.parse(read('packages/relay/package.json'));
const image = `ghcr.io/screen-advertising/relay:${version}`;

describe.each(['docs/relay-cluster', 'docs/relay-hosting'])('%s/compose.yaml', (folder) => {
  const { services } = parse(read(`${folder}/compose.yaml`), { merge: true });
  const relays = (Object.values(services) as Service[]).filter(({ image }) =>
    image.includes('relay'),
  );

  it('starts the relay of this release with variables that exist', () => {
    const names = relays.flatMap(({ environment = {} }) => Object.keys(environment));
    expect(names).toContain('PUBLIC_URL');
    expect(names.filter((name) => !(name in settings))).toEqual([]);
    expect([...new Set(relays.map((one) => one.image))]).toEqual([image]);
  });
});

it('fly.toml and the guide start the relay of this release', () => {
  expect(read('fly.toml')).toContain(`\nimage = "${image}"\n`);
  const named = read('docs/relay-hosting.md').match(
    /ghcr\.io\/screen-advertising\/relay:[\w.]*\w/g,
  );
  expect([...new Set(named)]).toEqual([image]);
});

it('render.yaml starts the relay of this release with variables that exist', () => {
  const { services } = parse(read('render.yaml'));
  expect(services[0]).toMatchObject({ runtime: 'image', image: { url: image } });
  const names: string[] = services[0].envVars.map(({ key }: { key: string }) => key);
  expect(names).toContain('RELAY_SECRET_KEY');
  expect(names.filter((name) => !(name in settings))).toEqual([]);
});

it.each(['relay', 'sandbox'])('the image of the %s takes the Node.js of this project', (name) => {
  const { devDependencies } = JSON.parse(read('package.json'));
  expect(read(`packages/${name}/Dockerfile`)).toContain(
    `NODE_IMAGE=docker.io/library/node:${devDependencies.node}-`,
  );
});
