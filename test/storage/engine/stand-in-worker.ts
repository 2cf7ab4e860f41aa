/**
 * Stands in for the program of the embedded database. With a file `mute` in its directory it does not open; with a file
 * `spoilt` it reports that and does not end. It answers every statement, except that `hang` gets no answer and `die`
 * ends it.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import type { PgliteReply, PgliteRequest, PgliteWorkerOptions } from '../../../src/storage/engine/pglite-protocol.ts'

function reply(message: PgliteReply): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread has no origin
  parentPort?.postMessage(message)
}

const { directory } = workerData as PgliteWorkerOptions
const isMute = existsSync(join(directory, 'mute'))
const isSpoilt = existsSync(join(directory, 'spoilt'))
parentPort?.on('message', ({ id, sql }: PgliteRequest) => {
  if (sql === 'die') throw new TypeError('what befell the thread')
  if (!isMute && !isSpoilt && sql !== 'hang') reply({ kind: 'result', id, value: { rows: [{ sql }], affectedRows: 0 } })
})
if (isSpoilt) reply({ kind: 'unready', error: { message: 'it is spoilt' } })
else if (!isMute) reply({ kind: 'ready' })
