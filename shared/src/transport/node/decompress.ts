import { gunzip } from 'node:zlib';
import { tooLarge, unexpectedResponse } from '../read-body.ts';

/** Decompresses a body. The client never asks for compression, but some proxies compress anyway. */
export async function decompress(
  bytes: Uint8Array,
  contentEncoding: string,
  url: string,
  maxBytes: number,
): Promise<Uint8Array> {
  const encoding = contentEncoding.trim().toLowerCase().replace(/^x-/, '') || 'identity';
  if (encoding === 'identity') return bytes;
  if (encoding === 'gzip') return unzipped(bytes, url, maxBytes);
  const { host } = new URL(url);
  throw unexpectedResponse(
    `${host} sent a response in the encoding ${encoding}, which was not requested`,
  );
}

function unzipped(bytes: Uint8Array, url: string, maxBytes: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    gunzip(bytes, { maxOutputLength: maxBytes }, (error: NodeJS.ErrnoException | null, text) => {
      if (!error) resolve(text);
      else reject(error.code === 'ERR_BUFFER_TOO_LARGE' ? tooLarge(url, maxBytes) : error);
    });
  });
}
