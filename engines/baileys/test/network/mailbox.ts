/**
 * Stanzas that wait for a linked device, in the order in which they were posted, each kept until the device has
 * acknowledged it. A stanza that was sent on a connection without an acknowledgement is sent again on the next one,
 * marked as offline.
 */
import type { BinaryNode } from 'baileys'
import type { Connection } from './connection.ts'
import { stanza } from './stanza.ts'

export type Mailbox = {
  /** Keeps a stanza (message, receipt, notification, call) and sends it when the device is online. */
  post(node: BinaryNode): void
  /** Removes a stanza that the device acknowledged; false when none of that kind and id waits. */
  acknowledge(kind: string, id: string, from?: string): boolean
  /** Sends all that waits, then the bulletin that ends the offline part; from now on stanzas go out at once. */
  open(connection: Connection): void
  /** The device disconnected, so stanzas wait again. */
  close(): void
  waiting(): BinaryNode[]
  /** Resolves once no stanza with this id waits any more; without an id, once nothing waits. */
  whenGone(id?: string): Promise<void>
}

/** Makes an empty mailbox of a device that is not connected. */
export function makeMailbox(): Mailbox {
  const waiting: BinaryNode[] = []
  const watchers = new Set<() => void>()
  let online: Connection | undefined
  return {
    post: (node) => {
      waiting.push(node)
      online?.send(node)
    },
    acknowledge: (kind, id, from) => {
      const matches = (node: BinaryNode, strict: boolean): boolean =>
        node.tag === kind && node.attrs['id'] === id && (!strict || node.attrs['from'] === from)
      const exact = from === undefined ? -1 : waiting.findIndex((node) => matches(node, true))
      const found = exact >= 0 ? exact : waiting.findIndex((node) => matches(node, false))
      if (found < 0) return false
      waiting.splice(found, 1)
      for (const watcher of watchers) watcher()
      return true
    },
    open: (connection) => {
      for (const [position, node] of waiting.entries()) {
        connection.send({ ...node, attrs: { ...node.attrs, offline: String(position) } })
      }
      connection.send(stanza('ib', { from: 's.whatsapp.net' }, [stanza('offline', { count: String(waiting.length) })]))
      online = connection
    },
    close: () => {
      online = undefined
    },
    waiting: () => [...waiting],
    whenGone: (id) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (waiting.some(({ attrs }) => id === undefined || attrs['id'] === id)) return
          watchers.delete(look)
          resolve()
        }
        watchers.add(look)
        look()
      }),
  }
}
