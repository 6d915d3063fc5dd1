import { httpTransport } from '../../../../shared/src/transport/node/http.ts';
import { describeTransport } from '../transport-contract.ts';

describeTransport('httpTransport', () => ({ transport: httpTransport }), {
  keepsConnections: true,
  poolsConnections: true,
});
