import { mountChat } from './chat.ts'
import { mountConnect, openConnect } from './connect.ts'
import { ChannelError } from './error.ts'
import { init } from './settings.ts'
import { VERSION } from './version.ts'

/** Everything a host page can call ([sdk.calls.1] to [sdk.calls.4]). */
export const Channel = {
  version: VERSION,
  ChannelError,
  init,
  chat: { mount: mountChat },
  connect: { mount: mountConnect, open: openConnect },
}
