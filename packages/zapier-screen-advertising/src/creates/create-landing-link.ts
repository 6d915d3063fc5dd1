import { InputError, operations } from '@screen-advertising/core';
import type { Bundle, PlainInputField } from 'zapier-platform-core';
import { atLeastOneOf, cleaned, isBlank } from '../lib/fields/read-input.ts';
import { deadlineMs } from '../lib/limits.ts';
import { createFromCatalogue } from '../lib/steps/from-catalogue.ts';

const operation = operations['landingLink.create'];

/** `utm_medium` is missing: the service sets it (section 2.6). */
const utmFields: readonly PlainInputField[] = [
  ['utm_campaign', 'UTM Campaign', 'spring', 'The campaign, by which reports group visits.'],
  ['utm_source', 'UTM Source', 'newsletter', 'Where the visitor comes from.'],
  ['utm_content', 'UTM Content', 'header-button', 'Which link or ad of the campaign was clicked.'],
  ['utm_term', 'UTM Term', 'digital billboards', 'Keyword of a paid search.'],
  ['utm_source_platform', 'UTM Source Platform', 'HubSpot', 'Platform that runs the campaign.'],
].map(([key = '', label = '', placeholder = '', helpText = '']) => {
  return { key, label, type: 'string', required: false, placeholder, helpText };
});

const otherFields: PlainInputField = {
  key: 'fields',
  label: 'Other Fields',
  helpText:
    'Other fields of the link: names on the left, values on the right. Ask the Screen Advertising team which it takes.',
  dict: true,
};

/** The contract does not show the fields of a landing link, so the user names any others. */
export default createFromCatalogue(operation, {
  moreFields: [...utmFields, otherFields],
  read: readFields,
  primary: ['url'],
  callOptions: { deadlineMs },
  advice: {
    outcome_unknown: ({ retryAfter }) =>
      retryAfter === undefined
        ? 'Replay the step: at worst, that creates a second link, which does no harm.'
        : `Wait ${Math.ceil(retryAfter)} s: Zapier retries the step automatically. At worst, that creates a second link, which does no harm.`,
  },
});

function readFields({ inputData }: Bundle, label: string): Record<string, unknown> {
  const refused = (field: string, message: string) => new InputError(label, [{ field, message }]);
  const utm = Object.fromEntries(
    utmFields
      .map(({ key }) => [key, String(cleaned(inputData[key]) ?? '')] as const)
      .filter(([, value]) => value !== ''),
  );
  const others = cleaned(inputData.fields) ?? {};
  const isNamed = typeof others === 'object' && !Array.isArray(others);
  if (!isNamed && !isBlank(others)) {
    throw refused('fields', 'must be pairs of a name and a value');
  }
  const fields = isNamed ? others : {};
  const twice = Object.keys(utm).find((key) => key in fields);
  if (twice) throw refused(`fields.${twice}`, 'must be empty, because its own field is filled in');
  if (!isBlank({ ...fields, ...utm })) return { ...fields, ...utm };
  throw refused('', atLeastOneOf([...utmFields, otherFields]));
}
