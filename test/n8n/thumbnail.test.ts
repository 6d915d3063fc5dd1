import { createServer } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { listen } from '../shared/support/loopback.ts';
import { actionNode, startWorld, type World } from './world.ts';

const id = 'scr_berlin_0001';
const picture = Buffer.from([0x89, 0x50, 0x4e, 0x47]);

let world: World;
let files: string;
let authorization: string | undefined;
const server = createServer(({ url, headers }, response) => {
  authorization = headers.authorization;
  const isKnown = url === '/files/screen.png?size=2';
  response.writeHead(isKnown ? 200 : 404, { 'content-type': 'image/png' }).end(picture);
});
let close: () => Promise<unknown>;

beforeAll(async () => {
  world = await startWorld({ clock: 'frozen', screens: 40 });
  const listening = await listen(server);
  files = `http://127.0.0.1:${listening.port}/files`;
  close = listening.close;
});
beforeEach(() => world.sandbox.reset());
afterAll(async () => {
  await close();
  await world.stop();
});

/** Gets the screen, whose picture is at this address. */
async function get(thumbnail_url: string | null, thumbnail = true) {
  const body = JSON.stringify({ id, name: 'A screen', thumbnail_url });
  world.sandbox.faults.add({ fault: 'status', status: 200, path: `/screens/${id}`, body });
  return await world.run({
    authentication: 'apiKey',
    resource: 'screen',
    operation: 'get',
    screenId: id,
    options: { thumbnail },
  });
}

it('Get Screen adds the thumbnail as a file, and sends no credential for it', async () => {
  const [item] = (await get(`${files}/screen.png?size=2`)).output(actionNode);
  expect(item?.json).toMatchObject({ id });
  expect(item?.binary?.data).toMatchObject({ fileName: 'screen.png', mimeType: 'image/png' });
  expect(Buffer.from(item?.binary?.data?.data ?? '', 'base64')).toEqual(picture);
  expect(authorization).toBeUndefined();
});

it('Get Screen adds no file unless it is asked to', async () => {
  const [item] = (await get(`${files}/screen.png?size=2`, false)).output(actionNode);
  expect(item?.binary).toBeUndefined();
});

it.each([null, 'file:///etc/passwd'])('a screen without a thumbnail (%s) says so', async (url) => {
  const { run, output } = await get(url);
  expect(output(actionNode)).toHaveLength(1);
  const [data] = run.data.resultData.runData[actionNode] ?? [];
  expect(data?.hints).toMatchObject([{ message: `The screen "${id}" has no thumbnail.` }]);
});

it('a thumbnail that cannot be downloaded is an error that says why', async () => {
  const description =
    "Its address responded with status 404. Run the node again, or remove the option 'Download Thumbnail'.";
  const message = `The thumbnail of "${id}" could not be downloaded`;
  expect((await get(`${files}/gone.png`)).error).toMatchObject({ message, description });
  world.sandbox.reset();
  expect((await get('http://127.0.0.1:1/screen.png')).error).toMatchObject({
    message,
    description:
      "Its address did not respond with a picture. Run the node again, or remove the option 'Download Thumbnail'.",
  });
});
