import type { Operation } from '@screen-advertising/core';
import type { Access } from '../accesses/access.ts';
import { Refusal } from '../http/refusal.ts';

/** Throws a 403 when the access has none of the scopes that the operation takes (section 4). */
export function checkScope(access: Access, { scopes }: Operation): void {
  if (scopes.some((scope) => access.scopes.includes(scope))) return;
  const needed = scopes.join(' or ');
  throw new Refusal(
    403,
    'missing-scope',
    `This access lacks the scope ${needed}. The administration grants scopes.`,
    {
      headers: {
        'www-authenticate': `Bearer error="insufficient_scope", scope="${scopes.join(' ')}"`,
      },
    },
  );
}
