import {
  type Auth,
  type ErrorCode,
  nodeTransport,
  ScreenAdvertisingError,
} from '@screen-advertising/core';
import { type Assumption, assumptions } from '@screen-advertising/core/contract';
import {
  accessVariables,
  parseBaseUrl,
  readAccess,
  safeOutsideText,
} from '@screen-advertising/core/platform';
import type { Command } from 'commander';
import { checkFailedExitCode, exitCodeOf } from '../exit-code.ts';
import { accessFromProfile } from '../profile.ts';
import type { Terminal } from '../program.ts';
import {
  accessChecks,
  adviceByAssumption,
  campaignRequestChecks,
  type DoctorOptions,
  errorChecks,
  isEveryReadRefused,
  randomCouponCode,
  recordChecks,
  screenChecks,
  writeChecks,
} from './checks.ts';
import {
  CheckEndedEarly,
  type Finding,
  isSuccessStatus,
  membersOf,
  notSeenFinding,
  type RawResponse,
  recordListIn,
  ServiceProbe,
  type ServiceProbeOptions,
} from './service.ts';

const address = `set ${accessVariables.baseUrl} to the address that the Screen Advertising team gave you, which ends in /api/v1.`;

function secretsOf(auth: Auth): readonly string[] {
  if (auth.kind === 'api-key') return [auth.key];
  return auth.kind === 'client-credentials' ? [auth.clientId, auth.clientSecret] : [];
}

/**
 * Gets a token if needed, and sends a first request. Returns an error that says what to do if the
 * service cannot be reached or refuses the credentials.
 */
async function whyNotReached(service: ServiceProbe, auth: Auth): Promise<Error | undefined> {
  const secrets = secretsOf(auth);
  if (auth.kind === 'api-key') service.bearer = auth.key;
  if (auth.kind === 'client-credentials') {
    const token = await service.requestToken(auth.clientId, auth.clientSecret);
    const { access_token } = membersOf(token.json);
    if (isSuccessStatus(token) && typeof access_token === 'string') {
      service.token = token;
      service.bearer = access_token;
    } else {
      const isOwn = token.status >= 400 && token.status < 500 && isFromService(token);
      return isOwn ? refused('client ID or client secret', token, secrets) : elsewhere(token);
    }
  }
  const first = await service.get('screen.list', { limit: 200 });
  const isList = !isSuccessStatus(first) || recordListIn(first) !== undefined;
  if (!isFromService(first) || !isList) return elsewhere(first);
  if (!(await isEveryReadRefused(service))) return undefined;
  return refused(service.token ? 'access token' : 'API key', first, secrets);
}

/** Whether the response can be one of the service to a path that exists. */
function isFromService(reply: RawResponse): boolean {
  const { status, json } = reply;
  return typeof json === 'object' && status !== 404 && status < 500 && !isRelay(reply);
}

function isRelay({ json }: RawResponse): boolean {
  return String(membersOf(json).type).startsWith('urn:screen-advertising:relay:');
}

function refused(what: string, { status, json }: RawResponse, secrets: readonly string[]): Error {
  const { detail } = membersOf(json);
  const words =
    typeof detail === 'string' ? safeOutsideText(detail, { secrets, maxLength: 200 }) : '';
  const said = words && ` The service says: "${words}"`;
  return failed(
    'authentication_failed',
    `The service refused the ${what} (${status}): check that it is complete, belongs to this base URL, and has not been revoked.${said}`,
  );
}

function elsewhere(reply: RawResponse): Error {
  const code = reply.status >= 500 ? 'service_error' : 'invalid_configuration';
  return failed(code, whereTo(reply));
}

