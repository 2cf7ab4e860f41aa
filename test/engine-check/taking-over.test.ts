import test, { type ExecutionContext } from 'ava'
import { isSound, lineOf } from '../../tools/engine-check/finding.ts'
import { beatingClock } from '../helpers/beating-clock.ts'
import { BROKEN_FLEETS } from './broken/fleets.ts'
import { OPTIONS, run, SILENCE_MS, unsound } from './run-check.ts'
import { FleetEngine, type MakeEngine, SmallFleet } from './small-fleet.ts'

const ROWS = ['takeover.refused', 'takeover.open', 'takeover.events', 'takeover.send']

async function small(t: ExecutionContext, make?: MakeEngine) {
  const fleet = new SmallFleet(make)
  t.teardown(() => fleet.close())
  const { url, other, killUrl } = await fleet.listen()
  return { fleet, url, other, takeover: { others: [other], killUrl } }
}

// [engine-fleet.takeover.3]
test('a small fleet passes: the number is held once, and goes on where another engine took it, up to its logout', async (t) => {
  const { url, other, takeover } = await small(t)
  const { findings, notAsked, of } = await run(t, { ...OPTIONS, url, takeover })
  t.true(isSound(findings), unsound(findings).join('\n'))
  t.deepEqual(
    ROWS.map((name) => of(name)?.verdict),
    ROWS.map(() => 'holds'),
  )
  t.is(of('takeover.refused')?.seen, 'HTTP 421, held by "engine_a", retry-after 1 s')
  t.true(of('takeover.open')?.seen.startsWith(`session.state OPEN at ${other} after `))
  t.is(of('session.logout')?.verdict, 'holds')
  t.is(of('start.revoked')?.verdict, 'holds')
  t.deepEqual(notAsked, ['1 of --rotation', '2 of --reply', '5 of --calls'])
})

// [engine-fleet.takeover.4]
test('without a route that kills the engine a person is told to, and without a peer its messages are not asked for', async (t) => {
  const { fleet, url, takeover } = await small(t)
  const told: string[] = []
  const { findings, of } = await run(
    t,
    { ...OPTIONS, peer: null, url, takeover: { ...takeover, killUrl: null } },
    {
      tell(text) {
        if (!text.startsWith('kill the engine')) return
        told.push(text)
        fleet.kill(url)
      },
    },
  )
  t.true(isSound(findings), unsound(findings).join('\n'))
  t.deepEqual(told, [`kill the engine at ${url} now, without a word to it: kill -9, or its whole machine`])
  t.deepEqual(
    ROWS.map((name) => of(name)?.verdict),
    ['holds', 'holds', undefined, undefined],
  )
})

for (const { what, make, fails, seen } of BROKEN_FLEETS) {
  test(`a fleet that ${what} fails ${fails}, and the line says what was seen`, async (t) => {
    const { url, takeover } = await small(t, make)
    const { findings, of } = await run(
      t,
      { ...OPTIONS, url, takeover, patienceMs: SILENCE_MS },
      { clock: beatingClock },
    )
    t.is(of(fails)?.verdict, 'fails', findings.map(lineOf).join('\n'))
    t.regex(of(fails)?.seen ?? '', seen)
    t.false(isSound(findings))
  })
}

test('an engine that hands its number over did not die, and one that stays is said to: neither shows a takeover', async (t) => {
  const over = await small(
    t,
    (...parts) =>
      new (class extends FleetEngine {
        override die(): void {
          for (const { socket } of this.held()) socket?.close(1001)
        }
      })(...parts),
  )
  const handed = await run(t, { ...OPTIONS, url: over.url, takeover: over.takeover })
  t.regex(handed.of('takeover.open')?.seen ?? '', /handed the number over \(close code 1001\) instead of dying/)
  t.is(handed.of('takeover.events')?.verdict, 'unreached')
  const stays = await small(
    t,
    (...parts) =>
      new (class extends FleetEngine {
        override die(): void {}
      })(...parts),
  )
  const stayed = await run(
    t,
    { ...OPTIONS, url: stays.url, takeover: stays.takeover, patienceMs: SILENCE_MS },
    { clock: beatingClock },
  )
  t.regex(stayed.of('takeover.open')?.seen ?? '', /no end of the connection within 2 s/)
})

test('engines that are no fleet are told apart from one', async (t) => {
  const [one, another] = [await small(t), await small(t)]
  const takeover = { ...one.takeover, others: [another.url] }
  const { of } = await run(t, { ...OPTIONS, url: one.url, takeover, patienceMs: SILENCE_MS }, { clock: beatingClock })
  t.regex(of('takeover.refused')?.seen ?? '', /the socket was opened at/)
  t.regex(of('takeover.open')?.seen ?? '', /session\.state CLOSE, reason logged_out/)
})
