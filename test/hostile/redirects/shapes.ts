import { tier } from '../../support/tier.ts';

/** How one redirect leads away from the base URL. */
export interface Shape {
  readonly status: number;
  /** How the address is written, or the way to it. */
  readonly form: Form;
  readonly target: Target;
}

type Form = (typeof forms)[number];
type Target = keyof typeof targets;

export const statuses = [301, 302, 303, 307, 308];

export const forms = [
  'plain',
  'in upper case',
  'without its scheme',
  'with a name and a password',
  'with a query and a fragment',
  'with backslashes',
  'by another path of the base URL',
  'there and back again',
] as const;

const host = 'localhost';

/** Where a redirect leads, seen from `http://localhost` with the first port. */
export const targets = {
  'another port': ([, port]: Ports) => `http://${host}:${port}`,
  'another name of the host': ([port]: Ports) => `http://127.0.0.1:${port}`,
  'a subdomain': ([port]: Ports) => `http://sub.${host}:${port}`,
  'another scheme': ([port]: Ports) => `https://${host}:${port}`,
  'another scheme and port': ([, port]: Ports) => `https://${host}:${port}`,
  'a subdomain with another scheme': ([port]: Ports) => `https://sub.${host}:${port}`,
} as const;

/** Both speak http and https, whatever the name of the host. */
export type Ports = readonly [own: number, other: number];

/** All shapes nightly; for every change each form to each target; everyday a few. */
export function shapes(): Shape[] {
  if (tier === 'everyday') return fewShapes();
  const all = allShapes();
  return tier === 'nightly' ? all : all.filter(isInSample);
}

/** With each form and target, the statuses take turns. */
function isInSample({ status, form, target }: Shape): boolean {
  const turn = forms.indexOf(form) + targetNames.indexOf(target);
  return status === statuses[turn % statuses.length];
}

function allShapes(): Shape[] {
  return statuses.flatMap((status) =>
    forms.flatMap((form) => targetNames.map((target) => ({ status, form, target }))),
  );
}

/** Each status, form and target at least once. */
function fewShapes(): Shape[] {
  return forms.flatMap((form, nth) => {
    const status = statuses[nth % statuses.length] ?? 302;
    return targetNames
      .filter((_target, at) => (at + nth) % 4 === 0)
      .map((target) => ({ status, form, target }));
  });
}

const targetNames = Object.keys(targets) as Target[];

/** What the header Location says. */
export function locationOf({ form, target }: Shape, ports: Ports): string {
  const origin = targets[target](ports);
  switch (form) {
    case 'in upper case':
      return `${origin.toUpperCase()}/file`;
    case 'without its scheme':
      return `${origin.replace(/^\w+:/, '')}/file`;
    case 'with a name and a password':
      return `${origin.replace('//', '//name:password@')}/file`;
    case 'with a query and a fragment':
      return `${origin}/file?from=http://${host}:${ports[0]}/api/v1/#/api/v1/`;
    case 'with backslashes':
      return `${origin.replace('//', '\\\\')}\\file`;
    case 'by another path of the base URL':
      return '/api/v1/hop';
    case 'there and back again':
      return `${origin}/back`;
    default:
      return `${origin}/file`;
  }
}
