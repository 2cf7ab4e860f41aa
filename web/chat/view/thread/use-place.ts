import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { VListHandle } from '../../../ui/virtual-list.tsx'
import { UNREAD_KEY } from '../../model/thread.ts'
import type { OpenThread } from '../../state/open-thread.ts'
import { useDrawn } from '../context.ts'

/** Our choice, in CSS pixels: how near the end counts as the end, and how near an end the next page is read. */
const AT_END = 48
const READ_AHEAD = 1_200
/** Our choice, in CSS pixels: how much of the read messages shows above the unread line. */
const READ_SHOWN = 48
/** Our choice, in frames: how long to wait until a message that was scrolled to is drawn and measured. */
const FRAMES = 30
/** Our choice, in ms: how long a message that was scrolled to is highlighted. */
const MARKED_MS = 2_000

interface Handle {
  readonly current: VListHandle | null
}
interface Item {
  readonly key: string
}

/**
 * The scroll position of a thread. It stays at the end while the end is shown, goes to the target of the thread, reads
 * more messages at both ends, and reports messages as read.
 */
export function usePlace(handle: Handle, items: readonly Item[], open: OpenThread) {
  const [isAtEnd, drawAtEnd] = useState(true)
  // A ref, because a resize in the very frame of a scroll comes before the next drawing, and must not scroll back to
  // the end.
  const atEnd = useRef(true)
  const setAtEnd = (isThere: boolean): void => {
    atEnd.current = isThere
    drawAtEnd(isThere)
  }
  const toEnd = (): void => handle.current?.scrollToIndex(items.length - 1, { align: 'end' })
  const target = open.target.value
  const lastKey = items.at(-1)?.key

  useLayoutEffect(() => {
    if (target === null && atEnd.current) toEnd()
    // The length counts too, because an import may add messages before the last one.
  }, [lastKey, items.length])
  const scrolled = (): void => {
    const { current } = handle
    if (!current || open.target.value !== null) return
    const leftPx = current.scrollSize - current.viewportSize - current.scrollOffset
    setAtEnd(leftPx < AT_END && open.thread.value?.hasNewer === false)
    if (current.scrollOffset < READ_AHEAD) void open.readOlder()
    if (leftPx < READ_AHEAD) void open.readNewer()
  }
  useTarget(handle, items, open, { setAtEnd, scrolled })
  useReadOn(open, scrolled)
  useSeen(open, isAtEnd)
  return {
    isAtEnd,
    scrolled,
    /** Stops following the end, because a text that is about to grow is read from its beginning. */
    stay: () => setAtEnd(false),
    resized(): void {
      if (atEnd.current && open.target.value === null) toEnd()
    },
  }
}

interface Place {
  readonly setAtEnd: (isAtEnd: boolean) => void
  /** Reads the current scroll position. */
  readonly scrolled: () => void
}

/**
 * Scrolls to the target of the thread. The first time this is the line before the unread messages, or the oldest
 * message read when that line was not read yet.
 */
function useTarget(handle: Handle, items: readonly Item[], open: OpenThread, { setAtEnd, scrolled }: Place): void {
  const target = open.target.value
  const isFirst = useRef(true)
  useLayoutEffect(() => {
    if (target === null) return
    const isAtUnread = isFirst.current && target === 'end' && (open.unreadFrom.value !== null || open.isUnreadBefore)
    isFirst.current = false
    const wanted = target === 'end' ? (isAtUnread ? UNREAD_KEY : null) : target.messageId
    const at =
      wanted === null
        ? items.length - 1
        : Math.max(
            0,
            items.findIndex(({ key }) => key === wanted),
          )
    handle.current?.scrollToIndex(
      at,
      isAtUnread ? { align: 'start', offset: -READ_SHOWN } : { align: wanted === null ? 'end' : 'center' },
    )
    setAtEnd(wanted === null)
    const done = (): void => {
      open.target.value = null
      // When all messages fit, no scroll event comes, so the position is read here.
      requestAnimationFrame(() => requestAnimationFrame(scrolled))
    }
    if (target === 'end') done()
    else showMessage(target.messageId, done)
  }, [target])
}

/**
 * Reads on after a page was drawn: no page was asked for while another was being read. After a failure, the next scroll
 * tries again.
 */
function useReadOn({ thread }: OpenThread, scrolled: () => void): void {
  const latest = useRef(scrolled)
  latest.current = scrolled
  useEffect(() => {
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => latest.current())
    })
    return () => cancelAnimationFrame(frame)
  }, [thread.value])
}

/** Focuses a message once it is drawn, and highlights it for a moment. */
function showMessage(messageId: string, done: () => void, framesLeft = FRAMES): void {
  requestAnimationFrame(() => {
    const element = document.querySelector<HTMLElement>(`[data-message="${CSS.escape(messageId)}"]`)
    element?.focus({ preventScroll: true })
    // The list draws a message invisibly until it is measured, and an invisible element takes no focus.
    if (document.activeElement !== element && framesLeft > 0) return showMessage(messageId, done, framesLeft - 1)
    element?.classList.add('shown')
    setTimeout(() => element?.classList.remove('shown'), MARKED_MS)
    done()
  })
}

/** Marks the messages as read while the end is visible. */
function useSeen(open: OpenThread, isAtEnd: boolean): void {
  const { inbox } = useDrawn()
  const unread = inbox.conversations.find(open.conversationId)?.unreadCount ?? 0
  useEffect(() => {
    const seen = (): void => {
      const isSeen = isAtEnd && document.visibilityState === 'visible'
      inbox.onScreen.value = isSeen ? open.conversationId : null
      if (isSeen && unread > 0) void inbox.markRead(open.conversationId)
    }
    seen()
    document.addEventListener('visibilitychange', seen)
    return () => document.removeEventListener('visibilitychange', seen)
  }, [isAtEnd, unread, open, inbox])
  useEffect(
    () => () => {
      inbox.onScreen.value = null
    },
    [open, inbox],
  )
}
