import type { ReadChange, SettleOutcome } from '../../../actors/number/changes/messages.ts'
import type { LoadOutcome, SaveOutcome } from '../../../actors/number/rows/messages.ts'
import type { RowsEffect } from '../../../actors/number/rows/state.ts'
import type { Call } from '../../../src/domain/call.ts'
import { DEFAULT_SETTINGS } from '../../../src/domain/number.ts'
import type { ChannelNumber, ProviderKind } from '../../../src/domain/number.ts'
import type { OfficialFacts } from '../../../src/domain/official.ts'
import type { OfficialCallEnd } from '../../../src/ports/official/call-events.ts'
import type { ProviderEvent } from '../../../src/ports/provider.ts'
import { factsOf } from '../call/decide-rig.ts'

/** How what is under way ends. `lost`: it was done, and the answer says that it was not. */
export type Luck = 'done' | 'refused' | 'lost' | 'faulty'

/** An event of the device, which comes again until it is settled. */
export type Told = ProviderEvent & { readonly seq: number }

/** [numbers.events.2]: how long a number is without a connection before that is told. */
export const DISCONNECTED_MS = 30_000
const AT = new Date(0)
/** The end of a call of which upstream tells nothing else. */
export const NO_END: OfficialCallEnd = {
  direction: null,
  isAnswered: false,
  startedAt: null,
  endedAt: null,
  durationSeconds: null,
  bizOpaqueCallbackData: null,
  failure: null,
}
const OFFICIAL: OfficialFacts = {
  phoneId: 'phone',
  accountId: 'account',
  appId: null,
  callingStatus: 'ENABLED',
  qualityRating: null,
  messagingLimitTier: null,
  officialStatus: null,
  checkedAt: null,
  isTokenValid: true,
}
/** The states that a kind has: the session of an OFFICIAL number connects to nothing. */
const STATES: Readonly<Record<ProviderKind, readonly string[]>> = {
  OFFICIAL: ['OPEN', 'CLOSE'],
  UNOFFICIAL: ['OPEN', 'CONNECTING', 'CLOSE'],
}

/** What a number needs of the row of one call. */
type KnownCall = Pick<Call, 'id' | 'externalCallId' | 'direction' | 'status'>

/** What a number needs of the rows of its calls. */
export interface CallRow {
  readonly call: KnownCall
  isLive: boolean
}

/** The rows of one number with its fence, as a store has them. It throws when it is told what no number may become. */
export class StoredNumber {
  row: ChannelNumber | null
  credentials: string | null
  /** The names of its events, in order. */
  readonly events: string[] = []
  readonly changes: ReadChange[] = []
  readonly calls = new Map<string, CallRow>()
  /** The token of the present owner. */
  token = 1
  /** When an owner began to store that the connection is gone. */
  #droppedAtMs = -Infinity
  /** Who told the last event. Another owner may tell it once more. */
  #teller: object | null = null

  constructor(provider: ProviderKind, isPaired: boolean) {
    this.credentials = isPaired ? 'first' : null
    this.row = {
      id: 'num_1',
      tenantId: 'ten_1',
      name: 'Desk',
      number: '551133334444',
      provider,
      state: 'CLOSE',
      isFullyConnected: false,
      isPaired,
      pairingReason: null,
      settings: DEFAULT_SETTINGS,
      piiMode: 'STORE_INDEFINITE',
      piiRetentionDays: null,
      createdAt: AT,
      updatedAt: AT,
      ...(provider === 'OFFICIAL' ? { official: OFFICIAL } : {}),
    }
  }

  /** Removes the number with all that belongs to it. */
  remove(): void {
    this.row = null
    this.credentials = null
    this.changes.length = 0
    this.calls.clear()
  }

