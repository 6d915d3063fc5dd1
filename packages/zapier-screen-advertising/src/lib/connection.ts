import { apiKey, ConfigurationError } from '@screen-advertising/core';
import { couponKeyOrSecret } from '@screen-advertising/core/lead-coupons';
import {
  type ApiKeyAuth,
  apiKeyWithoutBearer,
  type ClientCredentialsAuth,
  parseBaseUrl,
  parseClientCredentials,
  readRateLimit,
} from '@screen-advertising/core/platform';
import type { AuthField, Bundle } from 'zapier-platform-core';
import listing from '../../listing.json' with { type: 'json' };
import { findPlaceholder } from './fields.ts';

/** The page that the connection form links to: it says where to get credentials. */
const helpLink = `[How to connect](${listing.help})`;

/** The form of a connection. */
export const connectionFields: readonly AuthField[] = [
  {
    key: 'base_url',
    label: 'Base URL',
    type: 'string',
    required: true,
    isNoSecret: true,
    placeholder: 'https://service.example/api/v1',
    helpText: `Address of the service, ending in /api/v1. The Screen Advertising team sends it with your credentials. ${helpLink}`,
  },
  {
    key: 'client_id',
    label: 'Client ID',
    type: 'string',
    required: false,
    helpText: `Enter a client ID and client secret, or an API key. The Screen Advertising team issues them. ${helpLink}`,
  },
  {
    key: 'client_secret',
    label: 'Client Secret',
    type: 'password',
    required: false,
    helpText: `The secret issued with the client ID. ${helpLink}`,
  },
  {
    key: 'api_key',
    label: 'API Key',
    type: 'password',
    required: false,
    helpText: `Starts with svc_ and replaces client ID and client secret. The Screen Advertising team issues it. ${helpLink}`,
  },
  {
    key: 'coupon_key',
    label: 'Coupon Key',
    type: 'password',
    required: false,
    helpText: `Text of at least 16 characters from which the codes of coupons follow. Without it, new credentials do not find earlier coupons. ${helpLink}`,
  },
];

/** The limit of an access is 600 requests per minute by default (section 8). */
export const rateLimitField: AuthField = {
  key: 'rate_limit',
  label: 'Requests per Minute',
  type: 'integer',
  required: false,
  isNoSecret: true,
  helpText: `Rate limit of your access. Leave empty for 600, unless the Screen Advertising team granted you another one. ${helpLink}`,
};

/** Only event triggers need them. */
export const relayFields: readonly AuthField[] = [
  {
    key: 'relay_base_url',
    label: 'Relay Base URL',
    type: 'string',
    required: false,
    isNoSecret: true,
    placeholder: 'https://relay.example',
    helpText: `Address of your relay, for instant triggers such as Coupon Redeemed. Leave empty if you have no relay. ${helpLink}`,
  },
  {
    key: 'connector_key',
    label: 'Connector Key',
    type: 'password',
    required: false,
    helpText: `Starts with rly_. The relay shows it once, when you create it. ${helpLink}`,
  },
];

/** Seconds: the service stops retrying 756 s after an event, and Zapier may hold deliveries. */
export const defaultSignatureTolerance = 1200;

/** Only triggers that the service calls directly need them. */
export const signingFields: readonly AuthField[] = [
  {
    key: 'signing_secret',
    label: 'Signing Secret',
    type: 'password',
    required: false,
    helpText: `Only for triggers labeled Manual Setup. The Screen Advertising team issues it when registering your webhook address. ${helpLink}`,
  },
  {
    key: 'previous_signing_secret',
    label: 'Previous Signing Secret',
    type: 'password',
    required: false,
    helpText: `Only while you replace the signing secret. Deliveries signed with either secret are accepted. ${helpLink}`,
  },
  {
    key: 'signature_tolerance',
    label: 'Signature Tolerance in Seconds',
    type: 'integer',
    required: false,
    helpText: `Maximum age of a signature. The last retry arrives 756 seconds after the event, so a lower value may lose events. Default: ${defaultSignatureTolerance}. ${helpLink}`,
  },
];

export const nameField: AuthField = {
  key: 'connection_name',
  label: 'Connection Name',
  type: 'string',
  required: false,
  isNoSecret: true,
  helpText: `Name shown in lists of connections. Default: the host of the Base URL with the client ID, or the end of the API key. ${helpLink}`,
};

/** Everything that a person fills in. */
const formFields: readonly AuthField[] = [
  ...connectionFields,
  ...relayFields,
  ...signingFields,
  nameField,
];

/** The fields that the session adds to a connection. */
export const sessionFields: readonly AuthField[] = [
  { key: 'access_token', label: 'Access Token', type: 'password', required: false, computed: true },
  { key: 'renew_at', label: 'Renew At', type: 'string', required: false, computed: true },
  { key: 'doubt_from', label: 'Doubt From', type: 'string', required: false, computed: true },
  { key: 'is_early', label: 'Is Early', type: 'string', required: false, computed: true },
];

/** The values that Zapier stores for a connection: those of the form and of the session. */
type AuthData = Bundle['authData'];

