/** Program of the thread that reads large webhooks, one after another, and answers in their order. */
import { parentPort } from 'node:worker_threads'
import { READERS } from './readers.ts'
import type { Job } from './readers.ts'

parentPort?.on('message', ({ what, rawBody }: Job) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread has no origin
  parentPort?.postMessage(READERS[what](rawBody))
})
