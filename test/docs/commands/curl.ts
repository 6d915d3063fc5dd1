import { splitCommand } from './split-command.ts';

export interface Curl {
  readonly method: string;
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
}

/** The subset of curl's options that the documents use. */
export function readCurl(line: string): Curl {
  const words = splitCommand(line);
  const after = (option: string): string[] =>
    words.filter((_word, index) => words[index - 1] === option);
  const [body] = after('-d');
  return {
    method: after('-X')[0] ?? (body === undefined ? 'GET' : 'POST'),
    url: String(words.findLast((word) => word.startsWith('http'))),
    headers: Object.fromEntries(after('-H').map((header) => header.split(': '))),
    ...(body !== undefined && { body }),
  };
}
