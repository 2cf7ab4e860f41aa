/**
 * What the device of a number can be asked beside messages and calls ([bridge.ops.6] to [bridge.ops.8]): one row an op.
 * The driver, asks between nodes, what engines say of themselves, the check of engines and the sandbox read all they
 * know of an op here.
 */
import { z } from 'zod'
import type { Capability } from './capabilities.ts'
import { ENGINE_CAPABILITIES } from './engine.ts'
import type { EngineCapability } from './engine.ts'
import { isLid } from './identity.ts'
import { PROVIDER_REQUEST_MS } from './limits.ts'
import type { MessageChange } from './message-change.ts'
import { NO_CONTENT } from './message.ts'
import { toDigits } from './phone.ts'

/** Our choices, as on real networks: characters of a group's subject, and its participants. */
export const GROUP_SUBJECT_CHARACTERS = 100
export const GROUP_PARTICIPANTS = 1_024

/** What a peer is shown of the number ([message-verbs.verbs.3]); `paused` ends it. */
export const TYPING_STATES = ['typing', 'recording', 'paused'] as const
export type TypingState = (typeof TYPING_STATES)[number]
/** [message-verbs.verbs.3]: at most one a second is passed on, in ms. */
const TYPING_EVERY_MS = 1_000

/**
 * Whether an op may be asked again when its answer was lost: `once` must not (a second group would be made), `again`
 * may (twice is the same as once). It holds for a driver whose link broke, and for a node whose ask lost its owner.
 */
export type Repeat = 'once' | 'again'

/** How a field is read that an engine left out or wrote in another form. */
export type Mend = <T>(field: z.ZodType<T>, instead: NoInfer<T>) => z.ZodType<T>

/** Reads such a field as `instead`: an engine that is not exact loses the field and nothing else. */
export const mended: Mend = (field, instead) => field.catch(instead)

/** Makes such a field a fault of the answer. */
export const asWritten: Mend = (field) => field

/** How often an op is passed on at most, for one number; what comes sooner is answered and not passed on. */
export interface DevicePace {
  /** Milliseconds between two of one key. */
  readonly everyMs: number
  /** What the pace is counted by: for all questions with the same key. */
  readonly keyOf: (input: never) => string
  /** The answer of what is not passed on. */
  readonly instead: unknown
}

export interface DeviceOpRow {
  /** The op's name on the bridge. */
  readonly word: string
  /** The mark of the rule of docs/contract/bridge.md that defines the op. */
  readonly rule: string
  /** The fields of the request beside `id` and `op`. */
  readonly question: z.ZodType
  readonly answer: (mend: Mend) => z.ZodType
  /** What a number must be capable of; the engine too, where engines have a word for it. */
  readonly capability: Capability
  readonly repeat: Repeat
  /** Milliseconds that the engine has for its answer. */
  readonly timeoutMs: number
  /**
   * What the stored message says once the device did this, for an op that changes one. It is stored before the asker is
   * answered. Absent for the others.
   */
  readonly change?: (input: never, at: Date) => MessageChange
  /** Absent for what is always passed on. */
  readonly pace?: DevicePace
  /** A question that needs nothing of the number, and its answer: for documents, and whoever tries each op. */
  readonly example: { readonly question: unknown; readonly answer: unknown }
}

const text = z.string().min(1)
/** A phone number in any form; read as its digits. */
const phone = z.string().transform((number, context) => {
  const read = toDigits(number)
  if (read !== null) return read
  context.addIssue({ code: 'custom', message: 'is no phone number' })
  return z.NEVER
})
/** Digits; another form stays as it is. */
const digits = text.transform((number) => toDigits(number) ?? number)
const none = z.object({})
/** The answer of an op that gives nothing. */
const nothing = () => none
const groupId = z.string().regex(/^[\w.-]+@g\.us$/)
const participants = z.array(phone).max(GROUP_PARTICIPANTS)

/**
 * A message that the number sent. `to` is digits, or the id of a group or channel; null where the service does not keep
 * it, so that the engine has to know it by the id.
 */
const SENT_MESSAGE = { externalMessageId: text, to: text.nullable() }

const summary = (mend: Mend) => z.object({ id: text, name: mend(z.string(), '') })
const summaries = (mend: Mend) => z.array(summary(mend))
const group = (mend: Mend) =>
  summary(mend).extend({
    participants: mend(z.array(z.object({ number: digits, isAdmin: mend(z.boolean(), false) })), []),
  })

