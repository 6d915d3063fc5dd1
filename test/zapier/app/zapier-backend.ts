import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { SandboxOptions } from '@screen-advertising/sandbox';
import { listen } from '../../shared/support/loopback.ts';
import { started } from './use-service.ts';
import { type Service, startService, type ZapierRunner } from './zapier.ts';

interface Call {
  readonly id: string;
  readonly method: string;
  readonly params: readonly unknown[];
}

export type ZapierBackend = Awaited<ReturnType<typeof startZapierBackend>>;

/**
 * The two things that the app asks of Zapier's own servers while it runs: to keep the cursor of a
 * dropdown from one page to the next, and to store a file. The test closes it.
 */
async function startZapierBackend() {
  // Signs what Zapier stores with a file until a step needs it.
  process.env.ZAPIER_DEPLOY_KEY = 'of-this-test';
  const uploads: File[] = [];
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
    const body = await buffer(request);
    if (request.url === '/files/') {
      const headers = { 'content-type': request.headers['content-type'] ?? '' };
      const form = await new Response(body, { headers }).formData();
      uploads.push(form.get('file') as File);
      response.writeHead(204).end();
      return;
    }
    const { id, method, params } = JSON.parse(body.toString()) as Call;
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ id, result: answers[method]?.(...params) ?? null }));
  });
  const { port, close } = await listen(server);
  url = `http://127.0.0.1:${port}`;

  return {
    /** Members of the event that point the app here. */
    event: { rpc_base: `${url}/rpc` },
    /** The files that the app passed to Zapier. */
    uploads: uploads as readonly File[],
    close: () => {
      delete process.env.ZAPIER_DEPLOY_KEY;
      return close();
    },
  };
}

interface Backed {
  readonly service: Service;
  readonly backend: ZapierBackend;
  /** A connection of this kind to the sandbox, with Zapier's servers behind it. */
  readonly zapier: ZapierRunner;
}

/** A sandbox and Zapier's own servers for the tests of a file. */
export function useBackend(options?: SandboxOptions): () => Backed {
  return started(
    async () => {
      const service = await startService(options);
      const backend = await startZapierBackend();
      const zapier = await service.connect({ event: backend.event, kind: 'client credentials' });
      return { service, backend, zapier };
    },
    async ({ service, backend }) => {
      await backend.close();
      await service.close();
    },
  );
}
