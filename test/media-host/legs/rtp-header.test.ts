import test from 'ava'
import { isRtp, RTP_HEADER_BYTES, rtpHeader, writeRtpHeader } from '../../../media-host/legs/rtp-header.ts'

/** A header without sources and extension. */
const PLAIN = [0x80, 0xef, 0x12, 0x34, 0xff, 0xff, 0xff, 0xfe, 0x80, 0, 0, 1]

test('a header that is written reads the same', (t) => {
  const target = Buffer.alloc(RTP_HEADER_BYTES)
  const packet = {
    payload: new Uint8Array(),
    payloadType: 111,
    sequence: 0x1234,
    timestamp: 0xffff_fffe,
    marker: true,
  }
  writeRtpHeader(target, packet, 0x8000_0001)
  t.deepEqual(target, Buffer.from(PLAIN))
  t.deepEqual(rtpHeader(target, target.length), {
    payloadType: 111,
    sequence: 0x1234,
    timestamp: 0xffff_fffe,
    ssrc: 0x8000_0001,
    isPadded: false,
    bytes: 12,
  })
})

test('sources and an extension count to the header, which must end before the payload may', (t) => {
  const extended = Buffer.from([0xb2, ...PLAIN.slice(1), ...Buffer.alloc(8), 0xbe, 0xde, 0, 1, 1, 2, 3, 4])
  t.like(rtpHeader(extended, extended.length), { bytes: 28, isPadded: true, payloadType: 111 })
  for (let end = 0; end < extended.length; end++) t.is(rtpHeader(extended, end), null)
})

test('RTP is told from RTCP, DTLS, STUN and what is too short or of another version', (t) => {
  t.true(isRtp(Buffer.from(PLAIN)))
  for (const type of [192, 200, 208, 223]) t.false(isRtp(Buffer.from([0x80, type, ...PLAIN.slice(2)])))
  for (const first of [0, 22, 63, 64, 127, 192, 255]) t.false(isRtp(Buffer.from([first, ...PLAIN.slice(1)])))
  t.false(isRtp(Buffer.from(PLAIN.slice(1))))
  t.false(isRtp(Buffer.alloc(0)))
})
