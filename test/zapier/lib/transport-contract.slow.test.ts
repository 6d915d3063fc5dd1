import { createAppTester, type ZObject } from 'zapier-platform-core';
import app from 'zapier-screen-advertising';
import { zapierTransport } from '../../../packages/zapier-screen-advertising/src/lib/transport.ts';
import {
  describeTransport,
  type TransportUnderTest,
} from '../../shared/transport/transport-contract.ts';

const runInZapier = createAppTester(app);
const authData = { base_url: 'https://service.example/api/v1', api_key: 'svc_abc' };

/** The transport of one step of the app, which continues until it is closed. */
function inStep(isSecret: boolean): Promise<TransportUnderTest> {
  return new Promise((resolve) => {
    let end: (() => void) | undefined;
    const isClosed = new Promise<void>((close) => {
      end = close;
    });
    const step = runInZapier(
      async (z: ZObject) => {
        const close = async (): Promise<void> => {
          end?.();
          await step;
        };
        resolve({ transport: zapierTransport(z, { isSecret }), close });
        await isClosed;
      },
      { authData },
    );
  });
}

const traits = { keepsConnections: true, renewsConnections: true, law: 'zapier' } as const;
describeTransport('zapierTransport', () => inStep(false), traits);
describeTransport('zapierTransport of secrets', () => inStep(true), traits);
