import { createAppHandler } from 'zapier-platform-core';
import privateApp from 'zapier-screen-advertising';
import publicApp from 'zapier-screen-advertising/public';
import { type Definition, partsOf } from '../definition-lint/definition.ts';

export const variants = { private: privateApp, public: publicApp } as const;

export type Variant = keyof typeof variants;

/**
 * The definition as Zapier stores it, functions replaced by text. Leaves out functions among the
 * output fields: only a run shows what they return.
 */
export async function definitionOf(variant: Variant): Promise<Definition> {
  const handle = createAppHandler(variants[variant]);
  const { results } = await handle({ command: 'definition', calledFromCli: true });
  const definition = results as Definition;
  for (const { operation } of partsOf(definition)) {
    const known = operation.outputFields?.filter((field) => typeof field !== 'string');
    Object.assign(operation, known && { outputFields: known });
  }
  return definition;
}

/** The errors that Zapier's schema reports, as `zapier-platform validate` prints them. */
export async function schemaErrorsOf(variant: Variant): Promise<unknown> {
  const handle = createAppHandler(variants[variant]);
  const { results } = await handle({ command: 'validate', calledFromCli: true });
  return results;
}
