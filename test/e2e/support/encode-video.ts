import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import type * as Mediabunny from 'mediabunny';
import type { BrowserContext } from 'playwright-core';
import type { Shot } from './recording.ts';

/** Only a secure page may encode; nothing is sent there. */
const studioUrl = 'https://studio.example/';

const library = path.join(
  path.dirname(createRequire(import.meta.url).resolve('mediabunny')),
  'mediabunny.mjs',
);

/**
 * Writes a WebM file and returns its length in seconds. Chromium encodes it, so that no other video
 * encoder is needed. Each picture has its own time in the file, however long its encoding takes.
 */
export async function encodeVideo(
  context: BrowserContext,
  shots: readonly Shot[],
  file: string,
): Promise<number> {
  const studio = await context.newPage();
  await studio.route(`${studioUrl}**`, (route) =>
    route.request().url().endsWith('.mjs')
      ? route.fulfill({ path: library, contentType: 'text/javascript' })
      : route.fulfill({ body: '', contentType: 'text/html' }),
  );
  await studio.goto(studioUrl);
  await studio.evaluate(startVideo, new URL('mediabunny.mjs', studioUrl).href);
  let seconds = 0;
  for (const shot of shots) {
    await studio.evaluate(addShot, { ...shot, at: seconds });
    seconds += shot.seconds;
  }
  const video = await studio.evaluate(finishVideo);
  await studio.close();
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, Buffer.from(video, 'base64'));
  return seconds;
}

interface Studio {
  readonly canvas: HTMLCanvasElement;
  readonly source: Mediabunny.CanvasSource;
  readonly finish: () => Promise<ArrayBuffer>;
}

// The functions below run in the page.

async function startVideo(url: string): Promise<void> {
  const { BufferTarget, CanvasSource, Output, WebMOutputFormat }: typeof Mediabunny = await import(
    url
  );
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width: 1600, height: 1060 });
  canvas.getContext('2d');
  const target = new BufferTarget();
  const output = new Output({ format: new WebMOutputFormat(), target });
  const source = new CanvasSource(canvas, { codec: 'vp8', bitrate: 1_000_000 });
  output.addVideoTrack(source);
  await output.start();
  const finish = async () => {
    await output.finalize();
    return target.buffer as ArrayBuffer;
  };
  Object.assign(window, { studio: { canvas, source, finish } satisfies Studio });
}

async function addShot(shot: Shot & { readonly at: number }): Promise<void> {
  const { canvas, source } = (window as unknown as { studio: Studio }).studio;
  const image = new Image();
  image.src = `data:image/jpeg;base64,${shot.data}`;
  await image.decode();
  const context = canvas.getContext('2d');
  if (!context) return;
  context.fillStyle = '#101330';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, 0, 0, 1600, 1000);
  context.fillStyle = '#ffffff';
  context.font = '28px sans-serif';
  context.fillText(shot.caption, 24, 1040);
  await source.add(shot.at, shot.seconds);
}

async function finishVideo(): Promise<string> {
  const { finish } = (window as unknown as { studio: Studio }).studio;
  const bytes = new Uint8Array(await finish());
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}
