import { broken, type Case, drips, head, late, response, says, stays } from '../case.ts';

const ok = response('200 OK', '{"a":1}');
const early = (status: string, headers: readonly string[] = []) => says(head(status, headers), ok);

/** Statuses below 200 announce a response. */
export const informational: readonly Case[] = [
  { name: '100 before the response', reply: early('100 Continue'), law: '200 {"a":1}' },
  { name: '102 before the response', reply: early('102 Processing'), law: '200 {"a":1}' },
  {
    name: '103 with headers before the response',
    reply: early('103 Early Hints', ['link: </a>; rel=preload', 'retry-after: 9']),
    law: '200 {"a":1}',
  },
  { name: '199 before the response', reply: early('199 Unknown'), law: '200 {"a":1}' },
  {
    name: 'several before the response',
    reply: says(head('100 Continue', []), head('103 Early Hints', []), ok),
    law: '200 {"a":1}',
  },
  {
    name: '100 byte by byte before the response',
    reply: drips(`HTTP/1.1 100 Continue\r\n\r\n${ok}`),
    law: '200 {"a":1}',
  },
  { name: '100, then the end', reply: says(head('100 Continue', [])), law: broken },
  {
    name: '100, then silence',
    reply: stays(head('100 Continue', [])),
    law: late,
    isEndless: true,
  },
  {
    name: '101 that upgrades',
    reply: stays(head('101 Switching Protocols', ['upgrade: websocket', 'connection: upgrade'])),
    law: broken,
  },
  {
    name: '101 without a word of the connection',
    reply: stays(head('101 Switching Protocols', ['upgrade: websocket'])),
    law: broken,
  },
  {
    name: '101 without a protocol',
    reply: stays(head('101 Switching Protocols', ['x-a: 1'])),
    law: broken,
  },
  {
    name: '101, then a response',
    reply: says(head('101 Switching Protocols', ['upgrade: h2c', 'connection: upgrade']), ok),
    law: broken,
  },
];
