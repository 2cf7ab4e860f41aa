import {
  addTransactionCapability,
  Curve,
  DEFAULT_CONNECTION_CONFIG,
  generateSignalPubKey,
  initAuthCreds,
  proto,
  type AuthenticationCreds,
  type SignalDataSet,
  type SignalKeyStore,
} from 'baileys'
import test from 'ava'
import { journallingRepository, type Decrypting } from '../../socket/journalling-repository.ts'
import { QUIET } from '../../socket/quiet-logger.ts'
import { messageKeyOf } from '../../store/stanza-part.ts'
import type { NumberStore } from '../../store/number-store.ts'
import { openStore, temporaryFolder } from '../helpers/open-store.ts'
import { memoryKeys } from '../network/memory-keys.ts'

const ALICE = '491700000001@s.whatsapp.net'
const BOB = '491700000002@s.whatsapp.net'
const OPTIONS = { maxCommitRetries: 1, delayBetweenTriesMs: 1 }

/**
 * Bob's device, which keeps its state in a real store, and Alice's, which writes to him. `commits` lists the types that
 * each of Bob's commits contains.
 */
async function twoDevices(bobStore: NumberStore) {
  const [alice, bob] = [initAuthCreds(), initAuthCreds()]
  const commits: string[][] = []
  const counted: SignalKeyStore = {
    get: (type, ids) => bobStore.keys.get(type, ids),
    set(data: SignalDataSet) {
      commits.push(Object.keys(data).sort())
      return bobStore.keys.set(data)
    },
  }
  const preKey = Curve.generateKeyPair()
  await bobStore.keys.set({ 'pre-key': { 1: preKey } })
  const writer = DEFAULT_CONNECTION_CONFIG.makeSignalRepository(
    { creds: alice, keys: addTransactionCapability(memoryKeys(), QUIET, OPTIONS) },
    QUIET,
  )
  await writer.injectE2ESession({
    jid: BOB,
    session: { ...bundleOf(bob), preKey: { keyId: 1, publicKey: generateSignalPubKey(preKey.public) } },
  })
  const decrypting: Decrypting = { parts: new WeakMap(), last: null }
  const reader = journallingRepository(
    bobStore.journal,
    decrypting,
    counted,
  )({ creds: bob, keys: addTransactionCapability(counted, QUIET, OPTIONS) }, QUIET)
  return { writer, reader, decrypting, commits, alice }
}

/** The key bundle that a device publishes for its first senders, without a one-time key. */
function bundleOf({
  registrationId,
  signedIdentityKey,
  signedPreKey: { keyId, keyPair, signature },
}: AuthenticationCreds) {
  return {
    registrationId,
    identityKey: generateSignalPubKey(signedIdentityKey.public),
    signedPreKey: { keyId, publicKey: generateSignalPubKey(keyPair.public), signature },
  }
}

function padded(text: string): Buffer {
  return Buffer.concat([proto.Message.encode({ conversation: text }).finish(), Buffer.of(1)])
}

async function write(
  { writer, decrypting }: Awaited<ReturnType<typeof twoDevices>>,
  id: string,
  text: string,
  parts = 1,
) {
  const { type, ciphertext } = await writer.encryptMessage({ jid: BOB, data: padded(text) })
  const attrs = { from: ALICE, id }
  const bytes = Buffer.from(ciphertext)
  decrypting.parts.set(bytes, { attrs, part: 0, parts, type })
  return { type, bytes, attrs }
}

// [engines.baileys-duties.1]
test('one commit carries the ratchet step, the used pre-key, the identity and the journal row', async (t) => {
  const store = openStore(temporaryFolder(t))
  const devices = await twoDevices(await store.number('num_1'))
  const { type, bytes } = await write(devices, 'A1', 'first')
  await devices.reader.decryptMessage({ jid: ALICE, type, ciphertext: bytes })
  t.is(type, 'pkmsg')
  t.deepEqual(
    devices.commits.filter((types) => types.includes('session')),
    [['identity-key', 'inbound-journal', 'pre-key', 'session']],
  )
  t.is((await (await store.number('num_1')).journal.untold()).length, 1)
  await store.close()
})

