import { mountChat } from './chat.ts'
import { mountConnect, openConnect } from './connect.ts'
import { ChannelError } from './error.ts'
import { init } from './settings.ts'
import { VERSION } from './version.ts'

/** All that a host page calls (contract 18). */
export const Channel = {
  version: VERSION,
  ChannelError,
  init,
  chat: { mount: mountChat },
  connect: { mount: mountConnect, open: openConnect },
}
