import { randomBytes } from 'node:crypto'
import { readDescription } from '../../src/domain/call-media.ts'
import type { BridgeEvent, CallEndReason } from '../../src/domain/device-bridge.ts'
import type { CallMedia } from '../../src/domain/call-media.ts'
import type { CallMediaKind } from '../../src/domain/call-media.ts'
import type { Clock, Timer } from '../../src/ports/clock.ts'
import type { CalleeBehaviour, Voice } from './behaviours.ts'
import { Phone, type PhoneParts } from './phone.ts'

/** our choice: a peer that calls lets it ring 90 s, longer than the gateway's own 60 s ([calls.states.6]). */
const PEER_PATIENCE_MS = 90_000

export type CallState = 'RINGING' | 'CONNECTED' | 'ENDED'

export interface CallParts extends Omit<PhoneParts, 'lost'> {
  readonly clock: Clock
  /** Sends an event to the gateway, on the session of the number. */
  emit(event: BridgeEvent): void
}

export interface CallEnds {
  readonly direction: 'INBOUND' | 'OUTBOUND'
  readonly numberId: string
  /** Digits. */
  readonly from: string
  readonly to: string
  /** The gateway's own id of a call that it places; null when it gave none. */
  readonly callRef: string | null
}

/** One call between a gateway number and a peer's phone. Every call ends with exactly one `call.ended`. */
export class DeviceCall {
  readonly id = randomBytes(16).toString('hex').toUpperCase()
  readonly direction: 'INBOUND' | 'OUTBOUND'
  readonly numberId: string
  readonly from: string
  readonly to: string
  readonly callRef: string | null
  readonly createdAtMs: number
  readonly phone: Phone
  state: CallState = 'RINGING'
  /** Ms since the epoch. */
  answeredAtMs: number | null = null
  endedAtMs: number | null = null
  reason: CallEndReason | null = null
  readonly #parts: CallParts
  #hangupAfterMs: number | null
  /** The call at the other end, when a number calls another one; and the offer that its answer answers. */
  #line: { readonly other: DeviceCall; readonly offer: string | null } | null = null
  #timer: Timer | null = null

  constructor(ends: CallEnds, phone: Phone, hangupAfterMs: number | null, parts: CallParts) {
    this.direction = ends.direction
    this.numberId = ends.numberId
    this.from = ends.from
    this.to = ends.to
    this.callRef = ends.callRef
    this.createdAtMs = parts.clock.now()
    this.#parts = parts
    this.#hangupAfterMs = hangupAfterMs
    this.phone = phone
  }

  /** Rings the peer of an outbound call, which does what its number says. */
  ringPeer(offer: string, behaviour: CalleeBehaviour): void {
    if (this.state !== 'RINGING') return
    this.#parts.emit({ ev: 'call.ringing', callId: this.id })
    if (behaviour.ringMs === null) return
    this.#after(behaviour.ringMs, () => {
      if (behaviour.outcome === 'answer') void this.#answer(offer)
      else this.end(behaviour.outcome === 'decline' ? 'declined' : 'failed')
    })
  }

  /** Rings another number of the network: both calls are ends of one line then, which one end ends for both. */
  async ringNumber(offer: string, callee: DeviceCall): Promise<void> {
    if (this.state !== 'RINGING') return
    this.#line = { other: callee, offer }
    callee.#line = { other: this, offer: null }
    this.phone.join(callee.phone)
    this.#parts.emit({ ev: 'call.ringing', callId: this.id })
    await callee.ringGateway()
  }

  /** The number that was rung answers. */
  async answerLine(): Promise<void> {
    if (this.#line?.offer) await this.#answer(this.#line.offer)
  }

  /** Tells the gateway of an inbound call; it has until the peer gives up. */
  async ringGateway(): Promise<void> {
    const media = mediaOf(await this.phone.offer())
    if (this.#isOver()) return
    this.#parts.emit({ ev: 'call.incoming', callId: this.id, from: this.from, media })
    this.#after(PEER_PATIENCE_MS, () => this.end('canceled'))
  }

  /** The gateway accepted an inbound call with its answer. Throws when the answer cannot be applied. */
  async accept(answer: string): Promise<void> {
    await this.phone.connect(answer)
    if (this.#isOver()) return
    this.#connected()
    await this.#line?.other.answerLine()
  }

  /** Hangs up. The reason of the end depends on who hangs up and on the state of the call. */
  hangup(by: 'gateway' | 'peer'): void {
    if (this.state === 'CONNECTED') return this.end('hangup')
    const isCaller = (by === 'gateway') === (this.direction === 'OUTBOUND')
    this.end(isCaller ? 'canceled' : 'declined')
  }

  /** Ends the call. Idempotent. */
  end(reason: CallEndReason): void {
    if (this.#isOver()) return
    this.close()
    this.reason = reason
    this.#parts.emit({ ev: 'call.ended', callId: this.id, reason })
    this.#line?.other.end(reason)
  }

  /** Ends the call without an event, for a reset. */
  close(): void {
    this.#timer?.cancel()
    this.phone.close()
    this.state = 'ENDED'
    this.endedAtMs ??= this.#parts.clock.now()
  }

  async #answer(offer: string): Promise<void> {
    try {
      const media = mediaOf(await this.phone.answer(offer))
      if (this.#isOver()) return
      this.#connected()
      this.#parts.emit({ ev: 'call.answered', callId: this.id, media })
    } catch {
      this.end('failed')
    }
  }

  #connected(): void {
    this.state = 'CONNECTED'
    this.answeredAtMs = this.#parts.clock.now()
    this.phone.start()
    this.#timer?.cancel()
    if (this.#hangupAfterMs !== null) this.#after(this.#hangupAfterMs, () => this.end('hangup'))
  }

  #after(delayMs: number, act: () => void): void {
    this.#timer?.cancel()
    this.#timer = this.#parts.clock.after(delayMs, act)
  }

  #isOver(): boolean {
    return this.state === 'ENDED'
  }
}

/** The description of a leg in the form of the bridge. */
function mediaOf(description: string): CallMedia {
  return readDescription(description) ?? { kind: 'webrtc', sdp: description }
}

/**
 * Makes a call that rings nowhere yet. `voice` and `hangupAfterMs` are the peer's; the latter counts from the answer.
 */
export async function openCall(
  ends: CallEnds,
  voice: Voice,
  hangupAfterMs: number | null,
  parts: CallParts,
  kind: CallMediaKind = 'webrtc',
): Promise<DeviceCall> {
  const phone = await Phone.open(voice, { ...parts, lost: () => call.end('failed') }, kind)
  const call: DeviceCall = new DeviceCall(ends, phone, hangupAfterMs, parts)
  return call
}
