/** Info queries about keys (`encrypt`): publishing, counting, proving, and fetching those of others. */
import { type BinaryNode, encodeBigEndian, sha256, S_WHATSAPP_NET } from 'baileys'
import type { Device, DeviceKeys, Directory } from './directory.ts'
import { bytesOf, child, children, refusalOf, resultOf, seconds, stanza } from './stanza.ts'

/** Below this many one-time keys the device is told to publish more (the library publishes at fewer than 5). */
const LOW_PRE_KEYS = 5

function published(node: BinaryNode): DeviceKeys {
  const signedPreKey = child(node, 'skey')
  if (!signedPreKey) throw new Error('published keys hold no signed key')
  return {
    identity: bytesOf(child(node, 'identity')),
    registration: bytesOf(child(node, 'registration')),
    signedPreKey,
    preKeys: children(child(node, 'list'), 'key'),
    lowTold: false,
  }
}

function store(device: Device, query: BinaryNode): BinaryNode {
  const rotated = child(child(query, 'rotate'), 'skey')
  if (rotated) {
    if (device.keys) device.keys.signedPreKey = rotated
    return resultOf(query)
  }
  const keys = published(query)
  keys.preKeys = [...(device.keys?.preKeys ?? []), ...keys.preKeys]
  device.keys = keys
  device.onKeyed()
  return resultOf(query)
}

/** Takes one set of keys of a device for a new session, and tells the device when few are left. */
export function takeBundle(device: Device): BinaryNode[] {
  const { keys } = device
  if (!keys) return []
  const preKey = keys.preKeys.shift()
  if (keys.preKeys.length < LOW_PRE_KEYS && !keys.lowTold) {
    keys.lowTold = true
    const attributes = { id: `low-${seconds()}-${device.id}`, from: S_WHATSAPP_NET, type: 'encrypt', t: seconds() }
    device.mailbox.post(stanza('notification', attributes, [stanza('count', { value: String(keys.preKeys.length) })]))
  }
  const fixed = [
    stanza('registration', {}, keys.registration),
    stanza('identity', {}, keys.identity),
    keys.signedPreKey,
  ]
  return preKey ? [...fixed, preKey] : fixed
}

function fetched(directory: Directory, jid: string): BinaryNode {
  const device = directory.device(jid)
  const bundle = device ? takeBundle(device) : directory.find(jid)?.phone.bundle()
  if (!bundle || bundle.length === 0)
    return stanza('user', { jid }, [stanza('error', { code: '404', text: 'item-not-found' })])
  return stanza('user', { jid }, bundle)
}

function digest(keys: DeviceKeys): BinaryNode {
  return stanza('digest', {}, [
    stanza('registration', {}, keys.registration),
    stanza('type', {}, encodeBigEndian(5, 1)),
    stanza('identity', {}, keys.identity),
    stanza(
      'hash',
      {},
      sha256(Buffer.concat([keys.identity, ...keys.preKeys.map((key) => bytesOf(child(key, 'value')))])),
    ),
  ])
}

/** Answers a query of the name space `encrypt`. */
export function answerKeys(directory: Directory, device: Device, query: BinaryNode): BinaryNode {
  if (query.attrs['type'] === 'set') return store(device, query)
  if (child(query, 'count'))
    return resultOf(query, [stanza('count', { value: String(device.keys?.preKeys.length ?? 0) })])
  if (child(query, 'digest')) {
    return device.keys ? resultOf(query, [digest(device.keys)]) : refusalOf(query, 404, 'item-not-found')
  }
  const users = children(child(query, 'key'), 'user').map((user) => fetched(directory, user.attrs['jid'] ?? ''))
  return resultOf(query, [stanza('list', {}, users)])
}
