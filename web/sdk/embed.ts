/** The script: puts the SDK on the host page as the global `Channel`, and runs what was queued before it came. */
import { Channel } from './src/channel.ts'
import { callHost } from './src/console.ts'

type Use = (channel: typeof Channel) => void

declare global {
  interface Window {
    Channel?: typeof Channel
    channelQueue?: { push(use: Use): unknown }
  }
}

// A page that loads the script twice keeps the first: what it has mounted is known there.
if (!window.Channel) {
  const address = (document.currentScript as HTMLScriptElement | null)?.src
  if (address) Channel.init({ baseUrl: new URL(address).origin })
  const waiting = window.channelQueue
  window.Channel = Channel
  window.channelQueue = { push: (use) => use(Channel) }
  if (Array.isArray(waiting)) for (const use of waiting as readonly Use[]) callHost(use, Channel)
}
