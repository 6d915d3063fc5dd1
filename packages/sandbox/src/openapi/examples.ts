import type { Operation } from '@screen-advertising/core';
import { formFields, inputJsonSchema } from '@screen-advertising/core/forms';

const lastPage = { cursor: null, has_more: false, total_count: 1 };

/** An example response of an operation, with the assumed variants. */
export function responseExample({ name, responseKind, sample }: Operation): unknown {
  if (responseKind !== 'record') return { data: [sample], pagination: lastPage };
  return name === 'user.lookup' ? { data: sample } : sample;
}

interface Described {
  readonly examples?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Described>>;
}

/** An example body of an operation, from the examples of its fields; undefined if it takes none. */
export function bodyExample(operation: Operation): unknown {
  if (operation.method !== 'POST' || operation.body === 'none') return undefined;
  const { examples, properties = {} } = inputJsonSchema(operation) as Described;
  if (examples) return examples[0];
  const inBody = formFields(operation).filter((field) => field.in === 'body');
  return Object.fromEntries(
    inBody.map(({ name, choices }) => [
      name,
      choices?.[0]?.value ?? properties[name]?.examples?.[0],
    ]),
  );
}

export const tokenExample = {
  access_token: '<ACCESS_TOKEN>',
  token_type: 'bearer',
  expires_in: 3600,
  scope: 'screens:read',
};

export const tokenRequestExample = {
  client_id: '<CLIENT_ID>',
  client_secret: '<CLIENT_SECRET>',
};
