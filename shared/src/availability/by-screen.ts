import { compare } from './compare.ts';

/** Sorts what belongs to screens by their identifiers. */
export function byScreen(
  one: { readonly screen: { readonly id: string } },
  other: { readonly screen: { readonly id: string } },
): number {
  return compare(String(one.screen.id), String(other.screen.id));
}
