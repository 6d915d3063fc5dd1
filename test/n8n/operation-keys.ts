/** What n8n calls otherwise than the catalogue, where it has reasons of its own. */
const ownNames: Readonly<Record<string, string>> = {
  'screen.availability': 'getAvailability',
  'user.lookup': 'lookUp',
};

/** Under which resource and operation n8n's users find an operation of the catalogue. */
export function operationKey(name: string): { resource: string; value: string } {
  const [resource = '', action = ''] = name.split('.');
  return { resource, value: ownNames[name] ?? action.replace(/^list$/, 'getAll') };
}
