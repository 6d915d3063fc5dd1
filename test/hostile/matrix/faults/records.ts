import { type Fault, lost } from '../fault.ts';

type Json = Record<string, unknown>;

/**
 * What only a relay gone mad sends: proper JSON whose records are none, or whose list never ends. A
 * connector may use such a response or refuse it.
 */
export interface RecordFault extends Fault {
  readonly isRecordFault: true;
  /** Milliseconds that each response takes. */
  readonly takesMs: number;
}

const long = 'x'.repeat(500_000);

export const recordFaults: readonly RecordFault[] = [
  odd('records that are none', (body) => ({
    ...body,
    data: [null, 7, 'sub_0001', [], {}, ...listOf(body)],
  })),
  odd('a list that is none', () => ({ data: {}, pagination: 7 })),
  odd('the same cursor for ever', (body) => endless(body, 'same')),
  odd('new cursors for ever', (body, nth) => endless(body, `cursor-${nth}`)),
  odd('a cursor of 500 KB', (body) => endless(body, long)),
  odd('more pages, but no cursor', (body) => endless(body, '')),
  odd('members of other kinds', (body) => each(body, (value) => (value === null ? [] : [value]))),
  odd('members that are missing', (body) => each(body, () => undefined)),
  odd('members that are null', (body) => each(body, () => null)),
  odd('texts of 500 KB', (body) => each(body, (value) => `${String(value)}${long}`)),
  odd('IDs of 500 KB', (body) => each(body, (value) => `${String(value)}${long}`, /^id$/)),
  odd('positions of 500 KB', (body) => each(body, (value) => `${value}${long}`, /^position$/)),
  odd('a subscription switched off', (body, _nth, words) => ({
    ...body,
    state: 'off',
    off_reason: words.repeat(1000),
  })),
  odd('a test that was not delivered', (body, _nth, words) => ({
    ...body,
    delivered: false,
    status: 500,
    error: words.repeat(1000),
  })),
  odd('a separate receiver', (body, _nth, words) => ({
    ...each(body, () => words, /^target_url$/),
    replaced: 'separate',
  })),
  odd('names of a prototype', (body) => ({ ...body, constructor: 7, __proto__: 7, toString: 7 })),
  odd('nesting without end', (body) => each(body, () => nested(2_000), /^data$/)),
];

function odd(name: string, change: (body: Json, nth: number, words: string) => Json): RecordFault {
  let count = 0;
  return {
    name,
    // Only says that a retry would get the same.
    effect: lost(false),
    isRecordFault: true,
    takesMs: 1_000,
    async strike(response, answer) {
      count += 1;
      const body = (await (await answer()).json()) as Json;
      const words = String(body.note ?? body.name ?? '');
      response.writeHead(200, { 'content-type': 'application/json' });
      // Not as one text, since that is searched for words to replace.
      response.end(Buffer.from(JSON.stringify(change(body, count, words))));
    },
  };
}

function listOf({ data }: Json): unknown[] {
  return Array.isArray(data) ? data : [];
}

function endless(body: Json, cursor: string): Json {
  const { pagination } = body;
  return { ...body, pagination: { ...(pagination as Json), has_more: true, cursor } };
}

/** Changes every member, or those with such a name, of a record and of those in its list. */
function each(body: Json, change: (value: unknown) => unknown, names = /./): Json {
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => {
      if (name === 'data' && Array.isArray(value)) {
        return [name, value.map((one) => each(one as Json, change, names))];
      }
      if (name === 'pagination') return [name, each(value as Json, change, /^position$/)];
      return [name, names.test(name) ? change(value) : value];
    }),
  );
}

function nested(depth: number): unknown {
  let value: unknown = 7;
  for (let level = 0; level < depth; level += 1) value = { value };
  return value;
}
