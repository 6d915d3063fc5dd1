import { type Action, changes, prepareRecords, reads } from '../../zapier/app/actions.ts';
import { type Fault, status } from '../../zapier/app/fault.ts';
import { type Service, startService } from '../../zapier/app/service.ts';
import { readZapierError } from '../../zapier/app/zapier-error.ts';
import { messageTable } from '../message-table.ts';
import { mistakes } from './mistakes.ts';

/** Something that can happen to a step, and what its owner then reads. */
export interface Row {
  readonly step: string;
  readonly what: string;
  /** Zapier's reaction; undefined if the step does not fail. */
  readonly does: string | undefined;
  readonly message: string;
}

const page = { body: '<h1>Welcome</h1>', contentType: 'text/html' };

const faults: Readonly<Record<string, Fault>> = {
  'The service refuses the values (400)': status(400),
  'The credentials are refused (401)': status(401),
  'A scope is missing (403)': status(403),
  'The service does not find it (404)': status(404),
  'A conflict (409)': status(409),
  'The rate limit (429)': status(429, { 'retry-after': '12' }),
  'An error in the service (500)': status(500),
  'The service is overloaded (503)': status(503),
  'The connection breaks': { fault: 'reset' },
  'Another server has no such page (404)': { fault: 'status', status: 404, ...page },
  'Another server responds with a page (200)': { fault: 'status', status: 200, ...page },
  'A redirect (302)': status(302, { location: 'https://elsewhere.example/' }),
};

const doings: Readonly<Record<string, string>> = {
  AppError: 'Fails',
  HaltedError: 'Halts',
  ThrottledError: 'Reruns it later',
  ExpiredAuthError: 'Asks the owner to reconnect',
};

/** Every step's message for every fault and mistake, as Zapier shows it. */
export async function messageRows(): Promise<Row[]> {
  const service = await startService();
  // Reads are retried after a random wait, which is zero here.
  const { random } = Math;
  Math.random = () => 0;
  try {
    return await rowsOf(service);
  } finally {
    Math.random = random;
    await service.close();
  }
}

async function rowsOf(service: Service): Promise<Row[]> {
  const zapier = await service.connect();
  await prepareRecords(zapier);
  const { host } = new URL(service.baseUrl);
  const rows: Row[] = [];
  const note = async (step: string, what: string, run: Action['run']): Promise<void> => {
    const error = await run(zapier).then(() => undefined, readZapierError);
    const message = (error?.message ?? 'The search returns no record.').replaceAll(
      host,
      'service.example',
    );
    rows.push({ step, what, does: error && (doings[error.name] ?? error.name), message });
  };
  for (const { name, run } of [...changes, ...reads]) {
    for (const [what, fault] of Object.entries(faults)) {
      service.sandbox.faults.add(fault);
      await note(name, what, run);
      service.sandbox.faults.clear();
    }
  }
  for (const { step, what, run } of mistakes) await note(step, what, run);
  return rows;
}

const head = `# Zapier messages

Every message of every step, recorded from real failures (\`npx -y pnpm@12 run docs\`). [Limits and errors](limits-and-errors.md) says what to do.

*Step* stands for the name of the step, *scope* for the scopes it needs, *status* for the status of the response, and *A fault.* for what the service says.
`;

/** The guide that lists every message, as Markdown. */
export function messagesPage(rows: readonly Row[]): string {
  const { sent = [], unsent = [] } = Object.groupBy(rows, ({ what }) =>
    what in faults ? 'sent' : 'unsent',
  );
  return [
    head,
    '## When the service or the connection fails\n',
    tableOf(sent),
    '\n## When a value cannot be sent\n',
    tableOf(unsent),
    '',
  ].join('\n');
}

const tableOf = (rows: readonly Row[]): string =>
  messageTable(
    ['What happens', 'Steps', 'Zapier', 'Text'],
    rows.map(({ step, what, does = 'Continues', message }) => ({
      step,
      what,
      texts: [does, message],
    })),
  );
