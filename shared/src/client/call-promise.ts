import type * as z from 'zod/mini';
import { noCallerLeftReason, onAbort } from '../abort.ts';
import type { Operation, Page, Pagination } from '../catalogue/operation.ts';
import { ConfigurationError, ResponseError } from '../errors/error-classes.ts';
import { noteFailedCall } from '../errors/screen-advertising-error.ts';
import type { CallOptions, CallResult, SendCall } from './run.ts';

/** What a promise's own `catch` takes, so that a callback may name the type of its error. */
type Reason = Parameters<NonNullable<Parameters<Promise<unknown>['catch']>[0]>>[0];

/** The result of a call that is under way. Await it, or `withResponse()`. */
export class CallPromise<Data> implements Promise<Data> {
  readonly [Symbol.toStringTag] = 'Promise';
  readonly #start: () => Promise<CallResult<Data>>;
  #result: Promise<CallResult<Data>> | undefined;

  constructor(start: () => Promise<CallResult<Data>>, isDeferred = false) {
    this.#start = start;
    if (!isDeferred) this.#result = start();
  }

  /** Resolves with the result, its status and headers, and the number of attempts. */
  withResponse(): Promise<CallResult<Data>> {
    this.#result ??= this.#start();
    return this.#result;
  }

  /** As a promise's own. */
  // biome-ignore lint/suspicious/noThenProperty: it is a promise.
  then<Value = Data, Failure = never>(
    onData?: ((data: Data) => Value | PromiseLike<Value>) | null,
    onError?: ((reason: Reason) => Failure | PromiseLike<Failure>) | null,
  ): Promise<Value | Failure> {
    return this.withResponse()
      .then(({ data }) => data)
      .then(onData, onError);
  }

  /** As a promise's own. */
  catch<Failure = never>(
    onError?: ((reason: Reason) => Failure | PromiseLike<Failure>) | null,
  ): Promise<Data | Failure> {
    return this.then(undefined, onError);
  }

  /** As a promise's own. */
  finally(onEnd?: (() => void) | null): Promise<Data> {
    return this.then().finally(onEnd);
  }
}

/**
 * A list. Await it for one page. Iterate over it for all records, in the largest pages:
 * `for await (const screen of client.screens.list({ city })) …`, or await `all()` for one array of
 * them. Iterate over `pages()` for one page after the other. Nothing is requested before that, and the first page once, however often the list is used.
 */
export class PagePromise<Item> extends CallPromise<Page<Item>> implements AsyncIterable<Item> {
  readonly #iterate: () => AsyncGenerator<Item, void, undefined>;
  readonly #pages: () => AsyncGenerator<Page<Item>, void, undefined>;

  constructor(
    start: () => Promise<CallResult<Page<Item>>>,
    iterate: () => AsyncGenerator<Item, void, undefined>,
    pages: () => AsyncGenerator<Page<Item>, void, undefined>,
  ) {
    super(start, true);
    this.#iterate = iterate;
    this.#pages = pages;
  }

  /** Iterates over the pages, each requested when it is reached, of the size that the input asks for. */
  pages(): AsyncGenerator<Page<Item>, void, undefined> {
    return this.#pages();
  }

  [Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    return this.#iterate();
  }

  /** Resolves with all records in one array. Rejects if one page fails, as a loop does. */
  async all(): Promise<Item[]> {
    const records: Item[] = [];
    for await (const record of this) records.push(record);
    return records;
  }
}

type Fields = Readonly<Record<string, unknown>>;

type FirstPage = Promise<CallResult<Page<unknown>>>;

/** Requests one page of a list. */
type PageRequest = (input: Fields, isFirst: boolean) => Promise<CallResult<unknown>>;

/**
 * A list that is requested at its first use, which also decides how long its pages are: as long as
 * possible for a loop.
 */
