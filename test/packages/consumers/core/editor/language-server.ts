import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { Place } from './hover.ts';

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly result?: { readonly contents?: { readonly value: string } } | null;
}

const separator = '\r\n\r\n';

/** TypeScript 7 as editors use it: the hover texts at these places of one file, in their order. */
export async function hoverTexts(
  tsc: string,
  folder: string,
  places: readonly Place[],
): Promise<string[]> {
  const server = spawn('node', [tsc, '--lsp', '--stdio'], { cwd: folder });
  const waiting = new Map<number, (message: Message) => void>();
  let lastId = 0;
  const post = (message: object) => {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message });
    server.stdin.write(`Content-Length: ${Buffer.byteLength(text)}${separator}${text}`);
  };
  const ask = (method: string, params: object): Promise<Message> =>
    new Promise((resolve, reject) => {
      lastId += 1;
      waiting.set(lastId, resolve);
      server.once('exit', () => reject(new Error('The language server ended.')));
      post({ id: lastId, method, params });
    });
  const receive = (message: Message) => {
    if (message.id === undefined) return;
    // The server asks, too, such as for settings of the editor.
    if (message.method) post({ id: message.id, result: null });
    else waiting.get(message.id)?.(message);
  };
  server.setMaxListeners(0);
  server.stdout.on('data', messages(receive));
  try {
    const contentFormat = ['markdown'];
    const capabilities = { textDocument: { hover: { contentFormat } } };
    await ask('initialize', {
      processId: null,
      rootUri: String(pathToFileURL(folder)),
      capabilities,
    });
    post({ method: 'initialized', params: {} });
    const file = places[0]?.file ?? '';
    const uri = String(pathToFileURL(file));
    const text = readFileSync(file, 'utf8');
    const textDocument = { uri, languageId: 'typescript', version: 1, text };
    post({ method: 'textDocument/didOpen', params: { textDocument } });
    const replies = places.map(({ offset }) => {
      const lines = text.slice(0, offset).split('\n');
      const position = { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 };
      return ask('textDocument/hover', { textDocument: { uri }, position });
    });
    // The code block has the type; the documentation is after it.
    return (await Promise.all(replies)).map(
      ({ result }) => result?.contents?.value.split('```').at(-1)?.trim() ?? '',
    );
  } finally {
    server.removeAllListeners('exit');
    server.kill();
  }
}

/** Reads messages, each with a header that says its length in bytes. */
function messages(receive: (message: Message) => void): (part: Buffer) => void {
  let bytes: Buffer = Buffer.alloc(0);
  return (part) => {
    bytes = Buffer.concat([bytes, part]);
    for (;;) {
      const start = bytes.indexOf(separator) + separator.length;
      const end =
        start + Number(/Content-Length: (\d+)/i.exec(bytes.toString('latin1', 0, start))?.[1]);
      if (start < separator.length || !(bytes.length >= end)) return;
      const text = bytes.toString('utf8', start, end);
      bytes = bytes.subarray(end);
      receive(JSON.parse(text));
    }
  };
}
