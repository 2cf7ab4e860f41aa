/** `npm run commit:message < FILE`: refuses a commit message that does not have the form of this repository. */
import { text } from 'node:stream/consumers'
import { faultsOf } from './message.ts'

const faults = faultsOf(await text(process.stdin))
for (const fault of faults) process.stderr.write(`commit message: ${fault}\n`)
process.exitCode = faults.length === 0 ? 0 : 1
