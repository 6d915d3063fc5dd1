import { describeService } from './describe-service.ts';
import { n8nPlayer } from './players/n8n.ts';

describeService(n8nPlayer());
