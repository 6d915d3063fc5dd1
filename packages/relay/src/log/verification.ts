import { verifySignature, WebhookVerificationError } from '@screen-advertising/core';
import { signatureHeaderName } from '@screen-advertising/core/webhooks';
import { type Selectable, sql } from 'kysely';
import { shortQueryTimeout } from '../base/database.ts';
import { ProblemResponseError } from '../base/http.ts';
import { RateLimit } from '../base/rate-limit.ts';
import { decryptSecrets } from '../base/secrets.ts';
import { type SourceSignature, signatureText } from '../base/stored-values.ts';
import type { SourceTable } from '../base/tables.ts';
import type { RelayContext } from './context.ts';

interface IngressSource extends Selectable<SourceTable> {
  /** The current one, and the previous one while it is still valid. */
  readonly secrets: readonly string[];
}

/** How long this process may miss a rotation by another one. */
const freshForMs = 1_000;
/** A relay has one for each access. With more, not every secret is tried for a refused delivery. */
const maxOthers = 20;

/**
 * Sources with decrypted secrets. Reads all of them at most once a second, so that requests to
 * addresses that do not exist cost no query each.
 */
export class IngressSources {
  readonly #context: RelayContext;
  #known:
    | { readonly at: number; readonly sources: Promise<Map<string, IngressSource>> }
    | undefined;

  constructor(context: RelayContext) {
    this.#context = context;
  }

  async find(name: string): Promise<IngressSource | undefined> {
    return (await this.#all()).get(name);
  }

  async othersThan(source: IngressSource): Promise<readonly IngressSource[]> {
    const all = [...(await this.#all()).values()];
    return all.filter(({ number }) => number !== source.number).slice(0, maxOthers);
  }

  #all(): Promise<Map<string, IngressSource>> {
    const now = this.#context.clock.now();
    if (!this.#known || Math.abs(now - this.#known.at) >= freshForMs) {
      const sources = this.#read();
      this.#known = { at: now, sources };
      // The next request reads them.
      sources.catch(() => {
        if (this.#known?.sources === sources) this.#known = undefined;
      });
    }
    return this.#known.sources;
  }

  async #read(): Promise<Map<string, IngressSource>> {
    const { rows } = await this.#context.pool.query<Selectable<SourceTable>>({
      ...{ text: 'SELECT * FROM source ORDER BY number', ...shortQueryTimeout },
    });
    return new Map(
      rows.map((row) => [
        row.name,
        { ...row, secrets: decryptSecrets(this.#context, row, 'source') },
      ]),
    );
  }
}

interface Delivery {
  readonly body: Uint8Array;
  readonly signature: string | undefined;
}

/**
 * Verifies deliveries, and notes which secret of a source was used last and how the service signs. Only
 * a change is written, so that a delivery usually costs nothing.
 */
export class VerifiedDeliveries {
  readonly #context: RelayContext;
  readonly #limit = new RateLimit<number>(maxNotesPerSecond, 1_000);

  constructor(context: RelayContext) {
    this.#context = context;
  }

  /** Throws WebhookVerificationError. */
  async verify(source: IngressSource, { body, signature }: Delivery): Promise<void> {
    const now = () => this.#context.clock.now();
    const { secrets } = source;
    const scheme = verifySignature({ body, signature, secrets, now });
    const only = { body, signature, secrets: secrets.slice(0, 1), now, scheme };
    const isCurrent = secrets.length === 1 || isVerified(only);
    await this.#note(source, isCurrent, {
      algorithm: scheme.algorithm,
      signed_content: scheme.signedContent,
      key: scheme.key,
    });
  }

  async #note(source: IngressSource, isCurrent: boolean, scheme: SourceSignature): Promise<void> {
    const { clock, db, observer } = this.#context;
    const [own, other] = isCurrent
      ? (['verified_at', 'previous_verified_at'] as const)
      : (['previous_verified_at', 'verified_at'] as const);
    const [ownAt, otherAt] = [Number(source[own]), Number(source[other])];
    const isNewScheme = signatureText(source.scheme) !== signatureText(scheme);
    if (ownAt > otherAt && !isNewScheme) return;
    if (this.#limit.count(source.number, clock.now()) > 0) return;
    const change = {
      [own]: new Date(Math.max(clock.now(), otherAt + 1)),
      ...(isNewScheme && { scheme, scheme_since: new Date(clock.now()) }),
    };
    await db
      .updateTable('source')
      .set(change)
      .where('number', '=', source.number)
      // A rotation meanwhile has moved the secrets.
      .where('secret', '=', source.secret)
      .execute();
    if (isNewScheme) {
      observer.signedAnew({
        source: source.name,
        from: signatureText(source.scheme),
        to: signatureText(scheme),
      });
    }
    Object.assign(source, change);
  }
}

/** Whether one of these secrets signed the delivery. */
function isVerified(delivery: Parameters<typeof verifySignature>[0]): boolean {
  try {
    verifySignature(delivery);
    return true;
  } catch {
    return false;
  }
}

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
  readonly #limit = new RateLimit<number>(maxNotesPerSecond, 1_000);

  constructor(context: RelayContext, sources: IngressSources) {
    this.#context = context;
    this.#sources = sources;
  }

  async note(source: IngressSource, { request, body, error }: Refused): Promise<void> {
    const { db, clock, report } = this.#context;
    const now = clock.now();
    const reason = reasonOf(error);
    if (reason === undefined || this.#limit.count(source.number, now) > 0) return;
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
