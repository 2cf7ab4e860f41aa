import { readFileSync } from 'node:fs'
import test, { registerCompletionHandler } from 'ava'
import { until } from '../../../test/helpers/until.ts'
import { startEngineProcess } from './helpers/engine-process.ts'
import { linkNumber } from './helpers/linked-number.ts'
import { temporaryFolder } from './helpers/open-store.ts'
import { networkFor } from './network/started.ts'

registerCompletionHandler(() => process.exit())

const IS_FULL = process.env['TEST_FULL'] === '1'
/** The full size drops 200 sessions at once. The small size is enough to show that the gate limits handshakes. */
const SESSIONS = IS_FULL ? 200 : 30
const AT_ONCE = 20

/** The resident memory of a process in bytes (proc(5): statm counts pages of 4 KiB). */
function residentBytes(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * 4_096
}

// [engines.baileys-duties.4]
test(`${SESSIONS} sessions dropped at once come back with at most ${AT_ONCE} handshakes at a time, and take no more memory than before`, async (t) => {
  t.timeout(IS_FULL ? 1_200_000 : 240_000)
  const network = await networkFor(t)
  const engine = await startEngineProcess(t, network, temporaryFolder(t))
  const linked = []
  for (let first = 0; first < SESSIONS; first += AT_ONCE) {
    const batch = Array.from({ length: Math.min(AT_ONCE, SESSIONS - first) }, (_, index) => first + index)
    linked.push(
      ...(await Promise.all(
        batch.map((index) => linkNumber(t, network, engine.port, `num_${index}`, `55119${90_000_000 + index}`)),
      )),
    )
  }
  const before = residentBytes(engine.pid)
  const { logins } = network.statistics
  network.statistics.peakHandshakes = 0
  const opened = linked.map(({ client }) => client.events.findLast(({ ev }) => ev === 'session.state')?.seq ?? 0)
  network.drop()
  let highest = before
  const watching = setInterval(() => {
    highest = Math.max(highest, residentBytes(engine.pid))
  }, 50)
  await Promise.all(
    linked.map(({ client }, index) =>
      client.find(
        ({ ev, seq, state }) => ev === 'session.state' && state === 'OPEN' && seq > (opened[index] ?? 0),
        600_000,
      ),
    ),
  )
  clearInterval(watching)
  t.true(network.statistics.peakHandshakes <= AT_ONCE, `${network.statistics.peakHandshakes} at once`)
  t.is(network.statistics.logins - logins, SESSIONS, 'each came back with one login')
  await until('memory is back to within 20 % of what it was', () => residentBytes(engine.pid) <= before * 1.2)
  t.log(
    `resident: ${Math.round(before / 2 ** 20)} MiB before, ${Math.round(highest / 2 ** 20)} at most, ${Math.round(residentBytes(engine.pid) / 2 ** 20)} after, ${SESSIONS} sessions`,
  )
})
