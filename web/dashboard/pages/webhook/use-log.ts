import { useRef } from 'preact/hooks'
import { useList } from '../../ground/use-list.ts'
import type { ListState } from '../../ground/use-list.ts'
import { useSettled } from '../../ground/use-settled.ts'
import { useApp } from '../../shell/app.ts'
import { SETTLED_MS } from '../hooks/webhook.ts'
import { joined, LOG_PAGE } from './log-item.ts'
import type { LogAnswer, LogItem } from './log-item.ts'

/**
 * Our choice: how often the log is read for something to come, some 18 s. An attempt ends within 15 s
 * ([webhooks.delivery.6]), and is not told by the stream.
 */
const READS_FOR_NEWS = 12

/** The attempts of a webhook, with what was asked of them. */
export interface Log extends ListState<LogItem> {
  /** An attempt is on its way: reads the newest until it is there, at most once in SETTLED_MS. */
  awaitNews(): void
}

/**
 * Reads the log of a webhook, as far as it is scrolled. New attempts are put before those that are there; `told` is
 * called whenever there are some.
 */
export function useLog(webhookId: string, status: string | null, told: () => void): Log {
  const { api } = useApp()
  const path = `/api/v1/webhooks/${encodeURIComponent(webhookId)}/logs`
  const readsLeft = useRef(0)
  async function read(before: string | null, signal?: AbortSignal) {
    const answer = await api.get<LogAnswer>(path, {
      query: { limit: LOG_PAGE, status, before },
      ...(signal === undefined ? {} : { signal }),
    })
    return answer.fault ? answer : { body: answer.body.logs }
  }
  const list = useList({ read, beforeOf: ({ id }) => id, pageSize: LOG_PAGE }, [path, status])
  const newest = useRef({ status, items: list.items })
  newest.current = { status, items: list.items }
  async function readNews(): Promise<void> {
    readsLeft.current -= 1
    const { body } = await read(null)
    const { items } = newest.current
    // Another filter was chosen meanwhile: its own first page is newer than this one.
    const isWanted = body !== undefined && items !== null && newest.current.status === status
    if (isWanted && body[0] !== undefined && body[0].id !== items[0]?.id) {
      const all = joined(body, items)
      if (all === null) list.again()
      else list.change(() => all)
      readsLeft.current = 0
      told()
    }
    if (readsLeft.current > 0) readLater()
  }
  const readLater = useSettled(() => void readNews(), SETTLED_MS)
  return {
    ...list,
    awaitNews() {
      readsLeft.current = READS_FOR_NEWS
      readLater()
    },
  }
}
