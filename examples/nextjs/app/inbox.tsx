'use client'

import Script from 'next/script'
import { useEffect, useRef, useState } from 'react'

/** What this page uses of `embed.js`. The types of all of it are in the package `@channel-messaging/embed`. */
interface Channel {
  readonly chat: {
    mount(
      place: Element,
      options: {
        readonly fetchToken: () => Promise<string>
        readonly height: number
        readonly onUnreadCount: (count: number) => void
      },
    ): { destroy(): void }
  }
}

declare global {
  interface Window {
    channelQueue?: { push(use: (channel: Channel) => void): unknown }
  }
}

/** The inbox asks for a token at the start, and again when its session is over. */
async function fetchToken(): Promise<string> {
  const answer = await fetch('/inbox-token', { method: 'POST' })
  if (!answer.ok) throw new Error(`The token was answered ${answer.status}`)
  return await answer.text()
}

export function Inbox({ service }: { readonly service: string }) {
  const place = useRef<HTMLDivElement>(null)
  const [unread, setUnread] = useState(0)
  const [isMissing, setMissing] = useState(false)
  useEffect(() => {
    let isGone = false
    let handle: { destroy(): void } | undefined
    // What is pushed runs at once where the script is there, else when it comes.
    window.channelQueue ??= []
    window.channelQueue.push(({ chat }) => {
      if (isGone || !place.current) return
      handle = chat.mount(place.current, { fetchToken, height: 640, onUnreadCount: setUnread })
    })
    return () => {
      isGone = true
      handle?.destroy()
    }
  }, [])
  return (
    <main>
      <h1>A product of yours{unread > 0 && ` (${unread})`}</h1>
      <Script src={`${service}/embed.js`} onError={() => setMissing(true)} />
      {isMissing && <p role="alert">{service} cannot be reached</p>}
      <div ref={place} />
    </main>
  )
}
