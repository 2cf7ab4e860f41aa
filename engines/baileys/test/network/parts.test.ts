import { randomBytes } from 'node:crypto'
import test from 'ava'
import { downloadMediaMessage, type proto } from 'baileys'
import { openClient, pairedClient } from './client.ts'
import { historyText } from './history.ts'
import { networkFor } from './started.ts'

const ANA = '5511999990001'
const BIA = '5511999990002'
const CAIO = '5511999990003'
const jid = (number: string): string => `${number}@s.whatsapp.net`

test('a client is paired by the code it shows, and another code is refused', async (t) => {
  const network = await networkFor(t)
  const client = openClient(network.socketUrl, { browser: ['Ubuntu', 'Chrome', '22.04'] })
  await client.qr()
  const code = await client.sock.requestPairingCode(ANA)
  await t.throwsAsync(network.phone(ANA).enterCode('ZZZZZZZZ'), { message: /another one/ })
  client.end()
  const second = openClient(network.socketUrl, { browser: ['Ubuntu', 'Chrome', '22.04'] })
  await second.qr()
  const shown = await second.sock.requestPairingCode(ANA)
  t.not(shown, code)
  await network.phone(ANA).enterCode(shown)
  t.is(await second.closed(), 515)
  second.connect()
  await second.open()
  t.is(second.creds.me?.id, `${ANA}:1@s.whatsapp.net`)
})

test('media goes both ways byte for byte, encrypted at the media host', async (t) => {
  const network = await networkFor(t)
  const client = await pairedClient(network, ANA)
  const bia = network.phone(BIA)
  const voice = randomBytes(40_000)
  const id = await bia.media(ANA, { kind: 'voice', bytes: voice, mimetype: 'audio/ogg; codecs=opus', seconds: 3 })
  const received = await client.find(({ key }) => key.id === id)
  t.true(received.message?.audioMessage?.ptt)
  t.deepEqual(await downloadMediaMessage(received, 'buffer', {}), voice)
  const document = randomBytes(300_000)
  await client.sock.sendMessage(jid(BIA), { document, mimetype: 'application/pdf', fileName: 'offer.pdf' })
  const arrived = await bia.find(({ message }) => Boolean(message.documentMessage))
  t.deepEqual(await bia.open(arrived), document)
  network.media.store.expire(received.message?.audioMessage?.directPath ?? '')
  await t.throwsAsync(downloadMediaMessage(received, 'buffer', {}))
})

test('groups: told of, listed, created, written into by both sides with sender keys', async (t) => {
  const network = await networkFor(t)
  const client = await pairedClient(network, ANA)
  const [ana, bia, caio] = [network.phone(ANA), network.phone(BIA), network.phone(CAIO)]
  const group = network.createGroup(bia, 'Friends', [ana, caio])
  await client.event('groups.upsert', (groups) => groups.some(({ id }) => id === group.id))
  t.deepEqual(Object.keys(await client.sock.groupFetchAllParticipating()), [group.id])
  await bia.text(group.id, 'hello group')
  const received = await client.find(({ message }) => message?.conversation === 'hello group')
  t.is(received.key.participant, jid(BIA))
  await bia.text(group.id, 'once more')
  await client.find(({ message }) => message?.conversation === 'once more')
  await client.sock.sendMessage(group.id, { text: 'hello friends' })
  t.is((await caio.find(({ text }) => text === 'hello friends')).chat, group.id)
  const own = await client.sock.groupCreate('Work', [jid(BIA)])
  t.deepEqual(
    own.participants.map(({ id }) => id),
    [jid(ANA), jid(BIA)],
  )
  const [added] = await client.sock.groupParticipantsUpdate(own.id, [jid(CAIO)], 'add')
  t.is(added?.status, '200')
  t.deepEqual([bia.state.faults, caio.state.faults], [[], []])
})

test('newsletters are listed by query, and their posts come as they are', async (t) => {
  const network = await networkFor(t)
  const client = await pairedClient(network, ANA)
  const newsletter = network.createNewsletter(network.phone(BIA), 'News of the day')
  network.newsletters.follow(network.phone(ANA).account, newsletter.id)
  network.newsletters.post(newsletter, { conversation: 'extra' })
  const post = await client.find(({ message }) => message?.conversation === 'extra')
  t.is(post.key.remoteJid, newsletter.id)
  const metadata = await client.sock.newsletterMetadata('jid', newsletter.id)
  t.is(metadata?.id, newsletter.id)
  await network.devices(ANA)[0]?.mailbox.whenGone()
  t.pass('the post was acknowledged')
})

