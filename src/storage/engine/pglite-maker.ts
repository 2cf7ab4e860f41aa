/** Makes a new embedded database, on a thread that ends then (pglite-worker.ts). */
import { workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import type { PgliteWorkerOptions } from './pglite-protocol.ts'

const { directory } = workerData as PgliteWorkerOptions
await (await PGlite.create(directory)).close()
