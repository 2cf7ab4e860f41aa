/** Program of the thread that splits large webhooks: one after another, answered in the order they came. */
import { parentPort } from 'node:worker_threads'
import { splitChanges } from './changes.ts'

parentPort?.on('message', (rawBody: Uint8Array) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread has no origin
  parentPort?.postMessage(splitChanges(rawBody))
})
