import { readBytes } from '../http/read-bytes.ts';

const longestForm = 16 * 1024;

/** The filled-in fields, trimmed. */
export async function readForm(request: Request): Promise<Readonly<Record<string, string>>> {
  const form = new URLSearchParams(Buffer.from(await readBytes(request, longestForm)).toString());
  const fields = [...form].map(([name, text]) => [name, text.trim()] as const);
  return Object.fromEntries(fields.filter(([, text]) => text !== ''));
}