export function createPagePromise(
  run: SendCall,
  operation: Operation,
  input: unknown,
  options: CallOptions | undefined,
): PagePromise<unknown> {
  let fields = input;
  let result: FirstPage | undefined;
  // All pages share one deadline.
  let endsAt: number | undefined;
  const first = () => {
    if (!result) {
      endsAt = run.endOf(options);
      result = run(operation, fields, options, endsAt) as FirstPage;
    }
    return result;
  };
  const pagesWith = (all: CallOptions | undefined) =>
    iteratePages(operation, fields, (one, isFirst) =>
      isFirst ? first() : run(operation, one, all, endsAt),
    );
  return new PagePromise(
    first,
    () => {
      if (!result) fields = inLargestPages(operation, input);
      return records((signal) => pagesWith({ ...options, signal }), options?.signal);
    },
    () => pagesWith(options),
  );
}

/**
 * Iterates over the pages of a list, each fetched on demand. Ends when `has_more` is false (section
 * 2.3) or, if it is missing, when there is no new cursor. Rejects with ResponseError when the
 * service reports more but sends no new cursor, or no records: ending there would make the list look
 * complete.
 */
export async function* iteratePages<Op extends Operation>(
  operation: Op,
  input: unknown,
  request: PageRequest,
): AsyncGenerator<Page<z.output<Op['output']>>, void, undefined> {
  if (operation.responseShape === 'record') throw hasNoPages(operation);
  const filters = (input ?? {}) as Fields;
  const used = new Set([filters.cursor]);
  let emptyPages = 0;
  let next: Fields | undefined = filters;
  while (next) {
    const result = await request(next, next === filters);
    const page = result.data as Page<z.output<Op['output']>>;
    yield page;
    const cursor = nextCursor(page.pagination);
    const isNew = cursor !== undefined && !used.has(cursor);
    emptyPages = page.data.length === 0 ? emptyPages + 1 : 0;
    if (isNew && emptyPages === maxEmptyPages) {
      throw incomplete(operation, `the service sends ${maxEmptyPages} pages without a record`);
    }
    if (!isNew && page.pagination.has_more === true) {
      throw incomplete(operation, 'the service says there is more, but sends no new cursor');
    }
    next = isNew ? { ...filters, cursor } : undefined;
    used.add(cursor);
  }
}

/** The next cursor; undefined at the end. The format of cursors is not shown: a number is fine. */
export function nextCursor({ cursor, has_more }: Pagination): string | undefined {
  const isEnd = has_more === false || cursor == null || String(cursor) === '';
  return isEnd ? undefined : String(cursor);
}

/** In a row. Filters may leave some pages empty, but no list may last forever. */
const maxEmptyPages = 100;

function incomplete(operation: Operation, why: string): ResponseError {
  const remedy = 'Report this to the Screen Advertising team.';
  const failure = { title: operation.title, remedy, status: 200 };
  const error = new ResponseError(`is incomplete: ${why}`, failure);
  noteFailedCall(error, { operation: operation.name, attempts: undefined });
  return error;
}

function hasNoPages({ title }: Operation): ConfigurationError {
  const remedy = 'Use call, or an operation that lists records.';
  return new ConfigurationError('operation', `${title} returns one record`, remedy);
}

function inLargestPages({ largestPage }: Operation, input: unknown): Fields {
  const filters = (input ?? {}) as Fields;
  return largestPage ? { ...filters, limit: filters.limit ?? largestPage } : filters;
}

/**
 * A reader that reaches the second page probably wants the rest. From there on, the next page is
 * fetched while the current one is read, and canceled when the reader stops.
 */
async function* records(
  pagesUntil: (signal: AbortSignal) => ReturnType<typeof iteratePages>,
  caller: AbortSignal | undefined,
): AsyncGenerator<unknown, void, undefined> {
  const stopped = new AbortController();
  const leave = onAbort(caller, () => stopped.abort(caller?.reason));
  const source = pagesUntil(stopped.signal);
  try {
    let { value: page } = await source.next();
    let ahead: ReturnType<typeof source.next> | undefined;
    while (page) {
      // Delegating to the list with yield* would cost several promises per record.
      for (const record of page.data) yield record;
      ({ value: page } = await (ahead ?? source.next()));
      ahead = source.next();
      // The reader gets the error on reaching this page, and never sees it otherwise.
      ahead.catch(() => undefined);
    }
  } finally {
    leave();
    stopped.abort(noCallerLeftReason);
  }
}
