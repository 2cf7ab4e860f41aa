/** A group as stanzas show it. */
import { type BinaryNode, jidDecode } from 'baileys'
import type { Account } from './directory.ts'
import type { Group } from './group.ts'
import { seconds, stanza } from './stanza.ts'

const shown = (group: Group, account: Account): string => (group.hidden ? account.lid : account.pn)

/** Shows a member under the address that the group uses, with the other identifier added. */
export function participantNode(group: Group, account: Account): BinaryNode {
  const role = group.members.get(account)
  const other = group.hidden ? { phone_number: account.numberKnown ? account.pn : undefined } : { lid: account.lid }
  return stanza('participant', { jid: shown(group, account), type: role === 'member' ? undefined : role, ...other })
}

/** Shows a whole group. */
export function groupNode(group: Group): BinaryNode {
  const { id, subject, owner, createdAt, members, description, settings, hidden } = group
  const attributes = {
    id: jidDecode(id)?.user,
    subject,
    creation: createdAt,
    creator: shown(group, owner),
    s_t: createdAt,
    s_o: shown(group, owner),
    size: String(members.size),
    addressing_mode: hidden ? 'lid' : 'pn',
  }
  const body = description ? [stanza('body', {}, Buffer.from(description.text))] : []
  return stanza('group', attributes, [
    ...[...members.keys()].map((account) => participantNode(group, account)),
    ...(description ? [stanza('description', { id: description.id, t: seconds() }, body)] : []),
    ...[...settings].map((setting) => stanza(setting, setting === 'ephemeral' ? { expiration: '604800' } : {})),
  ])
}
