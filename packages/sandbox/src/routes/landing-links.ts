import { timestamp } from '../context.ts';
import type { Routes } from './route.ts';

export const landingPath = '/landing';

export const landingLinkRoutes = {
  /** Fields whose names start with utm_ become parameters; callers cannot set `utm_medium`. */
  'landingLink.create'({ context, access, input, origin }) {
    const url = new URL(landingPath, origin);
    url.searchParams.set('utm_source', access.id);
    for (const [name, value] of Object.entries(input)) {
      if (name.startsWith('utm_')) url.searchParams.set(name, written(value));
    }
    url.searchParams.set('utm_medium', 'partner_api');
    const link = {
      id: context.store.nextId('lnk'),
      url: url.toString(),
      created_at: timestamp(context),
    };
    return Response.json(link, { status: 201 });
  },
} satisfies Partial<Routes>;

function written(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
