import { byHand, type Noted, type SubscriptionRow } from '../audit.ts';
import { type Findings, nameOf, publicId, sinceOf, versionsOf } from '../findings.ts';
import { type Delete, type Place, type Put, types, wants } from '../history.ts';

type Both = { readonly before: SubscriptionRow; readonly after: SubscriptionRow };

/** What a row may do in its life: whatever changed it, a request or response was the reason. */
export function rowsFound(findings: Findings): readonly string[] {
  return [
    ...findings.places.flatMap((place) =>
      findings
        .changesOf(place)
        .filter(({ process }) => process !== byHand)
        .flatMap((change) => {
          const number = (change.after ?? change.before)?.generation;
          return wrongIn(findings, place, change).map(
            (text) => `${nameOf(place)}, generation ${number}: ${text}`,
          );
        }),
    ),
    ...foreignChanges(findings),
  ];
}

function wrongIn(findings: Findings, place: Place, change: Noted<SubscriptionRow>): string[] {
  const { before, after } = change;
  if (!before) {
    const isFirst = after?.generation === 1;
    return after && isFirst
      ? wrongStart(findings, after, [])
      : ['it began with another generation'];
  }
  if (!after) return before.state === 'off' ? [] : ['an active one was pruned'];
  const both = { before, after };
  const found: string[] = [];
  if (after.position < before.position) found.push(`its position fell from ${before.position}`);
  const answered = after.generation - before.generation;
  if (answered === 0) {
    if (`${after.events} ${after.since}` !== `${before.events} ${before.since}`) {
      found.push('what it wants changed without a PUT');
    }
    found.push(...wrongSwitch(findings, place, both, change.at));
  } else if (answered !== 1) {
    found.push(`it came after generation ${before.generation}`);
  } else {
    found.push(...wrongSince(both), ...wrongStart(findings, after, before.events));
  }
  return found;
}

/** A type that was wanted before keeps its since, unless it is passed. */
function wrongSince({ before, after }: Both): string[] {
  const reached = Math.min(before.skipped_from ?? before.position, before.position);
  return types.flatMap((type) => {
    if (!wants(before.events, type) || !wants(after.events, type)) return [];
    const [was, is] = [sinceOf(before, type), sinceOf(after, type)];
    return is === was || (is <= reached && was <= reached)
      ? []
      : [`${type} is wanted since ${is}, not ${was}`];
  });
}

/** A type that was not wanted before is wanted from the PUT on. */
function wrongStart(
  findings: Findings,
  { id, generation, ...row }: SubscriptionRow,
  before: readonly string[],
): string[] {
  const { history } = findings;
  const put = history.puts.find((one) => one.id === publicId(id) && one.generation === generation);
  const added = types.filter((type) => wants(row.events, type) && !wants(before, type));
  return added.flatMap((type) => {
    const since = sinceOf(row, type);
    const isEarly = history.events.some(
      ({ number, answeredAt }) =>
        put && answeredAt < put.sentAt && findings.positionOf(number) > since,
    );
    const isLate = history.events.some(
      ({ number, sentAt }) =>
        put && sentAt > put.answeredAt && findings.positionOf(number) <= since,
    );
    return [
      ...(isEarly ? [`${type} is wanted since ${since}, before its PUT`] : []),
      ...(isLate ? [`${type} is wanted since ${since}, after its PUT`] : []),
    ];
  });
}

/** Only a DELETE of this generation ends it, or a 410 to a request that was sent in it. */
function wrongSwitch(findings: Findings, place: Place, { before, after }: Both, at: number) {
  const { off_reason: reason } = after;
  if (reason === before.off_reason) return [];
  const isWrong =
    (reason === 'unsubscribed' && !isDeleted(findings, after, at)) ||
    (reason === 'gone' && !isGone(findings, place, after, at));
  return isWrong ? [`it changed from ${before.off_reason} to ${reason} without a cause`] : [];
}

