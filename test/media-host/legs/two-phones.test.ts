import test from 'ava'
import type { ExecutionContext } from 'ava'
import type { OutgoingFrame } from '../../../media-host/audio/frame.ts'
import { loadOpus } from '../../../media-host/audio/opus.ts'
import { NamedPeer } from '../../../media-host/legs/named-peer.ts'
import type { StackSocket } from '../../../media-host/legs/named-peer.ts'
import { legOpener } from '../../helpers/audio-legs.ts'
import { until } from '../../helpers/until.ts'

const SILENCE: OutgoingFrame = { kind: 'silence' }

/** A caller, and two phones that answered its offer and check the way to it at once. */
async function ringing(t: ExecutionContext) {
  const open = legOpener(await loadOpus(), t)
  const [caller, first, second] = [open(), open(), open()]
  const offer = await caller.leg.offer()
  const answers = [await first.leg.answer(offer), await second.leg.answer(offer)]
  return { caller, phones: [first, second], answers }
}

for (const [which, named] of [['first', 0], ['second', 1]] as const) {
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

const HELLO = Buffer.from([22, 254, 253])
const AUDIO = Buffer.from([128, 111])
const checkOf = (username: unknown) => ({ getAttributeValue: () => username })

test('until the peer is known any check is answered, then its own alone; a handshake of others goes nowhere', (t) => {
  const peer = new NamedPeer()
  const taken: Buffer[] = []
  const socket: StackSocket = { transport: { onData: (data) => void taken.push(data) } }
  t.true(peer.takes(checkOf('us:early'), ['192.0.2.1', 5], socket))
  t.true(peer.takes(checkOf('us:peer'), ['192.0.2.2', 5], socket))
  peer.name('peer')
  t.deepEqual([peer.made(checkOf('us:early')), peer.made(checkOf('us:peer')), peer.made(checkOf('odd'))], [false, true, true])
  t.false(peer.takes(checkOf('us:early'), ['192.0.2.1', 5], socket))
  t.true(peer.takes(checkOf('us:peer'), ['192.0.2.3', 9], socket))
  for (const source of [['192.0.2.1', 5], ['192.0.2.2', 5], ['192.0.2.3', 9], ['192.0.2.4', 1]] as const) socket.transport.onData(HELLO, source)
  t.is(taken.length, 3)
  socket.transport.onData(AUDIO, ['192.0.2.1', 5])
  t.is(taken.length, 4, 'audio proves itself')
})

test('a check that claims to be of another does not take the place of the peer', (t) => {
  const peer = new NamedPeer()
  const taken: Buffer[] = []
  const socket: StackSocket = { transport: { onData: (data) => void taken.push(data) } }
  peer.name('peer')
  t.true(peer.takes(checkOf('us:peer'), ['192.0.2.2', 5], socket))
  t.false(peer.takes(checkOf('us:forged'), ['192.0.2.2', 5], socket))
  socket.transport.onData(HELLO, ['192.0.2.2', 5])
  t.is(taken.length, 1)
})
