import { nodeTransport } from '@screen-advertising/core';
import { fetchTransport } from '@screen-advertising/core/fetch';
import { describeService } from './describe-service.ts';
import { corePlayer } from './players/core.ts';

describeService(corePlayer('fetch', fetchTransport()));
describeService(corePlayer('node:http', nodeTransport()));
