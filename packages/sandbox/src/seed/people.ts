interface Person {
  readonly email: string;
  /** Well-formed, and of no real company. */
  readonly vatUid: string | null;
}

/** The first is the one that the documentation's examples look up. */
export const people: readonly Person[] = [
  { email: 'lead@example.com', vatUid: 'DE123456789' },
  { email: 'anna.becker@example.com', vatUid: 'DE287364510' },
  { email: 'jonas.weber@example.com', vatUid: null },
  { email: 'office@baeckerei-lindner.example', vatUid: 'DE310924475' },
  { email: 'marta.nowak@example.com', vatUid: 'PL5261040828' },
  { email: 'hello@fitwerk.example', vatUid: 'ATU62895731' },
  { email: 'camille.dubois@example.com', vatUid: 'FR40303265045' },
  { email: 'sven.jansen@example.com', vatUid: null },
  { email: 'marketing@kaffeekontor.example', vatUid: 'DE244670823' },
  { email: 'lucia.garcia@example.com', vatUid: 'ESB58378431' },
  { email: 'info@velo-zuerich.example', vatUid: 'CHE116281710' },
  { email: 'pieter.devries@example.com', vatUid: 'NL004495445B01' },
  { email: 'events@kinopalast.example', vatUid: 'DE198275631' },
  { email: 'emma.larsen@example.com', vatUid: 'DK13585628' },
  { email: 'oliver.smith@example.com', vatUid: 'GB980780684' },
  { email: 'studio@yogaraum.example', vatUid: 'ATU57192846' },
  { email: 'petr.novak@example.com', vatUid: 'CZ25123891' },
  { email: 'team@moebelhaus-sander.example', vatUid: 'DE276615932' },
];
