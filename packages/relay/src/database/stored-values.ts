/** What a token may do. */
export type Right = 'subscribe' | 'read' | 'manage';

/** In the words of the API. */
export interface SignatureOfSource {
  readonly algorithm: string;
  readonly signed_content: string;
  readonly key: string;
}

/** What a subscriber responded to an attempt, safe to store and to show. */
export interface ResponseRecord {
  readonly status: number;
  /** Those that help to find a fault, by their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The start of the body, on one line; empty if it is binary. */
  readonly body: string;
  readonly is_binary: boolean;
  /** Whether the body is longer. */
  readonly is_cut: boolean;
}
