/** A program for the kill test. It writes calls into an embedded database and prints each id after its commit. */
import { openDatabase } from '../../../src/storage/open-database.ts'
import { systemClock } from '../../../src/process/clock.ts'
import { silentLog } from '../../helpers/silent.ts'
import { newCall, ownedNumber } from '../../contracts/world.ts'
import { worldsOver } from '../../contracts/sql-worlds.ts'

const database = await openDatabase({
  databaseUrl: null,
  dataDir: process.argv[2] ?? '',
  log: silentLog,
  clock: systemClock,
})
const world = worldsOver(() => database)()
const owned = await ownedNumber(world)

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

async function write(): Promise<void> {
  for (;;) {
    const call = newCall(owned)
    const result = await world.stores.calls.insert(owned.fence, call, [
      { event: 'call.ringing', data: { id: call.id } },
    ])
    if (result === 'applied') say(call.id)
  }
}

say(owned.number.id)
await Promise.all([write(), write(), write(), write()])
