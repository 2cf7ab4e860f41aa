/**
 * The end-to-end side of a phone: the library's own signal repository over a store in memory.
 * Devices are addressed by their hidden identifier throughout, so that one session serves both ways of addressing.
 */
import {
  Curve,
  DEFAULT_CONNECTION_CONFIG,
  encodeBigEndian,
  encodeWAMessage,
  generateRegistrationId,
  generateSignalPubKey,
  type KeyPair,
  proto,
  type SignalKeyStore,
  type BinaryNode,
  signedKeyPair,
  unpadRandomMax16,
  xmppSignedPreKey,
} from 'baileys'
import { inPeerTurn } from '../../socket/peer-turns.ts'
import { sessionSteps } from '../../socket/session-steps.ts'
import type { Device } from './directory.ts'
import { takeBundle } from './keys-queries.ts'
import { memoryKeys } from './memory-keys.ts'
import { silent } from './silent-logger.ts'
import { bytesOf, child, stanza } from './stanza.ts'

export type PhoneCipher = {
  identity: KeyPair
  registrationId: number
  bundle(): BinaryNode[]
  /** Encrypts for one device; the session is opened with its published keys when there is none. */
  seal(device: Device, message: proto.IMessage): Promise<BinaryNode>
  /** Decrypts a part a device sent to this phone. Rejects when it cannot. */
  open(device: Device, part: BinaryNode): Promise<proto.Message>
  /** Encrypts for a group once; `distribution` must reach a device before it can read. */
  sealForGroup(
    group: string,
    ownLid: string,
    message: proto.IMessage,
  ): Promise<{ part: BinaryNode; distribution: proto.IMessage }>
  openFromGroup(group: string, device: Device, part: BinaryNode): Promise<proto.Message>
  learnSenderKey(device: Device, item: proto.Message.ISenderKeyDistributionMessage): Promise<void>
  /** Opens a new session with a device, whatever the old one was. */
  renew(device: Device): Promise<void>
  /** Loses all sessions, like a phone that was set up again; later messages cannot be read. */
  forget(): void
}

function repositoryOf(identity: KeyPair, store: SignalKeyStore) {
  const registrationId = generateRegistrationId()
  const signedPreKey = signedKeyPair(identity, 1)
  const { keys, stepOf } = sessionSteps(store)
  const creds = { signedIdentityKey: identity, signedPreKey, registrationId }
  const repository = DEFAULT_CONNECTION_CONFIG.makeSignalRepository({ creds, keys }, silent, async () => [])
  const bundle = (): BinaryNode[] => [
    stanza('registration', {}, encodeBigEndian(registrationId)),
    stanza('identity', {}, identity.public),
    xmppSignedPreKey(signedPreKey),
  ]
  return { repository, stepOf, bundle, registrationId }
}

const numberOf = (node: BinaryNode | undefined): number => {
  const bytes = bytesOf(node)
  return bytes.length === 0 ? 0 : bytes.readUIntBE(0, bytes.length)
}

function sessionKeys(nodes: BinaryNode[]) {
  const bundle = stanza('user', {}, nodes)
  const key = (node: BinaryNode) => ({
    keyId: numberOf(child(node, 'id')),
    publicKey: generateSignalPubKey(bytesOf(child(node, 'value'))),
  })
  const signed = child(bundle, 'skey')
  const preKey = child(bundle, 'key')
  if (!signed) throw new Error('the device published no keys')
  return {
    registrationId: numberOf(child(bundle, 'registration')),
    identityKey: generateSignalPubKey(bytesOf(child(bundle, 'identity'))),
    signedPreKey: { ...key(signed), signature: bytesOf(child(signed, 'signature')) },
    ...(preKey ? { preKey: key(preKey) } : {}),
  }
}

const decoded = (bytes: Uint8Array): proto.Message => proto.Message.decode(unpadRandomMax16(bytes))

/** Makes the keys and sessions of a phone. */
export function makePhoneCipher(): PhoneCipher {
  const identity = Curve.generateKeyPair()
  const store = memoryKeys()
  const { repository, stepOf, bundle, registrationId } = repositoryOf(identity, store)
  // Phones of one process share the Signal library's queue of a device. Without turns, a step of one phone would run in
  // a transaction that has ended, and be lost.
  const renew = (device: Device): Promise<void> =>
    inPeerTurn(device.lid, () =>
      repository.injectE2ESession({ jid: device.lid, session: sessionKeys(takeBundle(device)) }),
    )
  return {
    identity,
    registrationId,
    bundle,
    renew,
    seal: async (device, message) => {
      if (!(await repository.validateSession(device.lid)).exists) await renew(device)
      const { type, ciphertext } = await inPeerTurn(device.lid, () =>
        repository.encryptMessage({ jid: device.lid, data: encodeWAMessage(message) }),
      )
      return stanza('enc', { v: '2', type }, ciphertext)
    },
    open: async (device, part) => {
      const type = part.attrs['type'] === 'pkmsg' ? 'pkmsg' : 'msg'
      const sealed = { jid: device.lid, type, ciphertext: bytesOf(part) } as const
      return decoded(await inPeerTurn(device.lid, () => stepOf(sealed, () => repository.decryptMessage(sealed))))
    },
    sealForGroup: async (group, ownLid, message) => {
      const sealed = await repository.encryptGroupMessage({ group, meId: ownLid, data: encodeWAMessage(message) })
      const axolotlSenderKeyDistributionMessage = sealed.senderKeyDistributionMessage
      const distribution = { senderKeyDistributionMessage: { groupId: group, axolotlSenderKeyDistributionMessage } }
      return { part: stanza('enc', { v: '2', type: 'skmsg' }, sealed.ciphertext), distribution }
    },
    openFromGroup: async (group, device, part) =>
      decoded(await repository.decryptGroupMessage({ group, authorJid: device.lid, msg: bytesOf(part) })),
    learnSenderKey: (device, item) => repository.processSenderKeyDistributionMessage({ item, authorJid: device.lid }),
    forget: () => store.wipe(),
  }
}
