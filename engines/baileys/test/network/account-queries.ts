/** Info queries about users and the account itself: usync, privacy, properties, application state, media hosts. */
import type { BinaryNode } from 'baileys'
import { type Account, type Device, type Directory, userOf } from './directory.ts'
import { bytesOf, child, children, resultOf, seconds, stanza, textOf } from './stanza.ts'

/** Numbers with this ending are not registered; all others are, known to a test or not. */
export const UNREGISTERED_ENDING = '0004'

/** How long upload hosts may be cached, in s; short enough that a test sees a second request. */
const MEDIA_CONNECTION_TTL_SECONDS = 300

function deviceList(account: Account): BinaryNode {
  const linked = [...account.devices.values()].map(({ id, keyIndex }) =>
    stanza('device', { id: String(id), 'key-index': String(keyIndex) }),
  )
  const list = stanza('device-list', { hash: 'unused' }, [stanza('device', { id: '0' }), ...linked])
  return stanza('devices', {}, [list, stanza('key-index-list', { ts: seconds() })])
}

type Known = (number: string) => Account | undefined

function usyncUser(user: BinaryNode, protocols: string[], directory: Directory, known: Known): BinaryNode | undefined {
  const phone = textOf(child(user, 'contact')).replace('+', '')
  if (phone !== '') {
    const account = known(phone)
    const jid = account?.pn ?? `${phone}@s.whatsapp.net`
    return stanza('user', { jid }, [stanza('contact', { type: account ? 'in' : 'out' }, phone)])
  }
  const jid = user.attrs['jid'] ?? ''
  const account = jid.endsWith('@lid') ? directory.find(jid) : known(userOf(jid))
  if (!account) return undefined
  const hidden = jid.endsWith('@lid')
  // A query for identifiers alone is answered with the number of a hidden account once it may be known.
  const answeredJid = hidden && account.numberKnown && !protocols.includes('devices') ? account.pn : jid
  const parts: BinaryNode[] = []
  if (protocols.includes('devices')) parts.push(deviceList(account))
  if (protocols.includes('lid') && !answeredJid.endsWith('@lid')) parts.push(stanza('lid', { val: account.lid }))
  if (protocols.includes('status')) parts.push(stanza('status', { t: seconds() }, Buffer.from('')))
  return stanza('user', { jid: answeredJid }, parts)
}

/** Answers a usync query: which numbers are registered, their devices, their hidden identifiers. */
export function answerUsync(directory: Directory, known: Known, query: BinaryNode): BinaryNode {
  const usync = child(query, 'usync')
  const content = child(usync, 'query')?.content
  const protocols = Array.isArray(content) ? content.map(({ tag }) => tag) : []
  const users = children(child(usync, 'list'), 'user')
    .map((user) => usyncUser(user, protocols, directory, known))
    .filter((user) => user !== undefined)
  return resultOf(query, [stanza('usync', usync?.attrs ?? {}, [stanza('result'), stanza('list', {}, users)])])
}

/** Answers the privacy settings (all open) or takes privacy tokens. */
export function answerPrivacy(query: BinaryNode): BinaryNode {
  if (query.attrs['type'] === 'set') return resultOf(query)
  const names = ['readreceipts', 'last', 'online', 'profile', 'status', 'groupadd', 'calladd', 'messages']
  return resultOf(query, [
    stanza(
      'privacy',
      {},
      names.map((name) => stanza('category', { name, value: 'all' })),
    ),
  ])
}

/**
 * Answers a sync of application state. Nothing is stored, but collections and versions are echoed, because the client
 * would otherwise ask without end.
 */
export function answerAppState(query: BinaryNode): BinaryNode {
  const collections = children(child(query, 'sync'), 'collection').map(({ attrs, content }) => {
    const patched = Array.isArray(content) && content.length > 0
    const version = String(Number(attrs['version'] ?? 0) + (patched ? 1 : 0))
    return stanza('collection', { name: attrs['name'], version, has_more_patches: 'false' })
  })
  return resultOf(query, [stanza('sync', {}, collections)])
}

/** Answers a query for the host of media uploads. */
export function answerMediaConnection(mediaHost: string, query: BinaryNode): BinaryNode {
  const host = stanza('host', { hostname: mediaHost, maxContentLengthBytes: String(100 * 1024 * 1024) })
  const attributes = { auth: 'offline', ttl: String(MEDIA_CONNECTION_TTL_SECONDS), max_buckets: '12', id: '1' }
  return resultOf(query, [stanza('media_conn', attributes, [host])])
}

/** Takes the name a device gave itself in a presence stanza. */
export function onPresence(device: Device, node: BinaryNode): void {
  if (node.attrs['type'] !== undefined) device.presence = node.attrs['type']
}

/** Takes what a device shows in a chat while it writes. */
export function onChatState(device: Device, { attrs, content }: BinaryNode): void {
  const [state] = Array.isArray(content) ? content : []
  const shown = [state?.tag, state?.attrs['media']].filter(Boolean).join(' ')
  device.chatStates.push({ to: attrs['to'] ?? '', state: shown })
}

/** Takes the profile text of the account. */
export const profileText = (query: BinaryNode): string => bytesOf(child(query, 'status')).toString()
