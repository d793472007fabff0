import { createPostgresPubSub } from '../../src/drivers/pubsub/postgres.ts';
import { pubsubContract } from './pubsub.contract.ts';
import { runContract } from './support/contract.ts';
import { createProcesses } from './support/processes.ts';

runContract(pubsubContract, 'postgres', () => createProcesses((database) => createPostgresPubSub({ database })));
