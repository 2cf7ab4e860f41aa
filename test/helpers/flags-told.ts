/** A program that starts itself as a gateway starts its children, and prints the Node flags of both. */
import { onEnd, superviseChild } from '../../src/process/child.ts'
import { systemClock } from '../../src/process/clock.ts'
import { silentLog } from './silent.ts'

if (process.send) {
  onEnd(() => process.exit(0))
  process.send({ type: 'listening', flags: process.execArgv })
} else {
  const child = await superviseChild(
    { name: 'child', file: new URL(import.meta.url), env: () => ({}) },
    systemClock,
    silentLog,
  )
  process.stdout.write(JSON.stringify({ parent: process.execArgv, child: child.listening['flags'] }))
  await child.stop()
}
