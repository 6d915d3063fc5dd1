import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it } from '@jest/globals';
import { signWebhook } from '@screen-advertising/core';
import { eventually } from '../support/eventually.ts';
import { sourceSecret, start, startAt } from './support/running-relay.ts';

it('a relay that closes stores the event whose body is still on its way', async () => {
  const { relay, url, source } = await start();
  const body = '{"id":"evt_1","type":"coupon.redeemed","data":{"code":"SPRING-25"}}';
  const timestamp = Date.parse(startAt) / 1000;
  const socket = connect(Number(new URL(url).port), '127.0.0.1').setEncoding('utf8');
  let received = '';
  socket.on('data', (text) => {
    received += text;
  });
  socket.on('error', () => undefined);
  const closed = once(socket, 'close');
  socket.write(
    [
      `POST /in/${source} HTTP/1.1`,
      'Host: relay.test',
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      `X-Service-Signature: ${signWebhook({ body, secret: sourceSecret, timestamp })}`,
      'Expect: 100-continue',
      '\r\n',
    ].join('\r\n'),
  );
  await eventually(() => received.includes('100 Continue'), 'the relay reads the body');
  const closing = relay.close();
  await eventually(
    () =>
      fetch(url).then(
        () => false,
        () => true,
      ),
    'the relay accepts no connection',
  );
  socket.write(body);
  await closing;
  await closed;
  expect(received).toMatch(/HTTP\/1\.1 202 Accepted/);
});
