import * as z from 'zod/mini';
import { json, type KnownFields } from './field-types.ts';
import { operation, resourceOf } from './operation.ts';

/** Section 2.6. The UTM parameters of `url` always hold `utm_medium=partner_api`. */
export const landingLink = z
  .looseObject({
    /** The link with its UTM parameters. */
    url: z
      .string()
      .check(z.meta({ title: 'URL', description: 'The link with its UTM parameters' })),
  })
  .check(z.meta({ title: 'Landing Link' }));

/** A landing link as the service sends it (section 2.6). */
export interface LandingLink extends KnownFields<typeof landingLink> {}

const resource = resourceOf('Landing Link', 'Landing Links', 'Links with UTM parameters.');

const createLandingLink = operation({
  name: 'landingLink.create',
  title: 'Create Landing Link',
  description: 'Creates a link to the service with UTM tracking parameters.',
  section: '4.9',
  resource,
  method: 'POST',
  path: '/landing-links',
  scopes: ['links:write'],
  successStatus: 201,
  responseKind: 'record',
  scannedField: 'url',
  recovery: 'none',
  // The request body is not shown, so the caller names the fields agreed on with the Screen
  // Advertising team.
  input: z
    .record(
      z.string().check(z.minLength(1)),
      json({ title: 'Value', description: 'Value of the field.' }),
    )
    .check(
      z.meta({
        title: 'Fields',
        description:
          'The fields of the landing link by name, such as utm_campaign. Ask the Screen Advertising team which fields it takes.',
        examples: [{ utm_campaign: 'spring' }],
      }),
    ),
  output: landingLink as z.ZodMiniType<LandingLink>,
  sample: { url: 'https://service.example/?utm_campaign=spring&utm_medium=partner_api' },
});

export const landingLinks = {
  /**
   * Creates a link to the service with UTM tracking parameters. Section 4.9; scope `links:write`.
   */
  create: createLandingLink,
} as const;
