import { z } from 'zod'
import { callMedia, CALL_MEDIA_KINDS, type CallMediaKind } from '../../src/domain/call-media.ts'
import type { BridgeEngine, BridgeOp, BridgeOps } from '../../src/domain/device-bridge.ts'
import { byWord } from '../../src/domain/device-ops.ts'
import type { DeviceOps, DeviceWord } from '../../src/domain/device-ops.ts'
import type { EngineCapability } from '../../src/domain/engine.ts'
import { isLid } from '../../src/domain/identity.ts'
import { toDigits } from '../../src/domain/phone.ts'
import { endingOf, isRegistered } from './behaviours.ts'
import type { DeviceAnswers } from './device-answers.ts'
import type { DeviceNetwork } from './network.ts'
import type { People } from './people.ts'
import { BridgeRefusal } from './refusal.ts'
import { isRoom, ROOM_ANSWERS } from './rooms.ts'
import { CAPABILITIES, type DeviceSession } from './session.ts'

/** The answer of an operation, and what happens once the answer is sent. */
export interface Performed<Result = unknown> {
  readonly result: Result
  readonly after?: () => void
}

/** One operation: reads the fields of a request and does what it asks. */
type Operation<Result> = (
  network: DeviceNetwork,
  session: DeviceSession,
  request: unknown,
) => Promise<Performed<Result>>

const settings = z.object({
  rejectCall: z.boolean().nullable().default(null),
  msgRejectCall: z.string().nullable().default(null),
  alwaysOnline: z.boolean().nullable().default(null),
  readMessages: z.boolean().nullable().default(null),
  ignoreGroups: z.boolean().nullable().default(null),
  ignoreStatus: z.boolean().nullable().default(null),
  stories: z.boolean().optional(),
  groups: z.boolean().optional(),
  newsletters: z.boolean().optional(),
})
const phone = z.string().transform((text, context) => {
  const digits = toDigits(text)
  if (digits !== null) return digits
  context.addIssue({ code: 'custom', message: 'is no phone number' })
  return z.NEVER
})
const person = z.union([phone, z.string().refine(isLid)])
/** A person, or the address of a group or newsletter. */
const destination = z.union([person, z.string().refine(isRoom)])
const content = z.object({ type: z.string().min(1), text: z.string().optional() }).loose()
const callId = z.string().min(1)
const none = z.object({})

function assertOpen(session: DeviceSession): void {
  if (!session.isOpen) throw new BridgeRefusal('NOT_CONNECTED', 'The number is not linked to a device', true)
}

function operation<Fields, Result>(
  schema: z.ZodType<Fields>,
  act: (
    network: DeviceNetwork,
    session: DeviceSession,
    fields: Fields,
  ) => Performed<Result> | Promise<Performed<Result>>,
): Operation<Result> {
  return async (network, session, request) => {
    const parsed = schema.safeParse(request)
    if (parsed.success) return await act(network, session, parsed.data)
    const [issue] = parsed.error.issues
    throw new BridgeRefusal('INVALID', `${issue?.path.join('.') || 'request'}: ${issue?.message ?? 'is invalid'}`)
  }
}

type Operations = { readonly [Op in BridgeOp]: Operation<BridgeOps[Op]['result']> }

const ANSWERS: DeviceAnswers<DeviceNetwork> = {
  ...ROOM_ANSWERS,
  editMessage: ({ messages }, number, { externalMessageId, text }) => {
    messages.rewriteSent(number, externalMessageId, { kind: 'edit', text })
    return {}
  },
  revokeMessage: ({ messages }, number, { externalMessageId }) => {
    messages.rewriteSent(number, externalMessageId, { kind: 'revoke' })
    return {}
  },
  showTyping: (network, from, { to, state, lastInboundId }) => {
    const peer = to ?? network.messages.writerOf(lastInboundId)
    if (peer === null) throw new BridgeRefusal('NOT_FOUND', 'No chat is named')
    network.typing.add({ from, to: peer, state, atMs: network.now() })
    return { forwarded: true, read: false }
  },
  checkNumbers: ({ people }, _number, { numbers }) => numbers.map((input) => checkNumber(people, input)),
}

/** Operations made from the rows of device ops: each reads its question, and answers a linked number. */
const DEVICE_OPERATIONS = byWord(({ question }, op) => {
  const answer = ANSWERS[op] as (network: DeviceNetwork, number: string, input: unknown) => unknown
  return operation(question, async (network, session, input) => {
    assertOpen(session)
    return { result: await answer(network, session.number, input) }
  })
  // The type of each answer derives from its row.
}) as Pick<Operations, DeviceWord>