function isDeleted({ history }: Findings, { id, generation }: SubscriptionRow, at: number) {
  return history.deletes.some(
    (one) => one.id === publicId(id) && one.generation === generation && one.sentAt <= at,
  );
}

function isGone(findings: Findings, place: Place, { generation }: SubscriptionRow, at: number) {
  const began = versionsOf(findings.changesOf(place)).find(
    ({ row }) => row.generation === generation,
  );
  return findings.history.arrivals.some(
    (one) =>
      one.status === 410 &&
      one.target === place.target &&
      one.at >= Math.floor(began?.from ?? 0) &&
      one.at <= at &&
      findings.placeOf(one)?.token === place.token,
  );
}

/** The transaction of a PUT changes nothing of another row, and leaves its own active, with its lease. */
function foreignChanges({ changes, audit }: Findings): readonly string[] {
  const puts = changes.filter(
    ({ before, after }) => after && after.generation !== before?.generation,
  );
  const touched = new Map<string, Set<number>>();
  const add = (transaction: string, subscription: number | undefined) => {
    if (subscription === undefined) return;
    touched.set(transaction, (touched.get(transaction) ?? new Set()).add(subscription));
  };
  for (const { transaction, before, after } of changes) add(transaction, (after ?? before)?.number);
  for (const notes of [audit.leases, audit.jobs, audit.deliveries]) {
    for (const { transaction, before, after } of notes) {
      add(transaction, (after ?? before)?.subscription_number);
    }
  }
  return puts.flatMap(({ transaction, after }) => {
    const others = [...(touched.get(transaction) ?? [])].filter((one) => one !== after?.number);
    const hasLease = audit.leases.some(
      (one) =>
        one.transaction === transaction &&
        one.after?.subscription_number === after?.number &&
        one.after?.starts === after?.starts,
    );
    const name = `PUT ${after?.generation} of row ${after?.number}`;
    return [
      ...(others.length > 0 ? [`${name} changed the rows ${others.join()}`] : []),
      ...(after?.state === 'active' && hasLease ? [] : [`${name} left it without its lease`]),
    ];
  });
}

/** What had a response was carried out before it, whole. */
export function requestsFound(findings: Findings): readonly string[] {
  const { puts, deletes } = findings.history;
  const isAnswered = ({ answeredAt }: Put | Delete) => Number.isFinite(answeredAt);
  const failed = [
    ...puts.filter((put) => isAnswered(put) && !wasPut(findings, put)),
    ...deletes.filter((one) => isAnswered(one) && !wasDeleted(findings, one)),
  ];
  return failed.map((asked) => `${nameOf(asked)}: ${JSON.stringify(asked)} had no effect`);
}

function wasPut(
  findings: Findings,
  { id, generation, events, answeredAt, ...place }: Put,
): boolean {
  return findings
    .changesOf(place)
    .some(
      ({ before, after, at }) =>
        after !== null &&
        publicId(after.id) === id &&
        after.generation === generation &&
        before?.generation !== generation &&
        at <= answeredAt + 1 &&
        types.every((type) => wants(after.events, type) === wants(events, type)),
    );
}

/** Whether it is off, was subscribed again, or is gone. */
function wasDeleted(findings: Findings, { id, generation, answeredAt, ...place }: Delete): boolean {
  return findings
    .changesOf(place)
    .some(
      ({ before, after, at }) =>
        publicId((after ?? before)?.id ?? '') === id &&
        at <= answeredAt + 1 &&
        (after === null ||
          after.generation > generation ||
          (after.generation === generation && after.off_reason === 'unsubscribed')),
    );
}

/** A process takes what another one has only once that one's time is over. */
export function leasesFound({ audit }: Findings) {
  const taken = audit.leases.filter(
    ({ before, after, process }) =>
      process !== byHand && before?.owner && after?.owner && before.owner !== after.owner,
  );
  const violations = taken.flatMap(({ before, at }) =>
    Date.parse(before?.leased_until ?? '') <= at
      ? []
      : [`the lease of row ${before?.subscription_number} was taken while another process had it`],
  );
  return { takenOver: taken.length, violations };
}
