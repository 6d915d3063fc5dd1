import { respondToParent } from '../../lib/worker.ts';
import { Arrivals } from '../relay/arrivals.ts';

export const type = 'campaign.paid';

/** What a person fills in: for a relay, or for deliveries of the service itself. */
export type Setup =
  | { readonly relayUrl: string; readonly connectorKey: string }
  | { readonly signingSecret: string };

/** Opens a workflow or a Zap, or waits until so many events have started it. */
export type Request = { readonly open: Setup } | { readonly until: number };

/** The address that deliveries go to, or milliseconds from fired to started, for each event. */
export type Reply = string | readonly number[];

/** Each runs in a separate process. */
export const subscribers = { "n8n's engine": 'n8n.ts', "Zapier's handler": 'zapier.ts' } as const;

export type Platform = keyof typeof subscribers;

type Started = (event: Readonly<Record<string, unknown>>) => void;

/** Serves one platform, which opens a workflow or a Zap and reports each event that starts it. */
export function subscriber(open: (setup: Setup, started: Started) => Promise<string>): void {
  const arrivals = new Arrivals();
  const started: Started = ({ data }) => arrivals.add((data as { sent_at: number }).sent_at);
  respondToParent(
    async (question: Request): Promise<Reply> =>
      'open' in question ? open(question.open, started) : arrivals.take(question.until),
  );
}
