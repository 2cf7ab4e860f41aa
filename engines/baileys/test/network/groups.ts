/** Groups: their members, the queries and changes of clients (`w:g2`), and what members are told. */
import { randomBytes } from 'node:crypto'
import type { BinaryNode } from 'baileys'
import { participantAttributes } from './addressing.ts'
import type { Account, Device, Directory } from './directory.ts'
import type { Group, Role } from './group.ts'
import { groupNode, participantNode } from './group-nodes.ts'
import { bytesOf, child, children, refusalOf, resultOf, seconds, stanza } from './stanza.ts'

export type Groups = {
  all: Map<string, Group>
  create(owner: Account, subject: string, members: Account[], options?: { hidden?: boolean; id?: string }): Group
  change(actor: Account, group: Group, verb: string, targets: Account[]): BinaryNode
  rename(actor: Account, group: Group, subject: string): void
  answer(device: Device, query: BinaryNode): BinaryNode
}

const SETTINGS: Record<string, [setting: string, present: boolean]> = {
  announcement: ['announcement', true],
  not_announcement: ['announcement', false],
  locked: ['locked', true],
  unlocked: ['locked', false],
  ephemeral: ['ephemeral', true],
  not_ephemeral: ['ephemeral', false],
  membership_approval_mode: ['membership_approval_mode', true],
  member_add_mode: ['member_add_mode', true],
}

const drawId = (): string =>
  `120363${BigInt(`0x${randomBytes(5).toString('hex')}`)
    .toString()
    .padStart(12, '0')
    .slice(-12)}@g.us`

/** Tells all devices of the members of a change. */
function announce(group: Group, actor: Account, content: BinaryNode, members: Iterable<Account>): void {
  const origin = participantAttributes(group.id, { account: actor, device: 0, hidden: group.hidden })
  const id = randomBytes(6).toString('hex')
  for (const member of new Set(members)) {
    for (const device of member.devices.values()) {
      device.mailbox.post(
        stanza('notification', { ...origin, id, type: 'w:gp2', t: seconds(), notify: actor.name }, [content]),
      )
    }
  }
}

function applyVerb(group: Group, verb: string, target: Account): void {
  if (verb === 'add') group.members.set(target, group.members.get(target) ?? 'member')
  else if (verb === 'remove' || verb === 'leave') group.members.delete(target)
  else if (group.members.has(target)) group.members.set(target, verb === 'promote' ? 'admin' : 'member')
}

const MEMBER_VERBS = ['add', 'remove', 'promote', 'demote']

/** Opens the list of groups; `known` finds or makes the account of a jid that may exist. */
export function openGroups(directory: Directory, known: (jid: string) => Account | undefined): Groups {
  const all = new Map<string, Group>()
  const groups: Groups = {
    all,
    create: (owner, subject, members, { hidden = false, id = drawId() } = {}) => {
      const roles = new Map<Account, Role>([[owner, 'superadmin']])
      for (const member of members) if (member !== owner) roles.set(member, 'member')
      const group: Group = {
        id,
        subject,
        owner,
        hidden,
        members: roles,
        description: undefined,
        createdAt: seconds(),
        settings: new Set(),
        invite: randomBytes(8).toString('hex'),
      }
      all.set(id, group)
      announce(group, owner, stanza('create', { type: 'new' }, [groupNode(group)]), group.members.keys())
      return group
    },
    change: (actor, group, verb, targets) => {
      const before = [...group.members.keys()]
      for (const target of targets) applyVerb(group, verb, target)
      const nodes = targets.map((target) => participantNode(group, target))
      announce(group, actor, stanza(verb === 'leave' ? 'remove' : verb, {}, nodes), [
        ...before,
        ...group.members.keys(),
      ])
      return stanza(verb, {}, nodes)
    },
    rename: (actor, group, subject) => {
      group.subject = subject
      announce(group, actor, stanza('subject', { subject, s_t: seconds() }), group.members.keys())
    },
    answer: (device, query) => answer(groups, directory, known, device, query),
  }
  return groups
}

type Known = (jid: string) => Account | undefined

function answer(groups: Groups, directory: Directory, known: Known, device: Device, query: BinaryNode): BinaryNode {
  const { to = '', type } = query.attrs
  if (to === '@g.us') return answerAll(groups, known, device.account, query)
  const group = groups.all.get(to)
  if (!group) return refusalOf(query, 404, 'item-not-found')
  if (!group.members.has(device.account)) return refusalOf(query, 403, 'forbidden')
  if (child(query, 'invite')) return resultOf(query, [stanza('invite', { code: group.invite })])
  if (type === 'get') return resultOf(query, [groupNode(group)])
  const verb = MEMBER_VERBS.find((one) => child(query, one))
  if (verb) return changeMembers(groups, directory, known, device.account, group, verb, query)
  const subject = child(query, 'subject')
  if (subject) groups.rename(device.account, group, bytesOf(subject).toString())
  const description = child(query, 'description')
  if (description) {
    const text = bytesOf(child(description, 'body')).toString()
    group.description = text === '' ? undefined : { id: description.attrs['id'] ?? '', text }
  }
  for (const [tag, [setting, present]] of Object.entries(SETTINGS))
    if (child(query, tag)) group.settings[present ? 'add' : 'delete'](setting)
  return resultOf(query)
}

function answerAll(groups: Groups, known: Known, account: Account, query: BinaryNode): BinaryNode {
  if (child(query, 'participating')) {
    const mine = [...groups.all.values()].filter(({ members }) => members.has(account))
    return resultOf(query, [stanza('groups', {}, mine.map(groupNode))])
  }
  const create = child(query, 'create')
  if (create) {
    const members = children(create, 'participant')
      .map(({ attrs }) => known(attrs['jid'] ?? ''))
      .filter((one) => one !== undefined)
    return resultOf(query, [groupNode(groups.create(account, create.attrs['subject'] ?? '', members))])
  }
  const left = children(child(query, 'leave'), 'group').map(({ attrs }) => groups.all.get(attrs['id'] ?? ''))
  for (const group of left) if (group) groups.change(account, group, 'leave', [account])
  const code = child(query, 'invite')?.attrs['code']
  const invited = [...groups.all.values()].find(({ invite }) => invite === code)
  if (code && !invited) return refusalOf(query, 404, 'item-not-found')
  if (invited && query.attrs['type'] === 'get') return resultOf(query, [groupNode(invited)])
  if (invited) groups.change(account, invited, 'add', [account])
  return resultOf(query, invited ? [stanza('group', { jid: invited.id })] : [])
}

function changeMembers(
  groups: Groups,
  directory: Directory,
  known: Known,
  actor: Account,
  group: Group,
  verb: string,
  query: BinaryNode,
): BinaryNode {
  if (group.members.get(actor) === 'member') return refusalOf(query, 403, 'forbidden')
  const jids = children(child(query, verb), 'participant').map(({ attrs }) => attrs['jid'] ?? '')
  const refused = jids.filter((jid) => !(verb === 'add' ? known(jid) : directory.find(jid)))
  const targets = jids.map((jid) => directory.find(jid)).filter((one) => one !== undefined)
  const changed = groups.change(actor, group, verb, targets)
  const errors = refused.map((jid) => stanza('participant', { jid, error: '404' }))
  return resultOf(query, [{ ...changed, content: [...children(changed, 'participant'), ...errors] }])
}
