import type { DirectoryTimers } from '../../actors/hosting/timers.ts'
import { createDirectory } from '../../actors/hosting/directory.ts'
import type { Call, CallStatus } from '../../src/domain/call.ts'
import type { Outcome } from '../../src/domain/errors.ts'
import type { CallId, NodeId, NumberId } from '../../src/domain/ids.ts'
import { newId } from '../../src/domain/ids.ts'
import type { ChannelNumber, ProviderKind } from '../../src/domain/number.ts'
import type { SendingOptions } from '../../actors/sending/rules.ts'
import { LocalAsks } from '../../src/cluster/asks-local.ts'
import type { Asks } from '../../src/ports/asks.ts'
import type { Leases } from '../../src/ports/leases.ts'
import type { Metrics } from '../../src/ports/metrics.ts'
import type { Placement } from '../../src/ports/placement.ts'
import type { ReadCallEvents, ReadMessageEvents } from '../../src/ports/official/changes.ts'
import type { TemplateRefused } from '../../src/ports/template-refusals.ts'
import { FakeClock } from '../helpers/fake-clock.ts'
import { readCallEvents } from '../../src/providers/official/inbound/call-events.ts'
import { noMetrics, silentLog } from '../helpers/silent.ts'
import { MemoryMessages } from '../helpers/memory/messages.ts'
import { MemoryCalls } from '../helpers/memory/calls.ts'
import { MemoryErrands } from '../helpers/memory/errands.ts'
import { MemoryInbound } from '../helpers/memory/changes.ts'
import { memoryLeases } from '../helpers/memory/leases.ts'
import { memoryPlacement } from '../helpers/memory/placement.ts'
import { MemoryNumbers } from '../helpers/memory/numbers.ts'
import { MemoryPairings } from '../helpers/memory/pairings.ts'
import type { KnownMedia } from '../../src/ports/known-media.ts'
import type { PeerTyping } from '../../src/ports/peer-typing.ts'
import { MemoryReach } from '../helpers/memory/reach.ts'
import { MemorySetAside } from '../helpers/memory/set-aside.ts'
import { MemoryRows } from '../helpers/memory/rows.ts'
import { registryOf, ScriptedDriver, ScriptedFiles, ScriptedMedia } from './scripted-ports.ts'

/** Runs everything that is ready. A turn of an actor is an immediate, an answer of a store a microtask. */
export async function settled(turns = 40): Promise<void> {
  for (let i = 0; i < turns; i++) await new Promise((resolve) => setImmediate(resolve))
}

interface RigOptions {
  readonly rows?: MemoryRows
  readonly timers?: Partial<DirectoryTimers>
  readonly startGate?: number
  readonly leases?: Partial<Leases>
  readonly asks?: Asks
  readonly nodeId?: NodeId
  readonly errands?: MemoryErrands
  readonly kind?: ProviderKind
  readonly read?: ReadCallEvents
  readonly readMessages?: ReadMessageEvents
  readonly sending?: Partial<SendingOptions>
  readonly wantsStories?: () => Promise<boolean>
  readonly metrics?: Metrics
  readonly placement?: Partial<Placement>
}

