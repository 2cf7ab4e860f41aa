import type { RunningDirectory } from '../../actors/hosting/directory.ts'
import type { NumberPorts } from '../../actors/number/world.ts'
import { createMessages, type MessageCommands } from '../commands/messages/messages.ts'
import type { MessagePorts } from '../commands/messages/ports.ts'
import { areStoriesWanted } from '../commands/webhooks/stories.ts'
import { conversationIdOf } from '../storage/conversations/conversation-id.ts'
import type { Stores } from '../storage/stores.ts'
import type { Core } from './core.ts'
import { measureWaiting } from './measure-waiting.ts'
import type { OpenMessageFiles } from './open-message-files.ts'
import type { Storage } from './open-storage.ts'
import { PURGES } from './upkeep.ts'

/** Our choice: messages whose time is over end within two seconds. */
const EXPIRE_EVERY_MS = 2_000
/**
 * Our choice: how often conversations that became long are looked for, in ms. Until then their list takes a few
 * milliseconds more.
 */
const LOOK_EVERY_MS = 30_000
/** Our choice: how often it is looked whether messages of earlier versions are to be filled, in ms. */
const FILL_EVERY_MS = 60_000
/** Our choice: turns of the fill from one line of the log to the next. */
const FILL_TURNS_TOLD = 100

interface MessageNeeds
  extends
    Pick<Storage, 'cipher'>,
    Pick<OpenMessageFiles, 'files' | 'templateFiles'>,
    Pick<MessagePorts, 'cardHosts' | 'sampleFiles'> {
  readonly stores: Stores
  /** A function, because the directory is opened later. */
  readonly directory: () => Pick<RunningDirectory, 'sendsQueued' | 'askNumber' | 'askDevice'>
}

export interface OpenMessages {
  /** For the REST layer, and for parts that send on their own. */
  readonly messageCommands: MessageCommands
  readonly wantsStories: NumberPorts['wantsStories']
  readonly conversationOf: NumberPorts['conversationOf']
}

/** Opens the commands on messages, their chores, and the ports by which webhooks and rows influence messages. */
export function openMessages({ clock, log, metrics, upkeep }: Core, needs: MessageNeeds): OpenMessages {
  const { stores, cipher, files, templateFiles, cardHosts, sampleFiles, directory } = needs
  const messageCommands = createMessages({
    ...stores,
    files,
    templateFiles,
    cardHosts,
    sampleFiles,
    sendsQueued: (numberId) => directory().sendsQueued(numberId),
    askReadMessages: (numberId, externalMessageIds) =>
      directory().askNumber(numberId, 'ReadMessages', { externalMessageIds }),
    askDevice: (numberId, op, input) => directory().askDevice(numberId, op, input),
    clock,
    log,
  })
  // Files that privacy ends expire with the first purge, and the second deletes them.
  upkeep.add({ name: 'purge-messages', ...PURGES, run: () => stores.messages.purge().then(() => files.purge()) })
  upkeep.add({
    name: 'expire-messages',
    due: 'sends',
    isShared: true,
    everyMs: EXPIRE_EVERY_MS,
    run: messageCommands.expire,
  })
  measureWaiting({ clock, metrics, upkeep }, stores.queue)
  upkeep.add({
    name: 'count-conversations',
    isShared: true,
    everyMs: LOOK_EVERY_MS,
    run: () => stores.longConversations.look(),
  })
  fillKeys({ log, upkeep }, stores)
  return {
    messageCommands,
    wantsStories: (numberId) => areStoriesWanted(stores, numberId),
    conversationOf: (numberId, peer) => conversationIdOf(cipher, numberId, peer),
  }
}

/** Gives messages that earlier versions stored the keys of their ids, and tells in the log how far that is. */
function fillKeys({ log, upkeep }: Pick<Core, 'log' | 'upkeep'>, { keyFill }: Stores): void {
  let [turns, filled] = [0, 0]
  upkeep.add({
    name: 'fill-message-keys',
    isShared: true,
    everyMs: FILL_EVERY_MS,
    run: async () => {
      const turn = await keyFill.fill()
      if (turn === null) return false
      filled += turn.filled
      if (turn.position === 0) log.info({ filled }, 'all messages have the key of their id')
      else if (turns++ % FILL_TURNS_TOLD === 0)
        log.info({ filled, left: turn.position }, 'messages get the key of their id')
      return turn.position > 0
    },
  })
}
