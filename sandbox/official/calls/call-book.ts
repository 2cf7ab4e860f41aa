import { z } from 'zod'
import { calleeBehaviour, isRegistered, type CalleeBehaviour, type Voice } from '../../devices/behaviours.ts'
import type { Acted } from '../http/acted.ts'
import { GraphError, invalid } from '../http/graph-error.ts'
import type { OfficialNumber } from '../registry/registry.ts'
import { openOfficialCall, type OfficialCall, type OfficialCallParts } from './call.ts'
import { isCallingEnabled, isSipEnabled } from './calling-settings.ts'
import { assertSdp } from './offer-text.ts'
import type { Permissions } from './permissions.ts'

/** A user who calls gives up after 45 s, in the middle of the 30 to 60 s that upstream allows for an accept. */
const USER_PATIENCE_MS = 45_000
/** our choice: a user's phone rings 90 s at most, longer than the gateway's own 60 s ([calls.states.6]). */
const RING_MS = 90_000
const MAX_CONCURRENT = 1_000
const MAX_STARTED_PER_DAY = 10_000
const DAY_MS = 86_400_000
/** our choice: this many ended calls stay readable with what their phones heard; the oldest go first. */
const MAX_ENDED_CALLS = 200

const sessionSchema = z.object({ sdp_type: z.string(), sdp: z.string().min(1) })
const bizDataSchema = z.string().max(512).optional()
const callIdSchema = z.string().min(1)
const actionSchema = z.discriminatedUnion('action', [
  z.object({
    action: z.literal('connect'),
    to: z.string().optional(),
    recipient: z.string().optional(),
    session: sessionSchema,
    biz_opaque_callback_data: bizDataSchema,
  }),
  z.object({ action: z.literal('pre_accept'), call_id: callIdSchema, session: sessionSchema }),
  z.object({
    action: z.literal('accept'),
    call_id: callIdSchema,
    session: sessionSchema,
    biz_opaque_callback_data: bizDataSchema,
  }),
  z.object({ action: z.literal('reject'), call_id: callIdSchema }),
  z.object({ action: z.literal('terminate'), call_id: callIdSchema }),
])
type CallAction = z.infer<typeof actionSchema>
type ActionOf<Name extends CallAction['action']> = Extract<CallAction, { action: Name }>

const SUCCESS = { messaging_product: 'whatsapp', success: true }

/** All calls of the official platform. */
export class OfficialCallBook {
  readonly #calls = new Map<string, OfficialCall>()
  readonly #permissions: Permissions
  readonly #parts: OfficialCallParts
  /** Times of started calls, ms since the epoch, by phone id. */
  readonly #started = new Map<string, number[]>()

  constructor(permissions: Permissions, parts: OfficialCallParts) {
    this.#permissions = permissions
    this.#parts = parts
  }

