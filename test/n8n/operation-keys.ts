/** Operations whose name in n8n deliberately differs from the catalogue. */
const ownNames: Readonly<Record<string, string>> = {
  'screen.availability': 'getAvailability',
  'user.lookup': 'lookUp',
};

/** The resource and operation under which n8n's users find an operation of the catalogue. */
export function operationKey(name: string): { resource: string; value: string } {
  const [resource = '', action = ''] = name.split('.');
  return { resource, value: ownNames[name] ?? action.replace(/^list$/, 'getAll') };
}
