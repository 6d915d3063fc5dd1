/** The parts of a request and its response that a judge of the contract looks at. */
export interface Exchange {
  readonly method: string;
  /** As the document writes it, with its placeholders. */
  readonly template: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly requestHeaders: Readonly<Record<string, string>>;
  /** Parsed; left out when none was sent. */
  readonly requestBody?: unknown;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** What a judge found wrong with each side of an exchange. */
export interface Verdict {
  readonly onRequest: readonly string[];
  readonly onAnswer: readonly string[];
}
