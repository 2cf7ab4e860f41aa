import type { ComponentChildren } from 'preact'
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { Answer, Fault } from '../../ui/session/answers.ts'
import { useApp } from '../shell/app.ts'
import { faultText } from './fault-text.ts'
import type { CodeWords } from './fault-text.ts'

/** What was asked of the service, and how it stands. */
export interface AskedState<T> {
  /** The newest answer; null until there is one. */
  readonly body: T | null
  /** Why the newest request failed; null when it did not. */
  readonly fault: Fault | null
  /** Asks again; what is shown stays until the answer is there. */
  again(): void
  /** Changes the answer in place, as live news do; does nothing until there is one. */
  change(next: (now: T) => T): void
}

/**
 * Asks the service when the component is shown, whenever one of `on` changes, and whenever live news were missed. Late
 * answers to earlier questions are dropped.
 */
export function useAsked<T>(ask: (signal: AbortSignal) => Promise<Answer<T>>, on: readonly unknown[]): AskedState<T> {
  const { news } = useApp()
  const [{ body, fault }, put] = useState<{ readonly body: T | null; readonly fault: Fault | null }>({
    body: null,
    fault: null,
  })
  const running = useRef<AbortController | null>(null)
  /** Whether live news changed the answer while a newer one was awaited, which may be older than the news. */
  const wasChanged = useRef(false)
  const again = useCallback(() => {
    running.current?.abort()
    const own = new AbortController()
    running.current = own
    wasChanged.current = false
    void ask(own.signal).then((answer) => {
      if (own.signal.aborted) return
      if (wasChanged.current) return again()
      running.current = null
      put((now) => (answer.fault ? { body: now.body, fault: answer.fault } : { body: answer.body, fault: null }))
    })
  }, on)
  useEffect(() => {
    put({ body: null, fault: null })
    again()
    const stop = news.listen({ resync: again })
    return () => {
      stop()
      running.current?.abort()
    }
  }, [again])
  const change = useCallback((next: (now: T) => T) => {
    wasChanged.current = running.current !== null
    put((now) => (now.body === null ? now : { ...now, body: next(now.body) }))
  }, [])
  return { body, fault, again, change }
}

interface AskedProps<T> {
  readonly of: AskedState<T>
  /** The page's own words for codes. */
  readonly codes?: CodeWords
  readonly children: (body: T) => ComponentChildren
}

/** Draws what was asked: a bone while it is awaited, the fault with a retry, and the answer. */
export function Asked<T>({ of: { body, fault, again }, codes, children }: AskedProps<T>) {
  const { words } = useApp()
  return (
    <>
      {fault !== null && <FaultLine fault={fault} {...(codes === undefined ? {} : { codes })} again={again} />}
      {body !== null ? (
        children(body)
      ) : fault === null ? (
        <div class="bone" aria-busy="true" role="status">
          <span class="unseen">{words.loading}</span>
        </div>
      ) : null}
    </>
  )
}

interface FaultLineProps {
  readonly fault: Fault
  readonly codes?: CodeWords
  /** Offers to try again; absent when that is no help. */
  again?(): void
}

/** Why something failed, in words, with the service's own where they say more. */
export function FaultLine({ fault, codes, again }: FaultLineProps) {
  const { words } = useApp()
  const text = faultText(fault, words, codes)
  const isWorded = fault.code !== undefined && codes?.[fault.code] !== undefined
  const isVague = fault.kind === 'INVALID' || fault.kind === 'REFUSED'
  const isFollowed = isWorded ? text.endsWith(':') : isVague
  return (
    <div class="fault" role="alert" data-fault={fault.kind} data-code={fault.code}>
      <p>{text}</p>
      {isFollowed && fault.said !== undefined && (
        <p class="hint" lang="en">
          <bdi>{fault.said}</bdi>
        </p>
      )}
      {again !== undefined && (
        <button type="button" class="button quiet small" data-action="retry" onClick={again}>
          {words.retry}
        </button>
      )}
    </div>
  )
}

/** What stands in the place of a list that is empty: what it is for, and what to do first. */
export function Empty({ text, children }: { readonly text: string; readonly children?: ComponentChildren }) {
  return (
    <div class="empty" data-empty>
      <p class="muted">{text}</p>
      {children}
    </div>
  )
}
