/**
 * SQL for the names in a subscription that stand for an event of this type. "*" stands for every
 * event of the service, not for the problems of the relay: a program that gets them must expect them.
 */
export function namesFor(type: string): string {
  return `ARRAY[${type}, CASE WHEN ${type} LIKE 'relay.%' THEN ${type} ELSE '*' END]`;
}
