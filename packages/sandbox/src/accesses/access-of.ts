import type { SandboxContext } from '../context.ts';
import { Refusal } from '../http/refusal.ts';
import type { Access } from './access.ts';

/** The access of this id; the first one when none is named. */
export function accessOf({ accesses }: Pick<SandboxContext, 'accesses'>, id?: string): Access {
  const access = id === undefined ? accesses[0] : accesses.find((other) => other.id === id);
  if (access) return access;
  const known = accesses.map((other) => other.id).join(', ');
  throw new Refusal(400, 'invalid-parameter', `access ${id} is not known; there are ${known}.`);
}
