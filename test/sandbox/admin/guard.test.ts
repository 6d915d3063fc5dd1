import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { guardAdmin } from '../../../packages/sandbox/src/admin/guard.ts';

/** The sandbox listens on loopback, so that nobody else can be had over a real connection. */
const callFrom = (remoteAddress: string | undefined) => () => {
  const incoming = new IncomingMessage(new Socket());
  guardAdmin({
    method: 'GET',
    url: new URL('http://127.0.0.1:8787/_sandbox'),
    headers: new Headers(),
    body: '',
    remoteAddress,
    socket: { incoming, outgoing: new ServerResponse(incoming) },
  });
};

describe('the address of who administers', () => {
  it.each(['127.0.0.1', '127.8.9.10', '::1', '::ffff:127.0.0.1'])('%s may', (address) => {
    expect(callFrom(address)).not.toThrow();
  });

  it.each(['192.168.1.20', '10.127.0.1', '::ffff:10.0.0.1', '2001:db8::1', '', undefined])(
    '%s may not',
    (address) => {
      expect(callFrom(address)).toThrow('The sandbox is administered from this machine only.');
    },
  );
});
