/** Status and short label of each kind of problem; the key is the last part of its `type`. */
export type ProblemKinds<Kind extends string> = Readonly<
  Record<Kind, readonly [status: number, title: string]>
>;

export interface ProblemOptions {
  /** Default: that of the kind. */
  readonly status?: number;
  /** A `retry-after` in seconds is in the problem document, too. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Further members of the problem document. */
  readonly members?: Readonly<Record<string, string>>;
}

/** A problem document (RFC 7807). */
interface ProblemDocument {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly retry_after?: number;
}

/** A rejected request. Each server names its own kinds. */
export abstract class ProblemResponse<Kind extends string> extends Error {
  override readonly name = 'ProblemResponseError';
  readonly kind: Kind;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly problem: ProblemDocument;

  protected constructor(
    [kinds, typePrefix]: readonly [kinds: ProblemKinds<Kind>, typePrefix: string],
    kind: Kind,
    detail: string,
    options: ProblemOptions = {},
  ) {
    super(detail);
    const [usualStatus, title] = kinds[kind];
    const { status = usualStatus, headers = {}, members } = options;
    const retryAfter = headers['retry-after'] ?? '';
    this.kind = kind;
    this.status = status;
    this.headers = headers;
    this.problem = {
      type: `${typePrefix}${kind}`,
      title,
      status,
      detail,
      ...(/^\d+$/.test(retryAfter) && { retry_after: Number(retryAfter) }),
      ...members,
    };
  }

  toResponse(): Response {
    return new Response(JSON.stringify(this.problem), {
      status: this.status,
      headers: { ...this.headers, 'content-type': 'application/problem+json' },
    });
  }
}
