import { formsOf, type Html, select } from '@screen-advertising/server-kit/pages';
import type { ActionName } from '../actions.ts';
import { product } from '../product.ts';
import type { View } from '../view.ts';

export const { actionForm, actionButton } = formsOf<ActionName>(product, true);

/** Selects the access that an action is about. Left empty, the sandbox chooses it. */
export function accessSelect({ sandbox }: View, id: string, anyLabel?: string): Html {
  const accesses = sandbox.accesses.map((access) => [access.id, access.id] as const);
  const options = anyLabel ? [['', anyLabel] as const, ...accesses] : accesses;
  return select({ name: 'access', label: 'Access', id, options });
}
