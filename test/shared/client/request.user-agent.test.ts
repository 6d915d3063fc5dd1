import { expect, it } from '@jest/globals';
import { userAgentOf } from '../../../shared/src/client/request.ts';
import { version } from '../../../shared/src/client/version.ts';
import { read } from '../../structure/project.ts';

it('names the version in package.json', () => {
  expect(JSON.parse(read('shared/package.json')).version).toBe(version);
});

it('is left out where neither the program nor the runtime is known', () => {
  expect(userAgentOf({}, undefined)).toBeUndefined();
  expect(userAgentOf({}, 'my-app/1.2')).toBe(`my-app/1.2 screen-advertising-core/${version}`);
  expect(userAgentOf({ runtime: 'node/24' }, undefined)).toBe(
    `screen-advertising-core/${version} (node/24)`,
  );
});
