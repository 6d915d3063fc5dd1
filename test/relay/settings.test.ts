import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { read } from '../structure/project.ts';
import { command } from './support/command.ts';

const settings = [
  ...['DATABASE_URL', 'RELAY_DATA_DIR', 'RELAY_SECRET_KEY', 'RELAY_ADMIN_TOKEN', 'RELAY_ROLE'],
  ...['RELAY_ALLOW_TARGETS', 'RELAY_RETENTION_DAYS', 'RELAY_PROBLEM_URL', 'RELAY_METRICS_PORT'],
  ...['HTTPS_PROXY', 'NO_PROXY', 'PUBLIC_URL', 'HOST', 'PORT', 'LOG_LEVEL', 'SANDBOX_PORT'],
];

it('the settings are in the help, each with what it does, in lines that fit a terminal', async () => {
  const { output: help } = await command(['--help']);
  const [, section = ''] = help.split(/^Environment variables .*\n/m);
  const lines = section.matchAll(/^ {2}([A-Z_]+) +\S+ \S+/gm);
  expect([...lines].map(([, name]) => name)).toEqual(settings);
  expect(Math.max(...help.split('\n').map(({ length }) => length))).toBeLessThan(110);
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
    expect(names.filter((name) => !settings.includes(name))).toEqual([]);
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
  expect(names.filter((name) => !settings.includes(name))).toEqual([]);
});

it.each(['relay', 'sandbox'])('the image of the %s takes the Node.js of this project', (name) => {
  const { devDependencies } = JSON.parse(read('package.json'));
  expect(read(`packages/${name}/Dockerfile`)).toContain(
    `NODE_IMAGE=docker.io/library/node:${devDependencies.node}-`,
  );
});
