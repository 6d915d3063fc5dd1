import type { Page } from '../catalogue/page.ts';

/** A result with its response. */
export interface CallResult<Data> {
  /** The record, or the page of a list. */
  readonly data: Data;
  /** HTTP status, such as 200. */
  readonly status: number;
  /** Lower-case names; a header sent several times is joined with `, `. */
  readonly headers: Readonly<Record<string, string>>;
  /** Requests that the call sent for its operation, including retries. */
  readonly attempts: number;
}

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
