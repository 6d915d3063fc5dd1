import type { ZapierRunner } from './runner.ts';
import type { ZapierBackend } from './zapier-backend.ts';

/** What Zapier stores with a file until a step needs it: the method and its input. */
export function hydrationOf(file: unknown): {
  method: string;
  inputData: Record<string, unknown>;
} {
  const [, json = ''] = /^hydrate\|\|\|(.*)\|\|\|hydrate$/s.exec(String(file)) ?? [];
  const { method, bundle } = JSON.parse(json.slice(0, json.lastIndexOf('}') + 1));
  return { method, inputData: bundle };
}

/** The file that a later step gets, such as one that attaches it to an email. */
export async function downloaded(
  zapier: ZapierRunner,
  { uploads }: ZapierBackend,
  file: unknown,
): Promise<File> {
  const { method, inputData } = hydrationOf(file);
  const before = uploads.length;
  await zapier.run(method, { inputData });
  const [upload] = uploads.slice(before);
  if (!upload) throw new Error(`${method} passed no file to Zapier.`);
  return upload;
}
