import { createSocket } from 'node:dgram'
import test, { type ExecutionContext } from 'ava'
import { loadOpus } from '../../../media-host/audio/opus.ts'
import type { Leg } from '../../../media-host/legs/leg.ts'
import { legOpener } from '../../helpers/audio-legs.ts'
import { dtlsRecord, StockPeer } from '../../helpers/stock-peer.ts'
import { until } from '../../helpers/until.ts'

const CANDIDATE = /^a=candidate:\S+ \d+ udp \d+ 127\.0\.0\.1 (\d+) typ host.*$/m

/** Whoever offers is asked, whoever answers asks: the leg has either side of the handshake. */
const SIDES: Readonly<Record<string, (leg: Leg, peer: StockPeer) => Promise<unknown>>> = {
  'that offered': async (leg, peer) => peer.connect(await leg.answer(await peer.offer())),
  'that answered': async (leg, peer) => leg.connect(await peer.answer(await leg.offer())),
}

async function meet(t: ExecutionContext) {
  return { peer: new StockPeer(t), ...legOpener(await loadOpus(), t)() }
}

for (const [which, exchange] of Object.entries(SIDES)) {
  test(`a peer ${which} and refuses the handshake costs the leg at once`, async (t) => {
    const { leg, peer, notes } = await meet(t)
    peer.refuseHandshake()
    await exchange(leg, peer)
    await until('the leg is lost', () => notes.lost.length > 0)
    t.deepEqual(notes, { digits: [], lost: ['failed'], flowing: 0 })
    t.true(peer.refusals < 5, `it was asked ${peer.refusals} times; who goes on asks 11 times`)
  })
}

/** A leg and a peer that hear each other, and where the leg is. */
async function talking(t: ExecutionContext) {
  const { leg, peer, notes } = await meet(t)
  const answer = await leg.answer(await peer.offer())
  await peer.connect(answer)
  await until('both are heard', () => {
    peer.say()
    leg.send({ kind: 'silence' })
    return leg.isFlowing && peer.heard > 0
  })
  return { leg, peer, notes, port: Number(CANDIDATE.exec(answer)?.[1]) }
}

test('a peer that says it closes costs the leg at once', async (t) => {
  const { peer, notes } = await talking(t)
  await peer.sayFarewell()
  await until('the leg is lost', () => notes.lost.length > 0)
  t.deepEqual(notes.lost, ['closed'])
})

/** What anybody can send who knows the port. */
const FORGED: Readonly<Record<string, Buffer>> = {
  'a farewell': dtlsRecord(Uint8Array.of(1, 0)),
  'a fatal alert': dtlsRecord(Uint8Array.of(2, 40)),
  'a farewell that claims to be encrypted': dtlsRecord(new Uint8Array(26), { epoch: 1, sequence: 5_000 }),
  'a fatal alert that claims to be encrypted': dtlsRecord(Uint8Array.from([2, 40, ...Array<number>(24).fill(7)]), { epoch: 1, sequence: 5_001 }),
  'a record of an unknown type': dtlsRecord(Uint8Array.of(1, 2, 3), { type: 25 }),
  'a record behind another': Buffer.concat([dtlsRecord(Uint8Array.of(1), { type: 20 }), dtlsRecord(Uint8Array.of(1, 0))]),
  'half a record': dtlsRecord(Uint8Array.of(1, 0)).subarray(0, 14),
  'a byte': Buffer.of(21),
}

test('what others send to the port of a leg neither ends it nor silences it', async (t) => {
  const { leg, peer, notes, port } = await talking(t)
  const stranger = createSocket('udp4')
  t.teardown(() => stranger.close())
  for (const [what, datagram] of Object.entries(FORGED)) {
    await new Promise((resolve) => { stranger.send(datagram, port, '127.0.0.1', resolve) })
    const [heard, received] = [peer.heard, leg.stats().receivedFrames]
    await until(`both are heard on after ${what}`, () => {
      peer.say()
      leg.send({ kind: 'silence' })
      return notes.lost.length > 0 || (peer.heard > heard + 5 && leg.stats().receivedFrames > received + 5)
    })
    t.deepEqual(notes.lost, [], what)
    t.true(leg.isOpen, what)
  }
})
