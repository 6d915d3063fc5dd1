import { fieldsOf } from '@screen-advertising/page-kit';
import { readBytes } from '../http/read-bytes.ts';

const longestForm = 16 * 1024;

export async function readForm(request: Request): Promise<Readonly<Record<string, string>>> {
  const body = Buffer.from(await readBytes(request, longestForm)).toString();
  return fieldsOf(new URLSearchParams(body));
}
