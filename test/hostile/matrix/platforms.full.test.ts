import { nodeTransport } from '@screen-advertising/core';
import { fetchTransport } from '@screen-advertising/core/fetch';
import { describeService } from './describe-service.ts';
import { corePlayer } from './players/core.ts';
import { n8nPlayer } from './players/n8n.ts';
import { zapierPlayer } from './players/zapier.ts';

describeService(corePlayer('fetch', fetchTransport()));
describeService(corePlayer('node:http', nodeTransport()));
describeService(n8nPlayer());
describeService(zapierPlayer());
