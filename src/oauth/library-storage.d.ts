/**
 * The part of the library by which its code knows which request it works for. The library exports it under no other
 * name.
 */
declare module 'oidc-provider/lib/helpers/als.js' {
  import type { AsyncLocalStorage } from 'node:async_hooks'

  const storage: AsyncLocalStorage<unknown>
  export default storage
}