  /** Handles the body of `POST /{phoneId}/calls`. */
  async act(number: OfficialNumber, body: unknown): Promise<Acted> {
    const parsed = actionSchema.safeParse(body)
    if (!parsed.success)
      throw invalid(parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; '))
    if (isSipEnabled(number))
      throw new GraphError(131055, { details: 'Call actions are not allowed while SIP is enabled on the number' })
    const action = parsed.data
    switch (action.action) {
      case 'connect':
        return await this.#connect(number, action)
      case 'pre_accept':
      case 'accept':
        return await this.#accept(number, action)
      case 'reject':
        return this.#reject(number, action.call_id)
      case 'terminate': {
        const call = this.#own(number, action.call_id)
        return { body: SUCCESS, after: () => call.hangup('gateway') }
      }
    }
  }

  /** A user calls a number; null when its calling is not enabled. */
  async callNumber(
    number: OfficialNumber,
    user: string,
    voice: Voice,
    hangupAfterMs: number | null,
  ): Promise<OfficialCall | null> {
    if (!isCallingEnabled(number) || isSipEnabled(number)) return null
    const call = await openOfficialCall(
      { number, user, direction: 'USER_INITIATED', bizData: null },
      voice,
      hangupAfterMs,
      this.#parts,
    )
    this.#add(call)
    const sdp = await call.phone.offer()
    this.#permissions.openWindow(number, user)
    call.postConnect('offer', sdp, [this.#parts.names.contactOf(user)])
    call.after(USER_PATIENCE_MS, () => call.end('timeout'))
    return call
  }

  find(callId: string): OfficialCall | null {
    return this.#calls.get(callId) ?? null
  }

  list(): OfficialCall[] {
    return [...this.#calls.values()]
  }

  reset(): void {
    for (const call of this.#calls.values()) call.close()
    this.#calls.clear()
    this.#started.clear()
  }

  async #connect(
    number: OfficialNumber,
    { to, recipient, session, biz_opaque_callback_data }: ActionOf<'connect'>,
  ): Promise<Acted> {
    if (to === undefined && recipient === undefined) throw invalid('to: is required, or recipient')
    const user = this.#parts.names.read(to, recipient)
    if (session.sdp_type !== 'offer') throw invalid('session.sdp_type: has to be offer')
    assertSdp(session.sdp)
    this.#assertStartable(number, user)
    const behaviour = calleeBehaviour(user)
    const ends = { number, user, direction: 'BUSINESS_INITIATED', bizData: biz_opaque_callback_data ?? null } as const
    const call = await openOfficialCall(ends, behaviour.voice, behaviour.hangupAfterMs, this.#parts)
    this.#add(call)
    return {
      body: { messaging_product: 'whatsapp', calls: [{ id: call.id }] },
      after: () => ring(call, session.sdp, behaviour),
    }
  }

  async #accept(number: OfficialNumber, action: ActionOf<'accept'> | ActionOf<'pre_accept'>): Promise<Acted> {
    const call = this.#ringing(number, action.call_id)
    if (action.session.sdp_type !== 'answer') throw invalid('session.sdp_type: has to be answer')
    assertSdp(action.session.sdp)
    if (call.answerSdp !== null && call.answerSdp !== action.session.sdp)
      throw invalid('session.sdp: has to be the one of pre_accept')
    await call.takeAnswer(action.session.sdp)
    if (action.action === 'pre_accept') return { body: SUCCESS }
    call.bizData = action.biz_opaque_callback_data ?? call.bizData
    call.connected()
    return { body: SUCCESS }
  }

  #reject(number: OfficialNumber, callId: string): Acted {
    const call = this.#ringing(number, callId)
    return { body: SUCCESS, after: () => call.end('declined') }
  }

  /** Applies the rules of business-initiated calls, in the order in which upstream tells them. */
  #assertStartable(number: OfficialNumber, user: string): void {
    if (!isCallingEnabled(number))
      throw new GraphError(138000, { details: 'Calling is not enabled for this phone number' })
    if (!number.canBusinessCall)
      throw new GraphError(138013, {
        details: 'Business-initiated calling is not available in the country of this number',
      })
    if (!isRegistered(user)) throw new GraphError(138001, { details: 'The receiver cannot be called' })
    this.#permissions.assertCallable(number, user)
    const live = this.list().filter((call) => call.number === number && call.state !== 'ENDED')
    if (live.some((call) => call.user === user))
      throw new GraphError(138003, { details: 'A call with this user is in progress' })
    if (live.length >= MAX_CONCURRENT)
      throw new GraphError(138002, { details: `Only ${MAX_CONCURRENT} concurrent calls are allowed` })
    const now = this.#parts.platformClock.now()
    const started = (this.#started.get(number.phoneId) ?? []).filter((time) => time > now - DAY_MS)
    if (started.length >= MAX_STARTED_PER_DAY)
      throw new GraphError(138005, { details: `Only ${MAX_STARTED_PER_DAY} calls can be started in 24 hours` })
    this.#started.set(number.phoneId, [...started, now])
  }

  #add(call: OfficialCall): void {
    const ended = this.list().filter(({ state }) => state === 'ENDED')
    for (const old of ended.slice(0, Math.max(0, ended.length - MAX_ENDED_CALLS + 1))) this.#calls.delete(old.id)
    this.#calls.set(call.id, call)
  }

  #own(number: OfficialNumber, callId: string): OfficialCall {
    const call = this.#calls.get(callId)
    if (!call || call.number !== number) throw invalid('call_id: there is no such call')
    return call
  }

  #ringing(number: OfficialNumber, callId: string): OfficialCall {
    const call = this.#own(number, callId)
    if (call.isByBusiness) throw invalid('call_id: only a call of a user can be accepted or rejected')
    if (call.state !== 'RINGING') throw invalid('call_id: the call is not ringing any more')
    return call
  }
}

/** Rings the user's phone, which does what its number says. */
function ring(call: OfficialCall, sdpOffer: string, { ringMs, outcome }: CalleeBehaviour): void {
  if (call.state !== 'RINGING') return
  call.postStatus('RINGING')
  call.after(ringMs ?? RING_MS, () => {
    if (ringMs === null) call.end('timeout')
    else if (outcome === 'answer') call.answer(sdpOffer).catch(() => call.end('failed'))
    else call.end(outcome === 'decline' ? 'declined' : 'failed')
  })
}
