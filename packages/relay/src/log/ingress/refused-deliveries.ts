import { WebhookVerificationError } from '@screen-advertising/core';
import { signatureHeaderName } from '@screen-advertising/core/webhooks';
import { sql } from 'kysely';
import { ProblemResponseError } from '../../base/http.ts';
import type { RelayContext } from '../../context.ts';
import type { IngressSource, IngressSources } from './ingress-sources.ts';
import { RateBound } from './rate-bound.ts';
import { isVerified } from './verified-deliveries.ts';

/** For each source. */
const maxKept = 20;
/** A flood of forged requests loads neither the database nor the processor. */
const maxNotesPerSecond = 5;
const maxHeaders = 40;
const maxHeaderName = 60;

interface Refused {
  readonly request: Request;
  /** Undefined if it was too large to read. */
  readonly body: Uint8Array | undefined;
  readonly error: unknown;
}

/**
 * Keeps what helps to understand why deliveries of a source were refused: never a body, a value of a
 * header, or a secret.
 */
export class RefusedDeliveries {
  readonly #context: RelayContext;
  readonly #sources: IngressSources;
  readonly #bound = new RateBound(maxNotesPerSecond);

  constructor(context: RelayContext, sources: IngressSources) {
    this.#context = context;
    this.#sources = sources;
  }

  async note(source: IngressSource, { request, body, error }: Refused): Promise<void> {
    const { db, clock, report } = this.#context;
    const now = clock.now();
    const reason = reasonOf(error);
    if (reason === undefined || !this.#bound.allows(source.number, now)) return;
    const signature = request.headers.get(signatureHeaderName) ?? undefined;
    const [, seconds] = /(?:^|,)\s*t=(\d{1,12})(?:,|$)/.exec(signature ?? '') ?? [];
    const headers = [...request.headers.keys()].slice(0, maxHeaders);
    const fitsSource =
      reason === 'signature_mismatch' && body
        ? await this.#sourceThatSigned(source, body, signature)
        : null;
    const bytes = body?.length ?? (Number(request.headers.get('content-length')) || null);
    await sql`
      WITH old AS (
        DELETE FROM refusal WHERE ctid IN (
          SELECT ctid FROM refusal WHERE source_number = ${source.number}
          ORDER BY at DESC OFFSET ${maxKept - 1}
        )
      )
      INSERT INTO refusal (source_number, at, reason, bytes, headers, is_readable, age_seconds, fits_source)
      VALUES (${source.number}, ${new Date(now)}, ${reason}, ${bytes},
        ${headers.map((name) => name.slice(0, maxHeaderName))},
        ${!['missing_signature', 'malformed_signature'].includes(reason)},
        ${seconds === undefined ? null : Math.floor(now / 1000) - Number(seconds)}, ${fitsSource})`
      .execute(db)
      // The service retries whatever the relay notes.
      .catch(report);
  }

  async #sourceThatSigned(
    source: IngressSource,
    body: Uint8Array,
    signature: string | undefined,
  ): Promise<string | null> {
    const others = await this.#sources.othersThan(source);
    const now = () => this.#context.clock.now();
    const found = others.find(({ secrets }) => isVerified({ body, signature, secrets, now }));
    return found?.name ?? null;
  }
}

/** Undefined if the delivery was not at fault, such as when the database is away. */
function reasonOf(error: unknown): string | undefined {
  if (error instanceof WebhookVerificationError) return error.reason;
  if (!(error instanceof ProblemResponseError)) return undefined;
  if (error.kind === 'body-too-large') return 'too_large';
  return error.kind === 'malformed-body' ? 'malformed_body' : undefined;
}
