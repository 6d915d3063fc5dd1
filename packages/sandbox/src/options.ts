import {
  type AssumptionName,
  type AssumptionVariants,
  assumptions,
} from '@screen-advertising/core/contract';
import {
  type SignatureScheme,
  signatureAlgorithms,
  signedContents,
  signingKeyForms,
} from '@screen-advertising/core/webhooks';
import * as z from 'zod';
import type { PartnerAccesses } from './access/access.ts';
import type { RateLimitOptions } from './access/limits.ts';
import { isHostName } from './http/guards.ts';

export interface SandboxOptions {
  /** The accesses that may call. Default: three demo accesses. */
  readonly accesses?: PartnerAccesses;
  /** The same seed generates the same data. Default: 1. */
  readonly seed?: number;
  /** Number of screens. Default: 320. */
  readonly screens?: number;
  /** The behavior of the service where the contract leaves it open. Default: the assumed variants. */
  readonly variants?: Partial<AssumptionVariants>;
  /** Whether time runs or stands still. Default: `running`. */
  readonly clock?: 'running' | 'frozen';
  /** Start of the clock: milliseconds since 1970, a date, or a timestamp. Default: now. */
  readonly startAt?: number | string | Date;
  readonly rateLimit?: RateLimitOptions;
  /** Real milliseconds to add to every request to the service. */
  readonly latencyMs?: number;
  /**
   * Additional host names, such as a tunnel's. IP addresses and private names (`localhost`,
   * `host.docker.internal`, a container's name) always work.
   */
  readonly allowHosts?: readonly string[];
  /**
   * Lets other machines open the pages and use /_sandbox under the name localhost, such as the one
   * whose port leads into this container. Default: false.
   */
  readonly allowAdmin?: boolean;
  /**
   * Keeps the state in this file. The sandbox reads an existing file at the start, and writes each
   * change before it responds. Records and time in the file override `seed`, `screens` and
   * `startAt`. Give each sandbox its own file.
   */
  readonly stateFile?: string;
  /** Called as soon as the state file cannot be written. Default: a process warning. */
  readonly warn?: (message: string) => void;
  /** Called with a line for each request to the service and each attempt to deliver an event. */
  readonly log?: (line: string) => void;
  /** Options for tests. */
  readonly internal?: InternalOptions;
}

interface InternalOptions {
  /** Real milliseconds until a delivery without a response fails. Default: 10,000. */
  readonly webhookTimeoutMs?: number;
}

/** Only options with limits. The compiler checks the types. */
const limited = z.object({
  seed: z.int().min(0).optional(),
  screens: z.int().min(0).optional(),
  allowHosts: z
    .array(z.string().refine(isHostName, 'must be a host name such as sandbox.example.com'))
    .optional(),
  latencyMs: z.int().min(0).optional(),
  rateLimit: z
    .object({
      requests: z.int().min(1).optional(),
      perMs: z.int().min(1).optional(),
      tokenRequests: z.int().min(1).optional(),
    })
    .optional(),
});

/** Throws a RangeError that names the invalid option. */
export function checkOptions(options: SandboxOptions): void {
  const result = limited.safeParse(options);
  if (result.success) return;
  const faults = result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new RangeError(`Invalid options for createSandbox: ${faults.join('; ')}.`);
}

const names = Object.keys(assumptions) as AssumptionName[];

/** The chosen or assumed variant of every assumption. Throws for unknown ones. */
export function resolveVariants(chosen: Partial<AssumptionVariants> = {}): AssumptionVariants {
  for (const [name, variant] of Object.entries(chosen)) checkVariant(name, variant);
  const assumed = names.map((name) => [name, assumptions[name].accepted[0]]);
  return { ...Object.fromEntries(assumed), ...chosen } as AssumptionVariants;
}

function checkVariant(name: string, variant: unknown): void {
  if (!Object.hasOwn(assumptions, name)) {
    throw new RangeError(`Unknown variant ${name}. Known: ${names.join(', ')}.`);
  }
  if (name === 'signatureScheme') return void signatureSchemeOf(String(variant));
  const accepted: readonly unknown[] = assumptions[name as AssumptionName].accepted;
  if (accepted.includes(variant)) return;
  throw new RangeError(`variant ${name} must be one of ${accepted.join(', ')}, not ${variant}.`);
}

/** `{t}\n{body}` is `t-newline-body`, so that a shell takes every word as it is. */
const contents = new Map(
  signedContents.map((content) => [
    content.replace(/[{}]/g, '').replace('\n', '-newline-'),
    content,
  ]),
);

/** The scheme that a variant names, such as `sha512,body,hex`. Throws a RangeError. */
export function signatureSchemeOf(variant: string): SignatureScheme {
  const words = variant.split(',');
  const kinds = [signatureAlgorithms, [...contents.keys()], signingKeyForms].map((known) =>
    words.filter((word) => known.some((name) => name === word)),
  );
  if (kinds.flat().length < words.length || kinds.some(({ length }) => length > 1)) {
    throw new RangeError(
      `variant signatureScheme must be at most one of ${signatureAlgorithms.join(', ')}, of ${[...contents.keys()].join(', ')}, and of ${signingKeyForms.join(', ')}, joined with commas, such as sha512,body,hex; not ${variant}.`,
    );
  }
  const [[algorithm] = [], [content = ''] = [], [key] = []] = kinds;
  return { algorithm, signedContent: contents.get(content), key } as SignatureScheme;
}
