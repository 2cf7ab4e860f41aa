import { useEffect, useRef, useState } from 'preact/hooks'
import type { RefObject } from 'preact'
import type { Fault } from '../../../ui/session/answers.ts'
import { useApp } from '../../shell/app.ts'
import { MountedInbox } from './mounted-inbox.ts'

interface Wanted {
  /** The numbers at the time when the inbox is mounted. */
  readonly ids: readonly string[]
  /** The conversation that is open at first; null for none. */
  readonly opened: string | null
  readonly title: string
  /** Told of the unread messages; null once the inbox is away. */
  readonly count: (unread: number | null) => void
}

interface InboxState {
  /** The element that the frame goes into. */
  readonly place: RefObject<HTMLDivElement | null>
  /** Why the inbox is not there, or goes no further; null when it does. */
  readonly fault: Fault | null
  /** The conversation that was opened last; null while none was. */
  readonly conversationId: string | null
  open(conversationId: string): void
  again(): void
}

/** Mounts the inbox when the component is shown, and takes it away with the component. */
export function useMountedInbox({ ids, opened, title, count }: Wanted): InboxState {
  const { api, language } = useApp()
  const place = useRef<HTMLDivElement>(null)
  const mounted = useRef<MountedInbox | null>(null)
  const [fault, failed] = useState<Fault | null>(null)
  const [conversationId, nowOpen] = useState(opened)
  useEffect(() => {
    if (place.current === null) return
    const inbox = new MountedInbox({
      api,
      place: place.current,
      numberIds: ids,
      conversationId: opened,
      title,
      language,
      counted: count,
      opened: nowOpen,
      failed,
    })
    mounted.current = inbox
    void inbox.begin()
    return () => {
      inbox.leave()
      count(null)
    }
  }, [])
  return {
    place,
    fault,
    conversationId,
    open: (id) => mounted.current?.open(id),
    again: () => void mounted.current?.begin(),
  }
}
