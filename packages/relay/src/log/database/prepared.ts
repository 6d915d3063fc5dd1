import type { QueryConfig } from 'pg';

/**
 * A statement with parameters such as `:now`, which each connection prepares once. Returns what runs it
 * with values.
 */
export function prepared<Values extends object>(
  name: string,
  statement: string,
): (values: Values) => QueryConfig {
  const names: string[] = [];
  const text = statement.replace(/(?<!:):([a-z]\w*)/gi, (_, parameter: string) => {
    if (!names.includes(parameter)) names.push(parameter);
    return `$${names.indexOf(parameter) + 1}`;
  });
  return (values) => ({ name, text, values: names.map((one) => values[one as keyof Values]) });
}
