import { createPostgresDispatch } from '../../src/drivers/dispatch/postgres.ts';
import { createPostgresPubSub } from '../../src/drivers/pubsub/postgres.ts';
import { createMemoryBroker } from '../support/memory-broker.ts';
import { dispatchContract } from './dispatch.contract.ts';
import { runContract } from './support/contract.ts';
import { createProcesses } from './support/processes.ts';

runContract(dispatchContract, 'postgres', () =>
  createProcesses((database) => createPostgresDispatch({ database, pubsub: createPostgresPubSub({ database }) })),
);
runContract(dispatchContract, 'a broker in memory', async () => createMemoryBroker());
