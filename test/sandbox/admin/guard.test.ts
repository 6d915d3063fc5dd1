import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { guardAdmin } from '../../../packages/sandbox/src/admin/guard.ts';

/** A test can open connections only from this machine, so the remote address is simulated. */
const callFrom =
  (remoteAddress: string | undefined, hostname = '127.0.0.1', localAddress?: string) =>
  () => {
    const incoming = new IncomingMessage(
      Object.defineProperty(new Socket(), 'localAddress', { value: localAddress }),
    );
    guardAdmin({
      method: 'GET',
      url: new URL(`http://${hostname}:8787/_sandbox`),
      headers: new Headers(),
      body: '',
      remoteAddress,
      socket: { incoming, outgoing: new ServerResponse(incoming) },
    });
  };

describe('the address of an admin request', () => {
  it.each(['127.0.0.1', '127.8.9.10', '::1', '::ffff:127.0.0.1'])('%s is allowed', (address) => {
    expect(callFrom(address)).not.toThrow();
  });

  it.each(['192.168.1.20', '10.127.0.1', '::ffff:10.0.0.1', '2001:db8::1', '', undefined])(
    '%s is denied',
    (address) => {
      const refused = 'You can administer the sandbox only from this machine.';
      expect(callFrom(address)).toThrow(refused);
      expect(callFrom(address, '127.0.0.1', '192.168.1.5')).toThrow(refused);
    },
  );

  it.each([
    ['192.168.1.5', '192.168.1.5', '192.168.1.5'],
    ['::ffff:192.168.1.5', '192.168.1.5', '::ffff:192.168.1.5'],
    ['2001:db8::5', '[2001:db8::5]', '2001:db8::5'],
    ['192.168.1.5', 'localhost', '192.168.1.5'],
  ])('%s is allowed under %s, if this machine uses that address itself', (...call) => {
    expect(callFrom(...call)).not.toThrow();
  });
});

describe('the host of an admin request', () => {
  it.each<[string, string, string?]>([
    ['127.0.0.1', 'demo.example.com', '127.0.0.1'],
    ['127.0.0.1', 'host.docker.internal', '127.0.0.1'],
    ['127.0.0.1', '203.0.113.5', '127.0.0.1'],
    ['127.0.0.1', '192.168.1.5'],
  ])('from %s it must not be %s: a tunnel ends here, too', (...call) => {
    expect(callFrom(...call)).toThrow(
      'You can administer the sandbox only under the name localhost or 127.0.0.1.',
    );
  });
});
