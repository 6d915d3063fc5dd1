import { operations } from '@screen-advertising/core';
import { formText } from '@screen-advertising/core/forms';
import type { Bundle, Create, ZObject } from 'zapier-platform-core';
import { clientFor, singleRequestPolicy } from '../lib/client.ts';
import { deadlineMs } from '../lib/limits.ts';
import { outputFields } from '../lib/output-fields.ts';
import { qrCodeOf } from '../lib/qr-code.ts';
import { cleaned, isBlank } from '../lib/read-input.ts';
import { defineStep } from '../lib/step.ts';

const operation = operations['landingLink.create'];
const { title, description } = formText(operation);

const qrCode = qrCodeOf(operation);

const step = {
  label: operation.title,
  scopes: operation.scopes,
  fields: [
    { key: 'fields', label: title, helpText: description, dict: true },
    ...qrCode.inputFields,
  ],
};

async function createLandingLink(z: ZObject, bundle: Bundle) {
  const fields = cleaned(bundle.inputData.fields ?? {}) as Record<string, unknown>;
  const client = qrCode.draw(clientFor(z, bundle, singleRequestPolicy), z, bundle);
  return client.call(operation, isBlank(fields) ? {} : fields, {
    deadlineMs,
  });
}

export default defineStep(step, {
  key: 'create_landing_link',
  noun: 'Landing Link',
  description: operation.description,
  outputFields: [...outputFields(operation, ['url']), ...qrCode.outputFields],
  sample: operation.sample,
  perform: createLandingLink,
}) satisfies Create;
