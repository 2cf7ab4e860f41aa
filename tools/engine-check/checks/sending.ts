import { newId } from '../../../src/domain/ids.ts'
import { isSameEvent, type SeenEvent } from '../engine-end.ts'
import { shown, Unmet } from '../finding.ts'
import type { World } from '../world.ts'
import { WITH_PEER, WITH_REPLY, type CheckRow } from './row.ts'
import { assertNoStrangers, assertOne, idOf, statusOf, textMessage } from './sent.ts'

/** our choice, in ms: how long a person may take to write back. */
const HAND_MS = 180_000

/**
 * Checks of messages that the number sends: each is sent once, however often it is asked for, and its status is told.
 */
export const SENDING: readonly CheckRow[] = [
  {
    name: 'send.once',
    says: 'message.send with one messageId sends once: asked again, together or later, it answers the same externalMessageId [bridge.ops.4].',
    needs: ['pair.open'],
    asked: WITH_PEER,
    async look(world) {
      const end = await world.open()
      const fields = textMessage(world, 'sent once although asked for three times')
      const together = [end.send('message.send', fields), end.send('message.send', fields)]
      const ids = [
        await idOf(end, together[0] ?? ''),
        await idOf(end, together[1] ?? ''),
        await idOf(end, end.send('message.send', fields)),
      ]
      assertOne(ids)
      world.sentIds.push(...ids.slice(0, 1))
      return `${shown(ids[0])}, three times`
    },
  },
  {
    name: 'send.status',
    says: 'message.status tells what became of a message: SENT, DELIVERED, READ or FAILED, with its externalMessageId [bridge.events.5].',
    needs: ['send.once'],
    asked: WITH_PEER,
    async look(world) {
      const status = await statusOf(world, world.sentIds[0])
      if (status['status'] === 'FAILED') throw new Unmet(`FAILED: ${shown(status['error'])}`)
      return String(status['status'])
    },
  },
  {
    name: 'send.changed',
    says: 'message.edit and message.revoke change what was sent, and answer {}, or UNSUPPORTED; what was never sent is refused [engines.bridge.11] [engines.bridge.12].',
    needs: ['send.status'],
    asked: WITH_PEER,
    async look(world) {
      const end = await world.open()
      const externalMessageId = await idOf(end, end.send('message.send', textMessage(world, 'to be changed')))
      world.sentIds.push(externalMessageId)
      await statusOf(world, externalMessageId)
      const sent = { externalMessageId, to: world.options.peer }
      await end.result('message.edit', { ...sent, text: 'engine:check, changed' }, true)
      await end.result('message.revoke', sent, true)
      const stranger = { externalMessageId: newId('msg'), to: null, text: 'engine:check, of nobody' }
      const answer = await end.ask('message.edit', stranger)
      if (answer.ok) throw new Unmet('what was never sent was answered as if it had been changed')
      return `${shown(externalMessageId)}, edited and taken back`
    },
  },
  {
    name: 'send.dropped',
    says: 'The same holds where the socket dropped before the answer [bridge.ops.4].',
    needs: ['start.credentials', 'send.status'],
    asked: WITH_PEER,
    async look(world) {
      const fields = textMessage(world, 'sent once over a dropped socket')
      const end = await world.open()
      end.send('message.send', fields)
      const back = await world.comeBackOpen()
      const ids = [
        await idOf(back, back.send('message.send', fields)),
        await idOf(back, back.send('message.send', fields)),
      ]
      assertOne(ids)
      world.sentIds.push(...ids.slice(0, 1))
      await statusOf(world, ids[0])
      assertNoStrangers(world, ids.slice(0, 1))
      return `${shown(ids[0])}, asked for three times`
    },
  },
  {
    name: 'send.refused',
    says: 'A message to nobody is refused with an error, and the session goes on [bridge.ops.4].',
    needs: ['pair.open'],
    asked: WITH_PEER,
    async look(world) {
      const end = await world.open()
      const answer = await end.ask('message.send', { ...textMessage(world, 'to nobody'), to: '' })
      if (answer.ok) throw new Unmet('it was answered as if it had been sent')
      return shown(answer.error)
    },
  },
]

function isOfPeer(world: World, { ev, from, historical, group }: SeenEvent): boolean {
  return (
    ev === 'message.received'
    && historical === false
    && group === undefined
    && String(from).replace('+', '') === world.options.peer
  )
}

/** Checks of messages that the peer writes. */
export const RECEIVING: readonly CheckRow[] = [
  {
    name: 'receive.told',
    says: 'A message of the peer is told: message.received, `from` in digits [bridge.events.4].',
    needs: ['send.once'],
    asked: WITH_REPLY,
    async look(world) {
      const end = await world.open()
      await end.acknowledgeAll()
      const before = world.watch.highestSeq
      const externalMessageId = await idOf(
        end,
        end.send('message.send', textMessage(world, 'please write something back')),
      )
      world.sentIds.push(externalMessageId)
      world.parts.tell(`waiting for ${world.options.peer ?? ''} to write back`)
      world.reply = await end.event(
        'message.received of the peer',
        (event) => event.seq > before && isOfPeer(world, event),
        HAND_MS,
      )
      const { type, text }: { type?: unknown; text?: unknown } = Object(world.reply['content'])
      return `${String(type)}${typeof text === 'string' ? ` of ${text.length} characters` : ''}`
    },
  },
  {
    name: 'receive.repeated',
    says: 'A message that was not acknowledged is told again after a dropped socket, and not any more once it was [bridge.socket.5].',
    needs: ['receive.told', 'start.credentials'],
    asked: WITH_REPLY,
    async look(world) {
      const told = world.reply
      if (!told) throw new Unmet('there was none')
      const end = await world.comeBack()
      const again = await end.event(`message.received again (seq ${told.seq})`, ({ seq }) => seq === told.seq)
      if (!isSameEvent(told, again)) throw new Unmet(`seq ${told.seq} again, but with other content`)
      const back = await world.comeBackOpen()
      if (back.events.some(({ externalMessageId }) => externalMessageId === told['externalMessageId']))
        throw new Unmet('told once more, although it was acknowledged')
      return 'again, then not any more'
    },
  },
]
