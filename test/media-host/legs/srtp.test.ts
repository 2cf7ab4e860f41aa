import test from 'ava'
import { RtpHeader, RtpPacket, SrtpSession } from 'werift'
import type { RtpOut } from '../../../media-host/audio/outgoing-audio.ts'
import { SrtpOpener, SrtpSealer } from '../../../media-host/legs/srtp.ts'
import type { SrtpContext } from '../../../media-host/legs/srtp.ts'

/** Keys and salts of both directions, of any value. */
const KEYS = {
  localMasterKey: Buffer.alloc(16, 0xa1),
  localMasterSalt: Buffer.alloc(14, 0xb2),
  remoteMasterKey: Buffer.alloc(16, 0xc3),
  remoteMasterSalt: Buffer.alloc(14, 0xd4),
}
const PEER_KEYS = {
  localMasterKey: KEYS.remoteMasterKey,
  localMasterSalt: KEYS.remoteMasterSalt,
  remoteMasterKey: KEYS.localMasterKey,
  remoteMasterSalt: KEYS.localMasterSalt,
}
const SSRC = 0xfedcba98
/** The stack's numbers of the profiles that it agrees on. */
const PROFILES = [
  ['AES_CM_128_HMAC_SHA1_80', 1],
  ['AEAD_AES_128_GCM', 7],
] as const

function ends(profile: (typeof PROFILES)[number][1]) {
  const ours = new SrtpSession({ keys: KEYS, profile })
  return {
    sealer: new SrtpSealer(ours.localContext as unknown as SrtpContext),
    opener: new SrtpOpener(ours.remoteContext as unknown as SrtpContext),
    peer: new SrtpSession({ keys: PEER_KEYS, profile }),
  }
}

const packetOf = (sequence: number, bytes = 60): RtpOut => ({
  payload: Uint8Array.from({ length: bytes }, (_, i) => (i * 7 + sequence) & 0xff),
  payloadType: 111,
  sequence,
  timestamp: (sequence * 960 + 0xffff_0000) >>> 0,
  marker: sequence % 2 === 0,
})

const headerOf = (sequence: number, more: Partial<RtpHeader> = {}) =>
  new RtpHeader({ ssrc: SSRC, payloadType: 111, sequenceNumber: sequence, timestamp: 4_000_000_000, ...more })

for (const [name, profile] of PROFILES) {
  test(`${name}: the stack of a peer opens what is sealed, of any length and over the end of the sequence`, (t) => {
    const { sealer, peer } = ends(profile)
    for (const [index, bytes] of [1, 3, 15, 16, 17, 60, 700, 0, 5].entries()) {
      const packet = packetOf((0xfffc + index) & 0xffff, bytes)
      const sealed = sealer.seal(packet, SSRC)
      t.false(bytes > 3 && sealed.includes(Buffer.from(packet.payload)))
      const { header, payload } = RtpPacket.deSerialize(peer.decrypt(sealed))
      t.deepEqual(payload, Buffer.from(packet.payload))
      const { ssrc, payloadType, sequenceNumber, timestamp, marker } = header
      t.deepEqual(
        { ssrc, payloadType, sequenceNumber, timestamp, marker },
        {
          ssrc: SSRC,
          payloadType: 111,
          sequenceNumber: packet.sequence,
          timestamp: packet.timestamp,
          marker: packet.marker,
        },
      )
    }
  })

  test(`${name}: what the stack of a peer seals is opened, reordered over the end of the sequence too`, (t) => {
    const { opener, peer } = ends(profile)
    const sealed = [0xfffe, 0xffff, 0, 1, 2].map((sequence) => ({
      sequence,
      datagram: peer.encrypt(Buffer.from(packetOf(sequence).payload), headerOf(sequence)),
    }))
    const [first, second, third, fourth, fifth] = sealed
    for (const one of [first, third, second, fifth, fourth]) {
      if (!one) return t.fail()
      t.deepEqual(opener.open(one.datagram, 7), {
        ssrc: SSRC,
        payloadType: 111,
        sequence: one.sequence,
        timestamp: 4_000_000_000,
        payload: Buffer.from(packetOf(one.sequence).payload),
        arrivedMs: 7,
      })
    }
  })

  test(`${name}: sources, extensions and padding before and behind the payload are left out`, (t) => {
    const { opener, peer } = ends(profile)
    const extensions = [{ id: 3, payload: Buffer.from([1, 2, 3]) }]
    const header = headerOf(9, { csrc: [1, 2], extension: true, extensions, padding: true })
    const datagram = peer.encrypt(Buffer.from([5, 6, 7, 0, 0, 3]), header)
    t.deepEqual(opener.open(datagram, 0)?.payload, Buffer.from([5, 6, 7]))
  })

  test(`${name}: packets that are changed, cut or padded wrongly are refused, and change nothing`, (t) => {
    const { opener, peer } = ends(profile)
    const seal = (sequence: number, more: Partial<RtpHeader> = {}) =>
      peer.encrypt(Buffer.from([5, 6, 7, 200]), headerOf(sequence, more))
    const good = seal(65_500)
    for (let at = 0; at < good.length; at++) {
      const changed = Buffer.from(good)
      changed[at] = (changed[at] ?? 0) ^ 0x11
      t.is(opener.open(changed, 0), null, `byte ${at}`)
    }
    for (let length = 0; length < good.length; length++) t.is(opener.open(good.subarray(0, length), 0), null)
    t.is(opener.open(seal(65_501, { padding: true }), 0), null)
    t.deepEqual(opener.open(good, 0)?.payload, Buffer.from([5, 6, 7, 200]))
    // If it counted, the next packet would not be one of the next round of sequence numbers.
    const forged = Buffer.from(good)
    forged.writeUInt16BE(30_000, 2)
    t.is(opener.open(forged, 0), null)
    t.truthy(opener.open(peer.encrypt(Buffer.from([1]), headerOf(4)), 0))
  })
}
