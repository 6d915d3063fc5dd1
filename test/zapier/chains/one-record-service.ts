import { createServer } from 'node:http';
import { listen } from '../../shared/support/loopback.ts';

type Fields = Readonly<Record<string, unknown>>;

interface Request {
  readonly path: string;
  readonly query: Fields;
  readonly body: Fields;
}

export type OneRecordService = Awaited<ReturnType<typeof startOneRecordService>>;

/** A service whose every response holds the same record, in the shape that the path asks for. */
export async function startOneRecordService() {
  let record: Fields = {};
  let requests: Request[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://service.example');
    const text = Buffer.concat(chunks).toString();
    const path = decodeURIComponent(pathname.replace('/api/v1', ''));
    const query = Object.fromEntries(searchParams);
    requests.push({ path, query, body: text ? JSON.parse(text) : {} });
    const isList = /^\/(screens|campaign-requests)$/.test(path);
    const answer = path.endsWith('/availability') ? { ...record, ...query } : record;
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(isList ? { data: [record], pagination: {} } : { data: answer }));
  });
  const { port, close } = await listen(server);
  return {
    baseUrl: `http://127.0.0.1:${port}/api/v1`,
    close,
    show(fields: Fields): void {
      record = fields;
    },
    /** The requests since the last call. */
    take(): Request[] {
      const taken = requests;
      requests = [];
      return taken;
    },
  };
}