interface Connection {
  readonly baseUrl: string;
  /** Zapier keeps the tokens, so these create none. */
  readonly credentials:
    | ApiKeyAuth
    | Pick<ClientCredentialsAuth, 'kind' | 'clientId' | 'clientSecret'>;
  /** From which the codes of coupons follow. */
  readonly couponKey: string;
  /** The limit of the access. */
  readonly requestsPerMinute: number;
}

/** Reads and checks the form of a connection. Throws ConfigurationError. */
export function readConnection(authData: AuthData): Connection {
  checkPlaceholders(authData);
  const credentials = readCredentials(authData);
  return {
    baseUrl: parseBaseUrl(authData.base_url ?? ''),
    credentials,
    couponKey: couponKeyOrSecret(authData.coupon_key, credentials),
    requestsPerMinute: readRateLimit(authData.rate_limit, 'rate_limit', 'Requests per Minute'),
  };
}

/** Does not show the text, which may be part of a secret. Throws ConfigurationError. */
function checkPlaceholders(authData: AuthData): void {
  const field = formFields.find(({ key }) => findPlaceholder(authData[key]) !== undefined);
  if (!field) return;
  const what = `${field.label} has a placeholder in curly brackets, which nothing fills in`;
  throw new ConfigurationError(field.key, what, 'Enter the value itself.');
}

function readCredentials(authData: AuthData): Connection['credentials'] {
  const key = given(authData, 'api_key');
  const clientId = given(authData, 'client_id');
  const clientSecret = given(authData, 'client_secret');
  if (key && (clientId || clientSecret)) {
    throw new ConfigurationError(
      'api_key',
      'Enter either an API key, or a client ID and client secret, and leave the other fields empty.',
    );
  }
  if (key) return apiKey(key);
  if (!clientId && !clientSecret) {
    throw new ConfigurationError(
      'client_id',
      'The credentials are missing. Enter the client ID and client secret, or the API key, from the Screen Advertising team.',
    );
  }
  return { kind: 'client-credentials', ...parseClientCredentials({ clientId, clientSecret }) };
}

interface RelayAddress {
  readonly baseUrl: string;
  readonly connectorKey: string;
}

/**
 * Reads the relay, whose two fields are either both filled in or both empty. Throws
 * ConfigurationError.
 */
export function readRelayAddress(authData: AuthData): RelayAddress | undefined {
  checkPlaceholders(authData);
  const baseUrl = given(authData, 'relay_base_url');
  const connectorKey = given(authData, 'connector_key');
  if (baseUrl && connectorKey) return { baseUrl, connectorKey };
  if (baseUrl) {
    throw new ConfigurationError(
      'connector_key',
      'The connector key is missing. Paste the key your relay showed, or clear Relay Base URL.',
    );
  }
  if (connectorKey) {
    throw new ConfigurationError(
      'relay_base_url',
      'The base URL of the relay is missing. Paste the whole address, such as https://relay.example, or clear Connector Key.',
    );
  }
  return undefined;
}

/**
 * The secrets that may sign deliveries of the service: the current one, and the previous one during
 * a rotation.
 */
export function signingSecrets(authData: AuthData): string[] {
  return [given(authData, 'signing_secret'), given(authData, 'previous_signing_secret')].filter(
    (secret) => secret !== '',
  );
}

/** Seconds that a signature of the service may be old. Throws ConfigurationError. */
export function signatureTolerance(authData: AuthData): number {
  const tolerance = given(authData, 'signature_tolerance') || String(defaultSignatureTolerance);
  if (/^[1-9]\d{0,8}$/.test(tolerance)) return Number(tolerance);
  throw new ConfigurationError(
    'signature_tolerance',
    'Signature Tolerance of the connection must be a whole number of seconds, such as 1200.',
  );
}

/** A value this short is not a secret, and may well be a word of an honest message. */
const minSecret = 8;

/** Everything that no message may contain. */
export function connectionSecrets(authData: AuthData): string[] {
  return secretValues(authData).filter(({ length }) => length >= minSecret);
}

function secretValues(authData: AuthData): string[] {
  const names = ['client_secret', 'coupon_key', 'access_token', 'connector_key'];
  return [
    apiKeyWithoutBearer(authData.api_key),
    ...names.map((name) => given(authData, name)),
    ...signingSecrets(authData),
    // The token and the signing secret of the connector key.
    ...given(authData, 'connector_key').split('.'),
  ];
}

/** A shorter key is not shown at all: four of its characters would be too many. */
const minKey = 20;

/**
 * The text for lists of connections: its name, else the host of the service and which access it is:
 * the client ID, or the end of the key. A name or client ID that is or holds a secret, such as one pasted
 * into the wrong field, is not shown.
 */
export function connectionLabel(authData: AuthData): string {
  const shown = (field: string): string => {
    const text = given(authData, field);
    const isSecret =
      secretValues(authData).includes(text) ||
      connectionSecrets(authData).some((secret) => text.includes(secret));
    return isSecret ? '' : text;
  };
  const name = shown('connection_name');
  if (name) return name;
  const key = apiKeyWithoutBearer(authData.api_key);
  const access = key.length < minKey ? shown('client_id') : `…${key.slice(-4)}`;
  const { host } = new URL(readConnection(authData).baseUrl);
  return access ? `${host} (${access})` : host;
}

function given(authData: AuthData, field: string): string {
  return String(authData[field] ?? '').trim();
}
