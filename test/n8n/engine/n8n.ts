import { loadOnce } from '../../support/load-once.ts';

type Loaded = typeof import('./load-n8n.ts');

export const {
  n8nWorkflow,
  n8nCore,
  n8nClock,
  n8nContainer,
  n8nLogger,
  n8nSettings,
  n8nSsrfBridge,
  n8nSsrfProtection,
} = loadOnce<Loaded>('../n8n/engine/load-n8n.ts');

/** n8n's contexts match their interfaces, except that optional properties may be undefined. */
export function asDeclared<Declared>(context: unknown): Declared {
  return context as Declared;
}
