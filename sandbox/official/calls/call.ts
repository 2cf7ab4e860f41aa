import { randomBytes } from 'node:crypto'
import type { Clock, Timer } from '../../../src/ports/clock.ts'
import type { Voice } from '../../devices/behaviours.ts'
import { Phone, type PhoneParts } from '../../devices/phone.ts'
import type { OfficialNumber } from '../registry/registry.ts'
import type { UserNames } from '../registry/user-names.ts'
import { seconds, webhookError } from '../webhooks/changes.ts'
import { completeSdp } from './offer-text.ts'

/** Ms without media, after the answer and later on, after which the watchdog ends a call. */
const FIRST_MEDIA_MS = 20_000
const LATER_MEDIA_MS = 30_000

export type CallEnd = 'hangup' | 'declined' | 'canceled' | 'timeout' | 'failed' | 'no_media'

export interface OfficialCallParts extends Omit<PhoneParts, 'lost'> {
  /** The platform's time, which webhooks show and timers run by. The media runs by `clock`. */
  readonly platformClock: Clock
  readonly names: UserNames
  /** Posts a change of field `calls`. */
  post(number: OfficialNumber, parts: object): void
  answered(call: OfficialCall): void
  ended(call: OfficialCall): void
}

/** What a further description of the platform says otherwise. */
export interface Redescription {
  /** The number of Opus packets, by which the phone goes then; null keeps it. */
  readonly opusType?: number | null
  readonly codec: 'opus' | 'PCMU'
  readonly newCredentials: boolean
}

export interface OfficialCallEnds {
  readonly number: OfficialNumber
  /** Digits. */
  readonly user: string
  readonly direction: 'BUSINESS_INITIATED' | 'USER_INITIATED'
  readonly bizData: string | null
}

function newCallId(): string {
  return `wacid.HBg${randomBytes(24).toString('base64url').replaceAll(/[-_]/g, 'A')}`
}

/** One call between a number of the platform and a user's phone. Every call ends with exactly one `terminate`. */
export class OfficialCall {
  readonly id = newCallId()
  readonly number: OfficialNumber
  readonly user: string
  readonly isByBusiness: boolean
  readonly phone: Phone
  bizData: string | null
  state: 'RINGING' | 'CONNECTED' | 'ENDED' = 'RINGING'
  /** The business's answer, once pre-accepted or accepted; null before. */
  answerSdp: string | null = null
  /** Ms since the epoch by the clock of the media. */
  readonly createdAtMs: number
  answeredAtMs: number | null = null
  endedAtMs: number | null = null
  reason: CallEnd | null = null
  readonly #parts: OfficialCallParts
  #hangupAfterMs: number | null
  #timer: Timer | null = null
  #watchdog: Timer | null = null
  /** Ms since the epoch by the platform's clock. */
  #startedAtMs: number | null = null

  constructor(ends: OfficialCallEnds, phone: Phone, hangupAfterMs: number | null, parts: OfficialCallParts) {
    this.number = ends.number
    this.user = ends.user
    this.isByBusiness = ends.direction === 'BUSINESS_INITIATED'
    this.bizData = ends.bizData
    this.phone = phone
    this.createdAtMs = parts.clock.now()
    this.#parts = parts
    this.#hangupAfterMs = hangupAfterMs
  }

  get direction(): 'INBOUND' | 'OUTBOUND' {
    return this.isByBusiness ? 'OUTBOUND' : 'INBOUND'
  }

  get from(): string {
    return this.isByBusiness ? this.number.number : this.user
  }

  get to(): string {
    return this.isByBusiness ? this.user : this.number.number
  }

  get numberId(): string {
    return this.number.phoneId
  }

  /** Posts `connect` with the platform's side of the media. */
  postConnect(sdpType: 'offer' | 'answer', sdp: string, contacts?: readonly object[]): void {
    this.#parts.post(this.number, {
      ...(contacts ? { contacts } : {}),
      calls: [{ ...this.#identity('connect'), session: { sdp_type: sdpType, sdp } }],
    })
  }

  /**
   * Describes the platform's side anew, as it was but for what is named; null when nothing is described yet. With
   * `codec` PCMU, or other credentials, only the description says so: the phone goes on as it was.
   */
  describeAgain({ opusType = null, codec, newCredentials }: Redescription): string | null {
    const own = this.phone.renumber(opusType)
    if (this.state === 'ENDED' || own === null) return null
    const spoken = codec === 'PCMU' ? own.replaceAll(/opus\/48000(\/2)?/gi, 'PCMU/8000') : own
    const sdp = newCredentials ? spoken.replaceAll(/^(a=ice-(?:ufrag|pwd):)/gm, '$1again') : spoken
    this.postConnect(
      this.isByBusiness ? 'answer' : 'offer',
      sdp,
      this.isByBusiness ? undefined : [this.#parts.names.contactOf(this.user)],
    )
    return sdp
  }

  /** Posts RINGING, ACCEPTED or REJECTED of a business-initiated call. */
  postStatus(status: 'RINGING' | 'ACCEPTED' | 'REJECTED'): void {
    this.#parts.post(this.number, {
      statuses: [
        {
          id: this.id,
          type: 'call',
          status,
          timestamp: seconds(this.#parts.platformClock.now()),
          ...this.#parts.names.under('recipient_id', 'recipient_user_id', this.user),
          ...this.#echoedData(),
        },
      ],
    })
  }

