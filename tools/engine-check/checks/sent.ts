import { newId } from '../../../src/domain/ids.ts'
import type { EngineEnd, SeenEvent } from '../engine-end.ts'
import { shown, Unmet } from '../finding.ts'
import type { TextMessage, World } from '../world.ts'

/** A new message to the peer, which says that a check wrote it. */
export function textMessage(world: World, words: string): TextMessage {
  return {
    messageId: newId('msg'),
    to: world.options.peer ?? '',
    content: { type: 'text', text: `engine:check, ${words}` },
  }
}

/** The engine's id of a message that was asked for. Throws `Unmet` when it was refused, or has none. */
export async function idOf(end: EngineEnd, requestId: string): Promise<string> {
  const answer = await end.answerTo(requestId, 'message.send')
  if (!answer.ok) throw new Unmet(`message.send was refused: ${shown(answer.error)}`)
  const { externalMessageId }: { externalMessageId?: unknown } = Object(answer.result)
  if (typeof externalMessageId !== 'string' || externalMessageId === '')
    throw new Unmet(`no externalMessageId: ${shown(answer.result)}`)
  return externalMessageId
}

/** Throws `Unmet` when the answers to one message name more than one. */
export function assertOne(ids: readonly string[]): void {
  const different = [...new Set(ids)]
  if (different.length > 1) throw new Unmet(`sent ${different.length} times: ${different.map(shown).join(', ')}`)
}

/** Throws `Unmet` when a status is of a message that nobody was answered: one of `ids` was then sent again. */
export function assertNoStrangers(world: World, ids: readonly string[]): void {
  const strangers = world.strangers()
  if (strangers.length === 0) return
  throw new Unmet(
    `sent ${strangers.length + 1} times: ${[...strangers, ...ids].map(shown).join(', ')}, as message.status tells`,
  )
}

/** The status of a message, now or already told. */
export async function statusOf(world: World, externalMessageId: string | undefined): Promise<SeenEvent> {
  const told = world.statusOf(externalMessageId)
  if (told) return told
  const end = await world.open()
  return await end.event(
    `message.status of ${shown(externalMessageId)}`,
    (event) => event.ev === 'message.status' && event['externalMessageId'] === externalMessageId,
  )
}
