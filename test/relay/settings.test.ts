import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { environment } from '../../packages/relay/src/cli/settings.ts';
import { read } from '../structure/project.ts';
import { command } from './support/command.ts';

const readme = read('packages/relay/README.md');

describe('the settings', () => {
  it('are named in the README, which leaves the words to the help', () => {
    const [, section = ''] = readme.split(/^## Settings$/m);
    const [named = ''] = section.split(/^## /m);
    const names = [...named.matchAll(/`([A-Z_]+)`/g)].map(([, name]) => name);
    expect(names).toEqual(Object.keys(environment));
  });

  it('are in the help', async () => {
    const { output: help } = await command(['--help']);
    const plain = help.replaceAll(/\n {20,}/g, ' ');
    for (const [name, does] of Object.entries(environment)) {
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
    expect(names.filter((name) => !(name in environment))).toEqual([]);
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
  expect(names.filter((name) => !(name in environment))).toEqual([]);
});

it.each(['relay', 'sandbox'])('the image of the %s takes the Node.js of this project', (name) => {
  const { devDependencies } = JSON.parse(read('package.json'));
  expect(read(`packages/${name}/Dockerfile`)).toContain(
    `NODE_IMAGE=docker.io/library/node:${devDependencies.node}-`,
  );
});
