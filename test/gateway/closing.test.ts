import test from 'ava'
import { createClosing } from '../../src/gateway/closing.ts'
import type { Log } from '../../src/ports/log.ts'
import { silentLog } from '../helpers/silent.ts'

test('parts are closed in the reverse order, each once it is its turn', async (t) => {
  const closed: string[] = []
  const closing = createClosing(silentLog)
  for (const part of ['database', 'jobs', 'http']) {
    closing.add(part, async () => {
      await Promise.resolve()
      closed.push(part)
    })
  }
  await closing.run()
  t.deepEqual(closed, ['http', 'jobs', 'database'])
})

test('a part that fails to close is named in the log and keeps no other open', async (t) => {
  const closed: string[] = []
  const failed: unknown[] = []
  const log: Log = { ...silentLog, error: (fields: object) => void failed.push(fields) }
  const closing = createClosing(log)
  closing.add('database', () => void closed.push('database'))
  closing.add('jobs', () => {
    throw new Error('stuck')
  })
  await closing.run()
  t.deepEqual(closed, ['database'])
  t.deepEqual(failed, [{ part: 'jobs', error: 'Error: stuck' }])
})

test('a second run closes nothing again', async (t) => {
  let times = 0
  const closing = createClosing(silentLog)
  closing.add('lock', () => void times++)
  await closing.run()
  await closing.run()
  t.is(times, 1)
})
