import { InputError, operations } from '@screen-advertising/core';
import { remedyForUnknownOutcome } from '../lib/errors.ts';
import type { ZapierOnlyField } from '../lib/fields.ts';
import { runDeadlineMs } from '../lib/limits.ts';
import { fillInOneOfMessage } from '../lib/search.ts';
import { createFromCatalogue } from '../lib/steps.ts';

const operation = operations['landingLink.create'];

/** `utm_medium` is missing: the service sets it (section 2.6). */
const utmFields: readonly ZapierOnlyField[] = [
  ['utm_campaign', 'UTM Campaign', 'spring', 'The campaign, by which reports group visits.'],
  ['utm_source', 'UTM Source', 'newsletter', 'Where the visitor comes from.'],
  ['utm_content', 'UTM Content', 'header-button', 'Which link or ad of the campaign was clicked.'],
  ['utm_term', 'UTM Term', 'digital billboards', 'Keyword of a paid search.'],
  ['utm_source_platform', 'UTM Source Platform', 'HubSpot', 'Platform that runs the campaign.'],
].map(([name = '', title = '', example = '', description = '']) => {
  return { name, title, type: 'text', required: false, in: 'body', example, description };
});

const otherFields: ZapierOnlyField = {
  name: 'fields',
  title: 'Other Fields',
  type: 'json',
  required: false,
  in: 'body',
  description:
    'Other fields of the link: names on the left, values on the right. Ask the Screen Advertising team which it takes.',
};

/** The contract does not show the fields of a landing link, so the user names any others. */
export default createFromCatalogue(operation, {
  more: [...utmFields, otherFields],
  prepare: joined,
  primary: ['url'],
  callOptions: { deadlineMs: runDeadlineMs },
  advice: {
    outcome_unknown: remedyForUnknownOutcome(
      'At worst, that creates a second link, which does no harm.',
    ),
  },
});

type Values = Readonly<Record<string, unknown>>;

function joined({ fields = {}, ...utm }: Values, label: string): Values {
  const refused = (field: string, message: string) => new InputError(label, [{ field, message }]);
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) {
    throw refused('fields', 'must be pairs of a name and a value');
  }
  const twice = Object.keys(utm).find((key) => key in fields);
  if (twice) throw refused(`fields.${twice}`, 'must be empty, because its own field is filled in');
  const all = { ...fields, ...utm };
  if (Object.keys(all).length > 0) return all;
  throw refused('', fillInOneOfMessage([...utmFields, otherFields]));
}