const [OWNER, PEER] = [
  { number: '5511988887777', isAdmin: true },
  { number: '5511999990001', isAdmin: false },
]
const SENT_EXAMPLE = { externalMessageId: '3EB0A9C1D2', to: PEER.number }
const SUPPORT = { id: '120363000000000001@g.us', name: 'Support' }

export const DEVICE_OPS = {
  checkNumbers: {
    word: 'number.check',
    rule: 'bridge.ops.6',
    question: z.object({ numbers: z.array(z.string()) }),
    answer: (mend) =>
      z.array(
        z.object({
          input: text,
          exists: z.boolean(),
          /** Digits. */
          number: mend(digits.nullable(), null),
          name: mend(text.nullable(), null),
          /** The network's id of that person, where the engine knows it ([engines.peers.4]). */
          lid: mend(text.refine(isLid).nullable(), null).optional(),
        }),
      ),
    capability: 'numberCheck',
    repeat: 'again',
    timeoutMs: PROVIDER_REQUEST_MS,
    example: {
      question: { numbers: [PEER.number] },
      answer: [{ input: PEER.number, exists: true, number: PEER.number, name: 'Ana' }],
    },
  },
  editMessage: {
    word: 'message.edit',
    rule: 'engines.bridge.11',
    question: z.object({ ...SENT_MESSAGE, text: z.string().min(1) }),
    answer: nothing,
    capability: 'edits',
    // The same text twice is the same message.
    repeat: 'again',
    timeoutMs: PROVIDER_REQUEST_MS,
    change: ({ externalMessageId, text: words }: { externalMessageId: string; text: string }, at) => ({
      externalMessageId,
      kind: 'EDIT',
      at,
      edited: { messageType: 'text', content: { ...NO_CONTENT, text: words } },
      isAsked: true,
    }),
    example: { question: { ...SENT_EXAMPLE, text: 'Your order arrives at nine, not at eight' }, answer: {} },
  },
  revokeMessage: {
    word: 'message.revoke',
    rule: 'engines.bridge.12',
    question: z.object(SENT_MESSAGE),
    answer: nothing,
    capability: 'revocations',
    repeat: 'again',
    timeoutMs: PROVIDER_REQUEST_MS,
    change: ({ externalMessageId }: { externalMessageId: string }, at) => ({
      externalMessageId,
      kind: 'REVOKE',
      at,
      edited: null,
      isAsked: true,
    }),
    example: { question: SENT_EXAMPLE, answer: {} },
  },
  showTyping: {
    word: 'message.typing',
    rule: 'engines.bridge.13',
    question: z.object({
      to: text.nullable(),
      lastInboundId: text.nullable(),
      state: z.enum(TYPING_STATES),
    }),
    answer: () => z.object({ forwarded: z.boolean().default(true), read: z.boolean().default(false) }),
    capability: 'typing',
    repeat: 'again',
    timeoutMs: PROVIDER_REQUEST_MS,
    pace: {
      everyMs: TYPING_EVERY_MS,
      keyOf: ({ to, lastInboundId }: { to: string | null; lastInboundId: string | null }) => to ?? lastInboundId ?? '',
      instead: { forwarded: false, read: false },
    },
    example: {
      question: { to: PEER.number, lastInboundId: null, state: 'typing' },
      answer: { forwarded: true, read: false },
    },
  },
  listGroups: {
    word: 'group.list',
    rule: 'bridge.ops.7',
    question: none,
    answer: summaries,
    capability: 'groups',
    repeat: 'again',
    timeoutMs: PROVIDER_REQUEST_MS,
    example: { question: {}, answer: [SUPPORT] },
  },
  createGroup: {
    word: 'group.create',
    rule: 'bridge.ops.7',
    question: z.object({ subject: z.string().min(1).max(GROUP_SUBJECT_CHARACTERS), participants }),
    answer: group,
    capability: 'groups',
    // Asked again, it would make a second group.
    repeat: 'once',
    timeoutMs: PROVIDER_REQUEST_MS,
    example: {
      question: { subject: SUPPORT.name, participants: [PEER.number] },
      answer: { ...SUPPORT, participants: [OWNER, PEER] },
    },
  },
  getGroup: {
    word: 'group.get',
    rule: 'bridge.ops.7',
    question: z.object({ groupId }),
    answer: group,
    capability: 'groups',
    repeat: 'again',
    timeoutMs: PROVIDER_REQUEST_MS,
    example: { question: { groupId: SUPPORT.id }, answer: { ...SUPPORT, participants: [OWNER, PEER] } },
  },
  changeParticipants: {
    word: 'group.participants',
    rule: 'bridge.ops.7',
    question: z.object({ groupId, action: z.enum(['add', 'remove']), participants: participants.min(1) }),
    answer: group,
    capability: 'groups',
    // Somebody may have undone the first change in between, and a person who is added again may be invited again.
    repeat: 'once',
    timeoutMs: PROVIDER_REQUEST_MS,
    example: {
      question: { groupId: SUPPORT.id, action: 'remove', participants: [PEER.number] },
      answer: { ...SUPPORT, participants: [OWNER] },
    },
  },
  listNewsletters: {
    word: 'newsletter.list',
    rule: 'bridge.ops.8',
    question: none,
    answer: summaries,
    capability: 'newsletters',
    repeat: 'again',
    timeoutMs: PROVIDER_REQUEST_MS,
    example: { question: {}, answer: [{ id: '120363000000000002@newsletter', name: 'Acme news' }] },
  },
} as const satisfies Readonly<Record<string, DeviceOpRow>>

