import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { openDatabase } from '../../../src/storage/open-database.ts'
import { temporaryDirectory } from '../../helpers/temporary-directory.ts'
import { systemClock } from '../../../src/process/clock.ts'
import { silentLog } from '../../helpers/silent.ts'
import { NODE_ARGUMENTS } from '../../helpers/short-lived.ts'
import { within } from '../../helpers/until.ts'

const WRITER = fileURLToPath(new URL('embedded-writer.ts', import.meta.url))

test('kill -9 in the middle of writing loses nothing that was acknowledged, and its lock is taken over', async (t) => {
  const directory = await temporaryDirectory()
  t.teardown(() => directory.remove())
  const child = spawn(process.execPath, [...NODE_ARGUMENTS, WRITER, directory.path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.teardown(() => child.kill('SIGKILL'))
  const acknowledged: string[] = []
  const lines = createInterface({ input: child.stdout })
  const closed = once(lines, 'close')
  const wantedMany = new Promise<void>((resolve) => {
    lines.on('line', (line) => {
      acknowledged.push(line)
      if (acknowledged.length === 200) resolve()
    })
  })
  await within('much is written', Promise.race([wantedMany, closed]))
  t.true(acknowledged.length >= 200, 'the writer came to write')
  await t.throwsAsync(
    openDatabase({ databaseUrl: null, dataDir: directory.path, log: silentLog, clock: systemClock }),
    { message: new RegExp(`${directory.path} is in use`) },
  )
  child.kill('SIGKILL')
  await within('the writer ends', closed)

  const database = await openDatabase({
    databaseUrl: null,
    dataDir: directory.path,
    log: silentLog,
    clock: systemClock,
  })
  t.teardown(() => database.close())
  const ids = acknowledged.filter((line) => line.startsWith('call_'))
  const calls = await database.query<{ id: string }>('select id from calls')
  const events = await database.query<{ id: string }>(
    `select data::json ->> 'id' as id from events where event = 'call.ringing'`,
  )
  const stored = new Set(calls.map(({ id }) => id))
  t.deepEqual(
    ids.filter((id) => !stored.has(id)),
    [],
  )
  t.deepEqual(events.map(({ id }) => id).toSorted(), [...stored].toSorted())
})