const OPERATIONS: Operations = {
  ...DEVICE_OPERATIONS,
  'session.start': operation(
    z.object({
      number: phone,
      credentials: z.string().nullable(),
      settings,
      historyImport: z.boolean().default(false),
    }),
    // The kind is that of the request's number, because a new session does not know its own yet.
    (network, session, request) => ({
      result: describeEngine(session.capabilities, network.callMedia(request.number)),
      after: () => session.start(request),
    }),
  ),
  // Nothing to do: codes of the sandbox can always be typed, and no phone alerts anybody.
  'session.pairing_code': operation(none, () => ({ result: {} })),
  'session.logout': operation(none, (network, session) => ({ result: {}, after: () => void network.logout(session) })),
  'settings.set': operation(z.object({ settings }), (_network, session, request) => {
    session.settings = request.settings
    return { result: {} }
  }),
  'message.send': operation(
    z.object({ messageId: z.string().min(1), to: destination, content, quoted: z.string().optional() }),
    async (network, session, request) => {
      assertOpen(session)
      const { message, deliver } = await network.messages.send(session, {
        ...request,
        content: request.content as BridgeOps['message.send']['fields']['content'],
      })
      const { phone: number, lid } = network.people.find(request.to) ?? {}
      return {
        result: { externalMessageId: message.externalMessageId, ...(number && lid ? { number, lid } : {}) },
        after: deliver,
      }
    },
  ),
  'message.read': operation(z.object({ externalMessageIds: z.array(z.string()) }), (network, session, request) => {
    assertOpen(session)
    network.messages.read(session, request.externalMessageIds)
    return { result: {} }
  }),
  'call.offer': operation(
    z.object({ to: person, media: callMedia, callRef: z.string().min(1).max(200).optional() }),
    async (network, session, request) => {
      assertOpen(session)
      assertCallAudio(session.capabilities)
      const { call, ring } = await network.calls.place(session, request.to, request.media, request.callRef ?? null)
      return { result: { callId: call.id }, after: ring }
    },
  ),
  'call.accept': operation(z.object({ callId, media: callMedia }), async (network, session, request) => {
    assertCallAudio(session.capabilities)
    await network.calls.accept(session, request.callId, request.media)
    return { result: {} }
  }),
  'call.reject': operation(z.object({ callId }), (network, session, request) => {
    return { result: {}, after: network.calls.reject(session, request.callId) }
  }),
  'call.terminate': operation(
    z.union([z.object({ callId }), z.object({ callRef: callId })]),
    (network, session, request) => {
      return { result: {}, after: network.calls.terminate(session, request) }
    },
  ),
  'calls.list': operation(none, (network, session) => ({ result: network.calls.liveOf(session) })),
}

function checkNumber(people: People, input: string): DeviceOps['checkNumbers']['value'][number] {
  const digits = toDigits(input)
  if (digits === null || !isRegistered(digits)) return { input, exists: false, number: null, name: null }
  const person = people.find(digits)
  const number = person?.phone ?? digits
  return { input, exists: true, number, name: `Peer ${endingOf(number)}`, ...(person ? { lid: person.lid } : {}) }
}

/** Performs one request of a gateway. Throws BridgeRefusal for everything the engine refuses. */
export async function perform(
  network: DeviceNetwork,
  session: DeviceSession,
  op: string,
  request: unknown,
): Promise<Performed> {
  if (!isKnown(op)) throw new BridgeRefusal('UNSUPPORTED', 'The sandbox does not know this operation')
  return await OPERATIONS[op](network, session, request)
}

function isKnown(op: string): op is BridgeOp {
  return Object.hasOwn(OPERATIONS, op)
}

/** our choice: the sandbox has no releases of its own. */
const ENGINE = { name: 'sandbox', version: '1' } as const

/**
 * What the sandbox says of itself for a number with these capabilities. `first` is the kind of audio that its phone
 * offers; the sandbox speaks all.
 */
function describeEngine(
  capabilities: readonly EngineCapability[] = CAPABILITIES,
  first: CallMediaKind = 'webrtc',
): BridgeEngine {
  return { engine: ENGINE, capabilities, callMedia: CALL_MEDIA_KINDS.toSorted((kind) => (kind === first ? -1 : 1)) }
}

/** Refuses calls of a number whose engine has no audio ([engines.baileys-duties.7]). */
function assertCallAudio(capabilities: readonly EngineCapability[]): void {
  if (!capabilities.includes('callAudio'))
    throw new BridgeRefusal('CALL_AUDIO_UNSUPPORTED', 'The engine has no audio for calls')
}
