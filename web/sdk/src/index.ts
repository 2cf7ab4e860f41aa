/** The entry of the package, which bundlers import. */
export { Channel } from './channel.ts'
export { ChannelError } from './error.ts'
export type { ChannelErrorCode } from './error.ts'
export type {
  ChatHandle,
  ChatOptions,
  ConnectHandle,
  ConnectOptions,
  FrameHandle,
  FrameOptions,
  InitOptions,
  Target,
  Theme,
  ThemeMode,
  ThemeOptions,
} from './types.ts'
