import { isServer, storages } from './harnesses.ts';
import { runConformance } from './run-conformance.ts';

/** In memory, in files, and in databases of this process; servers have a file of their own, so that they run beside it. */
runConformance(storages.filter(({ name }) => !isServer(name)));