  /** An owner begins to store a change of the connection. */
  beginSave({ patch, announce }: RowsEffect & { type: 'save' }, nowMs: number): void {
    const isLate = announce?.event === 'number.disconnected' && announce.number.state === 'CONNECTING'
    if (isLate && nowMs < this.#droppedAtMs + DISCONNECTED_MS) throw new Error('disconnected before its time')
    if (patch.state === 'CONNECTING' && this.row?.state === 'OPEN') this.#droppedAtMs = nowMs
  }

  /** Stores a change of the connection for an owner. */
  save({ patch, announce }: RowsEffect & { type: 'save' }, owner: { readonly token: number }, luck: Luck): SaveOutcome {
    const { row } = this
    if (owner.token !== this.token || row === null) return 'fenced'
    if (luck !== 'done' && luck !== 'lost') return 'failed'
    const { credentials = this.credentials, ackedSeq: _, ...change } = patch
    this.credentials = credentials
    this.row = { ...row, ...change, isPaired: credentials !== null }
    this.#assertKind(this.row)
    if (announce && !(patch.state === 'OPEN' && row.state === 'OPEN'))
      this.#tell(announce.event, announce.number, owner)
    return luck === 'lost' ? 'failed' : 'applied'
  }

  /** Whoever hears that the number is logged out finds it so. */
  assertLoggedOut(): void {
    if (this.row && (this.row.state !== 'CLOSE' || this.credentials !== null))
      throw new Error('a logout is answered and not stored')
  }

  /** What the device told is stored once it is settled. */
  assertSettled(event: Told): void {
    const { row, credentials } = this
    if (row === null) return
    if (event.type === 'credentials' && credentials !== event.credentials)
      throw new Error('credentials are settled and not stored')
    if (event.type !== 'state') return
    const isDropped = event.state === 'CONNECTING' || event.reason === 'network'
    if (isDropped ? row.state === 'OPEN' : row.state !== event.state)
      throw new Error(`${event.state} is settled at ${row.state}`)
  }

  /** The rows as an owner finds them at its start. */
  load(): LoadOutcome {
    const { row, credentials } = this
    if (row === null) return { kind: 'missing' }
    const resumable = this.closeCalls([])
    return { kind: 'loaded', loaded: { number: row, credentials, hasDriver: true, orphans: [], resumable } }
  }

  /** Settles changes, or sets one aside. They go in order, and none before what it tells of is stored. */
  settleChanges(positions: readonly number[]): SettleOutcome {
    const outcomes = positions.map((position) => this.#settleChange(position))
    return outcomes.includes('applied') ? 'applied' : 'gone'
  }

  #settleChange(position: number): 'applied' | 'gone' {
    const { changes, calls } = this
    const at = changes.findIndex((change) => change.position === position)
    if (at < 0) return 'gone'
    if (at > 0) throw new Error('a change is settled before an earlier one')
    const events = changes.shift()?.events ?? []
    const ended = events.flatMap((event) => (event.type === 'callEnded' ? [event.externalCallId] : []))
    if ([...calls.values()].some(({ isLive, call }) => isLive && ended.includes(call.externalCallId ?? '')))
      throw new Error('the end of a call is settled that goes on')
    return 'applied'
  }

  /** Closes the rows of calls that cannot be followed, and lists the others. */
  closeCalls(except: readonly string[]): Call[] {
    const live = [...this.calls.values()].filter(({ isLive, call }) => isLive && !except.includes(call.id))
    for (const known of live) if (known.call.externalCallId === null) known.isLive = false
    return live.filter(({ isLive }) => isLive).map(({ call }) => this.#rowOf(call))
  }

  #rowOf(call: KnownCall): Call {
    if (!this.row) throw new Error('a number is gone that has calls')
    const facts = { ...factsOf(call.direction), provider: this.row.provider }
    const open = { connectedAt: null, endedAt: null, durationSeconds: null, errorCode: null, errorMessage: null }
    const described = { media: null, sdpOffer: 'offer', sdpAnswer: null, playback: [], recording: null }
    return { ...facts, ...open, ...described, mediaHost: 'host-1', updatedAt: facts.createdAt, ...call }
  }

  #assertKind({ provider, state, isFullyConnected, pairingReason, engine, isPaired }: ChannelNumber): void {
    if (!STATES[provider].includes(state)) throw new Error(`a number that is ${provider} is ${state}`)
    if (isFullyConnected !== (state === 'OPEN'))
      throw new Error(`${state} is ${isFullyConnected ? '' : 'not '}connected`)
    if (state === 'OPEN' && pairingReason !== null) throw new Error(`a connected number is ${pairingReason}`)
    if (provider === 'OFFICIAL' && (pairingReason !== null || (engine ?? null) !== null))
      throw new Error('a number of the platform pairs')
    if (pairingReason === 'WRONG_NUMBER' && isPaired) throw new Error('the pairing of a wrong number is kept')
  }

  #tell(event: string, shown: ChannelNumber, teller: object): void {
    const { row, events } = this
    if (shown.state !== row?.state) throw new Error(`${event} shows ${shown.state}, its row ${row?.state}`)
    if ((event === 'number.connected') !== (row?.state === 'OPEN')) throw new Error(`${event} at ${row?.state}`)
    const isAgain = events.at(-1) === event || (event === 'number.disconnected' && events.length === 0)
    if (isAgain && this.#teller === teller) throw new Error(`${event} is told twice`)
    events.push(event)
    this.#teller = teller
  }
}
