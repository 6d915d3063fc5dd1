import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Call {
  readonly id: string;
  readonly method: string;
  readonly params: readonly unknown[];
}

/**
 * The two things that the app asks of Zapier's own servers while it runs: to keep the cursor of a
 * dropdown from one page to the next, and to store a file. The test closes it.
 */
export async function startZapierBackend() {
  const uploads: string[] = [];
  let cursor: string | null = null;
  let url = '';

  const answers: Record<string, (...params: readonly unknown[]) => unknown> = {
    get_cursor: () => cursor,
    set_cursor: (value) => {
      cursor = String(value);
      return null;
    },
    get_presigned_upload_post_data: () => ({ url: `${url}/files/`, fields: { key: 'file-1' } }),
  };

  const server = createServer(async (request, response) => {
    const body = await textOf(request);
    if (request.url === '/files/') {
      uploads.push(body);
      response.writeHead(204).end();
      return;
    }
    const { id, method, params } = JSON.parse(body) as Call;
    respond(response, { id, result: answers[method]?.(...params) ?? null });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    /** Members of the event that point the app here. */
    event: { rpc_base: `${url}/rpc` },
    /** Bodies of the uploads, as received. */
    uploads: uploads as readonly string[],
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function respond(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
