import type { ScriptedResponse, ScriptedService, Step } from '../support/scripted-service.ts';
import { page } from '../support/steps.ts';

/** What the scripted service reports about a screen; `status` makes its availability an error. */
export interface ScriptedScreen {
  readonly id: string;
  readonly share?: unknown;
  readonly perDay?: unknown;
  readonly status?: number | undefined;
  /** `latitude` and `longitude` as the service sends them. */
  readonly place?: Readonly<Record<string, unknown>>;
}

export const period = { from: '2027-03-01', to: '2027-03-10' };

/** Lists the screens on pages of this size, and serves the availability of each. */
export function offer(
  service: ScriptedService,
  screens: readonly ScriptedScreen[],
  pageSize = 200,
): void {
  const pages = Array.from({ length: Math.max(1, Math.ceil(screens.length / pageSize)) }, (_, at) =>
    page(
      screens
        .slice(at * pageSize, (at + 1) * pageSize)
        .map(({ id, place }) => ({ id, name: `At ${id}`, ...place })),
      `page-${at + 1}`,
      (at + 1) * pageSize < screens.length,
    ),
  );
  service.on('GET /screens', ...pages);
  for (const screen of screens) service.on(availabilityRoute(screen.id), responseOf(screen));
}

export const availabilityRoute = (id: string): string => `GET /screens/${id}/availability`;

export function responseOf({ id, share, perDay, status }: ScriptedScreen): ScriptedResponse {
  if (status !== undefined) {
    return { status, body: { type: 'about:blank', title: 'Title', status, detail: 'A fault.' } };
  }
  const body = { screen_id: id, ...period, available_sov_pct: share, price_per_day_cents: perDay };
  return { body };
}

/** Sends the response of the given step, this much later on the clock. */
export function later(
  answer: ScriptedResponse,
  sleep: () => Promise<void>,
  onWaiting: (waiting: number) => void = () => undefined,
): Step {
  return (response, service) => {
    service.hold(response);
    onWaiting(service.held);
    sleep().then(() => service.release(response, answer));
  };
}