test('stories, what was written on the phone, edits and revokes reach the client', async (t) => {
  const network = await networkFor(t)
  const client = await pairedClient(network, ANA)
  const [ana, bia] = [network.phone(ANA), network.phone(BIA)]
  await bia.story('sunny')
  const story = await client.find(({ key }) => key.remoteJid === 'status@broadcast')
  t.is(story.key.participant, jid(BIA))
  await ana.text(BIA, 'from my phone')
  const elsewhere = await client.find(({ message }) => message?.conversation === 'from my phone')
  t.deepEqual([elsewhere.key.fromMe, elsewhere.key.remoteJid], [true, jid(BIA)])
  const id = await bia.text(ANA, 'helo')
  await client.find(({ key }) => key.id === id)
  await bia.edit(ANA, id, 'hello')
  await client.find(({ message }) => message?.protocolMessage?.editedMessage?.conversation === 'hello')
  await bia.revoke(ANA, id)
  const revoke = await client.find(
    ({ message }) => message?.protocolMessage?.type === (0 as proto.Message.ProtocolMessage.Type),
  )
  t.is(revoke.message?.protocolMessage?.key?.id, id)
})

test('a hidden sender is known by identifier only until the number is revealed', async (t) => {
  const network = await networkFor(t)
  const client = await pairedClient(network, ANA)
  const bia = network.phone(BIA)
  bia.hide({ numberKnown: false })
  await bia.text(ANA, 'who am I')
  const first = await client.find(({ message }) => message?.conversation === 'who am I')
  t.is(first.key.remoteJid, bia.account.lid)
  t.falsy(first.key.remoteJidAlt)
  t.is(await client.sock.signalRepository.lidMapping.getPNForLID(bia.account.lid), null)
  await client.sock.sendMessage(bia.account.lid, { text: 'hello, whoever' })
  t.is((await bia.find(({ text }) => text === 'hello, whoever')).chat, bia.account.lid)
  bia.revealNumber()
  await bia.text(ANA, 'it is me')
  const second = await client.find(({ message }) => message?.conversation === 'it is me')
  t.is(second.key.remoteJidAlt, jid(BIA))
})

test('the network tells whose a hidden identifier is, without a message', async (t) => {
  const network = await networkFor(t)
  const client = await pairedClient(network, ANA)
  const bia = network.phone(BIA)
  bia.hide({ numberKnown: false })
  bia.tellNumber(ANA)
  t.deepEqual(await client.event('lid-mapping.update'), { lid: bia.account.lid, pn: jid(BIA) })
})

test('history comes in batches and says whose hidden identifiers are', async (t) => {
  const network = await networkFor(t)
  const client = await pairedClient(network, ANA, { shouldSyncHistoryMessage: () => true })
  await network.phone(ANA).pushHistory({ messages: 25, chats: 3, batch: 10, hidden: true })
  await client.event('messaging-history.set', ({ progress }) => progress === 100)
  const texts = client.events
    .filter(({ name }) => name === 'messaging-history.set')
    .flatMap(({ value }) =>
      (value as { messages: { message?: { conversation?: string } }[] }).messages.map(
        ({ message }) => message?.conversation,
      ),
    )
  t.deepEqual(texts.toSorted(), Array.from({ length: 25 }, (_, position) => historyText(position)).toSorted())
  t.is(
    await client.sock.signalRepository.lidMapping.getPNForLID(`${'88'.padEnd(15, '0')}@lid`),
    '551180000000:0@s.whatsapp.net'.replace('5511', '55119'),
  )
})

test('a call rings, is rejected by the client, and another one ends unanswered', async (t) => {
  const network = await networkFor(t)
  const client = await pairedClient(network, ANA)
  const bia = network.phone(BIA)
  const call = bia.call(ANA)
  const [offer] = await client.event('call', ([one]) => one?.status === 'offer')
  t.is(offer?.id, call.id)
  await client.sock.rejectCall(call.id, String(offer?.from))
  await bia.callState(call.id, 'rejected')
  const missed = bia.call(ANA, { video: true })
  await client.event('call', ([one]) => one?.id === missed.id && one.isVideo === true)
  bia.endCall(missed.id, 'timeout')
  await client.event('call', ([one]) => one?.id === missed.id && one.status === 'timeout')
  t.pass()
})

test('numbers that end with 0004 are not registered', async (t) => {
  const network = await networkFor(t)
  const client = await pairedClient(network, ANA)
  const found = await client.sock.onWhatsApp('5511999990004', BIA)
  t.deepEqual(found, [{ jid: jid(BIA), exists: true }])
})

test('a phone that lost its sessions asks for a message again and gets it', async (t) => {
  const network = await networkFor(t)
  const client = await pairedClient(network, ANA)
  const bia = network.phone(BIA)
  await client.sock.sendMessage(jid(BIA), { text: 'before' })
  await bia.find(({ text }) => text === 'before')
  await bia.text(ANA, 'an answer ends the opening of the session')
  await client.find(({ key }) => key.remoteJid === jid(BIA) && !key.fromMe)
  bia.forgetSessions()
  await client.sock.sendMessage(jid(BIA), { text: 'after' })
  await bia.find(({ text }) => text === 'after')
  t.is(bia.state.faults.length, 1)
})
