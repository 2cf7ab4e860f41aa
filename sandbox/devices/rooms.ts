import { randomInt } from 'node:crypto'
import type { BridgeGroup } from '../../src/domain/device-bridge.ts'
import { isRegistered } from './behaviours.ts'
import type { DeviceAnswers } from './device-answers.ts'
import { BridgeRefusal } from './refusal.ts'

interface Group {
  readonly id: string
  name: string
  /** Digits of the participants, and whether each is an admin. */
  readonly participants: Map<string, boolean>
}

interface Newsletter {
  readonly id: string
  name: string
  /** Digits of the numbers that own or follow it. */
  readonly members: Set<string>
}

/** True for the address of a group or a newsletter; people have others. */
export function isRoom(address: string): boolean {
  return /@(g\.us|newsletter)$/.test(address)
}

function newRoomId(domain: 'g.us' | 'newsletter'): string {
  return `12036${String(randomInt(1e6)).padStart(6, '0')}${String(randomInt(1e7)).padStart(7, '0')}@${domain}`
}

function notFound(what: string): BridgeRefusal {
  return new BridgeRefusal('NOT_FOUND', `There is no such ${what} with this number in it`)
}

function present({ id, name, participants }: Group): BridgeGroup {
  return { id, name, participants: [...participants].map(([number, isAdmin]) => ({ number, isAdmin })) }
}

/**
 * Groups and newsletters of the device network. A number that is not in one cannot tell it from one that does not
 * exist.
 */
export class Rooms {
  readonly #groups = new Map<string, Group>()
  readonly #newsletters = new Map<string, Newsletter>()

  /** Makes a group with `owner` as its admin. Refused when a participant is not registered. */
  createGroup(
    owner: string,
    name: string,
    participants: readonly string[],
    id: string = newRoomId('g.us'),
  ): BridgeGroup {
    assertRegistered(participants)
    const others = participants.filter((number) => number !== owner)
    const group = {
      id,
      name,
      participants: new Map([[owner, true], ...others.map((number): [string, boolean] => [number, false])]),
    }
    this.#groups.set(id, group)
    return present(group)
  }

  /** Makes sure that a group exists and that these numbers are in it, as a message of it says. */
  noteGroup(id: string, name: string | null, numbers: readonly string[]): void {
    const group = this.#groups.get(id) ?? {
      id,
      name: name ?? `Group ${id.slice(0, 4)}`,
      participants: new Map<string, boolean>(),
    }
    if (name !== null) group.name = name
    for (const number of numbers) group.participants.set(number, group.participants.get(number) ?? false)
    this.#groups.set(id, group)
  }

  /** Makes a newsletter that `owner` may write to, or admits `owner` to an existing one. */
  createNewsletter(owner: string, name: string, id: string = newRoomId('newsletter')): { id: string; name: string } {
    const newsletter = this.#newsletters.get(id) ?? { id, name, members: new Set<string>() }
    newsletter.name = name
    newsletter.members.add(owner)
    this.#newsletters.set(id, newsletter)
    return { id, name }
  }

  groupsOf(number: string): { id: string; name: string }[] {
    return [...this.#groups.values()]
      .filter(({ participants }) => participants.has(number))
      .map(({ id, name }) => ({ id, name }))
  }

  newslettersOf(number: string): { id: string; name: string }[] {
    return [...this.#newsletters.values()]
      .filter(({ members }) => members.has(number))
      .map(({ id, name }) => ({ id, name }))
  }

  /** The group in the view of one of its participants. */
  group(number: string, id: string): BridgeGroup {
    return present(this.#of(number, id))
  }

  /** Changes who is in the group; only an admin may. */
  changeParticipants(
    number: string,
    id: string,
    action: 'add' | 'remove',
    participants: readonly string[],
  ): BridgeGroup {
    const group = this.#of(number, id)
    if (group.participants.get(number) !== true)
      throw new BridgeRefusal('FAILED', 'Only an admin changes who is in the group')
    if (action === 'add') assertRegistered(participants)
    for (const participant of participants) {
      if (action === 'remove') group.participants.delete(participant)
      else group.participants.set(participant, group.participants.get(participant) ?? false)
    }
    return present(group)
  }

  /** Other numbers that get what a number writes to a group or newsletter. Refused unless the number is in it. */
  readersOf(number: string, id: string): string[] {
    if (id.endsWith('@g.us')) return [...this.#of(number, id).participants.keys()].filter((other) => other !== number)
    if (!this.#newsletters.get(id)?.members.has(number)) throw notFound('channel')
    return []
  }

  /** Name of a group or newsletter; null when unknown. */
  nameOf(id: string): string | null {
    return this.#groups.get(id)?.name ?? this.#newsletters.get(id)?.name ?? null
  }

  clear(): void {
    this.#groups.clear()
    this.#newsletters.clear()
  }

  #of(number: string, id: string): Group {
    const group = this.#groups.get(id)
    if (!group?.participants.has(number)) throw notFound('group')
    return group
  }
}

/** our choice: nobody is added when one of them has no account, so that the caller learns which request to mend. */
function assertRegistered(participants: readonly string[]): void {
  if (!participants.every(isRegistered))
    throw new BridgeRefusal('NOT_REGISTERED', 'A participant has no account on the device network')
}

/** Answers to a number about its groups and newsletters. */
export const ROOM_ANSWERS = {
  listGroups: ({ rooms }, number) => rooms.groupsOf(number),
  createGroup: ({ rooms }, number, { subject, participants }) => rooms.createGroup(number, subject, participants),
  getGroup: ({ rooms }, number, { groupId }) => rooms.group(number, groupId),
  changeParticipants: ({ rooms }, number, { groupId, action, participants }) =>
    rooms.changeParticipants(number, groupId, action, participants),
  listNewsletters: ({ rooms }, number) => rooms.newslettersOf(number),
} as const satisfies Partial<DeviceAnswers<{ readonly rooms: Rooms }>>
