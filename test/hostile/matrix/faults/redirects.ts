import type { Fault } from './fault.ts';

/** Where the redirects lead: nothing may ever ask there. */
const elsewhere = '/elsewhere/api/v1/screens';

export const redirects: readonly Fault[] = [
  redirect('redirect to another host', 302, 'https://elsewhere.example/api/v1/screens'),
  redirect('redirect to http', 301, 'http://elsewhere.example/api/v1/screens'),
  redirect('redirect that keeps the method', 307, elsewhere),
  redirect('redirect for good', 308, elsewhere),
  redirect('redirect to a result', 303, elsewhere),
  redirect('redirect without a place', 302, undefined),
];

function redirect(name: string, status: number, location: string | undefined): Fault {
  return {
    name,
    effect: { kind: 'redirect', status },
    strike: async (response) => {
      response.writeHead(status, location === undefined ? {} : { location }).end();
    },
  };
}
