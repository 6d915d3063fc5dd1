import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { INodeParameters } from 'n8n-workflow';
import { operationKey } from './operation-keys.ts';
import { operationNames, sampleCall } from './sample-calls.ts';
import { startWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld({ clock: 'frozen' });
});
afterAll(() => world.stop());

/** A page of a proxy, nothing, and JSON of a gateway: none of them is a problem document. */
const bodies = {
  'a web page': { body: '<title>Blocked</title>', contentType: 'text/html' },
  'an empty body': { body: '', contentType: 'text/plain' },
  'other JSON': { body: '{"message":"Blocked"}', contentType: 'application/json' },
};

const refusals = [
  ...[400, 401, 402, 403, 404, 405, 406, 407, 409, 410, 411, 412, 413, 414, 415, 416, 417, 418],
  ...[421, 422, 423, 424, 425, 426, 428, 431],
];
const failures = [408, 500, 501, 502, 503, 504];

const search = operationKey('screen.findAvailable');
const findAvailable: INodeParameters = {
  authentication: 'apiKey',
  resource: search.resource,
  operation: search.value,
  from: '2027-03-01',
  to: '2027-03-31',
};

/** The whole title, for any operation; nothing else is proved. */
const titles: Readonly<Record<number, string>> = {
  401: 'The service, or something in front of it, did not accept the credential "Screen Advertising account" (401)',
  404: 'The service was not found at the base URL (404)',
  407: 'A proxy between n8n and the service asks for credentials (407)',
};
/** What the description says first: that the response proves nothing. */
const said: Readonly<Record<string, string>> = {
  'a web page':
    'The response is not a problem document, so it may come from a proxy (text/html, 22 characters, titled "Blocked"). ',
  'an empty body': '',
  'other JSON':
    'The response is not a problem document, so it may come from a proxy (application/json, 21 characters). ',
};

/** And then what to do. */
const check =
  'Check that the base URL in the credential "Screen Advertising account" leads to the service, and any proxy in between.';
const advice: Readonly<Record<number, string>> = {
  401: 'Paste its values again in full and check its base URL. If it still fails, ask the Screen Advertising team whether it was revoked.',
  404: 'Check the base URL in the credential "Screen Advertising account": it ends in /api/v1.',
  407: 'Ask who runs n8n to correct its proxy settings.',
};
const later =
  'Retry in a few minutes. If it keeps failing, tell the Screen Advertising team the time and the operation.';
const still = ' Coupon > Get shows whether the coupon is still active.';
const refused = 'The service, or something in front of it, refused the request';
const failed = 'The service, or something in front of it, reported an error';

/** Of changes that may have been made. */
const unknown: Readonly<Record<string, string>> = {
  'coupon.create': 'Create Coupon got no clear response, so the coupon may exist',
  'coupon.revoke': 'Revoke Coupon got no clear response, so the coupon SPRING-25 may be revoked',
  'landingLink.create': 'No response to Create Landing Link, so the link may already exist',
};

async function shown(name: string, status: number, body: { body: string; contentType: string }) {
  world.sandbox.reset();
  const parameters =
    name === 'screen.findAvailable' ? findAvailable : await sampleCall(world, name as never);
  world.sandbox.faults.add({ fault: 'status', status, ...body });
  const { error } = await world.run(parameters);
  // By then an access has all of its retries again.
  await world.sandbox.clock.advance(86_400_000);
  return { title: error?.message, description: String(error?.description) };
}

it.each(
  [...operationNames, 'screen.findAvailable'].flatMap((name) =>
    Object.entries(bodies).map(([what, body]) => [name, what, body] as const),
  ),
)('%s: %s of any status proves nothing about the service', async (name, what, body) => {
  for (const status of refusals) {
    const { title, description } = await shown(name, status, body);
    expect(title).toBe(titles[status] ?? `${refused} (${status})`);
    const isOpen = name === 'coupon.revoke' && status !== 401 && status !== 404;
    const todo = `${advice[status] ?? check}${isOpen ? still : ''}`;
    expect([status, description]).toEqual([status, `${said[what]}${todo}`]);
  }
  for (const status of failures) {
    const { title, description } = await shown(name, status, body);
    expect(title).toBe(unknown[name] ?? `${failed} (${status})`);
    if (!(name in unknown))
      expect([status, description]).toEqual([status, `${said[what]}${later}`]);
  }
});

it.each([
  ['Not possible.', 'Coupon > Get shows its status.'],
  ['The coupon cannot be revoked by this access.', 'Coupon > Get shows its status.'],
  [
    'The coupon was revoked.',
    'If you wanted it gone, there is nothing left to do. Coupon > Get shows its status.',
  ],
  [
    'It has already been redeemed.',
    'If you wanted it gone, there is nothing left to do. Coupon > Get shows its status.',
  ],
])(
  'Revoke Coupon claims that a coupon is gone only if the service says so: %s',
  async (detail, advice) => {
    world.sandbox.reset();
    const parameters = await sampleCall(world, 'coupon.revoke');
    world.sandbox.faults.add({ fault: 'status', status: 400, detail });
    const { error } = await world.run(parameters);
    expect(error?.message).toBe(
      'Coupon "SPRING-25" cannot be revoked: it is no longer active, or was already redeemed (400)',
    );
    expect(error?.description).toBe(`The service says: "${detail}" ${advice}`);
  },
);
