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
    if (!isCovered(findings, one)) {
      violations.push(`${nameOf(place)}: event ${event} (${type}) was attempted, and not wanted`);
    }
  }
  return [...violations, ...duplicatesFound(findings, attempted), ...recordedTwice(findings)];
}

/** By the position of its row, or by a job. */
function isCovered(findings: Findings, one: Attempted): boolean {
  const versions = desiredIn(findings, one).filter(
    ({ row, from, until }) =>
      row.state === 'active' &&
      from <= one.arrival.at + 1 &&
      one.arrival.at <= noticedAt(findings, until),
  );
  return versions.some(
    ({ row, isDesired }) =>
      isDesired ||
      findings.audit.jobs.some(
        (job) =>
          job.before === null &&
          job.after?.subscription_number === row.number &&
          job.at <= one.arrival.at + 1 &&
          isOfJob(findings, job, one),
      ),
  );
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
  const paused = history.pauses.filter(
    ({ from, until }) => from < changedAt + noticeMs && until > changedAt,
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
  return [...byId.values()].flatMap((all) => {
    all.sort((one, other) => one.arrival.at - other.arrival.at);
    return all
      .slice(1)
      .filter((one, nth) => !mayComeAgain(findings, all[nth] as Attempted, one))
      .map((one) => `${nameOf(one)}: event ${one.event} was accepted again`);
  });
}

/** Before the first one arrived, its process may have been killed. */
const reachMs = 1_000;

function mayComeAgain(findings: Findings, first: Attempted, second: Attempted): boolean {
  const isBetween = ({ at }: { readonly at: number }) =>
    at >= first.arrival.at - reachMs && at <= second.arrival.at + 1;
  const changes = findings.changesOf(first);
  if (changes.some((change) => change.after === null && isBetween(change))) return true;
  const numbers = new Set(changes.map(({ before, after }) => (after ?? before)?.number));
  // A process that has written all results releases the lease first.
  const isClaimed = findings.audit.leases.some(
    (change) =>
      numbers.has(change.after?.subscription_number) &&
      change.before?.owner &&
      change.after?.owner &&
      change.before.served_at !== change.after.served_at &&
      isBetween(change),
  );
  const position = findings.positionOf(first.event);
  return (
    isClaimed ||
    findings.attempts.some(
      (one) => one.hasTimedOut && numbers.has(one.subscription) && one.position === position,
    )
  );
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
