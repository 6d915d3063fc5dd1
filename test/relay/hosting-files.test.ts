import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { environment } from '../../packages/relay/src/cli/environment.ts';
import { read } from '../structure/project.ts';

interface Service {
  readonly image: string;
  readonly environment?: Readonly<Record<string, string>>;
}

const { version } = JSON.parse(read('packages/relay/package.json'));

describe.each(['docs/relay-cluster', 'docs/relay-hosting'])('%s/compose.yaml', (folder) => {
  const { services } = parse(read(`${folder}/compose.yaml`), { merge: true });
  const relays = (Object.values(services) as Service[]).filter(({ image }) =>
    image.includes('relay'),
  );

  it('starts the relay of this release with variables that exist', () => {
    const names = relays.flatMap(({ environment = {} }) => Object.keys(environment));
    expect(names).toContain('PUBLIC_URL');
    expect(names.filter((name) => !(name in environment))).toEqual([]);
    expect([...new Set(relays.map(({ image }) => image))]).toEqual([
      `screen-advertising-relay:${version}`,
    ]);
  });
});

it('render.yaml sets variables that exist', () => {
  const { services } = parse(read('render.yaml'));
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
