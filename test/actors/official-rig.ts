import type { NumberId } from '../../src/domain/ids.ts'
import type { MemoryRows } from '../helpers/memory/rows.ts'
import type { Rig } from './rig.ts'
import { createRig, settled } from './rig.ts'

export const OUT = 'wacid.OUT'
export const IN = 'wacid.IN'
/** The upstream's time in seconds since the epoch. It is not the time of the rig's fake clock. */
export const T0 = 1_767_268_800

const METADATA = { display_phone_number: '551133334444', phone_number_id: '1001' }
const value = (fields: object) => JSON.stringify({ messaging_product: 'whatsapp', metadata: METADATA, ...fields })

/** The values of changes in the upstream's form. */
export const offer = (id = IN, at = T0) =>
  value({
    contacts: [{ profile: { name: 'Ann' }, wa_id: '5511988887777' }],
    calls: [
      {
        id,
        from: '5511988887777',
        to: '551133334444',
        event: 'connect',
        timestamp: String(at),
        direction: 'USER_INITIATED',
        session: { sdp_type: 'offer', sdp: 'user offer' },
      },
    ],
  })
export const answer = (id = OUT) =>
  value({
    calls: [
      {
        id,
        from: '551133334444',
        to: '5511999990001',
        event: 'connect',
        timestamp: String(T0 + 2),
        direction: 'BUSINESS_INITIATED',
        session: { sdp_type: 'answer', sdp: 'user answer' },
      },
    ],
  })
export const status = (name: 'RINGING' | 'ACCEPTED' | 'REJECTED', id = OUT) =>
  value({
    statuses: [{ id, type: 'call', status: name, timestamp: String(T0 + 5), recipient_id: '5511999990001' }],
  })
export interface EndFields {
  readonly id?: string
  readonly isInbound?: boolean
  readonly seconds?: number
  readonly errors?: object[]
}
export const terminated = ({ id = OUT, isInbound = false, seconds, errors }: EndFields = {}) =>
  value({
    calls: [
      {
        id,
        event: 'terminate',
        timestamp: String(T0 + 60),
        direction: isInbound ? 'USER_INITIATED' : 'BUSINESS_INITIATED',
        status: seconds === undefined ? 'FAILED' : 'COMPLETED',
        ...(seconds === undefined
          ? {}
          : { start_time: String(T0 + 60 - seconds), end_time: String(T0 + 60), duration: seconds }),
      },
    ],
    ...(errors ? { errors } : {}),
  })
export const permission = (reply: object) =>
  value({
    contacts: [{ wa_id: '5511988887777' }],
    messages: [
      {
        from: '5511988887777',
        id: 'wamid.R',
        timestamp: String(T0),
        type: 'interactive',
        interactive: { type: 'call_permission_reply', call_permission_reply: reply },
      },
    ],
  })

/** A rig whose driver is stateless, as that of OFFICIAL numbers is: every session reports OPEN at once. */
export function officialRig(options: Parameters<typeof createRig>[0] = {}): Rig {
  const rig = createRig({ ...options, kind: 'OFFICIAL' })
  rig.driver.onOpen = (session) => queueMicrotask(() => session.raise({ type: 'state', state: 'OPEN', reason: null }))
  return rig
}

export function addOfficial(rows: MemoryRows): NumberId {
  return rows.addNumber({ provider: 'OFFICIAL', credentials: '{}', state: 'OPEN', isFullyConnected: true })
}

/** Posts changes as the webhook route does: it stores them, then tells the number. */
export async function post(rig: Rig, numberId: NumberId, ...values: string[]): Promise<void> {
  for (const text of values) rig.rows.addChange(numberId, text.includes('"messages"') ? 'messages' : 'calls', text)
  await rig.directory.receive(numberId)
  await settled()
}

/** Places an outbound call that the upstream knows as OUT. */
export async function placeOfficial(rig: Rig, numberId: NumberId) {
  await rig.directory.askNumber(numberId, 'CurrentCode', {})
  rig.driver.last.offerAnswer = () => ({ ok: true, value: { externalCallId: OUT } })
  const placed = await rig.directory.askNumber(numberId, 'PlaceCall', {
    to: '5511999990001',
    bizOpaqueCallbackData: 'biz',
    sdp: 'our offer',
  })
  if (!placed.ok) throw new Error(`not placed: ${placed.error.code}`)
  return placed.value
}