function whereTo(reply: RawResponse): string {
  const { status, headers, body } = reply;
  const { location = '' } = headers;
  if (isRelay(reply)) return `The base URL leads to a relay, not to the service: ${address}`;
  if (status >= 500) {
    return `The service, or something in front of it, reported an error (${status}): run doctor again in a few minutes, and report it to the Screen Advertising team if this lasts.`;
  }
  if (status >= 300 && status < 400) {
    const target = URL.canParse(location) ? ` to ${new URL(location).host}` : '';
    return `The base URL redirects${target} (${status}), such as to a login page: ${address}`;
  }
  const [, title = ''] = /<title\b[^>]*>([^<]{1,200})</i.exec(body.slice(0, 4000)) ?? [];
  const page = title && `, titled "${safeOutsideText(title, { maxLength: 60 })}"`;
  if (/^\s*</.test(body)) return `The base URL leads to a web page (${status}${page}): ${address}`;
  return `The base URL leads to something else than the service (${status}): ${address}`;
}

/** The assumptions about which this command can find out something. */
type CheckId = {
  [Name in keyof typeof assumptions]: (typeof assumptions)[Name]['answeredBy'] extends `doctor${string}`
    ? Name
    : never;
}[keyof typeof assumptions];

/** Looks at the service. May reject with a `CheckEndedEarly`, or the error of a request without a response. */
type Check = (service: ServiceProbe, options: DoctorOptions) => Promise<Finding>;

const usualActions: Readonly<Partial<Record<CheckId, string>>> = adviceByAssumption;

const checks: Readonly<Record<CheckId, Check>> = {
  ...accessChecks,
  ...recordChecks,
  ...screenChecks,
  ...campaignRequestChecks,
  ...writeChecks,
  ...errorChecks,
};

/** One assumption, and what was seen of it. */
interface Result extends Finding, Pick<Assumption, 'question' | 'section' | 'assumed'> {
  readonly id: CheckId;
}

interface Examination {
  readonly checks: readonly Result[];
  readonly requests: number;
  /** Why the service could not be reached or refused the credentials. */
  readonly failure: Error | undefined;
}

/** Runs every check against the service. */
export async function runDoctorChecks(
  { auth, ...reach }: ServiceProbeOptions & { readonly auth: Auth },
  options: DoctorOptions,
): Promise<Examination> {
  const service = new ServiceProbe(reach);
  const failure = await whyNotReached(service, auth).catch(failureOf);
  const secrets = [...secretsOf(auth), service.bearer, options.email ?? '', options.code ?? ''];
  const results: Result[] = [];
  for (const [id, check] of Object.entries(checks) as [CheckId, Check][]) {
    const finding = failure
      ? notSeenFinding('The service was not reached')
      : await check(service, options).catch(findingOf);
    const { question, section, assumed } = assumptions[id];
    const found = safeOutsideText(finding.found, { secrets });
    const { action = usualActions[id] ?? 'What needs it fails. Report it.' } = finding;
    const remedy = finding.state === 'differs' && { action };
    results.push({ id, question, section, assumed, ...finding, found, ...remedy });
  }
  return { checks: results, requests: service.requests, failure };
}

function findingOf(error: unknown): Finding {
  return error instanceof CheckEndedEarly
    ? error.finding
    : notSeenFinding(messageOf(error).replace(/\.$/, ''));
}

/** A first request that met the rate limit, or got no response. */
function failureOf(error: unknown): Error {
  const isLimit = error instanceof CheckEndedEarly;
  return isLimit ? failed('rate_limited', messageOf(error)) : (error as Error);
}

function failed(code: ErrorCode, message: string): Error {
  return new ScreenAdvertisingError(code, message);
}

function messageOf(error: unknown): string {
  const { message } = error as Error;
  return error instanceof CheckEndedEarly ? `${message}.` : message;
}

/** In the order in which a reader wants them. */
const labels = {
  differs: 'DIFFERS',
  accepted: 'accepted',
  as_assumed: 'as assumed',
  not_seen: 'not seen',
} as const;

/** The report as text for one screen, with a paragraph for the service's team. */
function report(baseUrl: string, { checks, requests }: Examination, writes: boolean): string {
  const changes = writes
    ? 'which created and revoked a coupon, and created a landing link'
    : 'which changed nothing';
  const lines = [`${baseUrl}: ${requests} requests, ${changes}.`, ''];
  for (const [state, label] of Object.entries(labels)) {
    const results = checks.filter((result) => result.state === state);
    const rows = state === 'not_seen' ? grouped(results) : results.map(row);
    lines.push(...rows.map((text) => `${label.padEnd(12)}${text}`));
  }
  lines.push('', 'For the Screen Advertising team:', '', letter(baseUrl, checks), '');
  return lines.join('\n');
}

