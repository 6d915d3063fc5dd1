import { createSandbox } from '@screen-advertising/sandbox';

type Inspector = ReturnType<typeof openInspector>;

export const inspectorPaths = [
  '/',
  '/inspector/screens',
  '/inspector/coupons',
  '/inspector/users',
  '/inspector/campaign-requests',
  '/inspector/events',
  '/inspector/journal',
  '/inspector/faults',
];

/** The inspector of a new sandbox with a frozen clock, without a socket. */
export function openInspector() {
  const sandbox = createSandbox({ screens: 40, clock: 'frozen', startAt: '2027-03-01T09:00:00Z' });
  const get = (path: string) => sandbox.fetch(`http://127.0.0.1${path}`);
  return {
    sandbox,
    get,
    html: async (path: string) => (await get(path)).text(),
    /** Submits a form of the page, like a browser without the script. */
    submit: (action: string, fields: Readonly<Record<string, string>> = {}) =>
      sandbox.fetch(`http://127.0.0.1/inspector/actions/${action}`, {
        method: 'POST',
        body: new URLSearchParams({ from: '/', ...fields }),
      }),
  };
}

/** The page's notice of the last action, without markup. */
export async function noticeIn(response: Response): Promise<string> {
  const html = await response.text();
  return html.match(/<p class="notice \w+">([^<]*)<\/p>/)?.[1] ?? '';
}

/** Creates a coupon through the interface, like a partner. */
export async function createCoupon(
  { sandbox }: Inspector,
  fields: Readonly<Record<string, unknown>>,
): Promise<void> {
  const answer = await sandbox.fetch('http://127.0.0.1/api/v1/coupons', {
    method: 'POST',
    headers: {
      authorization: `Bearer ${sandbox.accesses[0].apiKey}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ discount_type: 'percent', discount_value: 10, ...fields }),
  });
  if (answer.status !== 201) throw new Error(await answer.text());
}
