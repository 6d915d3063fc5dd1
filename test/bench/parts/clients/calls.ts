import { Agent, get } from 'node:http';
import { Octokit } from '@octokit/core';
import { retry } from '@octokit/plugin-retry';
import { throttling } from '@octokit/plugin-throttling';
import { apiKey, type ClientOptions, createClient, nodeTransport } from '@screen-advertising/core';
import { fetchTransport } from '@screen-advertising/core/fetch';
import { undiciTransport } from '@screen-advertising/core/undici';
import axios from 'axios';
import got from 'got';
import ky from 'ky';
import { ofetch } from 'ofetch';
import createOpenApiClient from 'openapi-fetch';
import Stripe from 'stripe';
import { request } from 'undici';

type Call = () => Promise<unknown>;

const key = 'svc_key_of_the_benchmark';
const headers = { authorization: `Bearer ${key}`, accept: 'application/json' };
const searchParams = { email: 'lead@example.com' };
const query = new URLSearchParams(searchParams).toString();

/** Each client looks up one user: it authenticates, sends, and parses the JSON response. */
export const calls: Readonly<Record<string, (port: number) => Call>> = {
  undici: (port) => async () => {
    const { body } = await request(`${baseUrlOf(port)}/users/lookup?${query}`, { headers });
    return body.json();
  },
  'this client, undici': (port) => ownCall(port),
  'node:http': (port) => {
    const agent = new Agent({ keepAlive: true });
    return () => bareGet(`${baseUrlOf(port)}/users/lookup?${query}`, agent);
  },
  'this client, node:http': (port) => ownCall(port, { transport: nodeTransport() }),
  'this client, fetch': (port) => ownCall(port, { transport: fetchTransport() }),
  fetch: (port) => async () => {
    const response = await fetch(`${baseUrlOf(port)}/users/lookup?${query}`, { headers });
    return response.json();
  },
  ofetch: (port) => () =>
    ofetch(`${baseUrlOf(port)}/users/lookup`, { headers, query: searchParams, retry: 3 }),
  'openapi-fetch': (port) => {
    const client = createOpenApiClient<Paths>({ baseUrl: baseUrlOf(port), headers });
    return async () => {
      const { data } = await client.GET('/users/lookup', { params: { query: searchParams } });
      return data;
    };
  },
  ky: (port) => () =>
    ky.get(`${baseUrlOf(port)}/users/lookup`, { headers, searchParams, retry: 3 }).json(),
  axios: (port) => async () => {
    const { data } = await axios.get(`${baseUrlOf(port)}/users/lookup`, {
      headers,
      params: searchParams,
    });
    return data;
  },
  got: (port) => () =>
    got
      .get(`${baseUrlOf(port)}/users/lookup`, { headers, searchParams, retry: { limit: 3 } })
      .json(),
  stripe: (port) => {
    const client = new Stripe('sk_test_benchmark', { host: '127.0.0.1', port, protocol: 'http' });
    return () => client.customers.retrieve('cus_000123');
  },
  'octokit, retry and throttling': (port) => {
    const client = new (Octokit.plugin(retry, throttling))({
      baseUrl: baseUrlOf(port),
      auth: key,
      throttle: { onRateLimit: () => true, onSecondaryRateLimit: () => true },
    });
    return () => client.request('GET /users/lookup', searchParams);
  },
};

interface Paths {
  readonly '/users/lookup': {
    readonly get: {
      readonly parameters: { readonly query: typeof searchParams };
      readonly responses: {
        readonly 200: { readonly content: { readonly 'application/json': unknown } };
      };
    };
  };
}

function bareGet(url: string, agent: Agent): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const sent = get(url, { agent, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve(JSON.parse(Buffer.concat(chunks).toString())));
    });
    sent.on('error', reject);
  });
}

function ownCall(port: number, options: Partial<ClientOptions> = {}): Call {
  const client = createClient({
    baseUrl: baseUrlOf(port),
    auth: apiKey(key),
    transport: undiciTransport(),
    // On, but out of the way: it allows as many requests as this machine can send. Its window holds
    // about as many as that of the service's limit, 600 a minute.
    rateLimit: { requests: 5_000, perMs: 50 },
    ...options,
  });
  return () => client.users.lookup(searchParams);
}

function baseUrlOf(port: number): string {
  return `http://127.0.0.1:${port}/api/v1`;
}
