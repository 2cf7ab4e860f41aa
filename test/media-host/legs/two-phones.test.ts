import test from 'ava'
import type { ExecutionContext } from 'ava'
import type { OutgoingFrame } from '../../../media-host/audio/frame.ts'
import { loadOpus } from '../../../media-host/audio/opus.ts'
import { NamedPeer } from '../../../media-host/legs/named-peer.ts'
import { legOpener } from '../../helpers/audio-legs.ts'
import { until } from '../../helpers/until.ts'

const SILENCE: OutgoingFrame = { kind: 'silence' }

/** A caller, and two phones that answered its offer and check their way to it at the same time. */
async function ringing(t: ExecutionContext) {
  const open = legOpener(await loadOpus(), t)
  const [caller, first, second] = [open(), open(), open()]
  const offer = await caller.leg.offer()
  const answers = [await first.leg.answer(offer), await second.leg.answer(offer)]
  return { caller, phones: [first, second], answers }
}

for (const [which, named] of [
  ['first', 0],
  ['second', 1],
] as const) {
  test(`of two phones that answer one offer the one that the network names is kept, be it the ${which}`, async (t) => {
    const { caller, phones, answers } = await ringing(t)
    const phone = phones[named]
    await caller.leg.connect(answers[named] ?? '')
    await until('both are heard', () => {
      for (const { leg } of [caller, ...phones]) leg.send(SILENCE)
      return caller.notes.lost.length > 0 || (phone?.leg.isFlowing && caller.leg.isFlowing)
    })
    t.deepEqual([caller.notes.lost, phone?.notes.lost], [[], []])
    t.false(phones[1 - named]?.leg.isFlowing)
  })
}

const checkOf = (username: unknown) => ({ getAttributeValue: () => username })

test('until the peer is known any check is answered, then its own alone', (t) => {
  const peer = new NamedPeer()
  const checks = ['us:early', 'us:peer', 'odd', null].map(checkOf)
  t.deepEqual(
    checks.map((check) => peer.takes(check)),
    [true, true, true, true],
  )
  peer.name('peer')
  t.deepEqual(
    checks.map((check) => peer.takes(check)),
    [false, true, true, true],
  )
})
