import type { Accesses } from './access.ts';

/** Throws a RangeError when the accesses could not be told apart by what they call with. */
export function checkAccesses(accesses: Accesses): Accesses {
  for (const field of ['id', 'apiKey', 'clientId'] as const) {
    const values = new Set(accesses.map((access) => access[field]));
    if (values.size < accesses.length || values.has('')) {
      throw new RangeError(`accesses: every access needs an ${field} of its own.`);
    }
  }
  for (const { id, apiKey, signingSecret } of accesses) {
    if (!apiKey.startsWith('svc_')) {
      throw new RangeError(`accesses: the apiKey of ${id} must start with svc_.`);
    }
    if (signingSecret === '') {
      throw new RangeError(`accesses: the signingSecret of ${id} is empty.`);
    }
  }
  return accesses;
}
