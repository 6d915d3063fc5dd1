import { fetchTransport } from '../../../shared/src/transport/fetch.ts';
import { describeTransport } from './transport-contract.ts';

describeTransport('fetchTransport', () => ({
  transport: fetchTransport,
  close: () => Promise.resolve(),
}));
