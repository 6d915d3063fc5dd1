import * as z from 'zod/mini';
import { jsonField } from './field-types.ts';
import { defineOperation, defineResource } from './operation.ts';

/** Section 2.6. The UTM parameters of `url` always hold `utm_medium=partner_api`. */
const landingLink = z
  .looseObject({
    url: z
      .string()
      .check(z.meta({ title: 'URL', description: 'The link with its UTM parameters' })),
  })
  .check(z.meta({ title: 'Landing Link' }));

/** The fields that every landing link is likely to take. */
export const utmFields = {
  utm_source: 'Where visitors come from, such as a newsletter.',
  utm_medium: 'The service always sets it to partner_api.',
  utm_campaign: 'The campaign, such as spring.',
  utm_term: 'The search term that led to the link.',
  utm_content: 'Which of several links it is, such as footer.',
  utm_id: 'ID of the campaign.',
};

/** The service sets `utm_medium` to it, whatever a request says (section 2.6). */
const ofService = 'partner_api';

type LandingLinkFields = { [Name in keyof typeof utmFields]?: string | undefined } & {
  [name: string]: unknown;
};

const resource = defineResource('Landing Link', 'Landing Links', 'Links with UTM parameters.');

const createLandingLink = defineOperation({
  name: 'landingLink.create',
  title: 'Create Landing Link',
  description: 'Creates a link to the service with UTM tracking parameters.',
  section: '4.9',
  resource,
  method: 'POST',
  path: '/landing-links',
  scopes: ['links:write'],
  successStatus: 201,
  responseShape: 'record',
  scannedField: 'url',
  recovery: 'none',
  // The request body is not shown, so the caller names the fields agreed on with the Screen
  // Advertising team.
  input: z
    .catchall(z.looseObject({}), jsonField({ title: 'Value', description: 'Value of the field.' }))
    .check(
      z.refine((fields) => !('' in fields), 'every field must have a name'),
      z.refine(({ utm_medium = ofService }: LandingLinkFields) => utm_medium === ofService, {
        path: ['utm_medium'],
        error: `must be ${ofService}, which the service always sets`,
      }),
      z.meta({
        title: 'Fields',
        description:
          'The fields of the landing link by name, such as utm_campaign. Ask the Screen Advertising team which fields it takes.',
        examples: [{ utm_campaign: 'spring' }],
        propertyNames: { minLength: 1 },
      }),
    ) as z.ZodMiniType<LandingLinkFields, LandingLinkFields>,
  output: landingLink,
  sample: { url: 'https://service.example/?utm_campaign=spring&utm_medium=partner_api' },
});

export const landingLinkOperations = {
  create: createLandingLink,
} as const;
