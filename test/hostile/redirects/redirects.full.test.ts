import { expect, it } from '@jest/globals';
import { readZapierError } from '../../zapier/app/zapier-error.ts';
import { describeRedirects } from './follow.ts';
import { RedirectingService } from './redirecting-service.ts';
import { shapes } from './shapes.ts';
import { zapierPaths } from './zapier-paths.ts';

describeRedirects(shapes());

it('the request for a picture cannot be sent from elsewhere into the machine that makes it', async () => {
  const service = new RedirectingService();
  await service.start();
  const { paths, close } = await zapierPaths();
  const target = 'a subdomain with another scheme';
  service.shape = { status: 302, form: 'there and back again', target };
  const path = paths.find(({ name }) => name.startsWith('a picture'));
  expect(await path?.send(service.baseUrl).catch(readZapierError)).toMatchObject({
    message: `The thumbnail of the screen could not be downloaded (a redirect to ${service.origin}, which is not safe to follow). Replay the step, or leave the thumbnail out.`,
  });
  const { ports } = service;
  expect(service.arrived.map(({ origin }) => origin)).toEqual([
    service.origin,
    `https://sub.localhost:${ports[0]}`,
  ]);
  await close();
  await service.stop();
});
