import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { VListHandle } from '../../../ui/virtual-list.tsx'
import { UNREAD_KEY } from '../../model/thread.ts'
import type { OpenThread } from '../../state/open-thread.ts'
import { useDrawn } from '../context.ts'

/** Our choice, CSS pixels: so near to an end counts as there, and so near more is read. */
const AT_END = 48
const READ_AHEAD = 1_200
/** Our choice, CSS pixels: so much of what was read before shows above the line of the unread ones. */
const READ_SHOWN = 48
/** Our choice, in frames: what is scrolled to is drawn and measured by then. */
const FRAMES = 30
/** Our choice, in ms: how long a message that was gone to is marked. */
const MARKED_MS = 2_000

interface Handle {
  readonly current: VListHandle | null
}
interface Item {
  readonly key: string
}

/**
 * The place in a thread: kept at the end while that is shown, else where it is; where it was asked to go; read on at
 * both ends, and read.
 */
export function usePlace(handle: Handle, items: readonly Item[], open: OpenThread) {
  const [isAtEnd, drawAtEnd] = useState(true)
  // What is measured in the frame in which somebody scrolls away comes before the drawing that knows of it: nobody is
  // taken back to the end.
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
    // An import may put its messages before the last.
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
    /** What is about to grow is read from its beginning: the end is followed no more. */
    stay: () => setAtEnd(false),
    resized(): void {
      if (atEnd.current && open.target.value === null) toEnd()
    },
  }
}

interface Place {
  readonly setAtEnd: (isAtEnd: boolean) => void
  /** Looks at where the thread is. */
  readonly scrolled: () => void
}

/**
 * Goes where the thread was asked to; at first to the line before the unread ones, which is to be seen, or as near as
 * was read.
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
      // Where all fits nothing is scrolled: whether the end is seen is to be looked at.
      requestAnimationFrame(() => requestAnimationFrame(scrolled))
    }
    if (target === 'end') done()
    else showMessage(target.messageId, done)
  }, [target])
}

/**
 * While a page is read no other is asked for: once it is drawn, what was scrolled to meanwhile is read. What failed is
 * left to the next scrolling.
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

/** Puts the focus on a message once it is drawn, and marks it for a moment. */
function showMessage(messageId: string, done: () => void, framesLeft = FRAMES): void {
  requestAnimationFrame(() => {
    const element = document.querySelector<HTMLElement>(`[data-message="${CSS.escape(messageId)}"]`)
    element?.focus({ preventScroll: true })
    // What was not measured yet is drawn without being seen, and takes no focus.
    if (document.activeElement !== element && framesLeft > 0) return showMessage(messageId, done, framesLeft - 1)
    element?.classList.add('shown')
    setTimeout(() => element?.classList.remove('shown'), MARKED_MS)
    done()
  })
}

/** Says that the messages were seen while the end is shown. */
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
