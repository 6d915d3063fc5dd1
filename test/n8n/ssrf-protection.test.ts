import { afterAll, beforeAll, beforeEach, expect, it, jest } from '@jest/globals';
import { testCredential } from './credential-dialog.ts';
import { loadAsCore, n8nContainer } from './n8n.ts';
import { useWorld } from './world.ts';

type Of<Service> = abstract new () => Service;
const { SsrfProtectionConfig } = loadAsCore('@n8n/config') as {
  SsrfProtectionConfig: Of<{ enabled: boolean }>;
};
const { SsrfProtectionService } = loadAsCore('@n8n/backend-network') as {
  SsrfProtectionService: Of<object>;
};
const protection = n8nContainer.get(SsrfProtectionConfig);

const world = useWorld({ clock: 'frozen', screens: 40 });
beforeAll(() => {
  protection.enabled = true;
});
// As n8n's server gives it to each execution. Its newest engine asks the protection itself.
beforeEach(() => {
  const { engine } = world;
  const additionalData = engine.additionalData.bind(engine);
  const ssrfBridge = n8nContainer.get(SsrfProtectionService) as never;
  jest
    .spyOn(engine, 'additionalData')
    .mockImplementation((...given) => ({ ...additionalData(...given), ssrfBridge }));
});
afterAll(() => {
  protection.enabled = false;
});

const blocked = 'The request was blocked because it resolves to a restricted IP address';
const advice =
  'The target 127.0.0.1 is not allowed. This is a security measure to prevent Server-Side Request Forgery (SSRF). If you need to access internal resources, ask your n8n administrator to allowlist the hostname or IP range in the environment configuration.';

it.each([
  ['apiKey', blocked, advice],
  [
    'clientCredentials',
    'The credential "Screen Advertising account" does not work',
    `n8n could not get an access token. ${blocked}. ${advice}`,
  ],
])(
  "with n8n's protection against private addresses, an operation with %s shows n8n's advice",
  async (authentication, message, description) => {
    const parameters = { authentication, resource: 'screen', operation: 'getAll' };
    const { error } = await world.run(parameters);
    expect([error?.message, error?.description]).toEqual([message, description]);
  },
);

it.each([
  'screenAdvertisingApi',
  'screenAdvertisingClientCredentialsApi',
  'screenAdvertisingRelayApi',
])('and so does the test of a credential: %s', async (type) => {
  const connectorKey = `rly_${'a'.repeat(43)}.whsec_${'a'.repeat(44)}`;
  const stored = { baseUrl: world.baseUrl, connectorKey, ...world.engine.credentials[type] };
  expect(await testCredential(world.engine, type, stored)).toEqual({
    status: 'Error',
    message: `n8n could not send the test. ${blocked}. ${advice}`,
  });
});
