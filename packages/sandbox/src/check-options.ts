import * as z from 'zod';
import { isHostName } from './http/host-guard.ts';
import type { SandboxOptions } from './options.ts';

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
  throw new RangeError(`createSandbox cannot use its options: ${faults.join('; ')}.`);
}
