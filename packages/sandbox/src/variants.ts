import { type AssumptionName, assumptions, type Variants } from '@screen-advertising/core/contract';
import { schemeOf } from './webhooks/scheme-of.ts';

const names = Object.keys(assumptions) as AssumptionName[];

/** The chosen or assumed variant of every assumption. Throws for unknown ones. */
export function resolveVariants(chosen: Partial<Variants> = {}): Variants {
  for (const [name, variant] of Object.entries(chosen)) checkVariant(name, variant);
  const assumed = names.map((name) => [name, assumptions[name].accepted[0]]);
  return { ...Object.fromEntries(assumed), ...chosen } as Variants;
}

function checkVariant(name: string, variant: unknown): void {
  if (!Object.hasOwn(assumptions, name)) {
    throw new RangeError(`Unknown variant ${name}. Known: ${names.join(', ')}.`);
  }
  if (name === 'signatureScheme') return void schemeOf(String(variant));
  const accepted: readonly unknown[] = assumptions[name as AssumptionName].accepted;
  if (accepted.includes(variant)) return;
  throw new RangeError(`variant ${name} must be one of ${accepted.join(', ')}, not ${variant}.`);
}
