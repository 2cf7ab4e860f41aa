import type { WriteOutcome } from '../../../actors/call/messages.ts'
import type { CallEffect } from '../../../actors/call/state.ts'
import { isLive } from '../../../src/domain/call.ts'
import type { Call, CallStatus, LiveStatus } from '../../../src/domain/call.ts'
import { refuse } from '../../../src/domain/errors.ts'
import type { NewEvent } from '../../../src/domain/events.ts'

/** A change of the row. */
export type Write = CallEffect & { type: 'insert' | 'move' | 'saveExternalId' | 'savePlayback' | 'remove' }

/**
 * How what is under way ends. `lost`: it was done, and the answer says that it was not. `faulty`: it was not done, for
 * a reason of its own.
 */
export type Luck = 'done' | 'refused' | 'lost' | 'faulty'

/** Where a status may lead ([calls.states.2] to [calls.states.8]). COMPLETED needs an answer, see `#tell`. */
const NEXT: Readonly<Record<LiveStatus, readonly CallStatus[]>> = {
  INITIATED: ['RINGING', 'ACCEPTED', 'REJECTED', 'MISSED', 'FAILED', 'COMPLETED'],
  RINGING: ['ACCEPTED', 'REJECTED', 'MISSED', 'FAILED', 'COMPLETED'],
  ACCEPTED: ['COMPLETED', 'FAILED'],
}
const AWAY = refuse('UNAVAILABLE', 'The database is away')
const INTERNAL = refuse('INTERNAL', 'Internal error')
const ENDS: readonly string[] = ['call.ended', 'call.missed']

/** The row of one call with its fence, as a store has it. It throws when it is told what no call may become. */
export class StoredCall {
  row: Call | null = null
  /** Every status that it had, in order. */
  readonly was: CallStatus[] = []
  /** The names of its events, in order. */
  readonly events: string[] = []
  /** The token of the present owner. */
  token = 1
  /** True when another call has the provider's id already. */
  isTaken = false

  get isLive(): boolean {
    return this.row !== null && isLive(this.row.status)
  }

  /** Does a write of the owner with this token. */
  write(effect: Write, token: number, luck: Luck, nowMs: number): WriteOutcome {
    if (token !== this.token) return { kind: 'fenced' }
    if (luck === 'refused') return { kind: 'failed', refusal: AWAY, fault: null }
    if (luck === 'faulty') return { kind: 'failed', refusal: INTERNAL, fault: { reason: '23514', tries: 4 } }
    const isThere = this.#do(effect, nowMs)
    if (luck === 'lost') return { kind: 'failed', refusal: AWAY, fault: null }
    // Whoever announced the call again looks for a row of its own.
    return isThere ? { kind: 'applied' } : { kind: 'moved', row: effect.type === 'insert' ? null : this.row }
  }

  /** Ends the row without the call's actor. */
  endElsewhere(nowMs: number): void {
    const { row } = this
    if (!row || !isLive(row.status)) throw new Error('there is nothing to end')
    this.#tell([{ event: 'call.ended', data: { status: 'FAILED' } }], row.status, 'FAILED')
    const durationSeconds = row.connectedAt === null ? null : 1
    this.#put({ ...row, status: 'FAILED', endedAt: new Date(nowMs), durationSeconds })
  }

  /** Whether the row says afterwards what the write wanted. */
  #do(effect: Write, nowMs: number): boolean {
    const { row } = this
    switch (effect.type) {
      case 'insert':
        return this.#insert(effect, nowMs)
      case 'move': {
        const { from, to, patch, events } = effect.move
        if (!row || !isLive(row.status) || !from.includes(row.status)) return row?.status === to
        this.#tell(events, row.status, to)
        this.#put({ ...row, ...patch, status: to, updatedAt: new Date(nowMs) })
        this.#assertTold(events.at(-1))
        return true
      }
      case 'saveExternalId': {
        const { externalCallId, mediaHost, sdpOffer } = effect
        if (row) this.#put({ ...row, externalCallId, mediaHost, sdpOffer: sdpOffer ?? row.sdpOffer })
        return row !== null
      }
      case 'savePlayback':
        if (row) this.#put({ ...row, playback: effect.playback })
        return row !== null
      case 'remove':
        this.row = null
        return true
    }
  }

  #insert({ call, events }: Write & { type: 'insert' }, nowMs: number): boolean {
    if (this.row || this.isTaken) return false
    const at = new Date(nowMs)
    const open = { connectedAt: null, endedAt: null, durationSeconds: null, errorCode: null, errorMessage: null }
    this.events.push(...events.map(({ event }) => event))
    this.#put({ ...open, playback: [], mediaHost: null, createdAt: at, updatedAt: at, ...call })
    return true
  }

  #put(row: Call): void {
    this.row = row
    if (this.was.at(-1) !== row.status) this.was.push(row.status)
    const isAnswered = this.events.includes('call.connected')
    if (isAnswered !== (row.connectedAt !== null))
      throw new Error('its events and its row differ on whether it was answered')
    if (!isLive(row.status) && isAnswered !== (row.durationSeconds !== null))
      throw new Error('a call has a length without an answer, or an answer without a length')
  }

  /** An event shows the call as its row has it from then on. */
  #assertTold(event: NewEvent | undefined): void {
    const { row } = this
    if (!event || !row) return
    const shown = {
      status: row.status,
      errorCode: row.errorCode,
      durationSeconds: row.durationSeconds,
    }
    for (const [field, value] of Object.entries(shown))
      if (event.data[field] !== value)
        throw new Error(`${event.event} has ${field} ${event.data[field]}, its row ${value}`)
  }

  /** Takes the events of a move, and checks that they are those of this move. */
  #tell(events: readonly NewEvent[], from: LiveStatus, to: CallStatus): void {
    const names = events.map(({ event }) => event)
    this.events.push(...names)
    if (from !== to && !NEXT[from].includes(to)) throw new Error(`a call went from ${from} to ${to}`)
    if (new Set(this.events).size !== this.events.length) throw new Error(`told twice: ${this.events.join()}`)
    const isEnd = !isLive(to)
    if (names.some((name) => ENDS.includes(name)) !== isEnd || (isEnd && !ENDS.includes(this.events.at(-1) ?? '')))
      throw new Error(`${to} is told as ${names.join()}`)
    if (isEnd && (names.at(-1) === 'call.missed') !== (to === 'MISSED' && this.row?.direction === 'INBOUND'))
      throw new Error(`${to} is told as ${names.join()}`)
    if ((to === 'ACCEPTED' && from !== to) !== (names.at(-1) === 'call.connected'))
      throw new Error(`${to} is told as ${names.join()}`)
    if (to === 'COMPLETED' && !this.events.includes('call.connected'))
      throw new Error('a call is completed that was never answered')
    if (events.length > 0 && events.at(-1)?.data['status'] !== to)
      throw new Error('an event has another status than the row')
  }
}
