import { createServer } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { INodeParameters } from 'n8n-workflow';
import { listen } from '../shared/support/loopback.ts';
import { actionNode } from './engine.ts';
import { startWorld, type World } from './world.ts';

const id = 'scr_berlin_0001';
const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** What the address of a picture responds with. */
let picture: Buffer;
let type: string | undefined;

let world: World;
let files: string;
let authorization: string | undefined;
const server = createServer(({ url, headers }, response) => {
  authorization = headers.authorization;
  const isKnown = url !== '/files/gone.png';
  response.writeHead(isKnown ? 200 : 404, type ? { 'content-type': type } : {}).end(picture);
});
let close: () => Promise<unknown>;

beforeAll(async () => {
  world = await startWorld({ clock: 'frozen', screens: 40 });
  const listening = await listen(server);
  files = `http://127.0.0.1:${listening.port}/files`;
  close = listening.close;
});
beforeEach(() => {
  world.sandbox.reset();
  [picture, type] = [png, 'image/png'];
});
afterAll(async () => {
  await close();
  await world.stop();
});

/** Gets the screen, whose picture is at this address. */
async function get(thumbnail_url: string | null, options: INodeParameters = { thumbnail: true }) {
  const body = JSON.stringify({ id, name: 'A screen', thumbnail_url });
  world.sandbox.faults.add({ fault: 'status', status: 200, path: `/screens/${id}`, body });
  return await world.run({
    authentication: 'apiKey',
    resource: 'screen',
    operation: 'get',
    screenId: id,
    options,
  });
}

it('Get Screen adds the thumbnail as a file, and sends no credential for it', async () => {
  const [item] = (await get(`${files}/screen.png?size=2`)).output(actionNode);
  expect(item?.json).toMatchObject({ id });
  expect(item?.binary?.data).toMatchObject({
    fileName: 'scr_berlin_0001-screen.png',
    mimeType: 'image/png',
  });
  expect(Buffer.from(item?.binary?.data?.data ?? '', 'base64')).toEqual(png);
  expect(authorization).toBeUndefined();
});

it('Get Screen adds no file unless it is asked to', async () => {
  const [item] = (await get(`${files}/screen.png?size=2`, { thumbnail: false })).output(actionNode);
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

it('the user chooses the field of the file', async () => {
  const options = { thumbnail: true, binaryPropertyName: 'picture' };
  const [item] = (await get(`${files}/screen.png`, options)).output(actionNode);
  expect(Object.keys(item?.binary ?? {})).toEqual(['picture']);
});

it.each([
  ['K%C3%B6ln%20Hbf.png', 'image/png', 'scr_berlin_0001-Köln Hbf.png', 'image/png'],
  ['picture', 'application/octet-stream', 'scr_berlin_0001-picture.png', 'image/png'],
  ['100%.png', undefined, 'scr_berlin_0001-100%.png', 'image/png'],
  ['a%2Fb.png', 'text/plain', 'scr_berlin_0001-a-b.png', 'image/png'],
  ['', 'image/heic', 'scr_berlin_0001.heic', 'image/heic', Buffer.from('\0\0\0\x18ftypheic')],
  ['p', undefined, 'scr_berlin_0001-p.svg', 'image/svg+xml', Buffer.from('<svg xmlns="a"/>')],
  [
    'p.jpg',
    undefined,
    'scr_berlin_0001-p.jpg',
    'image/jpeg',
    Buffer.from([0xff, 0xd8, 0xff, 0xe0]),
  ],
])(
  'the picture at %s with the type %s is the file %s',
  async (url, said, fileName, mimeType, bytes = png) => {
    [picture, type] = [bytes, said];
    const [item] = (await get(`${files}/${url}`)).output(actionNode);
    expect(item?.binary?.data).toMatchObject({ fileName, mimeType });
  },
);

it.each([
  [
    'a page that asks to sign in',
    'text/html',
    '<!doctype html><title>Sign in</title>',
    'text/html that is not a picture',
  ],
  [
    'such a page that claims to be a picture',
    'image/png',
    ' <html>',
    'image/png that is not a picture',
  ],
  ['JSON', 'application/json', '{"error":"gone"}', 'application/json that is not a picture'],
  ['nothing', 'image/png', '', 'nothing'],
])('%s is not a thumbnail', async (_what, said, text, what) => {
  [picture, type] = [Buffer.from(text), said];
  const { error } = await get(`${files}/screen.png`);
  expect(error).toMatchObject({
    message: `The thumbnail of "${id}" could not be downloaded`,
    description: `Its address responded with ${what}. Run the node again, or remove the option 'Download Thumbnail'.`,
  });
});
