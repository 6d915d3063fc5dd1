import { apiKey, createClient, type ScreenAdvertisingError } from '@screen-advertising/core';
import {
  couponKeyOrSecret,
  type GetCouponParams,
  type LeadCouponParams,
  leadCouponOperations,
  withLeadCoupons,
} from '@screen-advertising/core/lead-coupons';
import { environment, typed } from '../cli/command.ts';
import type { RunOptions } from '../n8n/engine.ts';
import type { EngineNode } from '../n8n/n8n.ts';

/** The code, `created` and the note of a coupon; or the text of the error. */
export type Outcome = readonly [code: unknown, created: unknown, note: string] | { error: string };

interface Face {
  create(input: LeadCouponParams): Promise<Outcome>;
  find(input: Pick<GetCouponParams, 'lead_email' | 'code_prefix'>): Promise<Outcome>;
}

interface Access {
  readonly baseUrl: string;
  readonly apiKey: string;
}

/** Loads what its platform needs. */
type Open = (access: Access, key: string) => Promise<Face>;
type Fields = Readonly<Record<string, unknown>>;

const tell = ({ code, created, coupon_note: note }: Fields): Outcome => [
  code,
  created,
  `${note ?? ''}`,
];

const environmentOf = (access: Access, key: string) => ({
  ...environment(access.baseUrl, access),
  SCREEN_ADVERTISING_COUPON_KEY: key,
});

/** n8n's engine; `node` changes how the node runs, such as as a tool of an agent. */
export const onN8n =
  (node: Partial<EngineNode> = {}, options: RunOptions = {}): Open =>
  async (access, key) => {
    const { Engine } = await import('../n8n/engine.ts');
    const engine = await Engine.start({ screenAdvertisingApi: { ...access, couponKey: key } });
    const run = async (parameters: object): Promise<Outcome> => {
      const name = 'Screen Advertising';
      const { error, output } = await engine.runNode(
        {
          type: 'screenAdvertising',
          name,
          credentials: { screenAdvertisingApi: { id: 'screenAdvertisingApi', name: 'Account' } },
          parameters: { authentication: 'apiKey', resource: 'coupon', ...parameters },
          ...node,
        },
        options,
      );
      return error
        ? { error: `${error.message}. ${error.description}` }
        : tell(output(name)[0]?.json ?? {});
    };
    return {
      create({ discount_type, discount_value, lead_email, ...additionalFields }) {
        const required = { discount_type, discount_value, lead_email };
        return run({ operation: 'create', ...required, additionalFields });
      },
      find: (input) => run({ operation: 'get', getBy: 'lead_email', ...input }),
    };
  };

/** A face for each platform, before the same service. */
export const faces = {
  async core(access, key) {
    const auth = apiKey(access.apiKey);
    const client = withLeadCoupons(
      createClient({ baseUrl: access.baseUrl, auth }),
      couponKeyOrSecret(key, auth),
    );
    const told = (call: Promise<object>) =>
      call.then(
        (record) => tell(record as Fields),
        (error: ScreenAdvertisingError): Outcome => ({ error: error.message }),
      );
    return {
      create: (input) => told(client.call(leadCouponOperations.create, input)),
      find: (input) => told(client.call(leadCouponOperations.get, input)),
    };
  },
  n8n: onN8n(),
  async Zapier({ baseUrl, apiKey }, coupon_key) {
    const { createZapierRunner, readZapierError } = await import('../zapier/app/zapier.ts');
    const fields = { coupon_key };
    const zapier = createZapierRunner({ baseUrl, credentials: { apiKey }, fields });
    const told = (run: Promise<Fields>) =>
      run.then(tell, (error: unknown): Outcome => ({ error: readZapierError(error).message }));
    return {
      create: (input) => told(zapier.create('create_coupon', { ...input })),
      find: (input) =>
        told(
          zapier
            .search('find_coupon', input)
            .then(([found]) => found ?? { coupon_note: 'nothing' }),
        ),
    };
  },
  async MCP(access, key) {
    const { connect } = await import('../mcp/support/connect.ts');
    const { callTool } = await import('../mcp/support/call.ts');
    const client = await connect(environmentOf(access, key));
    const call = async (tool: string, input: object): Promise<Outcome> => {
      const { isError, text, record } = await callTool(client, tool, input);
      return isError ? { error: text } : tell(record);
    };
    return {
      create: (input) => call('create_coupon', input),
      find: (input) => call('get_coupon', input),
    };
  },
  async cli(access, key) {
    const call = async (command: string, input: object): Promise<Outcome> => {
      const options = Object.entries(input).map(([name, value]) => `--${name}=${value}`);
      const { code, output, errors } = await typed(
        ['call', command, ...options],
        environmentOf(access, key),
      );
      return code === 0 ? tell(JSON.parse(output)) : { error: errors };
    };
    return {
      create: (input) => call('coupon.create', input),
      find: (input) => call('coupon.get', input),
    };
  },
} satisfies Readonly<Record<string, Open>>;
