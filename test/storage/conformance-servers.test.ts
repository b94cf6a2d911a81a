import { isServer, storages } from './harnesses.ts';
import { runConformance } from './run-conformance.ts';

/** On the servers. */
runConformance(storages.filter(({ name }) => isServer(name)));
