import type { Sandbox } from '../../sandbox.ts';

/** Something a form does to the sandbox. */
export interface Action {
  /** Said once it is done. */
  readonly done: string;
  /** Throws a Refusal whose text tells what is wrong with the form. */
  run(sandbox: Sandbox, form: URLSearchParams): unknown;
}

/** The text of a field, undefined when it was left empty. */
export function given(form: URLSearchParams, name: string): string | undefined {
  return form.get(name)?.trim() || undefined;
}