/** A directory over stores in memory and scripted ports. Its clock moves only when the test moves it. */
export function createRig(options: RigOptions = {}) {
  const rows = options.rows ?? new MemoryRows()
  const clock = new FakeClock()
  const media = new ScriptedMedia()
  const files = new ScriptedFiles()
  const driver = new ScriptedDriver(options.kind)
  const messages = new MemoryMessages(rows, clock)
  const reach = new MemoryReach(messages, clock)
  const inbox = messages.inbox()
  const errands = options.errands ?? new MemoryErrands(rows, clock)
  const setAside = new MemorySetAside(rows, clock, errands)
  const nodeId = options.nodeId ?? newId('node')
  const told: {
    wantsStories: boolean
    readonly elsewhere: NumberId[]
    readonly refused: TemplateRefused[]
    readonly known: KnownMedia[]
    readonly typing: PeerTyping[]
  } = { wantsStories: false, elsewhere: [], refused: [], known: [], typing: [] }
  const leases: Leases = { ...memoryLeases(rows, nodeId), ...options.leases }
  const directory = createDirectory({
    stores: {
      numbers: new MemoryNumbers(rows, clock),
      calls: new MemoryCalls(rows, clock),
      pairing: new MemoryPairings(rows, clock),
      sendQueue: messages.sendQueue(),
      messageInbox: inbox,
      setAside,
      reach,
    },
    inbound: new MemoryInbound(rows, clock),
    readCallEvents: options.read ?? readCallEvents,
    readMessageEvents: options.readMessages ?? (() => []),
    files,
    conversationOf: (_, peer) => `conv_${peer}`,
    wantsStories: options.wantsStories ?? (async () => told.wantsStories),
    elsewhere: (numberId) => void told.elsewhere.push(numberId),
    mediaKnown: (known) => void told.known.push(known),
    peerTyping: (typing) => void told.typing.push(typing),
    templateRefused: (refused) => void told.refused.push(refused),
    sending: options.sending ?? {},
    leases,
    placement: { ...memoryPlacement(rows, leases), ...options.placement },
    asks: options.asks ?? new LocalAsks(),
    errands,
    registry: registryOf(driver),
    media,
    clock,
    log: silentLog,
    metrics: options.metrics ?? noMetrics,
    timers: options.timers ?? {},
    ...(options.startGate === undefined ? {} : { startGate: options.startGate }),
  })
  return { rows, setAside, inbox, reach, errands, clock, media, files, driver, messages, directory, nodeId, told }
}

export type Rig = ReturnType<typeof createRig>

/** A longer step would look like a process that stood still, and its lease of 6 s would be lost. */
const STEADY_MS = 1_000

/** Moves time forward in steps and runs what each step wakes. */
export async function pass(rig: Rig, totalMs: number, stepMs = 1_000): Promise<void> {
  const step = Math.min(stepMs, STEADY_MS)
  for (let left = totalMs; left > 0; left -= step) {
    rig.clock.advance(Math.min(step, left))
    await settled(6)
  }
  await settled()
}

/** A paired number with an open session. */
export async function connectedNumber(rig: Rig, patch: Parameters<MemoryRows['addNumber']>[0] = {}): Promise<NumberId> {
  const numberId = rig.rows.addNumber({ credentials: 'secret', ...patch })
  rig.driver.onOpen = (session) =>
    void setImmediate(() => session.raise({ type: 'state', state: 'OPEN', reason: null }))
  await rig.directory.start()
  await settled()
  return numberId
}

/** Changes the row of a number, and tells the number, as PATCH /v1/numbers does. */
export async function applySettings(
  { rows, directory }: Rig,
  numberId: NumberId,
  patch: Partial<Pick<ChannelNumber, 'settings' | 'piiMode'>> = {},
): Promise<Outcome<null>> {
  const row = rows.numbers.get(numberId)
  if (!row) throw new Error('no such number')
  const changed = { ...row, ...patch }
  rows.numbers.set(numberId, changed)
  return await directory.askNumber(numberId, 'ApplySettings', { settings: changed.settings, piiMode: changed.piiMode })
}

/** Places a call, as POST /v1/calls does. */
export async function placeCall(rig: Rig, numberId: NumberId): Promise<{ id: CallId; externalCallId: string }> {
  const placed = await rig.directory.askNumber(numberId, 'PlaceCall', {
    to: '5511999990001',
    bizOpaqueCallbackData: 'biz',
    sdp: null,
  })
  if (!placed.ok) throw new Error(`not placed: ${placed.error.code}`)
  return placed.value
}

/** Lets an inbound call ring. */
export async function receiveCall(rig: Rig, externalCallId = 'in-1'): Promise<CallId> {
  rig.driver.last.raise({ type: 'incomingCall', externalCallId, from: '5511988887777', sdp: 'peer offer' })
  await settled()
  for (const row of rig.rows.calls.values()) if (row.externalCallId === externalCallId) return row.id
  throw new Error('the call was not stored')
}

export function rowOf(rig: Rig, callId: CallId): Call {
  const row = rig.rows.calls.get(callId)
  if (!row) throw new Error('no such row')
  return row
}

export function statusOf(rig: Rig, callId: CallId): CallStatus {
  return rowOf(rig, callId).status
}
