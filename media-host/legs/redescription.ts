import type { VoiceCandidate, VoiceDescription } from '../../src/domain/sdp/voice-description.ts'
import type { AgreedTypes } from './transport.ts'

/**
 * Why a leg cannot go on by a further description of its peer; null when it can. Other credentials or another
 * certificate begin a new connection, which needs an answer of ours (RFC 8839 section 4.4.3): no way leads that answer
 * to a peer that is in the call.
 */
export function changeFault(now: VoiceDescription, next: VoiceDescription): string | null {
  if (now.ufrag !== next.ufrag || now.password !== next.password) return 'has other ICE credentials'
  const known = now.fingerprints.map(({ type, hash }) => `${type} ${hash}`)
  return next.fingerprints.some(({ type, hash }) => known.includes(`${type} ${hash}`))
    ? null
    : 'has a fingerprint of another certificate'
}

/** What packets are from now on, by a description of the peer that goes on with the formats that were agreed. */
export function typesOf({ opus, events, direction }: VoiceDescription): AgreedTypes {
  const event = events.find(({ rateHz }) => rateHz === 48_000) ?? events[0]
  return {
    opus: opus.payload,
    event: event ? { type: event.payload, clockHz: event.rateHz } : null,
    eventClocks: new Map(events.map(({ payload, rateHz }) => [payload, rateHz])),
    isPeerSilent: direction === 'recvonly',
  }
}

/** The addresses that a description has and the one before it has not. */
export function newCandidates(now: VoiceDescription, next: VoiceDescription): VoiceCandidate[] {
  const known = new Set(now.candidates.map(({ ip, port }) => `${ip} ${port}`))
  return next.candidates.filter(({ ip, port }) => !known.has(`${ip} ${port}`))
}