  /** Lets the user's phone answer the business's offer; a description without reachable media is answered too. */
  async answer(sdpOffer: string): Promise<void> {
    const sdp = await this.phone.answer(completeSdp(sdpOffer))
    if (this.#isOver()) return
    this.connected()
    this.postConnect('answer', sdp)
    this.postStatus('ACCEPTED')
  }

  /** Takes the business's answer, once. A description that carries no media leaves the call without sound. */
  async takeAnswer(sdpAnswer: string): Promise<void> {
    if (this.answerSdp !== null) return
    this.answerSdp = sdpAnswer
    await this.phone.connect(completeSdp(sdpAnswer)).catch(() => {})
  }

  /** Marks the call connected: media flows from here on. */
  connected(): void {
    if (this.state !== 'RINGING') return
    const { clock, platformClock } = this.#parts
    this.state = 'CONNECTED'
    this.answeredAtMs = clock.now()
    this.#startedAtMs = platformClock.now()
    this.phone.start()
    this.#timer?.cancel()
    if (this.#hangupAfterMs !== null) this.after(this.#hangupAfterMs, () => this.end('hangup'))
    if (this.number.hasMediaWatchdog) this.#watch(FIRST_MEDIA_MS, 0)
    this.#parts.answered(this)
  }

  /** Runs `act` later unless the call moved on. */
  after(delayMs: number, act: () => void): void {
    this.#timer?.cancel()
    this.#timer = this.#parts.platformClock.after(delayMs, act)
  }

  /** Hangs up. The reason of the end depends on who hangs up and on the state of the call. */
  hangup(by: 'gateway' | 'peer'): void {
    if (this.state === 'CONNECTED') return this.end('hangup')
    const isCaller = (by === 'gateway') === this.isByBusiness
    this.end(isCaller ? 'canceled' : 'declined')
  }

  /** Ends the call; a declined business-initiated call is posted as a status too. Idempotent. */
  end(reason: CallEnd): void {
    if (this.#isOver()) return
    const isRejected = reason === 'declined' && this.isByBusiness
    this.close()
    this.reason = reason
    if (isRejected) this.postStatus('REJECTED')
    this.#parts.post(this.number, { calls: [this.#terminate(reason)], ...errorsOf(reason) })
    this.#parts.ended(this)
  }

  /** Ends the call without a webhook, for a reset. */
  close(): void {
    this.#timer?.cancel()
    this.#watchdog?.cancel()
    this.phone.close()
    this.state = 'ENDED'
    this.endedAtMs ??= this.#parts.clock.now()
  }

  #watch(delayMs: number, packetsBefore: number): void {
    this.#watchdog = this.#parts.platformClock.after(delayMs, () => {
      const { packets } = this.phone.ear.heard()
      if (packets > packetsBefore) this.#watch(LATER_MEDIA_MS, packets)
      else this.end('no_media')
    })
  }

  #identity(event: 'connect' | 'terminate'): object {
    const { names } = this.#parts
    return {
      id: this.id,
      ...(this.isByBusiness
        ? { from: this.from, ...names.under('to', 'to_user_id', this.user) }
        : { ...names.under('from', 'from_user_id', this.user), to: this.to }),
      event,
      timestamp: seconds(this.#parts.platformClock.now()),
      direction: this.isByBusiness ? 'BUSINESS_INITIATED' : 'USER_INITIATED',
      ...this.#echoedData(),
    }
  }

  /** our choice: a call that nobody answered ends as FAILED; upstream has been seen to say both. */
  #terminate(reason: CallEnd): object {
    const endedAtMs = this.#parts.platformClock.now()
    const startedAtMs = this.#startedAtMs
    return {
      ...this.#identity('terminate'),
      status: reason === 'hangup' ? 'COMPLETED' : 'FAILED',
      ...(startedAtMs === null
        ? {}
        : {
            start_time: seconds(startedAtMs),
            end_time: seconds(endedAtMs),
            duration: Math.round((endedAtMs - startedAtMs) / 1_000),
          }),
    }
  }

  #echoedData(): object {
    return this.bizData === null ? {} : { biz_opaque_callback_data: this.bizData }
  }

  #isOver(): boolean {
    return this.state === 'ENDED'
  }
}

function errorsOf(reason: CallEnd): object {
  if (reason === 'failed') return { errors: [webhookError(138019, 'The call could not be set up on the client')] }
  if (reason === 'no_media') return { errors: [webhookError(138021, 'No media was received from the business')] }
  return {}
}

/** Makes a call that rings nowhere yet. Broken media leaves the call up: the business has to terminate it. */
export async function openOfficialCall(
  ends: OfficialCallEnds,
  voice: Voice,
  hangupAfterMs: number | null,
  parts: OfficialCallParts,
): Promise<OfficialCall> {
  const phone = await Phone.open(voice, { ...parts, lost: () => {} }, 'platform')
  return new OfficialCall(ends, phone, hangupAfterMs, parts)
}
