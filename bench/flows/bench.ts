/**
 * Measures Flows: pages of a million answers against one bare query of the same rows; answers taken and stored against
 * plain texts; what an exchange with an endpoint takes beyond the endpoint itself, one at a time and at 500 a second.
 * Each comparison is in turns in one run. Needs PostgreSQL (bench/programs.ts).
 *
 *   node bench/flows/bench.ts [share of the sizes, 1]
 */
import { randomBytes } from 'node:crypto'
import { closePosts } from '../posts.ts'
import { install } from '../programs.ts'
import { measureExchange } from './exchange.ts'
import { compareIntake } from './intake.ts'
import { connectWithFlow } from './number.ts'
import { comparePages } from './pages.ts'

const SHARE = Number(process.argv[2] ?? 1)
const of = (size: number): number => Math.ceil(size * SHARE)

const installation = await install('postgres', {
  LOG_LEVEL: 'warn',
  ENCRYPTION_KEY: randomBytes(32).toString('base64'),
})
try {
  // Each part has a number of its own, so that none reads what another has stored.
  await measureExchange(installation, await connectWithFlow(installation, '5511977770001', false), of(2_000), of(10))
  await compareIntake(installation, await connectWithFlow(installation, '5511977770002'), of(10_000))
  // The hundredth page must be full.
  await comparePages(
    installation,
    await connectWithFlow(installation, '5511977770003'),
    Math.max(10_000, of(1_000_000)),
    of(1_000),
  )
} finally {
  closePosts()
  await installation.close()
}
