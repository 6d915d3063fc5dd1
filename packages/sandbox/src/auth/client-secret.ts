import { accessOf, type PartnerAccess } from '../accesses/access.ts';
import type { SandboxContext } from '../context.ts';

const counterOf = (id: string) => `client-secret ${id}`;

/**
 * The access with the client secret that the token endpoint accepts now. Only the number of
 * rotations is stored, so a snapshot contains no secret.
 */
export function withPresentSecret(
  { store }: Pick<SandboxContext, 'store'>,
  access: PartnerAccess,
): PartnerAccess {
  const rotations = store.lastNumber(counterOf(access.id));
  if (rotations === 0) return access;
  return { ...access, clientSecret: `${access.clientSecret}-${rotations + 1}` };
}

/** Gives the access a new client secret. Access tokens that were issued before stay valid. */
export function rotateClientSecret(context: SandboxContext, id: string): PartnerAccess {
  const access = accessOf(context.accesses, id);
  context.store.nextNumber(counterOf(id));
  context.changed();
  return withPresentSecret(context, access);
}
