import { withoutCaseAndAccents } from './nearest.ts';

/** Languages in which a person may write the name of a country. */
const languages = ['en', 'de', 'fr', 'it', 'es', 'nl'];

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

let codes: ReadonlyMap<string, string> | undefined;

/** The 2-letter code of a country, by its code or name. Any other text stays as it is. */
export function countryCode(text: string): string {
  if (/^[a-z]{2}$/i.test(text)) return currentCode(text);
  codes ??= codesByName();
  return codes.get(withoutCaseAndAccents(text)) ?? text;
}

/** In capitals; of a code that is out of use, such as UK, the one that replaced it. */
function currentCode(code: string): string {
  return new Intl.Locale('und', { region: code }).region ?? code;
}

function codesByName(): Map<string, string> {
  const all = letters.flatMap((one) => letters.map((other) => one + other));
  const current = all.filter((code) => currentCode(code) === code);
  return new Map(
    languages.flatMap((language) => {
      const names = new Intl.DisplayNames(language, { type: 'region', fallback: 'none' });
      return current.flatMap((code) => {
        const name = names.of(code);
        return name ? [[withoutCaseAndAccents(name), code] as const] : [];
      });
    }),
  );
}
