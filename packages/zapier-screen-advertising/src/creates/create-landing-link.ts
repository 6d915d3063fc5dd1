import { operations } from '@screen-advertising/core';
import { formText } from '@screen-advertising/core/forms';
import { createFromCatalogue } from '../lib/from-catalogue.ts';
import { deadlineMs } from '../lib/limits.ts';
import { cleaned, isBlank } from '../lib/read-input.ts';

const operation = operations['landingLink.create'];
const { title, description } = formText(operation);

/** The contract does not show the fields of a landing link, so the user names them. */
export default createFromCatalogue(operation, {
  moreFields: [{ key: 'fields', label: title, helpText: description, dict: true }],
  read({ inputData }) {
    const fields = cleaned(inputData.fields ?? {}) as Record<string, unknown>;
    return isBlank(fields) ? {} : fields;
  },
  primary: ['url'],
  callOptions: { deadlineMs },
});
