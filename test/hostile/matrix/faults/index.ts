import { bodies } from './bodies.ts';
import { connections } from './connections.ts';
import type { Fault } from './fault.ts';
import { limits } from './limits.ts';
import { redirects } from './redirects.ts';
import { statuses } from './statuses.ts';

export const faults: readonly Fault[] = [
  ...connections,
  ...bodies,
  ...redirects,
  ...statuses,
  ...limits,
];
