/**
 * The script form of the SDK: sets the global `Channel` on the host page and runs the calls that were queued before it
 * loaded.
 */
import { Channel } from './src/channel.ts'
import { callHost } from './src/console.ts'

type Use = (channel: typeof Channel) => void

declare global {
  interface Window {
    Channel?: typeof Channel
    channelQueue?: { push(use: Use): unknown }
  }
}

// When a page loads the script twice, the first one stays, because it knows what it has mounted.
if (!window.Channel) {
  const address = (document.currentScript as HTMLScriptElement | null)?.src
  if (address) Channel.init({ baseUrl: new URL(address).origin })
  const waiting = window.channelQueue
  window.Channel = Channel
  window.channelQueue = { push: (use) => use(Channel) }
  if (Array.isArray(waiting)) for (const use of waiting as readonly Use[]) callHost(use, Channel)
}
