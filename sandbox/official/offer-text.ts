import { randomBytes } from 'node:crypto'
import { isAudioSdp } from '../devices/phone-webrtc.ts'
import { invalid } from './graph-error.ts'

/** Refuses what is no session description for one Opus stream over DTLS (100). */
export function assertSdp(sdp: string): void {
  if (!isAudioSdp(sdp)) throw invalid('SDP validation error: the session description has no Opus audio')
  if (!/^a=fingerprint:/m.test(sdp)) throw invalid('SDP validation error: no fingerprint found in SDP')
}

/**
 * Adds what a description lacks to be answered: the lines for ICE, mid and multiplexing. Media cannot flow
 * with a far end that left them out, but the call as such goes on.
 */
export function completeSdp(sdp: string): string {
  const lacking = [
    ...(/^a=mid:/m.test(sdp) ? [] : ['a=mid:0']),
    ...(/^a=ice-ufrag:/m.test(sdp) ? [] : [`a=ice-ufrag:${randomBytes(3).toString('hex')}`]),
    ...(/^a=ice-pwd:/m.test(sdp) ? [] : [`a=ice-pwd:${randomBytes(12).toString('hex')}`]),
    ...(/^a=rtcp-mux/m.test(sdp) ? [] : ['a=rtcp-mux']),
  ]
  return lacking.length === 0 ? sdp : `${sdp.trimEnd()}\r\n${lacking.join('\r\n')}\r\n`
}
