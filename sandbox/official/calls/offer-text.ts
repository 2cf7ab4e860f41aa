import { randomBytes } from 'node:crypto'
import { isAudioSdp } from '../../devices/phone-webrtc.ts'
import { invalid } from '../http/graph-error.ts'

/** Refuses (100) a text that is no session description for one Opus stream over DTLS. */
export function assertSdp(sdp: string): void {
  if (!isAudioSdp(sdp)) throw invalid('SDP validation error: the session description has no Opus audio')
  if (!/^a=fingerprint:/m.test(sdp)) throw invalid('SDP validation error: no fingerprint found in SDP')
}

/** Lines that the RTP stack needs; missing ones stand for their defaults (RFC 8866), or for a far end without media. */
const NEEDED: readonly (readonly [RegExp, () => string])[] = [
  [/^a=mid:/m, () => 'a=mid:0'],
  [/^a=(sendrecv|sendonly|recvonly|inactive)\s*$/m, () => 'a=sendrecv'],
  [/^a=rtcp-mux\s*$/m, () => 'a=rtcp-mux'],
  [/^a=ice-ufrag:/m, () => `a=ice-ufrag:${randomBytes(3).toString('hex')}`],
  [/^a=ice-pwd:/m, () => `a=ice-pwd:${randomBytes(12).toString('hex')}`],
]

/**
 * Completes a description so that it can be answered. Media cannot flow with a far end that left out its ICE
 * credentials, but the call goes on.
 */
export function completeSdp(sdp: string): string {
  const lines = sdp.split(/\r?\n/).filter((line) => line !== '')
  const lacking = NEEDED.flatMap(([pattern, make]) => (pattern.test(sdp) ? [] : [make()]))
  return [...lines, ...lacking, ''].join('\r\n')
}
