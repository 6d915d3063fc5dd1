import type { JobRow, Noted } from '../audit.ts';
import { type Findings, nameOf, noticeMs, sinceOf, versionsOf } from '../findings.ts';
import { type Arrival, type Place, wants } from '../history.ts';

interface Attempted extends Place {
  readonly arrival: Arrival;
  readonly type: string;
  readonly event: number;
  readonly position: number;
}

/** Every attempt is of an event that its row wants, or that a job covers, while the row is on. */
export function attemptsFound(findings: Findings) {
  const attempted: Attempted[] = [];
  const violations: string[] = [];
  let inherited = 0;
  for (const arrival of findings.history.arrivals) {
    const place = findings.placeOf(arrival);
    const { type, data } = JSON.parse(arrival.body);
    if (!place) {
      violations.push(`event ${data.number} was signed with no key of the model`);
      continue;
    }
    const event: number = data.number;
    const one = { ...place, arrival, type, event, position: findings.positionOf(event) };
    attempted.push(one);
    const why = coverOf(findings, one);
    if (why === 'a job') inherited += 1;
    if (why === undefined) {
      violations.push(`${nameOf(place)}: event ${event} (${type}) was attempted, and not wanted`);
    }
  }
  const duplicates = duplicatesFound(findings, attempted);
  return {
    figures: {
      attempts: attempted.length,
      accepted: attempted.filter(({ arrival }) => arrival.status === 200).length,
      inherited,
      ...duplicates.figures,
    },
    violations: [...violations, ...duplicates.violations],
  };
}

function coverOf(findings: Findings, one: Attempted): 'its position' | 'a job' | undefined {
  const versions = desiredIn(findings, one).filter(
    ({ row, from, until }) =>
      row.state === 'active' &&
      from <= one.arrival.at + 1 &&
      one.arrival.at <= noticedAt(findings, until),
  );
  if (versions.some(({ isDesired }) => isDesired)) return 'its position';
  const isAsked = versions.some(({ row }) =>
    findings.audit.jobs.some(
      (job) =>
        job.before === null &&
        job.after?.subscription_number === row.number &&
        job.at <= one.arrival.at + 1 &&
        isOfJob(findings, job, one),
    ),
  );
  return isAsked ? 'a job' : undefined;
}

/** An event that came after its type's since stays wanted until its type is given up. */
function desiredIn(findings: Findings, { type, position, ...place }: Attempted) {
  let known: number | undefined;
  let isDesired = false;
  return versionsOf(findings.changesOf(place)).map((version) => {
    const { row } = version;
    const isSame = isDesired && known === row.number && wants(row.events, type);
    isDesired = isSame || position > sinceOf(row, type);
    known = row.number;
    return { ...version, isDesired };
  });
}

/** A process that is paused notices a change later. */
function noticedAt({ history }: Findings, changedAt: number): number {
  const paused = history.absences.filter(
    ({ kind, from, until }) =>
      kind === 'paused' && from < changedAt + noticeMs && until > changedAt,
  );
  return Math.max(changedAt, ...paused.map(({ until }) => until)) + noticeMs;
}

function isOfJob({ audit }: Findings, { after: job }: Noted<JobRow>, one: Attempted): boolean {
  if (!job || one.position <= job.position || one.position > job.until) return false;
  const isRead = wants(job.events, one.type) && one.position > sinceOf(job, one.type);
  const isDelivery = audit.deliveries.some(
    ({ after }) => after?.subscription_number === job.of_number && after.position === one.position,
  );
  if (job.kind === 'missing') return isRead;
  if (job.kind === 'of') return isRead || (isDelivery && wants(job.events, one.type));
  return isDelivery;
}

/**
 * A row accepts an event once, and again for each redelivery. Beyond that, the same `webhook-id`
 * arrives again for one of four reasons. A process took the row's lease from one that was killed or
 * paused. One could not write the result, and claimed the row again once its lease expired. The row was
 * pruned in between. The relay got no response in time.
 */
function duplicatesFound(findings: Findings, attempted: readonly Attempted[]) {
  const accepted = attempted.filter(({ arrival }) => arrival.status === 200);
  const byId = Map.groupBy(
    accepted,
    ({ token, target, arrival }) => `${token} ${target} ${arrival.webhookId}`,
  );
  const found = { taken: 0, unwritten: 0, pruned: 0, timedOut: 0 };
  const violations: string[] = [];
  for (const all of byId.values()) {
    all.sort((one, other) => one.arrival.at - other.arrival.at);
    for (const [nth, one] of all.slice(1).entries()) {
      const why = whyAgain(findings, all[nth] as Attempted, one);
      if (why) found[why] += 1;
      else violations.push(`${nameOf(one)}: event ${one.event} was accepted again`);
    }
  }
  return {
    figures: {
      againAfterTakeover: found.taken,
      againUnwritten: found.unwritten,
      againAfterPrune: found.pruned,
      againAfterTimeout: found.timedOut,
    },
    violations: [...violations, ...recordedTwice(findings)],
  };
}

/** Before the first one arrived, its process may have been killed. */
const reachMs = 1_000;

function whyAgain(findings: Findings, first: Attempted, second: Attempted) {
  const isBetween = ({ at }: { readonly at: number }) =>
    at >= first.arrival.at - reachMs && at <= second.arrival.at + 1;
  const changes = findings.changesOf(first);
  if (changes.some((change) => change.after === null && isBetween(change))) return 'pruned';
  const numbers = new Set(changes.map(({ before, after }) => (after ?? before)?.number));
  // A process that has written all results releases the lease first.
  const claims = findings.audit.leases.filter(
    (change) =>
      numbers.has(change.after?.subscription_number) &&
      change.before?.owner &&
      change.after?.owner &&
      change.before.served_at !== change.after.served_at &&
      isBetween(change),
  );
  if (claims.some(({ before, after }) => before?.owner !== after?.owner)) return 'taken';
  if (claims.length > 0) return 'unwritten';
  const position = findings.positionOf(first.event);
  const hasTimedOut = findings.attempts.some(
    (one) => one.hasTimedOut && numbers.has(one.subscription) && one.position === position,
  );
  return hasTimedOut ? 'timedOut' : undefined;
}

/** What the relay recorded as accepted, it does not send again, whatever was killed. */
function recordedTwice({ attempts, audit }: Findings): readonly string[] {
  const counts = Map.groupBy(
    attempts.filter(({ status }) => status === 200),
    ({ subscription, position }) => `${subscription} ${position}`,
  );
  return [...counts].flatMap(([key, all]) => {
    const redeliveries = audit.deliveries.filter(
      ({ before, after }) =>
        before !== null &&
        after !== null &&
        `${after.subscription_number} ${after.position}` === key &&
        after.replays > before.replays,
    );
    return all.length > 1 + redeliveries.length
      ? [`row and position ${key} were recorded as accepted ${all.length} times`]
      : [];
  });
}
