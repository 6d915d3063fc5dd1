import { type Fault, lost, type Strike } from '../fault.ts';

const never: Strike = async () => undefined;
const unreachable = (
  name: string,
  at: 'closedPort' | 'unknownHost' | 'selfSigned' | 'noTls',
  mayPass: boolean,
): Fault => ({ name, effect: { kind: 'unreachable', at, mayPass }, strike: never });

/** Both variants of a fault: the request got lost, or its response did. */
const eitherWay = (name: string, code: 'network_error' | 'timeout', strike: Strike): Fault[] => [
  { name: `${name}, before`, effect: lost(false, code), strike },
  {
    name: `${name}, after`,
    effect: lost(true, code),
    async strike(response, answer) {
      await answer();
      await strike(response, answer);
    },
  },
];

export const connections: readonly Fault[] = [
  unreachable('refused connection', 'closedPort', true),
  unreachable('unknown host', 'unknownHost', true),
  unreachable('self-signed certificate', 'selfSigned', false),
  unreachable('no TLS behind https', 'noTls', false),
  ...eitherWay('reset', 'network_error', async (response) => {
    response.socket?.resetAndDestroy();
  }),
  ...eitherWay('closed without a word', 'network_error', async (response) => {
    response.socket?.destroy();
  }),
  ...eitherWay('no headers in time', 'timeout', never),
  ...eitherWay('garbage instead of HTTP', 'network_error', async (response) => {
    response.socket?.end('SSH-2.0-OpenSSH_9.6\r\n\r\n');
  }),
  ...eitherWay('headers without end', 'network_error', async (response) => {
    response.socket?.end(`HTTP/1.1 200 OK\r\nx-long: ${'x'.repeat(100_000)}\r\n\r\n{}`);
  }),
];
