import { inspect } from 'node:util';
import { expect, it } from '@jest/globals';
import { createSandbox } from '@screen-advertising/sandbox';
import { startWorld } from './world.ts';

const [{ apiKey }] = createSandbox().accesses;

it.each(['apiKey', 'clientCredentials'])(
  'an error shows no credential of %s, even if the service quotes it',
  async (authentication) => {
    const world = await startWorld();
    const lookUp = { resource: 'user', operation: 'lookUp', email: 'lead@example.com' };
    await world.items({ ...lookUp, authentication });
    const { credentials } = world.engine;
    const { accessToken = '' } = credentials.screenAdvertisingClientCredentialsApi ?? {};
    const sent = authentication === 'apiKey' ? apiKey : String(accessToken);
    const detail = `The token ${sent} was not liked.`;
    world.sandbox.faults.add({ fault: 'status', status: 400, detail });
    const { error } = await world.run({ ...lookUp, authentication });
    await world.stop();
    expect(sent.length).toBeGreaterThan(20);
    expect(`${error?.message} ${error?.description}`).toContain(
      'The token [redacted] was not liked.',
    );
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(sent);
  },
);
