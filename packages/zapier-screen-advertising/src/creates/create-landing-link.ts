import { operations } from '@screen-advertising/core';
import { inputJsonSchema } from '@screen-advertising/core/forms';
import type { Bundle, Create, ZObject } from 'zapier-platform-core';
import { clientFor, singleRequestPolicy } from '../lib/client.ts';
import { withZapierErrors } from '../lib/errors.ts';
import { deadlineMs } from '../lib/limits.ts';
import { outputFields } from '../lib/output-fields.ts';
import { cleaned, isBlank } from '../lib/read-input.ts';
import type { Step } from '../lib/step.ts';

const operation = operations['landingLink.create'];
const { title, description } = inputJsonSchema(operation);

const step: Step = {
  label: operation.title,
  scopes: operation.scopes,
  fields: [{ key: 'fields', label: String(title), helpText: String(description), dict: true }],
};

async function createLandingLink(z: ZObject, bundle: Bundle) {
  const fields = cleaned(bundle.inputData.fields ?? {}) as Record<string, unknown>;
  return clientFor(z, bundle, singleRequestPolicy).call(operation, isBlank(fields) ? {} : fields, {
    deadlineMs,
  });
}

export default {
  key: 'create_landing_link',
  noun: 'Landing Link',
  display: { label: step.label, description: operation.description },
  operation: {
    inputFields: step.fields,
    outputFields: outputFields(operation, ['url']),
    sample: operation.sample,
    perform: withZapierErrors(createLandingLink, step),
  },
} satisfies Create;
