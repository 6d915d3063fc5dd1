import { fileURLToPath } from 'node:url';

export const packageFolder = fileURLToPath(new URL('..', import.meta.url));

/** The variants to build, by name: the file that each starts from. */
export const variants = { private: 'src/index.ts', public: 'src/public.ts' } as const;

export type Variant = keyof typeof variants;

export const variantNames = Object.keys(variants) as Variant[];

/** The folder of a built app, from which Zapier's own commands run. */
export function appFolder(variant: Variant): string {
  return `${packageFolder}build/${variant}`;
}
