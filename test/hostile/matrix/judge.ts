import type { PartnerAccess } from '@screen-advertising/sandbox';
import type { Played, Player } from './describe-service.ts';
import { effectOf } from './fault.ts';
import type { Span } from './rules/policies.ts';
import { expected } from './rules/rules.ts';
import type { ServiceCell } from './service-cell.ts';
import type { ServiceWorld } from './service-world.ts';

/** What is wrong with how a cell went; nothing when it went by the rule. */
export function faultsFound(
  player: Player,
  world: ServiceWorld,
  cell: ServiceCell,
  played: Played,
): string[] {
  const rule = expected(cell);
  const ends = rule.ends === 'answer' ? 'answer' : player.words(rule.ends, cell);
  const count = (kind: ServiceCell['target']): number =>
    world.arrivals.filter(({ received }) => world.kindOf(received, cell) === kind).length;
  return [
    ...differs('ends with', played.ends, ends),
    ...(rule.mayReconnect && count('task') === Number(rule.requests) + 1
      ? []
      : differsFrom('requests', count('task'), rule.requests)),
    ...differsFrom('token requests', count('token'), rule.tokens),
    ...differs('applied', cell.task.applied(world.sandbox), rule.applied),
    ...differs('waits without a limit', world.hangs, false),
    ...overclaims(cell, played),
    ...secretsIn(played.shown, world.access),
    ...tooEarly(world, cell),
  ];
}

function differs(what: string, found: unknown, wanted: unknown): string[] {
  return found === wanted ? [] : [`${what} ${found}, not ${wanted}`];
}

function differsFrom(what: string, found: number, wanted: number | Span): string[] {
  if (typeof wanted === 'number') return differs(what, found, wanted);
  const [least, most] = wanted;
  return found >= least && found <= most ? [] : [`${found} ${what}, not ${least} to ${most}`];
}

function secretsIn(text: string, access: PartnerAccess): string[] {
  const { apiKey, clientSecret, signingSecret } = access;
  const leaked = [apiKey, clientSecret, signingSecret].filter((secret) => text.includes(secret));
  return [...leaked, ...(text.match(/sat_[\w-]{8,}/g) ?? [])].map(() => 'a secret is shown');
}

const ofTheService =
  /the service (says|reported|rejected|did not|refused)|not found|because of a conflict|lacks the scope/i;

/** A page of a proxy proves nothing of the service. */
function overclaims(cell: ServiceCell, { message = '' }: Played): string[] {
  const effect = effectOf(cell);
  const isForeign = effect.kind === 'refused' && !effect.hasProblem && cell.span === 'always';
  // A change that may have been made is looked for, and the service then speaks for itself.
  const isOwn = !isForeign || message.includes('no clear response');
  const [claim] = isOwn ? [] : (ofTheService.exec(message) ?? []);
  return claim === undefined ? [] : [`claims "${claim}": ${message}`];
}

/** After a 429 nothing may be sent before its time. */
function tooEarly(world: ServiceWorld, cell: ServiceCell): string[] {
  const effect = effectOf(cell);
  const wait = effect.kind === 'refused' ? (effect.wait ?? 0) * 1000 : 0;
  const own = world.arrivals.filter(({ received }) => world.kindOf(received, cell) === cell.target);
  return own.some((next, index) => {
    const before = own[index - 1];
    return before?.isStruck && next.at - before.at < wait;
  })
    ? ['asked again too early']
    : [];
}
