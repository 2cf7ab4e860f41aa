/** Messages that a phone received, and waits for them. */
import type { proto } from 'baileys'

export type ReceivedMessage = {
  /** Index within the phone, from 0. */
  position: number
  id: string
  /** Digits of the sender. */
  from: string
  /** The chat as addressed: a user, a group, status@broadcast, a newsletter. */
  chat: string
  /** True when the phone's own account wrote it on a linked device. */
  fromMe: boolean
  text: string | undefined
  message: proto.IMessage
  /** How often this id arrived; more than once is a message sent twice. */
  copies: number
}

export type Inbox = {
  messages: ReceivedMessage[]
  /** Adds a message, or counts one more copy of it. */
  add(message: Omit<ReceivedMessage, 'position' | 'copies' | 'text'>): ReceivedMessage
  /** Resolves with the first message that fits, now or later; rejects after `timeoutMs`. */
  find(fits: (message: ReceivedMessage) => boolean, timeoutMs?: number): Promise<ReceivedMessage>
}

/**
 * How long a test waits for a message by default, in ms. Our choice: far above what a machine with twenty runnable
 * processes needs.
 */
export const PATIENCE_MS = 90_000

/** Gives the words of a message: its text or its caption. */
export function wordsOf(message: proto.IMessage): string | undefined {
  const { conversation, extendedTextMessage, imageMessage, videoMessage, documentMessage } = message
  return (
    conversation
    ?? extendedTextMessage?.text
    ?? imageMessage?.caption
    ?? videoMessage?.caption
    ?? documentMessage?.caption
    ?? undefined
  )
}

export type Watch = {
  notice(): void
  until<T>(look: () => T | undefined, what: string, timeoutMs?: number): Promise<T>
}

/** Resolves when `look` gives something, asked now and at each call of the returned `notice`. */
export function watch(): Watch {
  const looks = new Set<() => void>()
  return {
    notice: () => {
      for (const look of looks) look()
    },
    until: <T>(look: () => T | undefined, what: string, timeoutMs = PATIENCE_MS) =>
      new Promise<T>((resolve, reject) => {
        const timer = setTimeout(() => {
          looks.delete(check)
          reject(new Error(`waited ${timeoutMs} ms in vain for ${what}`))
        }, timeoutMs)
        const check = (): void => {
          const found = look()
          if (found === undefined) return
          clearTimeout(timer)
          looks.delete(check)
          resolve(found)
        }
        looks.add(check)
        check()
      }),
  }
}

/** Makes an empty inbox. */
export function openInbox(): Inbox {
  const messages: ReceivedMessage[] = []
  const byKey = new Map<string, ReceivedMessage>()
  const { notice, until } = watch()
  return {
    messages,
    add: (given) => {
      const key = `${given.from} ${given.chat} ${given.id}`
      const known = byKey.get(key)
      if (known) {
        known.copies += 1
        return known
      }
      const added = { ...given, position: messages.length, copies: 1, text: wordsOf(given.message) }
      messages.push(added)
      byKey.set(key, added)
      notice()
      return added
    },
    find: (fits, timeoutMs) => until(() => messages.find(fits), 'a message at the phone', timeoutMs),
  }
}
