import type { GroupMetadata, GroupParticipant } from 'baileys'
import type { BridgeGroup } from '../../../src/domain/device-bridge.ts'
import { Refusal } from '../protocol/refusal.ts'
import type { LiveSession } from '../session/live-session.ts'
import { rememberRooms } from '../session/room-names.ts'
import { lidIn, personOf } from '../translate-in/address.ts'
import { refusalOf } from '../translate-out/failure.ts'
import { textField, textsField, type Fields, type Operations } from './operation.ts'
import { checkNumbers } from './peers.ts'
import { jidOf } from '../translate-in/address.ts'

/** Limits of the network: characters of a subject, participants of a group. */
const MAX_SUBJECT = 100
const MAX_PARTICIPANTS = 1_024

/** Codes of participants whose change is done, now or before. */
const DONE: ReadonlySet<string> = new Set(['200', '409'])

const listGroups: Operations['group.list'] = async (live) => {
  const groups = await asked(live.sock.groupFetchAllParticipating())
  const named = Object.values(groups).map(({ id, subject }) => ({ id, name: subject }))
  rememberRooms(live, named)
  return named
}

const getGroup: Operations['group.get'] = (live, fields) => group(live, groupIdIn(fields))

const createGroup: Operations['group.create'] = async (live, fields) => {
  const subject = textField(fields, 'subject')
  if (subject.length > MAX_SUBJECT) throw new Refusal('INVALID', `subject: has more than ${MAX_SUBJECT} characters`)
  const participants = await registered(live, textsField(fields, 'participants', MAX_PARTICIPANTS))
  return await present(live, await asked(live.sock.groupCreate(subject, participants)))
}

const changeParticipants: Operations['group.participants'] = async (live, fields) => {
  const groupId = groupIdIn(fields)
  const action = textField(fields, 'action')
  if (action !== 'add' && action !== 'remove') throw new Refusal('INVALID', 'action: must be add or remove')
  const participants = textsField(fields, 'participants', MAX_PARTICIPANTS)
  if (participants.length === 0) throw new Refusal('INVALID', 'participants: is empty')
  const results = await asked(live.sock.groupParticipantsUpdate(groupId, await registered(live, participants), action))
  const failed = results.find(({ status }) => !DONE.has(status))
  // Some participants were changed, so the answer shows who is in the group now.
  if (failed && results.every(({ status }) => !DONE.has(status)))
    throw new Refusal('FAILED', `The network refused the change (${failed.status})`)
  return await group(live, groupId)
}

export const GROUP_OPERATIONS = {
  'group.list': listGroups,
  'group.create': createGroup,
  'group.get': getGroup,
  'group.participants': changeParticipants,
} as const satisfies Partial<Operations>

function groupIdIn(fields: Fields): string {
  const groupId = textField(fields, 'groupId')
  if (!/^[\w.-]+@g\.us$/.test(groupId)) throw new Refusal('INVALID', 'groupId: is no address of a group')
  return groupId
}

async function asked<T>(request: Promise<T>): Promise<T> {
  return await request.catch((error: unknown) => {
    throw refusalOf(error)
  })
}

/** Addresses of people; refused when one of them has no account. */
async function registered(live: LiveSession, numbers: readonly string[]): Promise<string[]> {
  const checked = await checkNumbers(live, numbers)
  if (checked.some(({ exists }) => !exists))
    throw new Refusal('NOT_REGISTERED', 'participants: not all have an account on the network')
  return checked.flatMap(({ number }) => (number === null ? [] : [jidOf(number)]))
}

async function group(live: LiveSession, groupId: string): Promise<BridgeGroup> {
  return await present(live, await asked(live.sock.groupMetadata(groupId)))
}

async function present(live: LiveSession, { id, subject, participants }: GroupMetadata): Promise<BridgeGroup> {
  rememberRooms(live, [{ id, name: subject }])
  const people = await Promise.all(
    participants.map(async (participant) => ({
      number: await numberOf(live, participant),
      isAdmin: Boolean(participant.admin),
    })),
  )
  return {
    id,
    name: subject,
    participants: people.flatMap(({ number, isAdmin }) => (number === null ? [] : [{ number, isAdmin }])),
  }
}

async function numberOf(live: LiveSession, { id, lid, phoneNumber }: GroupParticipant): Promise<string | null> {
  const jids = [phoneNumber, id, lid]
  const hidden = lidIn(id) ?? lidIn(lid)
  const phone = hidden === null ? null : await live.lids.phoneOf(`${hidden}@lid`)
  return personOf(jids, () => phone)
}
