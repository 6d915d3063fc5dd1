import { globalAgent } from 'node:http';
import { gunzip } from 'node:zlib';
import {
  decodeBody,
  maxResponseBytes,
  responseTooLargeError,
  unexpectedResponseError,
} from '../exchange.ts';
import type { TransportRequest } from '../transport.ts';

/** The headers of a request, which names gzip: without a name, a service may use any encoding. */
export function headersAcceptingGzip({ headers }: TransportRequest): Record<string, string> {
  return { ...headers, 'accept-encoding': 'gzip' };
}

/** The text of a body in the encodings that `content-encoding` lists. What is empty has none. */
export function decompressBody(
  bytes: Uint8Array,
  contentEncoding: string | undefined,
  url: string,
): string | Promise<string> {
  const isPlain = !contentEncoding || bytes.byteLength === 0;
  return isPlain ? decodeBody(bytes) : unpacked(bytes, contentEncoding, url);
}

async function unpacked(bytes: Uint8Array, contentEncoding: string, url: string): Promise<string> {
  let plain = bytes;
  for (const given of contentEncoding.split(',').reverse()) {
    const encoding = given.trim().toLowerCase().replace(/^x-/, '') || 'identity';
    if (encoding === 'gzip') plain = await unzipped(plain, url);
    else if (encoding !== 'identity') {
      throw unexpectedResponseError(
        `${new URL(url).host} sent a response in the encoding ${encoding}, which was not requested`,
      );
    }
  }
  return decodeBody(plain);
}

function unzipped(bytes: Uint8Array, url: string): Promise<Uint8Array> {
  const options = { maxOutputLength: maxResponseBytes };
  return new Promise((resolve, reject) => {
    gunzip(bytes, options, (error: NodeJS.ErrnoException | null, text) => {
      if (!error) resolve(text);
      else reject(error.code === 'ERR_BUFFER_TOO_LARGE' ? responseTooLargeError(url) : error);
    });
  });
}

/** The environment's proxy settings, if Node.js uses them (from version 22.21 and 24.5). */
export function proxyEnvironment(): NodeJS.ProcessEnv | undefined {
  const { options } = globalAgent as { options?: { proxyEnv?: NodeJS.ProcessEnv } };
  return options?.proxyEnv;
}
