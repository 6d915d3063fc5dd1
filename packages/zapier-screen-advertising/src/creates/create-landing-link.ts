import { inputJsonSchema, operations } from '@screen-advertising/core';
import type { Bundle, Create, ZObject } from 'zapier-platform-core';
import { clientFor } from '../lib/client.ts';
import { guarded } from '../lib/guarded.ts';
import { deadlineMs } from '../lib/limits.ts';
import { outputFields } from '../lib/output-fields.ts';
import { isEmpty } from '../lib/read-input.ts';
import { landingLink } from '../samples/landing-link.ts';

const operation = operations['landingLink.create'];
const { title, description } = inputJsonSchema(operation);

async function createLandingLink(z: ZObject, bundle: Bundle) {
  const fields = Object.entries(bundle.inputData.fields ?? {});
  const input = Object.fromEntries(fields.filter(([, value]) => !isEmpty(value)));
  return clientFor(z, bundle).call(operation, input, { deadlineMs });
}

export default {
  key: 'create_landing_link',
  noun: 'Landing Link',
  display: { label: operation.title, description: operation.description },
  operation: {
    inputFields: [
      { key: 'fields', label: String(title), helpText: String(description), dict: true },
    ],
    outputFields: outputFields(operation, ['url']),
    sample: landingLink,
    perform: guarded(createLandingLink),
  },
} satisfies Create;
