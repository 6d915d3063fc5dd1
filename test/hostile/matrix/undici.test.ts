import { undiciTransport } from '@screen-advertising/core/undici';
import { describeService } from './describe-service.ts';
import { corePlayer } from './players/core.ts';

describeService(corePlayer('undici', undiciTransport()));
