import { isLive, type Call, type Playback } from '../../../src/domain/call.ts'
import type { NewEvent } from '../../../src/domain/events.ts'
import { newId, type CallId, type NumberId, type TenantId } from '../../../src/domain/ids.ts'
import type { ChannelNumber } from '../../../src/domain/number.ts'
import { storableText } from '../../../src/domain/storable.ts'
import type { Clock } from '../../../src/ports/clock.ts'
import type { Fence } from '../../../src/ports/leases.ts'
import type {
  CallStore,
  CallTransition,
  NewCall,
  TenantCallPage,
  WriteResult,
} from '../../../src/ports/stores/call-store.ts'
import { storable, type MemoryRows } from './rows.ts'

function notNull(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null))
}

/** Calls in memory, with the compare-and-set and the fences of the tables. */
export class MemoryCalls implements CallStore {
  readonly #rows: MemoryRows
  readonly #clock: Clock

  constructor(rows: MemoryRows, clock: Clock) {
    this.#rows = rows
    this.#clock = clock
  }

  /** Adds a call that exists already. */
  add(number: ChannelNumber, fields: Partial<Call>): Call {
    const at = new Date(Date.UTC(2026, 0, 1, 0, 0, this.#rows.calls.size))
    const call: Call = {
      id: newId('call'),
      tenantId: number.tenantId,
      numberId: number.id,
      provider: number.provider,
      externalCallId: null,
      direction: 'OUTBOUND',
      status: 'INITIATED',
      peerNumber: '5511999990001',
      fromNumber: number.number,
      conversationId: null,
      bizOpaqueCallbackData: null,
      startedAt: null,
      connectedAt: null,
      endedAt: null,
      durationSeconds: null,
      errorCode: null,
      errorMessage: null,
      media: null,
      sdpOffer: null,
      sdpAnswer: null,
      playback: [],
      mediaHost: null,
      recording: null,
      createdAt: at,
      updatedAt: at,
      ...fields,
    }
    this.#rows.calls.set(call.id, call)
    return call
  }

  async insert(fence: Fence, call: NewCall, events: readonly NewEvent[]): Promise<WriteResult> {
    if (call.numberId !== fence.numberId) throw new Error('the fence belongs to another number than the call')
    return this.#rows.write('insert', fence, () => {
      if (
        this.#isTaken(call)
        || this.#rows.calls.has(call.id)
        || this.#rows.numbers.get(call.numberId)?.tenantId !== call.tenantId
      )
        return 'conflict'
      const now = new Date(this.#clock.now())
      this.#rows.calls.set(call.id, {
        connectedAt: null,
        endedAt: null,
        durationSeconds: null,
        errorCode: null,
        errorMessage: null,
        playback: [],
        mediaHost: null,
        createdAt: now,
        updatedAt: now,
        ...storable(call),
      })
      this.#rows.tell(call.numberId, events, this.#clock.now())
      return 'applied'
    })
  }

  transition(fence: Fence, move: CallTransition): Promise<WriteResult> {
    return this.#rows.write(`move ${move.to}`, fence, () => {
      const row = this.#own(fence, move.callId)
      if (!row || !isLive(row.status) || !move.from.includes(row.status)) return 'conflict'
      this.#rows.tell(row.numberId, move.events, this.#clock.now())
      return this.#patch(fence, move.callId, { ...move.patch, status: move.to })
    })
  }

  setExternalId(
    fence: Fence,
    callId: CallId,
    externalCallId: string,
    mediaHost: string | null,
    sdpOffer: string | null = null,
  ): Promise<WriteResult> {
    return this.#rows.write('external id', fence, () =>
      this.#patch(fence, callId, { externalCallId, mediaHost, ...(sdpOffer === null ? {} : { sdpOffer }) }),
    )
  }

  savePlayback(fence: Fence, callId: CallId, playback: readonly Playback[]): Promise<WriteResult> {
    return this.#rows.write('playback', fence, () => this.#patch(fence, callId, { playback }))
  }

  remove(fence: Fence, callId: CallId): Promise<WriteResult> {
    return this.#rows.write('remove', fence, () =>
      this.#own(fence, callId) && this.#rows.calls.delete(callId) ? 'applied' : 'conflict',
    )
  }

  async find(numberId: NumberId, anyId: string): Promise<Call | null> {
    const id = storableText(anyId)
    const own = this.#of(numberId)
    return own.find((row) => row.id === id) ?? own.find((row) => row.externalCallId === id) ?? null
  }

  async list(
    numberId: NumberId,
    { limit, before }: { readonly limit: number; readonly before: Date | null },
  ): Promise<Call[]> {
    return this.#of(numberId)
      .filter(({ createdAt }) => !before || createdAt < before)
      .toReversed()
      .toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime())
      .slice(0, limit)
  }

  async listOfTenant(tenantId: TenantId, page: TenantCallPage): Promise<Call[] | null> {
    const { before, limit, numberId, status, direction, peerNumber } = page
    const wanted = { tenantId, ...notNull({ numberId, status, direction, peerNumber }) }
    const sorted = [...this.#rows.calls.values()]
      .filter((call) => call.tenantId === tenantId)
      .toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1))
    const at = sorted.findIndex(({ id }) => id === before)
    if (before !== null && at === -1) return null
    return sorted
      .slice(at + 1)
      .filter((call) => Object.entries(wanted).every(([name, value]) => call[name as keyof Call] === value))
      .slice(0, limit)
  }

  async findOfTenant(tenantId: TenantId, callId: CallId): Promise<Call | null> {
    const call = this.#rows.calls.get(callId)
    return call?.tenantId === tenantId ? call : null
  }

  async listLive(numberId: NumberId): Promise<Call[]> {
    return this.#of(numberId)
      .filter(({ status }) => isLive(status))
      .toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime())
  }

  #of(numberId: NumberId): Call[] {
    return [...this.#rows.calls.values()].filter((row) => row.numberId === numberId)
  }

  #own(fence: Fence, callId: CallId): Call | null {
    const row = this.#rows.calls.get(callId)
    return row?.numberId === fence.numberId ? row : null
  }

  #isTaken(call: Pick<Call, 'id' | 'numberId' | 'externalCallId'>): boolean {
    return (
      call.externalCallId !== null
      && this.#of(call.numberId).some((row) => row.id !== call.id && row.externalCallId === call.externalCallId)
    )
  }

  #patch(fence: Fence, callId: CallId, patch: Partial<Call>): WriteResult {
    const row = this.#own(fence, callId)
    if (!row) return 'conflict'
    const changed = { ...row, ...storable(patch), updatedAt: new Date(this.#clock.now()) }
    if (this.#isTaken(changed)) return 'conflict'
    this.#rows.calls.set(callId, changed)
    return 'applied'
  }
}
