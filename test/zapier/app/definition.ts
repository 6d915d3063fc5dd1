import { createAppHandler } from 'zapier-platform-core';
import privateApp from 'zapier-screen-advertising';
import publicApp from 'zapier-screen-advertising/public';
import {
  type Definition,
  type InputField,
  type Kind,
  partsOf,
} from '../definition-lint/definition.ts';

const variants = { private: privateApp, public: publicApp } as const;

export type Variant = keyof typeof variants;

/**
 * The definition as Zapier stores it, functions replaced by text. Leaves out functions among the
 * output fields: only a run shows what they return.
 */
export async function definitionOf(variant: Variant): Promise<Definition> {
  const handle = createAppHandler(variants[variant]);
  const { results } = await handle({ command: 'definition', calledFromCli: true });
  const definition = results as Definition;
  for (const { kind, key, operation } of partsOf(definition)) {
    const known = operation.outputFields?.filter((field) => typeof field !== 'string');
    const { inputFields = [] } = (variants[variant] as unknown as App)[kind][key]?.operation ?? {};
    const chosenFields = chosenFieldsOf(inputFields);
    Object.assign(operation, known && { outputFields: known }, { chosenFields });
  }
  return definition;
}

/** The app before Zapier replaces its functions. */
type App = Readonly<Record<Kind, Readonly<Record<string, FormPart>>>>;
type FieldFunction = (z: undefined, bundle: object) => InputField[] | Promise<InputField[]>;
type FormPart = {
  readonly operation: { readonly inputFields?: readonly (InputField | FieldFunction)[] };
};

/** The fields that the choices of a form add to it. */
function chosenFieldsOf(inputFields: readonly (InputField | FieldFunction)[]): InputField[] {
  const forms = inputFields.flatMap((field) =>
    typeof field === 'object' && field.altersDynamicFields === true
      ? ((field.choices ?? []) as { value: string }[]).map(({ value }) => ({ [field.key]: value }))
      : [],
  );
  const chosen = inputFields.flatMap((field) =>
    typeof field === 'function'
      ? forms.flatMap((inputData) => {
          const shown = field(undefined, { inputData });
          // A promise is for what only the service knows.
          return shown instanceof Promise ? [] : shown;
        })
      : [],
  );
  return [...new Map(chosen.map((field) => [field.key, field])).values()];
}

/** The errors that Zapier's schema reports, as `zapier-platform validate` prints them. */
export async function schemaErrorsOf(variant: Variant): Promise<unknown> {
  const handle = createAppHandler(variants[variant]);
  const { results } = await handle({ command: 'validate', calledFromCli: true });
  return results;
}
