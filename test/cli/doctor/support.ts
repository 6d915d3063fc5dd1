import { createServer } from 'node:http';
import { type AssumptionName, assumptions } from '@screen-advertising/core/contract';
import { listen } from '../../shared/support/loopback.ts';
import { closeAfterTest } from '../../support/closing.ts';
import { typed } from '../command.ts';

/** What `doctor --json` prints. */
interface Printed {
  readonly base_url: string;
  readonly at: string;
  readonly checks: readonly Check[];
}

interface Check {
  readonly id: string;
  readonly state: string;
  readonly found: string;
  readonly action?: string;
}

export const clientCredentials = (baseUrl: string, clientId: string, clientSecret: string) => ({
  SCREEN_ADVERTISING_BASE_URL: baseUrl,
  SCREEN_ADVERTISING_CLIENT_ID: clientId,
  SCREEN_ADVERTISING_CLIENT_SECRET: clientSecret,
});

/** Runs doctor and reads its JSON. */
export async function doctor(env: Readonly<Record<string, string>>, ...args: string[]) {
  const { code, output, errors } = await typed(['doctor', '--json', ...args], env);
  const printed = JSON.parse(output) as Printed;
  const by = (kind: string) => printed.checks.filter(({ state }) => state === kind);
  return { code, output, errors, printed, differing: by('differs'), by };
}

/** The assumptions that doctor examines, with `--write` or without. */
export function questions(write = true): AssumptionName[] {
  return (Object.keys(assumptions) as AssumptionName[]).filter((name) =>
    (write ? ['doctor', 'doctor --write'] : ['doctor']).includes(assumptions[name].answeredBy),
  );
}

export interface Incoming {
  readonly method: string;
  /** Below the base URL. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly bearer: string | undefined;
  readonly body: Readonly<Record<string, unknown>>;
}

type Answer = readonly [status: number, body?: unknown, headers?: Record<string, string>];

/** A service on loopback. Text is sent as it is, everything else as JSON. */
export async function serve(answer: (incoming: Incoming) => Answer | undefined) {
  const requests: string[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const piece of request) text += piece;
    const { pathname, searchParams: query } = new URL(request.url ?? '', 'http://127.0.0.1');
    const { method = '', headers } = request;
    const path = pathname.replace('/api/v1', '');
    const [, bearer] = /^Bearer (.*)/.exec(headers.authorization ?? '') ?? [];
    requests.push(`${method} ${path}`);
    const reply = answer({ method, path, query, bearer, body: text ? JSON.parse(text) : {} });
    if (!reply) return;
    const [status, body = '', more = {}] = reply;
    const isText = typeof body === 'string';
    response.writeHead(status, {
      'content-type': isText ? 'text/plain' : 'application/json',
      ...more,
    });
    response.end(isText ? body : JSON.stringify(body));
  });
  const { port, close } = await listen(server);
  closeAfterTest(close);
  return { baseUrl: `http://127.0.0.1:${port}/api/v1`, requests };
}

/** Rows that lines take on a screen of 100 columns. */
export function rowsOf(lines: readonly string[]): number {
  return lines.reduce((sum, { length }) => sum + Math.max(1, Math.ceil(length / 100)), 0);
}
