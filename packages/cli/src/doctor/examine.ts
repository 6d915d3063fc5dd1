import type { Auth } from '@screen-advertising/core';
import { type Assumption, assumptions } from '@screen-advertising/core/contract';
import { outsideText } from '@screen-advertising/core/platform';
import { accessChecks } from './about-access.ts';
import { campaignRequestChecks } from './about-campaign-requests.ts';
import { errorChecks } from './about-errors.ts';
import { recordChecks } from './about-records.ts';
import { screenChecks } from './about-screens.ts';
import { actions } from './actions.ts';
import { type Finding, notSeen, Stop } from './finding.ts';
import { secretsOf, whyNotReached } from './reach.ts';
import { Service, type ServiceOptions } from './service.ts';
import { type DoctorOptions, writeChecks } from './with-write.ts';

/** The assumptions about which this command can find out something. */
type CheckId = {
  [Name in keyof typeof assumptions]: (typeof assumptions)[Name]['answeredBy'] extends `doctor${string}`
    ? Name
    : never;
}[keyof typeof assumptions];

/** Looks at the service. May reject with a `Stop`, or the error of a request without a response. */
type Check = (service: Service, options: DoctorOptions) => Promise<Finding>;

const usualActions: Readonly<Partial<Record<CheckId, string>>> = actions;

const checks: Readonly<Record<CheckId, Check>> = {
  ...accessChecks,
  ...recordChecks,
  ...screenChecks,
  ...campaignRequestChecks,
  ...writeChecks,
  ...errorChecks,
};

/** One assumption, and what was seen of it. */
export interface Result extends Finding, Pick<Assumption, 'question' | 'section' | 'assumed'> {
  readonly id: CheckId;
}

export interface Examination {
  readonly checks: readonly Result[];
  readonly requests: number;
  /** Why the service could not be reached or refused the credentials, in a sentence. */
  readonly failure: string | undefined;
}

/** Runs every check against the service. */
export async function examine(
  { auth, ...reach }: ServiceOptions & { readonly auth: Auth },
  options: DoctorOptions,
): Promise<Examination> {
  const service = new Service(reach);
  const failure = await whyNotReached(service, auth).catch(messageOf);
  const secrets = [...secretsOf(auth), service.bearer, options.email ?? '', options.code ?? ''];
  const results: Result[] = [];
  for (const [id, check] of Object.entries(checks) as [CheckId, Check][]) {
    const finding = failure
      ? notSeen('The service was not reached')
      : await check(service, options).catch(findingOf);
    const { question, section, assumed } = assumptions[id];
    const found = outsideText(finding.found, { secrets });
    const { action = usualActions[id] ?? 'What needs it fails. Report it.' } = finding;
    const remedy = finding.state === 'differs' && { action };
    results.push({ id, question, section, assumed, ...finding, found, ...remedy });
  }
  return { checks: results, requests: service.requests, failure };
}

function findingOf(error: unknown): Finding {
  return error instanceof Stop ? error.finding : notSeen(messageOf(error).replace(/\.$/, ''));
}

function messageOf(error: unknown): string {
  const { message } = error as Error;
  return error instanceof Stop ? `${message}.` : message;
}
