import { readBytes } from '../http/read-bytes.ts';

const longestForm = 16 * 1024;

/** The filled-in fields, trimmed. Several values of a name, such as chosen IDs, have a space between them. */
export async function readForm(request: Request): Promise<Readonly<Record<string, string>>> {
  const form = new URLSearchParams(Buffer.from(await readBytes(request, longestForm)).toString());
  const fields = [...new Set(form.keys())].map((name) => {
    const values = form.getAll(name).map((text) => text.trim());
    return [name, values.filter((text) => text !== '').join(' ')] as const;
  });
  return Object.fromEntries(fields.filter(([, text]) => text !== ''));
}
