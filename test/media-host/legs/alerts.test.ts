import { createSocket } from 'node:dgram'
import test, { type ExecutionContext } from 'ava'
import { loadOpus } from '../../../media-host/audio/opus.ts'
import type { Leg } from '../../../media-host/legs/leg.ts'
import { legOpener } from '../../helpers/audio-legs.ts'
import { dtlsRecord, StockPeer } from '../../helpers/stock-peer.ts'
import { portOf, relayTo, type UdpRelay } from '../../helpers/udp-relay.ts'
import { until } from '../../helpers/until.ts'

type Through = (sdp: string) => Promise<string>

/**
 * How the two ends exchange descriptions. The end that answers begins the handshake, so the leg is on either side of
 * it. `toPeer` and `toLeg` change the descriptions on the way.
 */
const SIDES: Readonly<
  Record<string, (leg: Leg, peer: StockPeer, toPeer: Through, toLeg: Through) => Promise<unknown>>
> = {
  'that offered': async (leg, peer, toPeer, toLeg) =>
    peer.connect(await toPeer(await leg.answer(await toLeg(await peer.offer())))),
  'that answered': async (leg, peer, toPeer, toLeg) =>
    leg.connect(await toLeg(await peer.answer(await toPeer(await leg.offer())))),
}
const asItIs: Through = async (sdp) => sdp

async function meet(t: ExecutionContext) {
  return { peer: new StockPeer(t), ...legOpener(await loadOpus(), t)() }
}

for (const [which, exchange] of Object.entries(SIDES)) {
  test(`a peer ${which} and refuses the handshake costs the leg when nothing else comes of it`, async (t) => {
    const { leg, peer, notes } = await meet(t)
    peer.refuseHandshake()
    await exchange(leg, peer, asItIs, asItIs)
    await until('the leg is lost', () => notes.lost.length > 0)
    t.deepEqual(notes, { digits: [], lost: ['HANDSHAKE_REFUSED'], flowing: 0 })
    t.true(peer.refusals < 8, `it was asked ${peer.refusals} times; who goes on asks 11 times`)
  })

  test(`a peer ${which} and says nothing of a handshake costs the leg before its first audio is given up`, async (t) => {
    const { leg, peer, notes } = await meet(t)
    const through: Through = async (sdp) => (await relayTo(t, sdp, (datagram) => (isDtls(datagram) ? 0 : 1))).sdp
    await exchange(leg, peer, through, through)
    await until('the leg is lost', () => notes.lost.length > 0)
    t.deepEqual(notes, { digits: [], lost: ['HANDSHAKE_TIMEOUT'], flowing: 0 })
  })

  test(`forged handshake messages do not end the handshake of a peer ${which}, even from the peer's own address`, async (t) => {
    const { leg, peer, notes } = await meet(t)
    const stranger = createSocket('udp4')
    t.teardown(() => stranger.close())
    let [isHeld, held, port] = [true, 0, 0]
    let ofPeer: UdpRelay | null = null as UdpRelay | null
    const between = (sdp: string) =>
      relayTo(t, sdp, (datagram) => {
        if (!isHeld || !isDtls(datagram)) return 1
        held++
        return 0
      })
    const toPeer: Through = async (sdp) => {
      port = portOf(sdp)
      return (await between(sdp)).sdp
    }
    const toLeg: Through = async (sdp) => {
      ofPeer = await between(sdp)
      return ofPeer.sdp
    }
    await exchange(leg, peer, toPeer, toLeg)
    await until('a handshake is held up', () => held > 0)
    for (const datagram of Object.values({ ...FORGED, ...UNFINISHED })) stranger.send(datagram, port, '127.0.0.1')
    // A sender that can forge the peer's address can restart the handshake, but cannot end it.
    for (const datagram of [...Object.values(FORGED), UNFINISHED['a finish']]) ofPeer?.forge(datagram)
    isHeld = false
    await until('both are heard', () => {
      peer.say()
      leg.send({ kind: 'silence' })
      return notes.lost.length > 0 || (leg.isFlowing && peer.heard > 0)
    })
    t.deepEqual(notes.lost, [])
  })
}

/** A leg and a peer that hear each other, and the leg's port. */
async function talking(t: ExecutionContext) {
  const { leg, peer, notes } = await meet(t)
  const answer = await leg.answer(await peer.offer())
  await peer.connect(answer)
  await until('both are heard', () => {
    peer.say()
    leg.send({ kind: 'silence' })
    return leg.isFlowing && peer.heard > 0
  })
  return { leg, peer, notes, port: portOf(answer) }
}

test('a peer that says it closes costs the leg at once', async (t) => {
  const { peer, notes } = await talking(t)
  await peer.sayFarewell()
  await until('the leg is lost', () => notes.lost.length > 0)
  t.deepEqual(notes.lost, ['closed'])
})

/** Whether a datagram is DTLS (RFC 7983 section 7). */
function isDtls([first = 0]: Buffer): boolean {
  return first >= 20 && first <= 63
}

/** A handshake message in a record of its own (RFC 6347 section 4.2.2). Only its type is valid. */
function message(type: number): Buffer {
  const content = Buffer.alloc(12 + 32, 7)
  content.writeUInt8(type, 0)
  content.writeUIntBE(32, 1, 3)
  content.writeUIntBE(0, 4, 5)
  content.writeUIntBE(32, 9, 3)
  return dtlsRecord(content, { type: 22 })
}

/** The last message of a handshake, and messages that would begin one. */
const UNFINISHED = {
  'a finish': message(20),
  'a hello': message(1),
  'a hello of a server': message(2),
  'a certificate': message(11),
}

/** Datagrams that anybody can send who knows the port. */
const FORGED: Readonly<Record<string, Buffer>> = {
  'a farewell': dtlsRecord(Uint8Array.of(1, 0)),
  'a fatal alert': dtlsRecord(Uint8Array.of(2, 40)),
  'a farewell that claims to be encrypted': dtlsRecord(new Uint8Array(26), { epoch: 1, sequence: 5_000 }),
  'a fatal alert that claims to be encrypted': dtlsRecord(Uint8Array.from([2, 40, ...Array<number>(24).fill(7)]), {
    epoch: 1,
    sequence: 5_001,
  }),
  'a record of an unknown type': dtlsRecord(Uint8Array.of(1, 2, 3), { type: 25 }),
  'a record behind another': Buffer.concat([
    dtlsRecord(Uint8Array.of(1), { type: 20 }),
    dtlsRecord(Uint8Array.of(1, 0)),
  ]),
  'half a record': dtlsRecord(Uint8Array.of(1, 0)).subarray(0, 14),
  'a byte': Buffer.of(21),
}

test('datagrams of strangers to the port of a leg neither end nor silence it', async (t) => {
  const { leg, peer, notes, port } = await talking(t)
  const stranger = createSocket('udp4')
  t.teardown(() => stranger.close())
  for (const [what, datagram] of Object.entries({ ...FORGED, ...UNFINISHED })) {
    await new Promise((resolve) => {
      stranger.send(datagram, port, '127.0.0.1', resolve)
    })
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
