import type { Agent, ClientRequest, IncomingMessage } from 'node:http';
import { unzipSync } from 'node:zlib';
import type { TransportResponse } from '@screen-advertising/core';

/** What `z.request` drops: the head of a response whose body it cannot read, and each 401. */
export interface Watched {
  head?: Omit<TransportResponse, 'body'>;
  /** The text of a 401. Never rejects. */
  refusal?: Promise<string>;
}

/** How Node.js hands a request to an agent. */
type Adding = { addRequest(request: ClientRequest, ...more: unknown[]): void };

/** The agent, which also notes what arrives. */
export function watching(agent: Agent, watched: Watched): Agent {
  const addRequest: Adding['addRequest'] = (request, ...more) => {
    request.once('response', (response) => {
      watched.head = headOf(response);
      if (watched.head.status === 401) watched.refusal = textOf(response);
    });
    (agent as Agent & Adding).addRequest(request, ...more);
  };
  return Object.assign(Object.create(agent) as Agent, { addRequest });
}

function headOf({ statusCode = 0, headersDistinct }: IncomingMessage): Required<Watched>['head'] {
  const headers = Object.entries(headersDistinct);
  return {
    status: statusCode,
    headers: Object.fromEntries(headers.map(([name, values = []]) => [name, values.join(', ')])),
  };
}

/** Bytes. A body that is not read otherwise stops arriving after as many. */
const maxBytes = 16 * 1024;

/** Listens to a body beside Zapier's core. Empty for one that is too large or breaks off. */
async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  const isWhole = await new Promise<boolean>((resolve) => {
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= maxBytes) resolve(false);
    });
    response.on('end', () => resolve(true));
    response.on('close', () => resolve(false));
  });
  return isWhole ? unpacked(Buffer.concat(chunks), response.headers['content-encoding']) : '';
}

/** Zapier's core accepts gzip and deflate. */
function unpacked(bytes: Buffer, encoding: string | undefined): string {
  try {
    return String(encoding ? unzipSync(bytes, { maxOutputLength: 64 * maxBytes }) : bytes);
  } catch {
    return '';
  }
}
