import { type OptionSynonyms, refuseUnknownOptionsWithAdvice } from './no-habits.ts';

/** Refuses options that do not exist, and says what does the same here. */
export function refuseUnknownOptions(
  given: unknown,
  owner: string,
  names: readonly string[],
  habits?: OptionSynonyms,
): void {
  refuseUnknownOptionsWithAdvice(meant, given, owner, names, habits);
}

/** The option to use in place of one that does not exist, if that is known. */
function meant(
  unknown: string,
  names: readonly string[],
  habits: OptionSynonyms,
): string | undefined {
  const same = names.map((known) => [known, known] as const);
  const [use] = [...same, ...habits].find((habit) => isMeant(habit, unknown)) ?? [];
  return use;
}

function isMeant([, names]: OptionSynonyms[number], name: string): boolean {
  return ` ${plain(names)} `.includes(` ${plain(name)} `);
}

/** Without case, and without what separates words: `base_url` and `baseURL` are the same. */
function plain(text: string): string {
  return text.replace(/[_-]/g, '').toLowerCase();
}

const ownFetch = 'transport: fetchTransport({ fetch }), from @screen-advertising/core/fetch';
const dispatcher =
  'transport: undiciTransport({ dispatcher }), from @screen-advertising/core/undici';

/** The options of a call, by their names in other clients. */
export const callOptionSynonyms: OptionSynonyms = [
  ['timeoutMs', 'timeout requestTimeout'],
  ['deadlineMs', 'deadline totalTimeout'],
  ['retry: { attempts }', 'maxRetries maxNetworkRetries retries maxAttempts attempts retryOptions'],
  ['headers', 'defaultHeaders extraHeaders fetchHeaders'],
  ['signal in the options of a call', 'abortSignal cancelToken controller signal'],
  ['adoptExisting in the options of a call', 'adoptExisting'],
  ['the input of the operation', 'params query searchParams defaultQuery json body data limit'],
  ['the code of a ScreenAdvertisingError', 'throwHttpErrors validateStatus'],
  ['your own code, and adoptExisting to find its coupon again', 'idempotencyKey'],
  ['createClient', 'baseUrl auth apiKey token transport clock userAgent onAttempt rateLimit'],
];

/** The options of a client, by their names in other clients. */
export const clientOptionSynonyms: OptionSynonyms = [
  ['auth: apiKey(key)', 'apiKey apiToken token accessToken bearer key'],
  ['auth: clientCredentials({ clientId, clientSecret })', 'clientId clientSecret credentials'],
  ['baseUrl', 'url host hostname endpoint prefixUrl prefix apiBase'],
  ['userAgent', 'appInfo appName'],
  [ownFetch, 'fetch fetchOptions httpClient adapter request'],
  ['transport: nodeTransport({ agent })', 'agent httpAgent httpsAgent proxy https'],
  [dispatcher, 'dispatcher'],
  ['rateLimit', 'throttle throttling limiter'],
  ['rateLimit: { maxConcurrent }', 'concurrency maxConcurrency maxSockets'],
  ['beforeRequest', 'hooks interceptors transformRequest onRequest'],
  ['onAttempt', 'log logger logLevel debug onRetry onResponse afterResponse'],
  ...callOptionSynonyms,
];
