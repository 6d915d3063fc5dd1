import { operations } from '@screen-advertising/core';
import type { Bundle, Search, ZObject } from 'zapier-platform-core';
import { clientFor } from '../lib/client.ts';
import { guarded } from '../lib/guarded.ts';
import { inputFields } from '../lib/input-fields.ts';
import { deadlineMs } from '../lib/limits.ts';
import { outputFields } from '../lib/output-fields.ts';
import { readInput } from '../lib/read-input.ts';
import type { Step } from '../lib/step.ts';

const operation = operations['user.lookup'];

const step: Step = {
  label: 'Find User',
  scopes: operation.scopes,
  fields: inputFields(operation),
};

async function findUser(z: ZObject, bundle: Bundle) {
  const input = readInput(operation, bundle.inputData);
  const found = await clientFor(z, bundle).call(operation, input, { deadlineMs });
  return found.exists === false ? [] : [found];
}

export default {
  key: 'find_user',
  noun: 'User',
  display: {
    label: step.label,
    description: 'Finds a user by email address or VAT number, and whether you referred them.',
  },
  operation: {
    inputFields: step.fields,
    outputFields: outputFields(operation, ['user_id']),
    sample: operation.sample,
    perform: guarded(findUser, step),
  },
} satisfies Search;
