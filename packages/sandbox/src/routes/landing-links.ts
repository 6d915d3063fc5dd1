import { operations } from '@screen-advertising/core';
import { timestamp } from '../context.ts';
import { route } from './route.ts';

export const landingPath = '/landing';

/** Fields whose names start with utm_ become parameters; callers cannot set `utm_medium`. */
export const createLandingLink = route({
  operation: operations['landingLink.create'],
  handle({ context, access, input, origin }) {
    const url = new URL(landingPath, origin);
    url.searchParams.set('utm_source', access.id);
    for (const [name, value] of Object.entries(input)) {
      if (name.startsWith('utm_')) url.searchParams.set(name, written(value));
    }
    url.searchParams.set('utm_medium', 'partner_api');
    return {
      status: 201,
      body: {
        id: context.store.nextId('lnk'),
        url: url.toString(),
        created_at: timestamp(context),
      },
    };
  },
});

function written(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