test('a repeated message is answered from the journal, and by nothing once it was told, because its keys are used up', async (t) => {
  const store = openStore(temporaryFolder(t))
  const number = await store.number('num_1')
  const devices = await twoDevices(number)
  const { type, bytes, attrs } = await write(devices, 'A1', 'first')
  const options = { jid: ALICE, type, ciphertext: bytes }
  const plain = await devices.reader.decryptMessage(options)
  const key = messageKeyOf(attrs)
  t.deepEqual(devices.decrypting.last, { id: 'A1', messageKey: key, isNew: true })
  t.deepEqual(Buffer.from(await devices.reader.decryptMessage(options)), Buffer.from(plain))
  t.false(devices.decrypting.last?.isNew)
  await number.write(number.journal.told(key, 0, 1))
  t.deepEqual(Buffer.from(await devices.reader.decryptMessage(options)), Buffer.of(1))
  t.deepEqual(devices.decrypting.last, { id: 'A1', messageKey: key, isNew: false })
  await store.close()
})

test('a message of several parts is not taken for new, because another part may have been told alone', async (t) => {
  const store = openStore(temporaryFolder(t))
  const devices = await twoDevices(await store.number('num_1'))
  const { type, bytes } = await write(devices, 'A1', 'first', 2)
  await devices.reader.decryptMessage({ jid: ALICE, type, ciphertext: bytes })
  t.false(devices.decrypting.last?.isNew)
  await store.close()
})

test('a message that cannot be decrypted leaves neither a ratchet step nor a journal row', async (t) => {
  const store = openStore(temporaryFolder(t))
  const devices = await twoDevices(await store.number('num_1'))
  const { type, bytes } = await write(devices, 'A1', 'first')
  const broken = Buffer.from(bytes)
  broken[broken.length - 20]! ^= 1
  devices.decrypting.parts.set(broken, devices.decrypting.parts.get(bytes)!)
  await t.throwsAsync(devices.reader.decryptMessage({ jid: ALICE, type, ciphertext: broken }))
  t.is((await (await store.number('num_1')).journal.untold()).length, 0)
  t.is(devices.decrypting.last, null)
  await devices.reader.decryptMessage({ jid: ALICE, type, ciphertext: bytes })
  t.is((await (await store.number('num_1')).journal.untold()).length, 1)
  await store.close()
})

test('two numbers that read one person at once each commit the ratchet step with its journal row', async (t) => {
  const store = openStore(temporaryFolder(t))
  const both = await Promise.all(
    ['num_1', 'num_2'].map(async (name) => {
      const devices = await twoDevices(await store.number(name))
      return { devices, written: await Promise.all(['A1', 'A2', 'A3'].map((id) => write(devices, id, id))) }
    }),
  )
  await Promise.all(
    both.map(async ({ devices, written }) => {
      for (const { type, bytes } of written)
        await devices.reader.decryptMessage({ jid: ALICE, type, ciphertext: bytes })
    }),
  )
  for (const { devices } of both) {
    const steps = devices.commits.filter((types) => types.includes('session') || types.includes('inbound-journal'))
    t.is(steps.length, 3)
    t.true(
      steps.every((types) => types.includes('session') && types.includes('inbound-journal')),
      JSON.stringify(steps),
    )
  }
  await store.close()
})

test('a message of an earlier encryption session does not spoil the session that followed it', async (t) => {
  const store = openStore(temporaryFolder(t))
  const devices = await twoDevices(await store.number('num_1'))
  const { reader, writer, alice } = devices
  const reads = async (id: string): Promise<void> => {
    const { type, bytes } = await write(devices, id, id)
    await reader.decryptMessage({ jid: ALICE, type, ciphertext: bytes })
  }
  const answers = async (): Promise<void> => {
    const { type, ciphertext } = await reader.encryptMessage({ jid: ALICE, data: padded('answer') })
    t.deepEqual(Buffer.from(await writer.decryptMessage({ jid: BOB, type, ciphertext })), padded('answer'))
  }
  await reads('A1')
  await answers()
  await reader.injectE2ESession({ jid: ALICE, session: { ...bundleOf(alice), preKey: undefined } as never })
  await reads('A2')
  await answers()
  await reads('A3')
  await answers()
  await store.close()
})