type Rows = typeof DEVICE_OPS
export type DeviceOp = keyof Rows

/** Read-only all the way down: neither who asks nor who is answered changes what is handed over. */
type Unchanging<T> = T extends readonly (infer Item)[]
  ? readonly Unchanging<Item>[]
  : { readonly [Field in keyof T]: Unchanging<T[Field]> }

/** The question and the answer of each op. */
export type DeviceOps = {
  readonly [O in DeviceOp]: {
    readonly input: Unchanging<z.input<Rows[O]['question']>>
    readonly value: Unchanging<z.output<ReturnType<Rows[O]['answer']>>>
  }
}

/** The same types by the names that the bridge has for the ops. */
export type DeviceWords = {
  [O in DeviceOp as Rows[O]['word']]: { fields: DeviceOps[O]['input']; result: DeviceOps[O]['value'] }
}
export type DeviceWord = keyof DeviceWords

export const DEVICE_OP_NAMES = Object.keys(DEVICE_OPS) as readonly DeviceOp[]

/** True for the name of an op; another node of a later version may name one that is unknown here. */
export function isDeviceOp(name: string): name is DeviceOp {
  return Object.hasOwn(DEVICE_OPS, name)
}

/** Makes a table of all ops by their names on the bridge, each with what `of` gives for it. */
export function byWord<T>(of: (row: DeviceOpRow, op: DeviceOp) => T): Readonly<Record<DeviceWord, T>> {
  return Object.fromEntries(DEVICE_OP_NAMES.map((op) => [DEVICE_OPS[op].word, of(DEVICE_OPS[op], op)])) as Readonly<
    Record<DeviceWord, T>
  >
}

/** What the stored message says once the device did what it was asked at this time; null when it changes none. */
export function changeOf<O extends DeviceOp>(
  { op, input }: { readonly op: O; readonly input: DeviceOps[O]['input'] },
  at: Date,
): MessageChange | null {
  const { change }: DeviceOpRow = DEVICE_OPS[op]
  // The input is that of the row.
  return change?.(input as never, at) ?? null
}

/** The pace of what was asked: its key, and the row's own pace; null for what has none. */
export function paceOf<O extends DeviceOp>({
  op,
  input,
}: {
  readonly op: O
  readonly input: DeviceOps[O]['input']
}): (Omit<DevicePace, 'keyOf'> & { readonly key: string }) | null {
  const { pace }: DeviceOpRow = DEVICE_OPS[op]
  // The input is that of the row.
  return pace ? { ...pace, key: `${op} ${pace.keyOf(input as never)}` } : null
}

/**
 * The capability that an engine must state for an op; null when engines have no word for it and refuse by themselves.
 */
export function engineCapabilityOf({ capability }: DeviceOpRow): EngineCapability | null {
  return ENGINE_CAPABILITIES.find((word) => word === capability) ?? null
}
