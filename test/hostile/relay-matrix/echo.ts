import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { formsOf } from '../../support/secret-forms.ts';

/** A secret in one of the forms in which another server may quote it. */
export function formNumber(secrets: readonly string[], nth: number): string {
  const forms = secrets.flatMap((secret) => Object.values(formsOf(secret)));
  return forms[nth % forms.length] ?? '';
}

/** A text with the key that the relay was given, and characters that no error may show. */
export function textWith(form: string): string {
  return `You sent\u001b[31m ${form}\u202e\u009b here`;
}

/**
 * Puts this text wherever a faulty response says something. Zapier itself logs the headers of every
 * response, whatever the app does, so the headers of its cells quote nothing.
 */
export function echoing(
  response: ServerResponse,
  form: string,
  { inHeaders }: { readonly inHeaders: boolean },
): ServerResponse {
  const { end, writeHead } = response;
  const words = textWith(form);
  const said: readonly (readonly [string, string])[] = [
    ['"A fault."', JSON.stringify(words)],
    ['"A title"', JSON.stringify(words)],
    ['"It broke"', JSON.stringify(words)],
    ['<h1>It broke</h1>', `<title>${words}</title>`],
    ['<h1>Sign in</h1>', `<title>${words}</title>`],
  ];
  return Object.assign(response, {
    end: (body?: unknown) => {
      const text =
        typeof body === 'string'
          ? said.reduce((all, [from, to]) => all.replaceAll(from, () => to), body)
          : body;
      return Reflect.apply(end, response, [text]);
    },
    writeHead: (status: number, headers: Record<string, unknown> = {}) => {
      if (!inHeaders) return writeHead.call(response, status, headers as OutgoingHttpHeaders);
      const { location } = headers;
      const echoed = { ...headers, 'x-echo': form };
      const leading = location && { location: `${location}?${encodeURIComponent(form)}` };
      return writeHead.call(response, status, { ...echoed, ...(leading as object) });
    },
  });
}
