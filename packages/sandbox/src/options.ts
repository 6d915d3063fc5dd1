import type { Variants } from '@screen-advertising/core/contract';
import * as z from 'zod';
import type { Accesses } from './accesses/access.ts';
import { isHostName } from './http/host-guard.ts';
import type { RateLimitOptions } from './limits/limits.ts';

export interface SandboxOptions {
  /** Who may call; three accesses for demonstration unless told. */
  readonly accesses?: Accesses;
  /** The same number gives the same data; 1 unless told. */
  readonly seed?: number;
  /** How many screens there are; 320 unless told. */
  readonly screens?: number;
  /** What the service does where the contract leaves it open; the assumed variant unless told. */
  readonly variants?: Partial<Variants>;
  /** Whether time goes on by itself; `running` unless told. */
  readonly clock?: 'running' | 'frozen';
  /** Where the clock starts: milliseconds since 1970, a date, or a timestamp; now unless told. */
  readonly startAt?: number | string | Date;
  readonly rateLimit?: RateLimitOptions;
  /** Real milliseconds that every call of the service takes longer. */
  readonly latencyMs?: number;
  /** Real milliseconds after which a delivery without an answer has failed; 10,000 unless told. */
  readonly webhookTimeoutMs?: number;
  /**
   * Further names that the service answers to, such as that of a tunnel. Addresses and private names
   * (`localhost`, `host.docker.internal`, a container's name) need none.
   */
  readonly allowHosts?: readonly string[];
  /**
   * Keeps the state in this file: read at the start when it is there, and on disk before a change
   * is answered. The records and the time of a file that is there win over `seed`, `screens` and
   * `startAt`. A file has one sandbox at a time.
   */
  readonly stateFile?: string;
  /** Told at once when the state file cannot be written; a warning of the process unless given. */
  readonly warn?: (message: string) => void;
}

/** Only what has limits: an option of another type is the compiler's to find. */
const limited = z.object({
  seed: z.int().min(0).optional(),
  screens: z.int().min(0).optional(),
  allowHosts: z
    .array(z.string().refine(isHostName, 'must be a host name such as sandbox.example.com'))
    .optional(),
  latencyMs: z.int().min(0).optional(),
  webhookTimeoutMs: z.int().min(1).optional(),
  rateLimit: z
    .object({
      requests: z.int().min(1).optional(),
      perMs: z.int().min(1).optional(),
      tokenRequests: z.int().min(1).optional(),
    })
    .optional(),
});

/** Throws a RangeError that names the option at fault. */
export function checkOptions(options: SandboxOptions): void {
  const result = limited.safeParse(options);
  if (result.success) return;
  const faults = result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new RangeError(`Invalid options for createSandbox: ${faults.join('; ')}.`);
}