/** A finding in a line, and what it changes. */
function row({ id, state, found, action }: Result): string {
  // The first sentence is about the other variants.
  const [change] = assumptions[id].change.split(/(?<=\.) /);
  return [`${id}: ${found}.`, action ?? (state === 'accepted' && change)].filter(Boolean).join(' ');
}

/** Questions without a finding, by the reason. */
function grouped(results: readonly Result[]): string[] {
  const reasons = new Map<string, string[]>();
  for (const { id, found } of results) reasons.set(found, [...(reasons.get(found) ?? []), id]);
  return [...reasons].map(([found, ids]) => `${ids.join(', ')}: ${found}.`);
}

function letter(baseUrl: string, checks: readonly Result[]): string {
  const different = checks
    .filter(({ state }) => state === 'differs')
    .map(({ section, found }) => `${found} (section ${section}).`);
  const checked = `We checked the partner interface at ${baseUrl}.`;
  if (different.length > 0) {
    return `${checked} Some of it differs from what our connectors expect, as ${page} describes. ${different.join(' ')}`;
  }
  const open = Object.values<Assumption>(assumptions)
    .filter(({ answeredBy, allAccepted }) => answeredBy === 'team' && !allAccepted)
    .map(({ section, question }) => `${question} (${section})`);
  return `${checked} It works as we expect where we could see it. Some of your specification we cannot see from outside: ${open.join(' ')}`;
}

const page = 'https://github.com/screen-advertising/connectors/blob/main/docs/assumptions.md';

interface Given {
  readonly email?: string;
  readonly code?: string;
  readonly write?: true;
  readonly json?: true;
}

/** Adds `doctor`, which finds out how the service differs from what the connectors assume. */
export function addDoctorCommand(
  root: Command,
  { env, version, write, writeError, stop }: Terminal,
  end: (exitCode: number) => void,
): void {
  const command = root
    .command('doctor')
    .description(
      `checks how the service works where its specification leaves it open, in at most 40 requests that change nothing`,
    )
    .option('--email <address>', 'a user to look up; with --write, also the lead of the coupon')
    .option('--write', 'also creates and revokes one coupon, and creates one landing link')
    .option('--code <code>', 'the code of that coupon; default: a new one')
    .option('--json', 'print JSON instead of text')
    .addHelpText('after', '\nThe exit codes are those of every command: see --help.\n');
  command.action(async (given: Given) => {
    const { email, write: writes = false, json } = given;
    const code = given.code ?? (writes ? randomCouponCode() : undefined);
    if (writes && !email) command.error('error: --write needs --email');
    const { auth, ...access } = readAccess(await accessFromProfile(env, root.opts().profile));
    const baseUrl = parseBaseUrl(access.baseUrl);
    const userAgent = `screen-advertising-cli/${version}`;
    const reach = { baseUrl, auth, transport: nodeTransport(), userAgent, stop };
    const examination = await runDoctorChecks(reach, { email, code, write: writes });
    stop.throwIfAborted();
    const { checks, failure } = examination;
    const at = new Date().toISOString();
    if (json) await write(`${JSON.stringify({ base_url: baseUrl, at, checks }, null, 2)}\n`);
    else if (!failure) await write(report(baseUrl, examination, writes));
    if (failure) {
      writeError(`${failure.message}${readAs(access.baseUrl, baseUrl)}\n`);
      end(exitCodeOf(failure));
    } else if (checks.some(({ state }) => state === 'differs')) end(checkFailedExitCode);
  });
}

/** Where the requests went, if the version was missing or another path was cut off. */
function readAs(given: string, baseUrl: string): string {
  const isSame = given.trim().replace(/\/+$/, '') === baseUrl;
  return isSame ? '' : ` doctor read the base URL as ${baseUrl}.`;
}
