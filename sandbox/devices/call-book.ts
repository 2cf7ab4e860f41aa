import { describeMedia } from '../../src/domain/call-media.ts'
import type { BridgeOps } from '../../src/domain/device-bridge.ts'
import type { CallMedia } from '../../src/domain/call-media.ts'
import type { Clock } from '../../src/ports/clock.ts'
import { calleeBehaviour, isRegistered, LINE, type Voice } from './behaviours.ts'
import { openCall, type CallParts, type DeviceCall } from './call.ts'
import type { Sounds } from './phone-opus.ts'
import { createTicker } from './phone-ticker.ts'
import { isAudioSdp } from './phone-webrtc.ts'
import { BridgeRefusal } from './refusal.ts'
import type { DeviceSession } from './session.ts'

/** our choice: this many ended calls stay readable with what their phones heard; the oldest go first. */
const MAX_ENDED_CALLS = 200

/** All calls of the device network. */
export class CallBook {
  readonly #calls = new Map<string, DeviceCall>()
  readonly #media: Omit<CallParts, 'emit'>
  readonly #linked: (number: string) => readonly DeviceSession[]

  /** `linked` finds the open sessions of a phone number, the newest first. */
  constructor(clock: Clock, sounds: Sounds, linked: (number: string) => readonly DeviceSession[]) {
    this.#linked = linked
    this.#media = { clock, ticker: createTicker(clock), sounds }
  }

  /**
   * Places a call of a gateway number. Answers the call and the function that lets it ring, once the gateway knows its
   * id.
   */
  async place(
    session: DeviceSession,
    to: string,
    media: CallMedia,
    callRef: string | null,
  ): Promise<{ call: DeviceCall; ring: () => void }> {
    const callee = this.#linked(to).find(({ numberId }) => numberId !== session.numberId)
    if (!callee && !isRegistered(to))
      throw new BridgeRefusal('NOT_REGISTERED', 'This number has no account on the device network')
    assertAudio(media)
    const behaviour = callee ? LINE : calleeBehaviour(to)
    const ends = { direction: 'OUTBOUND', numberId: session.numberId, from: session.number, to, callRef } as const
    const call = await openCall(ends, behaviour.voice, behaviour.hangupAfterMs, this.#partsFor(session), media.kind)
    this.#add(call)
    const offer = describeMedia(media)
    if (!callee) return { call, ring: () => call.ringPeer(offer, behaviour) }
    return { call, ring: () => void this.#ringNumber(call, callee, offer) }
  }

  /** Places a call of a peer to a gateway number. */
  async callGateway(
    session: DeviceSession,
    from: string,
    voice: Voice,
    hangupAfterMs: number | null,
  ): Promise<DeviceCall> {
    const ends = { direction: 'INBOUND', numberId: session.numberId, from, to: session.number, callRef: null } as const
    const call = await openCall(ends, voice, hangupAfterMs, this.#partsFor(session), session.callMedia)
    this.#add(call)
    await call.ringGateway()
    return call
  }

  async accept(session: DeviceSession, callId: string, media: CallMedia): Promise<void> {
    const call = this.#ringingInbound(session, callId)
    assertAudio(media)
    try {
      await call.accept(describeMedia(media))
    } catch {
      throw new BridgeRefusal('INVALID', 'The session description was not accepted')
    }
  }

  /** Answers the function that declines, to be called once the gateway has its answer. */
  reject(session: DeviceSession, callId: string): () => void {
    const call = this.#ringingInbound(session, callId)
    return () => call.end('declined')
  }

  /** Ending a call that has ended does nothing: both sides may hang up at once. */
  terminate(session: DeviceSession, which: { readonly callId: string } | { readonly callRef: string }): () => void {
    const call = 'callId' in which ? this.#own(session, which.callId) : this.#ofRef(session, which.callRef)
    return () => call.hangup('gateway')
  }

  /** The calls of a number that have not ended, oldest first. */
  liveOf({ numberId }: DeviceSession): BridgeOps['calls.list']['result'] {
    return this.list().flatMap(({ id, callRef, state, ...call }) =>
      call.numberId === numberId && state !== 'ENDED' ? [{ callId: id, callRef, state }] : [],
    )
  }

  find(callId: string): DeviceCall | null {
    return this.#calls.get(callId) ?? null
  }

  list(): DeviceCall[] {
    return [...this.#calls.values()]
  }

  /** Ends every live call of a number, as when its device is unlinked. */
  endAll(numberId: string): void {
    for (const call of this.#calls.values()) if (call.numberId === numberId) call.end('failed')
  }

  reset(): void {
    for (const call of this.#calls.values()) call.close()
    this.#calls.clear()
  }

  /** Rings a number of the network that another one calls. */
  async #ringNumber(call: DeviceCall, callee: DeviceSession, offer: string): Promise<void> {
    const { numberId, number: to, callMedia } = callee
    const ends = { direction: 'INBOUND', numberId, from: call.from, to, callRef: null } as const
    const inbound = await openCall(ends, LINE.voice, null, this.#partsFor(callee), callMedia)
    this.#add(inbound)
    await call.ringNumber(offer, inbound)
  }

  #partsFor(session: DeviceSession): CallParts {
    return { ...this.#media, emit: (event) => session.emit(event) }
  }

  #add(call: DeviceCall): void {
    const ended = [...this.#calls.values()].filter(({ state }) => state === 'ENDED')
    for (const old of ended.slice(0, Math.max(0, ended.length - MAX_ENDED_CALLS + 1))) this.#calls.delete(old.id)
    this.#calls.set(call.id, call)
  }

  #own(session: DeviceSession, callId: string): DeviceCall {
    const call = this.#calls.get(callId)
    if (!call || call.numberId !== session.numberId) throw new BridgeRefusal('UNKNOWN_CALL', 'There is no such call')
    return call
  }

  /** The call that the gateway placed under its own id `callRef`. */
  #ofRef(session: DeviceSession, callRef: string): DeviceCall {
    const call = this.list().find((known) => known.callRef === callRef && known.numberId === session.numberId)
    if (!call) throw new BridgeRefusal('UNKNOWN_CALL', 'There is no such call')
    return call
  }

  #ringingInbound(session: DeviceSession, callId: string): DeviceCall {
    const call = this.#own(session, callId)
    if (call.direction === 'OUTBOUND')
      throw new BridgeRefusal('INVALID', 'Only an inbound call can be accepted or rejected')
    if (call.state === 'ENDED') throw new BridgeRefusal('UNKNOWN_CALL', 'The call is over')
    if (call.state === 'CONNECTED') throw new BridgeRefusal('INVALID', 'The call is already connected')
    return call
  }
}

function assertAudio(media: CallMedia): void {
  if (media.kind === 'webrtc') {
    if (!isAudioSdp(media.sdp)) throw new BridgeRefusal('INVALID', 'The session description offers no Opus audio')
  } else if (media.url === undefined) {
    throw new BridgeRefusal('INVALID', 'The phones of the sandbox connect: the other side names the url')
  }
}
